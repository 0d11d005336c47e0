//! Any bytes as a class file: what the tool ever reads of a class is read, as untrusted code.

use std::cell::RefCell;

use classpath::{ClassPath, Jdk};
use program::{Bytes, ClassId, MethodId, Origin, Program};

/// Classes pile up in a program: it is replaced after this many.
const CLASSES: usize = 4_000;
/// Constants that are resolved, which loads classes of the library.
const RESOLVED: usize = 12;
/// Methods whose variables are asked for at every place: more would only take longer.
const CLOSELY: usize = 3;

thread_local! {
    static PROGRAM: RefCell<Option<Program>> = const { RefCell::new(None) };
}

/// Reads, links and translates. Whether the class is good does not matter, only that there is an answer.
pub fn feed(bytes: &[u8]) {
    PROGRAM.with_borrow_mut(|slot| {
        if slot.as_ref().is_none_or(|program| program.classes.len() > CLASSES) {
            *slot = Some(fresh());
        }
        let Some(program) = slot else { return };
        let origin = Origin::User { entry: 0 };
        if let Ok(class) = program.define(None, Bytes::from(bytes.to_vec()), origin, "fuzzed".into()) {
            read_class(program, class);
        }
    });
}

fn fresh() -> Program {
    let jdk = Jdk::installed().into_iter().next().expect("a JDK of 17 or later is installed");
    Program::new(ClassPath::open(&[], &jdk).expect("the JDK opens"))
}

fn read_class(program: &mut Program, class: ClassId) {
    program.source_file(class);
    program.class_parameters(class);
    program.generic_parents(class);
    program.source_name(class, "");
    program.outer_class(class);
    program.has_quiet_initializer(class);
    let fields = program.class(class).fields.len();
    for field in 0..fields {
        program.field_type(&program.class(class).fields[field]);
    }
    let constants = program.class(class).file.as_ref().map_or(0, |file| file.pool_len());
    for index in 0..constants as u16 {
        let _ = program.class(class).file.as_ref().map(|file| file.constant(index).is_ok());
    }
    for index in 0..constants.min(RESOLVED) as u16 {
        let _ = program.member_ref(class, index);
        let _ = program.class_ref(class, index);
    }
    for (number, method) in program.class(class).methods.clone().into_iter().enumerate() {
        read_method(program, method, number < CLOSELY);
    }
}

fn read_method(program: &mut Program, method: MethodId, closely: bool) {
    let length = program.code(method).ok().flatten().map_or(0, |code| code.insns.len());
    program.annotations(method);
    program.method_types(method);
    program.declared_exceptions(method);
    program.line(method, 0);
    // Also places that are no instruction, and some behind the end. Each is an analysis of the whole method.
    for bci in 0..if closely { length.min(6) as u16 + 2 } else { 1 } {
        program.locals(method, bci);
        program.slots_at(method, bci);
        program.line(method, bci);
    }
}
