//! Which classes an unknown object can have: a closed world of the class path and what the
//! library says stands in for its own types.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::synthetic::SyntheticClass;
use program::{ClassId, MethodId, access};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Classes, FUNCTION, UNSEEN};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::Ref;

/// The most classes one unknown object can have.
const MOST_TYPES: usize = 32;

/// The classes of the program under test, as far as somebody asked.
#[derive(Default)]
pub struct TypeWorld {
    /// Internal names of the classes on the class path.
    pub names: Vec<String>,
    loaded: Option<Vec<ClassId>>,
    types: FxHashMap<ClassId, Rc<[ClassId]>>,
    open: FxHashMap<(ClassId, ClassId), ClassId>,
    pub(super) functions: FxHashMap<ClassId, ClassId>,
    unseen: FxHashMap<ClassId, ClassId>,
    /// The classes of objects that constructors are filling.
    made: FxHashMap<ClassId, ClassId>,
    /// The enums of a type, for types that were asked about: every reference that is followed asks.
    pub(super) enums: FxHashMap<ClassId, Rc<[ClassId]>>,
    /// What an unknown `Class` can stand for, once somebody asked.
    pub(super) literals: Option<Rc<[ClassId]>>,
    /// Types that have more classes than come into question.
    cut: FxHashSet<ClassId>,
    /// Which classes come into question.
    pub(super) classes: Classes,
    pub(super) opened: FxHashSet<ClassId>,
    /// Whether all classes of a type are known, for those that were asked about.
    pub(crate) closed: FxHashMap<ClassId, bool>,
    /// Where the ways of a jump join, for jumps that were looked at.
    pub(super) plans: FxHashMap<(MethodId, u32), Option<Rc<super::merge::Plan>>>,
    /// The method that ends a path of inputs that do not count.
    pub(super) reject: Option<MethodId>,
    /// What runs the constructor of a record, where that does more than keep its arguments.
    pub(super) constructors: FxHashMap<ClassId, Option<MethodId>>,
    /// Classes all of whose objects are known.
    pub(super) constants: FxHashMap<ClassId, Option<Rc<super::constants::Constants>>>,
    /// How objects of a class are made, with so many calls.
    pub(super) ways: FxHashMap<(ClassId, u32), Option<Rc<super::Ways>>>,
    /// What runs the invariants of a class.
    pub(super) invariants: FxHashMap<ClassId, Option<MethodId>>,
}

impl TypeWorld {
    pub(super) fn is_open(&self, class: ClassId) -> bool {
        self.opened.contains(&class)
    }
}

impl Machine {
    /// The classes an unknown object of a declared class can have; at least one.
    pub(super) fn possible_types(&mut self, declared: ClassId) -> Result<Rc<[ClassId]>, Raise> {
        if let Some(types) = self.symbolic.world.types.get(&declared) {
            return Ok(types.clone());
        }
        let class = self.program.class(declared);
        let concrete = !class.is_abstract() && !class.is_interface();
        let is_final = class.flags & access::FINAL != 0;
        let name = self.program.class_name(declared).to_string();
        let mut types = Vec::new();
        if concrete {
            types.push(declared);
        }
        if !is_final {
            for name in self.library.unknown_types(&name) {
                let class = self.load(name)?;
                if !types.contains(&class) {
                    types.push(class);
                }
            }
            if self.program.class(declared).is_library() {
                for class in self.mentioned_types() {
                    if !types.contains(&class) && self.program.is_subtype(class, declared) {
                        types.push(class);
                    }
                }
            }
            for class in self.world_classes() {
                if types.len() >= MOST_TYPES {
                    self.symbolic.world.cut.insert(declared);
                    break;
                }
                let candidate = self.program.class(class);
                let usable = !candidate.is_abstract() && !candidate.is_interface() && !types.contains(&class);
                // Constants of an enum exist already; a new object of the class cannot.
                if usable && !self.is_enum_class(class) && self.program.is_subtype(class, declared) {
                    types.push(class);
                }
            }
        }
        if self.symbolic.world.classes == Classes::Any {
            self.add_unseen(declared, &mut types)?;
        }
        if types.is_empty()
            && !self.is_closed(declared)
            && let Some(function) = self.function_class(declared)
        {
            types.push(function);
        }
        if types.is_empty() {
            self.suppose_seen(declared);
            let what =
                format!("an unknown {}: no class on the class path implements it", name.replace('/', "."));
            return Err(Raise::Stop(Stop::NotModelled(what)));
        }
        let types: Rc<[ClassId]> = types.into();
        self.symbolic.world.types.insert(declared, types.clone());
        Ok(types)
    }

