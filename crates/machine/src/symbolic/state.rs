//! What is remembered about a path with unknown values, and how it is taken back.

use std::rc::Rc;

use program::{ClassId, Kind, MethodId};
use rustc_hash::FxHashMap;
use term::{Node, Op, Sort, Term, Terms};

use crate::pool::Pick;
use crate::undo::{Log, Undo};
use crate::value::Ref;

use super::object::{Entity, Pointer};
use super::{Assumption, Bounds, HeapMode, TypeWorld};

/// How deep into a term bound values are looked for.
const VALUE_DEPTH: u32 = 6;
/// How deep into a condition decided ones are looked for.
const TRUTH_DEPTH: u32 = 9;

/// Where an unknown value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A parameter of the method under test, by position; the receiver is parameter 0 of an instance method.
    Parameter(u32),
    /// A choice of the program, counted along the path, of numbers from `lo` on.
    Choice { number: u32, lo: i64 },
    /// A field of an unknown object: the object, and the field's word.
    Field { entity: u32, offset: u32 },
    /// An element of an unknown array.
    Element { entity: u32, index: u32 },
    /// The length of an unknown array or string.
    Length { entity: u32 },
    /// Not an input: made on the way, and equal to something else.
    Internal,
    /// What an unknown function returned: which one, and for which of its calls.
    Result { entity: u32, call: u32 },
}

/// An unknown.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub sort: Sort,
    pub kind: Kind,
    pub origin: Origin,
}

/// An object of a pool that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    /// Which choice of the path it was.
    pub number: u32,
    /// Which alternative was taken, and what it was.
    pub decision: u64,
    pub pick: Pick,
}

/// The state of a path beside heap and frames.
pub struct Symbolic {
    /// Whether choices and inputs are unknown at all.
    pub on: bool,
    pub terms: Terms,
    /// What was decided, in order.
    pub path: Vec<Term>,
    /// How many of those were there when each decision was made: the rest is how inputs are.
    pub decided: Vec<u32>,
    /// Boolean terms whose truth follows from the path without thought.
    facts: FxHashMap<Term, bool>,
    facts_log: Vec<Term>,
    /// Terms that have one value left.
    bindings: FxHashMap<Term, u64>,
    bindings_log: Vec<Term>,
    pub variables: Vec<Variable>,
    /// Decisions at instructions: the activation and the instruction.
    pub(crate) visits: Vec<(u32, u32)>,
    /// Jumps that were decided, while ways are merged.
    pub(super) forks: Vec<(MethodId, u32)>,
    pub(crate) serials: u32,
    pub(crate) decisions_made: u32,
    /// Choices the program made so far on this path.
    pub choices: u32,
    /// Objects of pools that were chosen on this path.
    pub picks: Vec<Picked>,
    pub bounds: Bounds,
    pub heap: HeapMode,
    /// Objects that stand for inputs, in the order they were first needed.
    pub entities: Vec<Entity>,
    /// Lengths of open arrays.
    pub(crate) lengths: FxHashMap<Ref, Term>,
    /// Strings without a layout.
    pub(crate) unlaid: FxHashMap<Ref, super::text::Unlaid>,
    /// Numbers and strings that choices are to give, when a run is repeated with known values.
    pub given_numbers: std::collections::VecDeque<u64>,
    pub given_strings: std::collections::VecDeque<Ref>,
    /// The same for objects of pools: which alternative.
    pub given_picks: std::collections::VecDeque<u64>,
    /// The same for what functions return.
    pub given_results: FxHashMap<Ref, std::collections::VecDeque<u64>>,
    /// Calls of unknown functions so far.
    pub(crate) calls: Vec<super::Call>,
    /// Unknown references, by variable.
    pub(crate) pointers: FxHashMap<u32, Pointer>,
    pub world: TypeWorld,
    /// What functions of the library give for characters, by method, other argument, and first character. They are the
    /// same on every path.
    pub tables: FxHashMap<(MethodId, u32, u32), Rc<[Stretch]>>,
    /// Methods that fill unknown containers, by class and number of elements. They are the same on every path.
    pub fillers: FxHashMap<(ClassId, u32), MethodId>,
    /// What is assumed about the heap before the run.
    pub assumptions: Vec<Assumption>,
    /// While it is said which references an assumption is about, lazy initialization decides nothing.
    pub(crate) resolving: bool,
    /// Inputs that were left out because nothing is known to model them: the path stands for fewer than it should.
    pub narrowed: Vec<String>,
    /// Calls to be made before the instruction at hand is executed again.
    pub(super) detours: Vec<super::detour::Detour>,
    /// What lists and their marks do not tell.
    pub(super) log: Log<Change>,
}

