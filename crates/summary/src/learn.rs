//! Running a method forward from unknown arguments and an unknown heap, to find its cases.

use machine::{Checkpoint, Decision, End, Machine, Origin, Raise, Stop, Supposition};
use program::descriptor::split_method;
use program::{ClassId, Kind, MethodId};
use rustc_hash::FxHashSet;
use search::{Limits, Order, PathEnd, Search, Unguided, Unknowns};
use solver::Solver;
use term::Term;

use crate::case::{Case, Effect, Summary, Tree};
use crate::effect;
use crate::name::{Names, Renaming};

/// Why there is no summary of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It does what a summary says nothing about, or calls what does: static state, threads, most of the library.
    Beyond,
    /// There are too many cases, or they are too large.
    Large,
    /// Not every case was found.
    Partial,
    /// What it does depends on more than arguments and what they lead to.
    Unnamed,
    /// Something was taken for granted.
    Supposes,
    /// It cannot be called.
    Uncallable,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refusal::Beyond => "it uses static state, threads, lambdas, or too much of the library",
            Refusal::Large => "it has too many cases",
            Refusal::Partial => "not every case can be found",
            Refusal::Unnamed => "it depends on more than its arguments and what they lead to",
            Refusal::Supposes => "a class that nobody has seen could change what it does",
            Refusal::Uncallable => "it cannot be called with unknown arguments",
        })
    }
}

/// Cases of a method at most.
const CASES: u64 = 48;
/// Steps of one path, and work for all of them.
const STEPS: u64 = 50_000;
const WORK: u64 = 4_000_000;
/// Terms of all cases together.
const TERMS: usize = 4_000;

/// Finds the cases of a method under the bounds that the machine has now. Nothing may be running.
pub fn learn(
    m: &mut Machine,
    solver: &mut Solver,
    method: MethodId,
    initialized: &[ClassId],
) -> Result<Summary, Refusal> {
    let root = m.checkpoint();
    m.forget_supposed();
    let learned = explore(m, solver, method, initialized);
    m.rollback(root);
    m.commit(root);
    m.forget_supposed();
    learned
}

fn explore(
    m: &mut Machine,
    solver: &mut Solver,
    method: MethodId,
    initialized: &[ClassId],
) -> Result<Summary, Refusal> {
    for class in initialized {
        m.initialize_now(*class).map_err(|_| Refusal::Uncallable)?;
    }
    if !m.touched().is_empty() {
        return Err(Refusal::Beyond);
    }
    let before = m.steps;
    let since = m.checkpoint();
    let slots = enter(m, method).map_err(|_| Refusal::Uncallable)?;
    let own = m.number_activation();
    let limits = Limits { paths: Some(CASES + 1), steps: Some(STEPS), work: Some(WORK), ..Limits::NONE };
    let mut search = Search::new(m, Unknowns::new(solver), Order::DepthFirst, &limits, &[]);
    let mut learner = Learner {
        method,
        since,
        own,
        slots,
        names: Names::default(),
        cases: Vec::new(),
        seen: FxHashSet::default(),
    };
    while let Some(end) = search.next(&mut Unguided) {
        learner.path(search.machine(), &end)?;
        search.count(search::Verdict::Solution);
    }
    let survey = search.finish();
    if survey.cut.is_some() {
        return Err(Refusal::Large);
    }
    let tree = Tree::of(&learner.cases, 0, 0).ok_or(Refusal::Unnamed)?;
    if !survey.undecided.is_empty() || survey.skipped > 0 || learner.cases.is_empty() {
        return Err(Refusal::Partial);
    }
    let supposed = m.supposed();
    if supposed.iter().any(|what| *what != Supposition::Assertions) {
        return Err(Refusal::Supposes);
    }
    let Learner { names, cases, .. } = learner;
    let summary = Summary {
        method,
        places: names.places,
        apart: names.apart,
        cases,
        tree,
        bounds: m.policy().bounds,
        initialized: initialized.to_vec(),
        supposes_assertions: !supposed.is_empty(),
        steps: m.steps - before,
    };
    if size(m, &summary) > TERMS { Err(Refusal::Large) } else { Ok(summary) }
}

/// Calls a method with unknown arguments. Gives the slots in which they begin.
fn enter(m: &mut Machine, method: MethodId) -> Result<Vec<u16>, Raise> {
    let declared = m.program.method(method);
    let (class, is_static) = (declared.class, declared.is_static());
    let descriptor = m.program.text(declared.descriptor).to_string();
    let (mut words, mut slots) = (Vec::new(), Vec::new());
    let mut push = |m: &Machine, kind: Kind, term: Term| {
        slots.push(words.len() as u16);
        if kind.width() == 2 {
            let (value, tag) = m.term_words(term);
            words.extend([value, tag]);
        } else {
            words.push(m.term_word(term));
        }
    };
    let mut number = 0;
    if !is_static {
        let term = m.new_pointer(class, true, Origin::Parameter(0));
        push(m, Kind::Ref, term);
        number = 1;
    }
    for text in split_method(&descriptor).unwrap_or_default().0 {
        let kind = Kind::of(text).unwrap_or(Kind::Int);
        let term = m.new_input(kind, text, false, Origin::Parameter(number))?;
        push(m, kind, term);
        number += 1;
    }
    m.mark_entry();
    m.enter(method, &words)?;
    Ok(slots)
}

