//! Fields and methods as a class file declares them, and what the machine adds to them.

use crate::class::{ClassId, Field, Method, MethodId};
use crate::classfile::{ClassFile, Malformed, Member, Reader, access};
use crate::descriptor::{Kind, Signature, is_field};
use crate::lax;
use crate::link::Program;

/// Fields and methods on their way into a class.
pub(crate) struct Members {
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
}

impl Members {
    pub(crate) fn read(program: &mut Program, file: &ClassFile) -> Result<Members, Malformed> {
        let broken = |what: &str| Malformed::Broken(what.to_string());
        let rewritten = lax::rewritten(file)?;
        let mut fields = Vec::with_capacity(file.fields.len());
        for (index, member) in file.fields.iter().enumerate() {
            let descriptor = file.utf8(member.descriptor)?;
            if !is_field(&descriptor) {
                return Err(broken("bad field descriptor"));
            }
            let kind = Kind::of(&descriptor).ok_or_else(|| broken("bad field descriptor"))?;
            let name = file.utf8(member.name)?;
            let is_static = member.access & access::STATIC != 0;
            let is_kept = rewritten.is_empty() || !rewritten.contains(&(is_static, name.to_string()));
            fields.push(Field {
                class: ClassId(0),
                name: program.symbols.intern(&name),
                descriptor: program.symbols.intern(&descriptor),
                flags: if is_kept { member.access } else { member.access & !access::FINAL },
                kind,
                offset: 0,
                constant: constant_value(file, member, kind)?,
                index: index as u16,
            });
        }
        let name = file.class_name(file.this_class)?;
        if name == "java/lang/invoke/ResolvedMethodName" {
            fields.push(Self::injected(program, "vmtarget", "J", fields.len()));
        }
        let may_hide = name.starts_with("java/lang/") || name.starts_with("jdk/internal/");
        let mut methods = Vec::with_capacity(file.methods.len());
        for (index, member) in file.methods.iter().enumerate() {
            let descriptor = file.utf8(member.descriptor)?;
            let signature = Signature::parse(&descriptor).ok_or_else(|| broken("bad method descriptor"))?;
            let receiver = u16::from(member.access & access::STATIC == 0);
            if signature.slots + receiver > 255 {
                return Err(broken("a method with too many parameters"));
            }
            methods.push(Method {
                id: MethodId(0),
                class: ClassId(0),
                name: program.symbols.intern(&file.utf8(member.name)?),
                descriptor: program.symbols.intern(&descriptor),
                flags: member.access,
                arguments: signature.slots + receiver,
                signature,
                vtable_index: None,
                index: index as u16,
                code: None,
                native: 0,
                hidden: may_hide && is_hidden(file, member),
            });
        }
        Ok(Members { fields, methods })
    }

    /// A field that no Java code knows, as HotSpot adds some to classes of its own.
    fn injected(program: &mut Program, name: &str, descriptor: &str, index: usize) -> Field {
        Field {
            class: ClassId(0),
            name: program.symbols.intern(name),
            descriptor: program.symbols.intern(descriptor),
            flags: access::PRIVATE | access::SYNTHETIC,
            kind: Kind::of(descriptor).expect("a well-formed descriptor"),
            offset: 0,
            constant: 0,
            index: index as u16,
        }
    }
}

/// Whether a method has one of the annotations that keep it out of stack traces.
fn is_hidden(file: &ClassFile, member: &Member) -> bool {
    let Some(contents) = file.attribute(&member.attributes, "RuntimeVisibleAnnotations") else {
        return false;
    };
    let mut r = Reader::new(contents);
    let Ok(count) = r.u16() else { return false };
    for _ in 0..count {
        let (Ok(annotation), Ok(values)) = (r.u16(), r.u16()) else { return false };
        if file.utf8(annotation).is_ok_and(|name| name.ends_with("/Hidden;") || name.ends_with("$Hidden;")) {
            return true;
        }
        if values != 0 {
            return false;
        }
    }
    false
}

/// The constant a static field starts with, checked against the field's kind.
fn constant_value(file: &ClassFile, member: &Member, kind: Kind) -> Result<u16, Malformed> {
    use crate::classfile::Constant;
    let Some(contents) = file.attribute(&member.attributes, "ConstantValue") else { return Ok(0) };
    if member.access & access::STATIC == 0 {
        return Ok(0);
    }
    let index = Reader::new(contents).u16()?;
    let fits = matches!(
        (kind.on_stack(), file.constant(index)?),
        (Kind::Int, Constant::Integer(_))
            | (Kind::Float, Constant::Float(_))
            | (Kind::Long, Constant::Long(_))
            | (Kind::Double, Constant::Double(_))
            | (Kind::Ref, Constant::String { .. })
    );
    if fits { Ok(index) } else { Err(Malformed::Broken("a constant value of the wrong type".into())) }
}
