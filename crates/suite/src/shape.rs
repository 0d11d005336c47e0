//! How the inputs of a test are made: by constructors, factories and calls, with leaves that are unknown.

mod calls;
mod fields;
mod given;
mod lighter;
mod maker;

use crate::types::Type;

pub use fields::open_fields;
pub use maker::Maker;
pub use ways::Member;

/// How one value is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Make {
    /// An unknown of this type: the search finds its value.
    Leaf {
        number: usize,
        kind: Type,
    },
    /// An unknown primitive in its box.
    Boxed {
        number: usize,
        letter: char,
    },
    /// A text that is known.
    Text(&'static str),
    /// A class literal.
    ClassOf(Type),
    Null(Type),
    /// The object the call under test is made on.
    Receiver,
    /// The object that an earlier argument of the call under test is.
    Argument {
        number: usize,
        kind: Type,
    },
    /// An object around this one that is being built: whose field is set, or the one around that, and so on.
    Around {
        up: usize,
        kind: Type,
    },
    /// A static field.
    Constant {
        field: Member,
        kind: Type,
    },
    New {
        constructor: Member,
        kind: Type,
        arguments: Vec<Make>,
    },
    Factory {
        method: Member,
        kind: Type,
        arguments: Vec<Make>,
    },
    /// An object known to be of a narrower type than it is declared.
    Cast {
        object: Box<Make>,
        kind: Type,
    },
    /// What a method of an object gives.
    Result {
        object: Box<Make>,
        method: Member,
        kind: Type,
        arguments: Vec<Make>,
    },
    /// An object with which something is done before it is used.
    Built {
        object: Box<Make>,
        steps: Vec<Step>,
    },
    /// An object some of whose fields are set behind its back.
    Forced {
        object: Box<Make>,
        /// Fields, each with its descriptor.
        fields: Vec<(Member, Make)>,
    },
    /// A list, set or map of the library: its class, and what is in it.
    Collection {
        class: &'static str,
        kind: Type,
        elements: Vec<Make>,
    },
    /// An array of objects.
    Array {
        element: Type,
        elements: Vec<Make>,
    },
    /// A function that gives one value.
    Function {
        kind: Type,
        answer: Box<Answer>,
    },
    /// An object of a class inside the test, whose methods give one value each.
    Implementation {
        kind: Type,
        constructor: Option<(Member, Vec<Make>)>,
        answers: Vec<Answer>,
    },
}

/// What is done with an object before it is used.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Call {
        method: Member,
        arguments: Vec<Make>,
    },
    /// A field that is open to the test is set.
    Write {
        field: Member,
        value: Make,
    },
}

impl Gives {
    fn values(&self) -> Vec<&Make> {
        match self {
            Gives::Nothing => Vec::new(),
            Gives::Value(value) | Gives::Throws(value) => vec![value],
            Gives::InTurn(first, later) => vec![first, later],
        }
    }
}

impl Step {
    /// What is handed over.
    fn values(&self) -> &[Make] {
        match self {
            Step::Call { arguments, .. } => arguments,
            Step::Write { value, .. } => std::slice::from_ref(value),
        }
    }

    /// The method or field.
    pub fn member(&self) -> &Member {
        match self {
            Step::Call { method, .. } => method,
            Step::Write { field, .. } => field,
        }
    }
}

/// A method of a class inside the test, and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub method: Member,
    /// The same method as other interfaces declare it.
    pub bridged: Vec<Member>,
    pub parameters: Vec<Type>,
    pub result: Type,
    pub is_public: bool,
    pub gives: Gives,
}

/// What becomes of a call of such a method.
#[derive(Clone, Debug, PartialEq)]
pub enum Gives {
    Nothing,
    /// Always the same.
    Value(Make),
    /// One value the first time, another one from then on.
    InTurn(Make, Make),
    /// It throws an exception.
    Throws(Make),
}

impl Make {
    /// The type of what is made; none for what has a type only where it is used.
    pub fn kind(&self) -> Option<Type> {
        Some(match self {
            Make::Leaf { kind, .. }
            | Make::Null(kind)
            | Make::Argument { kind, .. }
            | Make::Around { kind, .. }
            | Make::Constant { kind, .. }
            | Make::New { kind, .. }
            | Make::Factory { kind, .. }
            | Make::Cast { kind, .. }
            | Make::Result { kind, .. }
            | Make::Collection { kind, .. }
            | Make::Function { kind, .. }
            | Make::Implementation { kind, .. } => kind.clone(),
            Make::Boxed { letter, .. } => Type::Primitive(*letter),
            Make::Text(_) => Type::string(),
            Make::ClassOf(_) => Type::named("java/lang/Class"),
            Make::Built { object, .. } | Make::Forced { object, .. } => return object.kind(),
            Make::Array { element, .. } => Type::Array(Box::new(element.clone())),
            Make::Receiver => return None,
        })
    }
}

/// Classes of the library that are there to be written to.
const WRITTEN_TO: [&str; 9] = [
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/io/StringWriter",
    "java/io/CharArrayWriter",
    "java/io/ByteArrayOutputStream",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/BitSet",
];

/// Whether a class of the library is there to be written to.
pub fn is_written_to(class: &str) -> bool {
    WRITTEN_TO.contains(&class)
}

impl Make {
    /// What is handed to what makes an object.
    fn arguments(&self) -> &[Make] {
        match self {
            Make::New { arguments, .. } | Make::Factory { arguments, .. } => arguments,
            Make::Built { object, .. } | Make::Forced { object, .. } | Make::Cast { object, .. } => {
                object.arguments()
            }
            _ => &[],
        }
    }

