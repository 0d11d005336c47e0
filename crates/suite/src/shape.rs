//! How the inputs of a test are made: by constructors, factories and calls, with leaves that are unknown.

use std::rc::Rc;

use machine::Machine;
use program::{ClassId, MethodId, Op, access};

use crate::implement;
use crate::library;
use crate::types::{self, Type};
use crate::ways::{self, Catalogue, Wanted, Way};

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
    /// A text that is known.
    Text(&'static str),
    /// A class literal.
    ClassOf(Type),
    Null(Type),
    /// The object the call under test is made on.
    Receiver,
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
    /// An object on which calls are made before it is used.
    Built {
        object: Box<Make>,
        calls: Vec<(Member, Vec<Make>)>,
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

/// A method of a class inside the test, and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub method: Member,
    /// The same method as other interfaces declare it.
    pub bridged: Vec<Member>,
    pub parameters: Vec<Type>,
    pub result: Type,
    pub is_public: bool,
    /// None for a method that gives nothing.
    pub value: Option<Make>,
}

impl Make {
    /// The type of what is made; none for what has a type only where it is used.
    pub fn kind(&self) -> Option<Type> {
        Some(match self {
            Make::Leaf { kind, .. }
            | Make::Null(kind)
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
    /// Whether an object is made behind the back of its class.
    pub reflected: bool,
}

/// How deep constructors are called for the arguments of constructors.
const DEPTH: u32 = 3;
/// Ways to make an object that are tried, by the depth at which it is needed.
const ALTERNATIVES: [usize; 4] = [usize::MAX, 4, 3, 1];
/// Settings of a builder that are made.
const SETTINGS: usize = 4;

/// Finds ways to make values.
pub struct Maker<'a> {
    pub m: &'a mut Machine,
    catalogue: Rc<Catalogue>,
    /// The package of the test, as an internal name.
    package: String,
    /// The class under test.
    own: Type,
    /// The method under test, if it is called on an object.
    act: Option<MethodId>,
    pub leaves: Vec<Type>,
    pub names: Vec<String>,
    /// Which alternative to take at each place where there are several, in order; places beyond take the first.
    picks: Vec<usize>,
    /// Whether the object being made is the one under test.
    is_receiver: bool,
    /// Classes of the objects being made, the outermost first.
    around: Vec<String>,
    /// Whether objects may be made behind the back of their class.
    may_reflect: bool,
    /// Whether that was done.
    pub reflected: bool,
    /// How many alternatives there were at each place met.
    pub widths: Vec<usize>,
}

impl<'a> Maker<'a> {
    /// For calls of a method in tests in a package. `picks` says which alternative to take at each place.
    pub fn new(
        m: &'a mut Machine,
        catalogue: Rc<Catalogue>,
        package: &str,
        act: MethodId,
        picks: &[usize],
    ) -> Maker<'a> {
        let method = m.program.method(act);
        let called_on = !method.is_static() && m.program.text(method.name) != "<init>";
        let class = method.class;
        let own = types::own_type(m, class);
        Maker {
            m,
            catalogue,
            package: package.to_string(),
            own,
            act: called_on.then_some(act),
            leaves: Vec::new(),
            names: Vec::new(),
            picks: picks.to_vec(),
            is_receiver: false,
            around: Vec::new(),
            may_reflect: false,
            reflected: false,
            widths: Vec::new(),
        }
    }

    /// The object under test; none if there is no way to make one.
    pub fn receiver(&mut self) -> Option<Make> {
        let own = self.own.clone();
        let Type::Class(class, _) = &own else { return None };
        let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
        let name = super::naming::lower_first(simple);
        self.is_receiver = true;
        let made = self.make(&own, &name, 0);
        self.is_receiver = false;
        (!matches!(made, Make::Null(_))).then_some(made)
    }

    /// Lets constructors be called that are not open to the test, where there is no other way.
    pub fn allow_reflection(&mut self) {
        self.may_reflect = true;
    }

    /// The object under test with some of its fields set behind its back.
    pub fn forced_receiver(&mut self, fields: &[Member]) -> Option<Make> {
        let made = self.receiver()?;
        let Some(Type::Class(_, arguments)) = made.kind() else { return None };
        let mut forced = Vec::new();
        for field in fields {
            let class = self.m.load(&field.class).ok()?;
            let bindings = types::bindings_of(self.m, class, &arguments);
            let kind = types::field_type(self.m, class, &field.name)?.with(&bindings).narrowed();
            forced.push((field.clone(), self.make(&kind, &field.name, 1)));
        }
        self.reflected |= !forced.is_empty();
        Some(if forced.is_empty() { made } else { Make::Forced { object: Box::new(made), fields: forced } })
    }

    /// Fields of the class under test that change, and that no test may set.
    pub fn hidden_fields(&self) -> Vec<Member> {
        let Type::Class(name, _) = &self.own else { return Vec::new() };
        let Some(class) = self.m.program.find_loaded(name) else { return Vec::new() };
        let mut found = Vec::new();
        for field in &self.m.program.class(class).fields {
            if field.flags & (access::STATIC | access::FINAL | access::SYNTHETIC) == 0 {
                found.push(Member {
                    class: name.clone(),
                    name: self.m.program.text(field.name).to_string(),
                    descriptor: self.m.program.text(field.descriptor).to_string(),
                    is_static: false,
                });
            }
        }
        found
    }

    /// The arguments of a method of the class under test.
    pub fn arguments(&mut self, method: MethodId) -> Vec<Make> {
        let kinds = types::parameter_types(self.m, method);
        self.each(method, &kinds, 0)
    }

    fn each(&mut self, method: MethodId, kinds: &[Type], depth: u32) -> Vec<Make> {
        let names = explore::enter::parameter_names(self.m, method);
        kinds.iter().zip(&names).map(|(kind, name)| self.make(kind, name, depth)).collect()
    }

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

    fn boxed(&mut self, letter: char, name: &str) -> Make {
        let number = self.leaves.len();
        self.leaf(Type::Primitive(letter), name);
        Make::Boxed { number, letter }
    }

    /// A way to make a value of a type; null if there is no other.
    fn make(&mut self, kind: &Type, name: &str, depth: u32) -> Make {
        match kind {
            Type::Primitive(_) => self.leaf(kind.clone(), name),
            Type::Variable(_) => self.leaf(Type::string(), name),
            Type::Wildcard(_) => self.make(&kind.opened().narrowed(), name, depth),
            Type::Array(element) => self.array(kind, element, name, depth),
            Type::Class(class, arguments) => self.object(kind, class, arguments, name, depth),
        }
    }

    fn array(&mut self, kind: &Type, element: &Type, name: &str, depth: u32) -> Make {
        // What an object is made of is kept small: it is not what the test is about.
        let is_leaf = match element {
            Type::Primitive(_) => true,
            Type::Class(class, _) => class == "java/lang/String",
            _ => false,
        };
        if is_leaf && depth == 0 {
            return self.leaf(kind.clone(), name);
        }
        let sizes: &[usize] = if depth == 0 { &[2, usize::MAX, 0, 1, 3] } else { &[2, 0, 1, 3] };
        let size = sizes[self.pick(sizes.len())];
        if size == usize::MAX {
            return Make::Null(kind.clone());
        }
        let elements = (0..size).map(|_| self.make(element, name, depth + 1)).collect();
        Make::Array { element: element.clone(), elements }
    }

    fn object(&mut self, kind: &Type, class: &str, arguments: &[Type], name: &str, depth: u32) -> Make {
        if let Some(letter) = box_of(class, arguments) {
            return if self.pick(2) == 1 { Make::Null(kind.clone()) } else { self.boxed(letter, name) };
        }
        if class == "java/lang/Comparable"
            && let Some(other) = arguments.first()
        {
            return self.make(&other.opened(), name, depth);
        }
        if class == "java/lang/Object" && depth == 0 {
            match self.pick(4) {
                1 => return self.make(&self.own.clone(), name, depth + 1),
                2 => return Make::Null(kind.clone()),
                3 if self.act.is_some() => return Make::Receiver,
                _ => {}
            }
        }
        if matches!(class, "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object") {
            return self.leaf(Type::string(), name);
        }
        if class == "java/lang/Class" {
            return self.class_literal(kind, arguments, depth);
        }
        if let Some(made) = library::collection(class) {
            return self.collection(made, kind, arguments, name, depth);
        }
        let Ok(id) = self.m.load(class) else { return Make::Null(kind.clone()) };
        if self.m.program.class(id).flags & access::ENUM != 0 {
            return self.leaf(kind.clone(), name);
        }
        if depth > DEPTH || self.around.iter().filter(|own| *own == class).count() > 1 {
            return Make::Null(kind.clone());
        }
        let wanted = Wanted {
            kind,
            package: &self.package,
            around: &self.around,
            act: self.act.filter(|_| self.is_receiver && depth == 0),
        };
        let mut ways = ways::ways(self.m, &self.catalogue.clone(), &wanted);
        // The deeper, the less it matters how.
        ways.truncate(ALTERNATIVES[(depth as usize).min(ALTERNATIVES.len() - 1)]);
        if ways.is_empty() {
            let constructor = if self.may_reflect { ways::hidden(self.m, id, &self.package) } else { None };
            let Some(constructor) = constructor else { return Make::Null(kind.clone()) };
            self.around.push(class.to_string());
            let made = self.call(&constructor, kind, depth);
            self.around.pop();
            self.reflected |= made.is_some();
            return made.unwrap_or_else(|| Make::Null(kind.clone()));
        }
        // Where an argument may be null, that is the second thing to try.
        let is_linked = self.around.iter().any(|own| own == class);
        let may_be_null = is_linked || depth == 0 && !self.is_receiver;
        let mut pick = self.pick(ways.len() + usize::from(may_be_null));
        if may_be_null {
            match (pick, is_linked) {
                (0, true) | (1, false) => return Make::Null(kind.clone()),
                (0, false) => {}
                _ => pick -= 1,
            }
        }
        self.around.push(class.to_string());
        let made = self.by(&ways[pick], kind, name, depth);
        self.around.pop();
        match made {
            Some(made) => self.filled(made, depth),
            None => Make::Null(kind.clone()),
        }
    }

    fn class_literal(&mut self, kind: &Type, arguments: &[Type], depth: u32) -> Make {
        if depth == 0 && self.pick(2) == 1 {
            return Make::Null(kind.clone());
        }
        match arguments.first() {
            Some(of @ (Type::Class(..) | Type::Array(_))) => Make::ClassOf(of.erased()),
            _ => Make::ClassOf(Type::string()),
        }
    }

    fn collection(
        &mut self,
        class: &'static str,
        kind: &Type,
        arguments: &[Type],
        name: &str,
        depth: u32,
    ) -> Make {
        let sizes: &[usize] = match depth {
            0 => &[2, usize::MAX, 0, 1, 3, 4],
            1 => &[2, 0, 1, 3],
            _ => &[2, 0],
        };
        let size = sizes[self.pick(sizes.len())];
        if size == usize::MAX {
            return Make::Null(kind.clone());
        }
        let element = |at: usize| arguments.get(at).cloned().unwrap_or_else(Type::string);
        let mut elements = Vec::new();
        for _ in 0..size {
            elements.push(self.make(&element(0), name, depth + 1));
            if library::is_map(class) {
                elements.push(self.make(&element(1), name, depth + 1));
            }
        }
        Make::Collection { class, kind: kind.clone(), elements }
    }

    /// Makes an object in one of the ways; none if the way is not there after all.
    fn by(&mut self, way: &Way, kind: &Type, name: &str, depth: u32) -> Option<Make> {
        match way {
            Way::Call(member) => self.call(member, kind, depth),
            Way::Fixed(member, text) => {
                let arguments = vec![Make::Text(text)];
                let (method, kind) = (member.clone(), kind.clone());
                Some(if member.name == "<init>" {
                    Make::New { constructor: method, kind: Type::named(&member.class), arguments }
                } else {
                    Make::Factory { method, kind, arguments }
                })
            }
            Way::Narrowed(member) => {
                let declared = types::descriptor_types(&member.descriptor).pop()?;
                let Type::Class(declared, _) = declared else { return None };
                let arguments = types::view(self.m, kind, &declared)?;
                let is_told = matches!(kind, Type::Class(class, _) if *class == declared);
                let made = self.call(member, &Type::Class(declared, arguments), depth)?;
                if is_told {
                    return Some(made);
                }
                Some(Make::Cast { object: Box::new(made), kind: kind.clone() })
            }
            Way::Constant(field) => Some(Make::Constant { field: field.clone(), kind: kind.clone() }),
            Way::On(member) => {
                let arguments = match kind {
                    Type::Class(_, arguments) => arguments.clone(),
                    _ => Vec::new(),
                };
                let object = self.make(&Type::Class(member.class.clone(), arguments), name, depth + 1);
                let id = member.find(self.m)?;
                let kinds = types::parameter_types(self.m, id);
                let arguments = self.each(id, &kinds, depth + 1);
                let (object, method, kind) = (Box::new(object), member.clone(), kind.clone());
                Some(Make::Result { object, method, kind, arguments })
            }
            Way::Builder { start, finish } => self.builder(start, finish, kind, depth),
            Way::Lambda => {
                let open = implement::open_methods(self.m, kind)?.into_iter().next()?;
                let answer = Box::new(self.answer(open, name, depth));
                Some(Make::Function { kind: kind.clone(), answer })
            }
            Way::Implement => self.implementation(kind, depth),
        }
    }

    /// A constructor or static method with its arguments.
    fn call(&mut self, member: &Member, wanted: &Type, depth: u32) -> Option<Make> {
        let id = member.find(self.m)?;
        let bindings = ways::call_bindings(self.m, id, wanted)?;
        let generic = self.m.program.method_types(id);
        let kinds: Vec<Type> =
            generic.parameters.iter().map(|kind| kind.with(&bindings).narrowed()).collect();
        let arguments = self.each(id, &kinds, depth + 1);
        let method = member.clone();
        if member.name != "<init>" {
            return Some(Make::Factory { method, kind: generic.result.with(&bindings), arguments });
        }
        let class = self.m.program.method(id).class;
        // An object inside another cannot be made without it.
        if self.m.program.outer_class(class).is_some() && matches!(arguments.first(), Some(Make::Null(_))) {
            return None;
        }
        let parameters = types::class_bindings(self.m, class);
        let bound =
            |name: &String| bindings.iter().find(|(own, _)| own == name).map(|(_, kind)| kind.clone());
        let own = parameters.iter().filter_map(|(name, _)| bound(name)).collect();
        Some(Make::New { constructor: method, kind: Type::Class(member.class.clone(), own), arguments })
    }

    /// A builder with some of what can be set on it.
    fn builder(&mut self, start: &Member, finish: &Member, kind: &Type, depth: u32) -> Option<Make> {
        let class = self.m.load(&finish.class).ok()?;
        let own = types::own_type(self.m, class);
        self.around.push(finish.class.clone());
        let mut made = self.call(start, &own, depth + 1);
        let settings = if self.pick(2) == 0 { self.settings(class) } else { Vec::new() };
        for id in settings {
            let kinds = types::parameter_types(self.m, id);
            let arguments = self.each(id, &kinds, depth + 1);
            let method = Member::of(self.m, id);
            made = made.map(|object| Make::Result {
                object: Box::new(object),
                method,
                kind: own.clone(),
                arguments,
            });
        }
        self.around.pop();
        Some(Make::Result {
            object: Box::new(made?),
            method: finish.clone(),
            kind: kind.clone(),
            arguments: Vec::new(),
        })
    }

    /// Methods of a builder that set something and give the builder again.
    fn settings(&mut self, class: ClassId) -> Vec<MethodId> {
        let own = format!(")L{};", self.m.program.class_name(class));
        let methods = self.m.program.class(class).methods.iter().copied();
        let mut names: Vec<String> = Vec::new();
        methods
            .filter(|id| {
                let method = self.m.program.method(*id);
                let fit = !method.is_static()
                    && !method.is_abstract()
                    && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                    && method.signature.parameters.len() == 1
                    && self.m.program.text(method.descriptor).ends_with(&own)
                    && self.m.program.is_visible(class, method.flags, &self.package);
                let name = self.m.program.text(method.name).to_string();
                let is_new = !names.contains(&name);
                names.push(name);
                fit && is_new
            })
            .take(SETTINGS)
            .collect()
    }

    fn answer(&mut self, open: implement::Open, name: &str, depth: u32) -> Answer {
        let value = match &open.result {
            Type::Primitive('V') => None,
            result => Some(self.make(&result.narrowed(), name, depth + 1)),
        };
        Answer {
            method: open.method,
            bridged: open.bridged,
            parameters: open.parameters,
            result: open.result,
            is_public: open.is_public,
            value,
        }
    }

    fn implementation(&mut self, kind: &Type, depth: u32) -> Option<Make> {
        let Type::Class(name, arguments) = kind else { return None };
        let class = self.m.load(name).ok()?;
        // A class extends no type that is left open.
        let told = |m: &mut Machine| {
            let bindings = types::bindings_of(m, class, arguments);
            Type::Class(name.clone(), bindings.into_iter().map(|(_, kind)| kind).collect())
        };
        let kind = &if arguments.is_empty() { kind.clone() } else { told(self.m) };
        let constructor = if self.m.program.class(class).is_interface() {
            None
        } else {
            let id = implement::constructor(self.m, class, &self.package)?;
            let bindings = types::bindings_of(self.m, class, arguments);
            let kinds = types::parameter_types_of(self.m, id, bindings);
            let made = self.each(id, &kinds, depth + 1);
            Some((Member::of(self.m, id), made))
        };
        let open = implement::open_methods(self.m, kind)?;
        let answers = open
            .into_iter()
            .map(|open| {
                let name = open.method.name.clone();
                self.answer(open, &name, depth)
            })
            .collect();
        Some(Make::Implementation { kind: kind.clone(), constructor, answers })
    }

    /// The object, filled by one or two calls of a method that adds something, where there is one. The receiver of the
    /// call under test is not filled here: its calls are chosen by what they lead to.
    fn filled(&mut self, object: Make, depth: u32) -> Make {
        if depth > 1 || self.is_receiver {
            return object;
        }
        let (Make::New { kind: Type::Class(class, arguments), .. }
        | Make::Factory { kind: Type::Class(class, arguments), .. }) = &object
        else {
            return object;
        };
        let Ok(class) = self.m.load(class) else { return object };
        let bindings = types::bindings_of(self.m, class, arguments);
        let fillers = self.fillers(class);
        if fillers.is_empty() {
            return object;
        }
        let pick = self.pick(1 + 2 * fillers.len());
        if pick == 0 {
            return object;
        }
        let id = fillers[(pick - 1) / 2];
        let member = Member::of(self.m, id);
        let kinds = types::parameter_types_of(self.m, id, bindings);
        let mut calls = Vec::new();
        for _ in 0..=(pick - 1) % 2 {
            calls.push((member.clone(), self.each(id, &kinds, depth + 2)));
        }
        Make::Built { object: Box::new(object), calls }
    }

    /// Methods that may put something into an object: first those that can be there for nothing else.
    fn fillers(&mut self, class: ClassId) -> Vec<MethodId> {
        let own = format!(")L{};", self.m.program.class_name(class));
        let mut found = Vec::new();
        for id in self.m.program.class(class).methods.clone() {
            let method = self.m.program.method(id);
            let (name, descriptor) =
                (self.m.program.text(method.name), self.m.program.text(method.descriptor));
            if method.is_static()
                || method.is_abstract()
                || method.flags & (access::SYNTHETIC | access::BRIDGE) != 0
                || method.signature.parameters.is_empty()
                || matches!(name, "<init>" | "equals")
                || !self.m.program.is_visible(class, method.flags, &self.package)
            {
                continue;
            }
            let gives_nothing = descriptor.ends_with(")V") || descriptor.ends_with(&own);
            let sets = |code: &program::Code| code.insns.iter().any(|insn| insn.op == Op::PutFieldU);
            let sets_a_field = matches!(self.m.program.code(id), Ok(Some(code)) if sets(code));
            found.push((!gives_nothing, !sets_a_field, id));
        }
        found.sort_by_key(|(gives, keeps, _)| (*gives, *keeps));
        found.into_iter().take(3).map(|(_, _, id)| id).collect()
    }
}

/// The primitive in whose box a value of a class is.
fn box_of(class: &str, arguments: &[Type]) -> Option<char> {
    Some(match class {
        "java/lang/Boolean" => 'Z',
        "java/lang/Byte" => 'B',
        "java/lang/Character" => 'C',
        "java/lang/Short" => 'S',
        "java/lang/Integer" | "java/lang/Number" => 'I',
        "java/lang/Long" => 'J',
        "java/lang/Float" => 'F',
        "java/lang/Double" => 'D',
        "java/lang/Comparable" if matches!(arguments, [] | [Type::Wildcard(_)]) => 'I',
        _ => return None,
    })
}
