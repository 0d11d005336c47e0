//! The thread that runs: there is one, and while another waits for it, a second one on top.

use crate::machine::Machine;
use crate::value::{Ref, Word};

/// A thread that waits until another one has ended.
#[must_use]
pub struct Waiting {
    pub thread: Ref,
    floor: usize,
}

impl Machine {
    /// From here on `thread` runs, with a stack of its own.
    pub fn begin_thread(&mut self, thread: Ref) -> Waiting {
        Waiting {
            thread: std::mem::replace(&mut self.thread, thread),
            floor: std::mem::replace(&mut self.thread_floor, self.frames.len()),
        }
    }

    /// The thread that was begun has ended.
    pub fn return_to_thread(&mut self, waiting: Waiting) {
        self.thread = waiting.thread;
        self.thread_floor = waiting.floor;
    }

    /// Whether somebody waits for the end of the thread that runs.
    pub fn is_second_thread(&self) -> bool {
        self.thread_floor > 0
    }

    /// The first argument, after the receiver, of the calls of methods called `name` that the thread is in, the innermost
    /// first, with the class of the method. It is still there if the method does not assign to it.
    pub fn first_arguments(&self, name: &str) -> impl Iterator<Item = (&str, Word)> {
        self.frames[self.thread_floor..].iter().rev().filter_map(move |frame| {
            let method = self.program.method(frame.method);
            let is_it = self.program.text(method.name) == name && !method.is_static();
            is_it.then(|| (self.program.class_name(method.class), self.stack.get(frame.base as usize + 1)))
        })
    }
}
