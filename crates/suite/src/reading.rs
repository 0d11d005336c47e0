//! Which methods only read: calls of others may be asked what an object has become.

use machine::Machine;
use program::{ClassFile, ClassId, Constant, Insn, MethodId, Op};

/// Calls that are followed from one method to another.
const DEEP: u32 = 3;
/// Packages of the library in which calls may change what they are made on.
const CHANGING: [&str; 4] = ["java/util/", "java/io/", "java/nio/", "java/lang/reflect/"];
/// What reads all the same, by how names begin.
const READING: [&str; 18] = [
    "get",
    "contains",
    "size",
    "isEmpty",
    "is",
    "keySet",
    "values",
    "entrySet",
    "iterator",
    "hasNext",
    "next",
    "indexOf",
    "lastIndexOf",
    "of",
    "stream",
    "peek",
    "first",
    "requireNonNull",
];

/// Whether the code of a method writes nothing that outlives the call, as far as it can be told from what it calls.
pub fn only_reads(m: &mut Machine, method: MethodId) -> bool {
    reads(m, method, DEEP)
}

fn reads(m: &mut Machine, method: MethodId, deep: u32) -> bool {
    let Ok(code) = m.program.translate(method) else { return false };
    let class = m.program.method(method).class;
    let name = m.program.text(m.program.method(method).name).to_string();
    code.insns.iter().all(|insn| match insn.op {
        // A value that is made belongs to nobody else.
        Op::PutFieldU => name == "<init>",
        Op::InvokeDynU => lambdas_read(m, class, &name, deep),
        Op::PutStaticU | Op::MonEnter => false,
        Op::BAStore | Op::CAStore | Op::SAStore | Op::IAStore | Op::LAStore | Op::AAStore => false,
        Op::InvokeStaticU | Op::InvokeSpecialU | Op::InvokeVirtualU | Op::InvokeInterfaceU => {
            call_reads(m, class, insn, deep)
        }
        _ => true,
    })
}

fn call_reads(m: &mut Machine, class: ClassId, insn: &Insn, deep: u32) -> bool {
    let called = m.program.class(class).file.as_ref().and_then(|file| called(file, insn.imm as u16));
    let Some((owner, name, descriptor)) = called else { return false };
    if owner.starts_with("java/") {
        return !CHANGING.iter().any(|package| owner.starts_with(package))
            && !owner.starts_with("java/lang/StringBu")
            || READING.iter().any(|reading| name.starts_with(reading));
    }
    if deep == 0 {
        return false;
    }
    let Ok(owner) = m.load(&owner) else { return false };
    let target = m.program.declared_method(owner, &name, &descriptor);
    target.is_some_and(|target| !m.program.method(target).is_abstract() && reads(m, target, deep - 1))
}

/// Whether the lambdas in a method only read: whoever gets them may call them.
fn lambdas_read(m: &mut Machine, class: ClassId, method: &str, deep: u32) -> bool {
    let prefix = format!("lambda${}$", if method == "<init>" { "new" } else { method });
    let methods = m.program.class(class).methods.iter().copied();
    let own: Vec<MethodId> =
        methods.filter(|id| m.program.text(m.program.method(*id).name).starts_with(&prefix)).collect();
    deep > 0 && own.into_iter().all(|lambda| reads(m, lambda, deep - 1))
}

/// Owner, name and descriptor of what is called.
fn called(file: &ClassFile, index: u16) -> Option<(String, String, String)> {
    let (Constant::Method { class, name_and_type } | Constant::InterfaceMethod { class, name_and_type }) =
        file.constant(index).ok()?
    else {
        return None;
    };
    let (name, descriptor) = file.name_and_type(name_and_type).ok()?;
    Some((file.class_name(class).ok()?.to_string(), name.to_string(), descriptor.to_string()))
}
