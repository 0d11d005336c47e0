//! From a model to a concrete input: plain values and objects, and the same built in another machine.

use std::collections::{HashMap, VecDeque};

use machine::pool::Pick;
use machine::symbolic::{FUNCTION, Pointer, REF, Variable};
use machine::{Machine, Origin, Raise, Ref, Word};
use program::{ClassId, Kind, MethodId, Shape};
use solver::{Answer, Solver};
use term::{Evaluator, Model, Op, Sort, Term};
use testcase::{Node, Value};

use crate::graph::class_name;
use crate::parameter::Parameter;

/// Elements of an unknown array that an input is still written down with.
const LONGEST: u64 = 4096;

/// A concrete input: arguments, and the objects they refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// The names of the arguments; empty for one that was known from the start.
    pub names: Vec<String>,
    pub arguments: Vec<Value>,
    pub nodes: Vec<Node>,
    /// What the program's own choices were, in order.
    pub choices: Vec<Value>,
    /// The bits of those that are numbers.
    pub numbers: Vec<u64>,
    /// Of those that are objects of a pool: the place among the choices, and which alternative it was.
    pub picks: Vec<(usize, u64)>,
}

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
                if variable.kind != Kind::Ref {
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
        let node = reader.node(m, reader.waiting[next])?;
        input.nodes.push(node);
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
    Other,
}

