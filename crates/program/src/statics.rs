//! How near methods of a class are to static state, as far as their own code tells.

use crate::class::{ClassId, MethodId};
use crate::code::Op;
use crate::link::Program;
use crate::symbol::Symbol;

/// What a method does to static state; the nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Nearness {
    /// It writes a static field.
    Writes,
    /// It calls a method of its class that does.
    Leads,
    /// It reads one, and may change what that refers to.
    Reads,
    Nothing,
}

/// A method with what its code names.
struct Known {
    id: MethodId,
    name: (Symbol, Symbol),
    calls: Vec<(Symbol, Symbol)>,
    nearness: Nearness,
}

impl Program {
    /// The methods of a class, and how near to static state each is.
    pub fn nearness_to_statics(&mut self, class: ClassId) -> Vec<(MethodId, Nearness)> {
        let ids = self.class(class).methods.clone();
        let mut all: Vec<Known> = ids.into_iter().map(|id| self.looked_at(class, id)).collect();
        loop {
            let near = |known: &Known| known.nearness <= Nearness::Leads;
            let leading: Vec<_> = all.iter().filter(|known| near(known)).map(|known| known.name).collect();
            let mut is_changed = false;
            for known in all.iter_mut().filter(|known| known.nearness > Nearness::Leads) {
                if known.calls.iter().any(|called| leading.contains(called)) {
                    known.nearness = Nearness::Leads;
                    is_changed = true;
                }
            }
            if !is_changed {
                return all.into_iter().map(|known| (known.id, known.nearness)).collect();
            }
        }
    }

    fn looked_at(&mut self, class: ClassId, id: MethodId) -> Known {
        use Op::{GetStaticU, InvokeInterfaceU, InvokeSpecialU, InvokeStaticU, InvokeVirtualU, PutStaticU};
        let method = self.method(id);
        let name = (method.name, method.descriptor);
        let mut known = Known { id, name, calls: Vec::new(), nearness: Nearness::Nothing };
        let Ok(code) = self.translate(id) else { return known };
        for insn in &code.insns {
            match insn.op {
                PutStaticU => known.nearness = Nearness::Writes,
                GetStaticU => known.nearness = known.nearness.min(Nearness::Reads),
                InvokeInterfaceU | InvokeSpecialU | InvokeStaticU | InvokeVirtualU => {
                    if let Ok(named) = self.member_ref(class, insn.imm as u16) {
                        known.calls.push((named.name, named.descriptor));
                    }
                }
                _ => {}
            }
        }
        known
    }
}
