//! What is remembered about a path with unknown values, and how it is taken back.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use program::{ClassId, Kind, MethodId};
use rustc_hash::{FxHashMap, FxHasher};
use term::{Sort, Term, Terms};

use crate::pool::Pick;
use crate::shortcut::{Taken, UnderWay};
use crate::undo::{Log, Undo};
use crate::value::Ref;

use super::entity::Entity;
use super::object::Pointer;
use super::truth::By;
use super::{Assumption, Bounds, HeapMode, TypeWorld};

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
    /// What an unknown object is made of, by a constructor and calls.
    Made { entity: u32, number: u32 },
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
    pub(super) on: bool,
    pub(crate) terms: Terms,
    /// What was decided, in order.
    pub(super) path: Vec<Term>,
    /// How many of those were there when each decision was made: the rest is how inputs are.
    pub(super) decided: Vec<(u32, By)>,
    /// Where in the path the decisions are that some condition does not hold.
    pub(super) negations: Vec<u32>,
    /// Whether what is decided now is nothing that code asked for.
    pub(super) aside: bool,
    /// Boolean terms whose truth follows from the path without thought.
    pub(super) facts: FxHashMap<Term, bool>,
    pub(super) facts_log: Vec<Term>,
    /// Terms that have one value left.
    pub(super) bindings: FxHashMap<Term, u64>,
    pub(super) bindings_log: Vec<Term>,
    pub(super) variables: Vec<Variable>,
    /// How far the heap went when the method under test was entered, or when an initializer ran last: what lies below may
    /// have been there before.
    pub(crate) entered: u32,
    /// Decisions at instructions: the activation and the instruction.
    pub(crate) visits: Vec<(u32, u32)>,
    /// Jumps that were decided, while ways are merged.
    pub(super) forks: Vec<(MethodId, u32)>,
    pub(crate) serials: u32,
    pub(crate) decisions_made: u32,
    /// Alternatives that were taken by calls whose cases were decided, and the call of which that is being done.
    pub(crate) alternatives: Vec<Taken>,
    pub(crate) under_way: Option<UnderWay>,
    /// Cases that were decided, by the methods that were called.
    pub(crate) composed: Vec<(MethodId, u32)>,
    /// Whose visits the next body goes on with; zero for nobody's.
    pub(crate) entered_as: u32,
    /// What was asked last: a hash of its guards.
    pub(super) question: u64,
    /// Choices the program made so far on this path.
    pub(super) choices: u32,
    /// Objects of pools that were chosen on this path.
    pub(super) picks: Vec<Picked>,
    pub(crate) bounds: Bounds,
    pub(super) heap: HeapMode,
    /// Objects that stand for inputs, in the order they were first needed.
    pub(super) entities: Vec<Entity>,
    /// Lengths of open arrays.
    pub(super) lengths: FxHashMap<Ref, Term>,
    /// Strings without a layout.
    pub(super) unlaid: FxHashMap<Ref, super::text::Unlaid>,
    /// What choices are to give, when a run is repeated with known values.
    pub(super) given: super::given::Given,
    /// Calls of unknown functions so far.
    pub(super) calls: Vec<super::Call>,
    /// What the program asked of the world outside so far, and whether that may be anything.
    pub(super) asked: Vec<super::Asked>,
    /// What of it was put where the program finds it.
    pub(super) settled: Vec<super::Subject>,
    pub(super) surroundings: super::Surroundings,
    /// Which states unknown objects can be in.
    pub(super) states: super::States,
    pub(super) beyond: super::Beyond,
    /// How often elements were forgotten on this path.
    pub(super) forgotten: Forgotten,
    /// What holds for all objects, and what of it has to hold on the way.
    pub(super) kept: Rc<[super::Fact]>,
    pub(super) noted: Vec<(super::Fact, Term)>,
    /// Unknown references, by variable.
    pub(super) pointers: FxHashMap<u32, Pointer>,
    pub(crate) world: TypeWorld,
    /// What functions of the library give for characters, by method, other argument, and first character. They are the
    /// same on every path.
    pub(super) tables: FxHashMap<(MethodId, u32, u32), Rc<[Stretch]>>,
    /// Methods that fill unknown containers, by class and number of elements. They are the same on every path.
    pub(super) fillers: FxHashMap<(ClassId, u32), MethodId>,
    /// What is assumed about the heap before the run.
    pub(super) assumptions: Vec<Assumption>,
    /// While it is said which references an assumption is about, lazy initialization decides nothing.
    pub(super) resolving: bool,
    /// Inputs that were left out because nothing is known to model them: the path stands for fewer than it should.
    pub(super) narrowed: Vec<String>,
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
    question: u64,
    choices: u32,
    picks: u32,
    entities: u32,
    assumptions: u32,
    narrowed: u32,
    entered: u32,
    calls: u32,
    asked: u32,
    settled: u32,
    forgotten: Forgotten,
    noted: u32,
    alternatives: u32,
    under_way: Option<UnderWay>,
    composed: u32,
}

/// How often elements of arrays beyond their room were read and stored.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Forgotten {
    pub read: u32,
    pub stored: u32,
}

