//! What `Class` tells from the attributes of a class file: nesting, signatures, annotations, records, sealed classes;
//! and the constant pool as annotation parsing reads it.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::classfile::{Reader, decode_modified_utf8};
use program::{ClassId, Constant, LinkError};

use super::class::{class_array, receiver};
use super::members::{interned, object_array, optional_bytes, signature_text};
use super::{Entry, nothing};

const CLASS: &str = "java/lang/Class";
const POOL: &str = "jdk/internal/reflect/ConstantPool";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getGenericSignature0", "()Ljava/lang/String;", |m, a| {
        let class = receiver(m, a)?;
        let text = class_attribute(m, class, "Signature")
            .zip(m.program.class(class).file.clone())
            .and_then(|(contents, file)| signature_text(&file, &contents));
        optional_string(m, text)
    }),
    (CLASS, "getRawAnnotations", "()[B", |m, a| attribute_bytes(m, a, "RuntimeVisibleAnnotations")),
    (CLASS, "getRawTypeAnnotations", "()[B", |m, a| attribute_bytes(m, a, "RuntimeVisibleTypeAnnotations")),
    (CLASS, "getConstantPool", "()Ljdk/internal/reflect/ConstantPool;", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.load(POOL)?;
        let pool = m.allocate(class)?;
        m.set_field(pool, "constantPoolOop", mirror.word());
        Ok(Value::reference(pool))
    }),
    (CLASS, "getDeclaringClass0", "()Ljava/lang/Class;", declaring_class),
    (CLASS, "getSimpleBinaryName0", "()Ljava/lang/String;", simple_binary_name),
    (CLASS, "getDeclaredClasses0", "()[Ljava/lang/Class;", declared_classes),
    (CLASS, "getEnclosingMethod0", "()[Ljava/lang/Object;", enclosing_method),
    (CLASS, "getNestHost0", "()Ljava/lang/Class;", |m, a| {
        let class = receiver(m, a)?;
        let host = nest_host(m, class);
        Ok(Value::reference(m.mirror(host)))
    }),
    (CLASS, "getNestMembers0", "()[Ljava/lang/Class;", nest_members),
    (CLASS, "isRecord0", "()Z", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::bool(class_attribute(m, class, "Record").is_some()))
    }),
    (CLASS, "getPermittedSubclasses0", "()[Ljava/lang/Class;", |m, a| {
        let class = receiver(m, a)?;
        match class_attribute(m, class, "PermittedSubclasses") {
            Some(contents) => {
                let classes = listed_classes(m, class, &contents);
                class_array(m, &classes)
            }
            None => Ok(Value::One(0)),
        }
    }),
    (CLASS, "getClassFileVersion0", "()I", |m, a| {
        let class = receiver(m, a)?;
        let major = m.program.class(class).file.as_ref().map_or(0, |file| file.major);
        Ok(Value::int(i32::from(major)))
    }),
    (CLASS, "setSigners", "([Ljava/lang/Object;)V", nothing),
    (POOL, "getSize0", "(Ljava/lang/Object;)I", |m, a| {
        let class = pool_class(m, a)?;
        Ok(Value::int(m.program.class(class).file.as_ref().map_or(0, |file| file.pool_len() as i32)))
    }),
    (POOL, "getUTF8At0", "(Ljava/lang/Object;I)Ljava/lang/String;", |m, a| {
        let (class, index) = (pool_class(m, a)?, a.int(m, 2));
        let units = m
            .program
            .class(class)
            .file
            .as_ref()
            .and_then(|file| file.utf8_bytes(u16::try_from(index).ok()?).ok().map(decode_modified_utf8));
        match units {
            Some(units) => Ok(Value::reference(m.intern_permanent(&units)?)),
            None => Err(wrong_type(m)),
        }
    }),
    (POOL, "getStringAt0", "(Ljava/lang/Object;I)Ljava/lang/String;", |m, a| {
        let (class, index) = (pool_class(m, a)?, a.int(m, 2));
        match constant(m, class, index) {
            Some(Constant::String { .. }) => Ok(Value::reference(m.literal(class, index as u16)?)),
            _ => Err(wrong_type(m)),
        }
    }),
    (POOL, "getIntAt0", "(Ljava/lang/Object;I)I", |m, a| match entry(m, a)? {
        Some(Constant::Integer(value)) => Ok(Value::int(value)),
        _ => Err(wrong_type(m)),
    }),
    (POOL, "getLongAt0", "(Ljava/lang/Object;I)J", |m, a| match entry(m, a)? {
        Some(Constant::Long(value)) => Ok(Value::long(value)),
        _ => Err(wrong_type(m)),
    }),
    (POOL, "getFloatAt0", "(Ljava/lang/Object;I)F", |m, a| match entry(m, a)? {
        Some(Constant::Float(value)) => Ok(Value::float(value)),
        _ => Err(wrong_type(m)),
    }),
    (POOL, "getDoubleAt0", "(Ljava/lang/Object;I)D", |m, a| match entry(m, a)? {
        Some(Constant::Double(value)) => Ok(Value::double(value)),
        _ => Err(wrong_type(m)),
    }),
    (POOL, "getClassAt0", "(Ljava/lang/Object;I)Ljava/lang/Class;", |m, a| {
        let (class, index) = (pool_class(m, a)?, a.int(m, 2));
        let result = m.program.class_ref(class, u16::try_from(index).unwrap_or(0));
        let class = linked(m, result)?;
        Ok(Value::reference(m.mirror(class)))
    }),
];

fn entry(m: &mut Machine, a: Args) -> Result<Option<Constant>, Raise> {
    let (class, index) = (pool_class(m, a)?, a.int(m, 2));
    Ok(constant(m, class, index))
}

