//! A context: it owns what Z3 makes in it, and frees it.

use super::expression::Expression;
use super::interrupt::Interrupt;
use super::memory::bound_memory;
use super::raw;
use super::session::Session;

pub struct Context {
    pub(super) raw: raw::Context,
    interrupt: Interrupt,
    /// All expressions that were made, each held once. They stay as long as the context.
    expressions: Vec<raw::Ast>,
    /// The sessions that are open, each held once.
    pub(super) sessions: Vec<(Session, raw::Solver)>,
    pub(super) sessions_opened: u32,
    exhausted: bool,
}

// SAFETY: Z3 does not mind which thread uses a context, as long as it is one at a time. That is so because every handle
// into it is in this value or borrows it, and because the pointers in it keep it from being shared.
unsafe impl Send for Context {}

impl Context {
    pub fn new() -> Context {
        bound_memory();
        // SAFETY: the configuration is freed once, after its last use, and the context is not used before it was seen to
        // be there.
        let raw = unsafe {
            let config = raw::Z3_mk_config();
            let raw = raw::Z3_mk_context_rc(config);
            raw::Z3_del_config(config);
            assert!(!raw.is_null(), "Z3 made no context");
            // Without a handler of its own Z3 ends the process when a call fails.
            raw::Z3_set_error_handler(raw, None);
            raw
        };
        // SAFETY: the context is freed where this value is dropped, which disarms the handle before.
        let interrupt = unsafe { Interrupt::new(raw) };
        let (expressions, sessions) = (Vec::new(), Vec::new());
        Context { raw, interrupt, expressions, sessions, sessions_opened: 0, exhausted: false }
    }

    /// How many expressions were made: what this context costs in memory.
    pub fn len(&self) -> usize {
        self.expressions.len()
    }

    /// Whether Z3 once had no memory to make something. Expressions made since then mean nothing.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The expression as Z3 knows it, alive as long as this context.
    pub(super) fn raw(&self, expression: Expression) -> raw::Ast {
        self.expressions[expression.0 as usize]
    }

    /// Holds what Z3 has just made: it forgets an expression that nobody holds when it makes the next one.
    ///
    /// # Safety
    ///
    /// `made` is the result of the last call with this context.
    pub(super) unsafe fn keep(&mut self, made: raw::Ast) -> Expression {
        if made.is_null() {
            self.note_failure();
            return Expression::MEANINGLESS;
        }
        // SAFETY: Z3 holds the result of the last call.
        unsafe { raw::Z3_inc_ref(self.raw, made) };
        let place = u32::try_from(self.expressions.len()).expect("memory ends before numbers do");
        self.expressions.push(made);
        Expression(place)
    }

    /// After a call that made nothing. Anything but memory as the cause is a mistake of the caller.
    pub(super) fn note_failure(&mut self) {
        let error = self.error();
        assert!(error == raw::OUT_OF_MEMORY, "Z3 refused a call with error {error}");
        self.exhausted = true;
    }

    /// What was wrong with the last call.
    pub(super) fn error(&self) -> u32 {
        // SAFETY: the context lives; it only reads.
        unsafe { raw::Z3_get_error_code(self.raw) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.interrupt.disarm();
        // SAFETY: each handle is from this context and was held once, so it is let go once. Nobody has any of them after
        // this, and the interrupt does not know the context any more.
        unsafe {
            for &(_, session) in &self.sessions {
                raw::Z3_solver_dec_ref(self.raw, session);
            }
            // What is still held when a context goes costs it a look at all expressions for each level of them.
            for &expression in &self.expressions {
                raw::Z3_dec_ref(self.raw, expression);
            }
            raw::Z3_del_context(self.raw);
        }
    }
}