/// How a change is taken back that is not an addition to a list.
pub(super) enum Change {
    /// An unknown reference was followed.
    Followed(u32),
    /// More fields of an entity were filled in.
    Level {
        entity: u32,
        old: ClassId,
    },
    Length {
        array: Ref,
        old: Option<Term>,
    },
    /// In a box, because the other changes are small and more frequent.
    Unlaid {
        string: Ref,
        old: Box<Option<super::text::Unlaid>>,
    },
}

/// Characters from `first` on that a function of the library treats alike.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub first: u32,
    pub value: i32,
    /// Whether the value is added to the character.
    pub follows: bool,
}

/// How far the lists were at a checkpoint.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mark {
    changes: usize,
    path: u32,
    facts: u32,
    bindings: u32,
    variables: u32,
    visits: u32,
    forks: u32,
    serials: u32,
    decisions_made: u32,
    choices: u32,
    picks: u32,
    entities: u32,
    assumptions: u32,
    narrowed: u32,
    calls: u32,
}

impl Default for Symbolic {
    fn default() -> Symbolic {
        Symbolic {
            on: false,
            terms: Terms::new(),
            path: Vec::new(),
            decided: Vec::new(),
            facts: FxHashMap::default(),
            facts_log: Vec::new(),
            bindings: FxHashMap::default(),
            bindings_log: Vec::new(),
            variables: Vec::new(),
            visits: Vec::new(),
            forks: Vec::new(),
            serials: 0,
            decisions_made: 0,
            choices: 0,
            picks: Vec::new(),
            bounds: Bounds::default(),
            heap: HeapMode::Solver,
            entities: Vec::new(),
            lengths: FxHashMap::default(),
            unlaid: FxHashMap::default(),
            given_numbers: std::collections::VecDeque::new(),
            given_strings: std::collections::VecDeque::new(),
            given_picks: std::collections::VecDeque::new(),
            given_results: FxHashMap::default(),
            calls: Vec::new(),
            pointers: FxHashMap::default(),
            world: TypeWorld::default(),
            tables: FxHashMap::default(),
            fillers: FxHashMap::default(),
            assumptions: Vec::new(),
            resolving: false,
            narrowed: Vec::new(),
            detours: Vec::new(),
            log: Log::default(),
        }
    }
}

impl Undo for Symbolic {
    type Mark = Mark;

    fn mark(&mut self) -> Mark {
        let changes = self.log.mark();
        if !self.on {
            return Mark { changes, ..Mark::default() };
        }
        Mark {
            changes,
            path: self.path.len() as u32,
            facts: self.facts_log.len() as u32,
            bindings: self.bindings_log.len() as u32,
            variables: self.variables.len() as u32,
            visits: self.visits.len() as u32,
            forks: self.forks.len() as u32,
            serials: self.serials,
            decisions_made: self.decisions_made,
            choices: self.choices,
            picks: self.picks.len() as u32,
            entities: self.entities.len() as u32,
            assumptions: self.assumptions.len() as u32,
            narrowed: self.narrowed.len() as u32,
            calls: self.calls.len() as u32,
        }
    }

    fn undo_to(&mut self, mark: &Mark) {
        // Before the lists become shorter: what changed is still in them.
        while let Some(change) = self.log.pop_after(mark.changes) {
            self.undo(change);
        }
        if !self.on {
            return;
        }
        self.path.truncate(mark.path as usize);
        while self.decided.last().is_some_and(|at| *at >= mark.path) {
            self.decided.pop();
        }
        for term in self.facts_log.drain(mark.facts as usize..) {
            self.facts.remove(&term);
        }
        for term in self.bindings_log.drain(mark.bindings as usize..) {
            self.bindings.remove(&term);
        }
        for variable in mark.variables as usize..self.variables.len() {
            self.pointers.remove(&(variable as u32));
        }
        self.variables.truncate(mark.variables as usize);
        self.visits.truncate(mark.visits as usize);
        self.forks.truncate(mark.forks as usize);
        self.serials = mark.serials;
        self.decisions_made = mark.decisions_made;
        self.choices = mark.choices;
        self.picks.truncate(mark.picks as usize);
        self.entities.truncate(mark.entities as usize);
        self.assumptions.truncate(mark.assumptions as usize);
        self.narrowed.truncate(mark.narrowed as usize);
        self.calls.truncate(mark.calls as usize);
        self.detours.clear();
    }

    fn forget(&mut self) {
        self.log.forget();
    }

    fn shrink(&mut self) {
        self.path.shrink_to_fit();
        self.facts.shrink_to_fit();
        self.facts_log.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.bindings_log.shrink_to_fit();
        self.variables.shrink_to_fit();
        self.visits.shrink_to_fit();
        self.pointers.shrink_to_fit();
        self.log.shrink();
    }
}

