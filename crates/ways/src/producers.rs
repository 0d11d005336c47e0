//! Members of the class path that give an object or an array, by what they give.

use std::collections::BTreeMap;

use machine::Machine;
use program::generic::{MethodTypes, Parameter};
use program::{ClassId, MethodId, access};

use crate::graph::Nulls;
use crate::member::Member;
use crate::objects::Way;
use crate::types::{self, Bindings, Type};

/// A constructor, a method or a static field that gives something.
#[derive(Clone, Debug)]
pub struct Producer {
    pub member: Member,
    class: ClassId,
    gives: Gives,
    /// What it gives, as the class declares it.
    result: Type,
    /// The type parameters of its class, and what is told of a method. To read them takes longer than to use them.
    around: Vec<Parameter>,
    types: Option<MethodTypes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    New,
    Static,
    Instance,
    Constant,
    Variable,
}

/// What the class path offers to source in one package, by the class of what is given.
pub struct Producers {
    objects: Vec<(ClassId, Vec<Producer>)>,
    /// By descriptor.
    arrays: BTreeMap<String, Vec<Producer>>,
}

impl Producers {
    pub fn new(m: &mut Machine, package: &str) -> Producers {
        let mut objects: BTreeMap<String, Vec<Producer>> = BTreeMap::new();
        let mut arrays: BTreeMap<String, Vec<Producer>> = BTreeMap::new();
        for class in m.world_classes() {
            for producer in of_class(m, class, package) {
                let gives = producer.result_descriptor();
                match gives.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
                    // Texts and numbers are written as they are.
                    Some("java/lang/String") => {}
                    Some(name) if crate::literals::boxed(name).is_some() => {}
                    Some(name) => objects.entry(name.to_string()).or_default().push(producer),
                    None if gives.starts_with('[') => arrays.entry(gives).or_default().push(producer),
                    None => {}
                }
            }
        }
        let objects = objects.into_iter().filter_map(|(name, all)| Some((m.load(&name).ok()?, all)));
        Producers { objects: objects.collect(), arrays }
    }

    /// What gives an object of a class or one that extends it.
    pub fn of<'a>(&'a self, m: &Machine, class: ClassId) -> Vec<&'a Producer> {
        let fitting = self.objects.iter().filter(|(own, _)| m.program.is_subtype(*own, class));
        fitting.flat_map(|(_, producers)| producers).collect()
    }

    pub fn of_array(&self, kind: &Type) -> &[Producer] {
        self.arrays.get(&kind.descriptor()).map_or(&[], Vec::as_slice)
    }
}

/// What source in a package can use of a class.
pub fn of_class(m: &mut Machine, class: ClassId, package: &str) -> Vec<Producer> {
    if m.program.source_name(class, package).is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for id in m.program.class(class).methods.clone() {
        found.extend(method(m, class, id, package));
    }
    for field in &m.program.class(class).fields {
        if !field.is_static()
            || field.flags & access::SYNTHETIC != 0
            || !m.program.can_name(class, field, package)
        {
            continue;
        }
        let Some(result) = m.program.field_type(field) else { continue };
        let is_final = field.flags & access::FINAL != 0;
        let gives = if is_final { Gives::Constant } else { Gives::Variable };
        let member = Member::of_field(m, class, field);
        found.push(Producer { member, class, gives, result, around: Vec::new(), types: None });
    }
    found
}

fn method(m: &mut Machine, class: ClassId, id: MethodId, package: &str) -> Option<Producer> {
    let method = m.program.method(id);
    let name = m.program.text(method.name);
    let (is_constructor, is_static) = (name == "<init>", method.is_static());
    let own = m.program.class(class);
    let is_enum = own.flags & access::ENUM != 0;
    if method.flags & (access::SYNTHETIC | access::BRIDGE) != 0
        || name == "<clinit>"
        || !m.program.can_call(id, package)
        || is_constructor && (is_enum || own.is_abstract())
        || is_enum && is_static && matches!(name, "values" | "valueOf")
    {
        return None;
    }
    let types = m.program.method_types(id);
    let (gives, result) = match (is_constructor, is_static) {
        (true, _) => (Gives::New, Type::named(m.program.class_name(class))),
        (false, true) => (Gives::Static, types.result.clone()),
        (false, false) => (Gives::Instance, types.result.clone()),
    };
    if matches!(result, Type::Primitive(_))
        || gives == Gives::Instance && is_declared_above(m, class, id, package)
    {
        return None;
    }
    let around = m.program.class_parameters(class);
    Some(Producer { member: Member::of(m, id), class, gives, result, around, types: Some(types) })
}

