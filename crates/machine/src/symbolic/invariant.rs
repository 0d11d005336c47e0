//! Methods annotated `@Invariant`: they hold for every input object, and are run when it is first looked at.

use program::synthetic::SyntheticMethod;
use program::{ClassId, Code, Handler, Insn, MethodId, Op, access};

use crate::machine::Machine;
use crate::value::Word;

const INVARIANTS: &str = "<invariants>";
const INVARIANT: &str = "shakedown/Invariant";

impl Machine {
    /// Lets the invariants of a class run for a value of it, if it has any; null has none.
    pub fn ask_invariants(&mut self, class: ClassId, value: Word) {
        let stub = match self.symbolic.world.invariants.get(&class) {
            Some(stub) => *stub,
            None => {
                let stub = self.invariant_stub(class);
                self.symbolic.world.invariants.insert(class, stub);
                stub
            }
        };
        if let Some(stub) = stub {
            self.ask_detour(stub, vec![value]);
        }
    }

    /// Whether it is the invariants of an object that are called now. They are those that were written down, whatever the
    /// class of the object.
    pub(super) fn is_asking_invariants(&self) -> bool {
        let running = self.frames.last().map(|frame| self.program.method(frame.method));
        running.is_some_and(|method| method.hidden && self.program.text(method.name) == INVARIANTS)
    }

    /// Whether an object was met whose class has invariants.
    pub fn has_invariants(&self) -> bool {
        self.symbolic.world.invariants.values().any(Option::is_some)
    }

    /// The methods that have to answer true for objects of a class.
    fn invariants(&self, class: ClassId) -> Vec<MethodId> {
        let mut found = Vec::new();
        let class = self.program.class(class);
        if class.is_library() || class.is_array() {
            return found;
        }
        for ancestor in class.display.iter().chain(&class.all_interfaces) {
            for id in &self.program.class(*ancestor).methods {
                let method = self.program.method(*id);
                let fits = self.program.text(method.descriptor) == "()Z" && !method.is_static();
                let annotations = if fits { self.program.annotations(*id) } else { Vec::new() };
                if annotations.iter().any(|annotation| annotation.class == INVARIANT) {
                    found.push(*id);
                }
            }
        }
        found
    }

    /// A static method that drops the path unless all invariants answer true for its argument.
    fn invariant_stub(&mut self, class: ClassId) -> Option<MethodId> {
        // The object, and a register in which calls find it and leave their answer.
        const OBJECT: u16 = 0;
        const ANSWER: u16 = 1;
        let invariants = self.invariants(class);
        if invariants.is_empty() {
            return None;
        }
        let end = 1 + 3 * invariants.len() as u32;
        let jump = |op: Op, register: u16, imm: u32| Insn { op, a: register, b: 0, c: 0, imm, ext: 0 };
        let mut insns = vec![jump(Op::JNull, OBJECT, end)];
        for method in invariants {
            insns.push(Insn::new(Op::Mov, ANSWER, OBJECT, 0));
            insns.push(self.call_insn(method, ANSWER));
            insns.push(jump(Op::JEqK, ANSWER, end + 1));
        }
        insns.push(Insn::new(Op::RetV, 0, 0, 0));
        let reject = self.reject_stub();
        insns.push(Insn::imm(Op::InvokeStatic, ANSWER, 0, reject.0));
        insns.push(Insn::new(Op::RetV, 0, 0, 0));
        // An invariant that fails to answer does not hold.
        let handler = Handler { start: 0, end, target: end + 1, class: 0 };
        let code = Code {
            bci: vec![0; insns.len()].into(),
            insns: insns.into(),
            locals: 1,
            registers: 8,
            handlers: Box::new([handler]),
            switches: Box::new([]),
        };
        let descriptor = format!("(L{};)V", self.program.class_name(class));
        let flags = access::STATIC;
        let spec = SyntheticMethod { name: INVARIANTS.into(), descriptor, flags, code: Some(code) };
        let stub = self.program.add_stub(class, spec);
        self.callee(stub);
        Some(stub)
    }
}
