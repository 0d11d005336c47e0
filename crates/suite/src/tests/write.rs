//! From what was found to tests as data: statements, the call, and what is asserted.

use std::collections::BTreeSet;

use machine::Machine;
use program::access;
use testcase::script::{Check, Ending, Expr, Openness, Override, Statement, Test, TypeName};
use testcase::{Graph, Node, Value};

use super::library;
use super::naming::{condition_words, lower_first, upper_first, value_words};
use super::nature;
use super::observe::Observation;
use super::session::{Found, Goal};
use super::shape::{Answer, Make, Member};
use super::types::{self, Bound, Type};
use crate::making::source_name;
use crate::symbolic::paths::Criterion;
use crate::symbolic::replay::Ended;

/// The fewest of what was found that cover as much, short ones first. Every method that can be called keeps one.
pub fn minimise(found: &[Found], criterion: Criterion) -> Vec<usize> {
    let counts = |goal: &&Goal| goal.is_branch() == (criterion != Criterion::Statement);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| (found[*index].shape.reflected, size(&found[*index]), *index));
    let mut covered: BTreeSet<&Goal> = BTreeSet::new();
    let mut kept = Vec::new();
    // Greedy: what adds most, of equal ones the shortest. Reflection comes after everything else.
    let mut reflected = false;
    loop {
        let best = order
            .iter()
            .copied()
            .filter(|index| !kept.contains(index) && !found[*index].is_crash)
            .filter(|index| found[*index].shape.reflected <= reflected)
            .map(|index| {
                let adds = found[index].covered.iter().filter(counts).filter(|goal| !covered.contains(goal));
                (adds.count(), index)
            })
            .max_by_key(|(adds, index)| {
                (*adds, std::cmp::Reverse(order.iter().position(|own| own == index)))
            });
        match best {
            Some((adds, index)) if adds > 0 => {
                covered.extend(&found[index].covered);
                kept.push(index);
            }
            _ if !reflected => reflected = true,
            _ => break,
        }
    }
    for index in &order {
        let ending = |found: &Found| match &found.end {
            Ended::Threw { class, .. } => Some(class.clone()),
            _ => None,
        };
        let same = |other: &usize| {
            found[*other].shape.act == found[*index].shape.act
                && ending(&found[*other]) == ending(&found[*index])
        };
        if !kept.iter().any(same) {
            kept.push(*index);
        }
    }
    kept.sort_unstable();
    kept
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}

/// Turns what was found into a test. None if it cannot be written as source.
pub fn test(m: &mut Machine, found: &Found, package: &str, names: &mut BTreeSet<String>) -> Option<Test> {
    let mut writer = Writer {
        m,
        found,
        package: package.to_string(),
        statements: Vec::new(),
        locals: BTreeSet::new(),
        receiver: None,
        throws: false,
    };
    let test = writer.test()?;
    let name = unique(writer.name(&test), names);
    Some(Test { name, ..test })
}

fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut count = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}Case{count}");
        count += 1;
    }
    candidate
}

struct Writer<'a> {
    m: &'a mut Machine,
    found: &'a Found,
    package: String,
    statements: Vec<Statement>,
    locals: BTreeSet<String>,
    /// How the test names the object under test.
    receiver: Option<Expr>,
    throws: bool,
}

const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
    "record",
    "var",
    "yield",
];

/// Methods every class has: a test must not have their names.
const OF_OBJECT: &[&str] =
    &["toString", "hashCode", "equals", "clone", "finalize", "notify", "notifyAll", "wait", "getClass"];

