//! Access control and the other ways a resolved member can be the wrong one (JVMS 5.4.4, 5.4.3.3), with HotSpot's words.

use program::resolve::MemberRef;
use program::{ClassId, Field, MethodId, access};

use crate::machine::Machine;
use crate::native::Raise;
use crate::resolve::{external_method, external_type};

impl Machine {
    /// The class that a call names must be an interface exactly when the constant says so.
    pub(crate) fn check_owner(
        &mut self,
        class: ClassId,
        member: MemberRef,
        virtually: bool,
    ) -> Result<(), Raise> {
        let interface = self.program.class(class).is_interface();
        if interface == member.interface {
            return Ok(());
        }
        let name = self.program.class_name(class).replace('/', ".");
        let message = if interface && !virtually {
            let method = self.member_text(class, member);
            format!("Method {method} must be InterfaceMethodref constant")
        } else if interface {
            format!("Found interface {name}, but class was expected")
        } else {
            format!("Found class {name}, but interface was expected")
        };
        Err(self.raise("java/lang/IncompatibleClassChangeError", Some(&message)))
    }

    fn member_text(&self, class: ClassId, member: MemberRef) -> String {
        let (name, descriptor) = (self.program.text(member.name), self.program.text(member.descriptor));
        external_method(self.program.class_name(class), name, descriptor)
    }

    /// A field that its class does not have.
    pub(crate) fn no_such_field(&mut self, class: ClassId, member: MemberRef) -> Raise {
        let name = self.program.text(member.name).to_string();
        let message = if self.program.path.jdk().feature() >= 21 {
            let kind = external_type(self.program.text(member.descriptor));
            let owner = self.program.class_name(class).replace('/', ".");
            format!("Class {owner} does not have member field '{kind} {name}'")
        } else {
            name
        };
        self.raise("java/lang/NoSuchFieldError", Some(&message))
    }

    pub(crate) fn check_method_access(
        &mut self,
        caller: ClassId,
        named: ClassId,
        method: MethodId,
    ) -> Result<(), Raise> {
        let m = self.program.method(method);
        let (owner, flags) = (m.class, m.flags);
        // Cloning is public on arrays.
        if self.program.class(named).is_array() || self.may_access(caller, owner, flags) {
            return Ok(());
        }
        let text = external_method(
            self.program.class_name(owner),
            self.program.text(m.name),
            self.program.text(m.descriptor),
        );
        let kind = if m.is_abstract() { "abstract " } else { "" };
        Err(self.illegal_access(caller, owner, &format!("{kind}{}method {text}", visibility(flags))))
    }

    pub(crate) fn check_field_access(&mut self, caller: ClassId, field: &Field) -> Result<(), Raise> {
        if self.may_access(caller, field.class, field.flags) {
            return Ok(());
        }
        let owner = self.program.class_name(field.class).replace('/', ".");
        let name = self.program.text(field.name);
        let text = format!("{}field {owner}.{name}", visibility(field.flags));
        Err(self.illegal_access(caller, field.class, &text))
    }

    /// Whether code of class `caller` may use a member of `owner`. The library is trusted to be consistent.
    fn may_access(&self, caller: ClassId, owner: ClassId, flags: u16) -> bool {
        let class = self.program.class(caller);
        if flags & access::PUBLIC != 0 || caller == owner || class.is_library() || class.hidden {
            return true;
        }
        // Classes that the library makes to call constructors and methods for it are let through, as in HotSpot.
        if self.program.class_name(caller).starts_with("jdk/internal/reflect/") {
            return true;
        }
        if flags & access::PRIVATE != 0 {
            return self.nest_host_name(caller) == self.nest_host_name(owner);
        }
        let package = |id: ClassId| program::link::package(self.program.class_name(id));
        package(caller) == package(owner)
            || (flags & access::PROTECTED != 0 && self.program.is_subtype(caller, owner))
    }

    /// The class itself unless its file says otherwise in `NestHost`.
    fn nest_host_name(&self, class: ClassId) -> String {
        let declared = self.program.class(class);
        let named = declared.file.as_ref().and_then(|file| {
            let contents = file.attribute(&file.attributes, "NestHost")?;
            let index = program::classfile::Reader::new(contents).u16().ok()?;
            Some(file.class_name(index).ok()?.into_owned())
        });
        named.unwrap_or_else(|| self.program.class_name(class).to_string())
    }

    fn illegal_access(&mut self, caller: ClassId, owner: ClassId, what: &str) -> Raise {
        let name = self.program.class_name(caller).replace('/', ".");
        let places = self.places_text(caller, owner);
        self.raise(
            "java/lang/IllegalAccessError",
            Some(&format!("class {name} tried to access {what} ({places})")),
        )
    }

    /// No method to run for a receiver of class `class`.
    pub(crate) fn abstract_method(&mut self, class: ClassId, method: MethodId) -> Raise {
        let resolved = self.program.method(method);
        let owner = self.program.class(resolved.class);
        let kind = if owner.is_interface() {
            "interface"
        } else if owner.is_abstract() {
            "abstract class"
        } else {
            "class"
        };
        let mut message = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method '{}' of {kind} {}.",
            self.program.class_name(class).replace('/', "."),
            self.bare_method(method),
            self.program.class_name(resolved.class).replace('/', ".")
        );
        let selected =
            resolved.vtable_index.and_then(|slot| self.program.class(class).vtable.get(slot as usize));
        if let Some(&selected) = selected.filter(|selected| **selected != method) {
            message += &format!(" Selected method is '{}'.", self.selected_method(selected));
        }
        self.raise("java/lang/AbstractMethodError", Some(&message))
    }

    /// `abstract void run()`.
    fn bare_method(&self, method: MethodId) -> String {
        let text = self.selected_text(method, "");
        let m = self.program.method(method);
        let kind = if m.is_abstract() { "abstract " } else { "" };
        let private = if m.is_private() { "private " } else { "" };
        format!("{kind}{private}{text}")
    }

    /// The same with the class before the name.
    fn selected_method(&self, method: MethodId) -> String {
        let m = self.program.method(method);
        let class = format!("{}.", self.program.class_name(m.class).replace('/', "."));
        let kind = if m.is_abstract() { "abstract " } else { "" };
        format!("{kind}{}", self.selected_text(method, &class))
    }

    fn selected_text(&self, method: MethodId, class: &str) -> String {
        let m = self.program.method(method);
        let (name, descriptor) = (self.program.text(m.name), self.program.text(m.descriptor));
        let Some((parameters, result)) = program::descriptor::split_method(descriptor) else {
            return name.to_string();
        };
        let parameters: Vec<String> = parameters.into_iter().map(external_type).collect();
        format!("{} {class}{name}({})", external_type(result), parameters.join(", "))
    }
}

fn visibility(flags: u16) -> &'static str {
    if flags & access::PRIVATE != 0 {
        "private "
    } else if flags & access::PROTECTED != 0 {
        "protected "
    } else {
        ""
    }
}
