//! Classes of the program whose objects are all known: nobody but their initializers makes any, as with singletons and
//! with enums from before there were enums.

use std::rc::Rc;

use program::{ClassId, MethodId, Symbol, access};

use crate::machine::{InitState, Machine};
use crate::native::Raise;
use crate::value::Ref;

/// A class all of whose objects are in static fields.
#[derive(Debug)]
pub(super) struct Constants {
    fields: Vec<(ClassId, Symbol)>,
    /// How many objects there are.
    count: usize,
}

impl Machine {
    /// All objects of a class, if they are known. They are made when they are first asked for.
    pub(super) fn all_objects(&mut self, class: ClassId) -> Result<Option<Vec<Ref>>, Raise> {
        let Some(constants) = self.constants_class(class) else { return Ok(None) };
        for (owner, _) in &constants.fields {
            if self.class_state(*owner).init != InitState::Done {
                self.initialize(*owner)?;
            }
        }
        let objects = self.constants_made(&constants);
        Ok((objects.len() == constants.count).then_some(objects))
    }

    /// Whether all objects of a class are known.
    pub(super) fn is_all_known(&mut self, class: ClassId) -> bool {
        self.constants_class(class).is_some()
    }

    /// The static field that an object is in, if it is one of all the objects of its class.
    pub fn constant_place(&mut self, object: Ref) -> Option<(ClassId, Symbol)> {
        let constants = self.constants_class(self.class_of(object))?;
        constants.fields.iter().copied().find(|(owner, field)| self.constant_in(*owner, *field) == object)
    }

    /// One of all the objects of a class, if they are known and were made.
    pub fn some_constant(&mut self, class: ClassId) -> Option<Ref> {
        let constants = self.constants_class(class)?;
        self.constants_made(&constants).first().copied()
    }

    fn constants_made(&self, constants: &Constants) -> Vec<Ref> {
        let mut objects: Vec<Ref> = Vec::new();
        for (owner, field) in &constants.fields {
            let object = self.constant_in(*owner, *field);
            if !object.is_null() && !objects.contains(&object) {
                objects.push(object);
            }
        }
        objects
    }

    fn constant_in(&self, owner: ClassId, field: Symbol) -> Ref {
        let at = self.static_field(owner, self.program.text(field));
        at.map_or(Ref::NULL, |at| Ref::from_word(self.heap.word(at)))
    }

    fn constants_class(&mut self, class: ClassId) -> Option<Rc<Constants>> {
        if let Some(known) = self.symbolic.world.constants.get(&class) {
            return known.clone();
        }
        let found = self.find_constants(class).map(Rc::new);
        self.sync_classes();
        self.symbolic.world.constants.insert(class, found.clone());
        found
    }

    fn find_constants(&mut self, class: ClassId) -> Option<Constants> {
        let declared = self.program.class(class);
        let is_plain = !declared.is_library() && !declared.is_array() && !declared.is_interface();
        if !is_plain || declared.is_abstract() || self.is_enum_class(class) {
            return None;
        }
        let constructors = self.constructors_of(class);
        let is_private = |id: &MethodId| self.program.method(*id).is_private();
        if constructors.is_empty() || !constructors.iter().all(is_private) {
            return None;
        }
        for copying in ["java/io/Serializable", "java/lang/Cloneable"] {
            if self.load(copying).is_ok_and(|copying| self.program.is_subtype(class, copying)) {
                return None;
            }
        }
        if !self.is_closed(class) || !self.never_changes(class) {
            return None;
        }
        let mut count = 0;
        for constructor in constructors {
            for caller in self.program.callers_of_constructor(constructor)? {
                let method = self.program.method(caller);
                let is_own = method.class == class && self.program.text(method.name) == "<init>";
                if is_own {
                    continue;
                }
                let is_initializer = self.program.text(method.name) == "<clinit>";
                if !is_initializer || !self.program.is_without_loops(caller) {
                    return None;
                }
                count += 1;
            }
        }
        let type_of = format!("L{};", self.program.class_name(class));
        let mut fields = Vec::new();
        for member in self.program.nest_of(class) {
            let own = self.program.class(member).fields.iter();
            let kept = own.filter(|field| {
                field.is_static()
                    && field.flags & access::FINAL != 0
                    && self.program.text(field.descriptor) == type_of
            });
            fields.extend(kept.map(|field| (member, field.name)));
        }
        (count > 0).then_some(Constants { fields, count })
    }
}
