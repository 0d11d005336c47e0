//! The names of the tests of a class: what is called, what comes of it, and what sets the input apart from those of the
//! other tests.

use std::collections::BTreeSet;

use machine::Machine;
use program::spelling::is_keyword;
use testcase::Value;
use testcase::script::{Check, Ending, Expr, Test};

use crate::harvest::Found;
use crate::naming::{constant_words, number_words, upper_first};
use crate::phrases::{Phrase, Rank, Told};
use crate::shape::{Make, Member, Shape};

/// Methods every class has, and what test classes call by simple names: a test must not have their names.
const TAKEN: &[&str] = &[
    "toString",
    "hashCode",
    "equals",
    "clone",
    "finalize",
    "notify",
    "notifyAll",
    "wait",
    "getClass",
    "resetStatics",
    "construct",
    "staticField",
    "setField",
];

/// Gives the tests of a class their names.
pub fn name(m: &mut Machine, tests: &mut [(Test, &Found)]) {
    let entries: Vec<Entry> = tests.iter().map(|(test, found)| Entry::of(m, test, found)).collect();
    let mut taken = BTreeSet::new();
    for (index, (test, _)) in tests.iter_mut().enumerate() {
        let entry = &entries[index];
        let others = entries.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        let others: Vec<&Entry> = others.filter(|other| other.verb == entry.verb).collect();
        test.name = unique(allowed(entry.name(&others)), &mut taken);
    }
}

/// What is known of a test that is to be named.
struct Entry {
    verb: String,
    outcome: String,
    throws: bool,
    told: Told,
}

impl Entry {
    fn of(m: &mut Machine, test: &Test, found: &Found) -> Entry {
        Entry {
            verb: verb(&found.shape),
            outcome: outcome(&found.shape.act, test),
            throws: matches!(test.ending, Ending::Throws { .. }),
            told: Told::of(m, found),
        }
    }

    /// The name of the test among the other tests of the method.
    fn name(&self, others: &[&Entry]) -> String {
        let base = format!("{}{}", self.verb, self.outcome);
        let (same, different): (Vec<&Entry>, Vec<&Entry>) =
            others.iter().copied().partition(|other| other.outcome == self.outcome);
        let phrases = &self.told.phrases;
        let best = phrases.iter().min_by_key(|phrase| {
            let confused = confused(phrase, &same).len();
            let elsewhere = phrase.rank == Rank::Overload || confused_any(phrase, &different);
            (confused, elsewhere, phrase.rank)
        });
        let Some(best) = best else { return base };
        let left = confused(best, &same);
        if left.is_empty() && self.throws && best.rank == Rank::Overload {
            return base + &self.why(best, &different);
        }
        if left.is_empty() {
            return if self.is_needed(best, &same, &different) { base + &best.told() } else { base };
        }
        // One thing does not tell them apart: perhaps another one beside it does.
        let beside = phrases
            .iter()
            .filter(|phrase| phrase.words != best.words)
            .min_by_key(|phrase| (confused(phrase, &left).len(), phrase.rank));
        match beside {
            Some(beside) if confused(beside, &left).len() < left.len() => base + &together(best, beside),
            _ if left.len() < same.len() => base + &best.told(),
            _ => base,
        }
    }

    /// Which of several methods of the name it is that throws, and what is true of no call of it that ends otherwise.
    fn why(&self, overload: &Phrase, different: &[&Entry]) -> String {
        let own: Vec<&Entry> = different
            .iter()
            .copied()
            .filter(|other| other.told.phrases.iter().any(|phrase| phrase.words == overload.words))
            .collect();
        let of_input = |phrase: &&Phrase| phrase.rank <= Rank::Argument && !confused_any(phrase, &own);
        match self.told.phrases.iter().filter(of_input).min_by_key(|phrase| phrase.rank) {
            Some(phrase) => together(overload, phrase),
            None => overload.told(),
        }
    }

    /// Whether a phrase that is true of no other test with this outcome belongs into the name.
    fn is_needed(&self, phrase: &Phrase, same: &[&Entry], different: &[&Entry]) -> bool {
        if !same.is_empty() {
            return true;
        }
        match self.throws {
            // What is true of calls that end otherwise is not why this one throws.
            true => {
                (phrase.rank <= Rank::Argument || phrase.rank < Rank::Weak && !different.is_empty())
                    && !confused_any(phrase, different)
            }
            false => {
                let is_why = phrase.rank <= Rank::Parts && !phrase.is_any_value();
                is_why && !different.is_empty() && !confused_any(phrase, different)
            }
        }
    }
}

