//! Frames and the register stack.
//!
//! A callee's first registers are the caller's registers that hold the arguments: calling copies nothing, and the
//! result is left where the first argument was.

use program::{Insn, MethodId};

use crate::value::Word;

/// What happens when a frame is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    Normal,
    /// Runs the static initializer of class `aux`; the instruction below is executed again afterwards.
    Initializer,
    /// The same before its first instruction, while the initializers of superclasses run above it.
    Waiting,
    /// The bottom of a [`crate::Machine::run`].
    Root,
    /// A call made on the way of an instruction that is executed again afterwards.
    Detour,
}

/// One activation.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Next instruction, or the current one while it is being executed.
    pub(crate) pc: *mut Insn,
    pub(crate) code: *mut Insn,
    pub method: MethodId,
    pub(crate) base: u32,
    pub(crate) registers: u32,
    pub kind: FrameKind,
    pub(crate) aux: u32,
}

impl Frame {
    /// Index of the instruction `pc` points to.
    pub fn index(&self) -> usize {
        // SAFETY: both point into the same instruction array.
        usize::try_from(unsafe { self.pc.offset_from(self.code) }).unwrap_or(0)
    }
}

/// Room for this many registers in all frames together.
const STACK_WORDS: usize = 8 << 20;

/// The registers of all frames.
pub struct Stack {
    base: *mut Word,
}

impl Stack {
    pub fn new() -> Stack {
        // SAFETY: an anonymous private mapping has no preconditions; failure is checked.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                STACK_WORDS * 8,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert!(base != libc::MAP_FAILED, "cannot reserve address space for the stack");
        Stack { base: base.cast() }
    }

    /// True when a frame of `registers` registers fits at `base`.
    #[inline(always)]
    pub fn fits(&self, base: u32, registers: u32) -> bool {
        // A margin of 512 words lets natives and stubs put arguments above the top frame.
        (base as usize + registers as usize) < STACK_WORDS - 512
    }

    #[inline(always)]
    pub(crate) fn at(&self, base: u32) -> *mut Word {
        // SAFETY: frames are only pushed when they fit.
        unsafe { self.base.add(base as usize) }
    }

    pub fn get(&self, at: usize) -> Word {
        assert!(at < STACK_WORDS);
        // SAFETY: checked above.
        unsafe { *self.base.add(at) }
    }

    pub fn set(&mut self, at: usize, word: Word) {
        assert!(at < STACK_WORDS);
        // SAFETY: checked above.
        unsafe { *self.base.add(at) = word }
    }

    /// `count` registers from `base`.
    pub fn slice(&self, base: u32, count: u32) -> &[Word] {
        assert!(base as usize + count as usize <= STACK_WORDS);
        // SAFETY: checked above.
        unsafe { std::slice::from_raw_parts(self.base.add(base as usize), count as usize) }
    }

    /// Puts saved registers back.
    pub fn restore(&mut self, base: u32, words: &[Word]) {
        assert!(base as usize + words.len() <= STACK_WORDS);
        // SAFETY: checked above.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), self.base.add(base as usize), words.len()) }
    }
}

impl Default for Stack {
    fn default() -> Self {
        Stack::new()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `new` with this size.
        unsafe { libc::munmap(self.base.cast(), STACK_WORDS * 8) };
    }
}
