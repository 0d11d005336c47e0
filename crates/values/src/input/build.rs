//! Building an input in a machine: first all objects are made, then they are filled, and containers come last.

use library::{Class, Layout, Made, Unknown};
use machine::symbolic::{FUNCTION, UNSEEN};
use machine::{Machine, Raise, Ref, Stop, Surroundings, Word};
use program::{Kind, MethodId};
use testcase::{Node, Value};

use super::{Input, Making, Step, fields_of};

/// Lets the program's choices be what they were.
pub fn give_choices(m: &mut Machine, input: &Input) {
    let numbers = input.numbers.iter().copied().collect();
    let picks = input.picks.iter().map(|pick| pick.1).collect();
    m.symbolic.give_choices(numbers, picks);
}

/// Lets choices of objects be those that were built.
fn give_objects(m: &mut Machine, input: &Input, built: &[Ref]) {
    let is_other = |place: usize| {
        input.picks.iter().any(|pick| pick.0 == place)
            || input.outside.iter().any(|outside| outside.0 == place)
    };
    let choices = input.choices.iter().enumerate().filter(|(place, _)| !is_other(*place));
    let objects = choices.filter_map(|(_, value)| match value {
        Value::Null => Some(Ref::NULL),
        Value::Node(index) => built.get(*index).copied(),
        _ => None,
    });
    m.symbolic.give_objects(objects.collect());
}

/// Lets the world give what it gave, as far as that was built.
fn give_outside(m: &mut Machine, input: &Input, built: &[Ref]) {
    m.symbolic.give_surroundings(match input.outside.is_empty() {
        true => Surroundings::AsInRun,
        false => Surroundings::Any,
    });
    for (place, name) in &input.outside {
        let value = &input.choices[*place];
        let is_there = match value {
            Value::Node(number) => !built[*number].is_null(),
            _ => true,
        };
        if is_there {
            m.symbolic.give_outside(name, word(value, built));
        }
    }
}

/// Builds the input in a machine; gives the words of the arguments, two for wide ones.
pub fn build(m: &mut Machine, input: &Input, descriptors: &[String]) -> Result<Vec<Word>, Raise> {
    let mut built: Vec<Ref> = vec![Ref::NULL; input.nodes.len()];
    // Strings come first: initializers of the others' classes may ask the world for one.
    let is_string = |number: &usize| matches!(input.nodes[*number], Node::String(_));
    let (strings, others): (Vec<usize>, Vec<usize>) = (0..input.nodes.len()).partition(is_string);
    for numbers in [strings, others] {
        for number in numbers {
            let object = create(m, &input.nodes[number])?;
            m.roots.push(object);
            built[number] = object;
        }
        give_outside(m, input, &built);
    }
    if contains_itself(m, input, &built) {
        return Err(Raise::Stop(Stop::Rejected));
    }
    for (node, object) in input.nodes.iter().zip(built.clone()) {
        fill(m, node, object, &built)?;
    }
    // Containers come last, inner ones first: the place of an element may depend on what is in it. Likewise what a record
    // makes of its components, and a constructor of its arguments.
    for number in inner_first(input) {
        let (node, object) = (&input.nodes[number], built[number]);
        match input.made.iter().find(|made| made.0 == number) {
            Some((_, making)) => make(m, object, making, &built)?,
            None => construct(m, object)?,
        }
        fill_container(m, node, object, &built)?;
    }
    give_objects(m, input, &built);
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

/// How a class of the library is made.
fn made(class: &str) -> Option<Made> {
    library::shown(class).map(|known| known.made)
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
        other if other.class().ends_with(UNSEEN) => {
            let parent = m.load(&internal(other.class().trim_end_matches(UNSEEN)))?;
            let class = m.unseen_class(parent)?;
            m.initialize_now(class)?;
            m.allocate(class)
        }
        Node::Text { class, text } if made(class) == Some(Made::Literal) => {
            let id = match Kind::PRIMITIVES.iter().find(|kind| kind.primitive_name() == text) {
                Some(kind) => m.program.primitive(*kind),
                None => m.load(&internal(text))?,
            };
            Ok(m.mirror(id))
        }
        other => {
            let id = m.load(&internal(other.class()))?;
            if let Some(function) = m.function_class(id).filter(|_| m.program.class(id).is_interface()) {
                return m.allocate(function);
            }
            m.initialize_now(id)?;
            let object = m.allocate(id)?;
            if let Node::Text { class, text } = other {
                if made(class) == Some(Made::FromString) {
                    let descriptor = format!("(Ljava/lang/String;)L{};", internal(class));
                    let made = m.program.declared_method(id, "fromString", &descriptor);
                    let text = m.new_string(text)?;
                    m.roots.push(text);
                    let made = made.map(|method| m.call(method, &[text.word()])).transpose()?;
                    return match made {
                        Some(machine::Value::One(word)) => Ok(Ref::from_word(word)),
                        _ => Ok(object),
                    };
                }
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
        Node::List { elements, .. } => match known(m, object).map(|known| (known.unknown, known.layout)) {
            Some((Unknown::AnyLength, _)) => fill_list(m, object, elements, built)?,
            Some((Unknown::Iterator, _)) => {
                let list = m.load("java/util/ArrayList")?;
                let below = m.allocate(list)?;
                m.set_field(object, "this$0", below.word());
                fill_list(m, below, elements, built)?;
                m.set_field(object, "lastRet", Word::from(-1i32 as u32));
            }
            Some((_, Layout::OneOrNone { field })) => {
                m.set_field(object, field, elements.first().map_or(0, |value| word(value, built)));
            }
            _ => {}
        },
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
            if m.class_name_of(object).ends_with(UNSEEN) {
                let results = fields[known.len()..].iter().map(|(_, value)| word(value, built)).collect();
                m.symbolic.give_results(object, results);
            }
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

/// Lets the constructor of a record have its components.
fn construct(m: &mut Machine, object: Ref) -> Result<(), Raise> {
    if object.is_null() {
        return Ok(());
    }
    let class = m.class_of(object);
    let Some(constructor) = m.canonical_constructor(class) else { return Ok(()) };
    let mut arguments = Vec::new();
    for (_, offset, kind) in fields_of(m, class) {
        arguments.push(m.get(object, offset));
        if kind.width() == 2 {
            arguments.push(0);
        }
    }
    match call_on(m, object, Some(constructor), &arguments) {
        Err(Raise::Throw(_)) => Err(Raise::Stop(Stop::Rejected)),
        result => result,
    }
}

/// Makes an object by the calls that make it.
fn make(m: &mut Machine, object: Ref, making: &Making, built: &[Ref]) -> Result<(), Raise> {
    let start = step(m, &making.start)?;
    let arguments = words(&making.start, built);
    let started = match m.program.method(start).is_static() {
        false => call_on(m, object, Some(start), &arguments),
        true => match m.call_asking(start, &arguments) {
            Ok(machine::Value::One(word)) => m.take_state(object, Ref::from_word(word)),
            other => other.map(|_| ()),
        },
    };
    match started {
        Err(Raise::Throw(_)) => return Err(Raise::Stop(Stop::Rejected)),
        started => started?,
    }
    for call in &making.calls {
        let method = step(m, call)?;
        match call_on(m, object, Some(method), &words(call, built)) {
            Err(Raise::Throw(_)) => {}
            called => called?,
        }
    }
    Ok(())
}

/// The method of a step. The lowest class that has it is meant: there is nobody below.
fn step(m: &mut Machine, step: &Step) -> Result<MethodId, Raise> {
    let class = match step.class.strip_suffix(UNSEEN) {
        Some(parent) => {
            let parent = m.load(parent)?;
            m.unseen_class(parent)?
        }
        None => m.load(&step.class)?,
    };
    let method = m.program.declared_method(class, &step.name, &step.descriptor);
    method.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("{} has no {}", step.class, step.name))))
}

/// The words of the arguments of a step, two for wide ones.
fn words(step: &Step, built: &[Ref]) -> Vec<Word> {
    let mut words = Vec::new();
    for value in &step.arguments {
        words.push(word(value, built));
        if matches!(value, Value::Long(_) | Value::Double(_)) {
            words.push(0);
        }
    }
    words
}

/// The numbers of all nodes, each after those that it is made of, as far as that is possible.
fn inner_first(input: &Input) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_met = vec![false; input.nodes.len()];
    for root in 0..input.nodes.len() {
        let mut waiting = vec![(root, false)];
        while let Some((number, is_left)) = waiting.pop() {
            if is_left {
                order.push(number);
            } else if !std::mem::replace(&mut is_met[number], true) {
                waiting.push((number, true));
                waiting.extend(parts(input, number).into_iter().map(|part| (part, false)));
            }
        }
    }
    order
}

