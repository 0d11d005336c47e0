//! Making an object in one of its ways: calls with their arguments, builders, functions and classes inside the test.

use machine::Machine;
use program::{ClassId, MethodId, access};
use ways::types::{self, Type};
use ways::{Way, implement};

use super::{Answer, Gives, Make, Maker, Member, Step};

/// Methods by which an object may be filled that are tried.
const FILLERS: usize = 4;
/// Exceptions that one method is made to throw.
const THROWN: usize = 5;

impl Maker<'_> {
    /// Makes an object in one of the ways; none if the way is not there after all.
    pub(super) fn by(&mut self, way: &Way, kind: &Type, name: &str, depth: u32) -> Option<Make> {
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
            Way::Reflected(class, member, asked) => {
                let name = asked.map(Make::Text);
                let element = Type::named("java/lang/Class");
                let variable = member.descriptor.contains("[Ljava/lang/Class;");
                let parameters = variable.then_some(Make::Array { element, elements: Vec::new() });
                Some(Make::Result {
                    object: Box::new(Make::ClassOf(Type::named(class))),
                    method: member.clone(),
                    kind: kind.clone(),
                    arguments: name.into_iter().chain(parameters).collect(),
                })
            }
            Way::Builder { start, finish } => self.builder(start, finish, kind, depth),
            Way::Lambda => {
                let open = implement::open_methods(self.m, kind)?.into_iter().next()?;
                let answer = Box::new(self.answer(open, &format!("{name}Result"), depth));
                Some(Make::Function { kind: kind.clone(), answer })
            }
            Way::Implement => self.implementation(kind, depth),
        }
    }

    /// A constructor or static method with its arguments.
    pub(super) fn call(&mut self, member: &Member, wanted: &Type, depth: u32) -> Option<Make> {
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
        let settings =
            if self.pick(2) == 0 { ways::settings(self.m, class, &self.package) } else { Vec::new() };
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

    fn answer(&mut self, open: implement::Open, name: &str, depth: u32) -> Answer {
        Answer {
            gives: self.gives(&open, name, depth),
            method: open.method,
            bridged: open.bridged,
            parameters: open.parameters,
            result: open.result,
            is_public: open.is_public,
        }
    }

    /// What a method gives: a value, or one after the other, or an exception. Nobody cares about one that the class under
    /// test does not call.
    fn gives(&mut self, open: &implement::Open, name: &str, depth: u32) -> Gives {
        let matters = depth <= 1 && self.is_called(&open.method);
        let is_void = open.result == Type::Primitive('V');
        let is_object = !is_void && !matches!(open.result, Type::Primitive(_));
        let thrown = if matters { self.thrown_by(&open.method) } else { Vec::new() };
        // The plainest, then in turn, then what is thrown.
        let returned = 1 + usize::from(matters && is_object);
        let ways = returned + thrown.len();
        let pick = if ways > 1 { self.pick(ways) } else { 0 };
        if let Some(thrown) = pick.checked_sub(returned).and_then(|place| thrown.get(place)) {
            let kind = Type::named(thrown);
            let made = self.make(&kind, "exception", depth + 1);
            if !matches!(made, Make::Null(_)) {
                return Gives::Throws(made);
            }
        }
        if is_void {
            return Gives::Nothing;
        }
        let kind = open.result.narrowed();
        let first = self.leaves.len();
        let value = self.make(&kind, name, depth + 1);
        if matters && matches!(value, Make::Leaf { .. }) && matches!(kind, Type::Primitive(_)) {
            let later = self.make(&kind, &format!("{name}Later"), depth + 1);
            self.turns.push((first, first + 1));
            return Gives::InTurn(value, later);
        }
        match pick {
            1 if is_object => Gives::InTurn(value, Make::Null(kind)),
            _ => Gives::Value(value),
        }
    }

    /// Whether the class under test calls a method of this name and these parameters.
    fn is_called(&mut self, method: &Member) -> bool {
        let Type::Class(own, _) = &self.own else { return false };
        let Ok(class) = self.m.load(own) else { return false };
        self.catalogue.calls(self.m, class).contains(&(method.name.clone(), method.descriptor.clone()))
    }

    /// The exceptions that a method is made to throw: the first that it declares, or one that nobody has to; then those that the
    /// class under test names, to catch them or to ask for them.
    fn thrown_by(&mut self, method: &Member) -> Vec<String> {
        let Some(id) = method.find(self.m) else { return Vec::new() };
        let declared = self.m.program.declared_exceptions(id);
        let first = declared.first().cloned().unwrap_or_else(|| "java/lang/IllegalStateException".into());
        let mut found = vec![first];
        let Type::Class(own, _) = &self.own else { return found };
        let Ok(own) = self.m.load(own) else { return found };
        let unchecked = ["java/lang/RuntimeException", "java/lang/Error"].map(String::from);
        let allowed: Vec<ClassId> =
            declared.iter().chain(&unchecked).filter_map(|name| self.m.load(name).ok()).collect();
        for named in self.catalogue.named(self.m, own).iter() {
            let Some(name) = named.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
                continue;
            };
            let Ok(class) = self.m.load(name) else { continue };
            let may_be_thrown = allowed.iter().any(|above| self.m.program.is_subtype(class, *above));
            if may_be_thrown && found.len() < THROWN && !found.iter().any(|known| known == name) {
                found.push(name.to_string());
            }
        }
        found
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

    /// The object, filled by one or two calls of a method that adds something, where there is one, or with its fields set. The
    /// receiver of the call under test is not filled here: its calls are chosen by what they lead to.
    pub(super) fn filled(&mut self, object: Make, depth: u32) -> Make {
        if (depth > 1 || self.is_receiver && depth == 0) && self.setting.is_none() {
            return object;
        }
        let (Make::New { kind: Type::Class(class, arguments), .. }
        | Make::Factory { kind: Type::Class(class, arguments), .. }
        | Make::Constant { kind: Type::Class(class, arguments), .. }) = &object
        else {
            return object;
        };
        let is_shared = matches!(object, Make::Constant { .. });
        let Ok(class) = self.m.load(class) else { return object };
        let bindings = types::bindings_of(self.m, class, arguments);
        if let Some(setting) = self.setting.filter(|_| !is_shared) {
            return self.with_fields(object, (class, &bindings), setting, depth);
        }
        let turning = self.catalogue.clone().turning(self.m, class);
        let mut fillers = if self.is_receiver { Vec::new() } else { self.fillers(class) };
        let mut settings = self.settings(class, &bindings);
        // What everybody sees is not changed.
        if is_shared {
            fillers.retain(|id| turning.contains(id));
            settings.clear();
        }
        if fillers.is_empty() && settings.is_empty() {
            return object;
        }
        let pick = self.pick(1 + 2 * fillers.len() + settings.len());
        if pick == 0 {
            return object;
        }
        if let Some(setting) = pick.checked_sub(1 + 2 * fillers.len()) {
            return self.with_fields(object, (class, &bindings), settings[setting], depth);
        }
        let id = fillers[(pick - 1) / 2];
        let member = Member::of(self.m, id);
        let kinds = types::parameter_types_of(self.m, id, bindings);
        if turning.contains(&id) {
            let Some(kind) = object.kind() else { return object };
            return (0..=(pick - 1) % 2).fold(object, |object, _| {
                let (method, kind) = (member.clone(), kind.clone());
                let arguments = self.each(id, &kinds, depth + 2);
                Make::Result { object: Box::new(object), method, kind, arguments }
            });
        }
        let mut steps = Vec::new();
        for _ in 0..=(pick - 1) % 2 {
            steps.push(Step::Call { method: member.clone(), arguments: self.each(id, &kinds, depth + 2) });
        }
        Make::Built { object: Box::new(object), steps }
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
                || !self.m.program.can_call(id, &self.package)
            {
                continue;
            }
            let gives_nothing = descriptor.ends_with(")V") || descriptor.ends_with(&own);
            found.push((!gives_nothing, self.catalogue.clone().hold(self.m, id), id));
        }
        found.sort_by_key(|(gives, hold, _)| (*hold, *gives));
        found.into_iter().take(FILLERS).map(|(_, _, id)| id).collect()
    }
}
