//! Reading and writing fields and elements by hand: for natives and for whoever looks into a machine.

use program::{ClassId, Kind};

use crate::heap::element_shift;
use crate::machine::Machine;
use crate::native::Raise;
use crate::value::{Ref, Word, is_unknown};

/// Bytes that an element takes which is pending in the side table: there, in the trail, and while the table grows.
const SHADOW: u64 = 192;

/// Bytes that are copied in the time of an instruction or so.
const BYTES_PER_STEP: usize = 256;

impl Machine {
    /// Reads a word of an object.
    #[inline]
    pub fn get(&self, object: Ref, offset: u32) -> Word {
        self.heap.word(object.0 + offset)
    }

    /// Writes a word of an object, logging the old one if a checkpoint needs it.
    #[inline]
    pub fn put(&mut self, object: Ref, offset: u32, word: Word) {
        self.put_at(object.0 + offset, word);
    }

    /// Writes a heap word by absolute index.
    #[inline]
    pub fn put_at(&mut self, at: u32, word: Word) {
        if at < self.log_below {
            self.log_word(at);
        }
        self.heap.set_word(at, word);
    }

    pub fn get_ref(&self, object: Ref, offset: u32) -> Ref {
        Ref::from_word(self.known_word(self.get(object, offset)))
    }

    /// A word that has to be known. If it is not, whoever reads it should have had it decided: the path is given up.
    #[inline]
    fn known_word(&self, word: Word) -> Word {
        if is_unknown(word) {
            self.misread.set(true);
        }
        word
    }

    /// The offset of a field known by name, searched from `class` upward.
    pub fn field_offset(&self, class: ClassId, name: &str) -> Option<u32> {
        let field = self.program.field_named(class, name)?;
        (!field.is_static()).then_some(field.offset)
    }

    /// The words of an object that is no array, with the static fields behind a mirror.
    pub fn words_of(&self, object: Ref) -> u32 {
        let class = self.class_of(object);
        let words = self.classes[class.0 as usize].words;
        match class == self.known.class {
            true => words + 1 + self.program.class(self.mirrored(object)).static_words,
            false => words,
        }
    }

    /// The kind of the field at a word of an object, or of a class's static field at a word behind its mirror.
    pub fn kind_at(&self, object: Ref, offset: u32) -> Option<Kind> {
        let class = self.class_of(object);
        let display = &self.program.class(class).display;
        let fields = display.iter().flat_map(|class| &self.program.class(*class).fields);
        let own = fields.filter(|field| !field.is_static()).find(|field| field.offset == offset);
        if own.is_some() || class != self.known.class {
            return own.map(|field| field.kind);
        }
        self.static_at(object, offset).map(|field| field.kind)
    }

    /// The static field behind a mirror.
    pub(crate) fn static_at(&self, mirror: Ref, offset: u32) -> Option<&program::Field> {
        let index = self.classes.iter().position(|state| state.mirror == mirror)?;
        let at = (mirror.0 + offset).checked_sub(self.classes[index].statics)?;
        let fields = self.program.class(ClassId(index as u32)).fields.iter();
        fields.filter(|field| field.is_static()).find(|field| field.offset == at)
    }

    /// A field of an object by name: for natives that know the library's classes.
    pub fn field(&self, object: Ref, name: &str) -> Word {
        let offset = self.field_offset(self.class_of(object), name);
        self.get(
            object,
            offset.unwrap_or_else(|| panic!("{} has no field {name}", self.class_name_of(object))),
        )
    }

    /// A field of an object by name, decided if it is still open.
    pub fn decided_field(&mut self, object: Ref, name: &str) -> Result<Word, Raise> {
        let class = self.class_of(object);
        let field = self.program.field_named(class, name).filter(|field| !field.is_static());
        let field = field.map(|field| (field.offset, field.kind));
        let (offset, kind) =
            field.unwrap_or_else(|| panic!("{} has no field {name}", self.class_name_of(object)));
        self.decided(object, offset, kind)
    }

    /// The value of a field of some kind, decided if it is still open: a wide one is tagged in its second word.
    pub fn decided(&mut self, object: Ref, offset: u32, kind: Kind) -> Result<Word, Raise> {
        let tag = self.get(object, if kind.width() == 2 { offset + 1 } else { offset });
        if is_unknown(tag) { self.force(tag) } else { Ok(self.get(object, offset)) }
    }

    /// Sets a one-word field by name if the class has it; says whether it does.
    pub fn set_field(&mut self, object: Ref, name: &str, word: Word) -> bool {
        match self.field_offset(self.class_of(object), name) {
            Some(offset) => {
                self.put(object, offset, word);
                true
            }
            None => false,
        }
    }

    /// Absolute index and kind of a static field by name.
    pub fn static_field(&self, class: ClassId, name: &str) -> Option<u32> {
        let field = self.program.field_named(class, name)?;
        field.is_static().then(|| self.classes[field.class.0 as usize].statics + field.offset)
    }