impl Writer<'_> {
    fn local(&mut self, wanted: &str) -> String {
        let wanted = if KEYWORDS.contains(&wanted) || wanted.is_empty() { "value" } else { wanted };
        let mut name = wanted.to_string();
        let mut count = 2;
        while !self.locals.insert(name.clone()) {
            name = format!("{wanted}{count}");
            count += 1;
        }
        name
    }

    /// The name of a class in source.
    fn class(&self, internal: &str) -> Option<String> {
        let id = self.m.program.find_loaded(internal)?;
        source_name(self.m, id, &self.package)
    }

    fn type_name(&mut self, kind: &Type) -> Option<TypeName> {
        Some(match kind {
            Type::Primitive(_) => TypeName::plain(&machine::external_type(&kind.descriptor())),
            Type::Array(element) => {
                let mut name = self.type_name(element)?;
                name.dimensions += 1;
                name
            }
            Type::Variable(_) => TypeName::plain("java.lang.Object"),
            Type::Wildcard(bound) => {
                let openness = match bound {
                    Bound::Any => Openness::Any,
                    Bound::Extends(_) => Openness::Below,
                    Bound::Super(_) => Openness::Above,
                };
                TypeName { openness, ..self.type_name(&kind.opened())? }
            }
            Type::Class(name, arguments) => {
                self.m.load(name).ok()?;
                let mut full = TypeName::plain(&self.class(name)?);
                for argument in arguments {
                    full.arguments.push(self.type_name(argument)?);
                }
                full
            }
        })
    }

    fn test(&mut self) -> Option<Test> {
        let shape = &self.found.shape;
        let receiver = match &shape.receiver {
            None => None,
            Some(make) => {
                let simple = shape.act.class.rsplit(['/', '$']).next().unwrap_or("object");
                let name = lower_first(simple);
                let value = self.make(make, &name)?;
                if matches!(value, Expr::Local(_) | Expr::Static { .. }) {
                    Some(value)
                } else {
                    Some(self.named(&name, &make.kind()?, value)?)
                }
            }
        };
        self.receiver.clone_from(&receiver);
        for (member, arguments) in &shape.setup {
            let arguments = self.arguments(member, arguments)?;
            let call = self.call(member, receiver.clone(), arguments)?;
            self.statements.push(Statement::Do(call));
        }
        let arguments = self.parts(&shape.act, &shape.arguments)?;
        let act = self.call(&shape.act, receiver.clone(), arguments)?;
        let (ending, checks) = match &self.found.end {
            Ended::Threw { class, message, .. } => {
                let source = self.exception(class)?;
                let message = message.clone().filter(|text| self.is_stable(class, text));
                (Ending::Throws { class: source, message }, Vec::new())
            }
            Ended::Returned => {
                let id = shape.act.find(self.m)?;
                self.throws |= types::declares_exceptions(self.m, id);
                self.returned(receiver.as_ref())?
            }
            Ended::Exited(_) => return None,
        };
        Some(Test {
            name: String::new(),
            arrange: std::mem::take(&mut self.statements),
            act,
            ending,
            checks,
            throws: self.throws,
            suppress: Vec::new(),
            reflects: self.found.shape.reflected,
            disabled: None,
        })
    }

    /// Whether a message was written by the code under test, and is not the virtual machine's.
    fn is_stable(&mut self, class: &str, message: &str) -> bool {
        let Ended::Threw { frames, .. } = &self.found.end else { return false };
        let user = frames.first().is_some_and(|(owner, _)| {
            self.m.load(&owner.replace('.', "/")).is_ok_and(|id| !self.m.program.class(id).is_library())
        });
        let explicit = nature::has_own_message(&self.found.end) || !class.starts_with("java.lang.");
        user && message.len() <= 120
            && !message.contains("$$Given")
            && !message.contains('@')
            && (explicit
                || class.ends_with("IllegalArgumentException")
                || class.ends_with("IllegalStateException"))
    }

    /// Whether the class under test is from before Java 9, and its tests as well.
    fn is_old(&mut self) -> bool {
        let class = self.m.load(&self.found.shape.act.class);
        class.is_ok_and(|class| self.m.program.class(class).file.as_ref().is_some_and(|file| file.major < 53))
    }

    /// The name of an exception's class, or of the nearest class it extends that the test may name.
    fn exception(&mut self, class: &str) -> Option<String> {
        let mut at = self.m.load(&class.replace('.', "/")).ok()?;
        let is_old = self.is_old();
        loop {
            if let Some(name) = source_name(self.m, at, &self.package)
                && !(is_old && name == "java.lang.reflect.InaccessibleObjectException")
            {
                return Some(name);
            }
            at = self.m.program.class(at).super_class?;
        }
    }

    /// Gives a value a name of its own.
    fn named(&mut self, wanted: &str, kind: &Type, value: Expr) -> Option<Expr> {
        let kind = self.type_name(kind)?;
        let name = self.local(wanted);
        self.statements.push(Statement::Let { kind, name: name.clone(), value });
        Some(Expr::Local(name))
    }

    /// The arguments of a call in front of the one under test.
    fn arguments(&mut self, member: &Member, makes: &[Make]) -> Option<Vec<Expr>> {
        let id = member.find(self.m)?;
        self.throws |= types::declares_exceptions(self.m, id);
        self.parts(member, makes)
    }

    fn parts(&mut self, member: &Member, makes: &[Make]) -> Option<Vec<Expr>> {
        let id = member.find(self.m)?;
        let names = super::parameter_names(self.m, id);
        let declared = types::descriptor_types(&member.descriptor);
        let told = types::generic(self.m, id).parameters;
        let is_variable = self.m.program.method(id).flags & access::VARARGS != 0;
        let mut arguments = Vec::new();
        for (index, (make, declared)) in makes.iter().zip(&declared).enumerate() {
            let name = names.get(index).map_or("value", String::as_str);
            let is_last = index + 1 == makes.len();
            if is_variable
                && is_last
                && let Make::Array { elements, .. } = make
                && self.can_spread(member, makes.len() - 1, elements)
            {
                for element in elements {
                    let value = self.make(element, name)?;
                    arguments.push(value);
                }
                continue;
            }
            let mut value = self.make(make, name)?;
            // A lambda has to know what it is.
            if matches!(value, Expr::Lambda { .. })
                && let Some(kind) = make.kind()
                && kind.erased() != *declared
            {
                value = self.named(name, &kind, value)?;
            }
            let rivals = self.rivals(member, index, declared);
            let is_null = value == Expr::Literal(Value::Null);
            // What a type variable stands for is clear from the value.
            let is_open = matches!(told.get(index), Some(Type::Variable(_))) && is_plain(&value);
            // `null` alone may fit several methods of the name, or stand for an array or its element.
            if is_null && (rivals || is_variable && is_last) {
                let is_variable = matches!(told.get(index), Some(Type::Variable(_)));
                let kind = match make {
                    Make::Null(kind @ (Type::Class(..) | Type::Array(_))) => kind.clone(),
                    Make::Leaf { kind, .. } if is_variable => kind.clone(),
                    _ => declared.clone(),
                };
                let to = self.type_name(&kind)?;
                value = Expr::Cast { to, value: Box::new(value) };
            } else if !is_null
                && !is_open
                && let Some(kind) = self.shown_type(make, declared, rivals)
            {
                if is_plain(&value) {
                    value = Expr::Cast { to: self.type_name(&kind)?, value: Box::new(value) };
                } else if !matches!(value, Expr::Local(_)) {
                    value = self.named(name, &kind, value)?;
                }
            }
            arguments.push(value);
        }
        Some(arguments)
    }

    /// The type under which an argument is passed, if it has to be told or the argument is large.
    fn shown_type(&mut self, make: &Make, declared: &Type, rivals: bool) -> Option<Type> {
        let is_large = match make {
            Make::Array { elements, .. } | Make::Collection { elements, .. } => elements.len() > 1,
            Make::Result { object, .. } => matches!(**object, Make::Result { .. }),
            // Nothing else tells the compiler the type arguments.
            Make::Factory { kind: Type::Class(_, told), arguments, .. } => {
                arguments.is_empty() && !told.is_empty()
            }
            _ => false,
        };
        let kind = make.kind()?;
        let Type::Class(class, _) = declared else { return is_large.then_some(kind) };
        let same = kind.erased() == *declared;
        if !(is_large || rivals && (!same || matches!(make, Make::Function { .. }))) {
            return None;
        }
        if same || matches!(kind, Type::Primitive(_)) && !rivals {
            return Some(kind);
        }
        match types::view(self.m, &kind, class) {
            Some(arguments) => Some(Type::Class(class.clone(), arguments)),
            None => Some(declared.clone()),
        }
    }

    /// Whether the elements of the last argument can be written one after the other.
    fn can_spread(&mut self, member: &Member, before: usize, elements: &[Make]) -> bool {
        let is_clear = match elements {
            [] => true,
            [one] => !matches!(one, Make::Null(_) | Make::Array { .. } | Make::Receiver),
            several => !several.iter().any(|element| matches!(element, Make::Function { .. })),
        };
        let count = before + elements.len();
        let others = self.others(member);
        is_clear
            && !others.iter().any(|types| {
                types.len() == count || types.last().is_some_and(|last| matches!(last, Type::Array(_)))
            })
    }

    /// The parameter types of other methods of the name.
    fn others(&mut self, member: &Member) -> Vec<Vec<Type>> {
        let Ok(class) = self.m.load(&member.class) else { return Vec::new() };
        let mut found = Vec::new();
        let owners: Vec<program::ClassId> = match member.name.as_str() {
            "<init>" => vec![class],
            _ => self.m.program.class(class).display.clone(),
        };
        for id in owners.iter().flat_map(|owner| self.m.program.class(*owner).methods.clone()) {
            let method = self.m.program.method(id);
            let descriptor = self.m.program.text(method.descriptor);
            let is_made = method.flags & (access::SYNTHETIC | access::BRIDGE) != 0;
            if !is_made && self.m.program.text(method.name) == member.name && descriptor != member.descriptor
            {
                let mut types = types::descriptor_types(descriptor);
                types.pop();
                found.push(types);
            }
        }
        found
    }

    /// Whether another method of the name takes something else at a place.
    fn rivals(&mut self, member: &Member, index: usize, declared: &Type) -> bool {
        let count = types::descriptor_types(&member.descriptor).len() - 1;
        let others = self.others(member);
        others.iter().any(|types| {
            let last = matches!(types.last(), Some(Type::Array(_)));
            (types.len() == count || last) && types.get(index).is_some_and(|kind| kind != declared)
        })
    }

    fn call(&mut self, member: &Member, receiver: Option<Expr>, mut arguments: Vec<Expr>) -> Option<Expr> {
        let class = self.class(&member.class)?;
        Some(if member.name == "<init>" {
            let id = self.m.load(&member.class).ok()?;
            if types::outer_class(self.m, id).is_some() {
                return self.inside(&member.class, arguments);
            }
            let kind = types::own_type(self.m, id);
            Expr::New { class: self.type_name(&kind)?, arguments: std::mem::take(&mut arguments) }
        } else if member.is_static {
            Expr::StaticCall { class, method: member.name.clone(), arguments }
        } else {
            Expr::Call { receiver: Box::new(receiver?), method: member.name.clone(), arguments }
        })
    }

    /// An object of an inner class; the first argument is the object it belongs to.
    fn inside(&mut self, class: &str, mut arguments: Vec<Expr>) -> Option<Expr> {
        if arguments.is_empty() {
            return None;
        }
        let outer = arguments.remove(0);
        let simple = self.class(class)?.rsplit('.').next()?.to_string();
        Some(Expr::NewInside { outer: Box::new(outer), class: simple, arguments })
    }

    /// An expression that makes a value. `name` is what it would be called if it has to be named.
    fn make(&mut self, make: &Make, name: &str) -> Option<Expr> {
        Some(match make {
            Make::Leaf { number, .. } => self.leaf(*number)?,
            Make::Boxed { number, letter } => {
                let value = self.leaf(*number)?;
                match letter {
                    // An `int` literal is boxed as an `Integer`.
                    'B' | 'S' => {
                        let to = TypeName::plain(if *letter == 'B' { "byte" } else { "short" });
                        Expr::Cast { to, value: Box::new(value) }
                    }
                    _ => value,
                }
            }
            Make::Text(text) => Expr::Text(text.encode_utf16().collect()),
            Make::ClassOf(kind) => Expr::ClassOf(self.type_name(kind)?),
            Make::Null(_) => Expr::Literal(Value::Null),
            Make::Receiver => self.receiver.clone()?,
            Make::Constant { field, .. } => {
                self.m.load(&field.class).ok()?;
                Expr::Static { class: self.class(&field.class)?, field: field.name.clone() }
            }
            Make::New { constructor, kind, arguments } => {
                let mut made = self.arguments(constructor, arguments)?;
                let id = self.m.load(&constructor.class).ok()?;
                if let Some(outer) = types::outer_class(self.m, id) {
                    let kind = arguments.first()?.kind()?;
                    if !matches!(made.first(), Some(Expr::Local(_))) {
                        let simple = outer.rsplit(['/', '$']).next().unwrap_or("outer");
                        made[0] = self.named(&lower_first(simple), &kind, made[0].clone())?;
                    }
                    return self.inside(&constructor.class, made);
                }
                let method = constructor.find(self.m)?;
                let flags = self.m.program.method(method).flags;
                if !types::is_visible(self.m, id, flags, &self.package) {
                    self.throws = true;
                    for (value, make) in made.iter_mut().zip(arguments) {
                        if matches!(value, Expr::Lambda { .. }) {
                            *value = self.named("function", &make.kind()?, value.clone())?;
                        }
                    }
                    let mut parameters = types::descriptor_types(&constructor.descriptor);
                    parameters.pop();
                    let parameters: Option<Vec<TypeName>> =
                        parameters.iter().map(|kind| self.type_name(kind)).collect();
                    let class = self.type_name(&kind.erased())?;
                    return Some(Expr::Create { class, parameters: parameters?, arguments: made });
                }
                Expr::New { class: self.type_name(kind)?, arguments: made }
            }
            Make::Factory { method, arguments, .. } => {
                let arguments = self.arguments(method, arguments)?;
                self.m.load(&method.class).ok()?;
                self.call(method, None, arguments)?
            }
            Make::Cast { object, kind } => {
                let mut value = self.make(object, name)?;
                // What is cast gets no type arguments from where it is used, but from variables it is given.
                if let Make::Factory { kind: of @ Type::Class(_, told), .. } = &**object
                    && let Expr::StaticCall { arguments, .. } = &value
                    && !told.is_empty()
                    && (arguments.is_empty() || !arguments.iter().all(|part| matches!(part, Expr::Local(_))))
                {
                    value = self.named("value", of, value)?;
                }
                Expr::Cast { to: self.type_name(kind)?, value: Box::new(value) }
            }
            Make::Result { object, method, arguments, .. } => {
                let value = self.make(object, name)?;
                let value = self.called_on(object, value)?;
                let arguments = self.arguments(method, arguments)?;
                self.call(method, Some(value), arguments)?
            }
            Make::Built { object, calls } => {
                let value = self.make(object, name)?;
                let kind = object.kind()?;
                let Type::Class(class, _) = &kind else { return None };
                let simple = class.rsplit(['/', '$']).next().unwrap_or("object").to_string();
                let built = self.named(&lower_first(&simple), &kind, value)?;
                for (member, arguments) in calls {
                    let arguments = self.arguments(member, arguments)?;
                    let call = self.call(member, Some(built.clone()), arguments)?;
                    self.statements.push(Statement::Do(call));
                }
                built
            }
            Make::Forced { object, fields } => {
                let value = self.make(object, name)?;
                let forced = match value {
                    value @ Expr::Local(_) => value,
                    value => self.named(name, &object.kind()?, value)?,
                };
                self.throws = true;
                for (member, made) in fields {
                    let mut value = self.make(made, &member.name)?;
                    if matches!(value, Expr::Lambda { .. }) {
                        value = self.named(&member.name, &made.kind()?, value)?;
                    }
                    let object = forced.clone();
                    self.statements.push(Statement::Set { object, field: member.name.clone(), value });
                }
                forced
            }
            Make::Collection { class, kind, elements } => {
                let elements: Option<Vec<Expr>> =
                    elements.iter().map(|element| self.make(element, name)).collect();
                self.collection(class, kind, elements?, name)?
            }
            Make::Array { element, elements } => {
                let elements: Option<Vec<Expr>> = elements.iter().map(|part| self.make(part, name)).collect();
                Expr::Array { element: self.type_name(element)?, elements: elements? }
            }
            Make::Function { answer, .. } => {
                let result = self.answer(answer)?.map(Box::new);
                let free = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().map(String::from);
                let free = free.filter(|name| !self.locals.contains(name));
                Expr::Lambda { parameters: free.take(answer.parameters.len()).collect(), result }
            }
            Make::Implementation { kind, constructor, answers } => {
                let arguments = match constructor {
                    Some((constructor, arguments)) => self.arguments(constructor, arguments)?,
                    None => Vec::new(),
                };
                let methods: Option<Vec<Override>> =
                    answers.iter().map(|answer| self.implemented(answer)).collect();
                let class = self.type_name(kind)?;
                let value = Expr::Anonymous { class, arguments, methods: methods? };
                self.named(name, kind, value)?
            }
        })
    }

    /// An object as it stands in front of a call. Type arguments that are left to the compiler need a variable.
    fn called_on(&mut self, object: &Make, value: Expr) -> Option<Expr> {
        let Expr::New { class, arguments } = &value else { return Some(value) };
        if let (Make::Collection { .. }, [Expr::StaticCall { arguments, .. }]) = (object, &arguments[..])
            && arguments.iter().all(|part| is_plain(part) && *part != Expr::Literal(Value::Null))
        {
            return Some(value);
        }
        if class.arguments.is_empty() {
            return Some(value);
        }
        let kind = object.kind()?;
        let Type::Class(name, _) = &kind else { return None };
        let simple = name.rsplit(['/', '$']).next().unwrap_or("object").to_string();
        self.named(&lower_first(&simple), &kind, value)
    }

    fn implemented(&mut self, answer: &Answer) -> Option<Override> {
        let id = answer.method.find(self.m)?;
        let names = super::parameter_names(self.m, id);
        let mut parameters = Vec::new();
        for (index, kind) in answer.parameters.iter().enumerate() {
            let name = names.get(index).filter(|name| !KEYWORDS.contains(&name.as_str()));
            let name = name.cloned().unwrap_or_else(|| format!("arg{index}"));
            parameters.push((self.type_name(kind)?, name));
        }
        Some(Override {
            name: answer.method.name.clone(),
            result: self.type_name(&answer.result)?,
            parameters,
            is_public: answer.is_public,
            value: self.answer(answer)?,
        })
    }

    /// What a method of a function or an implementation gives: always the same object.
    fn answer(&mut self, answer: &Answer) -> Option<Option<Expr>> {
        let Some(made) = &answer.value else { return Some(None) };
        let name = format!("{}Result", answer.method.name);
        let mut value = self.make(made, &name)?;
        let is_same =
            is_plain(&value) || matches!(value, Expr::Local(_) | Expr::Static { .. } | Expr::ClassOf(_));
        if !is_same && !matches!(value, Expr::Cast { .. } | Expr::Lambda { .. }) {
            let kind = made.kind()?;
            value = self.named(&name, &kind, value)?;
        }
        Some(Some(value))
    }

    fn collection(
        &mut self,
        class: &str,
        kind: &Type,
        elements: Vec<Expr>,
        wanted_name: &str,
    ) -> Option<Expr> {
        let arguments = match kind {
            Type::Class(_, arguments) => arguments.clone(),
            _ => Vec::new(),
        };
        let mut name = TypeName::plain(&class.replace('/', "."));
        let wanted = if library::is_map(class) { 2 } else { 1 };
        for at in 0..wanted {
            let argument = arguments.get(at).cloned().unwrap_or_else(Type::string);
            name.arguments.push(self.type_name(&argument)?);
        }
        if elements.is_empty() {
            return Some(Expr::New { class: name, arguments: Vec::new() });
        }
        // `List.of` and `Map.of` refuse null and duplicates; `Arrays.asList` does not.
        let has_null = elements.contains(&Expr::Literal(Value::Null));
        let is_map = library::is_map(class);
        if is_map {
            // The order of `Map.of` changes from run to run.
            if !has_null && elements.len() == 2 {
                let from = Expr::StaticCall {
                    class: "java.util.Map".into(),
                    method: "of".into(),
                    arguments: elements,
                };
                return Some(Expr::New { class: name, arguments: vec![from] });
            }
            let made = Expr::New { class: name, arguments: Vec::new() };
            let told = arguments.iter().map(|kind| match kind {
                Type::Wildcard(Bound::Any) => Type::object(),
                other => other.clone(),
            });
            let shown = match kind {
                Type::Class(class, _) => Type::Class(class.clone(), told.collect()),
                other => other.clone(),
            };
            let map = self.named(wanted_name, &shown, made)?;
            for pair in elements.chunks_exact(2) {
                self.statements.push(Statement::Do(Expr::Call {
                    receiver: Box::new(map.clone()),
                    method: "put".into(),
                    arguments: pair.to_vec(),
                }));
            }
            return Some(map);
        }
        let from = if has_null {
            listed(elements)
        } else {
            Expr::StaticCall { class: "java.util.List".into(), method: "of".into(), arguments: elements }
        };
        Some(Expr::New { class: name, arguments: vec![from] })
    }

    /// The value found for a leaf.
    fn leaf(&mut self, number: usize) -> Option<Expr> {
        let input = &self.found.input;
        let value = input.arguments.get(number)?;
        let graph = Graph { root: value.clone(), nodes: input.nodes.clone() };
        self.value(&graph, value, 0)
    }

    /// A value as an expression that makes an equal one.
    fn value(&mut self, graph: &Graph, value: &Value, depth: u32) -> Option<Expr> {
        let Value::Node(index) = value else { return Some(Expr::Literal(value.clone())) };
        if depth > 4 {
            return None;
        }
        Some(match graph.nodes.get(*index)? {
            Node::String(units) => Expr::Text(units.clone()),
            Node::Enum { class, name } => Expr::Static { class: self.source_of(class)?, field: name.clone() },
            Node::Boxed { value, .. } => Expr::Literal(value.clone()),
            Node::Text { class, text } if class.starts_with("java.math.") => Expr::New {
                class: TypeName::plain(class),
                arguments: vec![Expr::Text(text.encode_utf16().collect())],
            },
            Node::Text { .. } => return None,
            // A view of a list or set equals what it is a view of.
            Node::List { class, elements }
                if class.starts_with("java.util.Collections$") && elements.len() == 1 =>
            {
                return self.value(graph, &elements[0].clone(), depth + 1);
            }
            // Queues and other collections are equal to themselves only.
            Node::List { class, .. }
                if !["List", "Set", "Vector", "Stack", "[]", "Optional"]
                    .iter()
                    .any(|part| class.contains(part)) =>
            {
                return None;
            }
            Node::List { class, elements } => {
                let parts: Option<Vec<Expr>> =
                    elements.iter().map(|element| self.value(graph, element, depth + 1)).collect();
                let parts = parts?;
                match class.strip_suffix("[]") {
                    Some(element) => {
                        let name = self.source_of(element)?;
                        let dimensions = element.matches("[]").count();
                        let mut element = TypeName::plain(name.trim_end_matches("[]"));
                        element.dimensions = dimensions;
                        Expr::Array { element, elements: parts }
                    }
                    None if class.contains("Set") => Expr::StaticCall {
                        class: "java.util.Set".into(),
                        method: "of".into(),
                        arguments: parts,
                    },
                    None if class == "java.util.Optional" => match parts.into_iter().next() {
                        Some(part) => Expr::StaticCall {
                            class: "java.util.Optional".into(),
                            method: "of".into(),
                            arguments: vec![part],
                        },
                        None => Expr::StaticCall {
                            class: "java.util.Optional".into(),
                            method: "empty".into(),
                            arguments: Vec::new(),
                        },
                    },
                    None if parts.contains(&Expr::Literal(Value::Null)) => listed(parts),
                    None => Expr::StaticCall {
                        class: "java.util.List".into(),
                        method: "of".into(),
                        arguments: parts,
                    },
                }
            }
            Node::Map { entries, .. } => {
                let mut parts = Vec::new();
                for (key, value) in entries {
                    parts.push(self.value(graph, key, depth + 1)?);
                    parts.push(self.value(graph, value, depth + 1)?);
                }
                let is_long = parts.len() > 20 || parts.len() > 2 && self.is_old();
                if parts.contains(&Expr::Literal(Value::Null)) || is_long {
                    return None;
                }
                Expr::StaticCall { class: "java.util.Map".into(), method: "of".into(), arguments: parts }
            }
            Node::Object { class, fields } => {
                // Records are equal if their parts are.
                let id = self.m.load(&class.replace('.', "/")).ok()?;
                let parent = self.m.program.class(id).super_class?;
                if self.m.program.class_name(parent) != "java/lang/Record" || !self.has_plain_constructor(id)
                {
                    return None;
                }
                let source = self.source_of(class)?;
                let parts: Option<Vec<Expr>> =
                    fields.iter().map(|(_, value)| self.value(graph, value, depth + 1)).collect();
                let mut name = TypeName::plain(&source);
                for (_, kind) in types::class_bindings(self.m, id) {
                    name.arguments.push(self.type_name(&kind)?);
                }
                Expr::New { class: name, arguments: parts? }
            }
        })
    }

    /// Whether the canonical constructor of a record can be called from here.
    fn has_plain_constructor(&self, record: program::ClassId) -> bool {
        let class = self.m.program.class(record);
        let descriptor: String = class
            .fields
            .iter()
            .filter(|field| !field.is_static())
            .map(|field| self.m.program.text(field.descriptor))
            .collect();
        let descriptor = format!("({descriptor})V");
        self.m.program.declared_method(record, "<init>", &descriptor).is_some_and(|id| {
            types::is_visible(self.m, record, self.m.program.method(id).flags, &self.package)
        })
    }

    fn source_of(&mut self, binary: &str) -> Option<String> {
        let base = binary.trim_end_matches("[]");
        let primitive = ["int", "long", "boolean", "byte", "char", "short", "float", "double"];
        if primitive.contains(&base) {
            return Some(binary.to_string());
        }
        let internal = base.replace('.', "/");
        self.m.load(&internal).ok()?;
        Some(self.class(&internal)? + &binary[base.len()..])
    }

    /// What is asserted after a call that returns.
    fn returned(&mut self, receiver: Option<&Expr>) -> Option<(Ending, Vec<Check>)> {
        let act = self.found.shape.act.clone();
        let id = act.find(self.m)?;
        let constructor = act.name == "<init>";
        let kind = if constructor {
            let class = self.m.load(&act.class).ok()?;
            types::own_type(self.m, class)
        } else {
            types::result_type(self.m, id)
        };
        let own = Type::named(&act.class);
        let mut checks = Vec::new();
        if constructor {
            let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object").to_string();
            let name = self.local(&lower_first(&simple));
            let observed = self.found.observed.clone();
            self.observations(&Expr::Local(name.clone()), &kind, &observed, &mut checks);
            if checks.is_empty() {
                checks.push(Check::NotNull(Expr::Local(name.clone())));
            }
            return Some((Ending::Returns { kept: Some((self.type_name(&kind)?, name)) }, checks));
        }
        if kind == Type::Primitive('V') {
            if let Some(receiver) = receiver {
                let observed = self.found.observed.clone();
                self.observations(receiver, &own, &observed, &mut checks);
            }
            return Some((Ending::Returns { kept: None }, checks));
        }
        let graph = self.found.returned.clone()?;
        // An array of a type variable may be one of any objects.
        let is_any = matches!(&graph.root, Value::Node(root)
            if matches!(graph.nodes.get(*root), Some(Node::List { class, .. }) if class == "java.lang.Object[]"));
        let kind = match kind {
            Type::Array(_) if is_any => Type::Array(Box::new(Type::object())),
            other => other,
        };
        let name = self.local("result");
        let actual = Expr::Local(name.clone());
        // A type that the test may not name is shown as any object.
        let shown = self.type_name(&kind).unwrap_or_else(|| TypeName::plain("java.lang.Object"));
        match self.equality(&graph, &actual) {
            Some(check) => checks.push(check),
            None if matches!(kind, Type::Array(_)) => checks.extend(length(&graph, &actual)),
            None => {
                let observed = self.found.result_observed.clone();
                self.observations(&actual, &kind, &observed, &mut checks);
                if checks.is_empty() {
                    checks.push(Check::NotNull(actual.clone()));
                }
            }
        }
        if self.found.changed
            && let Some(receiver) = receiver
        {
            let observed = self.found.observed.clone();
            self.observations(receiver, &own, &observed[..observed.len().min(2)], &mut checks);
        }
        Some((Ending::Returns { kept: Some((shown, name)) }, checks))
    }

    fn equality(&mut self, graph: &Graph, actual: &Expr) -> Option<Check> {
        let actual = actual.clone();
        Some(match &graph.root {
            Value::Null => Check::Null(actual),
            Value::Boolean(true) => Check::True(actual),
            Value::Boolean(false) => Check::False(actual),
            _ if shows_identity(graph) || is_large(graph) => return None,
            root => {
                let is_array = matches!(root, Value::Node(i) if matches!(&graph.nodes[*i], Node::List { class, .. } if class.ends_with("[]")));
                let expected = self.value(graph, root, 0)?;
                if is_array {
                    Check::ArrayEquals { expected, actual }
                } else {
                    Check::Equals { expected, actual }
                }
            }
        })
    }

    /// The method without parameters that an object of a type has.
    fn observer(&mut self, kind: &Type, name: &str) -> Option<program::MethodId> {
        let Type::Class(class, _) = kind else { return None };
        let id = self.m.load(class).ok()?;
        source_name(self.m, id, &self.package)?;
        let class = self.m.program.class(id);
        let owners = [&id].into_iter().chain(&class.display).chain(&class.all_interfaces);
        let mut methods = owners.flat_map(|owner| self.m.program.class(*owner).methods.iter().copied());
        methods.find(|id| {
            let method = self.m.program.method(*id);
            self.m.program.text(method.name) == name && method.signature.parameters.is_empty()
        })
    }

    /// Checks of what an object tells through methods of the type it is known by.
    fn observations(
        &mut self,
        object: &Expr,
        kind: &Type,
        observed: &[Observation],
        checks: &mut Vec<Check>,
    ) {
        for observation in observed.iter().take(4) {
            let act = &self.found.shape.act;
            let again = act.name == observation.method && act.descriptor.starts_with("()") && !act.is_static;
            if again && self.receiver.as_ref() == Some(object) {
                continue;
            }
            let Some(method) = self.observer(kind, &observation.method) else { continue };
            self.throws |= types::declares_exceptions(self.m, method);
            let call = Expr::Call {
                receiver: Box::new(object.clone()),
                method: observation.method.clone(),
                arguments: Vec::new(),
            };
            if let Some(check) = self.equality(&observation.value, &call) {
                checks.push(check);
            }
        }
    }

    /// What the test shows.
    fn name(&self, test: &Test) -> String {
        let act = &self.found.shape.act;
        let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object");
        let verb = if act.name == "<init>" { format!("new{simple}") } else { act.name.clone() };
        let outcome = match &test.ending {
            Ending::Throws { class, .. } => {
                let simple = class.rsplit('.').next().unwrap_or(class);
                format!("Throws{simple}")
            }
            Ending::Returns { .. } if act.name == "<init>" => String::new(),
            Ending::Returns { .. } => match test.checks.first() {
                Some(Check::True(Expr::Local(_))) => "ReturnsTrue".into(),
                Some(Check::False(Expr::Local(_))) => "ReturnsFalse".into(),
                Some(Check::Null(Expr::Local(_))) => "ReturnsNull".into(),
                Some(Check::Equals { expected, actual: Expr::Local(_) }) => match expected_words(expected) {
                    Some(words) => format!("Returns{words}"),
                    None => String::new(),
                },
                _ => String::new(),
            },
        };
        let condition = self
            .found
            .conditions
            .iter()
            .rev()
            .find_map(|condition| condition_words(condition))
            .filter(|words| words.len() <= 48);
        let when = condition.map_or(String::new(), |words| format!("When{words}"));
        let mut name = format!("{verb}{outcome}{when}");
        if OF_OBJECT.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str()) {
            name += "Works";
        }
        name.chars().filter(|c| c.is_alphanumeric()).collect()
    }
}

