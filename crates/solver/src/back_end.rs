//! Z3: answers what no layer before it could.
//!
//! Queries over bit-vectors go to an incremental solver whose stack follows the conjuncts of the query: what the last
//! query began with too is not asserted again. Queries with floats go to a solver made for one query, because Z3's
//! incremental one handles floats badly. So do queries about which of many places several variables name, and those
//! with quotients: what Z3 does before it searches helps them more than what it learned before.
//!
//! Whatever Z3 does, the answer comes before the deadline: a query is left to the thread it was given to.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use term::{Evaluator, Model, Op, Sort, Term, Terms, fold};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::deadline::{Deadline, OUT_OF_MEMORY};
use crate::engine::Engine;
use crate::narrow::Narrowed;
use crate::runner::{Runner, Task};
use crate::z3::{self, Session, Verdict};

/// How often a query with abstracted operations is refined before giving up.
const REFINEMENTS: u32 = 8;
/// Variables that name places, whose width no number has, from which on a query is about those.
const MANY_PLACES: usize = 8;
const PLACE: Sort = Sort::Bv(31);
/// When so many expressions were made, the context is thrown away: nothing else frees them.
const MOST_EXPRESSIONS: usize = 400_000;
/// New terms stay, so there is an end to making them.
const MOST_NEW_TERMS: usize = 10_000_000;

/// Tactics of Z3 for a query with floats, and for one of bits alone.
const FLOATS: &str = "qffpbv";
const BITS: &str = "qfbv";

pub const OUT_OF_EFFORT: &str = "out of effort";

pub struct BackEnd {
    engine: Option<Box<Engine>>,
    effort: u64,
    timeout: Duration,
    pub deadline: Deadline,
    runner: Option<Runner>,
    evaluator: Evaluator,
    /// Terms made for narrowed queries.
    made: usize,
}

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

/// What Z3 said.
enum Reply {
    Sat(Model),
    Unsat,
    Unknown(String),
}

impl BackEnd {
    pub fn new(effort: u64, timeout_ms: u32) -> BackEnd {
        BackEnd {
            engine: None,
            effort,
            timeout: Duration::from_millis(u64::from(timeout_ms)),
            deadline: Deadline::NONE,
            runner: None,
            evaluator: Evaluator::new(),
            made: 0,
        }
    }

    pub fn set_effort(&mut self, effort: u64) {
        self.effort = effort;
        if let Some(engine) = &mut self.engine {
            engine.drop_incremental();
        }
    }

    /// Whether all `parts` hold together. A model has a value for every variable in them, and satisfies them.
    pub fn solve(&mut self, terms: &Terms, parts: &[Term]) -> Answer {
        if self.timeout.is_zero() || self.deadline.has_passed() {
            return self.out_of_time();
        }
        if self.engine.as_ref().is_some_and(|engine| engine.translator.context.len() > MOST_EXPRESSIONS) {
            self.leave();
        }
        // Near its end Z3 could not make the expressions any more.
        if z3::is_nearly_full() {
            self.free();
            if z3::is_nearly_full() {
                return Answer::Unknown(OUT_OF_MEMORY.into());
            }
        }
        let contents = Contents::of(terms, parts);
        if contents.floats || contents.many_places() {
            return self.solve_once(terms, parts, &contents);
        }
        let task = match self.follow(terms, parts) {
            Ok(task) => task,
            Err(answer) => return answer,
        };
        match self.ask(task, &contents) {
            Reply::Sat(model) if self.satisfies(terms, parts, &model) => Answer::Sat(model),
            Reply::Sat(_) => Answer::Unknown("the back end's model does not satisfy the query".into()),
            Reply::Unsat => Answer::Unsat,
            Reply::Unknown(reason) => {
                // What was learned up to here would make the next answer depend on this one's effort.
                if let Some(engine) = &mut self.engine {
                    engine.drop_incremental();
                }
                Answer::Unknown(reason)
            }
        }
    }

    fn out_of_time(&self) -> Answer {
        Answer::Unknown(self.deadline.reason().into())
    }

    /// Gives up the context: nothing that is made in it from now on means anything.
    fn out_of_memory(&mut self) -> Answer {
        self.leave();
        Answer::Unknown(OUT_OF_MEMORY.into())
    }

    fn engine(&mut self) -> &mut Engine {
        self.engine.get_or_insert_with(|| Box::new(Engine::new()))
    }