    /// The name of an enum's constant, which may have a field `name` of its own; empty for other objects.
    pub fn constant_name(&self, object: Ref) -> String {
        let mut class = self.class_of(object);
        while let Some(parent) = self.program.class(class).super_class {
            if parent == self.known.object {
                break;
            }
            class = parent;
        }
        if self.program.class_name(class) != "java/lang/Enum" {
            return String::new();
        }
        let offset = self.field_offset(class, "name").expect("a JDK whose enums have names");
        self.string(Ref::from_word(self.get(object, offset)))
    }

    /// An element of a reference array.
    pub fn element(&self, array: Ref, index: i32) -> Ref {
        Ref::from_word(self.known_word(self.get(array, 1 + index as u32)))
    }

    pub fn set_element(&mut self, array: Ref, index: i32, value: Ref) {
        self.put(array, 1 + index as u32, value.word());
    }

    /// An element of any array as a raw word (sign or zero extended to 32 bits for the small kinds).
    pub fn array_word(&self, array: Ref, index: i32) -> Word {
        let kind = self.array_kind(array).unwrap_or(Kind::Ref);
        let bytes = self.heap.bytes(array, self.array_bytes(array));
        let i = index as usize;
        match kind {
            Kind::Boolean | Kind::Byte => Word::from(i32::from(bytes[i] as i8) as u32),
            Kind::Char => Word::from(u16::from_ne_bytes([bytes[2 * i], bytes[2 * i + 1]])),
            Kind::Short => Word::from(i32::from(i16::from_ne_bytes([bytes[2 * i], bytes[2 * i + 1]])) as u32),
            _ => self.get(array, 1 + index as u32),
        }
    }

    /// Stores an element of any array.
    pub fn set_array_word(&mut self, array: Ref, index: i32, word: Word) {
        let kind = self.array_kind(array).unwrap_or(Kind::Ref);
        let i = index as usize;
        let shift = element_shift(kind);
        let at = array.0 + 1 + (index as u32 >> (3 - shift));
        if at < self.log_below {
            self.log_word(at);
        }
        let len = self.array_bytes(array);
        match kind {
            Kind::Boolean => self.heap.bytes_mut(array, len)[i] = word as u8 & 1,
            Kind::Byte => self.heap.bytes_mut(array, len)[i] = word as u8,
            Kind::Char | Kind::Short => {
                self.heap.bytes_mut(array, len)[2 * i..2 * i + 2]
                    .copy_from_slice(&(word as u16).to_ne_bytes());
            }
            _ => self.heap.set_word(at, word),
        }
    }

    /// Elements of a small-integer array about to be overwritten as bytes: logs them and gives them out.
    pub fn array_bytes_mut(&mut self, array: Ref) -> &mut [u8] {
        let len = self.array_bytes(array);
        if array.0 < self.log_below {
            self.log_words(array.0 + 1, len.div_ceil(8) as u32);
        }
        self.heap.bytes_mut(array, len)
    }

    /// Copies elements between arrays of one kind; ranges must be checked. Overlap is fine.
    pub fn copy_elements(
        &mut self,
        source: Ref,
        from: i32,
        target: Ref,
        to: i32,
        count: i32,
    ) -> Result<(), Raise> {
        if self.heap.is_shadowed(source) || self.heap.is_shadowed(target) {
            self.ensure_room(count as u64 * SHADOW)?;
            let pending: Vec<Option<Word>> = (0..count).map(|i| self.shadow(source, from + i)).collect();
            for (i, word) in (0..count).zip(pending) {
                self.set_shadow(target, to + i, word);
            }
        }
        let shift = u32::from(self.classes[self.heap.class_index(source) as usize].shift);
        let bytes = (count as usize) << shift;
        // Whoever counts steps wants to know when it has been long.
        self.steps += (bytes / BYTES_PER_STEP) as u64;
        let (from, to) = ((from as usize) << shift, (to as usize) << shift);
        if target.0 < self.log_below {
            self.ensure_room(bytes as u64)?;
            let first = target.0 + 1 + (to / 8) as u32;
            let last = target.0 + 1 + ((to + bytes).div_ceil(8)) as u32;
            self.log_words(first, last - first);
        }
        self.heap.copy(source, from, target, to, bytes);
        Ok(())
    }

    /// Up to eight bytes at a byte index of the heap, little end first.
    pub fn heap_bytes(&self, at: usize, size: usize) -> u64 {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.heap.bytes(Ref((at / 8) as u32 - 1), 16)[at % 8..at % 8 + size]);
        u64::from_ne_bytes(word)
    }

    /// Writes up to eight bytes at a byte index of the heap.
    pub fn set_heap_bytes(&mut self, at: usize, size: usize, value: u64) {
        self.log_words((at / 8) as u32, 2);
        let bytes = self.heap.bytes_mut(Ref((at / 8) as u32 - 1), 16);
        bytes[at % 8..at % 8 + size].copy_from_slice(&value.to_ne_bytes()[..size]);
    }
}
