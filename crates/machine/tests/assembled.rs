//! The machine on class files made by hand: what instructions do, how runs end, and that every change is taken back.

use classpath::ClassPath;
use machine::{Config, End, Machine, Step, Stop, Value, Word};
use program::{MethodId, Program};
use testkit::assemble::{ABSTRACT, Class, Code, PUBLIC, STATIC, folder};

/// A machine with some classes and the library.
fn machine(classes: &[Class]) -> Machine {
    let folder = folder(classes);
    let path = ClassPath::open(&[folder.path().to_path_buf()], testkit::jdk()).expect("a class path");
    let mut m = jdk::boot::boot(Program::new(path), Config::default()).expect("the library starts");
    // Classes are read when they are first needed, and the folder goes with this function.
    for class in ["A", "B", "C", "I"] {
        let _ = m.load(class);
    }
    m
}

fn method(m: &mut Machine, name: &str, descriptor: &str) -> MethodId {
    let class = m.load("A").unwrap_or_else(|_| panic!("A is there"));
    m.program.declared_method(class, name, descriptor).expect("the method is there")
}

/// Runs a static method of `A` to its end.
fn run(m: &mut Machine, name: &str, descriptor: &str, arguments: &[Word]) -> Step {
    let id = method(m, name, descriptor);
    assert!(matches!(m.enter(id, arguments), Ok(None)), "it has code");
    loop {
        match m.run(1000) {
            Step::Continue => {}
            step => return step,
        }
    }
}

fn int(step: Step) -> i32 {
    match step {
        Step::End(End::Returned(Value::One(word))) => word as u32 as i32,
        other => panic!("{other:?}"),
    }
}

fn thrown(m: &Machine, step: Step) -> String {
    match step {
        Step::End(End::Threw(exception)) => m.class_name_of(exception).to_string(),
        other => panic!("{other:?}"),
    }
}

fn word(value: i32) -> Word {
    Word::from(value as u32)
}

/// `static int A.m(int, int)` with some code.
fn binary(code: impl FnOnce(&mut Code)) -> Class {
    Class::new("A").method(PUBLIC | STATIC, "m", "(II)I", code)
}

#[test]
fn arithmetic_wraps_around() {
    // iload_0, iload_1, an instruction, ireturn
    for (op, a, b, expected) in [
        (0x60, i32::MAX, 1, i32::MIN),
        (0x64, i32::MIN, 1, i32::MAX),
        (0x68, 65_536, 65_536, 0),
        (0x6C, i32::MIN, -1, i32::MIN),
        (0x70, -7, 3, -1),
        (0x78, 1, 33, 2),
        (0x7A, -8, 1, -4),
        (0x7C, -1, 28, 15),
        (0x82, 6, 3, 5),
    ] {
        let mut m = machine(&[binary(|code| {
            code.op(&[0x1A, 0x1B, op, 0xAC]);
        })]);
        assert_eq!(int(run(&mut m, "m", "(II)I", &[word(a), word(b)])), expected, "{op:#x} of {a} and {b}");
    }
}

/// The sum of the numbers below an argument.
fn sum(code: &mut Code) {
    // istore_1 = 0; istore_2 = 0
    code.op(&[0x03, 0x3C, 0x03, 0x3D]);
    let (again, end) = (code.here(), code.label());
    // while (i < n) { sum += i; i++ }
    code.op(&[0x1C, 0x1A]).jump(0xA2, end).op(&[0x1B, 0x1C, 0x60, 0x3C, 0x84, 2, 1]).jump(0xA7, again);
    code.place(end).op(&[0x1B, 0xAC]);
}

#[test]
fn a_loop_runs_in_slices_of_any_size() {
    let class = || Class::new("A").method(PUBLIC | STATIC, "sum", "(I)I", sum);
    let mut m = machine(&[class()]);
    assert_eq!(int(run(&mut m, "sum", "(I)I", &[word(1000)])), 499_500);
    let steps = m.steps;
    let mut slow = machine(&[class()]);
    let id = method(&mut slow, "sum", "(I)I");
    assert!(slow.enter(id, &[word(1000)]).is_ok());
    let end = loop {
        match slow.run(1) {
            Step::Continue => {}
            step => break step,
        }
    };
    assert_eq!(int(end), 499_500);
    assert_eq!(slow.steps, steps, "slices do not change what is counted");
}

#[test]
fn faults_are_exceptions_of_the_program() {
    let class = Class::new("A")
        .method(PUBLIC | STATIC, "divide", "(II)I", |code| {
            code.op(&[0x1A, 0x1B, 0x6C, 0xAC]);
        })
        .method(PUBLIC | STATIC, "element", "(II)I", |code| {
            // new int[a][b]
            code.op(&[0x1A, 0xBC, 10, 0x1B, 0x2E, 0xAC]);
        })
        .method(PUBLIC | STATIC, "length", "()I", |code| {
            code.op(&[0x01, 0xBE, 0xAC]);
        })
        .method(PUBLIC | STATIC, "cast", "()I", |code| {
            code.string("text").class(0xC0, "java/lang/Integer").op(&[0x57, 0x03, 0xAC]);
        });
    let mut m = machine(&[class]);
    for (name, descriptor, arguments, expected) in [
        ("divide", "(II)I", vec![1, 0], "java/lang/ArithmeticException"),
        ("element", "(II)I", vec![2, 2], "java/lang/ArrayIndexOutOfBoundsException"),
        ("element", "(II)I", vec![-1, 0], "java/lang/NegativeArraySizeException"),
        ("length", "()I", vec![], "java/lang/NullPointerException"),
        ("cast", "()I", vec![], "java/lang/ClassCastException"),
    ] {
        let arguments: Vec<Word> = arguments.into_iter().map(word).collect();
        let end = run(&mut m, name, descriptor, &arguments);
        assert_eq!(thrown(&m, end), expected, "{name}");
    }
}

