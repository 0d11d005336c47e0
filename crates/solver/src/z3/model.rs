//! The values that make the assertions of a session true.

use super::context::Context;
use super::expression::Expression;
use super::raw;
use super::session::Session;

/// It borrows its context, so that nothing else is done there while it is read.
pub struct Model<'a> {
    context: &'a mut Context,
    raw: raw::Model,
}

impl Context {
    /// The model of a session whose last check said [`super::Verdict::Sat`].
    pub fn model(&mut self, session: Session) -> Result<Model<'_>, String> {
        // SAFETY: the session is open.
        let model = unsafe { raw::Z3_solver_get_model(self.raw, self.session(session)) };
        if model.is_null() {
            return Err(format!("the back end has no model: error {}", self.error()));
        }
        // SAFETY: Z3 has just made the model, and holds it until the next call. It is let go when the value is dropped.
        unsafe { raw::Z3_model_inc_ref(self.raw, model) };
        Ok(Model { context: self, raw: model })
    }
}

impl Model<'_> {
    /// The value of a boolean; some value if the assertions leave it open.
    pub fn truth(&mut self, of: Expression) -> Option<bool> {
        let value = self.value(of)?;
        // SAFETY: Z3 holds the value, which the last call made.
        Some(unsafe { raw::Z3_get_bool_value(self.context.raw, value) } == raw::TRUE)
    }

    /// The value of a bit-vector of at most 64 bits; zero if it has none that is a number.
    pub fn bits(&mut self, of: Expression) -> Option<u64> {
        let value = self.value(of)?;
        let mut bits = 0;
        // SAFETY: Z3 holds the value, which the last call made, and checks that it is a number.
        unsafe { raw::Z3_get_numeral_uint64(self.context.raw, value, &mut bits) };
        Some(bits)
    }

    /// A value for the next call: nobody holds it but Z3, which forgets it then.
    fn value(&mut self, of: Expression) -> Option<raw::Ast> {
        let mut value = std::ptr::null_mut();
        // SAFETY: model and expression are alive in the context. Z3 writes the value if it says that there is one.
        let is_there =
            unsafe { raw::Z3_model_eval(self.context.raw, self.raw, self.context.raw(of), true, &mut value) };
        (is_there && !value.is_null()).then_some(value)
    }
}

impl Drop for Model<'_> {
    fn drop(&mut self) {
        // SAFETY: it was held once, in a context that is alive because it is borrowed.
        unsafe { raw::Z3_model_dec_ref(self.context.raw, self.raw) };
    }
}
