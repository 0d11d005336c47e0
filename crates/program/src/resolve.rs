//! Finding fields and methods by name (JVMS 5.4.3), and the method a call selects (5.4.6).

use crate::class::{ClassId, Field, MethodId, Shape};
use crate::classfile::{Constant, access};
use crate::link::{LinkError, Program};
use crate::symbol::Symbol;

/// A field, method or call site named by a constant pool entry.
#[derive(Clone, Copy, Debug)]
pub struct MemberRef {
    pub class: Symbol,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub interface: bool,
}

impl Program {
    /// The names in a member reference of class `id`'s constant pool.
    pub fn member_ref(&mut self, id: ClassId, index: u16) -> Result<MemberRef, LinkError> {
        let bad = || LinkError::Incompatible(format!("constant {index} is not a member"));
        let file = self.class(id).file.clone().ok_or_else(bad)?;
        let (class, name_and_type, interface) = match file.constant(index).map_err(|_| bad())? {
            Constant::Field { class, name_and_type } | Constant::Method { class, name_and_type } => {
                (class, name_and_type, false)
            }
            Constant::InterfaceMethod { class, name_and_type } => (class, name_and_type, true),
            _ => return Err(bad()),
        };
        let class_name = file.class_name(class).map_err(|_| bad())?;
        let (name, descriptor) = file.name_and_type(name_and_type).map_err(|_| bad())?;
        Ok(MemberRef {
            class: self.symbols.intern(&class_name),
            name: self.symbols.intern(&name),
            descriptor: self.symbols.intern(&descriptor),
            interface,
        })
    }

    /// The class a class entry of `id`'s constant pool names.
    pub fn class_ref(&mut self, id: ClassId, index: u16) -> Result<ClassId, LinkError> {
        let bad = || LinkError::Incompatible(format!("constant {index} is not a class"));
        let file = self.class(id).file.clone().ok_or_else(bad)?;
        let name = file.class_name(index).map_err(|_| bad())?;
        let symbol = self.symbols.intern(&name);
        self.load_for(id, symbol)
    }

    /// The class that `symbol` names in the code of class `id`: a hidden class is known by its own name to itself only.
    pub fn load_for(&mut self, id: ClassId, symbol: Symbol) -> Result<ClassId, LinkError> {
        let class = self.class(id);
        if class.name == symbol {
            return Ok(id);
        }
        if class.hidden
            && let Some(file) = &class.file
            && file.class_name(file.this_class).is_ok_and(|name| *name == *self.text(symbol))
        {
            return Ok(id);
        }
        self.load_symbol(symbol)
    }

    /// Field resolution: the class itself, its superinterfaces, its superclass.
    pub fn find_field(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<&Field> {
        let here = self.class(class);
        if let Some(field) = here.fields.iter().find(|f| f.name == name && f.descriptor == descriptor) {
            return Some(field);
        }
        for &interface in &here.interfaces {
            if let Some(field) = self.find_field(interface, name, descriptor) {
                return Some(field);
            }
        }
        here.super_class.and_then(|parent| self.find_field(parent, name, descriptor))
    }

    /// A field by name alone, from the class upward: for natives that know the library's fields.
    pub fn field_named(&self, class: ClassId, name: &str) -> Option<&Field> {
        let symbol = self.symbols.find(name)?;
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(field) = self.class(id).fields.iter().find(|f| f.name == symbol) {
                return Some(field);
            }
            at = self.class(id).super_class;
        }
        None
    }

    /// The method declared by exactly this class.
    pub fn declared_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let key = (self.symbols.find(name)?, self.symbols.find(descriptor)?);
        self.class(class).method_index.get(&key).copied()
    }

    /// Method resolution: superclasses first, then superinterfaces.
    pub fn find_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let key = (name, descriptor);
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(&method) = self.class(id).method_index.get(&key) {
                return Some(method);
            }
            at = self.class(id).super_class;
        }
        if self.class(class).is_interface()
            && let Some(object) = self.find_loaded("java/lang/Object")
            && let Some(&method) = self.class(object).method_index.get(&key)
            && self.method(method).flags & access::PUBLIC != 0
        {
            return Some(method);
        }
        let (best, any) = self.maximally_specific(class, key);
        best.or(any)
    }

    /// See [`Program::find_method`]; names as text.
    pub fn find_method_named(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        self.find_method(class, self.symbols.find(name)?, self.symbols.find(descriptor)?)
    }

    /// The single non-abstract maximally specific method among superinterfaces, and any candidate at all.
    fn maximally_specific(
        &self,
        class: ClassId,
        key: (Symbol, Symbol),
    ) -> (Option<MethodId>, Option<MethodId>) {
        let candidates: Vec<MethodId> = self
            .class(class)
            .all_interfaces
            .iter()
            .filter_map(|interface| self.class(*interface).method_index.get(&key).copied())
            .filter(|m| !self.method(*m).is_static() && !self.method(*m).is_private())
            .collect();
        let specific: Vec<MethodId> = candidates
            .iter()
            .copied()
            .filter(|m| {
                let owner = self.method(*m).class;
                !candidates.iter().any(|other| {
                    let other = self.method(*other).class;
                    other != owner && self.class(other).all_interfaces.binary_search(&owner).is_ok()
                })
            })
            .collect();
        let mut concrete = specific.iter().copied().filter(|m| !self.method(*m).is_abstract());
        let best = concrete.next();
        let unique = if concrete.next().is_some() { None } else { best };
        (unique, specific.first().or(candidates.first()).copied())
    }

    /// The method that a call of `method` runs on a receiver of class `class`; `None` when it is abstract or missing.
    pub fn select(&mut self, class: ClassId, method: MethodId) -> Option<MethodId> {
        if let Some(slot) = self.method(method).vtable_index {
            let chosen = self.class(class).vtable.get(slot as usize).copied()?;
            return (!self.method(chosen).is_abstract()).then_some(chosen);
        }
        if self.method(method).is_private() {
            return Some(method);
        }
        if let Some(&known) = self.selected.get(&(class, method)) {
            return known;
        }
        let chosen = self.select_by_name(class, method);
        self.selected.insert((class, method), chosen);
        chosen
    }

    fn select_by_name(&self, class: ClassId, method: MethodId) -> Option<MethodId> {
        let wanted = self.method(method);
        let key = (wanted.name, wanted.descriptor);
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(&found) = self.class(id).method_index.get(&key) {
                let candidate = self.method(found);
                if !candidate.is_static() && !candidate.is_private() {
                    return (!candidate.is_abstract()).then_some(found);
                }
            }
            at = self.class(id).super_class;
        }
        self.maximally_specific(class, key).0
    }

    /// Whether a value of class `from` may stand where `to` is expected (JVMS 6.5, checkcast).
    pub fn is_subtype(&self, from: ClassId, to: ClassId) -> bool {
        if from == to {
            return true;
        }
        let (source, target) = (self.class(from), self.class(to));
        if let (Shape::Array { element: a, .. }, Shape::Array { element: b, .. }) =
            (source.shape, target.shape)
        {
            let primitive = |id: ClassId| matches!(self.class(id).shape, Shape::Primitive(_));
            return !primitive(a) && !primitive(b) && self.is_subtype(a, b);
        }
        if target.is_interface() {
            return source.all_interfaces.binary_search(&to).is_ok();
        }
        if source.is_interface() {
            return target.super_class.is_none() && target.shape == Shape::Declared;
        }
        source.display.get(target.display.len() - 1) == Some(&to)
    }
}
