//! Calls as source: arguments in a form that leaves no doubt which method is meant.

use program::access;
use testcase::Value;
use testcase::script::Expr;

use super::TestWriter;
use super::value::is_plain;
use crate::shape::{Make, Member};
use crate::types::{self, Type};

/// Elements that are written one after the other without an array around them, at most.
const SPREAD: usize = 6;

impl TestWriter<'_> {
    /// The arguments of a call in front of the one under test.
    pub(super) fn arguments(&mut self, member: &Member, makes: &[Make]) -> Option<Vec<Expr>> {
        let id = member.find(self.m)?;
        self.throws |= !self.m.program.declared_exceptions(id).is_empty();
        self.parts(member, makes)
    }

    pub(super) fn parts(&mut self, member: &Member, makes: &[Make]) -> Option<Vec<Expr>> {
        let id = member.find(self.m)?;
        let names = crate::naming::parameter_names(self.m, id);
        let declared = types::descriptor_types(&member.descriptor);
        let told = self.m.program.method_types(id).parameters;
        let is_variable = self.m.program.method(id).flags & access::VARARGS != 0;
        let mut arguments = Vec::new();
        for (index, (make, declared)) in makes.iter().zip(&declared).enumerate() {
            let name = names.get(index).map_or("value", String::as_str);
            let is_last = index + 1 == makes.len();
            if is_variable
                && is_last
                && let Make::Array { elements, .. } = make
                && !self.has_news_of(make)
                && self.can_spread(member, makes.len() - 1, elements)
            {
                for element in elements {
                    let value = self.make(element, name)?;
                    arguments.push(value);
                }
                continue;
            }
            let mut value = match make {
                Make::Argument { number, .. } => arguments.get(*number).cloned()?,
                make => self.make(make, name)?,
            };
            let is_shared = |other: &Make| matches!(other, Make::Argument { number, .. } if *number == index);
            if makes.iter().any(is_shared) && !matches!(value, Expr::Local(_) | Expr::Static { .. }) {
                value = self.named(name, &make.kind()?, value)?;
            }
            if let Expr::Array { elements, .. } = &value
                && is_variable
                && is_last
                && self.can_spread_values(member, makes.len() - 1, elements)
            {
                arguments.extend(elements.clone());
                continue;
            }
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

    /// Whether there is something to say of a thing after it was handed over.
    fn has_news_of(&self, made: &Make) -> bool {
        let handed = self.found.shape.handed();
        let place = handed.iter().position(|handed| std::ptr::eq(*handed, made));
        place.and_then(|place| self.found.observed.handed.get(place)).is_some_and(|told| !told.is_empty())
    }

    /// The type under which an argument is passed, if it has to be told or the argument is large.
    pub(super) fn shown_type(&mut self, make: &Make, declared: &Type, rivals: bool) -> Option<Type> {
        let is_large = match make {
            Make::Array { elements, .. } | Make::Collection { elements, .. } => {
                elements.len() > 1 || !elements.iter().all(Make::is_plain)
            }
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
    pub(super) fn can_spread(&mut self, member: &Member, before: usize, elements: &[Make]) -> bool {
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

    /// The same for values that are known.
    fn can_spread_values(&mut self, member: &Member, before: usize, elements: &[Expr]) -> bool {
        let is_clear = match elements {
            [one] => !matches!(one, Expr::Literal(Value::Null) | Expr::Array { .. }),
            several => several.len() <= SPREAD,
        };
        is_clear
            && elements.iter().all(is_plain)
            && self.can_spread(member, before, &vec![Make::Text(""); elements.len()])
    }

    /// The parameter types of other methods of the name.
    pub(super) fn others(&mut self, member: &Member) -> Vec<Vec<Type>> {
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
    pub(super) fn rivals(&mut self, member: &Member, index: usize, declared: &Type) -> bool {
        let count = types::descriptor_types(&member.descriptor).len() - 1;
        let others = self.others(member);
        others.iter().any(|types| {
            let last = matches!(types.last(), Some(Type::Array(_)));
            (types.len() == count || last) && types.get(index).is_some_and(|kind| kind != declared)
        })
    }

    pub(super) fn call(
        &mut self,
        member: &Member,
        receiver: Option<Expr>,
        mut arguments: Vec<Expr>,
    ) -> Option<Expr> {
        let class = self.class(&member.class)?;
        Some(if member.name == "<init>" {
            let id = self.m.load(&member.class).ok()?;
            if self.m.program.outer_class(id).is_some() {
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
    pub(super) fn inside(&mut self, class: &str, mut arguments: Vec<Expr>) -> Option<Expr> {
        if arguments.is_empty() {
            return None;
        }
        let outer = arguments.remove(0);
        let simple = self.class(class)?.rsplit('.').next()?.to_string();
        Some(Expr::NewInside { outer: Box::new(outer), class: simple, arguments })
    }
}
