//! Unknown functions: objects of interfaces with one method that nobody implements. What they return is unknown, and the
//! same for the same arguments.

use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Kind, MethodId, access};
use term::{Op, Term};

use super::{Origin, REF, Symbolic, sort_of};
use crate::machine::Machine;
use crate::native::{Args, Raise, Return, Value};
use crate::outcome::Stop;
use crate::supposed::Supposition;
use crate::value::Ref;

/// What the names of classes of unknown functions end with.
pub const FUNCTION: &str = "/function";

/// What the names of classes end with that nobody has seen. They are in the package of the class they extend.
pub const UNSEEN: &str = "+unseen";

/// A call of an unknown function, or of an object of a class that nobody has seen.
#[derive(Clone, Debug)]
pub struct Call {
    entity: u32,
    method: MethodId,
    arguments: Vec<Term>,
    result: Term,
}

impl Symbolic {
    /// What the calls of an entity gave, one after the other, and by which method.
    pub fn results_of(&self, entity: u32) -> Vec<(MethodId, Term)> {
        let own = self.calls.iter().filter(|call| call.entity == entity);
        own.map(|call| (call.method, call.result)).collect()
    }
}

impl Machine {
    /// The class of unknown functions of an interface; none if it is not an interface with one method to implement.
    pub fn function_class(&mut self, interface: ClassId) -> Option<ClassId> {
        if let Some(class) = self.symbolic.world.functions.get(&interface) {
            return Some(*class);
        }
        let (name, descriptor) = self.only_method(interface)?;
        let class = self.program.add_synthetic(SyntheticClass {
            name: format!("{}{FUNCTION}", self.program.class_name(interface)),
            super_class: self.known.object,
            interfaces: vec![interface],
            fields: Vec::new(),
            methods: vec![SyntheticMethod {
                name,
                descriptor,
                flags: access::PUBLIC | access::NATIVE,
                code: None,
            }],
            host: interface,
        });
        self.sync_classes();
        self.symbolic.world.functions.insert(interface, class);
        self.symbolic.world.opened.insert(class);
        Some(class)
    }

    /// The one abstract method of an interface that objects do not have anyway.
    fn only_method(&self, interface: ClassId) -> Option<(String, String)> {
        if !self.program.class(interface).is_interface() {
            return None;
        }
        let mut waiting = vec![interface];
        let (mut open, mut done): (Vec<(String, String)>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        while let Some(class) = waiting.pop() {
            waiting.extend(self.program.class(class).interfaces.iter().copied());
            for id in &self.program.class(class).methods {
                let method = self.program.method(*id);
                let named = (
                    self.program.text(method.name).to_string(),
                    self.program.text(method.descriptor).to_string(),
                );
                let own = matches!(named.0.as_str(), "equals" | "hashCode" | "toString");
                if method.is_static() || own {
                    continue;
                }
                if !method.is_abstract() {
                    done.push(named);
                } else if !open.contains(&named) {
                    open.push(named);
                }
            }
        }
        open.retain(|method| !done.contains(method));
        if open.len() == 1 { open.pop() } else { None }
    }

    /// Calls an unknown function, or gives what it is said to return when a run is repeated.
    pub fn call_unknown(&mut self, a: Args) -> Return {
        let word = a.word(self, 0);
        let receiver = self.word_term(word, REF)?;
        let object = self.decide_reference(receiver)?;
        let method = self.program.method(a.method);
        let (parameters, result) = (method.signature.parameters.clone(), method.signature.result);
        let descriptor = self.program.text(method.descriptor).to_string();
        if result == Kind::Void {
            return Ok(Value::Void);
        }
        if let Some(given) = self.symbolic.given_result(object) {
            return match given {
                Some(word) if result.width() == 2 => Ok(Value::Two(word)),
                Some(word) => Ok(Value::One(word)),
                None => {
                    Err(Raise::Stop(Stop::BadInput("a function is called more often than before".into())))
                }
            };
        }
        let Some(entity) = self.entity_of(object) else {
            return Err(Raise::Stop(Stop::NotModelled("a function that is not an input".into())));
        };
        let mut arguments = Vec::new();
        let mut slot = 1;
        for kind in parameters.iter().copied() {
            let (word, sort) = (a.word(self, slot), sort_of(kind));
            let term = if kind.width() == 2 {
                let tag = a.word(self, slot + 1);
                self.wide_term(word, tag, sort)?
            } else {
                self.word_term(word, sort)?
            };
            arguments.push(term);
            slot += usize::from(kind.width());
        }
        let call = self.symbolic.calls.iter().filter(|call| call.entity == entity).count() as u32;
        let origin = Origin::Result { entity, call };
        let type_name = descriptor.rsplit(')').next().unwrap_or("Ljava/lang/Object;").to_string();
        let returned = self.result_of(entity).filter(|_| type_name == "Ljava/lang/Object;");
        let term = match returned {
            Some(class) => self.new_pointer(class, false, origin),
            None => self.new_input(result, &type_name, false, origin)?,
        };
        for earlier in self.symbolic.calls.clone() {
            if earlier.entity == entity && earlier.arguments.len() == arguments.len() {
                let mut same = Term::TRUE;
                for (one, other) in earlier.arguments.iter().zip(&arguments) {
                    let equal = self.identical(*one, *other);
                    same = self.symbolic.terms.and(same, equal);
                }
                let equal = self.identical(earlier.result, term);
                let different = self.symbolic.terms.not(same);
                let holds = self.symbolic.terms.or(different, equal);
                self.symbolic.learn(holds);
            }
        }
        self.symbolic.calls.push(Call { entity, method: a.method, arguments, result: term });
        Ok(self.term_value(term))
    }

    /// What a method of an object gives whose class nobody has seen: something else each time.
    pub fn unseen_result(
        &mut self,
        object: Ref,
        method: MethodId,
        kind: Kind,
        descriptor: &str,
    ) -> Result<Term, Raise> {
        let Some(entity) = self.entity_of(object) else {
            return Err(Raise::Stop(Stop::NotModelled(
                "an object of an unseen class that is not an input".into(),
            )));
        };
        let call = self.symbolic.calls.iter().filter(|call| call.entity == entity).count() as u32;
        let term = self.new_input(kind, descriptor, false, Origin::Result { entity, call })?;
        self.symbolic.calls.push(Call { entity, method, arguments: Vec::new(), result: term });
        Ok(term)
    }

    /// What the last argument of the type of an entity is.
    pub fn result_of(&self, entity: u32) -> Option<ClassId> {
        let entity = &self.symbolic.entities[entity as usize];
        let result = self.symbolic.pointers.get(&entity.variable)?.result?;
        if result != self.known.object {
            self.suppose(Supposition::Typed(self.class_of(entity.object)));
        }
        Some(result)
    }

    /// That two values are the same, bit for bit.
    fn identical(&mut self, one: Term, other: Term) -> Term {
        let sort = self.symbolic.terms.sort(one);
        if !sort.is_float() {
            return self.symbolic.terms.eq(one, other);
        }
        let bits = if sort.width() == 64 { term::Sort::LONG } else { term::Sort::INT };
        let terms = &mut self.symbolic.terms;
        let (one, other) = (terms.unary(Op::FBits, bits, one), terms.unary(Op::FBits, bits, other));
        terms.eq(one, other)
    }
}
