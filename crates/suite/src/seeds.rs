//! Inputs that are tried before any is searched for: literals of the class, texts that led somewhere before, and what
//! programs are usually given. To run one costs little, and shows at once what a search through a parser is long in coming to.

use std::collections::BTreeSet;

use machine::Machine;
use program::{Constant, access};
use testcase::{Node, Value};
use values::input::Input;

use crate::types::Type;
use crate::work::Work;

/// Inputs of one shape that are tried in a round.
const TRIES: usize = 24;
/// Steps of one of them.
pub const STEPS: u64 = 1_000_000;
/// Literals of a class, and texts that were found, which are used; and how long they are at most.
const LITERALS: usize = 40;
const FOUND: usize = 16;
const LONGEST: usize = 40;

/// Numbers of a class that are used.
const CONSTANTS: usize = 12;
/// How many of the usual texts come before the literals.
const PLAINEST: usize = 4;
/// Texts as programs get them: words, numbers, lists, markup, paths, code.
const USUAL: [&str; 20] = [
    "a",
    "1",
    "",
    "true",
    "a b",
    "-1.5",
    "a=1",
    "a,b;c",
    "[1, 2]",
    "{\"a\": 1}",
    "<a>b</a>",
    "a.b",
    "/a/b.c",
    "\"a\"",
    "2020-01-02",
    "a(1)",
    "A",
    "0x1F",
    "a:b",
    "#a\nb",
];
const NUMBERS: [i64; 8] = [1, 0, 2, -1, 3, 10, 5, 100];

/// What leaves can be.
struct Pool {
    texts: Vec<Vec<u16>>,
    numbers: Vec<i64>,
}

/// What the code of a class names.
pub struct Literals {
    pub texts: Vec<Vec<u16>>,
    pub numbers: Vec<i64>,
}

/// Whether there is something to try: numbers are found by asking.
pub fn are_of_use(leaves: &[Type]) -> bool {
    leaves.iter().any(is_text)
}

/// The inputs of a round for a shape with these leaves, all different.
pub fn inputs(m: &Machine, work: &Work, literals: &[Vec<u16>], leaves: &[Type]) -> Vec<Input> {
    let pool = Pool::of(work, literals);
    let first = work.rounds as usize * TRIES;
    let mut found: Vec<Input> = Vec::new();
    for input in (first..first + TRIES).filter_map(|number| pool.input(m, leaves, number)) {
        if !found.contains(&input) {
            found.push(input);
        }
    }
    found
}

/// Inputs that are tried first, whatever was found.
pub fn first_inputs(m: &Machine, literals: &Literals, leaves: &[Type], count: usize) -> Vec<Input> {
    let usual = USUAL[..PLAINEST].iter().map(|text| text.encode_utf16().collect());
    let mut texts: Vec<Vec<u16>> = usual.collect();
    let short = literals.texts.iter().filter(|text| text.len() <= LONGEST);
    texts.splice(2..2, short.take(LITERALS).cloned());
    let (first, rest) = NUMBERS.split_at(2);
    let own = literals.numbers.iter().filter(|number| !NUMBERS.contains(number)).take(CONSTANTS);
    let numbers = first.iter().chain(own).chain(rest).copied().collect();
    let pool = Pool { texts, numbers };
    let mut found: Vec<Input> = Vec::new();
    for input in (0..2 * count).filter_map(|number| pool.input(m, leaves, number)) {
        if !found.contains(&input) && found.len() < count {
            found.push(input);
        }
    }
    found
}

impl Pool {
    fn of(work: &Work, literals: &[Vec<u16>]) -> Pool {
        let nodes = work.found.iter().rev().flat_map(|found| &found.input.nodes);
        let found = nodes.filter_map(|node| match node {
            Node::String(units) if units.len() > 1 => Some(units.clone()),
            _ => None,
        });
        let usual = USUAL.iter().map(|text| text.encode_utf16().collect::<Vec<u16>>());
        let (first, rest): (Vec<_>, Vec<_>) = usual.enumerate().partition(|(place, _)| *place < PLAINEST);
        let plain = |texts: Vec<(usize, Vec<u16>)>| texts.into_iter().map(|(_, text)| text);
        let all = found.take(FOUND).chain(plain(first)).chain(literals.iter().take(LITERALS).cloned());
        let mut texts: Vec<Vec<u16>> = Vec::new();
        for text in all.chain(plain(rest)) {
            if text.len() <= LONGEST && !texts.contains(&text) {
                texts.push(text);
            }
        }
        Pool { texts, numbers: NUMBERS.to_vec() }
    }

