//! Reading an input: what a model says about the arguments, and about the objects they lead to.

use std::collections::HashMap;

use library::{Nature, Unknown};
use machine::pool::Pick;
use machine::symbolic::{FUNCTION, Pointer, REF, UNSEEN, Way};
use machine::{Machine, Origin, Ref};
use program::{ClassId, Kind, Shape};
use term::{Evaluator, Model, Op, Sort, Term};
use testcase::{Node, Value};

use super::{Input, Making, Step, fields_of};
use crate::contents;
use crate::graph::class_name;
use crate::parameter::Parameter;

/// Elements of an unknown array that an input is still written down with.
const LONGEST: u64 = 4096;
/// The input a model stands for, where the machine stands. The error says why it cannot be written down.
pub fn read(m: &mut Machine, parameters: &[Parameter], model: &Model) -> Result<Input, String> {
    let mut reader = Reader {
        model,
        evaluator: Evaluator::new(),
        variables: HashMap::new(),
        numbers: HashMap::new(),
        waiting: Vec::new(),
    };
    reader.evaluator.restart();
    let mut input = Input::default();
    let mut choices: Vec<(u32, Value)> = Vec::new();
    for (number, variable) in m.symbolic.variables().iter().enumerate() {
        let number = number as u32;
        match variable.origin {
            Origin::Choice { number: place, .. } => {
                let bits = wide(model.get(number) & variable.sort.mask(), variable.kind);
                let term = m.terms().find_variable(variable.sort, number);
                let value = reader.value(m, bits, variable.kind, term);
                if variable.kind != Kind::Ref && m.symbolic.asked_name(place).is_none() {
                    input.numbers.push(bits);
                }
                choices.push((place, value));
            }
            origin => {
                reader.variables.insert(key(origin), number);
            }
        }
    }
    let picks = m.symbolic.picks().to_vec();
    choices.extend(picks.iter().map(|picked| match picked.pick {
        Pick::Null => (picked.number, Value::Null),
        Pick::Object(number) => (picked.number, Value::Int(number as i32)),
    }));
    choices.sort_by_key(|choice| choice.0);
    for picked in &picks {
        if let Some(place) = choices.iter().position(|choice| choice.0 == picked.number) {
            input.picks.push((place, picked.decision));
        }
    }
    for asked in m.symbolic.asked() {
        if let Some(place) = choices.iter().position(|choice| choice.0 == asked.number) {
            let name = m.symbolic.asked_name(asked.number);
            input.outside.extend(name.map(|name| (place, name)));
        }
    }
    input.choices = choices.into_iter().map(|choice| choice.1).collect();
    for parameter in parameters {
        let value = match parameter.term {
            Some(term) => {
                let bits = reader.evaluator.eval(m.terms(), model, term);
                reader.value(m, bits, parameter.kind, Some(term))
            }
            // The object a constructor is to fill, or the arguments of a program.
            None => Value::Null,
        };
        input.names.push(if parameter.term.is_some() { parameter.name.clone() } else { String::new() });
        input.arguments.push(value);
    }
    let mut next = 0;
    while next < reader.waiting.len() {
        let found = reader.waiting[next];
        match reader.making(m, found) {
            Some((node, making)) => {
                input.nodes.push(node);
                input.made.push((next, making));
            }
            None => input.nodes.push(reader.node(m, found)?),
        }
        next += 1;
    }
    Ok(input)
}

/// The bits of a small integer, extended as Java extends them.
fn wide(bits: u64, kind: Kind) -> u64 {
    match kind {
        Kind::Byte => bits as i8 as u64,
        Kind::Short => bits as i16 as u64,
        Kind::Int => bits as i32 as u64,
        _ => bits,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Field(u32, u32),
    Element(u32, u32),
    Length(u32),
    Result(u32, u32),
    Made(u32, u32),
    Other,
}

fn key(origin: Origin) -> Key {
    match origin {
        Origin::Field { entity, offset } => Key::Field(entity, offset),
        Origin::Element { entity, index } => Key::Element(entity, index),
        Origin::Length { entity } => Key::Length(entity),
        Origin::Result { entity, call } => Key::Result(entity, call),
        Origin::Made { entity, number } => Key::Made(entity, number),
        _ => Key::Other,
    }
}

/// What a reference leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Found {
    Entity(u32),
    /// An object that existed before, such as the constant of an enum.
    Existing(Ref),
    /// Some object of a class that nobody looked at, told apart by its bits.
    Any(u64, ClassId),
}

