//! What can be said about the input of a test, in words that go into its name.

use std::collections::BTreeSet;
use std::iter;

use explore::condition::{Condition, Expression};
use explore::explain::Decided;
use machine::Machine;
use machine::symbolic::By;
use testcase::{Node, Value};
use values::input::Input;
use values::replay::Ended;

use crate::harvest::Found;
use crate::naming::{
    Telling, condition_words, constant_words, count_words, number_words, parameter_names, text_words,
    upper_first,
};
use crate::shape::{Make, Member, Shape, Step};
use crate::types::{self, Type};

/// Longer ones are not read.
const LONGEST: usize = 48;
/// How two parts of an input compare is read where it is shorter than that.
const READABLE: usize = 32;
/// Numbers of parameters.
const COUNTS: [&str; 7] = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

/// Something that is true of a test.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// `AmountIsNegative`
    pub words: String,
    pub rank: Rank,
    meaning: Meaning,
}

/// What a reader prefers, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A condition that the program asks for.
    Asked,
    /// What an argument of the call is.
    Argument,
    /// A condition that the library asks for.
    Library,
    /// What was called before.
    Before,
    /// How parts of what the call is made with compare.
    Parts,
    /// A condition or a fact about one of them.
    Part,
    /// What nearly every input meets.
    Weak,
    /// Which of several methods of the name is called.
    Overload,
}

impl Phrase {
    /// Whether it says which of many values something is, and another one would do as well.
    pub fn is_any_value(&self) -> bool {
        let Meaning::Fact(_, is) = &self.meaning else { return false };
        let Some(value) = is.strip_prefix("Is") else { return false };
        let value = value.strip_prefix("Minus").unwrap_or(value);
        value == "One" || value.len() == 1 || value.chars().all(|digit| digit.is_ascii_digit())
    }
}

#[derive(Clone, Debug)]
enum Meaning {
    Condition(Condition),
    /// A subject, and what is said about it.
    Fact(String, String),
}

/// A call, with everything that can be said about it.
pub struct Told {
    pub phrases: Vec<Phrase>,
    facts: Vec<Fact>,
    input: Input,
}

/// What a value is: several things, from the one that says least to the one that says most.
struct Fact {
    subject: String,
    is: Vec<String>,
    rank: Rank,
}

impl Told {
    pub fn of(m: &mut Machine, found: &Found) -> Told {
        let facts = facts(m, found);
        let mut phrases = Vec::new();
        let inner: Vec<&String> =
            inner_leaves(&found.shape).into_iter().filter_map(|leaf| found.shape.names.get(leaf)).collect();
        let is_outer = |decided: &&Decided| !inner.iter().any(|name| decided.condition.mentions(name));
        let told = found.conditions.iter().rev().filter(|decided| decided.by != By::Aside).filter(is_outer);
        for (back, decided) in told.enumerate() {
            let Some((words, telling)) = condition_words(&decided.condition) else { continue };
            let rank = match (telling, decided.by) {
                (Telling::Little, _) => Rank::Weak,
                _ if !is_about_call(&decided.condition, &found.shape) => match decided.by {
                    By::Program if compares_two(&decided.condition) && words.len() <= READABLE => Rank::Parts,
                    _ => Rank::Part,
                },
                (_, By::Program) => Rank::Asked,
                // What is looked at last is what decides.
                _ if back == 0 => Rank::Asked,
                _ => Rank::Library,
            };
            phrases.push(Phrase { words, rank, meaning: Meaning::Condition(decided.condition.clone()) });
        }
        for fact in &facts {
            for is in &fact.is {
                let words = format!("{}{is}", fact.subject);
                let meaning = Meaning::Fact(fact.subject.clone(), is.clone());
                let is_cause = is == "IsNull" && is_null_pointer(&found.end);
                let rank = if is_cause { Rank::Asked } else { fact.rank };
                let phrase = Phrase { words, rank, meaning };
                if is_cause { phrases.insert(0, phrase) } else { phrases.push(phrase) }
            }
        }
        let mut told = Told { phrases: Vec::new(), facts, input: found.input.clone() };
        phrases.retain(|phrase| phrase.words.len() <= LONGEST && told.meets(phrase) == Some(true));
        told.phrases = phrases;
        told
    }

