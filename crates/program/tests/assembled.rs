//! What is asked of linked classes, on class files made by hand.

use classpath::ClassPath;
use program::{LinkError, Program};
use testkit::assemble::{ABSTRACT, Class, PUBLIC, STATIC, folder};

fn program(classes: &[Class]) -> Program {
    let folder = folder(classes);
    let path = ClassPath::open(&[folder.path().to_path_buf()], testkit::jdk()).expect("a class path");
    let mut program = Program::new(path);
    // Before the folder goes.
    for class in ["A", "B", "C", "I"] {
        let _ = program.load(class);
    }
    program
}

/// `static int A.m(int)`: 1 for positive numbers, else 0, and a jump over nothing.
fn sign() -> Class {
    Class::new("A").method(PUBLIC | STATIC, "m", "(I)I", |code| {
        let (positive, end) = (code.label(), code.label());
        code.op(&[0x1A]).jump(0x9D, positive).op(&[0x03, 0x3C]).jump(0xA7, end);
        code.place(positive).op(&[0x04, 0x3C]);
        code.place(end).op(&[0x1B, 0xAC]);
    })
}

#[test]
fn a_condition_has_two_branches_and_three_blocks() {
    let mut program = program(&[sign()]);
    let class = program.load("A").expect("it is there");
    let method = program.declared_method(class, "m", "(I)I").expect("the method is there");
    let branches = program.branches(method);
    assert_eq!(branches.iter().map(|branch| branch.way).collect::<Vec<_>>(), [0, 1]);
    // The beginning, and where each branch leads.
    assert_eq!(program.blocks(method).len(), 3);
    let taken = program.reached(method, &branches[1..], true);
    let not_taken = program.reached(method, &branches[..1], true);
    assert!(taken != not_taken, "{taken:?}");
}

#[test]
fn methods_are_found_where_they_are_declared() {
    let above = Class::new("B").method(PUBLIC | STATIC, "own", "()V", |code| {
        code.op(&[0xB1]);
    });
    let interface = Class::interface("I").declare(PUBLIC | ABSTRACT, "answer", "()I");
    let below = Class::below("C", "B").implements("I");
    let mut program = program(&[above, interface, below]);
    let [b, c, i] = ["B", "C", "I"].map(|name| program.load(name).expect("it is there"));
    assert!(program.is_subtype(c, b) && program.is_subtype(c, i) && !program.is_subtype(b, i));
    assert!(program.declared_method(c, "own", "()V").is_none());
    let own = program.find_method_named(c, "own", "()V").expect("it is inherited");
    assert_eq!(program.method(own).class, b);
    let answer = program.find_method_named(c, "answer", "()I").expect("it is inherited");
    assert!(
        program.method(answer).is_abstract() && program.class(program.method(answer).class).is_interface()
    );
}

#[test]
fn what_is_missing_is_named() {
    let mut program = program(&[]);
    match program.load("no/such/Class") {
        Err(LinkError::NotFound(name)) => assert_eq!(name, "no/such/Class"),
        other => panic!("{other:?}"),
    }
}

/// A class is its own ancestor.
#[test]
fn circles_of_classes_are_refused() {
    let folder = folder(&[Class::below("A", "B"), Class::below("B", "A")]);
    let path = ClassPath::open(&[folder.path().to_path_buf()], testkit::jdk()).expect("a class path");
    assert!(Program::new(path).load("A").is_err());
}
