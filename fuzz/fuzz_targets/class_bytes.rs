//! Any bytes as a class file: read, link and translate every method, as untrusted code.
#![no_main]

use std::cell::RefCell;

use classpath::{ClassPath, Jdk};
use libfuzzer_sys::fuzz_target;
use program::{Bytes, Origin, Program};

/// Classes pile up in a program: it is replaced after this many.
const CLASSES: usize = 4_000;

thread_local! {
    static PROGRAM: RefCell<Option<Program>> = const { RefCell::new(None) };
}

fn fresh() -> Program {
    let jdk = Jdk::installed().into_iter().next().expect("a JDK of 17 or later is installed");
    Program::new(ClassPath::open(&[], &jdk).expect("the JDK opens"))
}

fuzz_target!(|bytes: &[u8]| {
    PROGRAM.with_borrow_mut(|slot| {
        if slot.as_ref().is_none_or(|program| program.classes.len() > CLASSES) {
            *slot = Some(fresh());
        }
        let Some(program) = slot else { return };
        let origin = Origin::User { entry: 0 };
        if let Ok(class) = program.define(None, Bytes::from(bytes.to_vec()), origin, "fuzzed".into()) {
            for method in program.class(class).methods.clone() {
                let _ = program.code(method);
            }
        }
    });
});