/// Whether a text holds the number by which an object is told from others of its class.
fn shows_identity(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| match node {
        Node::String(units) => {
            let text = String::from_utf16_lossy(units);
            text.contains("$$Given")
                || text
                    .match_indices('@')
                    .any(|(at, _)| text[at + 1..].chars().take_while(char::is_ascii_hexdigit).count() >= 4)
        }
        _ => false,
    })
}

/// Whether nobody would read all of a value.
fn is_large(graph: &Graph) -> bool {
    let long = |node: &Node| match node {
        Node::List { elements, .. } => {
            elements.len() > 24 && elements.windows(2).any(|pair| pair[0] != pair[1])
        }
        Node::Map { entries, .. } => entries.len() > 10,
        _ => false,
    };
    graph.nodes.len() > 40 || graph.nodes.iter().any(long)
}

/// A check of how long an array is.
fn length(graph: &Graph, actual: &Expr) -> Option<Check> {
    let Value::Node(root) = graph.root else { return None };
    let Node::List { elements, .. } = graph.nodes.get(root)? else { return None };
    let expected = Expr::Literal(Value::Int(i32::try_from(elements.len()).ok()?));
    Some(Check::Equals { expected, actual: Expr::Length(Box::new(actual.clone())) })
}

/// Whether an expression is a literal.
fn is_plain(value: &Expr) -> bool {
    matches!(value, Expr::Literal(_) | Expr::Text(_))
}

