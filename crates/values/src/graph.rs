//! Reading an object graph out of a machine, deciding what is still pending on the way.

use machine::value::is_unknown;
use machine::{Machine, Raise, Ref, Stop, Word};
use program::{ClassId, Kind, Shape, Symbol};
use rustc_hash::FxHashMap;
use testcase::{Graph, Node, Value};

/// Bytes that an object, an element of an array, and a unit of a string take, with the text that is made of them.
const NODE: u64 = 512;
const ELEMENT: u64 = 64;
const UNIT: u64 = 8;
/// Objects, elements and letters of a small graph.
const SMALL: usize = 20_000;
/// After so many objects it is asked whether there is room for more.
const MANY: usize = 4096;

/// The graph below a value of kind `kind`. `Err(Choose)` when something pending has to be decided first.
pub fn graph(m: &mut Machine, word: Word, kind: Kind) -> Result<Graph, Raise> {
    let mut reader = Reader::default();
    let root = reader.value(m, word, kind)?;
    let nodes = reader.nodes(m)?;
    Ok(Graph { root, nodes })
}

/// The same where it is small: nobody reads what is larger, and to look at it takes its time.
pub fn small(m: &mut Machine, word: Word, kind: Kind) -> Option<Graph> {
    let mut reader = Reader { left: Some(SMALL), ..Reader::default() };
    let root = reader.value(m, word, kind).ok()?;
    let nodes = reader.nodes(m).ok()?;
    Some(Graph { root, nodes })
}

/// Decides everything pending that can be reached from a value, in the order in which [`graph`] does, without
/// building the graph.
pub fn decide_all(m: &mut Machine, word: Word, kind: Kind) -> Result<(), Raise> {
    if m.cells().iter().all(|cell| cell.value.is_some()) {
        return Ok(());
    }
    let mut reader = Reader::default();
    reader.value(m, word, kind)?;
    let mut next = 0;
    while let Some(object) = reader.seen.get(next) {
        reader.decide_node(m, *object)?;
        next += 1;
    }
    Ok(())
}

#[derive(Default)]
pub struct Reader {
    /// Objects met so far, in order,
    seen: Vec<Ref>,
    /// and their numbers.
    numbers: FxHashMap<Ref, usize>,
    /// How many objects and elements may still be read, if not all may.
    left: Option<usize>,
}

impl Reader {
    /// What was met, and all that it leads to. Breadth-first, without recursion: lists can be long.
    pub fn nodes(&mut self, m: &mut Machine) -> Result<Vec<Node>, Raise> {
        let mut nodes = Vec::new();
        while let Some(object) = self.seen.get(nodes.len()) {
            if nodes.len().is_multiple_of(MANY) {
                m.ensure_room(MANY as u64 * NODE)?;
            }
            let object = *object;
            self.count(1)?;
            let node = self.node(m, object)?;
            nodes.push(node);
        }
        Ok(nodes)
    }

    /// Counts what is read, as long as there is a bound.
    fn count(&mut self, more: usize) -> Result<(), Raise> {
        if let Some(left) = self.left {
            let rest = left.checked_sub(more);
            self.left = Some(rest.ok_or_else(|| Raise::Stop(Stop::NotModelled("so large a graph".into())))?);
        }
        Ok(())
    }

    pub fn value(&mut self, m: &mut Machine, word: Word, kind: Kind) -> Result<Value, Raise> {
        let word = if kind.width() == 1 && is_unknown(word) { m.force(word)? } else { word };
        Ok(match kind {
            Kind::Boolean => Value::Boolean(word & 1 != 0),
            Kind::Char => Value::Char(word as u16),
            Kind::Byte => Value::Byte(word as i8),
            Kind::Short => Value::Short(word as i16),
            Kind::Int => Value::Int(word as i32),
            Kind::Float => Value::Float(f32::from_bits(word as u32)),
            Kind::Long => Value::Long(word as i64),
            Kind::Double => Value::Double(f64::from_bits(word)),
            Kind::Void => Value::Null,
            Kind::Ref if word == 0 => Value::Null,
            Kind::Ref => {
                let object = Ref::from_word(word);
                let number = *self.numbers.entry(object).or_insert(self.seen.len());
                if number == self.seen.len() {
                    self.seen.push(object);
                }
                Value::Node(number)
            }
        })
    }

