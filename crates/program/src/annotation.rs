//! Annotations of methods, as far as they have names and texts.

use crate::class::MethodId;
use crate::classfile::{ClassFile, Malformed, Reader};
use crate::link::Program;

/// An annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The internal name of its class.
    pub class: String,
    /// Elements that are texts.
    pub texts: Vec<(String, String)>,
}

impl Program {
    /// The annotations of a method, both those that programs can see and those that only tools can.
    pub fn annotations(&self, id: MethodId) -> Vec<Annotation> {
        let method = self.method(id);
        let Some(file) = &self.class(method.class).file else { return Vec::new() };
        let Some(member) = file.methods.get(method.index as usize) else { return Vec::new() };
        let mut found = Vec::new();
        for name in ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"] {
            if let Some(contents) = file.attribute(&member.attributes, name) {
                // What cannot be read is no annotation.
                let _ = read_all(file, &mut Reader::new(contents), &mut found);
            }
        }
        found
    }
}

/// Annotations in annotations, and lists in lists, of which compilers write two or three.
const DEEPEST: u32 = 64;

fn read_all(file: &ClassFile, r: &mut Reader, found: &mut Vec<Annotation>) -> Result<(), Malformed> {
    for _ in 0..r.u16()? {
        let annotation = read_one(file, r, DEEPEST)?;
        found.push(annotation);
    }
    Ok(())
}

fn read_one(file: &ClassFile, r: &mut Reader, depth: u32) -> Result<Annotation, Malformed> {
    let descriptor = file.utf8(r.u16()?)?;
    let class = descriptor.trim_start_matches('L').trim_end_matches(';').to_string();
    let mut texts = Vec::new();
    for _ in 0..r.u16()? {
        let name = file.utf8(r.u16()?)?.into_owned();
        if let Some(text) = read_value(file, r, depth)? {
            texts.push((name, text));
        }
    }
    Ok(Annotation { class, texts })
}

/// The value of an element, if it is a text.
fn read_value(file: &ClassFile, r: &mut Reader, depth: u32) -> Result<Option<String>, Malformed> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Malformed::Broken("annotations are nested too deeply".into()));
    };
    match r.u8()? {
        b's' => Ok(Some(file.utf8(r.u16()?)?.into_owned())),
        b'e' => {
            r.u16()?;
            r.u16()?;
            Ok(None)
        }
        b'@' => read_one(file, r, depth).map(|_| None),
        b'[' => {
            for _ in 0..r.u16()? {
                read_value(file, r, depth)?;
            }
            Ok(None)
        }
        _ => r.u16().map(|_| None),
    }
}