    /// Whether a phrase is true of this call; none if that cannot be told.
    pub fn meets(&self, phrase: &Phrase) -> Option<bool> {
        match &phrase.meaning {
            Meaning::Condition(condition) => {
                // What is said about something that this call does not have is not true of it.
                let is_about = |name: &String| !name.is_empty() && condition.mentions(name);
                if !self.input.names.iter().any(is_about) {
                    return Some(false);
                }
                condition.holds(&self.input)
            }
            Meaning::Fact(subject, is) => {
                let fact = self.facts.iter().find(|fact| fact.subject == *subject);
                Some(fact.is_some_and(|fact| fact.is.contains(is)))
            }
        }
    }
}

fn compares_two(condition: &Condition) -> bool {
    matches!(&condition.0, Expression::Infix(_, parts)
        if matches!(**parts, [Expression::Place(_), Expression::Place(_)]))
}

/// Whether a condition is about an argument of the call under test.
fn is_about_call(condition: &Condition, shape: &Shape) -> bool {
    shape.receiver.iter().chain(&shape.arguments).any(|made| match made {
        Make::Leaf { number, .. } | Make::Boxed { number, .. } => {
            shape.names.get(*number).is_some_and(|name| condition.mentions(name))
        }
        _ => false,
    })
}

fn is_null_pointer(end: &Ended) -> bool {
    matches!(end, Ended::Threw { class, .. } if class == "java.lang.NullPointerException")
}

fn facts(m: &mut Machine, found: &Found) -> Vec<Fact> {
    let shape = &found.shape;
    let mut facts: Vec<Fact> = Vec::new();
    let mut direct = Vec::new();
    if let Some(Make::Leaf { number, .. }) = &shape.receiver
        && let (Some(value), Some(name)) = (found.input.arguments.get(*number), shape.names.get(*number))
    {
        direct.push(*number);
        let is = value_words(value, &found.input.nodes);
        facts.push(Fact { subject: upper_first(name), is, rank: Rank::Argument });
    }
    let names = shape.act.find(m).map(|id| parameter_names(m, id)).unwrap_or_default();
    for (made, name) in shape.arguments.iter().zip(&names) {
        if let Make::Leaf { number, .. } | Make::Boxed { number, .. } = made {
            direct.push(*number);
        }
        let is = made_words(made, &names, &found.input);
        facts.push(Fact { subject: upper_first(name), is, rank: Rank::Argument });
    }
    let inner = inner_leaves(shape);
    let parts = shape.names.iter().enumerate();
    let parts = parts.filter(|(number, _)| !direct.contains(number) && !inner.contains(number));
    for (number, name) in parts {
        let Some(value) = found.input.arguments.get(number) else { continue };
        let is = value_words(value, &found.input.nodes);
        facts.push(Fact { subject: upper_first(name), is, rank: Rank::Part });
    }
    facts.extend(before(shape));
    facts.push(Fact { subject: "Given".into(), is: vec![given(&shape.act)], rank: Rank::Overload });
    facts
}

/// Leaves that have no name which says what they are: elements of something, and parts of parts.
fn inner_leaves(shape: &Shape) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let steps = shape.setup.iter().flat_map(Step::values);
    shape.arguments.iter().chain(&shape.receiver).for_each(|made| collect_inner(made, 0, &mut found));
    steps.for_each(|made| collect_inner(made, 1, &mut found));
    found
}

/// What is so deep inside that a name does not tell.
const DEEP: usize = 2;

fn collect_inner(made: &Make, depth: usize, found: &mut BTreeSet<usize>) {
    let mut each = |parts: &[Make], depth: usize| {
        parts.iter().for_each(|part| collect_inner(part, depth, found));
    };
    match made {
        Make::Leaf { number, .. } | Make::Boxed { number, .. } if depth >= DEEP => {
            found.insert(*number);
        }
        Make::Collection { elements, .. } | Make::Array { elements, .. } => each(elements, DEEP),
        Make::New { arguments, .. } | Make::Factory { arguments, .. } => each(arguments, depth + 1),
        Make::Result { object, arguments, .. } => {
            each(arguments, depth + 1);
            collect_inner(object, depth + 1, found);
        }
        Make::Cast { object, .. } => collect_inner(object, depth, found),
        Make::Built { object, steps } => {
            steps.iter().for_each(|step| each(step.values(), depth + 1));
            collect_inner(object, depth, found);
        }
        Make::Forced { object, fields } => {
            fields.iter().for_each(|(_, value)| each(std::slice::from_ref(value), depth + 1));
            collect_inner(object, depth, found);
        }
        _ => {}
    }
}

/// The types of the parameters.
fn given(act: &Member) -> String {
    let mut types = types::descriptor_types(&act.descriptor);
    types.pop();
    let words: Vec<String> = types.iter().map(type_words).collect();
    match &words[..] {
        [] => "Nothing".into(),
        [first, rest @ ..] if rest.iter().all(|other| other == first) && words.len() > 1 => {
            format!("{}{first}s", COUNTS.get(words.len()).unwrap_or(&"Many"))
        }
        words => words.join("And"),
    }
}

