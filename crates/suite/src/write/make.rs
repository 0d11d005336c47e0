//! What a shape makes, as source.

use program::spelling::{is_identifier, is_keyword};
use testcase::Value;
use testcase::script::{Body, Expr, Override, Statement, TypeName};

use super::TestWriter;
use super::value::{is_plain, listed};
use crate::naming::{lower_first, parameter_names};
use crate::observe::Same;
use crate::shape::{Answer, Gives, Make, Step};
use crate::types::{self, Bound, Type};

impl TestWriter<'_> {
    /// An expression that makes a value. `name` is what it would be called if it has to be named.
    pub(super) fn make(&mut self, make: &Make, name: &str) -> Option<Expr> {
        let value = self.make_alone(make, name)?;
        let found = self.found;
        let handed = found.shape.handed();
        let Some(place) = handed.iter().position(|handed| std::ptr::eq(*handed, make)) else {
            return Some(value);
        };
        let has_news = found.observed.handed.get(place).is_some_and(|told| !told.is_empty());
        if !has_news && found.observed.same != Some(Same::Handed(place))
            || value == Expr::Literal(Value::Null)
        {
            return Some(value);
        }
        // There is something to say of it afterwards.
        let object = match value {
            Expr::Local(_) => value,
            value => self.named(name, &make.kind()?, value)?,
        };
        self.handed[place] = Some(object.clone());
        Some(object)
    }

    fn make_alone(&mut self, make: &Make, name: &str) -> Option<Expr> {
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
            // Whoever writes the call knows what its arguments are.
            Make::Argument { .. } => return None,
            Make::Around { up, .. } => self.built.iter().rev().nth(*up)?.clone(),
            Make::Constant { field, .. } => {
                self.m.load(&field.class).ok()?;
                Expr::Static { class: self.class(&field.class)?, field: field.name.clone() }
            }
            Make::New { constructor, kind, arguments } => {
                let mut made = self.arguments(constructor, arguments)?;
                let id = self.m.load(&constructor.class).ok()?;
                if let Some(outer) = self.m.program.outer_class(id) {
                    let kind = arguments.first()?.kind()?;
                    if !matches!(made.first(), Some(Expr::Local(_))) {
                        let simple = outer.rsplit(['/', '$']).next().unwrap_or("outer");
                        made[0] = self.named(&lower_first(simple), &kind, made[0].clone())?;
                    }
                    return self.inside(&constructor.class, made);
                }
                let method = constructor.find(self.m)?;
                if !self.m.program.can_call(method, &self.package) {
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
            Make::Built { object, steps } => {
                let value = self.make(object, name)?;
                let kind = object.kind()?;
                let Type::Class(class, _) = &kind else { return None };
                let simple = class.rsplit(['/', '$']).next().unwrap_or("object").to_string();
                let built = self.named(&lower_first(&simple), &kind, value)?;
                self.built.push(built.clone());
                for step in steps {
                    self.step(step, Some(&built))?;
                }
                self.built.pop();
                built
            }
            Make::Forced { object, fields } => {
                let value = self.make(object, name)?;
                let forced = match value {
                    value @ Expr::Local(_) => value,
                    value => self.named(name, &object.kind()?, value)?,
                };
                for (member, made) in fields {
                    let is_open = member.is_open(self.m, &self.package.clone());
                    self.throws |= !is_open;
                    let mut value = self.make(made, &member.name)?;
                    if matches!(value, Expr::Lambda { .. }) {
                        value = self.named(&member.name, &made.kind()?, value)?;
                    }
                    let (object, name) = (forced.clone(), member.name.clone());
                    self.statements.push(match is_open {
                        true => {
                            Statement::Assign { to: Expr::Field { object: Box::new(object), name }, value }
                        }
                        false => Statement::Set { object, field: name, value },
                    });
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
            Make::Function { kind, answer } => {
                let result = match self.body(answer)? {
                    Body::Nothing => None,
                    Body::Gives(value) => Some(Box::new(value)),
                    // What counts its calls or throws is no expression.
                    body @ (Body::InTurn(..) | Body::Throws(..)) => {
                        let methods = vec![self.overriding(answer, body)?];
                        let class = self.type_name(kind)?;
                        let inherited = self.inherited(kind);
                        return self.named(
                            name,
                            kind,
                            Expr::Anonymous { class, arguments: Vec::new(), methods, inherited },
                        );
                    }
                };
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
                let inherited = self.inherited(kind);
                let value = Expr::Anonymous { class, arguments, methods: methods?, inherited };
                self.named(name, kind, value)?
            }
        })
    }

    /// What is done with an object before it is used.
    pub(super) fn step(&mut self, step: &Step, object: Option<&Expr>) -> Option<()> {
        let statement = match step {
            Step::Call { method, arguments } => {
                let arguments = self.arguments(method, arguments)?;
                Statement::Do(self.call(method, object.cloned(), arguments)?)
            }
            Step::Write { field, value } => {
                let value = self.make(value, &field.name)?;
                let object = Box::new(object?.clone());
                Statement::Assign { to: Expr::Field { object, name: field.name.clone() }, value }
            }
        };
        self.statements.push(statement);
        Some(())
    }

    /// An object as it stands in front of a call. Type arguments that are left to the compiler need a variable.
    pub(super) fn called_on(&mut self, object: &Make, value: Expr) -> Option<Expr> {
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
        let body = self.body(answer)?;
        self.overriding(answer, body)
    }

    /// The simple names of the classes that a class inherits which extends or implements a type.
    fn inherited(&mut self, kind: &Type) -> Vec<String> {
        let Type::Class(name, _) = kind else { return Vec::new() };
        let Ok(id) = self.m.load(name) else { return Vec::new() };
        let class = self.m.program.class(id);
        let owners = [&id].into_iter().chain(&class.display).chain(&class.all_interfaces);
        owners.flat_map(|owner| self.m.program.member_classes(*owner)).collect()
    }

    fn overriding(&mut self, answer: &Answer, body: Body) -> Option<Override> {
        let id = answer.method.find(self.m)?;
        let names = parameter_names(self.m, id);
        let mut parameters = Vec::new();
        for (index, kind) in answer.parameters.iter().enumerate() {
            let name = names.get(index).filter(|name| is_identifier(name) && !is_keyword(name));
            let name = name.cloned().unwrap_or_else(|| format!("value{index}"));
            parameters.push((self.type_name(kind)?, name));
        }
        Some(Override {
            name: answer.method.name.clone(),
            result: self.type_name(&answer.result)?,
            parameters,
            is_public: answer.is_public,
            body,
        })
    }

    /// What a method of a function or an implementation does.
    fn body(&mut self, answer: &Answer) -> Option<Body> {
        Some(match &answer.gives {
            Gives::Nothing => Body::Nothing,
            Gives::Value(made) => Body::Gives(self.given(answer, made)?),
            Gives::InTurn(first, later) => {
                let (first, later) = (self.given(answer, first)?, self.given(answer, later)?);
                if first == later { Body::Gives(first) } else { Body::InTurn(first, later) }
            }
            Gives::Throws(made) => {
                let value = self.make(made, "exception")?;
                let Some(Type::Class(class, _)) = made.kind() else { return None };
                let is_checked = self.is_checked(&class);
                Body::Throws(value, if is_checked { Some(self.class(&class)?) } else { None })
            }
        })
    }

    /// Whether the compiler asks for an exception to be declared.
    fn is_checked(&mut self, class: &str) -> bool {
        let free = ["java/lang/RuntimeException", "java/lang/Error"];
        let Ok(id) = self.m.load(class) else { return true };
        !free.iter().any(|free| self.m.load(free).is_ok_and(|free| self.m.program.is_subtype(id, free)))
    }

    /// What a method gives each time: always the same object.
    fn given(&mut self, answer: &Answer, made: &Make) -> Option<Expr> {
        let name = format!("{}Result", answer.method.name);
        let mut value = self.make(made, &name)?;
        let is_same =
            is_plain(&value) || matches!(value, Expr::Local(_) | Expr::Static { .. } | Expr::ClassOf(_));
        if !is_same && !matches!(value, Expr::Cast { .. } | Expr::Lambda { .. }) {
            let kind = made.kind()?;
            value = self.named(&name, &kind, value)?;
        }
        Some(value)
    }

    pub(super) fn collection(
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
            let pairs: Vec<&[Expr]> = elements.chunks_exact(2).collect();
            for (at, pair) in pairs.iter().enumerate() {
                // A key keeps its first place and its last value.
                let is_same = |other: &&&[Expr]| is_plain(&pair[0]) && other[0] == pair[0];
                if pairs[..at].iter().any(|before| is_same(&before)) {
                    continue;
                }
                let last = pairs.iter().rev().find(is_same).unwrap_or(pair);
                self.statements.push(Statement::Do(Expr::Call {
                    receiver: Box::new(map.clone()),
                    method: "put".into(),
                    arguments: last.to_vec(),
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
}
