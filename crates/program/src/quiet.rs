//! Static initializers without visible effects: they may as well run earlier.
//!
//! An initializer is quiet if it only makes constants, arrays and instances of its own class and puts them into fields
//! of its own class: what enums, tables of numbers and `assert` need. It calls only methods of its own class that are
//! quiet too, and a few of the library. It cannot choose, print, or see what other classes have done, and it
//! has no loop.

use rustc_hash::FxHashSet;

use crate::bytecode::{Body, is_branch};
use crate::class::{ClassId, MethodId};
use crate::classfile::{ClassFile, Constant};
use crate::link::Program;

/// Methods that call each other, which is recursion here.
const DEEPEST: usize = 64;

/// Methods of the library that a quiet initializer may call.
const HARMLESS: &[(&str, &str)] = &[
    ("java/lang/Object", "<init>"),
    ("java/lang/Enum", "<init>"),
    ("java/lang/Class", "desiredAssertionStatus"),
];

/// What is known while an initializer is looked at.
#[derive(Default)]
struct Calls {
    /// From the initializer to the method that is looked at.
    outer: Vec<MethodId>,
    /// Looked at once: else methods that each call the next one twice would take for ever.
    quiet: FxHashSet<MethodId>,
}

impl Program {
    /// True when nobody can tell when the class itself was initialized. Says nothing about its superclasses.
    pub fn has_quiet_initializer(&self, class: ClassId) -> bool {
        match self.class(class).initializer {
            Some(initializer) => self.is_quiet(class, initializer, &mut Calls::default()),
            None => true,
        }
    }

    fn is_quiet(&self, class: ClassId, method: MethodId, calls: &mut Calls) -> bool {
        if calls.quiet.contains(&method) {
            return true;
        }
        let Some(file) = &self.class(class).file else { return false };
        let Some(member) = file.methods.get(self.method(method).index as usize) else { return false };
        let Ok(Some(body)) = Body::of(file, &member.attributes) else { return false };
        // A method that calls itself may not come to an end.
        if calls.outer.contains(&method) || calls.outer.len() == DEEPEST || !body.handlers.is_empty() {
            return false;
        }
        calls.outer.push(method);
        let mut at = 0;
        while at < body.code.len() {
            let Some(length) = self.quiet_length(class, file, &body, at, calls) else { return false };
            at += length;
        }
        calls.outer.pop();
        calls.quiet.insert(method);
        true
    }

    /// The length of the instruction at `at` if it is quiet.
    fn quiet_length(
        &self,
        class: ClassId,
        file: &ClassFile,
        body: &Body,
        at: usize,
        calls: &mut Calls,
    ) -> Option<usize> {
        let own = self.class_name(class);
        let op = body.u8(at).ok()?;
        let operand = || body.u16(at + 1).ok();
        let is_quiet = match op {
            18 => is_plain(file, u16::from(body.u8(at + 1).ok()?)),
            19 | 20 => is_plain(file, operand()?),
            _ if is_branch(op) => body.branch(at).ok()? > at,
            0..=152 | 172..=177 | 188 | 190 => true,
            178..=181 => member(file, operand()?)?.0 == own,
            182..=184 => {
                let (owner, name, descriptor) = member(file, operand()?)?;
                HARMLESS.contains(&(&*owner, &*name))
                    || owner == own && op != 182 && {
                        let called = self.method_declared(class, &name, &descriptor)?;
                        self.is_quiet(class, called, calls)
                    }
            }
            187 | 189 => {
                let made = file.class_name(operand()?).ok()?;
                *made == *own || op == 189 && (*made == *"java/lang/Object" || *made == *"java/lang/String")
            }
            _ => false,
        };
        if is_quiet { body.length(at).ok() } else { None }
    }

    fn method_declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let key = (self.symbols.find(name)?, self.symbols.find(descriptor)?);
        self.class(class).method_index.get(&key).copied()
    }
}

/// A constant that loading makes no class come to life for.
fn is_plain(file: &ClassFile, index: u16) -> bool {
    use Constant::{Class, Double, Float, Integer, Long, String};
    let constant = file.constant(index);
    matches!(constant, Ok(Integer(_) | Float(_) | Long(_) | Double(_) | String { .. } | Class { .. }))
}

/// Owner, name and descriptor of a field or method.
fn member(file: &ClassFile, index: u16) -> Option<(String, String, String)> {
    let (Constant::Field { class, name_and_type } | Constant::Method { class, name_and_type }) =
        file.constant(index).ok()?
    else {
        return None;
    };
    let (name, descriptor) = file.name_and_type(name_and_type).ok()?;
    Some((file.class_name(class).ok()?.into_owned(), name.into_owned(), descriptor.into_owned()))
}
