//! Java strings: making, reading and interning them.

use program::classfile::decode_modified_utf8;
use program::{ClassId, Constant};

use crate::heap::array_words;
use crate::machine::Machine;
use crate::native::Raise;
use crate::trail::Entry;
use crate::value::{Ref, Word};

/// Bytes for each interned string that it takes to make the table of them twice as large.
const INTERNED_GROWTH: u64 = 64;

impl Machine {
    /// A new `String`.
    pub fn new_string(&mut self, text: &str) -> Result<Ref, Raise> {
        if text.is_ascii() {
            return self.new_string_coded(text.as_bytes(), 0);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_utf16(&units)
    }

    /// A new `String` of UTF-16 units, compressed to Latin-1 if possible.
    pub fn new_string_utf16(&mut self, units: &[u16]) -> Result<Ref, Raise> {
        let (bytes, coder) = encode(units);
        self.new_string_coded(&bytes, coder)
    }

    /// A new `String` of Latin-1 (coder 0) or UTF-16 (coder 1) bytes.
    pub fn new_string_coded(&mut self, bytes: &[u8], coder: u8) -> Result<Ref, Raise> {
        let value = self.new_bytes(bytes)?;
        let string = self.allocate(self.known.string)?;
        self.heap.set_word(string.0 + self.known.string_value, value.word());
        self.heap.set_word(string.0 + self.known.string_coder, Word::from(coder));
        Ok(string)
    }

    /// The bytes of a `String` and their coder.
    pub fn string_bytes(&self, string: Ref) -> (&[u8], u8) {
        let value = self.get_ref(string, self.known.string_value);
        if value.is_null() {
            return (&[], 0);
        }
        let coder = self.get(string, self.known.string_coder) as u8;
        (self.heap.bytes(value, self.heap.length(value) as usize), coder)
    }

    /// The UTF-16 units of a `String`.
    pub fn string_utf16(&self, string: Ref) -> Vec<u16> {
        let value = self.get_ref(string, self.known.string_value);
        if value.is_null() {
            return Vec::new();
        }
        let bytes = self.heap.bytes(value, self.heap.length(value) as usize);
        if self.get(string, self.known.string_coder) == 0 {
            bytes.iter().map(|b| u16::from(*b)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect()
        }
    }

    /// The text of a `String`; lone surrogates become U+FFFD.
    pub fn string(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.string_utf16(string))
    }

    /// The interned string of a `CONSTANT_String` entry. Literals live as long as the machine.
    pub fn literal(&mut self, class: ClassId, index: u16) -> Result<Ref, Raise> {
        if let Some(&known) = self.literals.get(&(class, index)) {
            return Ok(known);
        }
        let units = self.program.class(class).file.as_ref().and_then(|file| match file.constant(index) {
            Ok(Constant::String { utf8 }) => file.utf8_bytes(utf8).ok().map(decode_modified_utf8),
            _ => None,
        });
        let string = self.intern_permanent(&units.unwrap_or_default())?;
        // A literal may be interned as an object made under a checkpoint; then it is looked up again next time.
        if string.0 < self.heap.start {
            self.literals.insert((class, index), string);
        }
        Ok(string)
    }

    /// The interned string with these units, in permanent memory if it is new.
    pub fn intern_permanent(&mut self, units: &[u16]) -> Result<Ref, Raise> {
        if let Some(&known) = self.interned.get(units) {
            return Ok(known);
        }
        let (bytes, coder) = encode(units);
        let header = Word::from(self.known.byte_array.0) | (bytes.len() as u64) << 32;
        let words = array_words(0, bytes.len() as u32) as u32;
        let string_words = self.classes[self.known.string.0 as usize].words;
        let value = self.heap.allocate_permanent(header, words);
        let string = self.heap.allocate_permanent(Word::from(self.known.string.0), string_words);
        let (Some(value), Some(string)) = (value, string) else { return Err(self.out_of_memory()) };
        self.heap.bytes_mut(value, bytes.len()).copy_from_slice(&bytes);
        self.heap.set_word(string.0 + self.known.string_value, value.word());
        self.heap.set_word(string.0 + self.known.string_coder, Word::from(coder));
        self.interned.insert(units.into(), string);
        Ok(string)
    }

    /// `String.intern`.
    pub fn intern(&mut self, string: Ref) -> Result<Ref, Raise> {
        // Two bytes for each unit, and the same again to find it and to take it back.
        self.ensure_room(6 * self.string_bytes(string).0.len() as u64)?;
        let units = self.string_utf16(string);
        if let Some(&known) = self.interned.get(units.as_slice()) {
            return Ok(known);
        }
        if self.interned.len() == self.interned.capacity() {
            self.ensure_room(self.interned.capacity() as u64 * INTERNED_GROWTH)?;
        }
        self.log(Entry::Interned(units.clone().into()));
        self.interned.insert(units.into(), string);
        Ok(string)
    }
}

/// Latin-1 if every unit fits a byte, otherwise UTF-16 in the machine's byte order; with the coder that says so.
fn encode(units: &[u16]) -> (Vec<u8>, u8) {
    if units.iter().all(|unit| *unit < 256) {
        (units.iter().map(|unit| *unit as u8).collect(), 0)
    } else {
        (units.iter().flat_map(|unit| unit.to_ne_bytes()).collect(), 1)
    }
}
