//! Fingerprints of the whole state, for tests that compare two ways to one point.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::machine::{InitState, Machine};
use crate::value::Word;

/// Everything that an instruction can leave behind, part by part, so that a test can say which part differs. Only what
/// nobody can tell is left out: how many steps were made, and what is kept to be found again (terms, loaded classes,
/// stubs).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imprint {
    /// What [`Machine::digest`] covers.
    state: u64,
    registers: u64,
    heap_top: u32,
    hash_seed: u32,
    array_hashes: usize,
    interned: usize,
    hidden_number: u32,
    clock: u64,
    input: usize,
    touched: crate::outside::Touched,
    roots: usize,
    free_slots: usize,
    raw: u64,
    pending: u64,
    unknown: u64,
}

impl Machine {
    /// What the path has left behind so far.
    pub fn imprint(&self) -> Imprint {
        Imprint {
            state: self.digest(),
            registers: self.register_digest(),
            heap_top: self.heap.top,
            hash_seed: self.hash_seed,
            array_hashes: self.array_hashes.len(),
            interned: self.interned.len(),
            hidden_number: self.hidden_number,
            clock: self.clock,
            input: self.input_position,
            touched: self.touched.get(),
            roots: self.roots.len(),
            free_slots: self.free_slots.len(),
            raw: self.raw.digest(),
            pending: self.pending.digest(),
            unknown: self.symbolic.digest(),
        }
    }

    /// Equal for equal states: heap, statics, initialization, where each frame is, monitors and output.
    pub fn digest(&self) -> u64 {
        self.digest_as(|word| word)
    }

    /// The same, with every word of the heap as somebody reads it.
    pub fn digest_as(&self, read: impl Fn(Word) -> Word) -> u64 {
        let mut hasher = FxHasher::default();
        for at in self.heap.start..self.heap.used_end() {
            hasher.write_u64(read(self.heap.word(at)));
        }
        for (index, state) in self.classes.iter().enumerate() {
            // A class that was only loaded is no different from one that was not.
            if state.init == InitState::Linked || self.program.classes[index].file.is_none() {
                continue;
            }
            hasher.write_usize(index);
            hasher.write_u8(state.init as u8);
            for offset in 0..self.program.classes[index].static_words {
                hasher.write_u64(read(self.heap.word(state.statics + offset)));
            }
        }
        for frame in &self.frames {
            hasher.write_u32(frame.method.0);
            hasher.write_usize(frame.index());
        }
        for object in &self.monitors {
            hasher.write_u32(object.0);
        }
        for output in &self.output {
            hasher.write(output);
        }
        hasher.finish()
    }

    /// A fingerprint of the registers. Registers nobody reads any more count too, so two ways to the same point need
    /// not agree; going back to a point must.
    pub fn register_digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for (i, frame) in self.frames.iter().enumerate() {
            // Registers that a callee took over as its own are no longer the caller's.
            let end =
                self.frames.get(i + 1).map_or(u32::MAX, |next| next.base).min(frame.base + frame.registers);
            for word in self.stack.slice(frame.base, end - frame.base) {
                hasher.write_u64(*word);
            }
        }
        hasher.finish()
    }
}
