//! Code that an unknown object needs run before the program uses it: what fills it, and what has to hold for it.
//!
//! It is asked for while an instruction is executed, and entered when the instruction has done all it can; afterwards the
//! instruction is executed again.

use program::synthetic::SyntheticMethod;
use program::{MethodId, access};

use crate::frame::FrameKind;
use crate::machine::Machine;
use crate::native::{Args, Native, Raise, Return};
use crate::outcome::Stop;
use crate::value::Word;

/// A call of a static method that gives nothing.
#[derive(Clone, Debug)]
pub(crate) struct Detour {
    method: MethodId,
    arguments: Vec<Word>,
}

impl Machine {
    /// Asks for a call before the instruction that is executed now can be executed again.
    pub fn ask_detour(&mut self, method: MethodId, arguments: Vec<Word>) {
        self.symbolic.detours.push(Detour { method, arguments });
    }

    /// Enters what was asked for, the first on top. Before there is an instruction to execute again, it waits.
    pub fn take_detours(&mut self) -> Result<(), Raise> {
        if self.symbolic.detours.is_empty() || self.frames.is_empty() {
            return Ok(());
        }
        for detour in std::mem::take(&mut self.symbolic.detours).into_iter().rev() {
            let base = self.free_base();
            for (index, word) in detour.arguments.iter().enumerate() {
                self.stack.set(base as usize + index, *word);
            }
            self.invoke(detour.method, base, FrameKind::Detour)?;
        }
        Err(Raise::Retry)
    }

    /// The same as `on_detour`, for others.
    pub fn is_on_detour(&self) -> bool {
        self.on_detour()
    }

    /// Whether the code that runs is not the program's own doing.
    pub(crate) fn on_detour(&self) -> bool {
        self.frames.iter().any(|frame| frame.kind == FrameKind::Detour)
    }

    /// A static method without parameters that ends the path as one of inputs that do not count.
    pub fn reject_stub(&mut self) -> MethodId {
        match self.symbolic.world.reject {
            Some(stub) => stub,
            None => {
                let stub = self.native_stub("<reject>", "()V", |_, _| Err(Raise::Stop(Stop::Rejected)));
                self.symbolic.world.reject = Some(stub);
                stub
            }
        }
    }

    /// A static method without parameters that ends the path at a bound.
    pub fn bound_stub(&mut self, what: &str) -> MethodId {
        fn bound(m: &mut Machine, a: Args) -> Return {
            Err(Raise::Stop(Stop::Bound(m.program.text(m.program.method(a.method).name).to_string())))
        }
        self.native_stub(what, "()V", bound)
    }

    /// A static method that is done by a native, for code made by hand. It has to take unknown values.
    pub fn native_stub(&mut self, name: &str, descriptor: &str, native: Native) -> MethodId {
        let spec = SyntheticMethod {
            name: name.into(),
            descriptor: descriptor.into(),
            flags: access::STATIC | access::NATIVE,
            code: None,
        };
        let stub = self.program.add_stub(self.known.object, spec);
        self.callee(stub);
        self.callees[stub.0 as usize].symbolic = Some(native);
        self.callees[stub.0 as usize].native = Some(native);
        stub
    }
}