/// Whether a class or interface of the class path that this one extends has the same method: a call of that one calls it.
fn is_declared_above(m: &Machine, class: ClassId, id: MethodId, package: &str) -> bool {
    let (name, descriptor) = (m.program.method(id).name, m.program.method(id).descriptor);
    let own = m.program.class(class);
    own.display.iter().chain(&own.all_interfaces).any(|above| {
        let declared = m.program.class(*above).method_index.get(&(name, descriptor));
        *above != class
            && !m.program.class(*above).is_library()
            && m.program.source_name(*above, package).is_some()
            && declared
                .is_some_and(|id| m.program.can_call(*id, package) && !m.program.method(*id).is_static())
    })
}

impl Producer {
    fn result_descriptor(&self) -> String {
        match self.gives {
            Gives::New => format!("L{};", self.member.class),
            Gives::Constant | Gives::Variable => self.member.descriptor.clone(),
            Gives::Static | Gives::Instance => {
                self.member.descriptor.split_once(')').map_or(String::new(), |(_, result)| result.to_string())
            }
        }
    }

    pub fn is_constructor(&self) -> bool {
        matches!(self.gives, Gives::New)
    }

    pub fn way(&self) -> Way {
        match self.gives {
            Gives::New | Gives::Static => Way::Call(self.member.clone()),
            Gives::Instance => Way::On(self.member.clone()),
            Gives::Constant | Gives::Variable => Way::Constant(self.member.clone()),
        }
    }

    /// Whether it is there without a call.
    pub fn is_value(&self) -> bool {
        matches!(self.gives, Gives::Constant | Gives::Variable)
    }

    /// What stands before everything it needs.
    pub fn cost(&self) -> u32 {
        match self.gives {
            Gives::Constant => 0,
            Gives::Variable => 1,
            Gives::New => 3,
            Gives::Static => 4,
            Gives::Instance => 5,
        }
    }

    /// What it needs to give a value of a type; none if it never does. What it is called on comes first.
    pub fn needs(&self, m: &mut Machine, wanted: &Type) -> Option<Vec<(Type, Nulls)>> {
        let mut bindings = self.bindings(m, wanted)?;
        let Some(generic) = &self.types else { return Some(Vec::new()) };
        let mut needs = Vec::new();
        if self.gives == Gives::Instance {
            bindings = types::bind(m, &self.around, bindings);
            let own = self.around.iter().map(|(name, _)| Type::Variable(name.clone()).with(&bindings));
            needs.push((Type::Class(self.member.class.clone(), own.collect()), Nulls::Excluded));
        }
        let bindings = types::bind_variables(m, generic, bindings);
        for kind in &generic.parameters {
            needs.push((kind.with(&bindings).narrowed(), Nulls::Allowed));
        }
        // An object inside another cannot be made without it.
        if self.is_constructor()
            && m.program.outer_class(self.class).is_some()
            && let Some(outer) = needs.first_mut()
        {
            outer.1 = Nulls::Excluded;
        }
        Some(needs)
    }

    /// How type variables are bound if it is to give a type.
    fn bindings(&self, m: &mut Machine, wanted: &Type) -> Option<Bindings> {
        let (Type::Class(name, arguments), false) = (wanted, self.is_constructor()) else {
            return match wanted {
                Type::Class(..) => types::bindings_for(m, self.class, wanted),
                _ => (self.result.erased() == wanted.erased()).then(Vec::new),
            };
        };
        let mut bindings = Bindings::new();
        if !types::fits(m, &self.result, name, arguments, &mut bindings) {
            return None;
        }
        let is_within = self.types.as_ref().is_none_or(|types| types::is_within(m, types, &bindings));
        is_within.then_some(bindings)
    }
}
