//! Method handles and var handles, on top of the library's own `java.lang.invoke`.
//!
//! The library builds handles and their lambda forms by its own Java code; only what HotSpot does itself is here.
//! The tour: [`member`] resolves `MemberName`s; [`form`] turns a lambda form into register code; [`invoke`] runs
//! handles; [`var`] runs var handles; [`types`] speaks of `MethodType`s; [`constants`] makes the handles, types and
//! dynamic values in constant pools; [`try_finally`] is one combinator; [`site`] links call sites through their bootstrap methods.

mod constants;
mod form;
mod invoke;
pub(crate) mod member;
mod site;
mod try_finally;
mod types;
mod var;

use machine::{Machine, Native, Raise, Ref, StubData};
use program::descriptor::split_method;
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, MethodId, access};

use crate::natives::{Entry, not_modelled, nothing};

pub(crate) use constants::link_constant;
pub(crate) use site::link_call_site;

/// What is switched off in the library: forms are never compiled to class files and never customized.
pub(crate) const TABLE: &[Entry] = &[
    ("java/lang/invoke/LambdaForm", "prepare", "()V", nothing),
    ("java/lang/invoke/LambdaForm", "compileToBytecode", "()V", nothing),
    ("java/lang/invoke/MethodHandleImpl", "tryFinally", "", try_finally::try_finally),
    ("java/lang/invoke/Invokers", "checkCustomized", "(Ljava/lang/invoke/MethodHandle;)V", nothing),
    ("java/lang/invoke/Invokers", "maybeCustomize", "(Ljava/lang/invoke/MethodHandle;)V", nothing),
];

/// Names of the native stubs.
const INVOKE_BASIC: &str = "<invokeBasic>";
const INVOKE_EXACT: &str = "<invokeExact>";
const INVOKE: &str = "<invoke>";
const LINK_TO: &str = "<linkTo>";
const VAR_HANDLE: &str = "<varHandle>";
const CONSTANT: &str = "<constant>";
const CALL_SITE: &str = "<callSite>";

/// The implementation of a native stub.
pub(crate) fn stub_native(name: &str) -> Option<Native> {
    Some(match name {
        INVOKE_BASIC => invoke::invoke_basic,
        INVOKE_EXACT => invoke::invoke_exact,
        INVOKE => invoke::invoke_generic,
        LINK_TO => invoke::link_to,
        VAR_HANDLE => var::access,
        CONSTANT => constants::constant,
        CALL_SITE => site::call,
        _ => return None,
    })
}

/// Whether a native calls another method with the arguments it was given.
pub(crate) fn hands_on(native: Native) -> bool {
    let natives: [Native; 6] = [
        invoke::invoke_basic,
        invoke::invoke_exact,
        invoke::invoke_generic,
        invoke::link_to,
        var::access,
        site::call,
    ];
    natives.iter().any(|other| std::ptr::fn_addr_eq(*other, native))
}

/// See [`machine::Library::link_polymorphic`].
pub(crate) fn link_polymorphic_for(
    m: &mut Machine,
    caller: ClassId,
    owner: ClassId,
    name: &str,
    descriptor: &str,
) -> Result<MethodId, Raise> {
    // These trust their arguments, and are private to the library.
    if (name == "invokeBasic" || name.starts_with("linkTo")) && !m.program.class(caller).is_library() {
        let caller = m.program.class_name(caller).replace('/', ".");
        let message = format!("class {caller} tried to access method 'java.lang.invoke.MethodHandle.{name}'");
        return Err(m.raise("java/lang/IllegalAccessError", Some(&message)));
    }
    link_polymorphic(m, owner, name, descriptor)
}

/// The stub that calls of a signature-polymorphic method with this descriptor go through.
pub(crate) fn link_polymorphic(
    m: &mut Machine,
    owner: ClassId,
    name: &str,
    descriptor: &str,
) -> Result<MethodId, Raise> {
    let owner_name = m.program.class_name(owner).to_string();
    let key = format!("{owner_name}.{name}{descriptor}");
    if let Some(stub) = m.stubs.get(&key) {
        return Ok(*stub);
    }
    let stub = if owner_name == "java/lang/invoke/VarHandle" {
        var::link(m, owner, name, descriptor)?
    } else {
        match name {
            "invokeBasic" => {
                let numbers = invoke::offsets(m)?;
                native_stub(m, owner, INVOKE_BASIC, &with_receiver(&owner_name, descriptor), numbers)
            }
            "invokeExact" | "invoke" => {
                let mut numbers = invoke::offsets(m)?;
                numbers.extend(types::class_ids(m, descriptor)?);
                let native = if name == "invoke" { INVOKE } else { INVOKE_EXACT };
                native_stub(m, owner, native, &with_receiver(&owner_name, descriptor), numbers)
            }
            "linkToStatic" | "linkToSpecial" | "linkToVirtual" | "linkToInterface" => {
                let dispatches = name == "linkToVirtual" || name == "linkToInterface";
                let numbers = invoke::member_offsets(m, dispatches)?;
                native_stub(m, owner, LINK_TO, descriptor, numbers)
            }
            _ => return Err(not_modelled(format!("polymorphic call {name}{descriptor}"))),
        }
    };
    m.stubs.insert(key, stub);
    Ok(stub)
}

