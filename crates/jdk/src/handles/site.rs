//! Call sites with bootstrap methods that are not modelled: the bootstrap method runs, as in any JVM.
//!
//! The call site object lives in a slot; its target is read at each call, so mutable call sites need nothing special.

use machine::{Args, Machine, Raise, Ref, Return};
use program::{ClassId, MethodId};

use super::{CALL_SITE, call_static, constants, invoke, native_stub, new_slot, slot_value, types};
use crate::indy::Bootstrap;
use crate::natives::not_modelled;

/// The stub of the call site at constant pool index `index`.
pub(crate) fn link_call_site(m: &mut Machine, site: &Bootstrap, index: u16) -> Result<MethodId, Raise> {
    let mut numbers = invoke::offsets(m)?;
    numbers.extend([new_slot(m), super::offset(m, "java/lang/invoke/CallSite", "target")?, u32::from(index)]);
    let stub = native_stub(m, site.caller, CALL_SITE, &site.descriptor, numbers);
    // Linking is part of the first call, and what it throws is thrown there.
    bind(m, stub)?;
    Ok(stub)
}

/// A call: goes on in the target of the call site.
pub(super) fn call(m: &mut Machine, a: Args) -> Return {
    let site = bind(m, a.method)?;
    let target_at = m.stub_data[&a.method].numbers[invoke::OFFSETS + 1];
    let target = m.get_ref(site, target_at);
    if target.is_null() {
        return Err(not_modelled("a call site without a target"));
    }
    let words = invoke::words_from(m, a, 0);
    invoke::tail_invoke(m, a, target, &words)
}

/// The call site object, made by the bootstrap method if there is none yet.
fn bind(m: &mut Machine, stub: MethodId) -> Result<Ref, Raise> {
    let n = &m.stub_data[&stub].numbers;
    let (slot, index) = (n[invoke::OFFSETS], n[invoke::OFFSETS + 2] as u16);
    let found = slot_value(m, slot);
    if !found.is_null() {
        return Ok(found);
    }
    let caller = m.program.method(stub).class;
    let made = bootstrap(m, caller, index)?;
    m.put_at(slot, made.word());
    Ok(made)
}

fn bootstrap(m: &mut Machine, caller: ClassId, index: u16) -> Result<Ref, Raise> {
    let site = Bootstrap::of(m, caller, index).ok_or_else(|| not_modelled("a malformed call site"))?;
    let depth = m.roots.len();
    let result = (|| {
        let handle = constants::method_handle(m, caller, &site.bootstrap)?;
        m.roots.push(handle);
        let info = constants::static_arguments(m, caller, &site.arguments)?;
        m.roots.push(info);
        let method_type = types::of_descriptor(m, &site.descriptor)?;
        m.roots.push(method_type);
        let name = m.new_string(&site.name)?;
        let caller = m.mirror(caller);
        let descriptor = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/invoke/CallSite;";
        let arguments = [handle.word(), name.word(), method_type.word(), info.word(), caller.word()];
        call_static(m, "java/lang/invoke/CallSite", "makeSite", descriptor, &arguments)
    })();
    m.roots.truncate(depth);
    result
}
