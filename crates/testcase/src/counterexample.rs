//! A call that fails, as a test shows it: the call, the objects it starts from, and classes that somebody may have written.

use crate::{Case, Value};

/// A call that fails, and how source code makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The name of the test.
    pub name: String,
    pub case: Case,
    /// The names of the receiver, if there is one, and of the arguments.
    pub names: Vec<String>,
    /// How the call is written; none if the test cannot name the method, and has to look it up.
    pub call: Option<Spelling>,
    /// The same for the calls before it.
    pub before: Vec<Option<Spelling>>,
    /// The nodes that are objects of classes which are not on the class path.
    pub unseen: Vec<(usize, Unseen)>,
    /// The exception that the call ends in.
    pub exception: String,
}

/// A method as source code names it: its class, and the types of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    pub class: String,
    pub parameters: Vec<String>,
    /// Whether the types of arguments have to say which method it is.
    pub is_overloaded: bool,
}

/// A class that somebody may have written.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen {
    /// The class or interface that it extends, as source code names it, and its binary name.
    pub parent: String,
    pub binary: String,
    pub is_interface: bool,
    /// What the constructor of the parent is given, each with its type; texts are nodes.
    pub arguments: Vec<(String, Value)>,
    /// How many fields of the node are fields; what its calls give follows.
    pub inherited: usize,
    /// Whether its fields are what the constructor makes of them.
    pub is_made: bool,
    pub methods: Vec<Implemented>,
}

/// A method of such a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Implemented {
    pub name: String,
    pub is_public: bool,
    /// Types as source code names them.
    pub result: String,
    pub parameters: Vec<String>,
    /// What its calls give, one after the other.
    pub answers: Vec<Answer>,
}

/// What a call gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Returns(Option<Value>),
    Throws,
}
