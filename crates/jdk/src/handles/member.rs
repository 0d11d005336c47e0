//! `MemberName`: resolving a member by name, and the way back from a resolved one.
//!
//! A resolved method is known by the injected field `vmtarget` of the `ResolvedMethodName`; a field is found again by
//! its class, name and type.

use machine::{Args, Machine, Raise, Ref, Return, Value, external_method};
use program::{ClassId, Field, MethodId, Op, access};

use super::types;
use crate::natives::{Entry, class_of_nest, field_place, not_modelled, zero};

const NATIVES: &str = "java/lang/invoke/MethodHandleNatives";

/// Flags of a `MemberName` besides the access flags.
const IS_METHOD: u32 = 0x0001_0000;
const IS_CONSTRUCTOR: u32 = 0x0002_0000;
const IS_FIELD: u32 = 0x0004_0000;
const TRUSTED_FINAL: u32 = 0x0020_0000;
const KIND_SHIFT: u32 = 24;

/// Reference kinds (JVMS table 5.4.3.5-A).
const GET_FIELD: u32 = 1;
const GET_STATIC: u32 = 2;
const INVOKE_VIRTUAL: u32 = 5;
const INVOKE_STATIC: u32 = 6;
const INVOKE_SPECIAL: u32 = 7;
const NEW_INVOKE_SPECIAL: u32 = 8;
const INVOKE_INTERFACE: u32 = 9;

pub(crate) const TABLE: &[Entry] = &[
    (NATIVES, "init", "(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V", init),
    (NATIVES, "expand", "(Ljava/lang/invoke/MemberName;)V", expand),
    (NATIVES, "resolve", "", resolve),
    (NATIVES, "objectFieldOffset", "(Ljava/lang/invoke/MemberName;)J", field_offset),
    (NATIVES, "staticFieldOffset", "(Ljava/lang/invoke/MemberName;)J", field_offset),
    (NATIVES, "staticFieldBase", "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;", |m, a| {
        let name = a.non_null(m, 0)?;
        let field = field_of(m, name)?;
        Ok(Value::reference(m.mirror(field.class)))
    }),
    (NATIVES, "getNamedCon", "(I[Ljava/lang/Object;)I", zero),
    (NATIVES, "setCallSiteTargetNormal", "", set_target),
    (NATIVES, "setCallSiteTargetVolatile", "", set_target),
    (NATIVES, "clearCallSiteContext", "", crate::natives::nothing),
];

/// What a resolved `MemberName` stands for.
pub(super) enum Member {
    /// A method and the instruction that calls it.
    Method(MethodId, Op),
    Field(Field),
}

/// The member behind a resolved `MemberName`.
pub(super) fn target(m: &mut Machine, name: Ref) -> Result<Member, Raise> {
    let flags = m.field(name, "flags") as u32;
    if flags & IS_FIELD != 0 {
        return Ok(Member::Field(field_of(m, name)?));
    }
    let resolved = Ref::from_word(m.field(name, "method"));
    if resolved.is_null() {
        return Err(not_modelled("a lambda form that calls an unresolved method"));
    }
    let method = MethodId(m.field(resolved, "vmtarget") as u32);
    let op = if m.program.method(method).is_static() {
        Op::InvokeStaticI
    } else {
        match flags >> KIND_SHIFT & 0xF {
            INVOKE_VIRTUAL => Op::InvokeVirtual,
            INVOKE_INTERFACE => Op::InvokeInterface,
            _ => Op::InvokeDirect,
        }
    };
    Ok(Member::Method(method, op))
}

/// A `ResolvedMethodName` for a method.
pub(super) fn resolved_method(m: &mut Machine, method: MethodId) -> Result<Ref, Raise> {
    let class = m.load("java/lang/invoke/ResolvedMethodName")?;
    let object = m.allocate(class)?;
    m.set_field(object, "vmtarget", u64::from(method.0));
    let holder = m.mirror(m.program.method(method).class);
    m.set_field(object, "vmholder", holder.word());
    Ok(object)
}

