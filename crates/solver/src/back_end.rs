//! Z3: answers what no layer before it could.
//!
//! Queries over bit-vectors go to an incremental solver whose stack follows the conjuncts of the query: what the last
//! query began with too is not asserted again. Queries with floats go to a solver made for one query, because Z3's
//! incremental one handles floats badly, and so do queries about which of many places several variables name.

use std::ffi::{CStr, CString};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use term::{Evaluator, Model, Op, Sort, Term, Terms, fold};

use crate::Answer;
use crate::chain::{Desk, Query, Step};
use crate::translate::Translator;
use crate::watchdog::Watchdog;
use crate::z3::*;

/// How often a query with abstracted operations is refined before giving up.
const REFINEMENTS: u32 = 8;
/// Variables that name places, whose width no number has, from which on a query is about those.
const MANY_PLACES: usize = 8;
const PLACE: Sort = Sort::Bv(31);
/// When so many expressions were made, the context is thrown away: nothing else frees them.
const MOST_EXPRESSIONS: usize = 400_000;

pub const OUT_OF_TIME: &str = "out of time";
pub const OUT_OF_EFFORT: &str = "out of effort";

pub struct BackEnd {
    translator: Option<Translator>,
    incremental: Option<Solver>,
    /// The conjuncts on the incremental solver's stack, one level each.
    stack: Vec<Term>,
    effort: u64,
    timeout_ms: u32,
    pub deadline: Option<Instant>,
    watchdog: Option<Watchdog>,
    /// The context was interrupted, and is of no use any more.
    interrupted: bool,
    evaluator: Evaluator,
}

// Its handles belong to the translator's context and move with it.
unsafe impl Send for BackEnd {}

/// What a query talks about.
#[derive(Default)]
struct Contents {
    variables: Vec<(u32, Sort)>,
    remainders: Vec<Term>,
    floats: bool,
}

impl Contents {
    fn many_places(&self) -> bool {
        self.variables.iter().filter(|(_, sort)| *sort == PLACE).count() > MANY_PLACES
    }
}

enum Outcome {
    Sat(Model),
    Unsat,
    Unknown(String),
}

impl BackEnd {
    pub fn new(effort: u64, timeout_ms: u32) -> BackEnd {
        BackEnd {
            translator: None,
            incremental: None,
            stack: Vec::new(),
            effort,
            timeout_ms,
            deadline: None,
            watchdog: None,
            interrupted: false,
            evaluator: Evaluator::new(),
        }
    }

