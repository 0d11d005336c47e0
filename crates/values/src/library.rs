//! Objects of the library, read as what they stand for: a list by its elements, a number by its digits. What is kept in
//! private fields differs between JDKs; an object whose fields are not as expected is read like any other.

use machine::{Machine, Raise, Ref, Word};
use program::{ClassId, Kind};
use testcase::{Node, Value};

use crate::decimal;
use crate::graph::{Reader, class_name};

/// The way to a part of an object that may not be there.
macro_rules! part {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

impl Reader {
    /// The node of a library object; none if it has no meaning but its fields.
    pub fn library_node(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
        name: &str,
    ) -> Result<Option<Node>, Raise> {
        if let Some(boxed) = name.strip_prefix("java.lang.") {
            return self.lang_node(m, object, class, name, boxed);
        }
        if let Some(simple) = name.strip_prefix("java.util.ImmutableCollections$") {
            return self.immutable(m, object, simple);
        }
        if let Some(simple) = name.strip_prefix("java.util.Collections$") {
            return self.wrapper(m, object, name, simple);
        }
        let elements = match name {
            "java.util.ArrayList" => self.stretch(m, object, "elementData", "size")?,
            "java.util.Vector" | "java.util.Stack" => {
                self.stretch(m, object, "elementData", "elementCount")?
            }
            "java.util.PriorityQueue" if is_null(m, object, "comparator") => {
                self.stretch(m, object, "queue", "size")?
            }
            "java.util.Arrays$ArrayList" => self.whole(m, object, "a")?,
            "java.util.concurrent.CopyOnWriteArrayList" => self.whole(m, object, "array")?,
            "java.util.ArrayDeque" => self.ring(m, object)?,
            "java.util.LinkedList" => self.chain(m, object)?,
            "java.util.HashSet" | "java.util.LinkedHashSet" => {
                let map = part!(reference(m, object, "map")?);
                self.hash_entries(m, map)?.map(keys)
            }
            "java.util.TreeSet" => {
                let map = part!(reference(m, object, "m")?);
                self.tree_entries(m, map)?.map(keys)
            }
            "java.util.RegularEnumSet" | "java.util.JumboEnumSet" => {
                return self.enum_set(m, object);
            }
            "java.util.Optional" => {
                let word = part!(field(m, object, "value"));
                Some(if word == 0 { Vec::new() } else { vec![self.value(m, word, Kind::Ref)?] })
            }
            "java.util.OptionalInt" | "java.util.OptionalLong" | "java.util.OptionalDouble" => {
                self.optional_number(m, object, class)?
            }
            _ => None,
        };
        if let Some(elements) = elements {
            return Ok(Some(Node::List { class: name.into(), elements }));
        }
        let entries = match name {
            "java.util.HashMap" | "java.util.LinkedHashMap" | "java.util.Hashtable" => {
                self.hash_entries(m, object)?
            }
            "java.util.concurrent.ConcurrentHashMap" => self.hash_entries(m, object)?,
            "java.util.TreeMap" => self.tree_entries(m, object)?,
            "java.util.IdentityHashMap" => self.alternating(m, object, "table")?,
            "java.util.EnumMap" => return self.enum_map(m, object),
            _ => None,
        };
        if let Some(entries) = entries {
            return Ok(Some(Node::Map { class: name.into(), entries }));
        }
        if let Some(number) = name.strip_prefix("java.util.concurrent.atomic.Atomic")
            && ["Integer", "Long", "Boolean"].contains(&number)
        {
            let value = match part!(self.primitive(m, object, class, "value")?) {
                Value::Int(value) if number == "Boolean" => Value::Boolean(value != 0),
                value => value,
            };
            return Ok(Some(Node::Boxed { class: name.into(), value }));
        }
        let text = match name {
            "java.math.BigInteger" => big_integer(m, object)?,
            "java.math.BigDecimal" => big_decimal(m, object)?,
            "java.util.UUID" => uuid(m, object),
            _ => None,
        };
        Ok(text.map(|text| Node::Text { class: name.into(), text }))
    }

    fn lang_node(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
        name: &str,
        simple: &str,
    ) -> Result<Option<Node>, Raise> {
        Ok(match simple {
            "Integer" | "Long" | "Short" | "Byte" | "Character" | "Boolean" | "Float" | "Double" => {
                let value = self.primitive(m, object, class, "value")?;
                value.map(|value| Node::Boxed { class: name.into(), value })
            }
            "StringBuilder" | "StringBuffer" => {
                let text = builder_text(m, object)?;
                text.map(|text| Node::Text { class: name.into(), text })
            }
            "Class" => {
                let class = m.mirrored(object);
                Some(Node::Text { class: name.into(), text: class_name(m, class) })
            }
            _ => None,
        })
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
        let word = self.field_word(m, object, offset, kind)?;
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

    /// An `ArrayDeque`: from its head to its tail, around the end of the array.
    fn ring(&mut self, m: &mut Machine, object: Ref) -> Result<Option<Vec<Value>>, Raise> {
        let array = part!(reference(m, object, "elements")?);
        let (head, tail) = (part!(int(m, object, "head")?), part!(int(m, object, "tail")?));
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

    fn chain(&mut self, m: &mut Machine, object: Ref) -> Result<Option<Vec<Value>>, Raise> {
        let mut elements = Vec::new();
        let mut node = reference(m, object, "first")?;
        while let Some(current) = node {
            let word = part!(field(m, current, "item"));
            elements.push(self.value(m, word, Kind::Ref)?);
            node = reference(m, current, "next")?;
        }
        Ok(Some(elements))
    }

    /// The entries of a hash table, in iteration order if it is linked.
    fn hash_entries(&mut self, m: &mut Machine, map: Ref) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        let mut entries = Vec::new();
        if m.class_name_of(map) == "java/util/LinkedHashMap" {
            let mut node = reference(m, map, "head")?;
            while let Some(current) = node {
                entries.push(part!(self.entry(m, current)?));
                node = reference(m, current, "after")?;
            }
            return Ok(Some(entries));
        }
        let Some(table) = reference(m, map, "table")? else { return Ok(Some(entries)) };
        for i in 0..m.heap.length(table) {
            let mut node = m.element(table, i);
            while !node.is_null() {
                entries.push(part!(self.entry(m, node)?));
                node = reference(m, node, "next")?.unwrap_or(Ref::NULL);
            }
        }
        Ok(Some(entries))
    }

    fn entry(&mut self, m: &mut Machine, node: Ref) -> Result<Option<(Value, Value)>, Raise> {
        let key = part!(field(m, node, "key"));
        let value = part!(field(m, node, "value").or_else(|| field(m, node, "val")));
        Ok(Some((self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?)))
    }

    /// The entries of a `TreeMap` in the order of their keys, if that is their natural order.
    fn tree_entries(&mut self, m: &mut Machine, map: Ref) -> Result<Option<Vec<(Value, Value)>>, Raise> {
        if m.class_name_of(map) != "java/util/TreeMap" || !is_null(m, map, "comparator") {
            return Ok(None);
        }
        let mut entries = Vec::new();
        let mut above = Vec::new();
        let mut node = reference(m, map, "root")?;
        loop {
            while let Some(current) = node {
                above.push(current);
                node = reference(m, current, "left")?;
            }
            let Some(current) = above.pop() else { return Ok(Some(entries)) };
            entries.push(part!(self.entry(m, current)?));
            node = reference(m, current, "right")?;
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
        let mut entries = Vec::new();
        for i in (0..m.heap.length(table) - 1).step_by(2) {
            let (key, value) = (m.array_word(table, i), m.array_word(table, i + 1));
            if key != 0 {
                entries.push((self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?));
            }
        }
        Ok(Some(entries))
    }

    /// What `List.of`, `Set.of`, `Map.of` and the collectors of that kind make.
    fn immutable(&mut self, m: &mut Machine, object: Ref, simple: &str) -> Result<Option<Node>, Raise> {
        let list = |elements| Node::List { class: "java.util.List".into(), elements };
        let set = |elements| Node::List { class: "java.util.Set".into(), elements };
        let map = |entries| Node::Map { class: "java.util.Map".into(), entries };
        Ok(match simple {
            "List12" => self.one_or_two(m, object)?.map(list),
            "Set12" => self.one_or_two(m, object)?.map(set),
            "ListN" => self.whole(m, object, "elements")?.map(list),
            "SetN" => {
                let mut elements = part!(self.whole(m, object, "elements")?);
                elements.retain(|element| *element != Value::Null);
                Some(set(elements))
            }
            "Map1" => {
                let (key, value) = (part!(field(m, object, "k0")), part!(field(m, object, "v0")));
                Some(map(vec![(self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?)]))
            }
            "MapN" => self.alternating(m, object, "table")?.map(map),
            _ => None,
        })
    }

    /// The elements of a `List12` or `Set12`; a plain object, or null in old JDKs, stands for no second one.
    fn one_or_two(&mut self, m: &mut Machine, object: Ref) -> Result<Option<Vec<Value>>, Raise> {
        let mut elements = vec![self.value(m, part!(field(m, object, "e0")), Kind::Ref)?];
        if let Some(second) = reference(m, object, "e1")?
            && m.class_of(second) != m.known.object
        {
            elements.push(self.value(m, second.word(), Kind::Ref)?);
        }
        Ok(Some(elements))
    }

    /// Wrappers of `java.util.Collections`: what they wrap is their only element.
    fn wrapper(
        &mut self,
        m: &mut Machine,
        object: Ref,
        name: &str,
        simple: &str,
    ) -> Result<Option<Node>, Raise> {
        let class = name.to_string();
        Ok(match simple {
            "EmptyList" | "EmptySet" => Some(Node::List { class, elements: Vec::new() }),
            "EmptyMap" => Some(Node::Map { class, entries: Vec::new() }),
            "SingletonList" | "SingletonSet" => {
                let word = part!(field(m, object, "element"));
                Some(Node::List { class, elements: vec![self.value(m, word, Kind::Ref)?] })
            }
            "SingletonMap" => {
                let (key, value) = (part!(field(m, object, "k")), part!(field(m, object, "v")));
                let entry = (self.value(m, key, Kind::Ref)?, self.value(m, value, Kind::Ref)?);
                Some(Node::Map { class, entries: vec![entry] })
            }
            _ if simple.starts_with("Unmodifiable") || simple.starts_with("Synchronized") => {
                let word = part!(field(m, object, "m").or_else(|| field(m, object, "c")));
                Some(Node::List { class, elements: vec![self.value(m, word, Kind::Ref)?] })
            }
            _ => None,
        })
    }

    fn enum_set(&mut self, m: &mut Machine, object: Ref) -> Result<Option<Node>, Raise> {
        let of = part!(reference(m, object, "elementType")?);
        let of = class_name(m, m.mirrored(of));
        let universe = part!(reference(m, object, "universe")?);
        let bits: Vec<Word> = match m.program.field_named(m.class_of(object), "elements").map(|f| f.kind) {
            Some(Kind::Long) => vec![part!(field(m, object, "elements"))],
            _ => {
                let words = part!(reference(m, object, "elements")?);
                (0..m.heap.length(words)).map(|i| m.array_word(words, i)).collect()
            }
        };
        let mut elements = Vec::new();
        for i in 0..m.heap.length(universe) {
            if bits.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 != 0) {
                let word = m.array_word(universe, i);
                elements.push(self.value(m, word, Kind::Ref)?);
            }
        }
        Ok(Some(Node::List { class: format!("java.util.EnumSet<{of}>"), elements }))
    }

    fn enum_map(&mut self, m: &mut Machine, object: Ref) -> Result<Option<Node>, Raise> {
        let of = part!(reference(m, object, "keyType")?);
        let of = class_name(m, m.mirrored(of));
        let keys = part!(reference(m, object, "keyUniverse")?);
        let values = part!(reference(m, object, "vals")?);
        let mut entries = Vec::new();
        for i in 0..m.heap.length(values).min(m.heap.length(keys)) {
            let (key, value) = (m.array_word(keys, i), m.force(m.array_word(values, i))?);
            if value == 0 {
                continue;
            }
            // A mask stands for null.
            let is_mask = m.class_name_of(Ref::from_word(value)) == "java/util/EnumMap$1";
            let key = self.value(m, key, Kind::Ref)?;
            entries.push((key, if is_mask { Value::Null } else { self.value(m, value, Kind::Ref)? }));
        }
        Ok(Some(Node::Map { class: format!("java.util.EnumMap<{of}>"), entries }))
    }

    fn optional_number(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
    ) -> Result<Option<Vec<Value>>, Raise> {
        let is_present = part!(self.primitive(m, object, class, "isPresent")?);
        let value = part!(self.primitive(m, object, class, "value")?);
        Ok(Some(if is_present == Value::Boolean(true) { vec![value] } else { Vec::new() }))
    }
}

fn keys(entries: Vec<(Value, Value)>) -> Vec<Value> {
    entries.into_iter().map(|entry| entry.0).collect()
}

/// The word of a field, if there is one of this name; only the low word of a wide one that is pending.
fn field(m: &Machine, object: Ref, name: &str) -> Option<Word> {
    m.field_offset(m.class_of(object), name).map(|offset| m.get(object, offset))
}

/// The object in a field; none if there is no such field, or null in it.
fn reference(m: &mut Machine, object: Ref, name: &str) -> Result<Option<Ref>, Raise> {
    let Some(word) = field(m, object, name) else { return Ok(None) };
    let word = m.force(word)?;
    Ok((word != 0).then(|| Ref::from_word(word)))
}

fn int(m: &mut Machine, object: Ref, name: &str) -> Result<Option<i32>, Raise> {
    let Some(word) = field(m, object, name) else { return Ok(None) };
    Ok(Some(m.force(word)? as i32))
}

fn is_null(m: &Machine, object: Ref, name: &str) -> bool {
    field(m, object, name) == Some(0)
}

fn big_integer(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let sign = part!(int(m, object, "signum")?);
    let magnitude = part!(reference(m, object, "mag")?);
    m.force_elements(magnitude)?;
    let words: Vec<u32> = (0..m.heap.length(magnitude)).map(|i| m.array_word(magnitude, i) as u32).collect();
    Ok(Some(decimal::integer(sign < 0, &words)))
}

fn big_decimal(m: &mut Machine, object: Ref) -> Result<Option<String>, Raise> {
    let scale = part!(int(m, object, "scale")?);
    let digits = match reference(m, object, "intVal")? {
        Some(large) => part!(big_integer(m, large)?),
        None => (part!(field(m, object, "intCompact")) as i64).to_string(),
    };
    Ok(Some(decimal::scaled(&digits, scale)))
}

fn uuid(m: &Machine, object: Ref) -> Option<String> {
    let (most, least) = (field(m, object, "mostSigBits")?, field(m, object, "leastSigBits")?);
    let hex = format!("{most:016x}{least:016x}");
    Some(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
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
