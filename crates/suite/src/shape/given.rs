//! What is done with an object before it is used, and what its methods give.

use super::{Make, Maker, Member, Step};
use crate::types::{self, Bindings, Type};

impl Maker<'_> {
    /// A call of the object under test, or a field of it that is set.
    pub fn step(&mut self, member: &Member) -> Option<Step> {
        if member.is_field() {
            return self.set(member);
        }
        let method = member.find(self.m)?;
        Some(Step::Call { method: member.clone(), arguments: self.arguments_before(method) })
    }

    /// An object after calls that give another one in its place, and what is done with that one then.
    pub fn prepared(&mut self, mut object: Make, before: &[Member]) -> Option<(Make, Vec<Step>)> {
        let turns = |member: &&Member| self.relevance.turning.contains(member);
        let last = before.iter().rposition(|member| turns(&member));
        let (first, rest) = before.split_at(last.map_or(0, |last| last + 1));
        let mut steps = Vec::new();
        // The object of the call is not there yet.
        let act = self.act.take();
        for member in first {
            if self.relevance.turning.contains(member) {
                object = self.turned(built(object, std::mem::take(&mut steps)), member)?;
            } else {
                steps.push(self.step(member)?);
            }
        }
        self.act = act;
        let steps: Option<Vec<Step>> = rest.iter().map(|member| self.step(member)).collect();
        Some((object, steps?))
    }

    /// What a method of an object gives in its place.
    fn turned(&mut self, object: Make, member: &Member) -> Option<Make> {
        let method = member.find(self.m)?;
        let kind = types::result_type(self.m, method).narrowed();
        let arguments = self.arguments_before(method);
        Some(Make::Result { object: Box::new(object), method: member.clone(), kind, arguments })
    }

    /// The same for an object that is there.
    pub fn turned_receiver(&mut self, member: &Member) -> Option<Make> {
        let act = self.act.take();
        let kind = self.own.clone();
        let made = self.turned(Make::Cast { object: Box::new(Make::Receiver), kind }, member);
        self.act = act;
        made
    }

    fn set(&mut self, field: &Member) -> Option<Step> {
        let class = self.m.load(&field.class).ok()?;
        let bindings = types::class_bindings(self.m, class);
        let kind = types::field_type(self.m, class, &field.name)?.with(&bindings).narrowed();
        // Whatever links to its own kind may link to itself.
        let value = match kind.erased() == self.own.erased() && self.is_on_object() && self.pick(2) == 1 {
            true => Make::Receiver,
            false => self.part(&kind, &field.name, 0),
        };
        Some(Step::Write { field: field.clone(), value })
    }

    /// What a chain of calls gives that begins with the object under test, after something was done with it.
    pub fn given(&mut self, path: &[Member], before: &[Member]) -> Option<Make> {
        let (first, rest) = path.split_first()?;
        let mut made = if first.is_static {
            let method = first.find(self.m)?;
            let kind = types::result_type(self.m, method).narrowed();
            let arguments = self.arguments_before(method);
            Make::Factory { method: first.clone(), kind, arguments }
        } else {
            let object = self.receiver()?;
            // The object of the call is not there yet.
            let act = self.act.take();
            let (object, steps) = self.prepared(object, before)?;
            let made = self.result_of(built(object, steps), first);
            self.act = act;
            made?
        };
        for member in rest {
            made = self.result_of(made, member)?;
        }
        Some(made)
    }

    /// What a chain of calls gives that begins with an object which is there.
    pub fn given_by_receiver(&mut self, path: &[Member]) -> Option<Make> {
        let kind = self.own.clone();
        let mut made = Make::Cast { object: Box::new(Make::Receiver), kind };
        for member in path {
            made = self.result_of(made, member)?;
        }
        Some(made)
    }

    /// What a method of an object gives.
    fn result_of(&mut self, object: Make, member: &Member) -> Option<Make> {
        let bindings = self.bindings_on(&object.kind()?, member)?;
        let arguments = self.arguments_on(&bindings, member)?;
        let method = member.find(self.m)?;
        let kind = types::result_type_of(self.m, method, bindings).narrowed();
        Some(Make::Result { object: Box::new(object), method: member.clone(), kind, arguments })
    }

    /// A call of an object of a known type.
    pub fn step_on(&mut self, kind: &Type, member: &Member) -> Option<Step> {
        let bindings = self.bindings_on(kind, member)?;
        let arguments = self.arguments_on(&bindings, member)?;
        Some(Step::Call { method: member.clone(), arguments })
    }

    /// The arguments of the call under test on an object of a known type.
    pub fn arguments_of(&mut self, kind: &Type, member: &Member) -> Option<Vec<Make>> {
        let bindings = self.bindings_on(kind, member)?;
        let method = member.find(self.m)?;
        let kinds = types::parameter_types_of(self.m, method, bindings);
        Some(self.each(method, &kinds, 0))
    }

    fn arguments_on(&mut self, bindings: &Bindings, member: &Member) -> Option<Vec<Make>> {
        let method = member.find(self.m)?;
        let kinds = types::parameter_types_of(self.m, method, bindings.clone());
        self.within.push(member.name.clone());
        let made = self.each(method, &kinds, 0);
        self.within.pop();
        Some(made)
    }

    /// What the type variables around a method stand for in an object of a type.
    fn bindings_on(&mut self, kind: &Type, member: &Member) -> Option<Bindings> {
        let class = self.m.load(&member.class).ok()?;
        let arguments = types::view(self.m, kind, &member.class)?;
        Some(types::bindings_of(self.m, class, &arguments))
    }
}

fn built(object: Make, steps: Vec<Step>) -> Make {
    if steps.is_empty() { object } else { Make::Built { object: Box::new(object), steps } }
}
