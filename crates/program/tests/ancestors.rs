//! Classes that stand below very many others are refused, as loading them would overflow the stack.

use std::fs;

use classpath::{ClassPath, Jdk};
use program::Program;

/// A class file with a name and a superclass, and nothing else.
fn class(name: &str, super_class: &str) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 5];
    for (text, index) in [(name, 2u8), (super_class, 4)] {
        bytes.extend([7, 0, index, 1]);
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes.extend([0, 0x21, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn a_class_with_very_many_ancestors_is_refused() {
    let jdk = Jdk::installed().pop().expect("these tests need a JDK of 17 or later: run `make setup`");
    let folder = tempfile::tempdir().unwrap();
    let last = 20_000;
    for number in 0..last {
        let above = if number + 1 == last { "java/lang/Object".into() } else { format!("C{}", number + 1) };
        fs::write(folder.path().join(format!("C{number}.class")), class(&format!("C{number}"), &above))
            .unwrap();
    }
    let mut program = Program::new(ClassPath::open(&[folder.path().to_path_buf()], &jdk).unwrap());
    let message = program.load("C0").unwrap_err().to_string();
    assert_eq!(message, "class C0 stands below more than 256 others");
    assert!(program.load(&format!("C{}", last - 200)).is_ok());
}
