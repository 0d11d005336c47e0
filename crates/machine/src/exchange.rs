//! Other bodies for methods, to see what would become of a run.

use program::{Code, MethodId};

use crate::machine::{Callee, Machine};

impl Machine {
    /// Gives a method another body, and leaves the one that it had. Nothing may be running: frames point into bodies.
    pub fn exchange_body(&mut self, method: MethodId, body: &mut Option<Box<Code>>) {
        assert!(self.frames.is_empty(), "the body of a method is exchanged while something runs");
        self.callee(method);
        // Instructions that are to be as they were are those of the body that goes.
        self.see_statics_again();
        let null = std::ptr::null_mut();
        // What was found in front of the body is found again when it is called.
        self.callees[method.0 as usize] =
            Callee { code: null, registers: 0, native: None, symbolic: None, behind: null, witness: None };
        std::mem::swap(&mut self.program.methods[method.0 as usize].code, body);
    }
}