struct Reader<'a> {
    model: &'a Model,
    evaluator: Evaluator,
    variables: HashMap<Key, u32>,
    numbers: HashMap<Found, usize>,
    waiting: Vec<Found>,
}

impl Reader<'_> {
    fn value(&mut self, m: &Machine, bits: u64, kind: Kind, term: Option<Term>) -> Value {
        match kind {
            Kind::Boolean => Value::Boolean(bits & 1 != 0),
            Kind::Char => Value::Char(bits as u16),
            Kind::Byte => Value::Byte(bits as i8),
            Kind::Short => Value::Short(bits as i16),
            Kind::Int => Value::Int(bits as i32),
            Kind::Long => Value::Long(bits as i64),
            Kind::Float => Value::Float(f32::from_bits(bits as u32)),
            Kind::Double => Value::Double(f64::from_bits(bits)),
            Kind::Void => Value::Null,
            Kind::Ref => self.reference(m, bits, term),
        }
    }

    /// The class of an entity under the model.
    fn class_of(&mut self, m: &Machine, number: u32) -> ClassId {
        let entity = &m.symbolic.entities()[number as usize];
        if entity.types.len() == 1 {
            return entity.types[0];
        }
        let index = self.evaluator.eval(m.terms(), self.model, entity.class);
        entity.types[(index as usize).min(entity.types.len() - 1)]
    }

    fn reference(&mut self, m: &Machine, bits: u64, term: Option<Term>) -> Value {
        if bits == 0 {
            return Value::Null;
        }
        let object = Ref(bits as u32);
        let pointer = term.and_then(|term| {
            let node = m.terms().node(term);
            if node.op == Op::Var { m.pointer(node.variable()) } else { None }
        });
        let entity = m.entity_of(object);
        let class = entity.map(|entity| self.class_of(m, entity));
        let found = match (entity, pointer) {
            // A reference that nobody followed can have any bits, those of an object it cannot be too.
            (Some(_), Some(pointer)) if !leads(m, pointer, class, object) => {
                Found::Any(bits, pointer.declared)
            }
            (Some(entity), _) => Found::Entity(entity),
            (None, Some(pointer)) if pointer.candidates.as_ref().is_some_and(|c| c.contains(&object)) => {
                Found::Existing(object)
            }
            (None, Some(pointer)) => Found::Any(bits, pointer.declared),
            (None, None) => return Value::Null,
        };
        let next = self.waiting.len();
        let number = *self.numbers.entry(found).or_insert(next);
        if number == next {
            self.waiting.push(found);
        }
        Value::Node(number)
    }

    /// The value of the unknown that came from a place; zero if nobody looked there.
    fn at(&mut self, m: &Machine, place: Key, kind: Kind) -> Value {
        match self.variables.get(&place) {
            Some(variable) => {
                let sort = m.symbolic.variables()[*variable as usize].sort;
                let bits = self.model.get(*variable) & sort.mask();
                let term = (sort == REF).then(|| self.term_of(m, *variable)).flatten();
                self.value(m, wide(bits, kind), kind, term)
            }
            None => self.value(m, 0, kind, None),
        }
    }

    fn term_of(&self, m: &Machine, variable: u32) -> Option<Term> {
        m.terms().find_variable(REF, variable)
    }

    fn node(&mut self, m: &mut Machine, found: Found) -> Result<Node, String> {
        match found {
            Found::Existing(object) if m.class_of(object) == m.known.class => {
                let text = class_name(m, m.mirrored(object));
                Ok(Node::Text { class: "java.lang.Class".into(), text })
            }
            Found::Existing(object) => {
                if let Some((owner, field)) = m.constant_place(object) {
                    let name = m.program.text(field).to_string();
                    return Ok(Node::Enum { class: class_name(m, owner), name });
                }
                let own = m.class_of(object);
                // A constant with a body has a class of its own.
                let parent = m.program.class(own).super_class.filter(|parent| m.is_enum_class(*parent));
                let class = class_name(m, parent.unwrap_or(own));
                Ok(Node::Enum { class, name: m.constant_name(object) })
            }
            Found::Any(_, declared) if m.is_enum_class(declared) => {
                // Nobody asked which constant it is: the first will do.
                let _ = m.initialize_now(declared);
                match m.constants_of(declared).first() {
                    Some(constant) => self.node(m, Found::Existing(*constant)),
                    None => Err(format!("a constant of {}", class_name(m, declared))),
                }
            }
            Found::Any(_, declared) => match m.some_constant(declared) {
                Some(constant) => self.node(m, Found::Existing(constant)),
                None => self.any(m, declared),
            },
            Found::Entity(entity) => self.entity(m, entity),
        }
    }

    /// Some object of a class, with nothing in it.
    fn any(&mut self, m: &mut Machine, declared: ClassId) -> Result<Node, String> {
        let name = class_name(m, declared);
        if declared == m.known.string {
            return Ok(Node::String(Vec::new()));
        }
        if declared == m.known.class {
            return Ok(Node::Text { class: name, text: "java.lang.Object".into() });
        }
        Ok(match m.program.class(declared).shape {
            Shape::Array { .. } => Node::List { class: name, elements: Vec::new() },
            _ => {
                let Some(class) = m.concrete_type(declared) else {
                    let parent = m.program.extensible(declared).first().copied();
                    m.sync_classes();
                    let parent =
                        parent.ok_or_else(|| format!("an object of {name}, which nobody implements"))?;
                    let class = class_name(m, parent) + UNSEEN;
                    let fields = fields_of(m, parent).into_iter();
                    let fields = fields.map(|(name, _, kind)| (name, self.value(m, 0, kind, None)));
                    return Ok(Node::Object { class, fields: fields.collect() });
                };
                if m.program.class_name(class).ends_with(FUNCTION) {
                    return Ok(Node::Object { class: name, fields: Vec::new() });
                }
                let name = class_name(m, class);
                let (nature, unknown) = made_up(m, class);
                match unknown {
                    Unknown::ByAdding { .. } if nature == Nature::Map => {
                        return Ok(Node::Map { class: name, entries: Vec::new() });
                    }
                    Unknown::ByAdding { .. }
                    | Unknown::AnyLength
                    | Unknown::Iterator
                    | Unknown::OneOrNone => return Ok(Node::List { class: name, elements: Vec::new() }),
                    Unknown::Integer | Unknown::Decimal => {
                        return Ok(Node::Text { class: name, text: "0".into() });
                    }
                    Unknown::Letters => return Ok(Node::Text { class: name, text: String::new() }),
                    Unknown::Halves => {
                        return Ok(Node::Text { class: name, text: contents::uuid_text(0, 0) });
                    }
                    Unknown::Never
                    | Unknown::Fields
                    | Unknown::Number
                    | Unknown::Truth
                    | Unknown::Date
                    | Unknown::Entry => {}
                }
                // Months and days are counted from one.
                let least = u64::from(unknown == Unknown::Date);
                let fields = fields_of(m, class).into_iter();
                let fields = fields.map(|(name, _, kind)| (name, self.value(m, least, kind, None))).collect();
                Node::Object { class: name, fields }
            }
        })
    }

    /// How an object is made, if it is not just its fields.
    fn making(&mut self, m: &Machine, found: Found) -> Option<(Node, Making)> {
        let Found::Entity(entity) = found else { return None };
        let ways = m.symbolic.entities()[entity as usize].ways.clone()?;
        let pick = |reader: &mut Self, number: u32| match reader.at(m, Key::Made(entity, number), Kind::Int) {
            Value::Int(pick) => pick as usize,
            _ => 0,
        };
        let start = pick(self, 0).min(ways.starts.len() - 1);
        let mut calls = Vec::new();
        for (round, alternatives) in ways.rounds.iter().enumerate() {
            let call = pick(self, 1 + round as u32).checked_sub(1).and_then(|index| alternatives.get(index));
            calls.extend(call.map(|way| self.step(m, entity, way)));
        }
        let making =
            Making { is_open: start < ways.open, start: self.step(m, entity, &ways.starts[start]), calls };
        let class = self.class_of(m, entity);
        // What its methods give is not made by calls.
        if m.program.class_name(class).ends_with(UNSEEN) {
            return Some((self.unseen(m, class, entity), making));
        }
        Some((Node::Object { class: class_name(m, class), fields: Vec::new() }, making))
    }

    fn step(&mut self, m: &Machine, entity: u32, way: &Way) -> Step {
        let method = m.program.method(way.method);
        let arguments = method.signature.parameters.iter().zip(way.first..);
        let arguments =
            arguments.map(|(kind, number)| self.at(m, Key::Made(entity, number), *kind)).collect();
        Step {
            class: m.program.class_name(method.class).to_string(),
            name: m.program.text(method.name).to_string(),
            descriptor: m.program.text(method.descriptor).to_string(),
            arguments,
        }
    }

    fn entity(&mut self, m: &mut Machine, number: u32) -> Result<Node, String> {
        let class = self.class_of(m, number);
        let name = class_name(m, class);
        if m.program.class_name(class).ends_with(FUNCTION) {
            return Ok(self.function(m, class, number));
        }
        if m.program.class_name(class).ends_with(UNSEEN) {
            return Ok(self.unseen(m, class, number));
        }
        if let Shape::Array { kind, .. } = m.program.class(class).shape {
            let length = self.length(number)?;
            let elements = (0..length).map(|i| self.at(m, Key::Element(number, i as u32), kind)).collect();
            return Ok(Node::List { class: name, elements });
        }
        if class == m.known.string {
            return Ok(Node::String(self.units(m, number)?));
        }
        let fields: Vec<(String, Value)> = fields_of(m, class)
            .into_iter()
            .map(|(name, offset, kind)| (name, self.at(m, Key::Field(number, offset), kind)))
            .collect();
        let field = |name: &str| fields.iter().find(|field| field.0 == name).map(|field| field.1.clone());
        let (nature, unknown) = made_up(m, class);
        let text = match unknown {
            Unknown::Never | Unknown::Fields | Unknown::Date | Unknown::Entry => None,
            Unknown::Number => match field("value") {
                Some(value) => return Ok(Node::Boxed { class: name, value }),
                None => None,
            },
            Unknown::Truth => match field("value") {
                Some(Value::Int(value)) => {
                    return Ok(Node::Boxed { class: name, value: Value::Boolean(value != 0) });
                }
                _ => None,
            },
            Unknown::Halves => match (field("mostSigBits"), field("leastSigBits")) {
                (Some(Value::Long(first)), Some(Value::Long(second))) => {
                    Some(contents::uuid_text(first as u64, second as u64))
                }
                _ => None,
            },
            Unknown::OneOrNone => {
                let value = self.at(m, Key::Element(number, 0), Kind::Ref);
                let elements = if value == Value::Null { Vec::new() } else { vec![value] };
                return Ok(Node::List { class: name, elements });
            }
            Unknown::ByAdding { .. } if nature == Nature::Map => {
                let length = self.length(number)? as u32;
                let mut part = |index: u32| self.at(m, Key::Element(number, index), Kind::Ref);
                let entries = (0..length).map(|i| (part(2 * i), part(2 * i + 1))).collect();
                return Ok(Node::Map { class: name, entries });
            }
            Unknown::ByAdding { .. } | Unknown::AnyLength | Unknown::Iterator => {
                let length = self.length(number)? as u32;
                let elements = (0..length).map(|i| self.at(m, Key::Element(number, i), Kind::Ref)).collect();
                return Ok(Node::List { class: name, elements });
            }
            Unknown::Integer => match self.at(m, Key::Element(number, 0), Kind::Long) {
                Value::Long(digits) => Some(digits.to_string()),
                _ => None,
            },
            Unknown::Decimal => match (field("intCompact"), field("scale")) {
                (Some(Value::Long(digits)), Some(Value::Int(scale))) => Some(decimal(digits, scale)),
                _ => None,
            },
            Unknown::Letters => {
                let text = String::from_utf16(&self.units(m, number)?);
                Some(text.map_err(|_| format!("a {name} with half a character"))?)
            }
        };
        Ok(match text {
            Some(text) => Node::Text { class: name, text },
            None => Node::Object { class: name, fields },
        })
    }

    /// The text of an entity, as UTF-16 units.
    fn units(&mut self, m: &Machine, entity: u32) -> Result<Vec<u16>, String> {
        let length = self.length(entity)? as u32;
        let unit = |index: u32| match self.at(m, Key::Element(entity, index), Kind::Char) {
            Value::Char(unit) => unit,
            _ => 0,
        };
        Ok((0..length).map(unit).collect())
    }

    /// An object of a class that nobody has seen: its fields, then what each call gave.
    fn unseen(&mut self, m: &Machine, class: ClassId, entity: u32) -> Node {
        let inherited = fields_of(m, class).into_iter();
        let mut fields: Vec<(String, Value)> = inherited
            .map(|(name, offset, kind)| (name, self.at(m, Key::Field(entity, offset), kind)))
            .collect();
        for (call, (method, _)) in m.symbolic.results_of(entity).into_iter().enumerate() {
            let method = m.program.method(method);
            let stub = m.program.text(method.name).trim_start_matches("<unseen ").trim_end_matches('>');
            let value = self.at(m, Key::Result(entity, call as u32), method.signature.result);
            fields.push(match stub.split_once(' ') {
                Some(("throws", name)) => (format!("{name}() throws"), value),
                Some((_, name)) => (format!("{name}()"), value),
                None => continue,
            });
        }
        let parent = m.program.class(class).host.unwrap_or(class);
        Node::Object { class: class_name(m, parent) + UNSEEN, fields }
    }

    /// A function, by what its calls return, one after the other.
    fn function(&mut self, m: &Machine, class: ClassId, entity: u32) -> Node {
        let interface = m.program.class(class).interfaces.first().copied().unwrap_or(class);
        let mut fields = Vec::new();
        while let Some(variable) = self.variables.get(&Key::Result(entity, fields.len() as u32)) {
            let kind = m.symbolic.variables()[*variable as usize].kind;
            let value = self.at(m, Key::Result(entity, fields.len() as u32), kind);
            fields.push((format!("call{}", fields.len() + 1), value));
        }
        Node::Object { class: class_name(m, interface), fields }
    }

    fn length(&mut self, entity: u32) -> Result<u64, String> {
        let length = self.variables.get(&Key::Length(entity)).map_or(0, |variable| self.model.get(*variable));
        let length = length & Sort::INT.mask();
        if length > LONGEST { Err(format!("an array or string of {length} elements")) } else { Ok(length) }
    }
}

/// What a class of objects is, and how unknown ones of it were made up.
fn made_up(m: &Machine, class: ClassId) -> (Nature, Unknown) {
    let known = library::class(m.program.class_name(class));
    known.map_or((Nature::Fields, Unknown::Never), |known| (known.nature, known.unknown))
}

/// A decimal number as it is written: `-12.50` for -1250 and 2.
fn decimal(digits: i64, scale: i32) -> String {
    let scale = scale.max(0) as usize;
    let all = format!("{:0>width$}", digits.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = all.split_at(all.len() - scale);
    let sign = if digits < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// Whether a reference can lead to an entity.
fn leads(m: &Machine, pointer: &Pointer, class: Option<ClassId>, object: Ref) -> bool {
    match &pointer.candidates {
        Some(candidates) => candidates.contains(&object),
        // What is assumed about objects was not looked at for this one.
        None if m.symbolic.assumes_heap() => false,
        None => class.is_some_and(|class| m.program.is_subtype(class, pointer.declared)),
    }
}
