//! A case: one call with its inputs as raw data, and what was seen when it was made on a real JVM.

use crate::{Node, Value};

/// A call, the objects it starts from, and the choices the program makes on its way.
///
/// Fields of a [`Node::Object`] are given by name; those left out keep their zero. Several fields of one name, in a line
/// of classes, are given in the order of that line, and a name given only once is the field of the lowest class.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub call: Call,
    /// The object an instance method is called on. None for static methods and constructors.
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
    /// What [`Value::Node`] refers to.
    pub nodes: Vec<Node>,
    pub choices: Vec<Recorded>,
    /// Static fields that are set before the call.
    pub statics: Vec<Static>,
    /// Static methods and constructors that are called before, whatever they throw.
    pub before: Vec<Earlier>,
}

/// A call that was made before the one that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    pub call: Call,
    pub arguments: Vec<Value>,
}

/// A static field and what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Static {
    /// The binary name of its class.
    pub class: String,
    pub field: String,
    pub value: Value,
}

/// A method or constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The binary name of its class (`java.util.Map$Entry`).
    pub class: String,
    /// `<init>` for a constructor.
    pub method: String,
    /// As in a class file: `(I[Ljava/lang/String;)V`.
    pub descriptor: String,
    pub is_static: bool,
}

/// A choice of the program (`Choose`, `Verifier`, `Verify`, `CProver`), in the order in which they are made. A choice with
/// one alternative only takes no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The value that was given. Which of several objects: its place, counted from 0.
    Number { kind: Kind, bits: i64 },
    /// The text that was given, as UTF-16 units.
    Text(Vec<u16>),
    /// Null in place of a text.
    Null,
    /// The number of the alternative, counted from 0, as in a decision list.
    Decision(u64),
}

/// A primitive type. The bits of a number are its sign-extended value; of a float or double, its raw bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Char,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
}

/// What was seen when a case was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The receiver and the arguments after the call.
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
    /// The nodes of the case under their own numbers, as they are after the call, and then the new ones.
    pub nodes: Vec<Node>,
    /// Whether the nodes were too many or too large: some are then without contents, or only with the first ones.
    pub is_cut: bool,
    /// How many of the recorded choices the program made.
    pub choices_taken: usize,
    /// What the program printed to its standard output and error, or the beginning of it.
    pub printed: String,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The value; none if the method is void. A constructor gives the new object.
    Returned(Option<Value>),
    Threw(Thrown),
    /// The program ended the JVM with this status. Nothing is known about the state then.
    Exited(i32),
    /// An assumption of the program did not hold.
    Dropped,
    /// The program asked for other choices than were recorded; in what way.
    Diverged(String),
}

/// An exception or error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    pub class: String,
    pub message: Option<String>,
    /// The innermost ones first; those below the call are left out.
    pub frames: Vec<Frame>,
}

/// A line of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub class: String,
    pub method: String,
    pub line: Option<u32>,
}

impl Recorded {
    /// What a program is given for a primitive value. None for references.
    pub fn of(value: &Value) -> Option<Recorded> {
        let (kind, bits) = match *value {
            Value::Boolean(value) => (Kind::Boolean, value.into()),
            Value::Char(value) => (Kind::Char, value.into()),
            Value::Byte(value) => (Kind::Byte, value.into()),
            Value::Short(value) => (Kind::Short, value.into()),
            Value::Int(value) => (Kind::Int, value.into()),
            Value::Long(value) => (Kind::Long, value),
            Value::Float(value) => (Kind::Float, (value.to_bits() as i32).into()),
            Value::Double(value) => (Kind::Double, value.to_bits() as i64),
            Value::Null | Value::Node(_) => return None,
        };
        Some(Recorded::Number { kind, bits })
    }
}