fn type_words(kind: &Type) -> String {
    match kind {
        Type::Array(element) => format!("{}Array", type_words(element)),
        Type::Class(name, _) => match name.rsplit(['/', '$']).next().unwrap_or(name) {
            // The primitive of the same name is told first.
            boxed @ ("Boolean" | "Byte" | "Short" | "Long" | "Float" | "Double") => format!("Boxed{boxed}"),
            simple => simple.to_string(),
        },
        kind => upper_first(&machine::external_type(&kind.descriptor())),
    }
}

/// What was called before on the object under test.
fn before(shape: &Shape) -> Option<Fact> {
    let turned = turned(shape);
    if shape.setup.is_empty() && turned.is_empty() {
        let is_new = matches!(shape.receiver, Some(Make::New { .. }));
        return is_new.then(|| Fact { subject: String::new(), is: vec!["New".into()], rank: Rank::Before });
    }
    let done = shape.setup.iter().map(|step| match step {
        Step::Call { method, .. } => method.name.clone(),
        Step::Write { field, .. } => format!("{}IsSet", field.name),
    });
    let mut calls: Vec<(String, usize)> = Vec::new();
    for name in turned.into_iter().chain(done) {
        match calls.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => calls.push((name, 1)),
        }
    }
    let words = calls.iter().map(|(name, count)| match count {
        1 => upper_first(name),
        2 => format!("{}Twice", upper_first(name)),
        count => format!("{}{count}Times", upper_first(name)),
    });
    let is = vec![words.collect::<Vec<_>>().join("And")];
    Some(Fact { subject: "After".into(), is, rank: Rank::Before })
}

/// The calls that each gave another object in the place of the one under test.
fn turned(shape: &Shape) -> Vec<String> {
    let mut names = Vec::new();
    let mut made = shape.receiver.as_ref().filter(|_| shape.given_by.is_none());
    while let Some(Make::Result { object, method, .. }) = made
        && method.class == shape.act.class
    {
        names.push(method.name.clone());
        made = Some(object);
    }
    names.reverse();
    names
}

/// What can be said about something that is made.
fn made_words(made: &Make, names: &[String], input: &Input) -> Vec<String> {
    let leaf = |number: &usize| {
        input.arguments.get(*number).map_or(Vec::new(), |value| value_words(value, &input.nodes))
    };
    match made {
        Make::Leaf { number, .. } | Make::Boxed { number, .. } => leaf(number),
        Make::Text(text) => string_words(text),
        Make::Null(_) => vec!["IsNull".into()],
        Make::Receiver => vec!["IsTheSame".into()],
        Make::Argument { number, .. } => {
            names.get(*number).map(|name| format!("IsTheSameAs{}", upper_first(name))).into_iter().collect()
        }
        Make::Constant { field, .. } => {
            constant_words(&field.name).map(|words| format!("Is{words}")).into_iter().collect()
        }
        Make::Collection { class, elements, .. } if library::is_map(class) => {
            vec![count_words(elements.len() / 2, "Entry").replace("Entrys", "Entries")]
        }
        Make::Collection { elements, .. } | Make::Array { elements, .. } => {
            let each: Vec<Vec<String>> =
                elements.iter().map(|element| made_words(element, names, input)).collect();
            iter::once(count_words(elements.len(), "Element")).chain(end_words(&each)).collect()
        }
        _ => Vec::new(),
    }
}

fn value_words(value: &Value, nodes: &[Node]) -> Vec<String> {
    match value {
        Value::Null => vec!["IsNull".into()],
        Value::Boolean(truth) => vec![if *truth { "IsTrue".into() } else { "IsFalse".into() }],
        Value::Char(unit) => letter_words(*unit),
        Value::Byte(number) => whole_words(i64::from(*number)),
        Value::Short(number) => whole_words(i64::from(*number)),
        Value::Int(number) => whole_words(i64::from(*number)),
        Value::Long(number) => whole_words(*number),
        Value::Float(number) => float_words(f64::from(*number)),
        Value::Double(number) => float_words(*number),
        Value::Node(node) => nodes.get(*node).map_or(Vec::new(), |node| node_words(node, nodes)),
    }
}

