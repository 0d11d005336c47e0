//! Running method handles: `invokeBasic`, `invokeExact`, `invoke` and the `linkTo` family.

use machine::{Args, Machine, Raise, Ref, Return, Stop, Word};
use program::{ClassId, MethodId};

use super::types::{self, TypeFields};
use super::{call_static, form, offset};
use crate::natives::not_modelled;

const HANDLE: &str = "java/lang/invoke/MethodHandle";

/// Places in the numbers of a stub, see [`offsets`].
const FORM: usize = 0;
const VMENTRY: usize = 1;
const VMTARGET: usize = 2;
const TYPE: usize = 3;
const RTYPE: usize = 4;
const PTYPES: usize = 5;
const AS_TYPE_CACHE: usize = 6;
const CLASS: usize = 7;
/// How many numbers come before those of the stub's own.
pub(super) const OFFSETS: usize = 8;

/// Offsets of the fields that every call of a handle reads.
pub(super) fn offsets(m: &mut Machine) -> Result<Vec<u32>, Raise> {
    Ok(vec![
        offset(m, HANDLE, "form")?,
        offset(m, "java/lang/invoke/LambdaForm", "vmentry")?,
        offset(m, "java/lang/invoke/ResolvedMethodName", "vmtarget")?,
        offset(m, HANDLE, "type")?,
        offset(m, "java/lang/invoke/MethodType", "rtype")?,
        offset(m, "java/lang/invoke/MethodType", "ptypes")?,
        offset(m, HANDLE, "asTypeCache")?,
        m.load(HANDLE)?.0,
    ])
}

/// Offsets for [`link_to`], and whether it selects by the receiver's class.
pub(super) fn member_offsets(m: &mut Machine, dispatches: bool) -> Result<Vec<u32>, Raise> {
    Ok(vec![
        offset(m, "java/lang/invoke/MemberName", "method")?,
        offset(m, "java/lang/invoke/ResolvedMethodName", "vmtarget")?,
        u32::from(dispatches),
    ])
}

/// The handle a call starts with. Bytecode that no compiler makes may pass anything.
fn receiver(m: &mut Machine, a: Args) -> Result<Ref, Raise> {
    let handle = a.known(m, 0)?;
    let class = ClassId(numbers(m, a)[CLASS]);
    if m.is_instance(handle, class) { Ok(handle) } else { Err(wrong_receiver()) }
}

pub(super) fn wrong_receiver() -> Raise {
    Raise::Stop(Stop::BadInput("invalid bytecode: a method handle of the wrong type".into()))
}

fn numbers(m: &Machine, a: Args) -> &[u32] {
    m.stub_data.get(&a.method).map_or(&[], |data| &data.numbers)
}

/// The code of a handle's form, made at the first call.
pub(super) fn entry(m: &mut Machine, stub: MethodId, handle: Ref) -> Result<MethodId, Raise> {
    let n = &m.stub_data[&stub].numbers;
    let (form_at, vmentry, vmtarget) = (n[FORM], n[VMENTRY], n[VMTARGET]);
    let form = m.get_ref(handle, form_at);
    if form.is_null() {
        return Err(not_modelled("a method handle without a form"));
    }
    let found = m.get_ref(form, vmentry);
    if !found.is_null() {
        let method = m.element(found, 0);
        return Ok(MethodId(m.get(method, vmtarget) as u32));
    }
    form::compile(m, form)
}

/// `invokeBasic`: the handle's form takes the handle itself and the arguments.
pub(super) fn invoke_basic(m: &mut Machine, a: Args) -> Return {
    let handle = receiver(m, a)?;
    let target = entry(m, a.method, handle)?;
    m.tail_call(a, target, &[handle.word()])
}

fn has_type(m: &Machine, a: Args, handle: Ref) -> bool {
    let n = numbers(m, a);
    let fields = TypeFields { rtype: n[RTYPE], ptypes: n[PTYPES] };
    types::matches(m, m.get_ref(handle, n[TYPE]), fields, &n[OFFSETS..])
}

