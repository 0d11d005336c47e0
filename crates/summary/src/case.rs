//! What a summary is.

use machine::{Bounds, Decision};
use program::{ClassId, Kind, MethodId};
use rustc_hash::FxHashMap;
use term::Term;

/// The cases of a method. They exclude each other, and one of them holds for every call.
///
/// Terms are over [`Meaning`]s: what places hold when the method is called.
#[derive(Clone, Debug)]
pub struct Summary {
    pub method: MethodId,
    pub places: Vec<Place>,
    /// For places that lead to objects, the places whose objects were met before on every path: what one leads to is another
    /// object than theirs, or one of theirs.
    pub apart: FxHashMap<u32, Vec<u32>>,
    pub cases: Vec<Case>,
    /// How the cases are told apart.
    pub tree: Tree,
    /// The bounds it was made for.
    pub bounds: Bounds,
    /// Classes that have to be initialized before a call for this to be what it does.
    pub initialized: Vec<ClassId>,
    /// Whether it was taken for granted that assertions are enabled.
    pub supposes_assertions: bool,
    /// Instructions that were run to make it.
    pub steps: u64,
}

/// What a variable of a summary stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// What the place with this number holds.
    Value(u32),
    /// The object that the place leads to.
    Object(u32),
    /// Whether the object of the place is there, and none of those met before.
    Exists(u32),
}

impl Meaning {
    /// The number of the variable.
    pub fn variable(self) -> u32 {
        match self {
            Meaning::Value(place) => place << 2,
            Meaning::Object(place) => place << 2 | 1,
            Meaning::Exists(place) => place << 2 | 2,
        }
    }

    pub fn of(variable: u32) -> Meaning {
        match variable & 3 {
            0 => Meaning::Value(variable >> 2),
            1 => Meaning::Object(variable >> 2),
            _ => Meaning::Exists(variable >> 2),
        }
    }
}

/// Where a call finds something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// An argument, the receiver first, and the slot in which it begins.
    Argument { number: u32, slot: u16, kind: Kind },
    /// A field of the object that another place leads to.
    Field { of: u32, owner: ClassId, offset: u32, kind: Kind },
    /// An element of the array that another place leads to.
    Element { of: u32, index: u32, kind: Kind },
    /// The length of the array that another place leads to.
    Length { of: u32 },
}

impl Place {
    pub fn kind(self) -> Kind {
        match self {
            Place::Argument { kind, .. } | Place::Field { kind, .. } | Place::Element { kind, .. } => kind,
            Place::Length { .. } => Kind::Int,
        }
    }
}

/// One way through a method.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is decided on the way.
    pub decisions: Vec<Decision>,
    /// Which cases of other methods did the calls on the way.
    pub schedule: Vec<(MethodId, u32)>,
    pub effect: Effect,
}

/// Which case it is: one of several decisions is made, or none is left.
#[derive(Clone, Debug)]
pub enum Tree {
    Decide(Vec<(Decision, Tree)>),
    Case(usize),
}

impl Tree {
    /// The tree of cases that are in the order of a search, from some decision on. None if some do not exclude each other.
    pub fn of(cases: &[Case], first: usize, depth: usize) -> Option<Tree> {
        if let [case] = cases
            && case.decisions.len() == depth
        {
            return Some(Tree::Case(first));
        }
        let mut alternatives: Vec<(Decision, Tree)> = Vec::new();
        let mut begin = 0;
        while begin < cases.len() {
            let decision = *cases[begin].decisions.get(depth)?;
            let is_alike = |case: &&Case| case.decisions.get(depth) == Some(&decision);
            let count = cases[begin..].iter().take_while(is_alike).count();
            if alternatives.iter().any(|(other, _)| other.condition == decision.condition) {
                return None;
            }
            let below = Tree::of(&cases[begin..begin + count], first + begin, depth + 1)?;
            alternatives.push((decision, below));
            begin += count;
        }
        Some(Tree::Decide(alternatives))
    }
}

/// What becomes of a call in some case.
#[derive(Clone, Debug)]
pub enum Effect {
    /// It returns, and leaves nothing behind but what is written.
    Returns {
        result: Option<Term>,
        writes: Vec<Write>,
        /// Branches that are taken on the way.
        taken: Box<[u64]>,
    },
    /// It throws, makes objects, or goes on beyond a bound on visits: the body says it, which has nothing left to decide.
    Runs,
    /// It needs more elements of an array of unknown length than are looked at. An array of known length has no such case.
    Beyond,
}

/// Something that is written. Under `condition`, the object that the place leads to is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Write {
    pub condition: Term,
    pub to: Place,
    pub value: Term,
}