    /// The classes of the library that the program names, as far as it is loaded, and whose objects stand for one value.
    /// Containers would bring their bounds with them.
    fn mentioned_types(&mut self) -> Vec<ClassId> {
        let mut names = BTreeSet::new();
        for class in self.program.classes.iter().filter(|class| !class.is_library()) {
            let Some(file) = &class.file else { continue };
            let named = (1..file.pool_len() as u16).filter_map(|index| file.class_name(index).ok());
            names.extend(named.filter(|name| self.library.is_one_value(name)).map(|name| name.to_string()));
        }
        names.iter().filter_map(|name| self.load(name).ok()).collect()
    }

    /// Whether a type has more classes than come into question.
    pub(crate) fn is_cut(&self, declared: ClassId) -> bool {
        self.symbolic.world.cut.contains(&declared)
    }

    /// Adds the classes that nobody has seen. Types of the library are taken to be what they say, but for those that a
    /// lambda can implement.
    fn add_unseen(&mut self, declared: ClassId, types: &mut Vec<ClassId>) -> Result<(), Raise> {
        let is_library = self.program.class(declared).is_library();
        if is_library && (!types.is_empty() || self.function_class(declared).is_none()) {
            return Ok(());
        }
        let parents = self.program.extensible(declared);
        self.sync_classes();
        for parent in parents {
            types.push(self.unseen_class(parent)?);
        }
        Ok(())
    }

    /// The class that stands for those that extend another and that nobody has seen.
    pub fn unseen_class(&mut self, parent: ClassId) -> Result<ClassId, Raise> {
        let library = self.library;
        match self.symbolic.world.unseen.get(&parent) {
            Some(class) => Ok(*class),
            None => {
                let class = library.unseen_class(self, parent)?;
                self.symbolic.world.unseen.insert(parent, class);
                self.symbolic.world.opened.insert(class);
                Ok(class)
            }
        }
    }

    /// What a class that stands for those that nobody has seen extends or implements; none for any other.
    pub(crate) fn unseen_parent(&self, class: ClassId) -> Option<ClassId> {
        let own = self.program.class(class);
        let name = self.program.class_name(class);
        let is_unseen = own.file.is_none() && (name.ends_with(UNSEEN) || name.ends_with(FUNCTION));
        is_unseen.then(|| own.interfaces.first().copied().or(own.super_class)).flatten()
    }

    /// Whether somebody could have written a class that is of both types, of which the first is open. All classes of a closed
    /// type are known.
    pub(super) fn could_also_be(&mut self, declared: ClassId, class: ClassId) -> bool {
        // Constants of enums are no candidates for types of the library: to make them, each enum would have to be initialized.
        if self.program.class(declared).is_library() && !self.enums_behind(class).is_empty() {
            return true;
        }
        let other = self.program.class(class);
        if other.is_array() || other.flags & access::FINAL != 0 || self.is_closed(class) {
            return false;
        }
        let is_interface = |m: &Machine, class: ClassId| m.program.class(class).is_interface();
        is_interface(self, class) || is_interface(self, declared) || self.program.is_subtype(class, declared)
    }

