//! What a class file says besides code and types: who contains whom, how source names a class, what a method throws.

use crate::class::{ClassId, Field, Method, MethodId, Shape};
use crate::classfile::{ClassFile, Reader, access};
use crate::link::{Program, package};
use crate::spelling::is_identifier;

/// A row of the `InnerClasses` attribute: indices of the constant pool, and flags.
struct Inner {
    class: u16,
    /// 0 for local and anonymous classes,
    outer: u16,
    /// and for the latter this too.
    name: u16,
    flags: u16,
}

fn inner_classes(file: &ClassFile) -> Option<Vec<Inner>> {
    let Some(contents) = file.attribute(&file.attributes, "InnerClasses") else { return Some(Vec::new()) };
    let mut r = Reader::new(contents);
    let row = |r: &mut Reader| {
        Some(Inner { class: r.u16().ok()?, outer: r.u16().ok()?, name: r.u16().ok()?, flags: r.u16().ok()? })
    };
    (0..r.u16().ok()?).map(|_| row(&mut r)).collect()
}

impl Program {
    /// How source in package `from` writes the class; none if it cannot. Whether a nested class is private stands in
    /// `InnerClasses` only.
    pub fn source_name(&self, class: ClassId, from: &str) -> Option<String> {
        let name = self.class_name(class);
        let is_near = package(name) == from;
        let seen = |flags: u16| flags & access::PUBLIC != 0 || is_near && flags & access::PRIVATE == 0;
        let file = self.class(class).file.as_ref()?;
        let rows = inner_classes(file)?;
        let mut current = name.to_string();
        let mut simple = Vec::new();
        while let Some(row) =
            rows.iter().find(|row| file.class_name(row.class).is_ok_and(|inner| inner == current.as_str()))
        {
            // A class file may say that a class contains itself.
            if row.outer == 0 || row.name == 0 || !seen(row.flags) || simple.len() > rows.len() {
                return None;
            }
            let name = file.utf8(row.name).ok()?.into_owned();
            if !is_identifier(&name) {
                return None;
            }
            simple.push(name);
            current = file.class_name(row.outer).ok()?.into_owned();
        }
        if simple.is_empty() && !seen(self.class(class).flags) {
            return None;
        }
        if !current.split('/').all(is_identifier) {
            return None;
        }
        simple.push(current.replace('/', "."));
        simple.reverse();
        Some(simple.join("."))
    }

    /// The simple names of the classes that are members of a class.
    pub fn member_classes(&self, class: ClassId) -> Vec<String> {
        let Some(file) = self.class(class).file.as_ref() else { return Vec::new() };
        let is_own = |row: &Inner| {
            row.outer != 0 && file.class_name(row.outer).is_ok_and(|outer| outer == self.class_name(class))
        };
        let rows = inner_classes(file).unwrap_or_default().into_iter().filter(is_own);
        rows.filter_map(|row| Some(file.utf8(row.name).ok()?.into_owned())).collect()
    }

    /// The class an object of an inner class belongs to; none for a class that needs none.
    pub fn outer_class(&self, class: ClassId) -> Option<String> {
        let file = self.class(class).file.as_ref()?;
        let own = |row: &Inner| file.class_name(row.class).is_ok_and(|name| name == self.class_name(class));
        let row = inner_classes(file)?.into_iter().find(own)?;
        let open = row.outer != 0 && row.flags & (access::STATIC | access::INTERFACE) == 0;
        open.then(|| file.class_name(row.outer).ok().map(|name| name.into_owned())).flatten()
    }

    /// Whether only the classes a type names may extend it.
    pub fn is_sealed(&self, class: ClassId) -> bool {
        let file = self.class(class).file.as_ref();
        file.is_some_and(|file| file.attribute(&file.attributes, "PermittedSubclasses").is_some())
    }

    /// The classes that a sealed type permits, as internal names.
    fn permitted(&self, class: ClassId) -> Option<Vec<String>> {
        let file = self.class(class).file.as_ref()?;
        let mut reader = Reader::new(file.attribute(&file.attributes, "PermittedSubclasses")?);
        let name = |reader: &mut Reader| Some(file.class_name(reader.u16().ok()?).ok()?.into_owned());
        (0..reader.u16().ok()?).map(|_| name(&mut reader)).collect()
    }