    /// Whether all `parts` hold together. A model has a value for every variable in them, and satisfies them.
    pub fn solve(&mut self, terms: &Terms, parts: &[Term]) -> Answer {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Answer::Unknown(OUT_OF_TIME.into());
        }
        let is_large = self.translator.as_ref().is_some_and(|translator| translator.len() > MOST_EXPRESSIONS);
        if is_large || self.interrupted {
            self.forget();
            self.interrupted = false;
        }
        if self.translator.is_none() {
            self.translator = Some(Translator::new());
        }
        let contents = Contents::of(terms, parts);
        if contents.floats || contents.many_places() {
            return self.solve_once(terms, parts, &contents);
        }
        let solver = self.incremental_solver();
        if !self.follow(terms, solver, parts) {
            return Answer::Unknown(OUT_OF_TIME.into());
        }
        match self.ask(solver, &contents) {
            Outcome::Sat(model) if self.satisfies(terms, parts, &model) => Answer::Sat(model),
            Outcome::Sat(_) => Answer::Unknown("the back end's model does not satisfy the query".into()),
            Outcome::Unsat => Answer::Unsat,
            Outcome::Unknown(reason) => {
                // What was learned up to here would make the next answer depend on this one's effort.
                self.drop_incremental();
                Answer::Unknown(reason)
            }
        }
    }

    fn translator(&mut self) -> &mut Translator {
        self.translator.as_mut().expect("made by `solve`")
    }

    fn context(&self) -> Context {
        self.translator.as_ref().expect("made by `solve`").context
    }

    fn incremental_solver(&mut self) -> Solver {
        if let Some(solver) = self.incremental {
            return solver;
        }
        let context = self.context();
        let solver = unsafe {
            let logic = symbol(context, "QF_BV");
            let solver = Z3_mk_solver_for_logic(context, logic);
            Z3_solver_inc_ref(context, solver);
            solver
        };
        self.limit(solver);
        self.stack.clear();
        self.incremental = Some(solver);
        solver
    }

    fn drop_incremental(&mut self) {
        if let Some(solver) = self.incremental.take() {
            unsafe { Z3_solver_dec_ref(self.context(), solver) };
        }
        self.stack.clear();
    }

    fn forget(&mut self) {
        self.drop_incremental();
        self.translator = None;
    }

    /// When a query that begins now has to end.
    fn until(&self) -> Instant {
        let until = Instant::now() + Duration::from_millis(u64::from(self.timeout_ms));
        self.deadline.map_or(until, |deadline| until.min(deadline))
    }

    /// Brings the incremental solver's stack to `parts`. That is where it makes bits of them, which can take longer than
    /// the query itself. False if it was interrupted.
    fn follow(&mut self, terms: &Terms, solver: Solver, parts: &[Term]) -> bool {
        let common = self.stack.iter().zip(parts).take_while(|(a, b)| a == b).count();
        let context = self.context();
        unsafe { Z3_solver_pop(context, solver, (self.stack.len() - common) as u32) };
        self.stack.truncate(common);
        for &part in &parts[common..] {
            let ast = self.translator().term(terms, part);
            let until = self.until();
            let watchdog = self.watchdog.get_or_insert_with(Watchdog::start);
            let ((), interrupted) = watchdog.guard(context, until, || unsafe {
                Z3_solver_push(context, solver);
                Z3_solver_assert(context, solver, ast);
            });
            if interrupted {
                self.interrupted = true;
                return false;
            }
            self.stack.push(part);
        }
        true
    }

    /// A query with floats: a solver of its own, refined where operations were abstracted.
    fn solve_once(&mut self, terms: &Terms, parts: &[Term], contents: &Contents) -> Answer {
        let context = self.context();
        let solver = unsafe {
            let name = CString::new("qffpbv").expect("no zero byte");
            let tactic = Z3_mk_tactic(context, name.as_ptr());
            Z3_tactic_inc_ref(context, tactic);
            let solver = Z3_mk_solver_from_tactic(context, tactic);
            Z3_solver_inc_ref(context, solver);
            Z3_tactic_dec_ref(context, tactic);
            solver
        };
        self.limit(solver);
        for &part in parts {
            let ast = self.translator().term(terms, part);
            unsafe { Z3_solver_assert(context, solver, ast) };
        }
        for &remainder in &contents.remainders {
            let facts = self.translator().remainder_facts(terms, remainder);
            unsafe { Z3_solver_assert(context, solver, facts) };
        }
        let answer = self.refine(terms, parts, contents, solver);
        unsafe { Z3_solver_dec_ref(context, solver) };
        answer
    }

    /// Asks; when the model fails because a remainder has another value than its variable, first takes the model's
    /// operands as given, then excludes the wrong value for these operands.
    fn refine(&mut self, terms: &Terms, parts: &[Term], contents: &Contents, solver: Solver) -> Answer {
        let context = self.context();
        for _ in 0..REFINEMENTS {
            let model = match self.ask(solver, contents) {
                Outcome::Sat(model) => model,
                Outcome::Unsat => return Answer::Unsat,
                Outcome::Unknown(reason) => return Answer::Unknown(reason),
            };
            if self.satisfies(terms, parts, &model) {
                return Answer::Sat(model);
            }
            if contents.remainders.is_empty() {
                break;
            }
            let mut given = Vec::new();
            let mut lemmas = Vec::new();
            for &remainder in &contents.remainders {
                let node = *terms.node(remainder);
                let (a, b) = (Term(node.args[0]), Term(node.args[1]));
                let (x, y) = (self.evaluator.eval(terms, &model, a), self.evaluator.eval(terms, &model, b));
                let value = fold(Op::FRem, node.sort, node.sort, x, y, 0);
                let translator = self.translator();
                let [a, b, r] = [a, b, remainder].map(|term| translator.term(terms, term));
                let (a, b, r) = (
                    translator.is(a, node.sort, x),
                    translator.is(b, node.sort, y),
                    translator.is(r, node.sort, value),
                );
                given.extend([a, b, r]);
                let operands = translator.and(&[a, b]);
                let other = translator.not(operands);
                lemmas.push(translator.or(&[other, r]));
            }
            unsafe { Z3_solver_push(context, solver) };
            for fact in given {
                unsafe { Z3_solver_assert(context, solver, fact) };
            }
            let outcome = self.ask(solver, contents);
            unsafe { Z3_solver_pop(context, solver, 1) };
            if let Outcome::Sat(model) = outcome
                && self.satisfies(terms, parts, &model)
            {
                return Answer::Sat(model);
            }
            for lemma in lemmas {
                unsafe { Z3_solver_assert(context, solver, lemma) };
            }
        }
        Answer::Unknown("the query has a remainder of floats, which the back end does not know".into())
    }

    /// Tells a new solver what it may spend on each query.
    fn limit(&self, solver: Solver) {
        let context = self.context();
        unsafe {
            let params = Z3_mk_params(context);
            Z3_params_inc_ref(context, params);
            let effort = u32::try_from(self.effort).unwrap_or(u32::MAX);
            Z3_params_set_uint(context, params, symbol(context, "rlimit"), effort);
            Z3_solver_set_params(context, solver, params);
            Z3_params_dec_ref(context, params);
        }
    }

    fn ask(&mut self, solver: Solver, contents: &Contents) -> Outcome {
        let context = self.context();
        let until = self.until();
        if self.interrupted || Instant::now() >= until {
            return Outcome::Unknown(OUT_OF_TIME.into());
        }
        let watchdog = self.watchdog.get_or_insert_with(Watchdog::start);
        let (truth, interrupted) =
            watchdog.guard(context, until, || unsafe { Z3_solver_check(context, solver) });
        self.interrupted = interrupted;
        match truth {
            FALSE => Outcome::Unsat,
            _ if interrupted => Outcome::Unknown(OUT_OF_TIME.into()),
            TRUE => self.read_model(solver, contents),
            _ => unsafe {
                let reason = Z3_solver_get_reason_unknown(context, solver);
                let reason = CStr::from_ptr(reason).to_string_lossy();
                if reason.contains("canceled") || reason.contains("resource limit") {
                    return Outcome::Unknown(OUT_OF_EFFORT.into());
                }
                Outcome::Unknown(format!("the back end gave up: {reason}"))
            },
        }
    }

    fn read_model(&mut self, solver: Solver, contents: &Contents) -> Outcome {
        let context = self.context();
        let mut model = Model::default();
        unsafe {
            let found = Z3_solver_get_model(context, solver);
            if found.is_null() {
                return Outcome::Unknown(format!(
                    "the back end has no model: error {}",
                    Z3_get_error_code(context)
                ));
            }
            Z3_model_inc_ref(context, found);
            for &(variable, sort) in &contents.variables {
                let ast = self.translator().bits_of_variable(sort, variable);
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
        Outcome::Sat(model)
    }

    fn satisfies(&mut self, terms: &Terms, parts: &[Term], model: &Model) -> bool {
        self.evaluator.restart();
        parts.iter().all(|&part| self.evaluator.holds(terms, model, part))
    }
}

impl Step for BackEnd {
    fn answer(&mut self, terms: &mut Terms, desk: &mut Desk, query: &Query) -> Option<Answer> {
        // Without the variables that have known values, hard queries often become easy.
        if let Some(rewritten) = &desk.rewritten {
            match self.solve(terms, &rewritten.query.parts) {
                Answer::Sat(model) => {
                    if let Some(model) = desk.original(terms, query, model) {
                        return Some(Answer::Sat(model));
                    }
                }
                answer => return Some(answer),
            }
        }
        Some(self.solve(terms, &query.parts))
    }
}

impl Contents {
    fn of(terms: &Terms, parts: &[Term]) -> Contents {
        let mut contents = Contents::default();
        let mut seen = FxHashSet::default();
        let mut work = parts.to_vec();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            contents.floats |= node.sort.is_float();
            match node.op {
                Op::Var => contents.variables.push((node.variable(), node.sort)),
                Op::FRem => contents.remainders.push(term),
                _ => {}
            }
            work.extend(node.operands());
        }
        contents.variables.sort_unstable();
        contents.remainders.sort_unstable();
        contents
    }
}

fn symbol(context: Context, name: &str) -> Symbol {
    let name = CString::new(name).expect("no zero byte");
    unsafe { Z3_mk_string_symbol(context, name.as_ptr()) }
}

impl Drop for BackEnd {
    fn drop(&mut self) {
        if self.translator.is_some() {
            self.drop_incremental();
        }
    }
}