struct Learner {
    method: MethodId,
    since: Checkpoint,
    /// The activation of the method itself.
    own: u32,
    slots: Vec<u16>,
    names: Names,
    cases: Vec<Case>,
    /// What was decided in the cases found so far.
    seen: FxHashSet<Vec<Decision>>,
}

impl Learner {
    /// Takes in a path where it has ended.
    fn path(&mut self, m: &mut Machine, end: &PathEnd) -> Result<(), Refusal> {
        let is_choice = |origin: &Origin| {
            matches!(origin, Origin::Choice { .. } | Origin::Result { .. } | Origin::Made { .. })
        };
        let is_plain = m.symbolic.narrowed().is_empty()
            && !m.symbolic.has_forgotten()
            && m.symbolic.picks().is_empty()
            && m.symbolic.asked().is_empty()
            && !m.symbolic.variables().iter().any(|variable| is_choice(&variable.origin));
        if !is_plain {
            return Err(Refusal::Unnamed);
        }
        let visits = self.visits(m);
        let schedule = m.composed().to_vec();
        let decided: Vec<(Term, bool)> = m.symbolic.decided_how().collect();
        let cut = match end {
            PathEnd::Stop(Stop::Bound(message)) => Some(self.cut(m, decided.len(), message)),
            _ => None,
        };
        let kind = m.program.method(self.method).signature.result;
        let mut renaming = Renaming::new(m, &mut self.names, &self.slots);
        let mut decisions = Vec::new();
        for (index, (condition, negated)) in decided.into_iter().enumerate() {
            let condition = renaming.term(condition).map_err(|_| Refusal::Unnamed)?;
            let visit = visits.get(index).copied().flatten();
            if condition == Term::FALSE {
                return Err(Refusal::Unnamed);
            }
            if condition != Term::TRUE {
                decisions.push(Decision { condition, negated, visit });
            }
        }
        let effect = match end {
            PathEnd::End(End::Returned(value)) => effect::of(&mut renaming, self.since, kind, *value),
            PathEnd::End(End::Threw(_)) => Effect::Runs,
            PathEnd::Stop(_) => match cut {
                Some(Cut::Here) => Effect::Runs,
                Some(Cut::Elements) => Effect::Beyond,
                Some(Cut::Inside) | None => return Err(Refusal::Partial),
            },
        };
        // All objects are looked at, so that it is known which were met before others. What has no name is in no condition, and
        // where it is in an effect, the body says it.
        for entity in 0..renaming.m.symbolic.entities().len() as u32 {
            let _ = renaming.exists(entity);
        }
        // What is cut off in two ways is the same case.
        if self.seen.insert(decisions.clone()) {
            self.cases.push(Case { decisions, schedule, effect });
        } else if !matches!(end, PathEnd::Stop(Stop::Bound(_))) {
            return Err(Refusal::Unnamed);
        }
        Ok(())
    }

    /// The instruction that made each decision, where it is one of the method itself.
    fn visits(&self, m: &Machine) -> Vec<Option<u32>> {
        if m.policy().bounds.count_known {
            return Vec::new();
        }
        m.visits().iter().map(|(activation, at)| (*activation == self.own).then_some(*at)).collect()
    }

    /// Which bound a path came to.
    fn cut(&self, m: &Machine, decided: usize, message: &str) -> Cut {
        let visits = m.visits();
        if !message.ends_with("visits of one branch") {
            return Cut::Elements;
        }
        let is_own = visits.len() == decided + 1 && visits.last().is_some_and(|visit| visit.0 == self.own);
        if m.policy().bounds.count_known || is_own { Cut::Here } else { Cut::Inside }
    }
}

/// A bound that ends a path.
enum Cut {
    /// On visits: running the body again, with the decisions made, comes to it again.
    Here,
    /// On visits of a call inside, which would be counted anew.
    Inside,
    /// On the elements of arrays.
    Elements,
}

/// Terms of all cases together.
fn size(m: &Machine, summary: &Summary) -> usize {
    let mut waiting: Vec<Term> = Vec::new();
    for case in &summary.cases {
        waiting.extend(case.decisions.iter().map(|decision| decision.condition));
        if let Effect::Returns { result, writes, .. } = &case.effect {
            waiting.extend(result);
            waiting.extend(writes.iter().flat_map(|write| [write.condition, write.value]));
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(term) = waiting.pop() {
        if seen.insert(term) {
            waiting.extend(m.terms().node(term).operands());
        }
    }
    seen.len()
}