impl Default for Symbolic {
    fn default() -> Symbolic {
        Symbolic {
            on: false,
            terms: Terms::new(),
            path: Vec::new(),
            decided: Vec::new(),
            negations: Vec::new(),
            aside: false,
            facts: FxHashMap::default(),
            facts_log: Vec::new(),
            bindings: FxHashMap::default(),
            bindings_log: Vec::new(),
            variables: Vec::new(),
            entered: 0,
            visits: Vec::new(),
            forks: Vec::new(),
            serials: 0,
            decisions_made: 0,
            alternatives: Vec::new(),
            under_way: None,
            composed: Vec::new(),
            entered_as: 0,
            question: 0,
            choices: 0,
            picks: Vec::new(),
            bounds: Bounds::default(),
            heap: HeapMode::Solver,
            entities: Vec::new(),
            lengths: FxHashMap::default(),
            unlaid: FxHashMap::default(),
            given: super::given::Given::default(),
            calls: Vec::new(),
            asked: Vec::new(),
            settled: Vec::new(),
            surroundings: super::Surroundings::AsInRun,
            states: super::States::Any,
            beyond: super::Beyond::Bounded,
            forgotten: Forgotten::default(),
            kept: Rc::from([]),
            noted: Vec::new(),
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
            question: self.question,
            choices: self.choices,
            picks: self.picks.len() as u32,
            entities: self.entities.len() as u32,
            assumptions: self.assumptions.len() as u32,
            narrowed: self.narrowed.len() as u32,
            entered: self.entered,
            calls: self.calls.len() as u32,
            asked: self.asked.len() as u32,
            settled: self.settled.len() as u32,
            forgotten: self.forgotten,
            noted: self.noted.len() as u32,
            alternatives: self.alternatives.len() as u32,
            under_way: self.under_way,
            composed: self.composed.len() as u32,
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
        while self.decided.last().is_some_and(|(at, _)| *at >= mark.path) {
            self.decided.pop();
        }
        while self.negations.last().is_some_and(|at| *at >= mark.path) {
            self.negations.pop();
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
        self.question = mark.question;
        self.choices = mark.choices;
        self.picks.truncate(mark.picks as usize);
        self.entities.truncate(mark.entities as usize);
        self.assumptions.truncate(mark.assumptions as usize);
        self.narrowed.truncate(mark.narrowed as usize);
        self.entered = mark.entered;
        self.calls.truncate(mark.calls as usize);
        self.asked.truncate(mark.asked as usize);
        self.settled.truncate(mark.settled as usize);
        self.forgotten = mark.forgotten;
        self.noted.truncate(mark.noted as usize);
        self.alternatives.truncate(mark.alternatives as usize);
        self.under_way = mark.under_way;
        self.composed.truncate(mark.composed as usize);
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
                    entity.ways = None;
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
}

/// What others may ask of a path, and add to it. Conditions and values are in `truth`, repeated runs in `given`.
impl Symbolic {
    /// Whether the path depends on elements that were forgotten.
    pub fn has_forgotten(&self) -> bool {
        self.forgotten.read > 0
    }

    /// Whether choices and inputs are unknown at all.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The path condition: what was decided, and how inputs are.
    pub fn path(&self) -> &[Term] {
        &self.path
    }

    /// The path condition, and where to make terms for questions about it.
    pub fn question(&mut self) -> (&mut Terms, &[Term]) {
        (&mut self.terms, &self.path)
    }

    /// The unknowns, by their numbers.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Objects that stand for inputs, in the order they were first needed.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Objects of pools that were chosen on this path.
    pub fn picks(&self) -> &[Picked] {
        &self.picks
    }

    /// The number of a choice that the program makes now.
    pub fn next_choice(&mut self) -> u32 {
        self.choices += 1;
        self.choices - 1
    }

    /// Remembers which object of a pool was chosen.
    pub(crate) fn picked(&mut self, decision: u64, pick: Pick) {
        let number = self.next_choice();
        self.picks.push(Picked { number, decision, pick });
    }

    /// Leaves out inputs because nothing is known to model them: the path stands for fewer than it should.
    pub fn narrow(&mut self, left_out: impl Into<String>) {
        self.narrowed.push(left_out.into());
    }

    /// Inputs that were left out.
    pub fn narrowed(&self) -> &[String] {
        &self.narrowed
    }

    /// Whether anything is assumed about the heap before the run.
    pub fn assumes_heap(&self) -> bool {
        !self.assumptions.is_empty()
    }

    /// What a function of the library gives for characters from `first` on, if it was found out before.
    pub fn stretches(&self, function: MethodId, argument: u32, first: u32) -> Option<Rc<[Stretch]>> {
        self.tables.get(&(function, argument, first)).cloned()
    }

    pub fn keep_stretches(&mut self, function: MethodId, argument: u32, first: u32, found: Rc<[Stretch]>) {
        self.tables.insert((function, argument, first), found);
    }

    /// The method that fills unknown containers of a class with up to so many elements, if it was made before.
    pub fn filler(&self, class: ClassId, most: u32) -> Option<MethodId> {
        self.fillers.get(&(class, most)).copied()
    }

    pub fn keep_filler(&mut self, class: ClassId, most: u32, method: MethodId) {
        self.fillers.insert((class, most), method);
    }

    /// Equal for paths on which equally much is known, decided and made.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (&self.path, &self.decided, self.facts_log.len(), self.bindings_log.len()).hash(&mut hasher);
        (self.variables.len(), self.entities.len(), self.choices, self.picks.len()).hash(&mut hasher);
        (self.visits.len(), self.forks.len(), self.serials, self.decisions_made).hash(&mut hasher);
        (self.lengths.len(), self.unlaid.len(), self.calls.len(), self.narrowed.len()).hash(&mut hasher);
        (self.assumptions.len(), self.detours.len()).hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn new_variable(&mut self, sort: Sort, kind: Kind, origin: Origin) -> u32 {
        self.variables.push(Variable { sort, kind, origin });
        self.variables.len() as u32 - 1
    }
}
