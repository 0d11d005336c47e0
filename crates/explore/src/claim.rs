//! What a finished path claims about its end, and whether running its input again bears it out.

use std::fmt;

use machine::{End, Machine, Value};
use program::{Kind, MethodId};
use search::{PathEnd, Search, Unknowns};
use term::{Evaluator, Model};
use values::difference;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Twin};
use values::{Parameter, Reason};

use crate::Again;
use crate::history::{History, Named, Static};

/// What a path says about its end.
#[derive(Debug)]
pub struct Claim {
    end: ClaimedEnd,
    /// A number that is returned, as far as a model tells.
    result: Option<testcase::Value>,
}

#[derive(Debug)]
enum ClaimedEnd {
    Returned,
    Threw(String),
    Exited,
}

impl Claim {
    /// What the path claims at whose end the machine stands, for the input of a model.
    pub fn of(m: &Machine, method: MethodId, end: &PathEnd, model: &Model) -> Claim {
        let (end, result) = match end {
            PathEnd::End(End::Threw(exception)) => {
                (ClaimedEnd::Threw(m.class_name_of(*exception).replace('/', ".")), None)
            }
            PathEnd::Stop(_) => (ClaimedEnd::Exited, None),
            PathEnd::End(End::Returned(value)) => (ClaimedEnd::Returned, number(m, method, *value, model)),
        };
        Claim { end, result }
    }

    /// Whether a run ended as claimed. The error says how it differs.
    pub fn check(&self, end: &Ended, returned: Option<&testcase::Value>) -> Result<(), Reason> {
        let fits = match (&self.end, end) {
            (ClaimedEnd::Returned, Ended::Returned) => match (&self.result, returned) {
                (Some(claimed), Some(seen)) => same(claimed, seen),
                _ => true,
            },
            (ClaimedEnd::Exited, Ended::Exited(_)) => true,
            (ClaimedEnd::Threw(class), Ended::Threw { class: seen, .. }) => class == seen,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let number = |value: Option<&testcase::Value>| {
            value.map_or_else(String::new, |value| format!(" {}", shown(value)))
        };
        let seen = match end {
            Ended::Returned => format!("returned{}", number(returned)),
            Ended::Threw { class, .. } => format!("threw {class}"),
            Ended::Exited(status) => format!("exited with status {status}"),
        };
        Err(difference::found(format!(
            "a path that {self} differs from its input, which {seen} when it was run again"
        )))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.end, &self.result) {
            (ClaimedEnd::Returned, Some(value)) => write!(f, "returns {}", shown(value)),
            (ClaimedEnd::Returned, None) => write!(f, "returns"),
            (ClaimedEnd::Threw(class), _) => write!(f, "throws {class}"),
            (ClaimedEnd::Exited, _) => write!(f, "exits"),
        }
    }
}

fn shown(value: &testcase::Value) -> String {
    use testcase::Value::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    match value {
        Boolean(value) => value.to_string(),
        Byte(value) => value.to_string(),
        Short(value) => value.to_string(),
        Char(value) => value.to_string(),
        Int(value) => value.to_string(),
        Long(value) => value.to_string(),
        Float(value) => value.to_string(),
        Double(value) => value.to_string(),
        _ => "an object".into(),
    }
}

/// All that is not a number is the same.
fn same(claimed: &testcase::Value, seen: &testcase::Value) -> bool {
    use testcase::Value::{Double, Float};
    match (claimed, seen) {
        (Float(one), Float(other)) => one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan(),
        (Double(one), Double(other)) => one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan(),
        (one, other) => one == other,
    }
}

/// A number that a method returns, under a model. None if it is something else, or still to be chosen.
fn number(m: &Machine, method: MethodId, value: Value, model: &Model) -> Option<testcase::Value> {
    let kind = m.program.method(method).signature.result;
    if kind == Kind::Ref {
        return None;
    }
    let word = match value {
        Value::One(word) | Value::Two(word) | Value::Pending2(word) => word,
        _ => return None,
    };
    let is_wide_and_known = matches!(value, Value::Two(_));
    let bits = match machine::symbolic::term_of(word).filter(|_| !is_wide_and_known) {
        Some(term) => {
            let mut evaluator = Evaluator::new();
            evaluator.eval(m.terms(), model, term)
        }
        None if is_wide_and_known || !machine::value::is_unknown(word) => word,
        None => return None,
    };
    Some(testcase::Value::of(kind.letter(), bits))
}

/// A finished path: what it claims, and an input to see.
pub struct Finished {
    claim: Claim,
    input: Input,
}

impl Finished {
    /// The path at whose end a search stands. The input is the one it was found with, so that this asks the solver
    /// nothing. None if it cannot be written down.
    pub fn of(
        search: &mut Search<Unknowns>,
        method: MethodId,
        parameters: &[Parameter],
        end: &PathEnd,
    ) -> Option<Finished> {
        let model = search.model();
        let m = search.machine();
        let input = input::read(m, parameters, &model).ok()?;
        Some(Finished { claim: Claim::of(m, method, end, &model), input })
    }

    /// Runs the input and compares.
    pub fn verify(
        &self,
        replayer: &mut Replayer,
        twin: Twin,
        parameters: &[Parameter],
    ) -> Result<(), Reason> {
        match replayer.end(twin, parameters, &self.input) {
            Ok((end, returned)) => self.claim.check(&end, returned.as_ref()),
            // A path is of many inputs, and this one cannot be made.
            Err(Reason::Refused) => Ok(()),
            Err(why) => Err(why),
        }
    }
}

/// The method that was entered: the one that is asked about, or one that first makes up what happened before.
#[derive(Clone, Debug)]
pub enum Called {
    Itself(MethodId),
    After(History),
}

impl Called {
    pub fn method(&self) -> MethodId {
        match self {
            Called::Itself(method) => *method,
            Called::After(history) => history.method,
        }
    }

    /// The static fields that are set.
    pub fn statics(&self) -> &[Static] {
        match self {
            Called::Itself(_) => &[],
            Called::After(history) => &history.statics,
        }
    }

    /// What was called before.
    pub fn before(&self) -> &[Named] {
        match self {
            Called::Itself(_) => &[],
            Called::After(history) => &history.before,
        }
    }

    /// The method in the machine that runs inputs again.
    pub fn twin(&self, m: &Machine, again: &mut Again) -> Result<Twin, Reason> {
        match self {
            Called::Itself(method) => again.replayer()?.twin_of(m, *method),
            Called::After(history) => Ok(history.twin),
        }
    }
}