fn key(origin: Origin) -> Key {
    match origin {
        Origin::Field { entity, offset } => Key::Field(entity, offset),
        Origin::Element { entity, index } => Key::Element(entity, index),
        Origin::Length { entity } => Key::Length(entity),
        Origin::Result { entity, call } => Key::Result(entity, call),
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

    fn reference(&mut self, m: &Machine, bits: u64, term: Option<Term>) -> Value {
        if bits == 0 {
            return Value::Null;
        }
        let object = Ref(bits as u32);
        let pointer = term.and_then(|term| {
            let node = m.terms().node(term);
            if node.op == Op::Var { m.pointer(node.variable()) } else { None }
        });
        let found = match (m.entity_of(object), pointer) {
            // A reference that nobody followed can have any bits, those of an object it cannot be too.
            (Some(entity), Some(pointer)) if !leads(m, pointer, entity, object) => {
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
            Found::Existing(object) => {
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
            Found::Any(_, declared) => Ok(self.any(m, declared)),
            Found::Entity(entity) => self.entity(m, entity),
        }
    }

    /// Some object of a class, with nothing in it.
    fn any(&mut self, m: &mut Machine, declared: ClassId) -> Node {
        let name = class_name(m, declared);
        if declared == m.known.string {
            return Node::String(Vec::new());
        }
        match m.program.class(declared).shape {
            Shape::Array { .. } => Node::List { class: name, elements: Vec::new() },
            _ => {
                let class = m.concrete_type(declared).unwrap_or(declared);
                let name = class_name(m, class);
                if let Some(empty) = empty_container(&name) {
                    return empty;
                }
                if let Some(text) = plain_text(&name) {
                    return Node::Text { class: name, text: text.into() };
                }
                // Months and days are counted from one.
                let least = u64::from(name == "java.time.LocalDate");
                let fields = fields_of(m, class).into_iter();
                let fields = fields.map(|(name, _, kind)| (name, self.value(m, least, kind, None))).collect();
                Node::Object { class: name, fields }
            }
        }
    }

    fn entity(&mut self, m: &mut Machine, number: u32) -> Result<Node, String> {
        let entity = m.symbolic.entities()[number as usize].clone();
        let class = if entity.types.len() == 1 {
            entity.types[0]
        } else {
            let index = self.evaluator.eval(m.terms(), self.model, entity.class);
            entity.types[(index as usize).min(entity.types.len() - 1)]
        };
        let name = class_name(m, class);
        if m.program.class_name(class).ends_with(FUNCTION) {
            return Ok(self.function(m, class, number));
        }
        if let Shape::Array { kind, .. } = m.program.class(class).shape {
            let length = self.length(number)?;
            let elements = (0..length).map(|i| self.at(m, Key::Element(number, i as u32), kind)).collect();
            return Ok(Node::List { class: name, elements });
        }
        if class == m.known.string {
            let length = self.length(number)?;
            let units = (0..length).map(|i| match self.at(m, Key::Element(number, i as u32), Kind::Char) {
                Value::Char(unit) => unit,
                _ => 0,
            });
            return Ok(Node::String(units.collect()));
        }
        let fields: Vec<(String, Value)> = fields_of(m, class)
            .into_iter()
            .map(|(name, offset, kind)| (name, self.at(m, Key::Field(number, offset), kind)))
            .collect();
        let boxed = name.starts_with("java.lang.") && fields.len() == 1 && fields[0].0 == "value";
        if boxed {
            return Ok(Node::Boxed { class: name, value: fields[0].1.clone() });
        }
        match container(&name) {
            Some(Container::Optional) => {
                let value = self.at(m, Key::Element(number, 0), Kind::Ref);
                let elements = if value == Value::Null { Vec::new() } else { vec![value] };
                return Ok(Node::List { class: name, elements });
            }
            Some(Container::List) => {
                let length = self.length(number)? as u32;
                let elements = (0..length).map(|i| self.at(m, Key::Element(number, i), Kind::Ref)).collect();
                return Ok(Node::List { class: name, elements });
            }
            Some(Container::Map) => {
                let length = self.length(number)? as u32;
                let mut part = |index: u32| self.at(m, Key::Element(number, index), Kind::Ref);
                let entries = (0..length).map(|i| (part(2 * i), part(2 * i + 1))).collect();
                return Ok(Node::Map { class: name, entries });
            }
            None => {}
        }
        if let Some(text) = self.text(m, number, &name, &fields)? {
            return Ok(Node::Text { class: name, text });
        }
        Ok(Node::Object { class: name, fields })
    }

    /// The text that stands for an object, if it is one of a class that has such a text.
    fn text(
        &mut self,
        m: &Machine,
        entity: u32,
        class: &str,
        fields: &[(String, Value)],
    ) -> Result<Option<String>, String> {
        let field = |name: &str| fields.iter().find(|field| field.0 == name).map(|field| &field.1);
        Ok(match class {
            "java.math.BigInteger" => match self.at(m, Key::Element(entity, 0), Kind::Long) {
                Value::Long(number) => Some(number.to_string()),
                _ => None,
            },
            "java.math.BigDecimal" => match (field("intCompact"), field("scale")) {
                (Some(Value::Long(digits)), Some(Value::Int(scale))) => Some(decimal(*digits, *scale)),
                _ => None,
            },
            "java.lang.StringBuilder" | "java.lang.StringBuffer" => {
                let length = self.length(entity)? as u32;
                let units: Vec<u16> = (0..length)
                    .map(|index| match self.at(m, Key::Element(entity, index), Kind::Char) {
                        Value::Char(unit) => unit,
                        _ => 0,
                    })
                    .collect();
                let text = String::from_utf16(&units);
                Some(text.map_err(|_| format!("a {class} with half a character"))?)
            }
            _ => None,
        })
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

/// What kind of container a class is that inputs are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Of elements, one after the other.
    List,
    /// Of keys and values.
    Map,
    /// Of one element or none.
    Optional,
}

pub fn container(class: &str) -> Option<Container> {
    Some(match class.strip_prefix("java.util.")? {
        "ArrayList" | "ArrayList$Itr" | "HashSet" | "LinkedHashSet" | "TreeSet" | "LinkedList"
        | "ArrayDeque" | "PriorityQueue" | "Vector" | "Stack" => Container::List,
        "HashMap" | "LinkedHashMap" | "TreeMap" => Container::Map,
        "Optional" => Container::Optional,
        _ => return None,
    })
}

/// A container of a class without anything in it.
fn empty_container(class: &str) -> Option<Node> {
    let name = class.to_string();
    Some(match container(class)? {
        Container::List | Container::Optional => Node::List { class: name, elements: Vec::new() },
        Container::Map => Node::Map { class: name, entries: Vec::new() },
    })
}

/// The text of some object, for classes that a text stands for.
fn plain_text(class: &str) -> Option<&'static str> {
    match class {
        "java.math.BigInteger" | "java.math.BigDecimal" => Some("0"),
        "java.lang.StringBuilder" | "java.lang.StringBuffer" => Some(""),
        _ => None,
    }
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
fn leads(m: &Machine, pointer: &Pointer, entity: u32, object: Ref) -> bool {
    match &pointer.candidates {
        Some(candidates) => candidates.contains(&object),
        // What is assumed about objects was not looked at for this one.
        None if m.symbolic.assumes_heap() => false,
        None => m.symbolic.entities()[entity as usize]
            .types
            .iter()
            .any(|class| m.program.is_subtype(*class, pointer.declared)),
    }
}

/// Name, word and kind of each field of a class, inherited ones first.
pub fn fields_of(m: &Machine, class: ClassId) -> Vec<(String, u32, Kind)> {
    let mut fields = Vec::new();
    for ancestor in &m.program.class(class).display {
        for field in &m.program.class(*ancestor).fields {
            if !field.is_static() && field.flags & program::access::SYNTHETIC == 0 {
                fields.push((m.program.text(field.name).to_string(), field.offset, field.kind));
            }
        }
    }
    fields
}

/// A model of the path with values a person would choose. References come first: once it is settled what they lead to,
/// what is asked about the numbers is short.
pub fn simple_model(m: &mut Machine, solver: &mut Solver, model: &Model) -> Model {
    let variables = m.symbolic.variables().to_vec();
    let mut path = m.symbolic.path().to_vec();
    let terms = m.terms_mut();
    let (mut references, mut shapes, mut wishes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, variable) in variables.iter().enumerate() {
        let term = terms.variable(variable.sort, number as u32);
        if is_shape(variable) {
            references.push((number as u32, term));
            shapes.push(terms.is(term, 0));
            if variable.sort == Sort::INT {
                shapes.extend([1, 2, 3, 4, 8, 16, 1000].map(|most| between(terms, term, 0, most)));
            }
        } else {
            wish_for_number(terms, variable, term, &mut wishes);
        }
    }
    let shaped = match solver.model(terms, &path, &shapes) {
        Answer::Sat(shaped) => shaped,
        _ => model.clone(),
    };
    path.extend(references.iter().map(|(number, term)| {
        let sort = terms.sort(*term);
        terms.is(*term, shaped.get(*number) & sort.mask())
    }));
    match solver.model(terms, &path, &wishes) {
        Answer::Sat(simple) => simple,
        _ => shaped,
    }
}

/// Whether an unknown decides what is where: a reference, the class of an object, or a length.
fn is_shape(variable: &Variable) -> bool {
    variable.sort == REF || matches!(variable.origin, Origin::Field { offset: 0, .. } | Origin::Length { .. })
}

fn wish_for_number(terms: &mut term::Terms, variable: &Variable, term: Term, wishes: &mut Vec<Term>) {
    if variable.sort.is_float() {
        let zero = terms.constant(variable.sort, 0);
        wishes.push(terms.binary(Op::FEq, term, zero));
        let whole = terms.unary(Op::FToS, Sort::INT, term);
        let back = terms.unary(Op::SToF, variable.sort, whole);
        wishes.push(terms.binary(Op::FEq, term, back));
        return;
    }
    if matches!(variable.origin, Origin::Element { .. }) && variable.kind == Kind::Char {
        wishes.push(between(terms, term, u64::from(b'a'), u64::from(b'z')));
        wishes.push(between(terms, term, u64::from(b' '), u64::from(b'~')));
        return;
    }
    wishes.push(terms.is(term, 0));
    if variable.sort.width() == 1 {
        return;
    }
    wishes.push(terms.is(term, 1));
    let mask = variable.sort.mask();
    let is_signed = variable.kind != Kind::Char;
    if is_signed {
        wishes.push(terms.is(term, mask));
    }
    // Small ones first, and of equal size those that are not negative.
    let sizes: &[u64] = if variable.sort.width() >= 32 { &[3, 16, 100, 1000] } else { &[16] };
    for most in sizes {
        wishes.push(between(terms, term, 0, *most));
        if is_signed {
            wishes.push(between(terms, term, mask - most + 1, mask));
        }
    }
}

fn between(terms: &mut term::Terms, term: Term, low: u64, high: u64) -> Term {
    let sort = terms.sort(term);
    let (low, high) = (terms.constant(sort, low), terms.constant(sort, high));
    let (from, to) = (terms.binary(Op::Ule, low, term), terms.binary(Op::Ule, term, high));
    terms.and(from, to)
}

/// Lets the program's choices be what they were.
pub fn give_choices(m: &mut Machine, input: &Input) -> Result<(), Raise> {
    let mut strings = VecDeque::new();
    for value in &input.choices {
        if let Value::Node(index) = value
            && let Some(Node::String(units)) = input.nodes.get(*index)
        {
            let string = m.new_string_utf16(units)?;
            m.roots.push(string);
            strings.push_back(string);
        }
    }
    let numbers = input.numbers.iter().copied().collect();
    let picks = input.picks.iter().map(|pick| pick.1).collect();
    m.symbolic.give_choices(numbers, picks, strings);
    Ok(())
}

/// Builds the input in a machine; gives the words of the arguments, two for wide ones.
pub fn build(m: &mut Machine, input: &Input, descriptors: &[String]) -> Result<Vec<Word>, Raise> {
    let mut built: Vec<Ref> = Vec::new();
    for node in &input.nodes {
        let object = create(m, node)?;
        m.roots.push(object);
        built.push(object);
    }
    for (node, object) in input.nodes.iter().zip(built.clone()) {
        fill(m, node, object, &built)?;
    }
    // Containers come last, inner ones first: the place of an element may depend on what is in it.
    for (node, object) in input.nodes.iter().zip(built.clone()).rev() {
        fill_container(m, node, object, &built)?;
    }
    let mut words = Vec::new();
    for (value, descriptor) in input.arguments.iter().zip(descriptors) {
        words.push(word(value, &built));
        if matches!(descriptor.as_str(), "J" | "D") {
            words.push(0);
        }
    }
    Ok(words)
}

fn internal(name: &str) -> String {
    match name.strip_suffix("[]") {
        None => name.replace('.', "/"),
        Some(element) => {
            let inner = internal(element);
            let letter = match inner.as_str() {
                "int" => "I",
                "long" => "J",
                "boolean" => "Z",
                "byte" => "B",
                "char" => "C",
                "short" => "S",
                "float" => "F",
                "double" => "D",
                _ if inner.starts_with('[') => return format!("[{inner}"),
                _ => return format!("[L{inner};"),
            };
            format!("[{letter}")
        }
    }
}

fn create(m: &mut Machine, node: &Node) -> Result<Ref, Raise> {
    match node {
        Node::String(units) => m.new_string_utf16(units),
        Node::List { class, elements } if class.ends_with("[]") => {
            let class = m.load(&internal(class))?;
            m.allocate_array(class, elements.len() as i32)
        }
        Node::Enum { class, name } => {
            let id = m.load(&internal(class))?;
            m.initialize_now(id)?;
            let at = m.static_field(id, name);
            Ok(at.map_or(Ref::NULL, |at| Ref::from_word(m.heap.word(at))))
        }
        other => {
            let id = m.load(&internal(other.class()))?;
            if let Some(function) = m.function_class(id).filter(|_| m.program.class(id).is_interface()) {
                return m.allocate(function);
            }
            m.initialize_now(id)?;
            let object = m.allocate(id)?;
            if let Node::Text { text, .. } = other {
                m.roots.push(object);
                let constructor = m.program.declared_method(id, "<init>", "(Ljava/lang/String;)V");
                let text = m.new_string(text)?;
                call_on(m, object, constructor, &[text.word()])?;
            }
            let container = matches!(other, Node::List { .. } | Node::Map { .. });
            if container && let Some(constructor) = m.program.declared_method(id, "<init>", "()V") {
                m.roots.push(object);
                m.call(constructor, &[object.word()])?;
            }
            Ok(object)
        }
    }
}

fn fill(m: &mut Machine, node: &Node, object: Ref, built: &[Ref]) -> Result<(), Raise> {
    match node {
        Node::List { class, elements } if class.ends_with("[]") => {
            for (index, value) in elements.iter().enumerate() {
                let word = word(value, built);
                m.set_array_word(object, index as i32, word);
            }
        }
        Node::List { class, elements } if class == "java.util.ArrayList" => {
            fill_list(m, object, elements, built)?;
        }
        Node::List { class, elements } if class == "java.util.ArrayList$Itr" => {
            let list = m.load("java/util/ArrayList")?;
            let below = m.allocate(list)?;
            m.set_field(object, "this$0", below.word());
            fill_list(m, below, elements, built)?;
            m.set_field(object, "lastRet", Word::from(-1i32 as u32));
        }
        Node::List { class, elements } if class == "java.util.Optional" => {
            m.set_field(object, "value", elements.first().map_or(0, |value| word(value, built)));
        }
        Node::Boxed { value, .. } => {
            let fields = fields_of(m, m.class_of(object));
            if let Some((_, offset, _)) = fields.first() {
                m.put(object, *offset, word(value, built));
            }
        }
        Node::Object { fields, .. } if m.class_name_of(object).ends_with(FUNCTION) => {
            let results = fields.iter().map(|(_, value)| word(value, built)).collect();
            m.symbolic.give_results(object, results);
        }
        Node::Object { fields, .. } => {
            let known = fields_of(m, m.class_of(object));
            for ((_, offset, kind), (_, value)) in known.iter().zip(fields) {
                m.put(object, *offset, word(value, built));
                if kind.width() == 2 {
                    m.put(object, *offset + 1, 0);
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// An array list as long as its array.
fn fill_list(m: &mut Machine, list: Ref, elements: &[Value], built: &[Ref]) -> Result<(), Raise> {
    let objects = m.load("[Ljava/lang/Object;")?;
    let array = m.allocate_array(objects, elements.len() as i32)?;
    for (index, value) in elements.iter().enumerate() {
        m.set_array_word(array, index as i32, word(value, built));
    }
    m.set_field(list, "elementData", array.word());
    m.set_field(list, "size", elements.len() as Word);
    Ok(())
}

/// Fills a container by its own methods.
fn fill_container(m: &mut Machine, node: &Node, object: Ref, built: &[Ref]) -> Result<(), Raise> {
    let class = m.class_of(object);
    match node {
        Node::List { class: name, elements }
            if container(name) == Some(Container::List) && !name.starts_with("java.util.ArrayList") =>
        {
            let add = m.program.find_method_named(class, "add", "(Ljava/lang/Object;)Z");
            for element in elements {
                call_on(m, object, add, &[word(element, built)])?;
            }
        }
        Node::Map { entries, .. } => {
            let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            let put = m.program.find_method_named(class, "put", put);
            for (key, value) in entries {
                call_on(m, object, put, &[word(key, built), word(value, built)])?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn call_on(m: &mut Machine, object: Ref, method: Option<MethodId>, words: &[Word]) -> Result<(), Raise> {
    let Some(method) = method else { return Ok(()) };
    let all: Vec<Word> = std::iter::once(object.word()).chain(words.iter().copied()).collect();
    m.call(method, &all).map(|_| ())
}

fn word(value: &Value, built: &[Ref]) -> Word {
    let int = |value: i32| Word::from(value as u32);
    match value {
        Value::Null => 0,
        Value::Boolean(value) => Word::from(*value),
        Value::Char(value) => Word::from(*value),
        Value::Byte(value) => int(i32::from(*value)),
        Value::Short(value) => int(i32::from(*value)),
        Value::Int(value) => int(*value),
        Value::Long(value) => *value as Word,
        Value::Float(value) => Word::from(value.to_bits()),
        Value::Double(value) => value.to_bits(),
        Value::Node(index) => built.get(*index).map_or(0, |object| object.word()),
    }
}
