//! Objects of the library, read as what they stand for: a list by its elements, a number by its digits. What is kept in
//! private fields differs between JDKs; an object whose fields are not as expected is read like any other.

use library::{Class, Layout, Nature};
use machine::{Machine, Raise, Ref, Word};
use program::{ClassId, Kind};
use testcase::{Node, Value};

use crate::decimal;
use crate::graph::{Reader, class_name};

/// Words of a number whose digits are written out, which takes time that grows with their square.
const LONGEST_NUMBER: i32 = 4_096;

/// The way to a part of an object that may not be there.
macro_rules! part {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

/// What an object has in it, before it is called by a name.
enum Contents {
    Elements(Vec<Value>),
    Entries(Vec<(Value, Value)>),
    Number(Value),
    Text(String),
    /// Constants of an enum,
    Constants(String, Vec<Value>),
    /// and what a map has for them.
    ByConstant(String, Vec<(Value, Value)>),
}

impl Reader {
    /// The node of a library object; none if it has no meaning but its fields.
    pub fn library_node(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
    ) -> Result<Option<Node>, Raise> {
        let Some(known) = library::class(m.program.class_name(class)) else { return Ok(None) };
        let contents = part!(self.contents(m, object, class, known)?);
        let class = known.shown_name();
        Ok(Some(match contents {
            Contents::Elements(elements) => Node::List { class, elements },
            Contents::Entries(entries) => Node::Map { class, entries },
            Contents::Number(value) => Node::Boxed { class, value },
            Contents::Text(text) => Node::Text { class, text },
            Contents::Constants(of, elements) => Node::List { class: format!("{class}<{of}>"), elements },
            Contents::ByConstant(of, entries) => Node::Map { class: format!("{class}<{of}>"), entries },
        }))
    }

    fn contents(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
        known: &Class,
    ) -> Result<Option<Contents>, Raise> {
        let elements = match known.layout {
            Layout::Stretch { array, size } => self.stretch(m, object, array, size)?,
            Layout::Heap { array, size } if is_null(m, object, "comparator")? => {
                self.stretch(m, object, array, size)?
            }
            Layout::Whole { array } => self.whole(m, object, array)?,
            Layout::Sparse { array } => {
                let mut elements = part!(self.whole(m, object, array)?);
                elements.retain(|element| *element != Value::Null);
                Some(elements)
            }
            Layout::Ring { array, head, tail } => self.ring(m, object, array, head, tail)?,
            Layout::Chain { first, item, next } => self.chain(m, object, first, item, next)?,
            Layout::KeysOf { map } => {
                let map = part!(reference(m, object, map)?);
                let layout =
                    library::class(m.class_name_of(map)).map_or(Layout::Fields, |known| known.layout);
                self.entries(m, map, layout)?.map(keys)
            }
            Layout::OneOrTwo { first, second } => self.one_or_two(m, object, first, second)?,
            Layout::Empty if known.nature == Nature::Map => return Ok(Some(Contents::Entries(Vec::new()))),
            Layout::Empty => Some(Vec::new()),
            Layout::One { field: name } => {
                let word = part!(field(m, object, name)?);
                Some(vec![self.value(m, word, Kind::Ref)?])
            }
            Layout::OneOrNone { field: name } => {
                let word = part!(field(m, object, name)?);
                Some(if word == 0 { Vec::new() } else { vec![self.value(m, word, Kind::Ref)?] })
            }
            Layout::NumberOrNone { is_there, field } => {
                let is_there = part!(self.primitive(m, object, class, is_there)?);
                let value = part!(self.primitive(m, object, class, field)?);
                Some(if is_there == Value::Boolean(true) { vec![value] } else { Vec::new() })
            }
            Layout::Buckets { .. }
            | Layout::Linked { .. }
            | Layout::Tree { .. }
            | Layout::Alternating { .. }
            | Layout::Entry { .. } => {
                return Ok(self.entries(m, object, known.layout)?.map(Contents::Entries));
            }
            Layout::Bits { of, constants, bits } => {
                let of = part!(named_class(m, object, of)?);
                let elements = part!(self.bits(m, object, constants, bits)?);
                return Ok(Some(Contents::Constants(of, elements)));
            }
            Layout::ByConstant { of, constants, values, null } => {
                let of = part!(named_class(m, object, of)?);
                let entries = part!(self.by_constant(m, object, constants, values, null)?);
                return Ok(Some(Contents::ByConstant(of, entries)));
            }
            Layout::Number { field } => {
                return Ok(self.primitive(m, object, class, field)?.map(Contents::Number));
            }
            Layout::Truth { field } => {
                let value = match part!(self.primitive(m, object, class, field)?) {
                    Value::Int(value) => Value::Boolean(value != 0),
                    value => value,
                };
                return Ok(Some(Contents::Number(value)));
            }
            Layout::Digits => return Ok(big_integer(m, object)?.map(Contents::Text)),
            Layout::ScaledDigits => return Ok(big_decimal(m, object)?.map(Contents::Text)),
            Layout::Halves => return Ok(uuid(m, object)?.map(Contents::Text)),
            Layout::Letters => return Ok(builder_text(m, object)?.map(Contents::Text)),
            Layout::Mirror => {
                let class = m.mirrored(object);
                return Ok(Some(Contents::Text(class_name(m, class))));
            }
            Layout::Fields | Layout::Heap { .. } => None,
        };
        Ok(elements.map(Contents::Elements))
    }

    /// The entries of a map.
    fn entries(
        &mut self,
        m: &mut Machine,
        map: Ref,
        layout: Layout,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        match layout {
            Layout::Buckets { table, next } => self.buckets(m, map, table, next),
            Layout::Linked { first, next } => self.linked(m, map, first, next),
            // In any other order than the natural one nobody could write it down.
            Layout::Tree { .. } if !is_null(m, map, "comparator")? => Ok(None),
            Layout::Tree { root, left, right } => self.tree(m, map, root, left, right),
            Layout::Alternating { table } => self.alternating(m, map, table),
            Layout::Entry { key, value } => {
                let (key, value) = (part!(field(m, map, key)?), part!(field(m, map, value)?));
                Ok(Some(vec![(self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?)]))
            }
            _ => Ok(None),
        }
    }

    fn primitive(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
        name: &str,
    ) -> Result<Option<Value>, Raise> {
        let field = m.program.field_named(class, name).map(|field| (field.offset, field.kind));
        let (offset, kind) = part!(field);
        let word = m.decided(object, offset, kind)?;
        Ok(Some(self.value(m, word, kind)?))
    }

    /// The first elements of an array in a field.
    fn stretch(
        &mut self,
        m: &mut Machine,
        object: Ref,
        array: &str,
        size: &str,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let array = part!(reference(m, object, array)?);
        let size = part!(int(m, object, size)?);
        m.force_elements(array)?;
        let mut elements = Vec::new();
        for i in 0..size.min(m.heap.length(array)) {
            let word = m.array_word(array, i);
            elements.push(self.value(m, word, Kind::Ref)?);
        }
        Ok(Some(elements))
    }

    fn whole(&mut self, m: &mut Machine, object: Ref, array: &str) -> Result<Option<Vec<Value>>, Raise> {
        let array = part!(reference(m, object, array)?);
        m.force_elements(array)?;
        let words: Vec<Word> = (0..m.heap.length(array)).map(|i| m.array_word(array, i)).collect();
        words.into_iter().map(|word| self.value(m, word, Kind::Ref)).collect::<Result<_, _>>().map(Some)
    }

    /// From its head to its tail, around the end of the array.
    fn ring(
        &mut self,
        m: &mut Machine,
        object: Ref,
        array: &str,
        head: &str,
        tail: &str,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let array = part!(reference(m, object, array)?);
        let (head, tail) = (part!(int(m, object, head)?), part!(int(m, object, tail)?));
        let length = m.heap.length(array);
        m.force_elements(array)?;
        let mut elements = Vec::new();
        let mut at = head;
        while at != tail && (0..length).contains(&at) {
            let word = m.array_word(array, at);
            elements.push(self.value(m, word, Kind::Ref)?);
            at = (at + 1) % length;
        }
        Ok(Some(elements))
    }

    fn chain(
        &mut self,
        m: &mut Machine,
        object: Ref,
        first: &str,
        item: &str,
        next: &str,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let mut elements = Vec::new();
        let mut node = reference(m, object, first)?;
        while let Some(current) = node {
            let word = part!(field(m, current, item)?);
            elements.push(self.value(m, word, Kind::Ref)?);
            node = reference(m, current, next)?;
        }
        Ok(Some(elements))
    }

    /// The entries of a linked map, in their order.
    fn linked(
        &mut self,
        m: &mut Machine,
        map: Ref,
        first: &str,
        next: &str,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let mut entries = Vec::new();
        let mut node = reference(m, map, first)?;
        while let Some(current) = node {
            entries.push(part!(self.entry(m, current)?));
            node = reference(m, current, next)?;
        }
        Ok(Some(entries))
    }

    /// The entries of a hash table.
    fn buckets(
        &mut self,
        m: &mut Machine,
        map: Ref,
        table: &str,
        next: &str,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let mut entries = Vec::new();
        let Some(table) = reference(m, map, table)? else { return Ok(Some(entries)) };
        for i in 0..m.heap.length(table) {
            let first = m.force(m.array_word(table, i))?;
            let mut node = Ref::from_word(first);
            while !node.is_null() {
                entries.push(part!(self.entry(m, node)?));
                node = reference(m, node, next)?.unwrap_or(Ref::NULL);
            }
        }
        Ok(Some(entries))
    }

    fn entry(&mut self, m: &mut Machine, node: Ref) -> Result<Option<(Value, Value)>, Raise> {
        let key = part!(field(m, node, "key")?);
        let value = match field(m, node, "value")? {
            None => field(m, node, "val")?,
            value => value,
        };
        let value = part!(value);
        Ok(Some((self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?)))
    }

    /// The entries of a search tree, in the order of their keys.
    fn tree(
        &mut self,
        m: &mut Machine,
        map: Ref,
        root: &str,
        left: &str,
        right: &str,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let mut entries = Vec::new();
        let mut above = Vec::new();
        let mut node = reference(m, map, root)?;
        loop {
            while let Some(current) = node {
                above.push(current);
                node = reference(m, current, left)?;
            }
            let Some(current) = above.pop() else { return Ok(Some(entries)) };
            entries.push(part!(self.entry(m, current)?));
            node = reference(m, current, right)?;
        }
    }

    /// A table with keys and values in turn.
    fn alternating(
        &mut self,
        m: &mut Machine,
        object: Ref,
        table: &str,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let table = part!(reference(m, object, table)?);
        m.force_elements(table)?;
        let mut entries = Vec::new();
        for i in (0..m.heap.length(table) - 1).step_by(2) {
            let (key, value) = (m.array_word(table, i), m.array_word(table, i + 1));
            if key != 0 {
                entries.push((self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?));
            }
        }
        Ok(Some(entries))
    }

    /// One element or two; a plain object, or null in old JDKs, stands for no second one.
    fn one_or_two(
        &mut self,
        m: &mut Machine,
        object: Ref,
        first: &str,
        second: &str,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let first = part!(field(m, object, first)?);
        let mut elements = vec![self.value(m, first, Kind::Ref)?];
        if let Some(second) = reference(m, object, second)?
            && m.class_of(second) != m.known.object
        {
            elements.push(self.value(m, second.word(), Kind::Ref)?);
        }
        Ok(Some(elements))
    }

    /// Those constants of an enum whose bits are set.
    fn bits(
        &mut self,
        m: &mut Machine,
        object: Ref,
        constants: &str,
        bits: &str,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let constants = part!(reference(m, object, constants)?);
        let words: Vec<Word> = match m.program.field_named(m.class_of(object), bits).map(|f| f.kind) {
            Some(Kind::Long) => vec![part!(field(m, object, bits)?)],
            _ => {
                let words = part!(reference(m, object, bits)?);
                m.force_elements(words)?;
                (0..m.heap.length(words)).map(|i| m.array_word(words, i)).collect()
            }
        };
        let mut elements = Vec::new();
        for i in 0..m.heap.length(constants) {
            if words.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 != 0) {
                let word = m.array_word(constants, i);
                elements.push(self.value(m, word, Kind::Ref)?);
            }
        }
        Ok(Some(elements))
    }

    /// The values that there are for constants of an enum; a mask stands for null.
    fn by_constant(
        &mut self,
        m: &mut Machine,
        object: Ref,
        constants: &str,
        values: &str,
        mask: &str,
    ) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let keys = part!(reference(m, object, constants)?);
        let values = part!(reference(m, object, values)?);
        let mut entries = Vec::new();
        for i in 0..m.heap.length(values).min(m.heap.length(keys)) {
            let (key, value) = (m.array_word(keys, i), m.force(m.array_word(values, i))?);
            if value == 0 {
                continue;
            }
            let is_mask = m.class_name_of(Ref::from_word(value)) == mask;
            let key = self.value(m, key, Kind::Ref)?;
            entries.push((key, if is_mask { Value::Null } else { self.value(m, value, Kind::Ref)? }));
        }
        Ok(Some(entries))
    }
}

