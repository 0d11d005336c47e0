//! Unknown references to `Class` objects. There is one for each class, and they are there before anybody asks: an unknown one
//! is one of those that the program names, or of a few others that differ from each other.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::{ClassId, Kind};

use crate::machine::Machine;
use crate::supposed::Supposition;
use crate::value::Ref;

/// The most classes that an unknown `Class` can stand for.
const MOST: usize = 32;

/// Classes, interfaces and arrays that come into question besides.
const OTHERS: &[&str] = &[
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Number",
    "java/lang/Runnable",
    "java/lang/Enum",
    "java/lang/Override",
    "java/lang/Thread$State",
    "[I",
    "[Ljava/lang/Object;",
    "[Ljava/lang/String;",
    "[[I",
];

impl Machine {
    /// What an unknown `Class` can be.
    pub(super) fn class_literals(&mut self) -> Vec<Ref> {
        self.suppose(Supposition::SomeClasses);
        let classes = match &self.symbolic.world.literals {
            Some(known) => known.clone(),
            None => {
                let found: Rc<[ClassId]> = self.find_literals().into();
                self.symbolic.world.literals = Some(found.clone());
                found
            }
        };
        classes.iter().map(|class| self.mirror(*class)).collect()
    }

    fn find_literals(&mut self) -> Vec<ClassId> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for class in self.program.classes.iter().filter(|class| !class.is_library()) {
            let Some(file) = &class.file else { continue };
            let named = (1..file.pool_len() as u16).filter_map(|index| file.class_name(index).ok());
            names.extend(named.map(|name| name.to_string()));
        }
        let primitives = [Kind::Int, Kind::Void].map(|kind| self.program.primitive(kind));
        let mut found: Vec<ClassId> = OTHERS.iter().filter_map(|name| self.load(name).ok()).collect();
        found.extend(primitives);
        for name in names {
            if found.len() >= MOST {
                break;
            }
            // What is missing cannot be what a reference refers to.
            if let Ok(class) = self.program.load(&name)
                && !found.contains(&class)
            {
                found.push(class);
            }
        }
        self.sync_classes();
        found
    }
}
