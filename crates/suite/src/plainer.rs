//! Values a person would have chosen: an input is made plainer step by step, as long as it shows the same.

use explore::explain::Decided;
use machine::Machine;
use machine::symbolic::By;
use program::access;
use testcase::{Node, Value};

use crate::shape::Shape;
use crate::types::Type;
use values::input::Input;

/// How often an input may be tried for one test.
const TRIES: usize = 24;
/// Constants of an enum that are tried.
const CONSTANTS: usize = 4;
/// Values that are tried for one that is like another.
const APART: usize = 2;
/// Elements of an array that are made plainer.
const ELEMENTS: usize = 4;
/// Letters of a text that was made up.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// Makes an input plainer while `shows` says that it shows the same. It is called a bounded number of times.
pub fn plainer(shape: &Shape, leaves: &Leaves, input: &Input, shows: &mut dyn FnMut(&Input) -> bool) {
    let mut search = Search { shape, leaves, input: input.clone(), left: TRIES, shows };
    // Most values are looked at by nobody: all of them together come first.
    search.all_at_once();
    search.nulls();
    search.equal_ones();
    for leaf in 0..search.shape.leaves.len() {
        search.leaf(leaf);
    }
    for (first, later) in &search.shape.turns {
        search.same(*first, *later);
    }
    search.apart();
}

/// What is known of the leaves of a shape.
#[derive(Default)]
pub struct Leaves {
    /// What reads better than null where nobody looks: a text, constants.
    spare: Vec<Vec<Node>>,
    /// Which are compared with something: where they are, a boundary may be.
    compared: Vec<bool>,
}

impl Leaves {
    pub fn of(m: &Machine, shape: &Shape, decided: &[Decided]) -> Leaves {
        let spare = |(leaf, kind): (usize, &Type)| match kind {
            kind if *kind == Type::string() => vec![Node::String(vec![letter(leaf)])],
            Type::Class(name, _) => constants(m, name),
            _ => Vec::new(),
        };
        let is_compared = |name: &String| {
            decided.iter().any(|decided| decided.by != By::Aside && decided.condition.compares(name))
        };
        Leaves {
            spare: shape.leaves.iter().enumerate().map(spare).collect(),
            compared: shape.names.iter().map(is_compared).collect(),
        }
    }

    fn is_compared(&self, leaf: usize) -> bool {
        self.compared.get(leaf).copied().unwrap_or_default()
    }
}

/// The first constants of an enum.
fn constants(m: &Machine, class: &str) -> Vec<Node> {
    let Some(id) = m.program.find_loaded(class) else { return Vec::new() };
    let fields = m.program.class(id).fields.iter().filter(|field| field.flags & access::ENUM != 0);
    let names = fields.take(CONSTANTS).map(|field| m.program.text(field.name).to_string());
    names.map(|name| Node::Enum { class: class.replace('/', "."), name }).collect()
}

struct Search<'a> {
    shape: &'a Shape,
    leaves: &'a Leaves,
    /// The plainest so far.
    input: Input,
    left: usize,
    shows: &'a mut dyn FnMut(&Input) -> bool,
}