/// The name of the class in a field.
fn named_class(m: &mut Machine, object: Ref, field: &str) -> Result<Option<String>, Raise> {
    let mirror = part!(reference(m, object, field)?);
    Ok(Some(class_name(m, m.mirrored(mirror))))
}

fn keys(entries: Vec<(Value, Value)>) -> Vec<Value> {
    entries.into_iter().map(|entry| entry.0).collect()
}

/// The value of a field, if there is one of this name.
fn field(m: &mut Machine, object: Ref, name: &str) -> Result<Option<Word>, Raise> {
    let field = m.program.field_named(m.class_of(object), name).filter(|field| !field.is_static());
    let Some((offset, kind)) = field.map(|field| (field.offset, field.kind)) else { return Ok(None) };
    m.decided(object, offset, kind).map(Some)
}

/// The object in a field; none if there is no such field, or null in it.
fn reference(m: &mut Machine, object: Ref, name: &str) -> Result<Option<Ref>, Raise> {
    let Some(word) = field(m, object, name)? else { return Ok(None) };
    Ok((word != 0).then(|| Ref::from_word(word)))
}

fn int(m: &mut Machine, object: Ref, name: &str) -> Result<Option<i32>, Raise> {
    Ok(field(m, object, name)?.map(|word| word as i32))
}

