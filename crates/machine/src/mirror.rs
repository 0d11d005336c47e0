//! Class mirrors: the `java.lang.Class` object of each class, which holds its static fields too.
//!
//! A mirror is laid out as the instance words of `Class`, one word with the class's number, then the static fields.

use program::{ClassId, Shape, access};

use crate::machine::Machine;
use crate::value::{Ref, Word};

impl Machine {
    pub(crate) fn make_mirror(&mut self, id: ClassId) {
        let words = self.classes[self.known.class.0 as usize].words;
        let total = words + 1 + self.program.class(id).static_words;
        let Some(mirror) = self.heap.allocate_permanent(Word::from(self.known.class.0), total) else {
            panic!("permanent memory is exhausted: too many classes");
        };
        self.heap.set_word(mirror.0 + words, Word::from(id.0));
        let state = &mut self.classes[id.0 as usize];
        state.mirror = mirror;
        state.statics = mirror.0 + words + 1;
        let class = self.program.class(id);
        let visible = access::PUBLIC | access::FINAL | access::INTERFACE | access::ABSTRACT;
        let modifiers = class.flags & (visible | access::SYNTHETIC | access::ANNOTATION | access::ENUM);
        let raw = class.flags;
        match class.shape {
            Shape::Array { element, .. } => {
                let component = self.classes[element.0 as usize].mirror;
                self.set_if_present(mirror, "componentType", component.word());
            }
            Shape::Primitive(_) => self.set_if_present(mirror, "primitive", 1),
            Shape::Declared => {}
        }
        let modifiers = self.inner_modifiers(id).unwrap_or(modifiers);
        self.set_if_present(mirror, "modifiers", Word::from(modifiers));
        self.set_if_present(mirror, "classFileAccessFlags", Word::from(raw));
    }

    /// The flags of a nested class as its declaration wrote them, from the `InnerClasses` attribute.
    pub fn inner_modifiers(&self, id: ClassId) -> Option<u16> {
        let class = self.program.class(id);
        if let Shape::Array { element, .. } = class.shape {
            let visible = access::PUBLIC | access::PRIVATE | access::PROTECTED;
            return Some((self.inner_modifiers(element)? & visible) | access::FINAL | access::ABSTRACT);
        }
        let file = class.file.as_ref()?;
        let contents = file.attribute(&file.attributes, "InnerClasses")?;
        let mut r = program::classfile::Reader::new(contents);
        for _ in 0..r.u16().ok()? {
            let (inner, _outer, _name, flags) = (r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?);
            if inner == file.this_class
                || file.class_name(inner).is_ok_and(|n| *n == *self.program.text(class.name))
            {
                return Some(flags & !access::SUPER);
            }
        }
        None
    }

    fn set_if_present(&mut self, mirror: Ref, field: &str, word: Word) {
        if let Some(offset) = self.field_offset(self.known.class, field) {
            self.heap.set_word(mirror.0 + offset, word);
        }
    }

    /// The class a mirror stands for.
    pub fn mirrored(&self, mirror: Ref) -> ClassId {
        let words = self.classes[self.known.class.0 as usize].words;
        ClassId(self.get(mirror, words) as u32)
    }
}