fn field_of(m: &mut Machine, name: Ref) -> Result<Field, Raise> {
    let class = m.mirrored(Ref::from_word(m.field(name, "clazz")));
    let text = m.string(Ref::from_word(m.field(name, "name")));
    let descriptor = type_text(m, name)?;
    let (text, descriptor) = (m.program.symbols.intern(&text), m.program.symbols.intern(&descriptor));
    m.program
        .find_field(class, text, descriptor)
        .cloned()
        .ok_or_else(|| not_modelled("a member that is no field"))
}

fn field_offset(m: &mut Machine, a: Args) -> Return {
    let name = a.non_null(m, 0)?;
    let field = field_of(m, name)?;
    Ok(Value::long(field_place(m, &field)))
}

fn set_target(m: &mut Machine, a: Args) -> Return {
    let site = a.non_null(m, 0)?;
    let handle = a.word(m, 1);
    m.set_field(site, "target", handle);
    Ok(Value::Void)
}

/// The descriptor in the `type` of a `MemberName`: a `MethodType`, a `Class`, a string, or a result with parameters.
fn type_text(m: &mut Machine, name: Ref) -> Result<String, Raise> {
    let object = Ref::from_word(m.field(name, "type"));
    if object.is_null() {
        return Err(m.raise("java/lang/IllegalArgumentException", Some("nothing to resolve")));
    }
    match m.class_name_of(object) {
        "java/lang/invoke/MethodType" => Ok(types::descriptor_of(m, object)),
        "java/lang/Class" => Ok(types::class_descriptor(m, m.mirrored(object))),
        "java/lang/String" => Ok(m.string(object)),
        "[Ljava/lang/Object;" => {
            let (result, parameters) = (m.element(object, 0), m.element(object, 1));
            let mut text = String::from("(");
            for i in 0..m.heap.length(parameters) {
                text += &types::class_descriptor(m, m.mirrored(m.element(parameters, i)));
            }
            text.push(')');
            text += &types::class_descriptor(m, m.mirrored(result));
            Ok(text)
        }
        other => Err(not_modelled(format!("a member type that is a {other}"))),
    }
}

/// `resolve(member, caller, mode, speculative)`.
fn resolve(m: &mut Machine, a: Args) -> Return {
    let name = a.non_null(m, 0)?;
    let caller = a.reference(m, 1);
    let speculative = a.bool(m, 3);
    match resolve_member(m, name, caller) {
        Ok(()) => Ok(Value::reference(name)),
        Err(Raise::Throw(_)) if speculative => Ok(Value::One(0)),
        Err(raise) => Err(raise),
    }
}

fn resolve_member(m: &mut Machine, name: Ref, caller: Ref) -> Result<(), Raise> {
    let flags = m.field(name, "flags") as u32;
    if !Ref::from_word(m.field(name, "method")).is_null() {
        return Ok(());
    }
    let (mirror, text) = (Ref::from_word(m.field(name, "clazz")), Ref::from_word(m.field(name, "name")));
    if mirror.is_null() || text.is_null() {
        return Err(m.raise("java/lang/IllegalArgumentException", Some("nothing to resolve")));
    }
    let class = m.mirrored(mirror);
    let text = m.string(text);
    let descriptor = type_text(m, name)?;
    let caller = (!caller.is_null()).then(|| m.mirrored(caller));
    let kind = flags >> KIND_SHIFT & 0xF;
    if flags & IS_FIELD != 0 {
        // As in HotSpot, only the library's own code checks the access to fields.
        let field = find_field(m, class, &text, &descriptor)?;
        set_field_member(m, name, &field, kind > GET_STATIC);
        return Ok(());
    }
    let owner = m.program.class_name(class).to_string();
    if matches!(owner.as_str(), "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle") {
        let symbol = m.program.symbols.intern(&text);
        if let Some(native) = m.polymorphic(class, symbol) {
            let stub = super::link_polymorphic(m, class, &text, &descriptor)?;
            let declared = m.program.method(native);
            let (flags, is_static) = (u32::from(declared.flags), declared.is_static());
            let kind = if is_static { INVOKE_STATIC } else { INVOKE_SPECIAL };
            return set_method(m, name, class, flags | IS_METHOD | kind << KIND_SHIFT, stub);
        }
    }
    let method = find_method(m, class, &text, &descriptor, kind)?;
    if let Some(caller) = caller {
        let declared = m.program.method(method);
        let (holder, flags) = (declared.class, declared.flags);
        if !accessible(m, caller, holder, flags) {
            let holder_name = m.program.class_name(holder).to_string();
            let what = format!("method {}", external_method(&holder_name, &text, &descriptor));
            return Err(no_access(m, caller, holder, flags, &what));
        }
    }
    set_method_member(m, name, class, method, kind)
}

