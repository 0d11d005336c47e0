//! Fields of an object that a test can set: values that are left open, and links between objects.

use machine::Machine;
use program::{ClassId, access};
use ways::types::{self, Bindings, Type};

use super::{Make, Maker, Member, Step};

/// Fields of one object that are set, at most, and how deep an object may be that is filled so.
const MOST: usize = 12;
const DEPTH: u32 = 2;

/// How the fields of an object are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Those that hold values; the others are left as they are.
    Values,
    /// All, each with an object of its own, whose fields are set in turn.
    Chain,
    /// What links to its own kind links to itself.
    Ring,
    /// As in a chain, but what links to the kind of an object around it links back to it.
    Back,
}

/// A field, and its type in the object that is made.
type Open = (Member, Type);

impl Maker<'_> {
    /// The ways to set the fields of an object of a class.
    pub(super) fn settings(&mut self, class: ClassId, bindings: &Bindings) -> Vec<Setting> {
        let open = self.open_fields(class, bindings);
        let own = self.m.program.class_name(class).to_string();
        let has_values = open.iter().any(|(_, kind)| self.is_value(kind));
        let has_links = open.iter().any(|(_, kind)| is_of(kind, &own));
        let has_objects = open.iter().any(|(_, kind)| !self.is_value(kind));
        let ways = [
            (Setting::Values, has_values),
            (Setting::Chain, has_objects),
            (Setting::Ring, has_links),
            (Setting::Back, has_objects),
        ];
        ways.into_iter().filter(|(_, is_there)| *is_there).map(|(setting, _)| setting).collect()
    }

    /// The object with its fields set.
    pub(super) fn with_fields(
        &mut self,
        object: Make,
        (class, bindings): (ClassId, &Bindings),
        setting: Setting,
        depth: u32,
    ) -> Make {
        if depth > DEPTH {
            return object;
        }
        let around = self.setting.replace(setting);
        self.linked.push(self.m.program.class_name(class).to_string());
        let mut steps = Vec::new();
        for (field, kind) in self.open_fields(class, bindings) {
            if let Some(value) = self.held(&kind, &field.name, setting, depth) {
                steps.push(Step::Write { field, value });
            }
        }
        self.linked.pop();
        self.setting = around;
        if steps.is_empty() { object } else { Make::Built { object: Box::new(object), steps } }
    }

    /// What a field is set to; none if it is left as it is.
    fn held(&mut self, kind: &Type, name: &str, setting: Setting, depth: u32) -> Option<Make> {
        if self.is_value(kind) {
            return Some(self.part(kind, name, depth + 1));
        }
        let mut around = self.linked.iter().rev().enumerate().filter(|(_, class)| is_of(kind, class));
        let up = match setting {
            Setting::Values => return None,
            Setting::Chain => None,
            Setting::Ring => Some(around.next().filter(|(up, _)| *up == 0)?.0),
            Setting::Back => around.find(|(up, _)| *up > 0).map(|(up, _)| up),
        };
        match up {
            Some(up) => Some(Make::Around { up, kind: kind.clone() }),
            None if depth == DEPTH => None,
            None => Some(self.part(kind, name, depth + 1)),
        }
    }

    fn open_fields(&mut self, class: ClassId, bindings: &Bindings) -> Vec<Open> {
        if !self.may_set || self.m.program.class(class).is_library() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let relevance = self.relevance.clone();
        let mut fields = open_fields(self.m, class, &self.package);
        // Where only the call under test can look at them, those count that it reads.
        let doing = relevance.doing(&Member::of(self.m, self.called));
        let is_read = |field: &Member| {
            let number = relevance.number_of(field);
            doing.zip(number).is_some_and(|(doing, number)| doing.reads.contains(&number))
        };
        if !has_methods(self.m, class) && fields.iter().any(is_read) {
            fields.retain(is_read);
        }
        for field in fields.into_iter().take(MOST) {
            let Ok(owner) = self.m.load(&field.class) else { continue };
            let own = if owner == class { bindings.clone() } else { types::class_bindings(self.m, owner) };
            if let Some(kind) = types::field_type(self.m, owner, &field.name) {
                found.push((field, kind.with(&own).narrowed()));
            }
        }
        found
    }

    /// Whether the search finds what a field is to hold.
    fn is_value(&mut self, kind: &Type) -> bool {
        match kind {
            Type::Primitive(_) => true,
            Type::Class(name, _) if name == "java/lang/String" => true,
            Type::Class(name, _) => {
                let Ok(class) = self.m.load(name) else { return false };
                self.m.program.class(class).flags & access::ENUM != 0
            }
            _ => false,
        }
    }
}

/// Whether objects of a class can be asked for anything.
fn has_methods(m: &Machine, class: ClassId) -> bool {
    m.program.class(class).methods.iter().any(|id| {
        let method = m.program.method(*id);
        !method.is_static() && m.program.text(method.name) != "<init>"
    })
}

fn is_of(kind: &Type, class: &str) -> bool {
    matches!(kind, Type::Class(name, _) if name == class)
}

/// The fields of objects of a class that a test in a package can set.
pub fn open_fields(m: &Machine, class: ClassId, package: &str) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    for owner in m.program.class(class).display.iter().rev() {
        if m.program.class(*owner).is_library() || m.program.source_name(*owner, package).is_none() {
            continue;
        }
        for field in &m.program.class(*owner).fields {
            let fixed = access::STATIC | access::FINAL | access::SYNTHETIC;
            let name = m.program.text(field.name);
            if field.flags & fixed == 0
                && m.program.can_name(*owner, field, package)
                && !found.iter().any(|hiding| hiding.name == name)
            {
                found.push(Member::of_field(m, *owner, field));
            }
        }
    }
    found
}
