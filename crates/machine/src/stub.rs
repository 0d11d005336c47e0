//! Stubs: small synthetic methods that call others, so that natives need not recurse in Rust.

use program::synthetic::SyntheticMethod;
use program::{ClassId, Code, Insn, MethodId, Op, access};

use crate::machine::{Machine, Site};

impl Machine {
    /// The instruction that calls `method` with its arguments from register `first` on, selecting by the receiver's
    /// class where Java would.
    pub fn call_insn(&mut self, method: MethodId, first: u16) -> Insn {
        self.callee(method);
        let target = self.program.method(method);
        let owner = self.program.class(target.class);
        let initializer = self.program.text(target.name) == "<init>";
        let is_final = (target.flags | owner.flags) & access::FINAL != 0 && !owner.is_interface();
        if target.is_static() {
            // A rollback may take the initialization back, so it is checked each time.
            let class = target.class;
            return Insn { ext: class.0, ..Insn::imm(Op::InvokeStaticI, first, 0, method.0) };
        }
        if initializer || target.is_private() || is_final {
            return Insn::imm(Op::InvokeDirect, first, 0, method.0);
        }
        let op = if owner.is_interface() { Op::InvokeInterface } else { Op::InvokeVirtual };
        let site = self.sites.len() as u32;
        self.sites.push(Site { method, class: 0, target: method });
        Insn::imm(op, first, 0, site)
    }

    /// Adds a static stub that stack traces show as a native method of `class`.
    pub fn add_native_stub(&mut self, class: ClassId, name: &str, descriptor: &str, code: Code) -> MethodId {
        let spec = SyntheticMethod {
            name: name.into(),
            descriptor: descriptor.into(),
            flags: access::STATIC | access::NATIVE,
            code: Some(code),
        };
        let id = self.program.add_stub(class, spec);
        self.program.methods[id.0 as usize].hidden = false;
        self.callee(id);
        id
    }
}