/// The nodes that a node is made of.
fn parts(input: &Input, number: usize) -> Vec<usize> {
    let mut values: Vec<&Value> = match &input.nodes[number] {
        Node::List { elements, .. } => elements.iter().collect(),
        Node::Map { entries, .. } => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
        Node::Object { fields, .. } => fields.iter().map(|(_, value)| value).collect(),
        Node::Boxed { .. } | Node::Text { .. } | Node::String(_) | Node::Enum { .. } => Vec::new(),
    };
    if let Some((_, making)) = input.made.iter().find(|made| made.0 == number) {
        let steps = std::iter::once(&making.start).chain(&making.calls);
        values.extend(steps.flat_map(|step| &step.arguments));
    }
    let node = |value: &Value| if let Value::Node(part) = value { Some(*part) } else { None };
    values.into_iter().filter_map(node).collect()
}

/// Whether an object that is made of others, such as a record, would have to be there before it is made.
fn contains_itself(m: &Machine, input: &Input, built: &[Ref]) -> bool {
    let is_made = |index: usize| {
        let object = built[index];
        input.made.iter().any(|made| made.0 == index)
            || !object.is_null() && m.canonical_constructor(m.class_of(object)).is_some()
    };
    (0..built.len()).filter(|index| is_made(*index)).any(|start| {
        let (mut waiting, mut seen) = (parts(input, start), Vec::new());
        while let Some(index) = waiting.pop() {
            if index == start {
                return true;
            }
            // What is changed afterwards can contain anything.
            if is_made(index) && !seen.contains(&index) {
                seen.push(index);
                waiting.extend(parts(input, index));
            }
        }
        false
    })
}

/// Fills a container by its own methods.
fn fill_container(m: &mut Machine, node: &Node, object: Ref, built: &[Ref]) -> Result<(), Raise> {
    let class = m.class_of(object);
    match node {
        Node::List { elements, .. } if is_filled_by_adding(m, object) => {
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

/// The row of the class of an object.
fn known(m: &Machine, object: Ref) -> Option<&'static Class> {
    library::class(m.class_name_of(object))
}

fn is_filled_by_adding(m: &Machine, object: Ref) -> bool {
    known(m, object).is_some_and(|known| known.made == Made::New && known.unknown != Unknown::AnyLength)
}

fn call_on(m: &mut Machine, object: Ref, method: Option<MethodId>, words: &[Word]) -> Result<(), Raise> {
    let Some(method) = method else { return Ok(()) };
    let all: Vec<Word> = std::iter::once(object.word()).chain(words.iter().copied()).collect();
    m.call_asking(method, &all).map(|_| ())
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