/// A list that may hold null.
fn listed(elements: Vec<Expr>) -> Expr {
    let (class, method) = if elements.len() == 1 {
        ("java.util.Collections", "singletonList")
    } else {
        ("java.util.Arrays", "asList")
    };
    Expr::StaticCall { class: class.into(), method: method.into(), arguments: elements }
}

fn expected_words(expected: &Expr) -> Option<String> {
    match expected {
        Expr::Literal(Value::Int(value)) => value_words(&value.to_string()),
        Expr::Literal(Value::Long(value)) => value_words(&value.to_string()),
        Expr::Text(units) if units.is_empty() => Some("EmptyString".into()),
        Expr::Text(units) => {
            let text = String::from_utf16_lossy(units);
            let plain = text.len() <= 16 && text.chars().all(|c| c.is_ascii_alphanumeric());
            plain.then(|| upper_first(&text))
        }
        Expr::Static { field, .. } => value_words(field),
        Expr::StaticCall { class, method, arguments } if arguments.is_empty() => {
            match (class.as_str(), method.as_str()) {
                ("java.util.List", "of") => Some("EmptyList".into()),
                ("java.util.Optional", "empty") => Some("Empty".into()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a class gets tests of its own: not annotations, and not what a test cannot name.
pub fn is_worth_testing(m: &Machine, class: program::ClassId) -> bool {
    let package = program::link::package(m.program.class_name(class));
    m.program.class(class).flags & (access::SYNTHETIC | access::ANNOTATION) == 0
        && source_name(m, class, package).is_some()
}
