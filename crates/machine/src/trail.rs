//! Going back: checkpoints, and the log of everything that must be undone to return to one.
//!
//! Nothing is logged while no checkpoint is open. Heap words above the cursor of the last checkpoint did not exist
//! then and need no entry either. Below it, objects are made only where a collection found free words ([`crate::gc`]). Registers are not logged one by one: the top frame is saved with the checkpoint,
//! and a frame below it the first time it is returned to, together with some frames below that one: a program that
//! leaves one frame soon leaves the next, and saving a few at once costs little more than saving one.
//!
//! Only the heap, the frames and the plain state of the JVM are logged here. The other parts have logs of their own
//! ([`Undo`]): of them a checkpoint keeps a mark.

use program::ClassId;

use crate::cover::Coverage;
use crate::frame::Frame;
use crate::machine::Machine;
use crate::pending::Pending;
use crate::raw::RawMemory;
use crate::symbolic::Symbolic;
use crate::undo::Undo;
use crate::value::{Ref, Word};

/// One thing to undo.
#[derive(Debug)]
pub(crate) enum Entry {
    Heap {
        at: u32,
        old: Word,
    },
    /// The same for neighbouring words.
    HeapWords {
        at: u32,
        old: Box<[Word]>,
    },
    ClassState {
        class: ClassId,
        old: crate::machine::InitState,
    },
    /// Frames that went on executing, `count` from number `index` on: the last in [`Trail::frames`] when this is
    /// undone. Their registers are one piece of [`Trail::registers`].
    Frames {
        index: u32,
        count: u32,
        registers: usize,
    },
    Interned(Box<[u16]>),
    MonitorEntered,
    MonitorLeft {
        at: usize,
        object: Ref,
    },
    ArrayHash(Ref),
    /// What it was about is no more.
    Void,
}

/// Frames saved at once, at most,
const BATCH_FRAMES: usize = 8;
/// if they have no more than this many registers together. One frame is saved however large it is.
const BATCH_WORDS: u32 = 64;
/// Fewer neighbouring words than this are logged one by one.
const FEW_WORDS: u32 = 8;

/// An open checkpoint.
#[derive(Debug)]
pub(crate) struct Mark {
    entries: usize,
    pub(crate) heap_top: u32,
    frames: usize,
    /// The top frame, and where its registers are in [`Trail::registers`].
    top: Option<(Frame, usize)>,
    /// Length of [`Trail::registers`] with those of the top frame.
    registers: usize,
    protected: usize,
    log_below: u32,
    hash_seed: u32,
    processors: u32,
    output: [usize; 2],
    input: usize,
    clock: u64,
    hidden_number: u32,
    touched: crate::outside::Touched,
    raw: <RawMemory as Undo>::Mark,
    pending: <Pending as Undo>::Mark,
    coverage: <Coverage as Undo>::Mark,
    symbolic: <Symbolic as Undo>::Mark,
}

impl Mark {
    /// Whether the plain state is another than it was.
    pub(crate) fn differs(&self, m: &Machine) -> bool {
        let output = [m.output[0].len(), m.output[1].len()];
        (self.hash_seed, self.output, self.input, self.clock, self.hidden_number)
            != (m.hash_seed, output, m.input_position, m.clock, m.hidden_number)
            || self.touched != m.touched.get()
    }

    pub(crate) fn coverage(&self) -> <Coverage as Undo>::Mark {
        self.coverage
    }
}

/// Names an open checkpoint; checkpoints are closed in the reverse order of opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkpoint(usize);

#[derive(Default)]
pub(crate) struct Trail {
    pub(crate) entries: Vec<Entry>,
    pub(crate) marks: Vec<Mark>,
    /// Saved registers, one frame after the other.
    pub(crate) registers: Vec<Word>,
    /// Saved frames.
    frames: Vec<Frame>,
}

impl Trail {
    pub(crate) fn mark(&self, checkpoint: Checkpoint) -> &Mark {
        &self.marks[checkpoint.0]
    }

