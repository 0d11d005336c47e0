//! The checks behind implicit exceptions, and the slow halves of object and array instructions.

use program::{ClassId, Insn, Kind, MethodId, Op, Shape};

use crate::interp::ArrayKind;
use crate::machine::Machine;
use crate::native::{Raise, Value};
use crate::pending::Domain;
use crate::value::{Ref, Word, is_unknown, word_int};

impl Machine {
    /// A `NullPointerException` at the running instruction, with the message that explains it.
    #[cold]
    pub(crate) fn null_pointer(&mut self) -> Raise {
        match self.new_exception("java/lang/NullPointerException", None) {
            Ok(exception) => {
                // Says that the stack trace is the place of the fault, from which the message is worked out.
                // The field has another name since JDK 23.
                if !self.set_field(exception, "extendedMessageState", 1) {
                    self.set_field(exception, "numStackTracesFilledIn", 1);
                }
                Raise::Throw(exception)
            }
            Err(raise) => raise,
        }
    }

    #[cold]
    pub(crate) fn index_out_of_bounds(&mut self, index: i32, length: i32) -> Raise {
        let message = format!("Index {index} out of bounds for length {length}");
        self.raise("java/lang/ArrayIndexOutOfBoundsException", Some(&message))
    }

    /// An exception whose message would tell values that are unknown. Who reads the message ends the path.
    #[cold]
    pub fn raise_unexplained(&mut self, class: &str) -> Raise {
        match self.new_exception(class, None) {
            Ok(exception) => {
                let message = self.new_pending(
                    Domain::Opaque("the message of an exception about unknown values"),
                    Kind::Ref,
                );
                if let Value::One(word) = message {
                    self.put(exception, self.known.throwable_message, word);
                }
                Raise::Throw(exception)
            }
            Err(raise) => raise,
        }
    }

    #[cold]
    pub(crate) fn array_store(&mut self, stored: u32) -> Raise {
        let name = self.program.class_name(ClassId(stored)).replace('/', ".");
        self.raise("java/lang/ArrayStoreException", Some(&name))
    }

    #[cold]
    pub(crate) fn class_cast(&mut self, from: ClassId, to: ClassId) -> Raise {
        let message = self.class_cast_message(from, to);
        self.raise("java/lang/ClassCastException", Some(&message))
    }

    /// What HotSpot says: both names, and where the classes come from.
    pub fn class_cast_message(&self, from: ClassId, to: ClassId) -> String {
        let name = |id: ClassId| self.program.class_name(id).replace('/', ".");
        format!("class {} cannot be cast to class {} ({})", name(from), name(to), self.places_text(from, to))
    }

    /// Where two classes come from.
    pub(crate) fn places_text(&self, one: ClassId, other: ClassId) -> String {
        let name = |id: ClassId| self.program.class_name(id).replace('/', ".");
        let (a, b) = (name(one), name(other));
        let (x, y) = (self.module_text(one), self.module_text(other));
        if x == y { format!("{a} and {b} are in {x}") } else { format!("{a} is in {x}; {b} is in {y}") }
    }

    fn module_text(&self, id: ClassId) -> String {
        let mut base = id;
        while let Shape::Array { element, .. } = self.program.class(base).shape {
            base = element;
        }
        match &self.program.class(base).origin {
            program::Origin::Jdk { module } => format!("module {module} of loader 'bootstrap'"),
            program::Origin::User { .. } => "unnamed module of loader 'app'".to_string(),
        }
    }

    /// Whether an element of class `stored` may go into an array of class `array`.
    #[inline]
    pub(crate) fn fits_array(&self, array: u32, stored: u32) -> bool {
        let Shape::Array { element, .. } = self.program.class(ClassId(array)).shape else { return false };
        element.0 == stored || self.program.is_subtype(ClassId(stored), element)
    }

    #[inline(always)]
    pub(crate) fn array_class_fits(&self, class: u32, kind: ArrayKind) -> bool {
        self.classes.get(class as usize).is_some_and(|state| state.storage == Some(kind))
    }

    /// Whether a pending reference is certain to fit an array, so that storing it need not decide it.
    pub(crate) fn pending_fits(&self, array: Ref, value: Word) -> bool {
        match self.program.class(self.class_of(array)).shape {
            Shape::Array { element, .. } => self.pending_is(value, element),
            _ => false,
        }
    }