#[test]
fn a_handler_catches_what_it_names() {
    let class = |catches: &str| {
        binary(|code| {
            let from = code.here();
            code.op(&[0x1A, 0x1B, 0x6C, 0xAC]);
            let handler = code.here();
            code.op(&[0x57, 0x10, 42, 0xAC]).handler(from, handler, handler, catches);
        })
    };
    let mut m = machine(&[class("java/lang/RuntimeException")]);
    assert_eq!(int(run(&mut m, "m", "(II)I", &[word(1), word(0)])), 42);
    let mut m = machine(&[class("java/lang/IllegalStateException")]);
    let end = run(&mut m, "m", "(II)I", &[word(1), word(0)]);
    assert_eq!(thrown(&m, end), "java/lang/ArithmeticException");
}

#[test]
fn calls_go_to_the_class_of_the_object() {
    let empty = |code: &mut Code| {
        code.op(&[0x2A]).invoke(0xB7, "java/lang/Object", "<init>", "()V").op(&[0xB1]);
    };
    let answers = |name: &str, number: u8| {
        Class::new(name).implements("I").method(PUBLIC, "<init>", "()V", empty).method(
            PUBLIC,
            "answer",
            "()I",
            |code| {
                code.op(&[0x10, number, 0xAC]);
            },
        )
    };
    let interface = Class::interface("I").declare(PUBLIC | ABSTRACT, "answer", "()I");
    let main = Class::new("A").method(PUBLIC | STATIC, "both", "()I", |code| {
        for name in ["B", "C"] {
            code.class(0xBB, name).op(&[0x59]).invoke(0xB7, name, "<init>", "()V");
            code.invoke_interface("I", "answer", "()I", 1);
        }
        // b * 100 + c is not commutative: the stack holds b, c.
        code.op(&[0x5F, 0x10, 100, 0x68, 0x60, 0xAC]);
    });
    let mut m = machine(&[interface, answers("B", 12), answers("C", 34), main]);
    assert_eq!(int(run(&mut m, "both", "()I", &[])), 1234);
}

/// A static counter, an object in a static field, and output are as they were.
#[test]
fn rollback_takes_everything_back() {
    let class = Class::new("A")
        .field(PUBLIC | STATIC, "count", "I")
        .field(PUBLIC | STATIC, "list", "[I")
        .method(PUBLIC | STATIC, "step", "()I", |code| {
            // count = count + 1; list = new int[count]; return count
            code.field(0xB2, "A", "count", "I").op(&[0x04, 0x60]).field(0xB3, "A", "count", "I");
            code.field(0xB2, "A", "count", "I").op(&[0xBC, 10]).field(0xB3, "A", "list", "[I");
            code.field(0xB2, "A", "count", "I").op(&[0xAC]);
        });
    let mut m = machine(&[class]);
    assert_eq!(int(run(&mut m, "step", "()I", &[])), 1);
    let outer = m.checkpoint();
    assert_eq!(int(run(&mut m, "step", "()I", &[])), 2);
    let inner = m.checkpoint();
    for _ in 0..3 {
        assert_eq!(int(run(&mut m, "step", "()I", &[])), 3);
        m.rollback(inner);
    }
    m.commit(inner);
    assert_eq!(int(run(&mut m, "step", "()I", &[])), 3);
    m.rollback(outer);
    assert_eq!(int(run(&mut m, "step", "()I", &[])), 2, "what was committed belongs to the outer checkpoint");
}

/// A rollback in the middle of a loop, at many places, never changes what comes out.
#[test]
fn a_run_that_was_taken_back_goes_on_the_same_way() {
    let mut m = machine(&[Class::new("A").method(PUBLIC | STATIC, "sum", "(I)I", sum)]);
    let id = method(&mut m, "sum", "(I)I");
    assert!(m.enter(id, &[word(100)]).is_ok());
    let end = loop {
        let before = m.checkpoint();
        let (steps, again) = (m.steps, m.run(7));
        if !matches!(again, Step::Continue) {
            break again;
        }
        m.rollback(before);
        m.steps = steps;
        let _ = m.run(7);
        m.commit(before);
    };
    assert_eq!(int(end), 4950);
}

#[test]
fn steps_have_a_limit() {
    let class = Class::new("A").method(PUBLIC | STATIC, "forever", "()V", |code| {
        let here = code.here();
        code.jump(0xA7, here);
    });
    let mut m = machine(&[class]);
    m.step_limit = m.steps + 10_000;
    let end = run(&mut m, "forever", "()V", &[]);
    assert!(matches!(end, Step::Stop(Stop::Steps)), "{end:?}");
}
