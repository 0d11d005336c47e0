//! Static fields that say how a JVM was started, or what somebody set in the library: whether assertions are enabled,
//! defaults of connections, providers and the like.

use program::{Field, Insn, access};

use crate::machine::Machine;
use crate::supposed::{Supposition, World};

/// The field that compilers keep in a class with assertions.
const ASSERTIONS: &str = "$assertionsDisabled";

/// Parts of the library with defaults that anybody can set.
const SETTABLE: &[&str] =
    &["java/net/", "java/util/logging/", "java/beans/", "java/security/", "java/awt/", "java/sql/", "javax/"];

impl Machine {
    /// A static field is about to be read by an instruction that is resolved now.
    pub(crate) fn suppose_set(&mut self, insn: Insn, field: &Field) {
        if !self.symbolic.is_on() {
            return;
        }
        let what = if self.is_about_assertions(field) {
            Supposition::Assertions
        } else if !self.is_starting_library() && self.is_settable(field) {
            Supposition::World(World::Library)
        } else {
            return;
        };
        self.suppose(what);
        self.keep_unresolved(insn);
    }

    fn is_about_assertions(&self, field: &Field) -> bool {
        field.flags & access::SYNTHETIC != 0
            && self.program.text(field.name) == ASSERTIONS
            && !self.program.class(field.class).is_library()
    }

    /// Whether a field of the library is of a class with static methods that set something. Others change their fields
    /// only to keep what they worked out.
    fn is_settable(&self, field: &Field) -> bool {
        let class = self.program.class(field.class);
        let name = self.program.class_name(field.class);
        let is_setter = |method: &program::MethodId| {
            let method = self.program.method(*method);
            let is_open = method.flags & access::STATIC != 0 && method.flags & access::PUBLIC != 0;
            is_open && self.program.text(method.name).starts_with("set")
        };
        field.flags & access::FINAL == 0
            && class.is_library()
            && SETTABLE.iter().any(|begin| name.starts_with(begin))
            && class.methods.iter().any(is_setter)
    }

    /// The program asks whether assertions are enabled, and not the code with which compilers keep the answer: who reads
    /// that is seen then.
    pub fn suppose_assertions_if_asked(&self) {
        let Some(place) = self.current_place().filter(|_| self.is_program_asking()) else { return };
        let code = self.program.method(place.method).code.as_ref();
        let bci = code.and_then(|code| code.bci.get(place.index as usize));
        if bci.is_none_or(|bci| !self.program.assertions_asked(place.method).contains(bci)) {
            self.suppose(Supposition::Assertions);
        }
    }
}