    fn input(&self, m: &Machine, leaves: &[Type], number: usize) -> Option<Input> {
        let mut input = Input::default();
        for (place, kind) in leaves.iter().enumerate() {
            let value = self.value(m, kind, number, place, &mut input.nodes)?;
            input.arguments.push(value);
            input.names.push(String::new());
        }
        Some(input)
    }

    /// A text by its number: where there are no more, one after another.
    fn text(&self, number: usize) -> Vec<u16> {
        let count = self.texts.len();
        let mut text = self.texts[number % count].clone();
        if number >= count {
            text.extend(&self.texts[(number / count + number) % count]);
        }
        text
    }

    fn value(
        &self,
        m: &Machine,
        kind: &Type,
        number: usize,
        place: usize,
        nodes: &mut Vec<Node>,
    ) -> Option<Value> {
        let at = number + 3 * place;
        let small = self.numbers[at % self.numbers.len()];
        let mut node = |node: Node| {
            nodes.push(node);
            Some(Value::Node(nodes.len() - 1))
        };
        match kind {
            Type::Primitive('Z') => Some(Value::Boolean((number >> (place % 8)) & 1 == 1)),
            Type::Primitive('C') => Some(Value::Char(u16::from(b"a0 A.\"1<"[at % 8]))),
            Type::Primitive('B') => Some(Value::Byte(small as i8)),
            Type::Primitive('S') => Some(Value::Short(small as i16)),
            Type::Primitive('I') => Some(Value::Int(small as i32)),
            Type::Primitive('J') => Some(Value::Long(small)),
            Type::Primitive('F') => Some(Value::Float(small as f32 / 2.0)),
            Type::Primitive('D') => Some(Value::Double(small as f64 / 2.0)),
            kind if *kind == Type::string() => node(Node::String(self.text(at))),
            Type::Class(name, _) => {
                let id = m.program.find_loaded(name)?;
                let fields = m.program.class(id).fields.iter();
                let constants: Vec<&str> = fields
                    .filter(|field| field.flags & access::ENUM != 0)
                    .map(|field| m.program.text(field.name))
                    .collect();
                let name = constants.get(at % constants.len().max(1))?.to_string();
                node(Node::Enum { class: m.program.class_name(id).replace('/', "."), name })
            }
            Type::Array(element) => {
                let class = format!("{}[]", machine::external_type(&element.descriptor()));
                let text = self.text(at);
                let elements: Option<Vec<Value>> = match &**element {
                    Type::Primitive('C') => Some(text.into_iter().map(Value::Char).collect()),
                    Type::Primitive('B') => {
                        Some(text.into_iter().map(|unit| Value::Byte(unit as i8)).collect())
                    }
                    Type::Primitive(_) => {
                        (0..at % 4).map(|more| self.value(m, element, at + more, place, nodes)).collect()
                    }
                    kind if *kind == Type::string() => {
                        (0..at % 3).map(|more| self.value(m, element, at + more, place, nodes)).collect()
                    }
                    _ => None,
                };
                nodes.push(Node::List { class, elements: elements? });
                Some(Value::Node(nodes.len() - 1))
            }
            _ => None,
        }
    }
}

/// Whether a leaf is made of letters or bytes.
fn is_text(kind: &Type) -> bool {
    match kind {
        Type::Array(element) => matches!(**element, Type::Primitive('C' | 'B')) || is_text(element),
        kind => *kind == Type::string(),
    }
}

/// What the code of a class names.
pub fn literals(m: &mut Machine, class: &str) -> Literals {
    let numbers = m.load(class).map_or(Vec::new(), |id| m.program.numbers_of(id));
    Literals { texts: texts(m, class), numbers: numbers.into_iter().map(i64::from).collect() }
}

/// The texts that the code of a class names, the short ones first.
fn texts(m: &mut Machine, class: &str) -> Vec<Vec<u16>> {
    let Ok(id) = m.load(class) else { return Vec::new() };
    let Some(file) = &m.program.class(id).file else { return Vec::new() };
    let mut found: BTreeSet<(usize, Vec<u16>)> = BTreeSet::new();
    for index in 1..file.pool_len() as u16 {
        if let Ok(Constant::String { utf8 }) = file.constant(index)
            && let Ok(text) = file.utf8(utf8)
        {
            let units: Vec<u16> = text.encode_utf16().collect();
            found.insert((units.len(), units));
        }
    }
    found.into_iter().map(|(_, text)| text).collect()
}
