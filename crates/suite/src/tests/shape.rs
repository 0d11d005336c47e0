//! How the inputs of a test are made: by constructors, factories and calls, with leaves that are unknown.

use machine::Machine;
use program::{ClassId, MethodId, access};

use super::types::{self, Type};
use crate::making::source_name;

/// A method or constructor, by names that every machine knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Internal name of the class.
    pub class: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
}

impl Member {
    pub fn of(m: &Machine, id: MethodId) -> Member {
        let method = m.program.method(id);
        Member {
            class: m.program.class_name(method.class).to_string(),
            name: m.program.text(method.name).to_string(),
            descriptor: m.program.text(method.descriptor).to_string(),
            is_static: method.is_static(),
        }
    }

    /// The same method in a machine.
    pub fn find(&self, m: &mut Machine) -> Option<MethodId> {
        let class = m.load(&self.class).ok()?;
        m.program.declared_method(class, &self.name, &self.descriptor)
    }
}

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
    Null,
    /// The object the call under test is made on.
    Receiver,
    New {
        constructor: Member,
        kind: Type,
        arguments: Vec<Make>,
    },
    Factory {
        method: Member,
        arguments: Vec<Make>,
    },
    /// An object on which calls are made before it is used.
    Built {
        object: Box<Make>,
        calls: Vec<(Member, Vec<Make>)>,
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
        interface: String,
        result: Option<Box<Make>>,
    },
}

/// A call with everything it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub receiver: Option<Make>,
    /// Calls on the receiver before the one under test.
    pub setup: Vec<(Member, Vec<Make>)>,
    pub act: Member,
    pub arguments: Vec<Make>,
    /// Types of the leaves, by number.
    pub leaves: Vec<Type>,
    /// Names of the leaves, for conditions and variables.
    pub names: Vec<String>,
}

/// How deep constructors are called for the arguments of constructors.
const DEPTH: u32 = 3;

/// Finds ways to make values.
pub struct Maker<'a> {
    pub m: &'a mut Machine,
    /// The package of the test, as an internal name.
    pub package: String,
    /// The class under test.
    pub own: Type,
    pub leaves: Vec<Type>,
    pub names: Vec<String>,
    /// Which alternative to take at each place where there are several, in order; places beyond take the first.
    pub picks: Vec<usize>,
    /// Whether there is an object under test.
    pub has_receiver: bool,
    /// Whether the object being made is the one under test.
    pub is_receiver: bool,
    /// How many alternatives there were at each place met.
    pub widths: Vec<usize>,
}