fn find_field(m: &mut Machine, class: ClassId, name: &str, descriptor: &str) -> Result<Field, Raise> {
    let (symbol, kind) = (m.program.symbols.intern(name), m.program.symbols.intern(descriptor));
    match m.program.find_field(class, symbol, kind).cloned() {
        Some(field) => Ok(field),
        None => Err(m.raise("java/lang/NoSuchFieldError", Some(name))),
    }
}

fn find_method(
    m: &mut Machine,
    class: ClassId,
    name: &str,
    descriptor: &str,
    kind: u32,
) -> Result<MethodId, Raise> {
    let (symbol, types) = (m.program.symbols.intern(name), m.program.symbols.intern(descriptor));
    let found = if name == "<init>" || name == "<clinit>" {
        m.program
            .declared_method(class, name, descriptor)
            .filter(|_| kind == NEW_INVOKE_SPECIAL || kind == INVOKE_SPECIAL)
    } else {
        m.program.find_method(class, symbol, types)
    };
    let owner = m.program.class_name(class).to_string();
    let Some(method) = found else {
        let text = external_method(&owner, name, descriptor);
        return Err(m.raise("java/lang/NoSuchMethodError", Some(&text)));
    };
    let is_static = m.program.method(method).is_static();
    if is_static != (kind == INVOKE_STATIC) {
        let holder = m.program.class_name(m.program.method(method).class).to_string();
        let wanted = if is_static { "non-static" } else { "static" };
        let message = format!("Expected {wanted} method {}", external_method(&holder, name, descriptor));
        return Err(m.raise("java/lang/IncompatibleClassChangeError", Some(&message)));
    }
    Ok(method)
}

/// Whether code of `caller` may name a member with these flags (JVMS 5.4.4).
fn accessible(m: &Machine, caller: ClassId, holder: ClassId, flags: u16) -> bool {
    if flags & access::PUBLIC != 0 || caller == holder {
        return true;
    }
    if flags & access::PRIVATE != 0 {
        return class_of_nest(m, caller) == class_of_nest(m, holder);
    }
    let package = |class: ClassId| program::link::package(m.program.class_name(class));
    if package(caller) == package(holder) {
        return true;
    }
    flags & access::PROTECTED != 0
        && (m.program.is_subtype(caller, holder) || m.program.class(holder).is_array())
}

fn no_access(m: &mut Machine, caller: ClassId, holder: ClassId, flags: u16, what: &str) -> Raise {
    let level = match flags & (access::PRIVATE | access::PROTECTED) {
        access::PRIVATE => "private ",
        access::PROTECTED => "protected ",
        _ => "",
    };
    let caller = m.program.class_name(caller).replace('/', ".");
    let holder = m.program.class_name(holder).replace('/', ".");
    let message = format!(
        "class {caller} tried to access {level}{what} ({caller} and {holder} are in different places)"
    );
    m.raise("java/lang/IllegalAccessError", Some(&message))
}

fn set_field_member(m: &mut Machine, name: Ref, field: &Field, setter: bool) {
    let kind = if field.is_static() { GET_STATIC } else { GET_FIELD } + if setter { 2 } else { 0 };
    let mut flags = u32::from(field.flags) | IS_FIELD | kind << KIND_SHIFT;
    let holder = m.program.class(field.class);
    let record = holder.super_class.is_some_and(|parent| m.program.class_name(parent) == "java/lang/Record");
    if field.flags & access::FINAL != 0 && (field.is_static() || holder.hidden || record) {
        flags |= TRUSTED_FINAL;
    }
    let mirror = m.mirror(field.class);
    m.set_field(name, "clazz", mirror.word());
    m.set_field(name, "flags", u64::from(flags));
}

