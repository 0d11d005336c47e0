//! The binary format between the worker and this crate: big-endian numbers, texts as length and UTF-16 units.

use testcase::{Case, End, Frame, Kind, Node, Outcome, Recorded, Thrown, Value};

/// Writes a request.
#[derive(Default)]
pub struct Out {
    pub bytes: Vec<u8>,
}

impl Out {
    pub fn octet(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn flag(&mut self, value: bool) {
        self.octet(value.into());
    }

    pub fn four(&mut self, value: usize) {
        let value = u32::try_from(value).expect("a request is smaller than 4 GB");
        self.bytes.extend(value.to_be_bytes());
    }

    fn units(&mut self, units: impl Iterator<Item = u16>) {
        let start = self.bytes.len();
        self.four(0);
        let mut count = 0u32;
        for unit in units {
            self.bytes.extend(unit.to_be_bytes());
            count += 1;
        }
        self.bytes[start..start + 4].copy_from_slice(&count.to_be_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.units(text.encode_utf16());
    }

    pub fn texts<S: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = S, IntoIter: ExactSizeIterator>) {
        let texts = texts.into_iter();
        self.four(texts.len());
        texts.for_each(|text| self.text(text.as_ref()));
    }

    pub fn case(&mut self, case: &Case) {
        self.text(&case.call.class);
        self.text(&case.call.method);
        self.text(&case.call.descriptor);
        self.flag(case.call.is_static);
        self.flag(case.receiver.is_some());
        case.receiver.iter().for_each(|value| self.value(value));
        self.values(case.arguments.iter());
        self.four(case.nodes.len());
        case.nodes.iter().for_each(|node| self.node(node));
        self.four(case.choices.len());
        case.choices.iter().for_each(|choice| self.choice(choice));
        self.four(case.statics.len());
        for field in &case.statics {
            self.text(&field.class);
            self.text(&field.field);
            self.value(&field.value);
        }
        self.four(case.before.len());
        for earlier in &case.before {
            self.text(&earlier.call.class);
            self.text(&earlier.call.method);
            self.text(&earlier.call.descriptor);
            self.values(earlier.arguments.iter());
        }
    }

    fn value(&mut self, value: &Value) {
        let mut put = |tag: u8, bytes: &[u8]| {
            self.bytes.push(tag);
            self.bytes.extend(bytes);
        };
        match *value {
            Value::Null => put(0, &[]),
            Value::Boolean(value) => put(1, &[value.into()]),
            Value::Char(value) => put(2, &value.to_be_bytes()),
            Value::Byte(value) => put(3, &value.to_be_bytes()),
            Value::Short(value) => put(4, &value.to_be_bytes()),
            Value::Int(value) => put(5, &value.to_be_bytes()),
            Value::Long(value) => put(6, &value.to_be_bytes()),
            Value::Float(value) => put(7, &value.to_bits().to_be_bytes()),
            Value::Double(value) => put(8, &value.to_bits().to_be_bytes()),
            Value::Node(index) => put(9, &(index as u32).to_be_bytes()),
        }
    }

    fn values<'a>(&mut self, values: impl ExactSizeIterator<Item = &'a Value>) {
        self.four(values.len());
        values.for_each(|value| self.value(value));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::String(units) => {
                self.octet(1);
                self.units(units.iter().copied());
            }
            Node::Enum { class, name } => {
                self.octet(2);
                self.text(class);
                self.text(name);
            }
            Node::Boxed { class, value } => {
                self.octet(3);
                self.text(class);
                self.values([value].into_iter());
            }
            Node::Text { class, text } => {
                self.octet(7);
                self.text(class);
                self.text(text);
            }
            Node::List { class, elements } => {
                self.octet(4);
                self.text(class);
                self.values(elements.iter());
            }
            Node::Map { class, entries } => {
                self.octet(5);
                self.text(class);
                self.four(entries.len() * 2);
                for (key, value) in entries {
                    self.value(key);
                    self.value(value);
                }
            }
            Node::Object { class, fields } => {
                self.octet(6);
                self.text(class);
                self.texts(fields.iter().map(|(name, _)| name));
                self.values(fields.iter().map(|(_, value)| value));
            }
        }
    }

    fn choice(&mut self, choice: &Recorded) {
        let (kind, bits, text) = match choice {
            Recorded::Null => (0, 0, None),
            Recorded::Number { kind, bits } => (number(*kind), *bits, None),
            Recorded::Text(units) => (9, 0, Some(units)),
            Recorded::Decision(decision) => (10, *decision as i64, None),
        };
        self.octet(kind);
        self.bytes.extend(bits.to_be_bytes());
        self.flag(text.is_some());
        text.into_iter().for_each(|units| self.units(units.iter().copied()));
    }
}

fn number(kind: Kind) -> u8 {
    match kind {
        Kind::Boolean => 1,
        Kind::Char => 2,
        Kind::Byte => 3,
        Kind::Short => 4,
        Kind::Int => 5,
        Kind::Long => 6,
        Kind::Float => 7,
        Kind::Double => 8,
    }
}

/// An answer that ends too early, or has something where nothing of the kind can be. Code under test shares its process
/// with the worker, so this is not an assertion.
#[derive(Debug)]
pub struct Garbled;

