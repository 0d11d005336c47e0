//! A Z3 context with all that belongs to it: its expressions, and the solvers made in it.

use std::ffi::{CStr, CString};

use term::{Model, Sort, Term};

use crate::translate::Translator;
use crate::z3::*;

pub struct Engine {
    pub translator: Translator,
    /// Queries over bit-vectors, one after the other.
    incremental: Option<Solver>,
    /// The conjuncts on its stack, one level each.
    pub stack: Vec<Term>,
    /// One query for which a new solver is better.
    once: Option<Solver>,
}

// The handles belong to the translator's context and move with it.
unsafe impl Send for Engine {}

impl Engine {
    pub fn new() -> Engine {
        Engine { translator: Translator::new(), incremental: None, stack: Vec::new(), once: None }
    }

    pub fn context(&self) -> Context {
        self.translator.context
    }

    /// The incremental solver, which may spend so much on each query.
    pub fn incremental(&mut self, effort: u64) -> Solver {
        if let Some(solver) = self.incremental {
            return solver;
        }
        let context = self.context();
        let solver = unsafe { Z3_mk_solver_for_logic(context, symbol(context, "QF_BV")) };
        self.prepare(solver, effort);
        self.stack.clear();
        self.incremental = Some(solver);
        solver
    }

    /// A solver for one query by a tactic, in the place of the last such one.
    pub fn once(&mut self, tactic: &str, effort: u64) -> Solver {
        self.drop_once();
        let context = self.context();
        let solver = unsafe {
            let name = CString::new(tactic).expect("no zero byte");
            let tactic = Z3_mk_tactic(context, name.as_ptr());
            Z3_tactic_inc_ref(context, tactic);
            let solver = Z3_mk_solver_from_tactic(context, tactic);
            Z3_tactic_dec_ref(context, tactic);
            solver
        };
        self.prepare(solver, effort);
        self.once = Some(solver);
        solver
    }

    fn prepare(&self, solver: Solver, effort: u64) {
        let context = self.context();
        unsafe {
            Z3_solver_inc_ref(context, solver);
            let params = Z3_mk_params(context);
            Z3_params_inc_ref(context, params);
            let effort = u32::try_from(effort).unwrap_or(u32::MAX);
            Z3_params_set_uint(context, params, symbol(context, "rlimit"), effort);
            Z3_solver_set_params(context, solver, params);
            Z3_params_dec_ref(context, params);
        }
    }

    pub fn drop_incremental(&mut self) {
        if let Some(solver) = self.incremental.take() {
            unsafe { Z3_solver_dec_ref(self.context(), solver) };
        }
        self.stack.clear();
    }

    pub fn drop_once(&mut self) {
        if let Some(solver) = self.once.take() {
            unsafe { Z3_solver_dec_ref(self.context(), solver) };
        }
    }

    /// The values that a solver that answered yes gives these variables.
    pub fn model(&mut self, solver: Solver, variables: &[(u32, Sort)]) -> Result<Model, String> {
        let context = self.context();
        let mut model = Model::default();
        unsafe {
            let found = Z3_solver_get_model(context, solver);
            if found.is_null() {
                return Err(format!("the back end has no model: error {}", Z3_get_error_code(context)));
            }
            Z3_model_inc_ref(context, found);
            for &(variable, sort) in variables {
                let ast = self.translator.bits_of_variable(sort, variable);
                let mut value = std::ptr::null_mut();
                if !Z3_model_eval(context, found, ast, true, &mut value) {
                    continue;
                }
                let mut bits = 0;
                if sort == Sort::Bool {
                    bits = u64::from(Z3_get_bool_value(context, value) == TRUE);
                } else {
                    Z3_get_numeral_uint64(context, value, &mut bits);
                }
                model.set(variable, bits);
            }
            Z3_model_dec_ref(context, found);
        }
        Ok(model)
    }

    /// Why a solver did not answer.
    pub fn reason(&self, solver: Solver) -> String {
        unsafe {
            let reason = Z3_solver_get_reason_unknown(self.context(), solver);
            CStr::from_ptr(reason).to_string_lossy().into_owned()
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.drop_once();
        self.drop_incremental();
    }
}

fn symbol(context: Context, name: &str) -> Symbol {
    let name = CString::new(name).expect("no zero byte");
    unsafe { Z3_mk_string_symbol(context, name.as_ptr()) }
}
