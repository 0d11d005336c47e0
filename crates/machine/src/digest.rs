//! A fingerprint of the whole state, for tests that compare two ways to one point.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::machine::Machine;

impl Machine {
    /// Equal for equal states: heap, statics, initialization, frames with their registers, monitors and output.
    pub fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for at in self.heap.start..self.heap.used_end() {
            hasher.write_u64(self.heap.word(at));
        }
        for (index, state) in self.classes.iter().enumerate() {
            hasher.write_u8(state.init as u8);
            for offset in 0..self.program.classes[index].static_words {
                hasher.write_u64(self.heap.word(state.statics + offset));
            }
        }
        for frame in &self.frames {
            hasher.write_u32(frame.method.0);
            hasher.write_usize(frame.index());
            for word in self.stack.slice(frame.base, frame.registers) {
                hasher.write_u64(*word);
            }
        }
        for object in &self.monitors {
            hasher.write_u32(object.0);
        }
        for output in &self.output {
            hasher.write(output);
        }
        hasher.finish()
    }
}
