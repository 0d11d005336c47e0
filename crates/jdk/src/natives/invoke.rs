//! Reflective calls: arguments are unboxed here, then a stub on the machine's own stack makes the call.
//!
//! Up to JDK 17 a native makes the call: its stub calls one target, boxes the result, and wraps what the target throws
//! in `InvocationTargetException`; it stands in stack traces as the native it replaces. Since JDK 18 the library calls
//! a method handle from Java code that does the wrapping. The accessors are that code's, but instead of the handle
//! they hold the reflected member, and the method that would call the handle is a native with a stub of its own.

use machine::{Args, Machine, Raise, Ref, Return, Value, Word};
use program::{ClassId, Code, Handler, Insn, Kind, MethodId, Op, access};

use super::boxing::{box_name, unbox, widen, words_inside};
use super::members::{method_of, object_array};
use super::{Entry, not_modelled};

const INVOKE: &str = "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
const NEW_INSTANCE: &str = "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;";

const METHOD_ACCESSOR: &str = "jdk/internal/reflect/DirectMethodHandleAccessor";
const CONSTRUCTOR_ACCESSOR: &str = "jdk/internal/reflect/DirectConstructorHandleAccessor";
const WRAPPER: &str = "java/lang/reflect/InvocationTargetException";
const FACTORY: &str = "jdk/internal/reflect/MethodHandleAccessorFactory";

pub(super) const TABLE: &[Entry] = &[
    (
        FACTORY,
        "newMethodAccessor",
        "(Ljava/lang/reflect/Method;Z)Ljdk/internal/reflect/MethodAccessorImpl;",
        method_accessor,
    ),
    (
        FACTORY,
        "newConstructorAccessor",
        "(Ljava/lang/reflect/Constructor;)Ljdk/internal/reflect/ConstructorAccessorImpl;",
        |m, a| {
            let constructor = a.non_null(m, 0)?;
            let class = m.program.method(method_of(m, constructor)?).class;
            constructor_accessor(m, constructor, class, constructor)
        },
    ),
    (
        FACTORY,
        "newSerializableConstructorAccessor",
        "(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)Ljdk/internal/reflect/ConstructorAccessorImpl;",
        |m, a| {
            let (mirror, constructor) = (a.non_null(m, 0)?, a.non_null(m, 1)?);
            let class = m.mirrored(mirror);
            match object_array(m, "[Ljava/lang/Object;", &[constructor, mirror])? {
                Value::One(pair) => constructor_accessor(m, constructor, class, Ref::from_word(pair)),
                _ => Err(not_modelled("an array that is none")),
            }
        },
    ),
    (
        METHOD_ACCESSOR,
        "invokeImpl",
        "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        invoke_direct,
    ),
    (
        METHOD_ACCESSOR,
        "invokeImpl",
        "(Ljava/lang/Object;[Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
        invoke_direct,
    ),
    (CONSTRUCTOR_ACCESSOR, "invokeImpl", "([Ljava/lang/Object;)Ljava/lang/Object;", construct_direct),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke0", INVOKE, invoke),
    ("jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor", "invoke0", INVOKE, invoke),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", "newInstance0", NEW_INSTANCE, new_instance),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        "newInstance0",
        NEW_INSTANCE,
        new_instance,
    ),
];

fn invoke(m: &mut Machine, a: Args) -> Return {
    let method = a.non_null(m, 0)?;
    let target = method_of(m, method)?;
    let declared = m.program.method(target);
    let (class, is_static) = (declared.class, declared.is_static());
    let mut words = Vec::new();
    if is_static {
        m.initialize(class)?;
    } else {
        let receiver = a.non_null(m, 1)?;
        if !m.is_instance(receiver, class) {
            return Err(illegal(m, "object is not an instance of declaring class"));
        }
        words.push(receiver.word());
    }
    let arguments = a.reference(m, 2);
    let types = Ref::from_word(m.field(method, "parameterTypes"));
    push_arguments(m, types, arguments, &mut words)?;
    prepare_classes(m, target, Thrown::Wrapped)?;
    let stub = invoke_stub(m, a.method, target, Thrown::Wrapped)?;
    m.tail_call(a, stub, &words)
}

