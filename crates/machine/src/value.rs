//! Slots: how a value lies in a register, a field or an array element.
//!
//! A one-word value keeps its 32 bits in the low half; the high half is zero while the value is known. A wide value
//! (`long`, `double`) takes two words: its 64 bits, and a second word that is zero while the value is known. So a
//! value that is not known yet, whatever it is made of, can stand wherever a known one can and is copied by the same
//! instructions; only an instruction that needs the bits has to look.

/// A word of a register, field or element.
pub type Word = u64;

/// A reference: the index of an object's header word in the heap. Zero is `null`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Ref(pub u32);

impl Ref {
    pub const NULL: Ref = Ref(0);

    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    pub fn word(self) -> Word {
        Word::from(self.0)
    }

    /// The reference in a known word.
    pub fn from_word(word: Word) -> Ref {
        Ref(word as u32)
    }
}

/// The word of an `int`.
#[inline(always)]
pub fn int_word(value: i32) -> Word {
    Word::from(value as u32)
}

/// The `int` in a known word.
#[inline(always)]
pub fn word_int(word: Word) -> i32 {
    word as u32 as i32
}

/// The word of a `float`.
#[inline(always)]
pub fn float_word(value: f32) -> Word {
    Word::from(value.to_bits())
}

/// The `float` in a known word.
#[inline(always)]
pub fn word_float(word: Word) -> f32 {
    f32::from_bits(word as u32)
}

/// True when a one-word value is not known yet.
#[inline(always)]
pub fn is_unknown(word: Word) -> bool {
    word >> 32 != 0
}
