//! Final fields that are not: a JVM lets the methods of an old class file write its own final fields.

use std::collections::BTreeSet;

use crate::bytecode::Body;
use crate::classfile::{ClassFile, Constant, Malformed, access};

/// The last version of class files in which that is allowed.
const LAST: u16 = 52;
const PUTSTATIC: u8 = 179;
const PUTFIELD: u8 = 181;

/// The final fields that a class writes outside of its initializers: whether each is static, and its name.
pub(crate) fn rewritten(file: &ClassFile) -> Result<BTreeSet<(bool, String)>, Malformed> {
    let mut found = BTreeSet::new();
    if file.major > LAST || !file.fields.iter().any(|field| field.access & access::FINAL != 0) {
        return Ok(found);
    }
    let owner = file.class_name(file.this_class)?;
    for method in &file.methods {
        let name = file.utf8(method.name)?;
        // What is wrong with a method is said when it is run.
        let Ok(Some(body)) = Body::of(file, &method.attributes) else { continue };
        let mut at = 0;
        while at < body.code.len() {
            let written = match body.code[at] {
                PUTSTATIC if name != "<clinit>" => Some(true),
                PUTFIELD if name != "<init>" => Some(false),
                _ => None,
            };
            if let Some(is_static) = written
                && let Ok(index) = body.u16(at + 1)
                && let Ok(Constant::Field { class, name_and_type }) = file.constant(index)
                && file.class_name(class)? == owner
            {
                found.insert((is_static, file.name_and_type(name_and_type)?.0.into_owned()));
            }
            let Ok(length) = body.length(at) else { break };
            at += length;
        }
    }
    Ok(found)
}