fn new_instance(m: &mut Machine, a: Args) -> Return {
    let constructor = a.non_null(m, 0)?;
    let target = method_of(m, constructor)?;
    let class = m.program.method(target).class;
    let declared = m.program.class(class);
    if declared.flags & (access::ABSTRACT | access::INTERFACE) != 0 {
        return Err(m.raise("java/lang/InstantiationException", None));
    }
    m.initialize(class)?;
    let mut words = vec![0, 0];
    let arguments = a.reference(m, 1);
    let types = Ref::from_word(m.field(constructor, "parameterTypes"));
    push_arguments(m, types, arguments, &mut words)?;
    prepare_classes(m, target, Thrown::Wrapped)?;
    let stub = construct_stub(m, a.method, target, Thrown::Wrapped)?;
    let object = m.allocate(class)?;
    words[0] = object.word();
    words[1] = object.word();
    m.tail_call(a, stub, &words)
}

/// Initializes the classes a stub makes objects of. A stub outlives a rollback, their initialization does not, and
/// whether it happens must not depend on the stub being there.
fn prepare_classes(m: &mut Machine, target: MethodId, thrown: Thrown) -> Result<(), Raise> {
    if let Some(name) = box_name(m.program.method(target).signature.result) {
        let class = m.load(name)?;
        m.initialize(class)?;
    }
    if thrown == Thrown::Wrapped {
        let class = m.load(WRAPPER)?;
        m.initialize(class)?;
    }
    Ok(())
}

fn method_accessor(m: &mut Machine, a: Args) -> Return {
    const IS_STATIC: u64 = 0x200;
    const NONZERO: u64 = 0x8000_0000;
    let method = a.non_null(m, 0)?;
    let target = m.program.method(method_of(m, method)?);
    let (class, is_static) = (target.class, target.is_static());
    let count = target.signature.parameters.len();
    m.initialize(class)?;
    let accessor_class = m.load(METHOD_ACCESSOR)?;
    m.initialize(accessor_class)?;
    let accessor = m.allocate(accessor_class)?;
    m.set_field(accessor, "declaringClass", m.mirror(class).word());
    m.set_field(accessor, "paramCount", count as u64);
    m.set_field(accessor, "flags", NONZERO | if is_static { IS_STATIC } else { 0 });
    m.set_field(accessor, "target", method.word());
    Ok(Value::reference(accessor))
}

fn constructor_accessor(m: &mut Machine, constructor: Ref, class: ClassId, target: Ref) -> Return {
    m.initialize(class)?;
    let count = m.program.method(method_of(m, constructor)?).signature.parameters.len();
    let accessor_class = m.load(CONSTRUCTOR_ACCESSOR)?;
    m.initialize(accessor_class)?;
    let accessor = m.allocate(accessor_class)?;
    m.set_field(accessor, "paramCount", count as u64);
    m.set_field(accessor, "target", target.word());
    Ok(Value::reference(accessor))
}

fn invoke_direct(m: &mut Machine, a: Args) -> Return {
    let accessor = a.non_null(m, 0)?;
    let method = Ref::from_word(m.field(accessor, "target"));
    let target = method_of(m, method)?;
    let mut words = Vec::new();
    if !m.program.method(target).is_static() {
        words.push(a.reference(m, 1).word());
    }
    let arguments = a.reference(m, 2);
    let types = Ref::from_word(m.field(method, "parameterTypes"));
    push_arguments(m, types, arguments, &mut words)?;
    prepare_classes(m, target, Thrown::AsIs)?;
    let stub = invoke_stub(m, a.method, target, Thrown::AsIs)?;
    m.tail_call(a, stub, &words)
}

fn construct_direct(m: &mut Machine, a: Args) -> Return {
    let accessor = a.non_null(m, 0)?;
    let target = Ref::from_word(m.field(accessor, "target"));
    // A constructor for deserialization comes with the class to make.
    let (constructor, class) = if m.array_kind(target).is_some() {
        (m.element(target, 0), m.mirrored(m.element(target, 1)))
    } else {
        (target, m.program.method(method_of(m, target)?).class)
    };
    let target = method_of(m, constructor)?;
    let mut words = vec![0, 0];
    let arguments = a.reference(m, 1);
    let types = Ref::from_word(m.field(constructor, "parameterTypes"));
    push_arguments(m, types, arguments, &mut words)?;
    let stub = construct_stub(m, a.method, target, Thrown::AsIs)?;
    let object = m.allocate(class)?;
    words[0] = object.word();
    words[1] = object.word();
    m.tail_call(a, stub, &words)
}