    /// An element access that the loop did not do: the array has pending elements, or is no such array at all.
    #[cold]
    pub(crate) fn shadowed_access(&mut self, insn: Insn, base: u32, kind: ArrayKind) -> Result<(), Raise> {
        let at = |register: u16| base as usize + register as usize;
        let store = matches!(
            insn.op,
            Op::BAStore | Op::CAStore | Op::SAStore | Op::LAStore | Op::IAStore | Op::AAStore
        );
        let (array, index) = if store { (insn.a, insn.b) } else { (insn.b, insn.c) };
        let array = Ref::from_word(self.stack.get(at(array)));
        let index = word_int(self.stack.get(at(index)));
        if !self.heap.is_shadowed(array)
            || self.classes[self.heap.class_index(array) as usize].storage != Some(kind)
        {
            return Err(self.type_confusion("an array"));
        }
        let wide = kind == ArrayKind::Wide;
        if store {
            let word = self.stack.get(at(insn.c));
            let tag = if wide { self.stack.get(at(insn.c) + 1) } else { word };
            if is_unknown(tag) {
                self.set_shadow(array, index, Some(tag));
            } else {
                self.set_shadow(array, index, None);
                self.set_array_word(array, index, word);
            }
            return Ok(());
        }
        match self.shadow(array, index) {
            Some(tag) if wide => {
                self.stack.set(at(insn.a), 0);
                self.stack.set(at(insn.a) + 1, tag);
            }
            Some(tag) => self.stack.set(at(insn.a), tag),
            None => {
                let word = self.array_word(array, index);
                self.stack.set(at(insn.a), word);
                if wide {
                    self.stack.set(at(insn.a) + 1, 0);
                }
            }
        }
        Ok(())
    }

    /// The receiver of a field instruction in untrusted code must have the field.
    #[cold]
    pub(crate) fn check_receiver(&mut self, class: u32, index: u16) -> Result<(), Raise> {
        if index == 0 {
            return Ok(());
        }
        let owner = self.field_owner(index)?;
        if self.program.is_subtype(ClassId(class), owner) {
            Ok(())
        } else {
            Err(self.type_confusion("a receiver"))
        }
    }

    /// The receiver of a direct call in untrusted code must be of the method's class.
    #[cold]
    pub(crate) fn check_direct(&mut self, class: u32, method: u32) -> Result<(), Raise> {
        let owner = self.program.method(MethodId(method)).class;
        if self.program.is_subtype(ClassId(class), owner) {
            Ok(())
        } else {
            Err(self.type_confusion("a receiver"))
        }
    }

    /// `multianewarray`: lengths lie in registers from `base` on.
    pub(crate) fn multi_array(&mut self, class: ClassId, base: u32, dims: u16) -> Result<Ref, Raise> {
        let length = |i| self.force(self.stack.get(base as usize + i as usize)).map(word_int);
        let lengths: Vec<i32> = (0..dims).map(length).collect::<Result<_, Raise>>()?;
        if let Some(negative) = lengths.iter().find(|length| **length < 0) {
            let text = negative.to_string();
            return Err(self.raise("java/lang/NegativeArraySizeException", Some(&text)));
        }
        self.before_allocation(1)?;
        self.nested_array(class, &lengths)
    }

    /// An array of arrays; lengths must not be negative.
    pub fn nested_array(&mut self, class: ClassId, lengths: &[i32]) -> Result<Ref, Raise> {
        let array = self.allocate_array(class, lengths[0])?;
        if let Some(rest) = lengths.get(1..).filter(|rest| !rest.is_empty())
            && let Shape::Array { element, .. } = self.program.class(class).shape
        {
            for i in 0..lengths[0] {
                let inner = self.nested_array(element, rest)?;
                self.set_element(array, i, inner);
            }
        }
        Ok(array)
    }

    pub(crate) fn storage_of(kind: Option<Kind>) -> Option<ArrayKind> {
        Some(match kind? {
            Kind::Boolean | Kind::Byte => ArrayKind::Byte,
            Kind::Char | Kind::Short => ArrayKind::Half,
            Kind::Int | Kind::Float => ArrayKind::Word,
            Kind::Long | Kind::Double => ArrayKind::Wide,
            _ => ArrayKind::Ref,
        })
    }
}