/// No answer has more things in lists; the worker cuts off long before. In memory a thing may take fifty times the byte
/// that it is in the answer.
const THINGS: usize = 1 << 22;

/// Reads an answer.
pub struct In<'a> {
    bytes: &'a [u8],
    /// How many more things lists may have.
    things: usize,
    /// The largest number of a node that was named.
    largest: Option<usize>,
}

impl<'a> In<'a> {
    pub fn new(bytes: &'a [u8]) -> In<'a> {
        In { bytes, things: THINGS, largest: None }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Garbled> {
        let (head, rest) = self.bytes.split_first_chunk::<N>().ok_or(Garbled)?;
        self.bytes = rest;
        Ok(*head)
    }

    pub fn octet(&mut self) -> Result<u8, Garbled> {
        Ok(self.take::<1>()?[0])
    }

    pub fn flag(&mut self) -> Result<bool, Garbled> {
        Ok(self.octet()? != 0)
    }

    pub fn four(&mut self) -> Result<u32, Garbled> {
        Ok(u32::from_be_bytes(self.take()?))
    }

    /// A number of things, each of which takes at least a byte.
    pub fn count(&mut self) -> Result<usize, Garbled> {
        let count = self.four()? as usize;
        if count <= self.bytes.len() { Ok(count) } else { Err(Garbled) }
    }

    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Garbled>,
    ) -> Result<Vec<T>, Garbled> {
        let count = self.count()?;
        self.things = self.things.checked_sub(count).ok_or(Garbled)?;
        (0..count).map(|_| item(self)).collect()
    }

    fn units(&mut self) -> Result<Vec<u16>, Garbled> {
        let size = self.count()?.checked_mul(2).ok_or(Garbled)?;
        let (units, rest) = self.bytes.split_at_checked(size).ok_or(Garbled)?;
        self.bytes = rest;
        let (pairs, _) = units.as_chunks();
        Ok(pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect())
    }

    pub fn text(&mut self) -> Result<String, Garbled> {
        Ok(String::from_utf16_lossy(&self.units()?))
    }

    pub fn option<T>(
        &mut self,
        item: impl FnOnce(&mut Self) -> Result<T, Garbled>,
    ) -> Result<Option<T>, Garbled> {
        if self.flag()? { item(self).map(Some) } else { Ok(None) }
    }

    fn value(&mut self) -> Result<Value, Garbled> {
        Ok(match self.octet()? {
            0 => Value::Null,
            1 => Value::Boolean(self.flag()?),
            2 => Value::Char(u16::from_be_bytes(self.take()?)),
            3 => Value::Byte(i8::from_be_bytes(self.take()?)),
            4 => Value::Short(i16::from_be_bytes(self.take()?)),
            5 => Value::Int(i32::from_be_bytes(self.take()?)),
            6 => Value::Long(i64::from_be_bytes(self.take()?)),
            7 => Value::Float(f32::from_bits(self.four()?)),
            8 => Value::Double(f64::from_bits(u64::from_be_bytes(self.take()?))),
            9 => {
                let node = self.four()? as usize;
                self.largest = self.largest.max(Some(node));
                Value::Node(node)
            }
            _ => return Err(Garbled),
        })
    }

    fn values(&mut self) -> Result<Vec<Value>, Garbled> {
        self.list(Self::value)
    }

    fn node(&mut self) -> Result<Node, Garbled> {
        let tag = self.octet()?;
        if tag == 1 {
            return self.units().map(Node::String);
        }
        let class = self.text()?;
        Ok(match tag {
            2 => Node::Enum { class, name: self.text()? },
            3 => Node::Boxed { class, value: self.values()?.pop().ok_or(Garbled)? },
            4 => Node::List { class, elements: self.values()? },
            5 => {
                let values = self.values()?;
                let entries = values.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
                Node::Map { class, entries: entries.collect() }
            }
            6 => {
                let names = self.list(Self::text)?;
                Node::Object { class, fields: names.into_iter().zip(self.values()?).collect() }
            }
            7 => Node::Text { class, text: self.text()? },
            _ => return Err(Garbled),
        })
    }

    pub fn thrown(&mut self) -> Result<Thrown, Garbled> {
        Ok(Thrown {
            class: self.text()?,
            message: self.option(Self::text)?,
            frames: self.list(|this| {
                let (class, method) = (this.text()?, this.text()?);
                // Native code has negative lines.
                Ok(Frame {
                    class,
                    method,
                    line: Some(this.four()? as i32).filter(|line| *line > 0).map(|l| l as u32),
                })
            })?,
        })
    }

    pub fn outcome(&mut self) -> Result<Outcome, Garbled> {
        let end = match self.octet()? {
            0 => End::Returned(self.option(Self::value)?),
            1 => End::Threw(self.thrown()?),
            2 => End::Dropped,
            3 => End::Diverged(self.text()?),
            _ => return Err(Garbled),
        };
        let receiver = self.option(Self::value)?;
        let arguments = self.values()?;
        let nodes = self.list(Self::node)?;
        let is_cut = self.flag()?;
        let choices_taken = self.four()? as usize;
        if self.largest.is_some_and(|largest| largest >= nodes.len()) {
            return Err(Garbled);
        }
        Ok(Outcome { end, receiver, arguments, nodes, is_cut, choices_taken, printed: self.text()? })
    }
}