impl Search<'_> {
    /// Takes an input if it shows the same.
    fn is_taken(&mut self, candidate: Input) -> bool {
        if self.left == 0 || candidate == self.input {
            return false;
        }
        self.left -= 1;
        let shows = (self.shows)(&candidate);
        if shows {
            self.input = candidate;
        }
        shows
    }

    fn all_at_once(&mut self) {
        let mut candidate = self.input.clone();
        for leaf in 0..self.shape.leaves.len() {
            if let Some(better) = self.choices(leaf).into_iter().next() {
                put(&mut candidate, leaf, better);
            }
        }
        self.is_taken(candidate);
    }

    /// Where several texts are null, they may have to be equal: they become the same text.
    fn nulls(&mut self) {
        let is_text = |leaf: &usize| self.shape.leaves[*leaf] == Type::string();
        let is_null = |leaf: &usize| self.input.arguments.get(*leaf) == Some(&Value::Null);
        let nulls: Vec<usize> = (0..self.shape.leaves.len()).filter(is_text).filter(is_null).collect();
        if nulls.len() > 1 {
            let mut candidate = self.input.clone();
            for leaf in &nulls {
                put(&mut candidate, *leaf, Choice::Node(Node::String(vec![letter(nulls[0])])));
            }
            self.is_taken(candidate);
        }
    }

    /// Texts that are equal may have to be: they become the same other one.
    fn equal_ones(&mut self) {
        let text = |search: &Search, leaf: usize| match search.input.arguments.get(leaf) {
            Some(Value::Node(node)) => match search.input.nodes.get(*node) {
                Some(Node::String(units)) => Some(units.clone()),
                _ => None,
            },
            _ => None,
        };
        for first in 0..self.shape.leaves.len() {
            let Some(units) = text(self, first).filter(|units| !units.is_empty()) else { continue };
            let all = first..self.shape.leaves.len();
            let equal: Vec<usize> = all.filter(|leaf| text(self, *leaf).as_ref() == Some(&units)).collect();
            if equal.len() < 2 {
                continue;
            }
            for choice in texts(&units, first) {
                let Choice::Node(better) = choice else { continue };
                let mut candidate = self.input.clone();
                for leaf in &equal {
                    put(&mut candidate, *leaf, Choice::Node(better.clone()));
                }
                if self.is_taken(candidate) {
                    break;
                }
            }
        }
    }

    /// Makes what comes later the same as what came first.
    fn same(&mut self, first: usize, later: usize) {
        let mut candidate = self.input.clone();
        if let (Some(value), true) =
            (candidate.arguments.get(first).cloned(), later < candidate.arguments.len())
        {
            candidate.arguments[later] = value;
            // It is worth another try.
            self.left = self.left.max(1);
            self.is_taken(candidate);
        }
    }

    /// Lets values of one type differ: where all are alike, nothing tells which of them was taken.
    fn apart(&mut self) {
        for leaf in 1..self.shape.leaves.len() {
            let is_turn = self.shape.turns.iter().any(|(_, later)| *later == leaf);
            let Some(own) = shown(&self.input, leaf).filter(|_| !is_turn) else { continue };
            if !(0..leaf).any(|earlier| self.shown_of_same_type(earlier, leaf).as_ref() == Some(&own)) {
                continue;
            }
            let others: Vec<String> = (0..self.shape.leaves.len())
                .filter(|other| *other != leaf)
                .filter_map(|other| self.shown_of_same_type(other, leaf))
                .collect();
            let mut tries = 0;
            for choice in others_than(&self.input, leaf) {
                let mut candidate = self.input.clone();
                put(&mut candidate, leaf, choice);
                if shown(&candidate, leaf).is_some_and(|shown| others.contains(&shown)) {
                    continue;
                }
                self.left = self.left.max(1);
                tries += 1;
                if self.is_taken(candidate) || tries == APART {
                    break;
                }
            }
        }
    }

    fn shown_of_same_type(&self, other: usize, leaf: usize) -> Option<String> {
        shown(&self.input, other).filter(|_| self.shape.leaves[other] == self.shape.leaves[leaf])
    }

    /// Makes one leaf plainer.
    fn leaf(&mut self, leaf: usize) {
        for choice in self.choices(leaf) {
            let mut candidate = self.input.clone();
            put(&mut candidate, leaf, choice);
            if self.is_taken(candidate) {
                break;
            }
        }
        self.shorter(leaf);
        self.elements(leaf);
    }

    /// Makes the texts in an array plainer.
    fn elements(&mut self, leaf: usize) {
        let Some(Value::Node(node)) = self.input.arguments.get(leaf) else { return };
        let Some(Node::List { elements, .. }) = self.input.nodes.get(*node) else { return };
        for (at, element) in elements.clone().into_iter().enumerate().take(ELEMENTS) {
            let Value::Node(element) = element else { continue };
            let Some(Node::String(units)) = self.input.nodes.get(element) else { continue };
            for choice in texts(units, leaf + at) {
                let Choice::Node(text) = choice else { continue };
                let mut candidate = self.input.clone();
                candidate.nodes[element] = text;
                if self.is_taken(candidate) {
                    break;
                }
            }
            self.shorten(element);
        }
    }

    /// What a leaf might rather be, the best first; nothing if it is plain already.
    fn choices(&self, leaf: usize) -> Vec<Choice> {
        let Some(value) = self.input.arguments.get(leaf) else { return Vec::new() };
        match (value, &self.shape.leaves[leaf]) {
            (Value::Null, _) => {
                let spare = self.leaves.spare.get(leaf).into_iter().flatten();
                spare.cloned().map(Choice::Node).collect()
            }
            (Value::Char(unit), _) if !is_readable(*unit) => vec![Choice::Value(Value::Char(letter(leaf)))],
            // Small and compared: it may be where the comparison turns.
            (Value::Int(-1000..=1000) | Value::Long(-1000..=1000), _) if self.leaves.is_compared(leaf) => {
                Vec::new()
            }
            (Value::Int(number), _) => {
                let choices = numbers(i64::from(*number), leaf).into_iter();
                choices
                    .filter_map(|number| Some(Choice::Value(Value::Int(i32::try_from(number).ok()?))))
                    .collect()
            }
            (Value::Byte(0), _) => vec![Choice::Value(Value::Byte(small(leaf)))],
            (Value::Short(0), _) => vec![Choice::Value(Value::Short(small(leaf).into()))],
            (Value::Float(0.0), _) => vec![Choice::Value(Value::Float(small(leaf).into()))],
            (Value::Double(0.0), _) => vec![Choice::Value(Value::Double(small(leaf).into()))],
            // What is false says less.
            (Value::Boolean(false), _) => vec![Choice::Value(Value::Boolean(true))],
            (Value::Long(number), _) => {
                numbers(*number, leaf).into_iter().map(|number| Choice::Value(Value::Long(number))).collect()
            }
            (Value::Node(node), _) => match self.input.nodes.get(*node) {
                Some(Node::String(units)) => texts(units, leaf),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Leaves out letters of a text, or elements of an array: first many together, then one after the other.
    fn shorter(&mut self, leaf: usize) {
        if let Some(Value::Node(node)) = self.input.arguments.get(leaf) {
            self.shorten(*node);
        }
    }

    fn shorten(&mut self, node: usize) {
        for count in [16, 8, 4, 2, 1] {
            let mut at = 0;
            while let Some(candidate) = without(&self.input, node, at, count) {
                if self.left == 0 {
                    return;
                }
                if !self.is_taken(candidate) {
                    at += count;
                }
            }
        }
    }
}

/// A number or a text, as it can be compared with others.
fn shown(input: &Input, leaf: usize) -> Option<String> {
    match input.arguments.get(leaf)? {
        Value::Node(node) => match input.nodes.get(*node)? {
            Node::String(units) => Some(String::from_utf16_lossy(units)),
            _ => None,
        },
        Value::Null | Value::Boolean(_) => None,
        number => Some(format!("{number:?}")),
    }
}

/// Plain values of the kind of a leaf.
fn others_than(input: &Input, leaf: usize) -> Vec<Choice> {
    let small = 1..=i8::try_from(leaf).unwrap_or(0).saturating_add(4);
    let numbers = |value: fn(i8) -> Value| small.clone().map(value).map(Choice::Value).collect();
    match input.arguments.get(leaf) {
        Some(Value::Byte(_)) => numbers(Value::Byte),
        Some(Value::Short(_)) => numbers(|number| Value::Short(number.into())),
        Some(Value::Int(_)) => numbers(|number| Value::Int(number.into())),
        Some(Value::Long(_)) => numbers(|number| Value::Long(number.into())),
        Some(Value::Float(_)) => numbers(|number| Value::Float(number.into())),
        Some(Value::Double(_)) => numbers(|number| Value::Double(number.into())),
        Some(Value::Char(_)) => {
            (leaf..leaf + 3).map(|leaf| Choice::Value(Value::Char(letter(leaf)))).collect()
        }
        Some(Value::Node(_)) => {
            (leaf..leaf + 3).map(|leaf| Choice::Node(Node::String(vec![letter(leaf)]))).collect()
        }
        _ => Vec::new(),
    }
}

/// What a leaf might be.
enum Choice {
    Value(Value),
    Node(Node),
}

fn put(input: &mut Input, leaf: usize, choice: Choice) {
    match choice {
        Choice::Value(value) => input.arguments[leaf] = value,
        Choice::Node(better) => match input.arguments[leaf] {
            Value::Node(node) => input.nodes[node] = better,
            _ => {
                input.arguments[leaf] = Value::Node(input.nodes.len());
                input.nodes.push(better);
            }
        },
    }
}

/// A small number that others do not have.
fn small(leaf: usize) -> i8 {
    i8::try_from(leaf).unwrap_or(0).saturating_add(1)
}

fn letter(leaf: usize) -> u16 {
    u16::from(LETTERS[leaf % LETTERS.len()])
}

fn is_readable(unit: u16) -> bool {
    (0x20..0x7f).contains(&unit)
}

/// Small numbers come before large ones, and those above zero before the others. Two that nobody looks at differ, so that
/// a test notices when they are exchanged.
fn numbers(number: i64, leaf: usize) -> Vec<i64> {
    let smaller =
        |most: i64| [1, 2, 3, 4, 5, 10, 20, 100, 1000].into_iter().filter(move |small| *small < most);
    match number {
        0 if leaf > 0 && leaf < 5 => vec![leaf as i64 + 1, 1],
        0 => vec![1],
        1..=10 => Vec::new(),
        11.. => smaller(number).collect(),
        _ => [1].into_iter().chain((number < -1).then_some(-1)).collect(),
    }
}

/// Texts of letters in place of one that is not read easily: a short one, then one as long as it is, then one with the
/// same signs.
fn texts(units: &[u16], leaf: usize) -> Vec<Choice> {
    if units.is_empty() {
        return vec![Choice::Node(Node::String(vec![letter(leaf)]))];
    }
    if units.len() == 1 && units[0] == letter(leaf) {
        return Vec::new();
    }
    let alphabet = |count: usize| (leaf..leaf + count).map(letter).collect::<Vec<u16>>();
    let is_letter = |unit: &u16| u8::try_from(*unit).is_ok_and(|unit| unit.is_ascii_alphabetic());
    let mut with_signs: Vec<u16> = units.to_vec();
    let replaced = with_signs.iter_mut().filter(|unit| is_letter(unit) || !is_readable(**unit));
    for (next, unit) in (leaf..).zip(replaced) {
        *unit = letter(next);
    }
    let mut found = vec![alphabet(1), alphabet(units.len()), with_signs];
    found.dedup();
    found.retain(|text| text != units);
    found.into_iter().map(|text| Choice::Node(Node::String(text))).collect()
}

/// The input without some letters of a text, or elements of an array, counted from the end; none where there are no more.
/// One always stays: what is empty is a case of its own to whoever reads the test.
fn without(input: &Input, node: usize, from_end: usize, count: usize) -> Option<Input> {
    let range = |length: usize| {
        let end = length.checked_sub(from_end)?;
        Some(end.checked_sub(count)?..end).filter(|range| range.len() < length)
    };
    let mut shorter = input.clone();
    match shorter.nodes.get_mut(node)? {
        Node::String(units) => drop(units.drain(range(units.len())?)),
        Node::List { class, elements } if class.ends_with("[]") => {
            drop(elements.drain(range(elements.len())?));
        }
        _ => return None,
    }
    Some(shorter)
}

#[cfg(test)]
mod tests {
    use testcase::{Node, Value};
    use values::input::Input;

    use super::{Leaves, TRIES, plainer};
    use crate::shape::{Member, Shape};
    use crate::types::Type;

    fn plain(text: &str, number: i32, shows: fn(&str, i32) -> bool) -> (String, i32) {
        let act = Member { class: "A".into(), name: "a".into(), descriptor: "()V".into(), is_static: true };
        let leaves = vec![Type::string(), Type::Primitive('I')];
        let names = vec!["text".into(), "number".into()];
        let shape = Shape {
            receiver: None,
            setup: Vec::new(),
            act,
            given_by: None,
            arguments: Vec::new(),
            leaves,
            names,
            turns: Vec::new(),
            reflected: false,
        };
        let input = Input {
            arguments: vec![Value::Node(0), Value::Int(number)],
            nodes: vec![Node::String(text.encode_utf16().collect())],
            ..Input::default()
        };
        let (mut last, mut tries) = ((text.to_string(), number), 0);
        plainer(&shape, &Leaves::default(), &input, &mut |candidate| {
            tries += 1;
            let Node::String(units) = &candidate.nodes[0] else { return false };
            let Value::Int(number) = candidate.arguments[1] else { return false };
            let text = String::from_utf16_lossy(units);
            let is_same = shows(&text, number);
            if is_same {
                last = (text, number);
            }
            is_same
        });
        assert!(tries <= TRIES, "{tries}");
        last
    }

    #[test]
    fn an_input_becomes_as_plain_as_what_it_shows_allows() {
        assert_eq!(plain("Lllllzx", 70_000, |_, _| true), ("a".into(), 1));
        assert_eq!(plain("lq\u{7}z+", 0, |text, _| text.ends_with('+')), ("+".into(), 2));
        assert_eq!(plain("zzzz", -70, |text, n| text.len() > 2 && n < 0), ("abc".into(), -1));
        assert_eq!(plain("let", 5, |text, n| text == "let" && n == 5), ("let".into(), 5));
    }
}