impl Symbolic {
    fn undo(&mut self, change: Change) {
        match change {
            Change::Followed(variable) => {
                if let Some(pointer) = self.pointers.get_mut(&variable) {
                    pointer.candidates = None;
                }
            }
            Change::Level { entity, old } => {
                if let Some(entity) = self.entities.get_mut(entity as usize) {
                    entity.level = old;
                }
            }
            Change::Length { array, old } => {
                match old {
                    Some(length) => self.lengths.insert(array, length),
                    None => self.lengths.remove(&array),
                };
            }
            Change::Unlaid { string, old } => {
                match *old {
                    Some(unlaid) => self.unlaid.insert(string, unlaid),
                    None => self.unlaid.remove(&string),
                };
            }
        }
    }

    pub(crate) fn new_variable(&mut self, sort: Sort, kind: Kind, origin: Origin) -> u32 {
        self.variables.push(Variable { sort, kind, origin });
        self.variables.len() as u32 - 1
    }

    /// Adds to the path condition.
    pub fn learn(&mut self, term: Term) {
        if term == Term::TRUE || self.facts.get(&term) == Some(&true) {
            return;
        }
        self.path.push(term);
        self.note(term, true);
    }

    /// Adds a decision to the path condition.
    pub(crate) fn decide(&mut self, term: Term) {
        let at = self.path.len() as u32;
        self.learn(term);
        if self.path.len() as u32 > at {
            self.decided.push(at);
        }
    }

    /// What was decided, in order.
    pub fn decisions(&self) -> impl Iterator<Item = Term> + '_ {
        self.decided.iter().map(|at| self.path[*at as usize])
    }

    fn note(&mut self, term: Term, truth: bool) {
        let node = *self.terms.node(term);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        match (node.op, truth) {
            (Op::Const, _) => return,
            (Op::Not, _) => return self.note(x, !truth),
            (Op::And, true) | (Op::Or, false) => {
                self.note(x, truth);
                self.note(y, truth);
            }
            (Op::Eq, true) if self.terms.sort(x) != Sort::Bool => {
                if let Some(bits) = self.terms.known(y) {
                    self.bind(x, bits);
                }
            }
            _ => {}
        }
        if self.facts.insert(term, truth).is_none() {
            self.facts_log.push(term);
        }
        // The negation may exist as a term of its own, and is then as well known.
        let negated = self.terms.not(term);
        if self.terms.node(negated).op != Op::Not && self.facts.insert(negated, !truth).is_none() {
            self.facts_log.push(negated);
        }
    }

    /// Whether a boolean term is known to hold or not, by what was decided before.
    pub fn truth(&mut self, term: Term) -> Option<bool> {
        self.truth_within(term, TRUTH_DEPTH)
    }

    fn truth_within(&mut self, term: Term, depth: u32) -> Option<bool> {
        let node: Node = *self.terms.node(term);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        if node.op == Op::Const {
            return Some(term == Term::TRUE);
        }
        if let Some(&truth) = self.facts.get(&term) {
            return Some(truth);
        }
        if depth == 0 {
            return None;
        }
        match node.op {
            Op::Not => self.truth_within(x, depth).map(|truth| !truth),
            Op::And | Op::Or => {
                let decisive = node.op == Op::Or;
                match (self.truth_within(x, depth - 1), self.truth_within(y, depth - 1)) {
                    (Some(truth), _) | (_, Some(truth)) if truth == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            Op::Ite => match self.truth_within(x, depth - 1) {
                Some(true) => self.truth_within(y, depth - 1),
                Some(false) => self.truth_within(Term(node.args[2]), depth - 1),
                None => None,
            },
            _ => self.value(term).map(|bits| bits != 0),
        }
    }

    /// Takes a boolean term for true without making it part of the path condition: it follows from how things are
    /// made, and the solver need not hear of it.
    pub(crate) fn know(&mut self, term: Term) {
        if self.facts.insert(term, true).is_none() {
            self.facts_log.push(term);
        }
    }

    /// Remembers the only value a term has.
    pub(crate) fn bind(&mut self, term: Term, bits: u64) {
        if self.bindings.insert(term, bits).is_none() {
            self.bindings_log.push(term);
        }
    }

    /// The one value a term has left, as far as it is plain.
    pub fn value(&self, term: Term) -> Option<u64> {
        match self.terms.known(term) {
            None if self.bindings.is_empty() => None,
            None => self.value_within(term, VALUE_DEPTH),
            known => known,
        }
    }

    fn value_within(&self, term: Term, depth: u32) -> Option<u64> {
        let node = self.terms.node(term);
        if node.op == Op::Const {
            return Some(node.bits());
        }
        if let Some(bits) = self.bindings.get(&term) {
            return Some(*bits);
        }
        if node.op == Op::Var || depth == 0 {
            return None;
        }
        let mut bits = [0; 3];
        for (operand, bits) in node.operands().zip(&mut bits) {
            *bits = self.value_within(operand, depth - 1)?;
        }
        let from = self.terms.sort(Term(node.args[0]));
        Some(term::fold(node.op, node.sort, from, bits[0], bits[1], bits[2]))
    }
}