/// The `MethodType` of the call site.
fn site_type(m: &mut Machine, a: Args) -> Result<Ref, Raise> {
    let ids = numbers(m, a)[OFFSETS..].to_vec();
    types::of_ids(m, &ids)
}

/// `invokeExact`: the handle must have the type of the call site.
pub(super) fn invoke_exact(m: &mut Machine, a: Args) -> Return {
    let handle = receiver(m, a)?;
    if !has_type(m, a, handle) {
        let wanted = site_type(m, a)?;
        let descriptor = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)V";
        let arguments = [handle.word(), wanted.word()];
        call_static(m, "java/lang/invoke/Invokers", "checkExactType", descriptor, &arguments)?;
        return Err(not_modelled("a method type that is equal but not the same"));
    }
    let target = entry(m, a.method, handle)?;
    m.tail_call(a, target, &[handle.word()])
}

/// `invoke`: a handle of another type is adapted first, by the library.
pub(super) fn invoke_generic(m: &mut Machine, a: Args) -> Return {
    let handle = receiver(m, a)?;
    if has_type(m, a, handle) {
        let target = entry(m, a.method, handle)?;
        return m.tail_call(a, target, &[handle.word()]);
    }
    let cached = m.get_ref(handle, numbers(m, a)[AS_TYPE_CACHE]);
    let adapted = if !cached.is_null() && has_type(m, a, cached) {
        cached
    } else {
        let wanted = site_type(m, a)?;
        let descriptor =
            "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;";
        let arguments = [handle.word(), wanted.word()];
        call_static(m, "java/lang/invoke/Invokers", "checkGenericType", descriptor, &arguments)?
    };
    let target = entry(m, a.method, adapted)?;
    m.tail_call(a, target, &[adapted.word()])
}

/// `linkToStatic` and its siblings: the last argument is the `MemberName` of the method to call with the others.
pub(super) fn link_to(m: &mut Machine, a: Args) -> Return {
    let slots = m.program.method(a.method).arguments as usize;
    let n = numbers(m, a);
    let (method_at, vmtarget, dispatches) = (n[0], n[1], n[2] != 0);
    let member = a.known(m, slots - 1)?;
    let resolved = m.get_ref(member, method_at);
    if resolved.is_null() {
        return Err(not_modelled("a call of an unresolved member"));
    }
    let mut target = MethodId(m.get(resolved, vmtarget) as u32);
    let method = m.program.method(target);
    if method.is_static() {
        let class = method.class;
        m.initialize(class)?;
    } else {
        let receiver = a.known(m, 0)?;
        if dispatches {
            target = select(m, m.class_of(receiver), target)?;
        }
        return m.tail_call(a, target, &[receiver.word()]);
    }
    m.tail_call(a, target, &[])
}

/// The method a virtual call of `method` runs on a receiver of class `class`.
fn select(m: &mut Machine, class: ClassId, method: MethodId) -> Result<MethodId, Raise> {
    let owner = m.program.method(method).class;
    if !m.program.is_subtype(class, owner) {
        let message = format!(
            "Class {} does not implement the requested interface {}",
            m.program.class_name(class).replace('/', "."),
            m.program.class_name(owner).replace('/', ".")
        );
        return Err(m.raise("java/lang/IncompatibleClassChangeError", Some(&message)));
    }
    match m.program.select(class, method) {
        Some(target) => Ok(target),
        None => {
            let message = m.program.method_name(method);
            Err(m.raise("java/lang/AbstractMethodError", Some(&message)))
        }
    }
}

/// In a native whose stub starts with [`offsets`]: goes on with a call of `handle`, which takes the words.
pub(super) fn tail_invoke(m: &mut Machine, a: Args, handle: Ref, words: &[Word]) -> Return {
    let target = entry(m, a.method, handle)?;
    let mut all = Vec::with_capacity(words.len() + 1);
    all.push(handle.word());
    all.extend_from_slice(words);
    m.tail_call(a, target, &all)
}

/// The argument words of a native, from `slot` on.
pub(super) fn words_from(m: &Machine, a: Args, slot: usize) -> Vec<Word> {
    let slots = m.program.method(a.method).arguments as usize;
    (slot..slots).map(|i| a.word(m, i)).collect()
}
