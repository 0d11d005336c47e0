//! What a finished path claims about its end, and whether running its input again bears it out.

use machine::{End, Machine, Value};
use program::{Kind, MethodId};
use search::{PathEnd, Search, Unknowns};
use term::{Evaluator, Model};
use values::input;
use values::replay::{Ended, Seen, Twin};
use values::{Parameter, Reason};

use crate::Again;
use crate::history::{History, Named, Static};

/// What a path says about its end.
#[derive(Debug)]
pub struct Claim {
    end: ClaimedEnd,
    /// The bits of a number that is returned, as far as a model tells.
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
    pub fn check(&self, seen: &Seen) -> Result<(), Reason> {
        let fits = match (&self.end, &seen.end) {
            (ClaimedEnd::Returned, Ended::Returned) => match (&self.result, &seen.returned) {
                (Some(claimed), Some(graph)) => same(claimed, &graph.root),
                _ => true,
            },
            (ClaimedEnd::Exited, Ended::Exited(_)) => true,
            (ClaimedEnd::Threw(class), Ended::Threw { class: seen, .. }) => class == seen,
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => {
                let returned = seen.returned.as_ref().map(|graph| &graph.root);
                Err(Reason::Different(format!(
                    "running the input again gave another end: {:?} {returned:?} for {self:?}",
                    seen.end
                )))
            }
        }
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

/// Runs the input of a finished path again and compares. The input is the one the path was found with, so that this asks
/// the solver nothing. An input that cannot be written down is not run.
pub fn verify(
    search: &mut Search<Unknowns>,
    again: &mut Again,
    called: &Called,
    parameters: &[Parameter],
    end: &PathEnd,
) -> Result<(), Reason> {
    let model = search.model();
    let m = search.machine();
    let Ok(input) = input::read(m, parameters, &model) else { return Ok(()) };
    let claim = Claim::of(m, called.method(), end, &model);
    let twin = called.twin(m, again)?;
    let seen = again.replayer()?.run(twin, parameters, &input, &[])?;
    claim.check(&seen)
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
