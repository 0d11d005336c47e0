//! Memory outside the heap, for `Unsafe.allocateMemory`: addresses are handles into blocks the machine owns.

use std::collections::BTreeMap;

/// Blocks by their first address. Addresses start high enough never to be taken for small numbers.
#[derive(Default)]
pub struct RawMemory {
    blocks: BTreeMap<u64, Vec<u8>>,
    next: u64,
}

impl RawMemory {
    /// A new zeroed block; its address.
    pub fn allocate(&mut self, size: u64) -> u64 {
        let address = self.next.max(0x10_0000);
        self.next = (address + size + 0x1000) & !0xFFF;
        self.blocks.insert(address, vec![0; size as usize]);
        address
    }

    pub fn free(&mut self, address: u64) {
        self.blocks.remove(&address);
    }

    /// `len` bytes at `address`, if they lie inside one block.
    pub fn bytes(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let (start, block) = self.blocks.range_mut(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        block.get_mut(offset..offset.checked_add(len)?)
    }
}
