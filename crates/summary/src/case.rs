//! What a summary is.

use machine::{Bounds, Decision};
use program::{ClassId, Kind, MethodId};
use term::Term;

/// The cases of a method. They exclude each other, and one of them holds for every call.
///
/// Terms are over [`Place`]s: the variable with a number is what the place with this number holds when the method is
/// called.
#[derive(Clone, Debug)]
pub struct Summary {
    pub method: MethodId,
    pub places: Vec<Place>,
    pub cases: Vec<Case>,
    /// The bounds it was made for.
    pub bounds: Bounds,
    /// Classes that have to be initialized before a call for this to be what it does.
    pub initialized: Vec<ClassId>,
    /// Whether it was taken for granted that assertions are enabled.
    pub supposes_assertions: bool,
    /// Instructions that were run to make it.
    pub steps: u64,
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
    pub effect: Effect,
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
    /// It throws, makes objects, or goes on beyond a bound: the body says it, which has nothing left to decide.
    Runs,
    /// Nothing is known about it: such a call is as if there were no summary.
    Unknown,
}

/// Something that is written. Under `condition`, the object that the place leads to is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Write {
    pub condition: Term,
    pub to: Place,
    pub value: Term,
}
