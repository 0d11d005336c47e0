//! What belongs to an object by its identity: its hash code and its monitor.

use crate::machine::Machine;
use crate::native::Raise;
use crate::trail::Entry;
use crate::value::Ref;

impl Machine {
    /// `System.identityHashCode`: given out in order of asking, so the same in every run.
    pub fn identity_hash(&mut self, object: Ref) -> i32 {
        if object.is_null() {
            return 0;
        }
        let header = self.heap.word(object.0);
        let array = self.classes[self.heap.class_index(object) as usize].is_array;
        if array {
            if let Some(&hash) = self.array_hashes.get(&object) {
                return hash;
            }
        } else if header >> 32 != 0 {
            return (header >> 32) as i32;
        }
        let mut x = self.hash_seed;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.hash_seed = x;
        let hash = ((x & 0x7FFF_FFFF).max(1)) as i32;
        if array {
            self.log(Entry::ArrayHash(object));
            self.array_hashes.insert(object, hash);
        } else {
            self.put_at(object.0, (header & 0xFFFF_FFFF) | (hash as u64) << 32);
        }
        hash
    }

    pub(crate) fn monitor_enter(&mut self, object: Ref) {
        self.log(Entry::MonitorEntered);
        self.monitors.push(object);
    }

    /// Leaves a monitor; false if it is not held by a `monitorenter`.
    pub(crate) fn monitor_exit(&mut self, object: Ref) -> bool {
        let Some(at) = self.monitors.iter().rposition(|held| *held == object) else { return false };
        self.monitors.remove(at);
        self.log(Entry::MonitorLeft { at, object });
        true
    }

    /// Has it decided on which objects synchronized methods were called that are running.
    pub fn decide_receivers(&mut self) -> Result<(), Raise> {
        for index in 0..self.frames.len() {
            let frame = &self.frames[index];
            let (at, method) = (frame.base as usize, self.program.method(frame.method));
            if method.is_synchronized() && !method.is_static() {
                let receiver = self.force(self.stack.get(at))?;
                self.stack.set(at, receiver);
            }
        }
        Ok(())
    }

    /// Whether an object may have been there before the method under test was called, as far as its place tells.
    pub fn may_predate(&self, object: Ref) -> bool {
        object.0 < self.symbolic.entered
    }

    /// Whether the thread holds the monitor of `object`, by block or by synchronized method.
    pub fn holds_monitor(&self, object: Ref) -> bool {
        self.monitors.contains(&object)
            || self.frames.iter().any(|frame| {
                let method = self.program.method(frame.method);
                method.is_synchronized() && {
                    let held = if method.is_static() {
                        self.classes[method.class.0 as usize].mirror
                    } else {
                        // The receiver stays in local 0 of any method a compiler emits.
                        Ref::from_word(self.stack.get(frame.base as usize))
                    };
                    held == object
                }
            })
    }
}
