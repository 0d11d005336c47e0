//! Where calls lead, as far as the class files of the program tell.

use rustc_hash::FxHashSet;

use crate::class::{ClassId, MethodId};
use crate::classfile::access;
use crate::code::Op;
use crate::link::Program;
use crate::symbol::Symbol;

/// Methods that are looked at.
const MOST: usize = 400;

/// Static state, by where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticState {
    /// What a field itself holds.
    Field(ClassId, Symbol),
    /// What is reached from the private static fields of a class: from others, everybody reaches it.
    Reached(ClassId),
}

impl Program {
    /// Whether running a method may change some static state: calls are followed through the classes of the program, to the
    /// methods that they name.
    pub fn may_change(&mut self, method: MethodId, state: &[StaticState]) -> bool {
        let mut seen = FxHashSet::from_iter([method]);
        let mut waiting = vec![method];
        while let Some(id) = waiting.pop() {
            let class = self.method(id).class;
            let Ok(code) = self.translate(id) else { continue };
            for insn in &code.insns {
                use Op::{
                    GetStaticU, InvokeInterfaceU, InvokeSpecialU, InvokeStaticU, InvokeVirtualU, PutStaticU,
                };
                let is_field = matches!(insn.op, PutStaticU | GetStaticU);
                let is_call =
                    matches!(insn.op, InvokeInterfaceU | InvokeSpecialU | InvokeStaticU | InvokeVirtualU);
                if !is_field && !is_call {
                    continue;
                }
                let Ok(named) = self.member_ref(class, insn.imm as u16) else { continue };
                let owner = self.text(named.class).to_string();
                let Ok(owner) = self.load(&owner) else { continue };
                if is_field && state.iter().any(|state| self.is_about(owner, named.name, insn.op, *state)) {
                    return true;
                }
                let called = is_call.then(|| self.find_method(owner, named.name, named.descriptor)).flatten();
                if let Some(called) = called
                    && !self.class(self.method(called).class).is_library()
                    && seen.len() < MOST
                    && seen.insert(called)
                {
                    waiting.push(called);
                }
            }
        }
        false
    }

    /// Whether an instruction at a static field is about some static state. What a field refers to may be changed by whoever
    /// reads the field.
    fn is_about(&self, class: ClassId, field: Symbol, op: Op, state: StaticState) -> bool {
        match state {
            StaticState::Field(owner, name) => {
                op == Op::PutStaticU && name == field && self.is_subtype(class, owner)
            }
            StaticState::Reached(owner) => {
                let found = self.field_named(owner, self.text(field));
                self.is_subtype(class, owner)
                    && found.is_some_and(|field| field.is_static() && field.flags & access::PRIVATE != 0)
            }
        }
    }
}
