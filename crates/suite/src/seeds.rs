//! Inputs that are tried before any is searched for: literals of the class and of the user's own tests, texts that led
//! somewhere before, and what programs are usually given. To run one costs little, and shows at once what a search through a parser is long in coming to.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use explore::own_tests::Literal;
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
/// Inputs out of the user's own tests that are tried in a round, and on every state; how long a text of theirs may be, and
/// among how many literals the next that fits is looked for.
const TOLD: usize = 48;
const FIRST_TOLD: usize = 8;
const LONGEST_TOLD: usize = 1_000;
const AHEAD: usize = 4;
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

/// What the code of a class names, then what the user's own tests of it do; those that are used.
pub struct Literals {
    pub texts: Vec<Vec<u16>>,
    pub numbers: Vec<i64>,
    /// What the tests write, in their order.
    told: Arc<[Literal]>,
}

/// The inputs of a round for a shape with these leaves, all different.
pub fn inputs(m: &Machine, work: &Work, literals: &Literals, leaves: &[Type]) -> Vec<Input> {
    let pool = Pool::of(work, &literals.texts);
    let in_turn = |count: usize| work.rounds as usize * count..(work.rounds as usize + 1) * count;
    let mut found = told(m, &pool, &literals.told, leaves, in_turn(TOLD));
    // Numbers are found by asking.
    if leaves.iter().any(is_text) {
        for input in in_turn(TRIES).filter_map(|number| pool.input(m, leaves, number)) {
            if !found.contains(&input) {
                found.push(input);
            }
        }
    }
    found
}

/// What tests hand over stands side by side in them: from every literal on, those that fit are taken one after the other.
/// Inputs that are made of nothing else come first, then those with something plain in one place. Gives those whose numbers
/// are in a range.
fn told(m: &Machine, pool: &Pool, told: &[Literal], leaves: &[Type], among: Range<usize>) -> Vec<Input> {
    let from = |begin: usize, plain: Option<usize>| {
        let (mut input, mut at, mut others) = (Input::default(), begin, 0);
        for (place, kind) in leaves.iter().enumerate() {
            let ahead = told[at..].iter().take(AHEAD).enumerate();
            let fit = ahead.filter_map(|(skipped, literal)| Some((skipped, as_leaf(literal, kind)?))).next();
            at += fit.as_ref().map_or(0, |(skipped, _)| skipped + 1);
            let value = match fit.filter(|_| plain != Some(place)) {
                Some((_, Leaf::Plain(value))) => value,
                Some((_, Leaf::Node(node))) => {
                    input.nodes.push(node);
                    Value::Node(input.nodes.len() - 1)
                }
                None => {
                    others += 1;
                    pool.value(m, kind, 0, place, &mut input.nodes)?
                }
            };
            input.arguments.push(value);
            input.names.push(String::new());
        }
        (others < leaves.len()).then_some((input, others))
    };
    let places = || (0..leaves.len()).map(Some);
    let whole = (0..told.len()).filter_map(|begin| from(begin, None).filter(|(_, others)| *others == 0));
    let mixed = (0..told.len()).flat_map(|begin| places().filter_map(move |plain| from(begin, plain)));
    let mut found: Vec<Input> = Vec::new();
    for (input, _) in whole.chain(mixed) {
        if found.len() == among.end {
            break;
        }
        if !found.contains(&input) {
            found.push(input);
        }
    }
    found.split_off(among.start.min(found.len()))
}

enum Leaf {
    Plain(Value),
    Node(Node),
}