fn constant(m: &Machine, class: ClassId, index: i32) -> Option<Constant> {
    m.program.class(class).file.as_ref()?.constant(u16::try_from(index).ok()?).ok()
}

fn wrong_type(m: &mut Machine) -> Raise {
    m.raise("java/lang/IllegalArgumentException", Some("Wrong type at constant pool index"))
}

/// The class whose pool a `ConstantPool` object shows: the natives get its mirror as their first argument.
fn pool_class(m: &mut Machine, a: Args) -> Result<ClassId, Raise> {
    let mirror = a.non_null(m, 1)?;
    Ok(m.mirrored(mirror))
}

fn linked<T>(m: &mut Machine, result: Result<T, LinkError>) -> Result<T, Raise> {
    m.sync_classes();
    result.map_err(|error| m.link_error(error))
}

/// The contents of an attribute of a class.
pub(super) fn class_attribute(m: &Machine, class: ClassId, name: &str) -> Option<Vec<u8>> {
    let file = m.program.class(class).file.as_ref()?;
    file.attribute(&file.attributes, name).map(<[u8]>::to_vec)
}

fn attribute_bytes(m: &mut Machine, a: Args, name: &str) -> Return {
    let class = receiver(m, a)?;
    let bytes = class_attribute(m, class, name);
    optional_bytes(m, bytes).map(Value::reference)
}

fn optional_string(m: &mut Machine, text: Option<String>) -> Return {
    match text {
        Some(text) => Ok(Value::reference(m.new_string(&text)?)),
        None => Ok(Value::One(0)),
    }
}

/// One row of `InnerClasses`, in names.
struct Inner {
    inner: String,
    /// Empty for local and anonymous classes.
    outer: String,
    /// Empty for anonymous classes.
    name: String,
}

fn inner_classes(m: &Machine, class: ClassId) -> Vec<Inner> {
    let mut rows = Vec::new();
    let Some(file) = m.program.class(class).file.as_ref() else { return rows };
    let Some(contents) = file.attribute(&file.attributes, "InnerClasses") else { return rows };
    let mut r = Reader::new(contents);
    for _ in 0..r.u16().unwrap_or(0) {
        let (Ok(inner), Ok(outer), Ok(name), Ok(_)) = (r.u16(), r.u16(), r.u16(), r.u16()) else { break };
        let class_name = |index: u16| file.class_name(index).map_or(String::new(), |name| name.into_owned());
        rows.push(Inner {
            inner: class_name(inner),
            outer: if outer == 0 { String::new() } else { class_name(outer) },
            name: if name == 0 {
                String::new()
            } else {
                file.utf8(name).map_or(String::new(), |n| n.into_owned())
            },
        });
    }
    rows
}

fn declaring_class(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let own = m.program.class_name(class).to_string();
    let row = inner_classes(m, class).into_iter().find(|row| row.inner == own);
    match row.filter(|row| !row.outer.is_empty()) {
        Some(row) => {
            let outer = m.load(&row.outer)?;
            Ok(Value::reference(m.mirror(outer)))
        }
        None => Ok(Value::One(0)),
    }
}

fn simple_binary_name(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let own = m.program.class_name(class).to_string();
    let row = inner_classes(m, class).into_iter().find(|row| row.inner == own);
    match row.filter(|row| !row.name.is_empty()) {
        Some(row) => Ok(Value::reference(interned(m, &row.name)?)),
        None => Ok(Value::One(0)),
    }
}

fn declared_classes(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let own = m.program.class_name(class).to_string();
    let mut classes = Vec::new();
    for row in inner_classes(m, class) {
        if row.outer == own && !row.name.is_empty() {
            classes.push(m.load(&row.inner)?);
        }
    }
    class_array(m, &classes)
}

/// Enclosing class, and name and descriptor of the enclosing method or null.
fn enclosing_method(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let Some(contents) = class_attribute(m, class, "EnclosingMethod") else { return Ok(Value::One(0)) };
    let mut r = Reader::new(&contents);
    let (Ok(outer), Ok(method)) = (r.u16(), r.u16()) else { return Ok(Value::One(0)) };
    let result = m.program.class_ref(class, outer);
    let outer = linked(m, result)?;
    let mut elements = [m.mirror(outer), Ref::NULL, Ref::NULL];
    if method != 0
        && let Some(file) = m.program.class(class).file.clone()
        && let Ok((name, descriptor)) = file.name_and_type(method)
    {
        elements[1] = interned(m, &name)?;
        elements[2] = interned(m, &descriptor)?;
    }
    object_array(m, "[Ljava/lang/Object;", &elements)
}

/// The host of a class's nest; the class itself when it names none, or one that does not exist.
fn nest_host(m: &mut Machine, class: ClassId) -> ClassId {
    let name = super::class::nest_host(m, class);
    if name == m.program.class_name(class) {
        return class;
    }
    let result = m.program.load(&name);
    m.sync_classes();
    result.unwrap_or(class)
}

fn nest_members(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let host = nest_host(m, class);
    let mut members = vec![host];
    if let Some(contents) = class_attribute(m, host, "NestMembers") {
        members.extend(listed_classes(m, host, &contents));
    }
    class_array(m, &members)
}

/// The classes an attribute lists by constant pool index; those that cannot be loaded are left out, as the JVM does.
fn listed_classes(m: &mut Machine, class: ClassId, contents: &[u8]) -> Vec<ClassId> {
    let mut r = Reader::new(contents);
    let mut classes = Vec::new();
    for _ in 0..r.u16().unwrap_or(0) {
        let Ok(index) = r.u16() else { break };
        if let Ok(found) = m.program.class_ref(class, index) {
            classes.push(found);
        }
        m.sync_classes();
    }
    classes
}
