//! Choices: where the machine stops and the search decides.

use program::Kind;
use term::Term;

/// A proposed choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub label: Label,
    /// Number of alternatives; a decision is a number below it.
    pub alternatives: u64,
}

/// What a choice is about. Turned into words only when somebody wants to read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A number from `lo` on.
    Range { kind: Kind, lo: i64 },
    /// One of several given values.
    Values,
    /// What an unknown value is like: a guard for each alternative, of which one holds.
    Guards(Vec<Term>),
    /// That an assumption holds: the only alternative, and perhaps none.
    Assumed(Term),
    /// The bits of an unknown value; a decision is the bits.
    Bits(Term),
    /// An object of a pool, and what the alternatives are.
    Pool { pool: u32, picks: Vec<crate::pool::Pick> },
}

impl Label {
    /// The guards of the alternatives, if they have any.
    pub fn guards(&self) -> Option<&[Term]> {
        match self {
            Label::Guards(guards) => Some(guards),
            Label::Assumed(condition) => Some(std::slice::from_ref(condition)),
            _ => None,
        }
    }
}

impl Choice {
    /// Which value the alternative stands for, in words.
    pub fn describe(&self, decision: u64) -> String {
        match &self.label {
            Label::Range { kind: Kind::Boolean, .. } => (decision != 0).to_string(),
            Label::Range { kind: Kind::Char, lo } => {
                let value = lo.wrapping_add(decision as i64);
                char::from_u32(value as u32).map_or_else(|| value.to_string(), |c| format!("{c:?}"))
            }
            Label::Range { lo, .. } => lo.wrapping_add(decision as i64).to_string(),
            Label::Values | Label::Bits(_) => format!("value {decision}"),
            Label::Guards(_) | Label::Assumed(_) => format!("alternative {decision}"),
            Label::Pool { picks, .. } => {
                picks.get(decision as usize).map_or_else(|| decision.to_string(), ToString::to_string)
            }
        }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = |lo: i64| lo.wrapping_add(self.alternatives.wrapping_sub(1) as i64);
        match &self.label {
            Label::Range { kind: Kind::Boolean, .. } => write!(f, "boolean"),
            Label::Range { kind, lo } => write!(f, "{} in {}..{}", kind.primitive_name(), lo, last(*lo)),
            Label::Values => write!(f, "one of {} values", self.alternatives),
            Label::Guards(_) => write!(f, "one of {} cases", self.alternatives),
            Label::Assumed(_) => write!(f, "an assumption"),
            Label::Bits(_) => write!(f, "an unknown value"),
            Label::Pool { pool, .. } => write!(f, "object of pool {pool}"),
        }
    }
}

/// When a choice is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// At the call that asks for it.
    Eager,
    /// At the first use that needs the value.
    Delayed,
    /// Never, as long as a term will do.
    Symbolic,
}
