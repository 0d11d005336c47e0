//! Fields and methods as a class file declares them, and what the machine adds to them.

use crate::bytecode::Body;
use crate::class::{ClassId, Field, Method, MethodId};
use crate::classfile::{ClassFile, Constant, Malformed, Member, Reader, access};
use crate::descriptor::{Kind, Signature, is_field};
use crate::link::Program;

/// The last version of class files in which methods may write final fields of their class.
const LAST_LAX: u16 = 52;
const PUTSTATIC: u8 = 179;
const PUTFIELD: u8 = 181;

/// Fields and methods on their way into a class.
pub(crate) struct Members {
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
}

impl Members {
    pub(crate) fn read(program: &mut Program, file: &ClassFile) -> Result<Members, Malformed> {
        let broken = |what: &str| Malformed::Broken(what.to_string());
        let mut fields = Vec::with_capacity(file.fields.len());
        for (index, member) in file.fields.iter().enumerate() {
            let descriptor = file.utf8(member.descriptor)?;
            if !is_field(&descriptor) {
                return Err(broken("bad field descriptor"));
            }
            let kind = Kind::of(&descriptor).ok_or_else(|| broken("bad field descriptor"))?;
            let is_kept = member.access & access::FINAL == 0 || !is_rewritten(file, member)?;
            fields.push(Field {
                class: ClassId(0),
                name: program.symbols.intern(&file.utf8(member.name)?),
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
/// Whether a final field is written outside of initializers, which a JVM allows in old class files.
fn is_rewritten(file: &ClassFile, field: &Member) -> Result<bool, Malformed> {
    if file.major > LAST_LAX {
        return Ok(false);
    }
    let (name, owner) = (file.utf8(field.name)?, file.class_name(file.this_class)?);
    let (op, initializer) = match field.access & access::STATIC != 0 {
        true => (PUTSTATIC, "<clinit>"),
        false => (PUTFIELD, "<init>"),
    };
    let is_written = |body: &Body, at: usize| {
        let Ok(Constant::Field { class, name_and_type }) = file.constant(body.u16(at + 1)?) else {
            return Ok(false);
        };
        Ok::<bool, Malformed>(
            file.class_name(class)? == owner && file.name_and_type(name_and_type)?.0 == name,
        )
    };
    for method in &file.methods {
        let Some(body) = Body::of(file, &method.attributes)?.filter(|_| match file.utf8(method.name) {
            Ok(name) => name != initializer,
            Err(_) => true,
        }) else {
            continue;
        };
        let mut at = 0;
        while at < body.code.len() {
            if body.code[at] == op && is_written(&body, at)? {
                return Ok(true);
            }
            at += body.length(at)?;
        }
    }
    Ok(false)
}

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
