//! Var handles: the access modes of `VarHandle` as signature-polymorphic calls.
//!
//! When the call site's types are those of the variable but for reference types, the static method that implements
//! the access mode is called directly, as the library's own guards do. Everything else goes through the method handle
//! of the access mode, adapted by the library.

use machine::{Args, Machine, Raise, Ref, Return};
use program::{ClassId, Insn, Kind, MethodId, Op, Shape};

use super::{
    VAR_HANDLE, call_static, call_virtual, invoke, native_stub, offset, parts, types, with_receiver,
};
use crate::indy::Assembler;
use crate::natives::not_modelled;

const VAR: &str = "java/lang/invoke/VarHandle";
const FORM: &str = "java/lang/invoke/VarForm";

/// Places in the numbers of a stub, behind [`invoke::offsets`].
const MODE: usize = invoke::OFFSETS;
const ACCESS_TYPE: usize = MODE + 1;
const VFORM: usize = MODE + 2;
const EXACT: usize = MODE + 3;
const TYPE_TABLE: usize = MODE + 4;
const MEMBER_TABLE: usize = MODE + 5;
const MEMBER_METHOD: usize = MODE + 6;
const CLASS: usize = MODE + 7;
const CLASSES: usize = MODE + 8;

/// The stub of an access mode at a call site type.
pub(super) fn link(m: &mut Machine, owner: ClassId, name: &str, descriptor: &str) -> Result<MethodId, Raise> {
    let (mode, access_type) = access_mode(m, name)?;
    let mut numbers = invoke::offsets(m)?;
    numbers.extend([
        mode,
        access_type,
        offset(m, VAR, "vform")?,
        offset(m, VAR, "exact")?,
        offset(m, FORM, "methodType_table")?,
        offset(m, FORM, "memberName_table")?,
        offset(m, "java/lang/invoke/MemberName", "method")?,
        owner.0,
    ]);
    numbers.extend(types::class_ids(m, descriptor)?);
    let full = with_receiver(VAR, descriptor);
    let native = native_stub(m, owner, VAR_HANDLE, &full, numbers);
    let (_, result) = parts(descriptor)?;
    if Kind::of(result) != Some(Kind::Ref) || result == "Ljava/lang/Object;" {
        return Ok(native);
    }
    // The implementation gives an Object: it must be what the call site says.
    let class = m.load_descriptor(result)?;
    let mut code = Assembler::new(m.program.method(native).arguments.max(1));
    let area = code.area();
    code.call(m, Op::InvokeStatic, native, 0);
    let null = code.jump(Op::JNull, 0, 0, 0);
    code.emit(Insn::imm(Op::Inst, area, 0, class.0));
    let fits = code.jump(Op::JNeK, area, 0, 0);
    let mirror = m.mirror(class);
    code.emit(Insn::imm(Op::Const, area, 0, mirror.0));
    code.move_value(area + 1, 0, Kind::Ref);
    let cast = m.program.declared_method(m.known.class, "cast", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let cast = cast.ok_or_else(|| not_modelled("a JDK without Class.cast"))?;
    code.call(m, Op::InvokeDirect, cast, area);
    code.patch(null);
    code.patch(fits);
    code.ret(0, Kind::Ref);
    Ok(code.into_stub(m, owner, "<varHandleCast>", &full))
}

/// The numbers of an access mode and of its type, from the library's own table.
fn access_mode(m: &mut Machine, name: &str) -> Result<(u32, u32), Raise> {
    let text = m.new_string(name)?;
    let owner = "java/lang/invoke/VarHandle$AccessMode";
    let descriptor = "(Ljava/lang/String;)Ljava/lang/invoke/VarHandle$AccessMode;";
    let mode = call_static(m, owner, "valueFromMethodName", descriptor, &[text.word()])?;
    let access_type = Ref::from_word(m.field(mode, "at"));
    Ok((m.field(mode, "ordinal") as u32, m.field(access_type, "ordinal") as u32))
}

/// An access: arguments are the var handle, its coordinates and the values.
pub(super) fn access(m: &mut Machine, a: Args) -> Return {
    let handle = a.known(m, 0)?;
    if !m.is_instance(handle, ClassId(m.stub_data[&a.method].numbers[CLASS])) {
        return Err(invoke::wrong_receiver());
    }
    match direct_target(m, a, handle)? {
        Some(target) => m.tail_call(a, target, &[handle.word()]),
        None => adapted_access(m, a, handle),
    }
}

/// The method to call with the arguments as they are, if there is one.
fn direct_target(m: &mut Machine, a: Args, handle: Ref) -> Result<Option<MethodId>, Raise> {
    let n = &m.stub_data[&a.method].numbers;
    let (mode, access_type, exact) = (n[MODE] as i32, n[ACCESS_TYPE] as i32, n[EXACT]);
    let (table_at, member_at, method_at) = (n[TYPE_TABLE], n[MEMBER_TABLE], n[MEMBER_METHOD]);
    let vmtarget = n[2];
    let vform = m.get_ref(handle, n[VFORM]);
    let indirect = matches!(
        m.class_name_of(handle),
        "java/lang/invoke/IndirectVarHandle" | "java/lang/invoke/LazyInitializingVarHandle"
    );
    if m.get(handle, exact) != 0 || vform.is_null() || indirect {
        return Ok(None);
    }
    let table = m.get_ref(vform, table_at);
    let method_type = m.element(table, access_type);
    if method_type.is_null() || !erased_fits(m, a, method_type) {
        return Ok(None);
    }
    let members = m.get_ref(vform, member_at);
    let mut member = m.element(members, mode);
    if member.is_null() {
        let descriptor = "(I)Ljava/lang/invoke/MemberName;";
        member = call_virtual(m, FORM, "getMemberName", descriptor, &[vform.word(), mode as u32 as u64])?;
    }
    let resolved = m.get_ref(member, method_at);
    if resolved.is_null() {
        return Err(not_modelled("an access mode that is not resolved"));
    }
    let target = MethodId(m.get(resolved, vmtarget) as u32);
    let class = m.program.method(target).class;
    m.initialize(class)?;
    Ok(Some(target))
}

/// Whether the call site's type is that of the access mode after erasure; a result may be dropped.
fn erased_fits(m: &Machine, a: Args, method_type: Ref) -> bool {
    let n = &m.stub_data[&a.method].numbers;
    let (rtype, ptypes) = (m.get_ref(method_type, n[4]), m.get_ref(method_type, n[5]));
    let Some((result, parameters)) = n[CLASSES..].split_last() else { return false };
    let same = |mirror: Ref, id: u32| match (shape(m, m.mirrored(mirror)), shape(m, ClassId(id))) {
        (Some(x), Some(y)) => x == y,
        (None, None) => true,
        _ => false,
    };
    m.heap.length(ptypes) as usize == parameters.len()
        && parameters.iter().enumerate().all(|(i, id)| same(m.element(ptypes, i as i32), *id))
        && (same(rtype, *result) || shape(m, ClassId(*result)) == Some(Kind::Void))
}

/// The kind of a primitive class.
fn shape(m: &Machine, class: ClassId) -> Option<Kind> {
    match m.program.class(class).shape {
        Shape::Primitive(kind) => Some(kind),
        _ => None,
    }
}

/// The access by way of the adapted method handle.
fn adapted_access(m: &mut Machine, a: Args, handle: Ref) -> Return {
    let n = m.stub_data[&a.method].numbers.clone();
    let method_type = types::of_ids(m, &n[CLASSES..])?;
    let class = m.load("java/lang/invoke/VarHandle$AccessDescriptor")?;
    m.initialize_now(class)?;
    let descriptor = m.allocate(class)?;
    m.roots.push(descriptor);
    let arguments = [method_type.word(), u64::from(n[ACCESS_TYPE]), u64::from(n[MODE])];
    let made = crate::boot::construct(m, descriptor, "(Ljava/lang/invoke/MethodType;II)V", &arguments);
    m.roots.pop();
    made?;
    let signature = "(Ljava/lang/invoke/VarHandle;Ljava/lang/invoke/VarHandle$AccessDescriptor;)Ljava/lang/invoke/MethodHandle;";
    let arguments = [handle.word(), descriptor.word()];
    let method_handle =
        call_static(m, "java/lang/invoke/Invokers", "checkVarHandleGenericType", signature, &arguments)?;
    m.roots.push(method_handle);
    let direct = call_virtual(m, VAR, "asDirect", "()Ljava/lang/invoke/VarHandle;", &[handle.word()]);
    m.roots.pop();
    let mut words = vec![direct?.word()];
    words.extend(invoke::words_from(m, a, 1));
    invoke::tail_invoke(m, a, method_handle, &words)
}
