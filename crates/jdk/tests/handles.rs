//! Method handles survive a rollback: what was linked after the checkpoint is linked again, with the same result.

use classpath::{ClassPath, Jdk};
use machine::{Config, Machine, Ref, Value};
use program::{Kind, MethodId, Program};

/// Finds a static method of a JDK class.
fn find(m: &mut Machine, class: &str, name: &str, descriptor: &str) -> MethodId {
    let id = m.load(class).expect("the class is there");
    m.initialize_now(id).expect("it can be initialized");
    m.program.declared_method(id, name, descriptor).expect("the method is there")
}

/// Runs code of the library that goes through var handles and method handles: the layouts of `ConcurrentLinkedQueue`.
fn work(m: &mut Machine) -> i32 {
    let value_of = find(m, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
    let Ok(Value::One(seven)) = m.call(value_of, &[7]) else { panic!("no Integer") };
    let class = m.load("java/util/concurrent/ConcurrentLinkedQueue").expect("the class is there");
    m.initialize_now(class).expect("it can be initialized");
    let queue = m.allocate(class).expect("room");
    m.roots.push(queue);
    let construct = m.program.declared_method(class, "<init>", "()V").expect("a constructor");
    m.call(construct, &[queue.word()]).expect("it constructs");
    let add = m.program.declared_method(class, "add", "(Ljava/lang/Object;)Z").expect("add");
    for _ in 0..3 {
        m.call(add, &[queue.word(), seven]).expect("it adds");
    }
    let poll = m.program.declared_method(class, "poll", "()Ljava/lang/Object;").expect("poll");
    m.call(poll, &[queue.word()]).expect("it polls");
    let size = m.program.declared_method(class, "size", "()I").expect("size");
    let Ok(Value::One(size)) = m.call(size, &[queue.word()]) else { panic!("no size") };
    m.roots.pop();
    size as i32
}

/// `MethodHandles.identity(int.class).invokeWithArguments(value)`.
fn identity(m: &mut Machine, value: u64) -> u64 {
    let handles = "java/lang/invoke/MethodHandles";
    let make = find(m, handles, "identity", "(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;");
    let int = m.mirror(m.program.primitive(Kind::Int));
    let Ok(Value::One(handle)) = m.call(make, &[int.word()]) else { panic!("no handle") };
    m.roots.push(Ref::from_word(handle));
    let value_of = find(m, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
    let Ok(Value::One(boxed)) = m.call(value_of, &[value]) else { panic!("no Integer") };
    let objects = m.load("[Ljava/lang/Object;").expect("arrays");
    let arguments = m.allocate_array(objects, 1).expect("room");
    m.set_element(arguments, 0, Ref::from_word(boxed));
    let descriptor = "([Ljava/lang/Object;)Ljava/lang/Object;";
    let invoke = find(m, "java/lang/invoke/MethodHandle", "invokeWithArguments", descriptor);
    let Ok(Value::One(result)) = m.call(invoke, &[handle, arguments.word()]) else { panic!("no result") };
    m.roots.pop();
    m.field(Ref::from_word(result), "value")
}

#[test]
fn linked_again_after_rollback() {
    for jdk in Jdk::installed() {
        let Ok(path) = ClassPath::open(&[], &jdk) else { continue };
        let mut m = jdk::boot::boot(Program::new(path), Config::default()).expect("the library boots");
        for _ in 0..3 {
            let checkpoint = m.checkpoint();
            assert_eq!(work(&mut m), 2);
            assert_eq!(identity(&mut m, 41), 41);
            m.rollback(checkpoint);
            m.commit(checkpoint);
        }
        assert_eq!(work(&mut m), 2);
        assert_eq!(identity(&mut m, 42), 42);
        m.collect();
        assert_eq!(work(&mut m), 2);
        assert_eq!(identity(&mut m, 43), 43);
    }
}
