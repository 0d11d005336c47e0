//! Sessions, which Z3 calls solvers: a stack of assertions that can be checked.

use std::ffi::{CStr, CString};

use super::context::Context;
use super::expression::Expression;
use super::raw;

/// A session of one context, as long as it is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session(u32);

/// Whether the assertions of a session hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    Undecided,
}

impl Context {
    /// An incremental session for a logic, which may spend so much on each check. None when there is no memory for it.
    pub fn open_for_logic(&mut self, logic: &str, effort: u64) -> Option<Session> {
        let logic = self.symbol(logic);
        // SAFETY: the symbol is of this context.
        let session = unsafe { raw::Z3_mk_solver_for_logic(self.raw, logic) };
        self.open(session, effort)
    }

    /// A session that checks by a tactic, and may spend so much on it. None when there is no memory for it.
    pub fn open_by_tactic(&mut self, tactic: &str, effort: u64) -> Option<Session> {
        let name = CString::new(tactic).expect("no zero byte");
        // SAFETY: the name ends in zero. The tactic is held while it is used and then let go; the session holds it too.
        let session = unsafe {
            let tactic = raw::Z3_mk_tactic(self.raw, name.as_ptr());
            if tactic.is_null() {
                self.note_failure();
                return None;
            }
            raw::Z3_tactic_inc_ref(self.raw, tactic);
            let session = raw::Z3_mk_solver_from_tactic(self.raw, tactic);
            raw::Z3_tactic_dec_ref(self.raw, tactic);
            session
        };
        self.open(session, effort)
    }

    fn open(&mut self, session: raw::Solver, effort: u64) -> Option<Session> {
        if session.is_null() {
            self.note_failure();
            return None;
        }
        // SAFETY: Z3 has just made the session in this context. It is held from here until it is closed.
        unsafe { raw::Z3_solver_inc_ref(self.raw, session) };
        self.sessions_opened += 1;
        let name = Session(self.sessions_opened);
        self.sessions.push((name, session));
        self.bound(session, effort).then_some(name)
    }

    /// Bounds what each check of a session may spend. False when there is no memory for it.
    fn bound(&mut self, session: raw::Solver, effort: u64) -> bool {
        let effort = u32::try_from(effort).unwrap_or(u32::MAX);
        let name = self.symbol("rlimit");
        // SAFETY: the session is open. The parameters are held while they are used; the session copies them.
        unsafe {
            let params = raw::Z3_mk_params(self.raw);
            if params.is_null() {
                self.note_failure();
                return false;
            }
            raw::Z3_params_inc_ref(self.raw, params);
            raw::Z3_params_set_uint(self.raw, params, name, effort);
            raw::Z3_solver_set_params(self.raw, session, params);
            raw::Z3_params_dec_ref(self.raw, params);
        }
        true
    }

    pub fn close(&mut self, session: Session) {
        if let Some(place) = self.sessions.iter().position(|&(open, _)| open == session) {
            let (_, session) = self.sessions.swap_remove(place);
            // SAFETY: it was held once, and cannot be found any more.
            unsafe { raw::Z3_solver_dec_ref(self.raw, session) };
        }
    }

    pub fn push(&mut self, session: Session) {
        // SAFETY: the session is open.
        unsafe { raw::Z3_solver_push(self.raw, self.session(session)) };
    }

    /// Leaves so many levels.
    pub fn pop(&mut self, session: Session, levels: u32) {
        // SAFETY: the session is open. Z3 does nothing if it has not so many levels.
        unsafe { raw::Z3_solver_pop(self.raw, self.session(session), levels) };
    }

    pub fn assert(&mut self, session: Session, part: Expression) {
        if self.is_exhausted() {
            return;
        }
        // SAFETY: the session is open and the expression alive, both in this context. Z3 refuses what is no boolean.
        unsafe { raw::Z3_solver_assert(self.raw, self.session(session), self.raw(part)) };
    }

    pub fn check(&mut self, session: Session) -> Verdict {
        // SAFETY: the session is open.
        match unsafe { raw::Z3_solver_check(self.raw, self.session(session)) } {
            raw::TRUE => Verdict::Sat,
            raw::FALSE => Verdict::Unsat,
            _ => Verdict::Undecided,
        }
    }

    /// Why the last check decided nothing.
    pub fn reason(&self, session: Session) -> String {
        // SAFETY: the session is open. The string ends in zero, is empty where there is none, and is Z3's until the next
        // call; it is copied before.
        let reason =
            unsafe { CStr::from_ptr(raw::Z3_solver_get_reason_unknown(self.raw, self.session(session))) };
        reason.to_string_lossy().into_owned()
    }

    /// The session as Z3 knows it.
    pub(super) fn session(&self, session: Session) -> raw::Solver {
        let open = self.sessions.iter().find(|&&(open, _)| open == session);
        open.expect("the session is open").1
    }
}