/// A hidden static native method with numbers it can read when called.
fn native_stub(m: &mut Machine, owner: ClassId, name: &str, descriptor: &str, numbers: Vec<u32>) -> MethodId {
    let spec = SyntheticMethod {
        name: name.into(),
        descriptor: descriptor.into(),
        flags: access::STATIC | access::NATIVE,
        code: None,
    };
    let method = m.program.add_stub(owner, spec);
    m.register_callee(method);
    m.stub_data.insert(method, StubData { numbers, ..StubData::default() });
    method
}

fn with_receiver(owner: &str, descriptor: &str) -> String {
    format!("(L{owner};{}", descriptor.strip_prefix('(').unwrap_or(descriptor))
}

/// Offset of an instance field of a class of the library.
fn offset(m: &mut Machine, class: &str, field: &str) -> Result<u32, Raise> {
    let id = m.load(class)?;
    m.field_offset(id, field).ok_or_else(|| not_modelled(format!("a JDK without {class}.{field}")))
}

/// A heap word for a reference that lives as long as the machine.
pub fn new_slot(m: &mut Machine) -> u32 {
    if m.free_slots.is_empty() {
        let count = 64;
        let number = m.next_hidden_number();
        let fields =
            (0..count).map(|i| (format!("s{i}"), "Ljava/lang/Object;".to_string(), access::STATIC)).collect();
        let object = m.known.object;
        let class = m.program.add_synthetic(SyntheticClass {
            name: format!("java/lang/invoke/Slots{number}"),
            super_class: object,
            interfaces: Vec::new(),
            fields,
            methods: Vec::new(),
            host: object,
        });
        m.sync_classes();
        let statics = m.class_state(class).statics;
        let offsets: Vec<u32> =
            m.program.class(class).fields.iter().map(|field| statics + field.offset).collect();
        m.free_slots.extend(offsets.into_iter().rev());
    }
    m.free_slots.pop().unwrap_or(0)
}

fn slot_value(m: &Machine, slot: u32) -> Ref {
    Ref::from_word(m.heap.word(slot))
}

/// Calls an instance method of the library on a receiver, with virtual dispatch, and runs it to its end.
fn call_virtual(
    m: &mut Machine,
    owner: &str,
    name: &str,
    descriptor: &str,
    arguments: &[machine::Word],
) -> Result<Ref, Raise> {
    let class = m.load(owner)?;
    let missing = || not_modelled(format!("a JDK without {owner}.{name}{descriptor}"));
    let method = m.program.find_method_named(class, name, descriptor).ok_or_else(missing)?;
    let receiver = Ref::from_word(arguments[0]);
    if receiver.is_null() {
        return Err(m.raise("java/lang/NullPointerException", None));
    }
    let actual = m.class_of(receiver);
    let chosen = m.program.select(actual, method).ok_or_else(missing)?;
    let value = m.call(chosen, arguments)?;
    Ok(reference(value))
}

/// Calls a static method of the library that gives a reference, and runs it to its end.
fn call_static(
    m: &mut Machine,
    owner: &str,
    name: &str,
    descriptor: &str,
    arguments: &[machine::Word],
) -> Result<Ref, Raise> {
    Ok(reference(crate::boot::call_static(m, owner, name, descriptor, arguments)?))
}

fn reference(value: machine::Value) -> Ref {
    match value {
        machine::Value::One(word) => Ref::from_word(word),
        _ => Ref::NULL,
    }
}

/// Descriptors of the parameters, and of the result.
fn parts(descriptor: &str) -> Result<(Vec<&str>, &str), Raise> {
    split_method(descriptor).ok_or_else(|| not_modelled(format!("the method type {descriptor}")))
}