impl Phrase {
    /// Whether it needs no `When`.
    fn is_whole(&self) -> bool {
        self.rank == Rank::Overload || self.rank == Rank::Before && self.words != "New"
    }

    /// As the end of a name.
    fn told(&self) -> String {
        if self.is_whole() { self.words.clone() } else { format!("When{}", self.words) }
    }
}

fn together(one: &Phrase, other: &Phrase) -> String {
    let (first, second) = if one.is_whole() || other.rank < one.rank { (other, one) } else { (one, other) };
    if second.is_whole() {
        format!("{}{}", first.told(), second.told())
    } else {
        format!("{}And{}", first.told(), second.words)
    }
}

/// The tests of which a phrase may be true as well.
fn confused<'a>(phrase: &Phrase, tests: &[&'a Entry]) -> Vec<&'a Entry> {
    tests.iter().copied().filter(|test| test.told.meets(phrase) != Some(false)).collect()
}

fn confused_any(phrase: &Phrase, tests: &[&Entry]) -> bool {
    tests.iter().any(|test| test.told.meets(phrase) != Some(false))
}

fn allowed(name: String) -> String {
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    match name.as_str() {
        "toString" => return "toStringReturnsText".into(),
        "hashCode" => return "hashCodeReturnsNumber".into(),
        _ => {}
    }
    match TAKEN.contains(&name.as_str()) || is_keyword(&name) || name.starts_with("assert") {
        true => name + "Works",
        false => name,
    }
}

fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut count = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}Case{count}");
        count += 1;
    }
    candidate
}

fn verb(shape: &Shape) -> String {
    let act = &shape.act;
    let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object");
    let name = if act.name == "<init>" { format!("new{simple}") } else { act.name.clone() };
    // The way there tells `iterator().remove()` from `remove()`.
    let mut way = if shape.given_by.is_some() { shape.receiver.as_ref() } else { None };
    let mut verb = name;
    while let Some(Make::Result { method, .. } | Make::Factory { method, .. }) = way {
        verb = format!("{}{}", method.name, upper_first(&verb));
        way = match way {
            Some(Make::Result { object, .. }) => Some(&**object),
            _ => None,
        };
    }
    verb
}

/// What comes of the call.
fn outcome(act: &Member, test: &Test) -> String {
    // Which number it is is nobody's concern.
    if act.name == "hashCode" && matches!(test.ending, Ending::Returns { .. }) {
        return String::new();
    }
    let kept = match &test.ending {
        Ending::Throws { class, .. } => {
            let simple = class.rsplit('.').next().unwrap_or(class);
            return format!("Throws{simple}");
        }
        Ending::Returns { .. } if act.name == "<init>" => return String::new(),
        Ending::Returns { kept } => kept,
    };
    match (test.checks.first(), kept) {
        (Some(Check::True(Expr::Local(_))), _) => "ReturnsTrue".into(),
        (Some(Check::False(Expr::Local(_))), _) => "ReturnsFalse".into(),
        (Some(Check::Null(Expr::Local(_))), _) => "ReturnsNull".into(),
        (Some(Check::Equals { expected, actual: Expr::Local(_) }), _) => {
            expected_words(expected).map_or(String::new(), |words| format!("Returns{words}"))
        }
        _ => String::new(),
    }
}

fn expected_words(expected: &Expr) -> Option<String> {
    match expected {
        Expr::Literal(Value::Int(value)) => number_words(i64::from(*value)),
        Expr::Literal(Value::Long(value)) => number_words(*value),
        Expr::Text(units) if units.is_empty() => Some("EmptyString".into()),
        Expr::Text(units) => {
            let text = String::from_utf16_lossy(units);
            let plain = text.len() <= 16 && text.chars().all(|c| c.is_ascii_alphanumeric());
            // A text that reads like something else is none of it.
            let seems = matches!(text.as_str(), "null" | "true" | "false") || text.parse::<f64>().is_ok();
            plain.then(|| if seems { format!("Text{}", upper_first(&text)) } else { upper_first(&text) })
        }
        Expr::Static { field, .. } => constant_words(field.rsplit('.').next()?),
        Expr::StaticCall { class, method, arguments } if arguments.is_empty() => {
            match (class.as_str(), method.as_str()) {
                ("java.util.List", "of") => Some("EmptyList".into()),
                ("java.util.Optional", "empty") => Some("Empty".into()),
                _ => None,
            }
        }
        _ => None,
    }
}