impl Maker<'_> {
    fn pick(&mut self, count: usize) -> usize {
        let place = self.widths.len();
        self.widths.push(count);
        self.picks.get(place).copied().unwrap_or(0).min(count.saturating_sub(1))
    }

    fn leaf(&mut self, kind: Type, name: &str) -> Make {
        let number = self.leaves.len();
        self.leaves.push(kind.clone());
        let taken = |candidate: &str, names: &[String]| names.iter().any(|own| own == candidate);
        let mut unique = name.to_string();
        let mut count = 2;
        while taken(&unique, &self.names) {
            unique = format!("{name}{count}");
            count += 1;
        }
        self.names.push(unique);
        Make::Leaf { number, kind }
    }

    /// A way to make a value of a type; none if there is none.
    pub fn make(&mut self, kind: &Type, name: &str, depth: u32) -> Option<Make> {
        match kind {
            Type::Primitive(_) => Some(self.leaf(kind.clone(), name)),
            Type::Variable(_) => Some(self.leaf(Type::string(), name)),
            Type::Array(element) => match &**element {
                // What an object is made of is kept small: it is not what the test is about.
                Type::Primitive(_) if depth == 0 => Some(self.leaf(kind.clone(), name)),
                Type::Class(class, _) if class == "java/lang/String" && depth == 0 => {
                    Some(self.leaf(kind.clone(), name))
                }
                element => {
                    let size = [2, 0, 1, 3][self.pick(4)];
                    let mut elements = Vec::new();
                    for _ in 0..size {
                        elements.push(self.make(element, name, depth + 1)?);
                    }
                    Some(Make::Array { element: element.clone(), elements })
                }
            },
            Type::Class(class, arguments) => self.object(kind, class, arguments, name, depth),
        }
    }

    fn object(
        &mut self,
        kind: &Type,
        class: &str,
        arguments: &[Type],
        name: &str,
        depth: u32,
    ) -> Option<Make> {
        let boxed = match class {
            "java/lang/Boolean" => Some('Z'),
            "java/lang/Byte" => Some('B'),
            "java/lang/Character" => Some('C'),
            "java/lang/Short" => Some('S'),
            "java/lang/Integer" | "java/lang/Number" => Some('I'),
            "java/lang/Long" => Some('J'),
            "java/lang/Float" => Some('F'),
            "java/lang/Double" => Some('D'),
            "java/lang/Comparable" => Some('I'),
            _ => None,
        };
        if let Some(letter) = boxed {
            if self.pick(2) == 1 {
                return Some(Make::Null);
            }
            let Make::Leaf { number, .. } = self.leaf(Type::Primitive(letter), name) else { return None };
            return Some(Make::Boxed { number, letter });
        }
        if class == "java/lang/Object" && depth == 0 {
            match self.pick(4) {
                1 => return self.make(&self.own.clone(), name, depth + 1),
                2 => return Some(Make::Null),
                3 if self.has_receiver => return Some(Make::Receiver),
                _ => {}
            }
        }
        if matches!(class, "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object") {
            return Some(self.leaf(Type::string(), name));
        }
        let element = |at: usize| arguments.get(at).cloned().unwrap_or_else(Type::string);
        let collection = match class {
            "java/util/List"
            | "java/util/Collection"
            | "java/lang/Iterable"
            | "java/util/ArrayList"
            | "java/util/AbstractList"
            | "java/util/SequencedCollection" => Some("java/util/ArrayList"),
            "java/util/Set" | "java/util/LinkedHashSet" | "java/util/HashSet" => {
                Some("java/util/LinkedHashSet")
            }
            "java/util/Map" | "java/util/LinkedHashMap" | "java/util/HashMap" => {
                Some("java/util/LinkedHashMap")
            }
            "java/util/SortedMap" | "java/util/TreeMap" | "java/util/NavigableMap" => {
                Some("java/util/TreeMap")
            }
            "java/util/Deque" | "java/util/Queue" | "java/util/ArrayDeque" => Some("java/util/ArrayDeque"),
            "java/util/LinkedList" => Some("java/util/LinkedList"),
            _ => None,
        };
        if let Some(made) = collection {
            let size = [2, 0, 1, 3, 4][self.pick(5)];
            let is_map = made.ends_with("Map");
            let mut elements = Vec::new();
            for _ in 0..size {
                elements.push(self.make(&element(0), name, depth + 1)?);
                if is_map {
                    elements.push(self.make(&element(1), name, depth + 1)?);
                }
            }
            return Some(Make::Collection { class: made, kind: kind.clone(), elements });
        }
        let id = self.m.load(class).ok()?;
        if self.m.program.class(id).flags & access::ENUM != 0 {
            return Some(self.leaf(kind.clone(), name));
        }
        if depth > DEPTH {
            return Some(Make::Null);
        }
        let ways = self.ways(id);
        if ways.is_empty() {
            return self.function(class, id, arguments, name, depth);
        }
        let way = ways[self.pick(ways.len())].clone();
        let parameters = way.find(self.m).map(|method| types::parameter_types(self.m, method))?;
        let names = way.find(self.m).map(|method| super::parameter_names(self.m, method))?;
        let mut made = Vec::new();
        for (parameter, own) in parameters.iter().zip(&names) {
            made.push(self.make(parameter, own, depth + 1)?);
        }
        let object = if way.name == "<init>" {
            let class = self.m.load(&way.class).ok()?;
            let bindings = types::class_bindings(self.m, class);
            let arguments = bindings.into_iter().map(|(_, kind)| kind).collect();
            let kind = Type::Class(way.class.clone(), arguments);
            Make::New { constructor: way, kind, arguments: made }
        } else {
            Make::Factory { method: way, arguments: made }
        };
        self.filled(object, id, depth)
    }

    /// The object, filled by one or two calls of a method that adds something, where there is one. The receiver of the
    /// call under test is not filled here: its calls are chosen by what they lead to.
    fn filled(&mut self, object: Make, class: ClassId, depth: u32) -> Option<Make> {
        if depth > 1 || self.is_receiver {
            return Some(object);
        }
        let fillers = self.fillers(class);
        if fillers.is_empty() {
            return Some(object);
        }
        let pick = self.pick(1 + 2 * fillers.len());
        if pick == 0 {
            return Some(object);
        }
        let member = fillers[(pick - 1) / 2].clone();
        let mut calls = Vec::new();
        for _ in 0..=(pick - 1) % 2 {
            let id = member.find(self.m)?;
            let kinds = types::parameter_types(self.m, id);
            let names = super::parameter_names(self.m, id);
            let mut arguments = Vec::new();
            for (kind, name) in kinds.iter().zip(&names) {
                arguments.push(self.make(kind, name, depth + 2)?);
            }
            calls.push((member.clone(), arguments));
        }
        Some(Make::Built { object: Box::new(object), calls })
    }

    /// Methods that put something into an object, by their names.
    fn fillers(&mut self, class: ClassId) -> Vec<Member> {
        let package = self.package.clone();
        let verbs = [
            "add", "put", "set", "push", "insert", "append", "offer", "enqueue", "register", "receive",
            "place",
        ];
        let methods = self.m.program.class(class).methods.clone();
        let found = methods.into_iter().filter(|id| {
            let method = self.m.program.method(*id);
            let name = self.m.program.text(method.name);
            !method.is_static()
                && !method.is_abstract()
                && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                && !method.signature.parameters.is_empty()
                && verbs.iter().any(|verb| name.starts_with(verb))
                && types::is_visible(self.m, class, method.flags, &package)
        });
        found.take(3).map(|id| Member::of(self.m, id)).collect()
    }

    /// Constructors and factories of a class or its implementations that a test may call.
    fn ways(&mut self, declared: ClassId) -> Vec<Member> {
        let classes = self.m.implementations(declared);
        let mut ways = Vec::new();
        for class in classes {
            if self.m.program.class(class).is_library() && !is_plain_library(self.m.program.class_name(class))
            {
                continue;
            }
            ways.extend(self.ways_of(class));
        }
        ways
    }

    fn ways_of(&mut self, class: ClassId) -> Vec<Member> {
        let package = self.package.clone();
        if source_name(self.m, class, &package).is_none() {
            return Vec::new();
        }
        let mut constructors = Vec::new();
        let mut factories = Vec::new();
        let own = self.m.program.class_name(class).to_string();
        for id in self.m.program.class(class).methods.clone() {
            let method = self.m.program.method(id);
            if !types::is_visible(self.m, class, method.flags, &package)
                || method.flags & access::SYNTHETIC != 0
            {
                continue;
            }
            let name = self.m.program.text(method.name);
            if name == "<init>" && !self.m.program.class(class).is_abstract() {
                constructors.push(Member::of(self.m, id));
            } else if method.is_static() {
                let result = types::result_type(self.m, id);
                if matches!(&result, Type::Class(name, _) if *name == own)
                    && method.signature.parameters.len() <= 4
                {
                    factories.push(Member::of(self.m, id));
                }
            }
        }
        // A constructor that takes the object itself, as copies do, leads nowhere.
        constructors.retain(|way| !way.descriptor.contains(&format!("L{own};")));
        factories.retain(|way| {
            !way.descriptor[..way.descriptor.find(')').unwrap_or(0)].contains(&format!("L{own};"))
        });
        constructors.extend(factories);
        constructors
    }

    /// A lambda for an interface with one abstract method.
    fn function(
        &mut self,
        class: &str,
        id: ClassId,
        arguments: &[Type],
        name: &str,
        depth: u32,
    ) -> Option<Make> {
        let method = self.m.single_abstract_method(id)?;
        let result = self.m.program.method(method).signature.result;
        let result = match result {
            program::Kind::Void => None,
            program::Kind::Ref => {
                // The last argument of `Function<T, R>` and the like is what it gives.
                let kind = arguments.last().cloned().unwrap_or_else(Type::string);
                Some(Box::new(self.make(&kind, name, depth + 1)?))
            }
            kind => Some(Box::new(self.leaf(Type::Primitive(kind.letter()), name))),
        };
        Some(Make::Function { interface: class.to_string(), result })
    }
}

/// Classes of the library that are made by their constructors like any other.
fn is_plain_library(name: &str) -> bool {
    matches!(
        name,
        "java/util/Random"
            | "java/lang/StringBuilder"
            | "java/util/StringJoiner"
            | "java/math/BigInteger"
            | "java/math/BigDecimal"
            | "java/time/LocalDate"
            | "java/time/Duration"
            | "java/util/BitSet"
    )
}