    pub(crate) fn entries_since(&self, mark: &Mark) -> &[Entry] {
        &self.entries[mark.entries..]
    }

    /// Keeps a copy of registers; where.
    fn save(&mut self, words: &[Word]) -> usize {
        let saved = self.registers.len();
        self.registers.extend_from_slice(words);
        saved
    }

    fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.registers.shrink_to_fit();
        self.frames.shrink_to_fit();
    }

    /// Keeps a copy of frames whose registers are already kept.
    fn save_frames(&mut self, index: usize, frames: &[Frame], registers: usize) {
        self.entries.push(Entry::Frames { index: index as u32, count: frames.len() as u32, registers });
        self.frames.extend_from_slice(frames);
    }
}

impl Machine {
    /// Opens a checkpoint: everything from here on can be taken back.
    pub fn checkpoint(&mut self) -> Checkpoint {
        self.heap.go_fresh();
        let trail = &mut self.trail;
        let top = self
            .frames
            .last()
            .map(|frame| (*frame, trail.save(self.stack.slice(frame.base, frame.registers))));
        self.trail.marks.push(Mark {
            entries: self.trail.entries.len(),
            heap_top: self.heap.top,
            frames: self.frames.len(),
            top,
            registers: self.trail.registers.len(),
            protected: self.protected,
            log_below: self.log_below,
            hash_seed: self.hash_seed,
            processors: self.processors,
            output: [self.output[0].len(), self.output[1].len()],
            input: self.input_position,
            clock: self.clock,
            hidden_number: self.hidden_number,
            touched: self.touched.get(),
            raw: self.raw.mark(),
            pending: self.pending.mark(),
            coverage: self.coverage.mark(),
            symbolic: self.symbolic.mark(),
        });
        self.log_below = self.heap.top;
        self.protected = self.frames.len().saturating_sub(1);
        Checkpoint(self.trail.marks.len() - 1)
    }

    /// Returns to the state at `checkpoint`, which stays open; later ones are closed.
    pub fn rollback(&mut self, checkpoint: Checkpoint) {
        assert!(checkpoint.0 < self.trail.marks.len(), "the checkpoint was closed");
        self.trail.marks.truncate(checkpoint.0 + 1);
        let first = self.trail.marks[checkpoint.0].entries;
        while self.trail.entries.len() > first {
            let entry = self.trail.entries.pop().expect("longer than the mark");
            self.undo(entry);
        }
        let mark = &self.trail.marks[checkpoint.0];
        self.raw.undo_to(&mark.raw);
        self.pending.undo_to(&mark.pending);
        self.coverage.undo_to(&mark.coverage);
        self.symbolic.undo_to(&mark.symbolic);
        self.hidden_number = mark.hidden_number;
        self.touched.set(mark.touched);
        self.heap.reset_to(mark.heap_top);
        self.frames.truncate(mark.frames);
        if let Some((frame, saved)) = &mark.top {
            if self.frames.len() < mark.frames {
                self.frames.push(*frame);
            } else {
                self.frames[mark.frames - 1] = *frame;
            }
            self.stack.restore(frame.base, &self.trail.registers[*saved..][..frame.registers as usize]);
        }
        self.trail.registers.truncate(mark.registers);
        self.hash_seed = mark.hash_seed;
        self.processors = mark.processors;
        self.output[0].truncate(mark.output[0]);
        self.output[1].truncate(mark.output[1]);
        self.input_position = mark.input;
        self.clock = mark.clock;
        self.decision = None;
        self.log_below = mark.heap_top;
        self.protected = mark.frames.saturating_sub(1);
    }