    /// Whether nobody can extend or implement a class but those who are there already: it is final, an enum, private, or
    /// sealed with only such classes, or has no constructor that others can call.
    pub fn is_closed(&mut self, class: ClassId) -> bool {
        if let Shape::Array { element, .. } = self.class(class).shape {
            return self.is_closed(element);
        }
        let declared = self.class(class);
        if declared.shape != Shape::Declared || declared.flags & (access::FINAL | access::ENUM) != 0 {
            return true;
        }
        if let Some(names) = self.permitted(class) {
            return names.iter().all(|name| self.load(name).is_ok_and(|permitted| self.is_closed(permitted)));
        }
        let declared = self.class(class);
        let mut methods = declared.methods.iter().map(|id| self.method(*id));
        let is_made_by_others =
            |method: &Method| self.text(method.name) == "<init>" && method.flags & access::PRIVATE == 0;
        let is_open = declared.is_interface() || methods.any(is_made_by_others);
        // Whoever can name an interface can write a lambda for it.
        if is_open && !self.is_private(class) || self.is_lambda_inside(class) {
            return false;
        }
        // Those that can extend it are there, and may be open themselves.
        self.nest(class).into_iter().all(|name| match self.load(&name) {
            Ok(other) if other != class && self.is_subtype(other, class) => self.is_closed(other),
            _ => true,
        })
    }

    /// The classes that somebody else can extend to make one of a type: itself, or, where it is sealed or keeps its
    /// constructors to itself, those below it that are open.
    pub fn extensible(&mut self, class: ClassId) -> Vec<ClassId> {
        if self.is_closed(class) {
            return Vec::new();
        }
        let below = match self.permitted(class) {
            Some(names) => names,
            None => {
                let declared = self.class(class);
                let is_made_by_others = declared.methods.iter().any(|id| {
                    let method = self.method(*id);
                    self.text(method.name) == "<init>" && method.flags & access::PRIVATE == 0
                });
                if (declared.is_interface() || is_made_by_others) && !self.is_private(class) {
                    return vec![class];
                }
                self.nest(class)
            }
        };
        let mut found = Vec::new();
        for name in below {
            if let Ok(other) = self.load(&name)
                && other != class
                && self.is_subtype(other, class)
            {
                found.extend(self.extensible(other));
            }
        }
        found
    }

    /// The class, those around it and those inside it, by their names.
    pub(crate) fn nest(&self, class: ClassId) -> Vec<String> {
        let outermost = self.class_name(class).split('$').next().unwrap_or_default().to_string();
        let inside = format!("{outermost}$");
        let all = (0..self.path.entries().len()).flat_map(|entry| self.path.classes_of_entry(entry));
        all.filter(|name| *name == outermost || name.starts_with(&inside)).collect()
    }

    /// Whether only the class around it can name a class.
    pub(crate) fn is_private(&self, class: ClassId) -> bool {
        let Some(file) = self.class(class).file.as_ref() else { return false };
        let own = |row: &Inner| file.class_name(row.class).is_ok_and(|name| name == self.class_name(class));
        let row = inner_classes(file).and_then(|rows| rows.into_iter().find(own));
        row.is_some_and(|row| row.outer == 0 || row.flags & access::PRIVATE != 0)
    }

    /// The checked exceptions a method declares, as internal names.
    pub fn declared_exceptions(&self, id: MethodId) -> Vec<String> {
        let method = self.method(id);
        let read = || {
            let file = self.class(method.class).file.as_ref()?;
            let info = file.methods.get(method.index as usize)?;
            let mut reader = Reader::new(file.attribute(&info.attributes, "Exceptions")?);
            let name = |reader: &mut Reader| Some(file.class_name(reader.u16().ok()?).ok()?.into_owned());
            (0..reader.u16().ok()?).map(|_| name(&mut reader)).collect::<Option<Vec<String>>>()
        };
        read().unwrap_or_default()
    }

    /// Whether source in a package can call a method or constructor.
    pub fn can_call(&self, id: MethodId, from: &str) -> bool {
        let method = self.method(id);
        let name = self.text(method.name);
        (name == "<init>" || is_identifier(name)) && self.is_visible(method.class, method.flags, from)
    }

    /// Whether source in a package can name a field of a class.
    pub fn can_name(&self, class: ClassId, field: &Field, from: &str) -> bool {
        is_identifier(self.text(field.name)) && self.is_visible(class, field.flags, from)
    }

    /// Whether code in a package may use a member with these flags of a class.
    fn is_visible(&self, class: ClassId, flags: u16, from: &str) -> bool {
        let near = package(self.class_name(class)) == from;
        flags & access::PUBLIC != 0 || near && flags & access::PRIVATE == 0
    }
}
