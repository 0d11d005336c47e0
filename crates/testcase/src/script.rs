//! A test as plain data: what to build, what to call, what was seen.

use std::ops::Range;

use crate::Value;

/// A Java type as source code names it: `java.util.List` with the arguments `java.lang.String`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeName {
    /// `int`, `java.lang.String`, `shop.OrderBook.Side`.
    pub name: String,
    pub arguments: Vec<TypeName>,
    pub dimensions: usize,
    pub openness: Openness,
}

/// Whether a type argument stands for itself or for types around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Openness {
    Itself,
    /// `?`
    Any,
    /// `? extends`
    Below,
    /// `? super`
    Above,
}

impl TypeName {
    pub fn plain(name: &str) -> TypeName {
        TypeName { name: name.to_string(), arguments: Vec::new(), dimensions: 0, openness: Openness::Itself }
    }
}

/// An expression of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A primitive, or null.
    Literal(Value),
    Text(Vec<u16>),
    /// A constant of an enum, or any other static field.
    Static {
        class: String,
        field: String,
    },
    /// A field of an object.
    Field {
        object: Box<Expr>,
        name: String,
    },
    /// A static field that is not open to the test.
    HiddenStatic {
        class: String,
        field: String,
    },
    /// A local variable of the test.
    Local(String),
    New {
        class: TypeName,
        arguments: Vec<Expr>,
    },
    /// An object of an inner class, made by the object it belongs to.
    NewInside {
        outer: Box<Expr>,
        /// Its name without that of the outer class.
        class: String,
        arguments: Vec<Expr>,
    },
    /// An object of a class without a name.
    Anonymous {
        class: TypeName,
        arguments: Vec<Expr>,
        methods: Vec<Override>,
        /// Simple names of classes that it inherits: inside it they hide all others.
        inherited: Vec<String>,
    },
    /// `String.class`
    ClassOf(TypeName),
    /// An object made by a constructor that is not open to the test.
    Create {
        class: TypeName,
        parameters: Vec<TypeName>,
        arguments: Vec<Expr>,
    },
    /// A call of a static method.
    StaticCall {
        class: String,
        method: String,
        arguments: Vec<Expr>,
    },
    /// A call on an object.
    Call {
        receiver: Box<Expr>,
        method: String,
        arguments: Vec<Expr>,
    },
    /// An array with its elements.
    Array {
        element: TypeName,
        elements: Vec<Expr>,
    },
    /// How long an array is.
    Length(Box<Expr>),
    /// A lambda that gives one value, whatever it is given.
    Lambda {
        parameters: Vec<String>,
        result: Option<Box<Expr>>,
    },
    Cast {
        to: TypeName,
        value: Box<Expr>,
    },
}

/// A method of a class without a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    pub name: String,
    pub result: TypeName,
    pub parameters: Vec<(TypeName, String)>,
    pub is_public: bool,
    pub body: Body,
}

/// What a method of a class without a name does.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Nothing,
    Gives(Expr),
    /// One value the first time, another one from then on.
    InTurn(Expr, Expr),
    /// Throws an exception, with the name of its class if it has to be declared.
    Throws(Expr, Option<String>),
}

/// A statement of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Let {
        kind: TypeName,
        name: String,
        value: Expr,
    },
    Do(Expr),
    /// Sets a field that is open to the test.
    Assign {
        to: Expr,
        value: Expr,
    },
    /// Sets a static field that is not.
    SetStatic {
        class: String,
        field: String,
        value: Expr,
    },
    /// Sets a field that is not open to the test.
    Set {
        object: Expr,
        field: String,
        value: Expr,
    },
}

/// What a test asserts.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    Equals { expected: Expr, actual: Expr },
    ArrayEquals { expected: Expr, actual: Expr },
    Same { expected: Expr, actual: Expr },
    True(Expr),
    False(Expr),
    Null(Expr),
    NotNull(Expr),
}

/// How the call under test ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// With a value that is kept in a local variable, or without one.
    Returns {
        kept: Option<(TypeName, String)>,
    },
    Throws {
        class: String,
        message: Option<String>,
    },
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub name: String,
    pub arrange: Vec<Statement>,
    pub act: Expr,
    pub ending: Ending,
    pub checks: Vec<Check>,
    /// Whether a checked exception may leave the test.
    pub throws: bool,
    /// Warnings of the compiler that the code under test leaves no way around.
    pub suppress: Vec<String>,
    /// Whether objects are made behind the back of their class.
    pub reflects: bool,
    /// Why the test is switched off.
    pub disabled: Option<String>,
}

/// A test class.
#[derive(Clone, Debug, PartialEq)]
pub struct TestClass {
    pub package: String,
    pub name: String,
    /// The simple names of the other classes of the package: without an import, they mean these.
    pub neighbours: Vec<String>,
    pub tests: Vec<Test>,
    /// What is done before and after each test: static fields are put back.
    pub reset: Vec<Statement>,
    /// Warnings that come with it.
    pub reset_suppress: Vec<String>,
}

impl TestClass {
    /// The binary name.
    pub fn full_name(&self) -> String {
        if self.package.is_empty() { self.name.clone() } else { format!("{}.{}", self.package, self.name) }
    }
}

/// A test class as source, and where in it things are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    /// In the order of [`TestClass::tests`].
    pub tests: Vec<Place>,
    /// The lines of what is done before and after each test.
    pub reset: Range<u32>,
}

/// The lines of a test, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub lines: Range<u32>,
    /// In the order of [`Test::checks`].
    pub checks: Vec<Range<u32>>,
}

impl Place {
    /// The same below so many lines.
    pub fn after(self, above: u32) -> Place {
        let moved = |lines: Range<u32>| lines.start + above..lines.end + above;
        Place { lines: moved(self.lines), checks: self.checks.into_iter().map(moved).collect() }
    }
}

impl Written {
    /// The test that a line belongs to.
    pub fn test_at(&self, line: u32) -> Option<usize> {
        self.tests.iter().position(|test| test.lines.contains(&line))
    }
}