    /// Closes the last checkpoint and keeps what happened since: it then belongs to the checkpoint before, if any.
    pub fn commit(&mut self, checkpoint: Checkpoint) {
        assert!(checkpoint.0 + 1 == self.trail.marks.len(), "checkpoints close in reverse order");
        let mark = self.trail.marks.pop().expect("checked above");
        if self.trail.marks.is_empty() {
            self.trail.entries.clear();
            self.trail.registers.clear();
            self.trail.frames.clear();
            self.raw.forget();
            self.pending.forget();
            self.coverage.forget();
            self.symbolic.forget();
            self.protected = 0;
        } else {
            // The frame that was saved with the mark is changed now, and the outer checkpoint must be able to
            // bring it back: it becomes an ordinary entry unless the outer one saved that frame itself.
            self.protected = self.protected.min(mark.protected);
            if let Some((frame, saved)) = mark.top
                && mark.frames <= mark.protected
            {
                self.trail.save_frames(mark.frames - 1, &[frame], saved);
            }
        }
        self.log_below = mark.log_below;
    }

    /// True while a checkpoint is open.
    pub fn has_checkpoint(&self) -> bool {
        !self.trail.marks.is_empty()
    }

    /// Gives back what was needed when there was more to undo.
    pub(crate) fn shrink_logs(&mut self) {
        self.trail.shrink();
        self.raw.shrink();
        self.pending.shrink();
        self.coverage.shrink();
        self.symbolic.shrink();
    }

    fn undo(&mut self, entry: Entry) {
        match entry {
            Entry::Heap { at, old } => self.heap.set_word(at, old),
            Entry::HeapWords { at, old } => {
                for (at, old) in (at..).zip(old) {
                    self.heap.set_word(at, old);
                }
            }
            Entry::ClassState { class, old } => self.classes[class.0 as usize].init = old,
            Entry::Frames { index, count, registers } => {
                let first = self.trail.frames.len() - count as usize;
                let saved = &self.trail.frames[first..];
                self.frames.truncate(index as usize);
                self.frames.extend_from_slice(saved);
                let words = words_of(saved);
                self.stack.restore(saved[0].base, &self.trail.registers[registers..][..words as usize]);
                self.trail.frames.truncate(first);
            }
            Entry::Interned(text) => {
                self.interned.remove(&text);
            }
            Entry::MonitorEntered => {
                self.monitors.pop();
            }
            Entry::MonitorLeft { at, object } => self.monitors.insert(at, object),
            Entry::ArrayHash(array) => {
                self.array_hashes.remove(&array);
            }
            Entry::Void => {}
        }
    }

    /// Remembers the word at `at`, which is about to change.
    #[cold]
    pub(crate) fn log_word(&mut self, at: u32) {
        let old = self.heap.word(at);
        self.trail.entries.push(Entry::Heap { at, old });
    }

    /// Remembers several words that are about to change.
    pub(crate) fn log_words(&mut self, at: u32, count: u32) {
        let end = (at + count).min(self.log_below);
        if end.saturating_sub(at) < FEW_WORDS {
            (at..end).for_each(|at| self.log_word(at));
            return;
        }
        let old = (at..end).map(|at| self.heap.word(at)).collect();
        self.trail.entries.push(Entry::HeapWords { at, old });
    }

    pub(crate) fn log(&mut self, entry: Entry) {
        if self.has_checkpoint() {
            self.trail.entries.push(entry);
        }
    }

    /// Saves the frame that is about to go on executing although it existed at the last checkpoint, and some below
    /// it.
    #[cold]
    pub(crate) fn save_frame(&mut self) {
        let last = self.frames.len() - 1;
        let mut first = last;
        while first > 0
            && last - first < BATCH_FRAMES - 1
            && words_of(&self.frames[first - 1..]) <= BATCH_WORDS
        {
            first -= 1;
        }
        let frames = &self.frames[first..];
        let saved = self.trail.save(self.stack.slice(frames[0].base, words_of(frames)));
        self.trail.save_frames(first, frames, saved);
        self.protected = first;
    }
}

/// Registers of neighbouring frames, which overlap.
fn words_of(frames: &[Frame]) -> u32 {
    match frames {
        [] => 0,
        [first, ..] => frames[frames.len() - 1].base + frames[frames.len() - 1].registers - first.base,
    }
}