/// What a stub does with an exception of its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thrown {
    Wrapped,
    AsIs,
}

fn illegal(m: &mut Machine, message: &str) -> Raise {
    m.raise("java/lang/IllegalArgumentException", Some(message))
}

/// Checks and unboxes the arguments for the parameter types.
fn push_arguments(m: &mut Machine, types: Ref, arguments: Ref, words: &mut Vec<Word>) -> Result<(), Raise> {
    let expected = m.heap.length(types);
    let given = if arguments.is_null() { 0 } else { m.heap.length(arguments) };
    if expected != given {
        let message = if m.program.path.jdk().feature() < 18 {
            "wrong number of arguments".to_string()
        } else {
            format!("wrong number of arguments: {given} expected: {expected}")
        };
        return Err(illegal(m, &message));
    }
    for i in 0..expected {
        let class = m.mirrored(m.element(types, i));
        let value = m.element(arguments, i);
        let program::Shape::Primitive(kind) = m.program.class(class).shape else {
            if !value.is_null() && !m.is_instance(value, class) {
                return Err(mismatch(m, value, class));
            }
            words.push(value.word());
            continue;
        };
        if value.is_null() {
            return Err(null_argument(m, kind));
        }
        if let Some(inside) = words_inside(m, value, kind) {
            words.extend(inside);
            continue;
        }
        let Some(word) = unbox(m, value)?.and_then(|(from, word)| widen(from, kind, word)) else {
            return Err(mismatch(m, value, class));
        };
        words.push(word);
        if kind.width() == 2 {
            words.push(0);
        }
    }
    Ok(())
}

/// An argument of the wrong type: since JDK 18 the Java code around makes the final exception of it.
fn mismatch(m: &mut Machine, value: Ref, class: ClassId) -> Raise {
    if m.program.path.jdk().feature() < 18 {
        return illegal(m, "argument type mismatch");
    }
    let (from, to) =
        (m.class_name_of(value).replace('/', "."), m.program.class_name(class).replace('/', "."));
    m.raise("java/lang/ClassCastException", Some(&format!("Cannot cast {from} to {to}")))
}

/// A null for a primitive parameter.
fn null_argument(m: &mut Machine, kind: Kind) -> Raise {
    if m.program.path.jdk().feature() < 18 {
        return m.raise("java/lang/IllegalArgumentException", None);
    }
    let unboxing = match kind {
        Kind::Boolean | Kind::Char => "int",
        kind => kind.primitive_name(),
    };
    let message = format!(
        "Cannot invoke \"java.lang.Number.{unboxing}Value()\" because the return value of \
         \"sun.invoke.util.ValueConversions.primitiveConversion(sun.invoke.util.Wrapper, Object, boolean)\" is null"
    );
    m.raise("java/lang/NullPointerException", Some(&message))
}

fn invoke_stub(
    m: &mut Machine,
    native: MethodId,
    target: MethodId,
    thrown: Thrown,
) -> Result<MethodId, Raise> {
    if let Some(stub) = m.reflective_stubs.get(&(native, target)).copied() {
        return Ok(stub);
    }
    let method = m.program.method(target);
    let (kind, slots) = (method.signature.result, method.arguments);
    let kinds = method.argument_kinds();
    // Registers: the arguments, where the result appears too; the exception; room to construct.
    let locals = slots.max(2);
    let mut insns = vec![m.call_insn(target, 0)];
    match kind {
        Kind::Void => insns.extend([Insn::imm(Op::Const, 0, 0, 0), Insn::new(Op::Ret1, 0, 0, 0)]),
        Kind::Ref => insns.push(Insn::new(Op::Ret1, 0, 0, 0)),
        _ => push_boxing(m, kind, locals, &mut insns)?,
    }
    let stub = finish_stub(m, native, thrown, &kinds, locals, insns)?;
    m.reflective_stubs.insert((native, target), stub);
    Ok(stub)
}