/// Says in a `MemberName` which method it is, and how it is called, the way HotSpot sees it.
fn set_method_member(
    m: &mut Machine,
    name: Ref,
    searched: ClassId,
    method: MethodId,
    wanted: u32,
) -> Result<(), Raise> {
    let declared = m.program.method(method);
    let holder = m.program.class(declared.class);
    let constructor = m.program.text(declared.name) == "<init>";
    let fixed = declared.is_private()
        || !holder.is_interface() && (declared.flags | holder.flags) & access::FINAL != 0;
    let mut clazz = declared.class;
    let kind = if declared.is_static() {
        INVOKE_STATIC
    } else if constructor || wanted == INVOKE_SPECIAL || fixed {
        INVOKE_SPECIAL
    } else if holder.is_interface() && wanted == INVOKE_INTERFACE {
        INVOKE_INTERFACE
    } else {
        if holder.is_interface() {
            // A default method found through a class: called virtually there.
            clazz = if m.program.class(searched).is_interface() { m.known.object } else { searched };
        }
        INVOKE_VIRTUAL
    };
    let what = if constructor { IS_CONSTRUCTOR } else { IS_METHOD };
    let kind = if constructor && wanted == NEW_INVOKE_SPECIAL { NEW_INVOKE_SPECIAL } else { kind };
    let flags = u32::from(declared.flags) | what | kind << KIND_SHIFT;
    set_method(m, name, clazz, flags, method)
}

fn set_method(m: &mut Machine, name: Ref, class: ClassId, flags: u32, method: MethodId) -> Result<(), Raise> {
    let resolved = resolved_method(m, method)?;
    let mirror = m.mirror(class);
    m.set_field(name, "clazz", mirror.word());
    m.set_field(name, "flags", u64::from(flags));
    m.set_field(name, "method", resolved.word());
    Ok(())
}

/// `init(member, reflected)`: from a `Method`, `Constructor` or `Field`.
fn init(m: &mut Machine, a: Args) -> Return {
    let (name, object) = (a.non_null(m, 0)?, a.non_null(m, 1)?);
    let class = m.mirrored(Ref::from_word(m.field(object, "clazz")));
    let slot = m.field(object, "slot") as usize;
    if m.class_name_of(object) == "java/lang/reflect/Field" {
        let field = m.program.class(class).fields.get(slot).cloned();
        let field = field.ok_or_else(|| not_modelled("a Field of unknown origin"))?;
        set_field_member(m, name, &field, false);
        return Ok(Value::Void);
    }
    let method = m.program.class(class).methods.get(slot).copied();
    let method = method.ok_or_else(|| not_modelled("a Method of unknown origin"))?;
    let declared = m.program.method(method);
    let wanted = if m.program.text(declared.name) == "<init>" {
        NEW_INVOKE_SPECIAL
    } else if m.program.class(class).is_interface() {
        INVOKE_INTERFACE
    } else {
        INVOKE_VIRTUAL
    };
    set_method_member(m, name, class, method, wanted)?;
    Ok(Value::Void)
}

/// `expand(member)`: fills in name and type from the resolved method.
fn expand(m: &mut Machine, a: Args) -> Return {
    let name = a.non_null(m, 0)?;
    let resolved = Ref::from_word(m.field(name, "method"));
    if resolved.is_null() {
        return Err(not_modelled("expanding a MemberName that is no method"));
    }
    let method = m.program.method(MethodId(m.field(resolved, "vmtarget") as u32));
    let (text, descriptor) =
        (m.program.text(method.name).to_string(), m.program.text(method.descriptor).to_string());
    if Ref::from_word(m.field(name, "name")).is_null() {
        let text = m.new_string(&text)?;
        m.set_field(name, "name", text.word());
    }
    if Ref::from_word(m.field(name, "type")).is_null() {
        let descriptor = m.new_string(&descriptor)?;
        m.set_field(name, "type", descriptor.word());
    }
    Ok(Value::Void)
}
