//! `MethodHandles.tryFinally`. The library's own code for it expects the JVM to compile the form: it passes null to a
//! cleanup that takes a primitive result.

use machine::{Args, Machine, Raise, Return};
use program::{Insn, Kind, MethodId, Op};

use crate::indy::Assembler;
use crate::natives::not_modelled;

const HANDLE: &str = "java/lang/invoke/MethodHandle";
const IMPL: &str = "java/lang/invoke/MethodHandleImpl";
const WRAPPER: &str = "sun/invoke/util/Wrapper";

/// `tryFinally(target, cleanup, arguments)`.
pub(super) fn try_finally(m: &mut Machine, a: Args) -> Return {
    let code = match m.stubs.get("tryFinally") {
        Some(stub) => *stub,
        None => {
            let stub = assemble(m)?;
            m.stubs.insert("tryFinally".into(), stub);
            stub
        }
    };
    m.tail_call(a, code, &[])
}

/// Registers: 0 to 2 the arguments, 3 the exception, 4 the result, 5 the result's type; calls from 6 on.
fn assemble(m: &mut Machine) -> Result<MethodId, Raise> {
    let (target, cleanup, arguments, thrown, result, result_type, area) = (0, 1, 2, 3, 4, 5, 6);
    let mut code = Assembler::new(3);
    let invoke = find(m, HANDLE, "invokeWithArguments", "([Ljava/lang/Object;)Ljava/lang/Object;")?;
    let type_of = find(m, HANDLE, "type", "()Ljava/lang/invoke/MethodType;")?;
    let return_type = find(m, "java/lang/invoke/MethodType", "returnType", "()Ljava/lang/Class;")?;
    let is_primitive = find(m, "java/lang/Class", "isPrimitive", "()Z")?;
    let zero = find(m, WRAPPER, "zero", "()Ljava/lang/Object;")?;
    code.int(result, 0);
    let start = code.here();
    code.move_value(area, target, Kind::Ref);
    code.move_value(area + 1, arguments, Kind::Ref);
    code.call(m, Op::InvokeVirtual, invoke, area);
    code.move_value(result, area, Kind::Ref);
    code.int(thrown, 0);
    let returned = code.jump(Op::J, 0, 0, 0);
    // The exception arrives in the first register behind the arguments, which is `thrown`.
    code.catch_all(start);
    code.patch(returned);
    code.move_value(area, target, Kind::Ref);
    code.call(m, Op::InvokeVirtual, type_of, area);
    code.call(m, Op::InvokeVirtual, return_type, area);
    code.move_value(result_type, area, Kind::Ref);
    code.call(m, Op::InvokeVirtual, is_primitive, area);
    let mut ready = vec![code.jump(Op::JEqK, area, 0, 0), code.jump(Op::JNull, thrown, 0, 0)];
    code.move_value(area, result_type, Kind::Ref);
    code.call_static(m, WRAPPER, "forPrimitiveType", "(Ljava/lang/Class;)Lsun/invoke/util/Wrapper;", area)?;
    code.call(m, Op::InvokeVirtual, zero, area);
    code.move_value(result, area, Kind::Ref);
    for jump in ready.drain(..) {
        code.patch(jump);
    }
    // A cleanup of a void target takes no result.
    let objects = m.load("[Ljava/lang/Object;")?;
    let void = m.mirror(m.program.primitive(Kind::Void));
    code.emit(Insn::imm(Op::Const, area, 0, void.0));
    let is_void = code.jump(Op::JRefEq, area, result_type, 0);
    extra(&mut code, area, objects.0, &[thrown, result]);
    let both = code.jump(Op::J, 0, 0, 0);
    code.patch(is_void);
    extra(&mut code, area, objects.0, &[thrown]);
    code.patch(both);
    code.move_value(area, arguments, Kind::Ref);
    code.call_static(
        m,
        IMPL,
        "prepend",
        "([Ljava/lang/Object;[Ljava/lang/Object;)[Ljava/lang/Object;",
        area,
    )?;
    code.move_value(area + 1, area, Kind::Ref);
    code.move_value(area, cleanup, Kind::Ref);
    code.call(m, Op::InvokeVirtual, invoke, area);
    let fine = code.jump(Op::JNull, thrown, 0, 0);
    code.emit(Insn::new(Op::Throw, 0, thrown, 0));
    code.patch(fine);
    code.ret(area, Kind::Ref);
    let owner = m.load(IMPL)?;
    let descriptor = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;[Ljava/lang/Object;)Ljava/lang/Object;";
    Ok(code.into_stub(m, owner, "<tryFinally>", descriptor))
}

/// Puts an array of these registers into `area + 1`.
fn extra(code: &mut Assembler, area: u16, class: u32, registers: &[u16]) {
    code.int(area + 2, registers.len() as i32);
    code.emit(Insn::imm(Op::ANewArr, area + 1, area + 2, class));
    for (i, register) in registers.iter().enumerate() {
        code.int(area + 2, i as i32);
        code.emit(Insn::new(Op::AAStore, area + 1, area + 2, *register));
    }
}

fn find(m: &mut Machine, owner: &str, name: &str, descriptor: &str) -> Result<MethodId, Raise> {
    let class = m.load(owner)?;
    let method = m.program.declared_method(class, name, descriptor);
    method.ok_or_else(|| not_modelled(format!("a JDK without {owner}.{name}{descriptor}")))
}