/// The object is passed twice: the constructor's frame may overwrite the one it gets.
fn construct_stub(
    m: &mut Machine,
    native: MethodId,
    target: MethodId,
    thrown: Thrown,
) -> Result<MethodId, Raise> {
    if let Some(stub) = m.reflective_stubs.get(&(native, target)).copied() {
        return Ok(stub);
    }
    let method = m.program.method(target);
    let locals = method.arguments + 1;
    let mut kinds = vec![Kind::Ref];
    kinds.extend(method.argument_kinds());
    let insns = vec![m.call_insn(target, 1), Insn::new(Op::Ret1, 0, 0, 0)];
    let stub = finish_stub(m, native, thrown, &kinds, locals, insns)?;
    m.reflective_stubs.insert((native, target), stub);
    Ok(stub)
}

/// Boxes the primitive at register 0 and returns the box: fresh boxes up to JDK 17, where the JVM makes them, and
/// `valueOf` since, where method handles do.
fn push_boxing(m: &mut Machine, kind: Kind, free: u16, insns: &mut Vec<Insn>) -> Result<(), Raise> {
    let name = box_name(kind).ok_or_else(|| not_modelled("boxing of nothing"))?;
    let class = m.load(name)?;
    if m.program.path.jdk().feature() >= 18 {
        let descriptor = format!("({})L{name};", kind.letter());
        let value_of = m.program.declared_method(class, "valueOf", &descriptor);
        let value_of = value_of.ok_or_else(|| not_modelled(format!("{name} without valueOf")))?;
        insns.extend([m.call_insn(value_of, 0), Insn::new(Op::Ret1, 0, 0, 0)]);
        return Ok(());
    }
    let offset =
        m.field_offset(class, "value").ok_or_else(|| not_modelled(format!("{name} without a value")))?;
    let put = match kind {
        Kind::Long | Kind::Double => Op::PutF2,
        Kind::Boolean => Op::PutFZ,
        Kind::Byte => Op::PutFB,
        Kind::Char => Op::PutFC,
        Kind::Short => Op::PutFS,
        _ => Op::PutF1,
    };
    insns.push(Insn::imm(Op::NewI, free, 0, class.0));
    insns.push(Insn::imm(put, free, 0, offset));
    insns.push(Insn::new(Op::Ret1, 0, free, 0));
    Ok(())
}

/// Adds the stub. One that wraps exceptions has a handler around the first instruction and passes for the native in
/// stack traces; the other one is left out of them.
fn finish_stub(
    m: &mut Machine,
    native: MethodId,
    thrown: Thrown,
    kinds: &[Kind],
    locals: u16,
    mut insns: Vec<Insn>,
) -> Result<MethodId, Raise> {
    let handlers: Box<[Handler]> = match thrown {
        Thrown::AsIs => Box::new([]),
        Thrown::Wrapped => Box::new([Handler { start: 0, end: 1, target: insns.len() as u32, class: 0 }]),
    };
    if thrown == Thrown::Wrapped {
        push_wrapping(m, locals, &mut insns)?;
    }
    let parameters: String =
        kinds
            .iter()
            .map(|kind| {
                if *kind == Kind::Ref { "Ljava/lang/Object;".to_string() } else { kind.letter().to_string() }
            })
            .collect();
    let code = Code {
        bci: vec![0; insns.len()].into(),
        insns: insns.into(),
        locals,
        registers: locals + 6,
        handlers,
        switches: Box::new([]),
    };
    let method = m.program.method(native);
    let (owner, name) = (method.class, m.program.text(method.name).to_string());
    let stub = m.add_native_stub(owner, &name, &format!("({parameters})Ljava/lang/Object;"), code);
    m.program.methods[stub.0 as usize].hidden = thrown == Thrown::AsIs;
    Ok(stub)
}

/// The handler: the exception arrives in register `locals`.
fn push_wrapping(m: &mut Machine, locals: u16, insns: &mut Vec<Insn>) -> Result<(), Raise> {
    let wrapper = m.load(WRAPPER)?;
    let init = m.program.declared_method(wrapper, "<init>", "(Ljava/lang/Throwable;)V");
    let init = init.ok_or_else(|| not_modelled("InvocationTargetException without its constructor"))?;
    insns.extend([
        Insn::imm(Op::NewI, locals + 1, 0, wrapper.0),
        Insn::new(Op::Mov, locals + 2, locals + 1, 0),
        Insn::new(Op::Mov, locals + 3, locals, 0),
        m.call_insn(init, locals + 2),
        Insn::new(Op::Throw, 0, locals + 1, 0),
    ]);
    Ok(())
}