fn is_null(m: &mut Machine, object: Ref, name: &str) -> Result<bool, Raise> {
    Ok(field(m, object, name)? == Some(0))
}

fn big_integer(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let sign = part!(int(m, object, "signum")?);
    let magnitude = part!(reference(m, object, "mag")?);
    m.force_elements(magnitude)?;
    if m.heap.length(magnitude) > LONGEST_NUMBER {
        return Ok(None);
    }
    let words: Vec<u32> = (0..m.heap.length(magnitude)).map(|i| m.array_word(magnitude, i) as u32).collect();
    Ok(Some(decimal::integer(sign < 0, &words)))
}

fn big_decimal(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let scale = part!(int(m, object, "scale")?);
    let digits = match reference(m, object, "intVal")? {
        Some(large) => part!(big_integer(m, large)?),
        None => (part!(field(m, object, "intCompact")?) as i64).to_string(),
    };
    Ok(Some(decimal::scaled(&digits, scale)))
}

fn uuid(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let (most, least) = (part!(field(m, object, "mostSigBits")?), part!(field(m, object, "leastSigBits")?));
    Ok(Some(uuid_text(most, least)))
}

/// The halves of a `UUID` as they are written.
pub(crate) fn uuid_text(most: u64, least: u64) -> String {
    let hex = format!("{most:016x}{least:016x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// What a builder says, unless it is half a character.
fn builder_text(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let bytes = part!(reference(m, object, "value")?);
    let (count, wide) = (part!(int(m, object, "count")?), part!(int(m, object, "coder")?) != 0);
    m.force_elements(bytes)?;
    let byte = |index: i32| u16::from(m.array_word(bytes, index) as u8);
    let unit = |index: i32| if wide { byte(2 * index) | byte(2 * index + 1) << 8 } else { byte(index) };
    let length = m.heap.length(bytes) >> i32::from(wide);
    let units: Vec<u16> = (0..count.min(length)).map(unit).collect();
    Ok(String::from_utf16(&units).ok())
}
