//! What a part of the state needs in order to go back by itself: a mark, and a log of its changes.
//!
//! The [trail](crate::trail) keeps the heap, the frames and the plain state of the JVM. Every other part that changes
//! along a path implements [`Undo`] beside its own fields, and the trail knows no more of it than its marks. A part takes
//! back nothing but its own fields and looks at no other part while it does, so the order in which parts go back does not
//! matter.

/// A part of the state that takes its own changes back.
pub(crate) trait Undo {
    /// Where the part stood at a checkpoint.
    type Mark;

    /// Where the part stands. A checkpoint is open from now on, so changes are remembered.
    fn mark(&mut self) -> Self::Mark;

    /// Takes back what changed since the mark.
    fn undo_to(&mut self, mark: &Self::Mark);

    /// Forgets how to go back: no checkpoint is open any more.
    fn forget(&mut self);

    /// Gives back memory that was needed when there was more to undo.
    fn shrink(&mut self);
}

/// Changes in the order they were made. Without an open checkpoint nothing is kept.
pub(crate) struct Log<T> {
    changes: Vec<T>,
    open: bool,
}

impl<T> Default for Log<T> {
    fn default() -> Log<T> {
        Log { changes: Vec::new(), open: false }
    }
}

impl<T> Log<T> {
    /// How many changes there are. From now on they are kept.
    pub(crate) fn mark(&mut self) -> usize {
        self.open = true;
        self.changes.len()
    }

    /// Whether changes are kept: a change that is expensive to describe need not be described otherwise.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    pub(crate) fn changes(&self) -> &[T] {
        &self.changes
    }

    #[inline]
    pub(crate) fn push(&mut self, change: T) {
        if self.open {
            self.changes.push(change);
        }
    }

    /// The last change that is later than the mark; it is no longer in the log.
    #[inline]
    pub(crate) fn pop_after(&mut self, mark: usize) -> Option<T> {
        if self.changes.len() > mark { self.changes.pop() } else { None }
    }

    pub(crate) fn forget(&mut self) {
        self.changes.clear();
        self.open = false;
    }

    pub(crate) fn shrink(&mut self) {
        self.changes.shrink_to_fit();
    }
}