    fn node(&mut self, m: &mut Machine, object: Ref) -> Result<Node, Raise> {
        let class = m.class_of(object);
        let name = class_name(m, class);
        if class == m.known.string {
            m.force_elements(object)?;
            self.count(m.string_bytes(object).0.len())?;
            m.ensure_room(m.string_bytes(object).0.len() as u64 * UNIT)?;
            return Ok(Node::String(m.string_utf16(object)));
        }
        if let Shape::Array { kind, .. } = m.program.class(class).shape {
            m.force_elements(object)?;
            self.count(m.heap.length(object) as usize)?;
            m.ensure_room(m.heap.length(object) as u64 * ELEMENT)?;
            let mut elements = Vec::new();
            for i in 0..m.heap.length(object) {
                let word = m.array_word(object, i);
                elements.push(self.value(m, word, kind)?);
            }
            return Ok(Node::List { class: name, elements });
        }
        if let Some(declaring) = enum_of(m, class) {
            return Ok(Node::Enum { class: class_name(m, declaring), name: m.constant_name(object) });
        }
        if m.program.class(class).is_library()
            && let Some(node) = self.library_node(m, object, class)?
        {
            return Ok(node);
        }
        let mut fields = Vec::new();
        self.fields(m, object, class, |m, name, value| {
            fields.push((m.program.text(name).to_string(), value));
        })?;
        Ok(Node::Object { class: name, fields })
    }

    /// Decides what is pending in one object.
    fn decide_node(&mut self, m: &mut Machine, object: Ref) -> Result<(), Raise> {
        let class = m.class_of(object);
        let declared = m.program.class(class);
        if declared.shape == Shape::Declared && !declared.is_library() && enum_of(m, class).is_none() {
            self.fields(m, object, class, |_, _, _| {})
        } else {
            self.node(m, object).map(|_| ())
        }
    }

    /// The fields of an object, inherited ones first.
    fn fields(
        &mut self,
        m: &mut Machine,
        object: Ref,
        class: ClassId,
        mut each: impl FnMut(&Machine, Symbol, Value),
    ) -> Result<(), Raise> {
        for level in 0..m.program.class(class).display.len() {
            let ancestor = m.program.class(class).display[level];
            for i in 0..m.program.class(ancestor).fields.len() {
                let field = &m.program.class(ancestor).fields[i];
                if field.is_static() {
                    continue;
                }
                let (name, kind, offset) = (field.name, field.kind, field.offset);
                let word = m.decided(object, offset, kind)?;
                let value = self.value(m, word, kind)?;
                each(m, name, value);
            }
        }
        Ok(())
    }
}

/// The enum of which instances of a class are constants; one with a body has a class of its own.
fn enum_of(m: &Machine, class: ClassId) -> Option<ClassId> {
    let parent = |class: ClassId| m.program.class(class).super_class;
    let is_enum = |class: &ClassId| {
        parent(*class).is_some_and(|parent| m.program.class_name(parent) == "java/lang/Enum")
    };
    Some(class).filter(is_enum).or_else(|| parent(class).filter(is_enum))
}

/// The name of a class as Java source has it, but for the dollar signs of nested ones.
pub fn class_name(m: &Machine, class: ClassId) -> String {
    let name = m.program.class_name(class);
    machine::external_type(&match m.program.class(class).shape {
        Shape::Array { .. } => name.to_string(),
        Shape::Primitive(kind) => kind.letter().to_string(),
        Shape::Declared => format!("L{name};"),
    })
}