    /// Gives up the context, and does not wait until it is freed.
    fn leave(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.runner.take().unwrap_or_else(Runner::start).free(engine);
        }
    }

    /// Gives up the context and waits until it is freed, which is in vain when Z3 is still at work in it.
    pub fn free(&mut self) {
        self.engine = None;
        self.runner = None;
    }

    /// What brings the incremental session's stack to `parts`, or why there is no time or memory to find out.
    fn follow(&mut self, terms: &Terms, parts: &[Term]) -> Result<Task, Answer> {
        let (deadline, effort) = (self.deadline, self.effort);
        let engine = self.engine();
        let Some(session) = engine.incremental(effort) else { return Err(self.out_of_memory()) };
        let common = engine.stack.iter().zip(parts).take_while(|(a, b)| a == b).count();
        let mut levels = Vec::new();
        for &part in &parts[common..] {
            let Some(part) = engine.translator.term_by(terms, part, deadline) else {
                return Err(self.out_of_time());
            };
            levels.push(part);
        }
        let pops = (engine.stack.len() - common) as u32;
        engine.stack.truncate(common);
        engine.stack.extend(&parts[common..]);
        Ok(Task { session, pops, levels })
    }

    /// A query for a session of its own, refined where operations on floats were abstracted.
    fn solve_once(&mut self, terms: &Terms, parts: &[Term], contents: &Contents) -> Answer {
        let (deadline, effort) = (self.deadline, self.effort);
        let engine = self.engine();
        let tactic = if contents.floats || contents.many_places() { FLOATS } else { BITS };
        let Some(session) = engine.once(tactic, effort) else { return self.out_of_memory() };
        for &part in parts {
            let Some(part) = engine.translator.term_by(terms, part, deadline) else {
                return self.out_of_time();
            };
            engine.context().assert(session, part);
        }
        for &remainder in &contents.remainders {
            let facts = engine.translator.remainder_facts(terms, remainder);
            engine.context().assert(session, facts);
        }
        let answer = self.refine(terms, parts, contents, session);
        if let Some(engine) = &mut self.engine {
            engine.drop_once();
        }
        answer
    }

    /// Asks; when the model fails because a remainder has another value than its variable, first takes the model's
    /// operands as given, then excludes the wrong value for these operands.
    fn refine(&mut self, terms: &Terms, parts: &[Term], contents: &Contents, session: Session) -> Answer {
        let ask = |own: &mut BackEnd| own.ask(Task { session, pops: 0, levels: Vec::new() }, contents);
        for _ in 0..REFINEMENTS {
            let model = match ask(self) {
                Reply::Sat(model) => model,
                Reply::Unsat => return Answer::Unsat,
                Reply::Unknown(reason) => return Answer::Unknown(reason),
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
                let translator = &mut self.engine().translator;
                let [a, b, r] = [a, b, remainder].map(|term| translator.term(terms, term));
                let (a, b, r) = (
                    translator.is(a, node.sort, x),
                    translator.is(b, node.sort, y),
                    translator.is(r, node.sort, value),
                );
                given.extend([a, b, r]);
                let context = &mut translator.context;
                let operands = context.and(&[a, b]);
                let other = context.not(operands);
                lemmas.push(context.or(&[other, r]));
            }
            let context = self.engine().context();
            context.push(session);
            for fact in given {
                context.assert(session, fact);
            }
            let outcome = ask(self);
            if let (Reply::Unknown(reason), None) = (&outcome, &self.engine) {
                return Answer::Unknown(reason.clone());
            }
            self.engine().context().pop(session, 1);
            if let Reply::Sat(model) = outcome
                && self.satisfies(terms, parts, &model)
            {
                return Answer::Sat(model);
            }
            let context = self.engine().context();
            for lemma in lemmas {
                context.assert(session, lemma);
            }
        }
        Answer::Unknown("the query has a remainder of floats, which the back end does not know".into())
    }

    /// Has Z3 do a task. Afterwards there is no engine any more if the time or the memory was not enough.
    fn ask(&mut self, task: Task, contents: &Contents) -> Reply {
        let until = self.deadline.or(Instant::now() + self.timeout);
        let session = task.session;
        if self.engine().context().is_exhausted() {
            self.leave();
            return Reply::Unknown(OUT_OF_MEMORY.into());
        }
        let engine = self.engine.take().expect("the task is for one of its sessions");
        let Some((engine, verdict)) = self.runner.get_or_insert_with(Runner::start).run(engine, task, until)
        else {
            self.runner = None;
            return Reply::Unknown(self.deadline.reason().into());
        };
        let engine = self.engine.insert(engine);
        match verdict {
            Verdict::Unsat => Reply::Unsat,
            Verdict::Sat => {
                engine.model(session, &contents.variables).map_or_else(Reply::Unknown, Reply::Sat)
            }
            Verdict::Undecided => {
                let reason = engine.context().reason(session);
                if reason.contains("memory") {
                    return Reply::Unknown(OUT_OF_MEMORY.into());
                }
                if reason.contains("canceled") || reason.contains("resource limit") {
                    return Reply::Unknown(OUT_OF_EFFORT.into());
                }
                Reply::Unknown(format!("the back end gave up: {reason}"))
            }
        }
    }

    fn satisfies(&mut self, terms: &Terms, parts: &[Term], model: &Model) -> bool {
        self.evaluator.restart();
        parts.iter().all(|&part| self.evaluator.holds(terms, model, part))
    }
}

impl Step for BackEnd {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        if let Some(answer) = self.answer_narrowed(terms, workspace, query) {
            return Some(answer);
        }
        // Without the variables that have known values, hard queries often become easy.
        if let Some(rewritten) = &workspace.rewritten {
            match self.solve(terms, &rewritten.query.parts) {
                Answer::Sat(model) => {
                    if let Some(model) = workspace.original(terms, query, model) {
                        return Some(Answer::Sat(model));
                    }
                }
                answer => return Some(answer),
            }
        }
        Some(self.solve(terms, &query.parts))
    }
}

impl BackEnd {
    /// Asks for the query in fewer bits, if that would make it easier.
    fn answer_narrowed(
        &mut self,
        terms: &mut Terms,
        workspace: &mut Workspace,
        query: &Query,
    ) -> Option<Answer> {
        if !workspace.facts_known || self.made > MOST_NEW_TERMS {
            return None;
        }
        let before = terms.len();
        let narrowed = Narrowed::of(terms, &workspace.compiled, &workspace.facts);
        self.made += terms.len() - before;
        let narrowed = narrowed?;
        let contents = Contents::of(terms, &narrowed.parts);
        match self.solve_once(terms, &narrowed.parts, &contents) {
            Answer::Sat(model) => {
                let seen = workspace.rewritten.as_ref().map_or(query, |rewritten| &rewritten.query);
                let model = narrowed.original(terms, seen, &model);
                let model = workspace.original(terms, query, model)?;
                workspace.satisfies(terms, &query.parts, &model).then_some(Answer::Sat(model))
            }
            answer => Some(answer),
        }
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

impl Drop for BackEnd {
    fn drop(&mut self) {
        self.leave();
    }
}