    /// Whether it is an object that may be handed over twice, and code can tell: no value.
    fn has_identity(&self) -> bool {
        match self {
            Make::Leaf { kind, .. } => matches!(kind, Type::Array(_)),
            Make::Built { object, .. } | Make::Cast { object, .. } => object.has_identity(),
            Make::New { constructor, .. } => !constructor.class.starts_with("java/"),
            Make::Array { .. } | Make::Collection { .. } | Make::Factory { .. } => true,
            _ => false,
        }
    }

    /// Whether it is read at a glance.
    pub fn is_plain(&self) -> bool {
        match self {
            Make::Leaf { .. } | Make::Boxed { .. } | Make::Text(_) | Make::ClassOf(_) => true,
            Make::Null(_) | Make::Receiver | Make::Argument { .. } | Make::Constant { .. } => true,
            Make::Array { elements, .. } => elements.iter().all(Make::is_plain),
            _ => false,
        }
    }

    /// Whether something holds of it, or of anything that it is made with.
    fn is_made_with(&self, holds: &mut dyn FnMut(&Make) -> bool) -> bool {
        let mut any = |parts: &[Make]| parts.iter().any(|part| part.is_made_with(holds));
        let inside = match self {
            Make::Leaf { .. } | Make::Boxed { .. } | Make::Text(_) | Make::ClassOf(_) => false,
            Make::Null(_) | Make::Receiver | Make::Constant { .. } => false,
            Make::Argument { .. } | Make::Around { .. } => false,
            Make::New { arguments, .. } | Make::Factory { arguments, .. } => any(arguments),
            Make::Collection { elements, .. } | Make::Array { elements, .. } => any(elements),
            Make::Cast { object, .. } => object.is_made_with(holds),
            Make::Result { object, arguments, .. } => any(arguments) || object.is_made_with(holds),
            Make::Built { object, steps } => {
                steps.iter().any(|step| any(step.values())) || object.is_made_with(holds)
            }
            Make::Forced { object, fields } => {
                fields.iter().any(|(_, value)| value.is_made_with(holds)) || object.is_made_with(holds)
            }
            Make::Function { answer, .. } => {
                answer.gives.values().iter().any(|value| value.is_made_with(holds))
            }
            Make::Implementation { constructor, answers, .. } => {
                constructor.iter().any(|(_, arguments)| any(arguments))
                    || answers
                        .iter()
                        .flat_map(|answer| answer.gives.values())
                        .any(|value| value.is_made_with(holds))
            }
        };
        inside || holds(self)
    }

    /// Whether it is an object of its own that others may change. `or_tells` also takes objects that can be asked.
    fn may_change(&self, or_tells: bool) -> bool {
        match self {
            Make::Leaf { kind, .. } => matches!(kind, Type::Array(_)),
            Make::Collection { .. } | Make::Array { .. } => true,
            Make::New { constructor, .. } if constructor.class.starts_with("java/") => {
                is_written_to(&constructor.class)
            }
            Make::New { .. } => or_tells,
            Make::Built { object, .. } => object.may_change(or_tells),
            _ => false,
        }
    }
}

/// A call with everything it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub receiver: Option<Make>,
    /// What is done with the receiver before the call under test.
    pub setup: Vec<Step>,
    pub act: Member,
    /// The class under test, if the call is made on an object that its methods gave.
    pub given_by: Option<String>,
    pub arguments: Vec<Make>,
    /// Types of the leaves, by number.
    pub leaves: Vec<Type>,
    /// Names of the leaves, for conditions and variables.
    pub names: Vec<String>,
    /// Leaves that one method gives in turn: the first time, and from then on.
    pub turns: Vec<(usize, usize)>,
    /// Whether an object is made behind the back of its class.
    pub reflected: bool,
}

/// Things handed over that are looked at after a call, at most.
pub const HANDED: usize = 4;

impl Shape {
    /// What is made for a call and may be another after it: what is handed to the call itself, then to those before it, then
    /// to what made the receiver.
    pub fn handed(&self) -> Vec<&Make> {
        let mut found: Vec<&Make> = self.arguments.iter().filter(|made| made.may_change(true)).collect();
        let given = self.setup.iter().rev().flat_map(Step::values);
        let by_receiver = self.receiver.iter().flat_map(Make::arguments);
        found.extend(given.chain(by_receiver).filter(|made| made.may_change(false)));
        found.truncate(HANDED);
        found
    }

    /// Whether something holds of anything that the test makes.
    pub fn makes(&self, holds: &mut dyn FnMut(&Make) -> bool) -> bool {
        let before = self.setup.iter().flat_map(Step::values);
        let mut all = self.receiver.iter().chain(before).chain(&self.arguments);
        all.any(|made| made.is_made_with(holds))
    }

    /// How many of them are handed to the call itself.
    pub fn handed_to_call(&self) -> usize {
        self.arguments.iter().filter(|made| made.may_change(true)).count().min(HANDED)
    }

    /// Whether fields are set that methods should set: the state may be one that never is.
    pub fn sets_fields(&self) -> bool {
        let writes = |steps: &[Step]| steps.iter().any(|step| matches!(step, Step::Write { .. }));
        let mut made = self.receiver.as_ref();
        while let Some(Make::Result { object, .. }) = made {
            made = Some(object);
        }
        let is_set = |made: &Make| match made {
            Make::Built { steps, .. } => writes(steps),
            Make::Forced { .. } => true,
            _ => false,
        };
        let handed = || self.arguments.iter().chain(made.into_iter().flat_map(Make::arguments));
        self.reflected || made.is_some_and(is_set) || writes(&self.setup) || handed().any(is_set)
    }
}