/// A literal as the value of a leaf, if it can be one.
fn as_leaf(literal: &Literal, kind: &Type) -> Option<Leaf> {
    let element = match kind {
        Type::Array(element) => Some(&**element),
        _ => None,
    };
    let list = |class: &str, elements: Vec<Value>| Leaf::Node(Node::List { class: class.into(), elements });
    Some(match (literal, kind) {
        (Literal::Text(units), _) if units.len() > LONGEST_TOLD => return None,
        (Literal::Text(units), kind) if *kind == Type::string() => Leaf::Node(Node::String(units.clone())),
        (Literal::Text(units), _) => match element? {
            Type::Primitive('C') => list("char[]", units.iter().copied().map(Value::Char).collect()),
            Type::Primitive('B') => {
                list("byte[]", units.iter().map(|unit| Value::Byte(*unit as i8)).collect())
            }
            _ => return None,
        },
        (Literal::Number(number), Type::Primitive(letter)) => Leaf::Plain(match letter {
            'Z' if (0..=1).contains(number) => Value::Boolean(*number == 1),
            'C' => Value::Char(u16::try_from(*number).ok()?),
            'B' => Value::Byte(i8::try_from(*number).ok()?),
            'S' => Value::Short(i16::try_from(*number).ok()?),
            'I' => Value::Int(i32::try_from(*number).ok()?),
            'J' => Value::Long(*number),
            _ => return None,
        }),
        (Literal::Fraction(number), Type::Primitive('F')) => Leaf::Plain(Value::Float(*number as f32)),
        (Literal::Fraction(number), Type::Primitive('D')) => Leaf::Plain(Value::Double(*number)),
        _ => return None,
    })
}

/// Inputs that are tried first, whatever was found.
pub fn first_inputs(m: &Machine, literals: &Literals, leaves: &[Type], count: usize) -> Vec<Input> {
    let usual = USUAL[..PLAINEST].iter().map(|text| text.encode_utf16().collect());
    let mut texts: Vec<Vec<u16>> = usual.collect();
    texts.splice(2..2, literals.texts.iter().cloned());
    let (first, rest) = NUMBERS.split_at(2);
    let numbers = first.iter().chain(&literals.numbers).chain(rest).copied().collect();
    let pool = Pool { texts, numbers };
    let mut found: Vec<Input> = Vec::new();
    let plain = |numbers: Range<usize>| numbers.filter_map(|number| pool.input(m, leaves, number));
    let told = told(m, &pool, &literals.told, leaves, 0..FIRST_TOLD);
    for input in plain(0..PLAINEST).chain(told).chain(plain(PLAINEST..2 * count)) {
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
        let all = found.take(FOUND).chain(plain(first)).chain(literals.iter().cloned());
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

/// What the code of a class names, and what the user's own tests of it do.
pub fn literals(m: &mut Machine, work: &Work) -> Literals {
    let told = work.own_tests.clone();
    let own = m.load(&work.class).map_or(Vec::new(), |id| m.program.numbers_of(id));
    let mut numbers: Vec<i64> = Vec::new();
    let in_tests = told.iter().filter_map(|literal| match literal {
        Literal::Number(number) => Some(*number),
        _ => None,
    });
    add(&mut numbers, own.into_iter().map(i64::from), CONSTANTS, |number| !NUMBERS.contains(number));
    add(&mut numbers, in_tests, CONSTANTS, |number| !NUMBERS.contains(number));
    let mut texts: Vec<Vec<u16>> = Vec::new();
    let in_tests = told.iter().filter_map(|literal| match literal {
        Literal::Text(units) => Some(units.clone()),
        _ => None,
    });
    add(&mut texts, texts_of(m, &work.class).into_iter(), LITERALS, |text| text.len() <= LONGEST);
    add(&mut texts, in_tests, LITERALS, |text| text.len() <= LONGEST);
    Literals { texts, numbers, told }
}

/// Adds so many values that are of use, and new.
fn add<T: PartialEq>(
    to: &mut Vec<T>,
    values: impl Iterator<Item = T>,
    most: usize,
    is_of_use: impl Fn(&T) -> bool,
) {
    let full = to.len() + most;
    for value in values {
        if to.len() < full && is_of_use(&value) && !to.contains(&value) {
            to.push(value);
        }
    }
}

/// The texts that the code of a class names, the short ones first.
fn texts_of(m: &mut Machine, class: &str) -> Vec<Vec<u16>> {
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