fn whole_words(number: i64) -> Vec<String> {
    let mut is = Vec::new();
    match number {
        0 => {}
        i64::MIN..0 => is.push("IsNegative".to_string()),
        _ => is.push("IsPositive".to_string()),
    }
    match number_words(number) {
        Some(words) => is.push(format!("Is{words}")),
        // Dates are often written as one number.
        None if (0..100_000_000).contains(&number) => is.push(format!("Is{number}")),
        None if number > 0 => is.push("IsLarge".into()),
        None => is.push("IsFarBelowZero".into()),
    }
    is
}

fn float_words(number: f64) -> Vec<String> {
    let named = if number.is_nan() {
        "IsNaN"
    } else if number.is_infinite() {
        "IsInfinite"
    } else if number == 0.0 {
        "IsZero"
    } else {
        let sign = if number < 0.0 { "IsNegative" } else { "IsPositive" };
        let words = (number.fract() == 0.0).then(|| number_words(number as i64)).flatten();
        return [Some(sign.to_string()), words.map(|words| format!("Is{words}"))]
            .into_iter()
            .flatten()
            .collect();
    };
    vec![named.into()]
}

fn letter_words(unit: u16) -> Vec<String> {
    let Some(letter) = char::from_u32(u32::from(unit)) else { return Vec::new() };
    let class = match letter {
        '0'..='9' => "IsDigit",
        letter if letter.is_uppercase() => "IsUpperCase",
        letter if letter.is_alphabetic() => "IsLetter",
        letter if letter.is_whitespace() => "IsBlank",
        letter if letter.is_control() => "IsControl",
        _ => "IsSign",
    };
    let words = text_words(&letter.to_string()).unwrap_or_else(|| format!("Code{unit}"));
    vec![class.to_string(), format!("Is{words}")]
}

fn string_words(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec!["IsEmpty".into()];
    }
    if text.chars().all(char::is_whitespace) {
        return vec!["IsBlank".into(), count_words(text.chars().count(), "Character")];
    }
    match text_words(text) {
        Some(words) => {
            let mut is = vec![format!("Is{words}")];
            let letters = || text.chars().filter(|c| c.is_alphabetic());
            // Words in names do not tell large letters from small ones.
            if letters().next().is_some() {
                let is_large = letters().all(char::is_uppercase);
                let is_small = letters().all(char::is_lowercase);
                let case = if is_large {
                    "Upper"
                } else if is_small {
                    "Lower"
                } else {
                    "Mixed"
                };
                is.push(format!("Is{case}Case"));
            }
            is
        }
        None => {
            let ends = [("StartsWith", text.chars().next()), ("EndsWith", text.chars().next_back())];
            let ends = ends.into_iter().filter_map(|(what, letter)| {
                text_words(&letter?.to_string()).map(|words| format!("{what}{words}"))
            });
            iter::once(count_words(text.encode_utf16().count(), "Character")).chain(ends).collect()
        }
    }
}

fn node_words(node: &Node, nodes: &[Node]) -> Vec<String> {
    match node {
        Node::String(units) => string_words(&String::from_utf16_lossy(units)),
        Node::Enum { name, .. } => {
            constant_words(name).map(|words| format!("Is{words}")).into_iter().collect()
        }
        Node::Boxed { value, .. } => value_words(value, nodes),
        Node::List { elements, .. } => {
            let mut is = vec![count_words(elements.len(), "Element")];
            is.extend(held_words(elements, nodes));
            let each: Vec<Vec<String>> = elements.iter().map(|element| value_words(element, nodes)).collect();
            is.extend(end_words(&each));
            is
        }
        Node::Map { entries, .. } => {
            vec![count_words(entries.len(), "Entry").replace("Entrys", "Entries")]
        }
        Node::Text { .. } | Node::Object { .. } => Vec::new(),
    }
}

/// What is first and last among several things, by what each is.
fn end_words(each: &[Vec<String>]) -> Vec<String> {
    let [first, .., last] = each else { return Vec::new() };
    let ends = [("StartsWith", first), ("EndsWith", last)];
    ends.into_iter()
        .flat_map(|(end, is)| is.last().and_then(|is| is.strip_prefix("Is")).map(|is| format!("{end}{is}")))
        .collect()
}

/// What is in a short list.
fn held_words(elements: &[Value], nodes: &[Node]) -> Option<String> {
    if elements.is_empty() || elements.len() > 3 {
        return None;
    }
    let each: Option<Vec<String>> = elements
        .iter()
        .map(|element| match element {
            Value::Node(node) if let Node::String(units) = &nodes[*node] => {
                text_words(&String::from_utf16_lossy(units))
            }
            element => value_words(element, nodes).last()?.strip_prefix("Is").map(String::from),
        })
        .collect();
    Some(format!("Holds{}", each?.join("And")))
}