    /// The class of an object that a constructor fills: the constructor's own, or one that extends it and that nobody has seen.
    /// Where that makes a difference, it is taken to be its own.
    pub fn class_in_making(&mut self, class: ClassId) -> ClassId {
        if self.program.class(class).flags & access::FINAL != 0 || self.is_closed(class) {
            return class;
        }
        if let Some(made) = self.symbolic.world.made.get(&class) {
            return *made;
        }
        let made = self.program.add_synthetic(SyntheticClass {
            name: format!("{}{UNSEEN}", self.program.class_name(class)),
            super_class: class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            host: class,
        });
        self.sync_classes();
        self.symbolic.world.made.insert(class, made);
        self.symbolic.world.opened.insert(made);
        made
    }

    /// The class that the program sees: an object in the making is of the constructor's own.
    pub fn seen_class(&self, object: Ref) -> ClassId {
        let class = self.class_of(object);
        let parent = self.program.class(class).super_class.filter(|_| self.is_in_making(class));
        parent.unwrap_or(class)
    }

    /// Whether a class is that of objects which a constructor is filling.
    pub(crate) fn is_in_making(&self, class: ClassId) -> bool {
        let parent = self.program.class(class).super_class;
        parent.is_some_and(|parent| self.symbolic.world.made.get(&parent) == Some(&class))
    }

    /// From now on other classes come into question. Nothing may be running.
    pub(super) fn set_classes(&mut self, classes: Classes) {
        if self.symbolic.world.classes != classes {
            self.symbolic.world.classes = classes;
            self.symbolic.world.types.clear();
        }
    }

    /// The classes that objects of a declared class can have; none if nothing is known.
    pub fn implementations(&mut self, declared: ClassId) -> Vec<ClassId> {
        self.possible_types(declared).map(|types| types.to_vec()).unwrap_or_default()
    }

    /// The only abstract method of an interface.
    pub fn single_abstract_method(&self, interface: ClassId) -> Option<MethodId> {
        if !self.program.class(interface).is_interface() {
            return None;
        }
        let mut found = None;
        let all = self.program.class(interface).all_interfaces.iter().chain([&interface]);
        for class in all {
            for id in &self.program.class(*class).methods {
                let method = self.program.method(*id);
                let name = (self.program.text(method.name), self.program.text(method.descriptor));
                let of_object = matches!(
                    name,
                    ("equals", "(Ljava/lang/Object;)Z")
                        | ("hashCode", "()I")
                        | ("toString", "()Ljava/lang/String;")
                );
                if !method.is_abstract() || of_object {
                    continue;
                }
                if found.is_some_and(|other| other != *id) {
                    return None;
                }
                found = Some(*id);
            }
        }
        found
    }

    /// A class that an object of a declared class can have.
    pub fn concrete_type(&mut self, declared: ClassId) -> Option<ClassId> {
        self.possible_types(declared).ok().and_then(|types| types.first().copied())
    }

    /// All classes of the class path that can be loaded.
    pub fn world_classes(&mut self) -> Vec<ClassId> {
        if self.symbolic.world.loaded.is_none() {
            let names = std::mem::take(&mut self.symbolic.world.names);
            let found = names.iter().filter_map(|name| self.program.load(name).ok()).collect();
            self.sync_classes();
            self.symbolic.world.loaded = Some(found);
        }
        self.symbolic.world.loaded.clone().unwrap_or_default()
    }

    /// The class that objects show whose class is still open: known to be of a declared type, and to extend a class.
    pub(super) fn open_class(&mut self, declared: ClassId, level: ClassId) -> Result<ClassId, Raise> {
        if let Some(class) = self.symbolic.world.open.get(&(declared, level)) {
            return Ok(*class);
        }
        let is_interface = self.program.class(declared).is_interface();
        let class = self.program.add_synthetic(SyntheticClass {
            name: format!("{}/unknown", self.program.class_name(level)),
            super_class: level,
            interfaces: if is_interface { vec![declared] } else { Vec::new() },
            fields: Vec::new(),
            methods: Vec::new(),
            host: declared,
        });
        self.sync_classes();
        self.symbolic.world.open.insert((declared, level), class);
        self.symbolic.world.opened.insert(class);
        Ok(class)
    }
}
