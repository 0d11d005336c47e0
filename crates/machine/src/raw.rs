//! Memory outside the heap, for `Unsafe.allocateMemory`: addresses are handles into blocks the machine owns.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::undo::{Log, Undo};

/// Bytes of all blocks together, at most.
pub const LARGEST: u64 = 1 << 30;

/// Blocks by their first address. Addresses start high enough never to be taken for small numbers.
#[derive(Default)]
pub struct RawMemory {
    blocks: BTreeMap<u64, Vec<u8>>,
    next: u64,
    /// Bytes of all blocks.
    used: u64,
    log: Log<Change>,
}

/// How a change is taken back.
enum Change {
    Allocated { address: u64, next: u64 },
    Freed { address: u64, block: Vec<u8> },
    Written { address: u64, old: Vec<u8> },
}

impl RawMemory {
    /// A new zeroed block; its address. None if there is no room for it.
    pub fn allocate(&mut self, size: u64) -> Option<u64> {
        if size > LARGEST - self.used {
            return None;
        }
        let address = self.next.max(0x10_0000);
        self.log.push(Change::Allocated { address, next: self.next });
        self.next = (address + size + 0x1000) & !0xFFF;
        self.blocks.insert(address, vec![0; size as usize]);
        self.used += size;
        Some(address)
    }

    pub fn free(&mut self, address: u64) {
        if let Some(block) = self.blocks.remove(&address) {
            self.used -= block.len() as u64;
            self.log.push(Change::Freed { address, block });
        }
    }

    /// `len` bytes at `address`, if they lie inside one block.
    pub fn read(&self, address: u64, len: usize) -> Option<&[u8]> {
        let (start, block) = self.blocks.range(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        block.get(offset..offset.checked_add(len)?)
    }

    /// `len` bytes at `address` to be overwritten, if they lie inside one block.
    pub fn write(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        if self.log.is_open() {
            let old = self.read(address, len)?.to_vec();
            self.log.push(Change::Written { address, old });
        }
        self.slice(address, len)
    }

    /// Equal for equal contents.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.blocks.hash(&mut hasher);
        self.next.hash(&mut hasher);
        hasher.finish()
    }

    fn slice(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let (start, block) = self.blocks.range_mut(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        block.get_mut(offset..offset.checked_add(len)?)
    }
}

impl Undo for RawMemory {
    type Mark = usize;

    fn mark(&mut self) -> usize {
        self.log.mark()
    }

    fn undo_to(&mut self, mark: &usize) {
        while let Some(change) = self.log.pop_after(*mark) {
            match change {
                Change::Allocated { address, next } => {
                    let block = self.blocks.remove(&address);
                    self.used -= block.map_or(0, |block| block.len() as u64);
                    self.next = next;
                }
                Change::Freed { address, block } => {
                    self.used += block.len() as u64;
                    self.blocks.insert(address, block);
                }
                Change::Written { address, old } => {
                    if let Some(bytes) = self.slice(address, old.len()) {
                        bytes.copy_from_slice(&old);
                    }
                }
            }
        }
    }

    fn forget(&mut self) {
        self.log.forget();
    }

    fn shrink(&mut self) {
        self.log.shrink();
    }
}
