//! Fields, methods, constructors, parameters and record components as reflection's objects.
//!
//! The `slot` of a member is its place in the class's list of fields or methods, in the order of the class file.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::classfile::{ClassFile, Member, Reader, read_attributes};
use program::{ClassId, MethodId, access, descriptor};

use super::class::receiver;
use super::{Entry, not_modelled};

const CLASS: &str = "java/lang/Class";
const EXECUTABLE: &str = "java/lang/reflect/Executable";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;", declared_fields),
    (CLASS, "getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;", declared_methods),
    (CLASS, "getDeclaredConstructors0", "(Z)[Ljava/lang/reflect/Constructor;", declared_constructors),
    (CLASS, "getRecordComponents0", "()[Ljava/lang/reflect/RecordComponent;", record_components),
    (EXECUTABLE, "getParameters0", "()[Ljava/lang/reflect/Parameter;", parameters),
    (EXECUTABLE, "getTypeAnnotationBytes0", "()[B", |m, a| {
        let object = a.non_null(m, 0)?;
        let method = method_of(m, object)?;
        let bytes = method_attribute(m, method, "RuntimeVisibleTypeAnnotations");
        optional_bytes(m, bytes).map(Value::reference)
    }),
    ("java/lang/reflect/Field", "getTypeAnnotationBytes0", "()[B", |m, a| {
        let object = a.non_null(m, 0)?;
        let class = m.mirrored(Ref::from_word(m.field(object, "clazz")));
        let slot = m.field(object, "slot") as usize;
        let bytes = field_attribute(m, class, slot, "RuntimeVisibleTypeAnnotations");
        optional_bytes(m, bytes).map(Value::reference)
    }),
];

/// An array of `class` with these elements.
pub(super) fn object_array(m: &mut Machine, class: &str, elements: &[Ref]) -> Return {
    let class = m.load(class)?;
    let array = m.allocate_array(class, elements.len() as i32)?;
    for (i, element) in elements.iter().enumerate() {
        m.set_element(array, i as i32, *element);
    }
    Ok(Value::reference(array))
}

/// The mirror of the class a descriptor names.
pub(super) fn descriptor_mirror(m: &mut Machine, descriptor: &str) -> Result<Ref, Raise> {
    let result = m.program.load_descriptor(descriptor);
    m.sync_classes();
    match result {
        Ok(class) => Ok(m.mirror(class)),
        Err(error) => Err(m.link_error(error)),
    }
}

/// The interned string of this text.
pub(super) fn interned(m: &mut Machine, text: &str) -> Result<Ref, Raise> {
    let units: Vec<u16> = text.encode_utf16().collect();
    m.intern_permanent(&units)
}

/// A `byte[]`, or null.
pub(super) fn optional_bytes(m: &mut Machine, bytes: Option<Vec<u8>>) -> Result<Ref, Raise> {
    match bytes {
        Some(bytes) => m.new_bytes(&bytes),
        None => Ok(Ref::NULL),
    }
}

fn member_attribute(file: &ClassFile, member: &Member, name: &str) -> Option<Vec<u8>> {
    file.attribute(&member.attributes, name).map(<[u8]>::to_vec)
}

fn field_attribute(m: &Machine, class: ClassId, slot: usize, name: &str) -> Option<Vec<u8>> {
    let declared = m.program.class(class);
    let file = declared.file.as_ref()?;
    let index = declared.fields.get(slot)?.index;
    member_attribute(file, file.fields.get(index as usize)?, name)
}

/// The contents of an attribute of a method.
pub(super) fn method_attribute(m: &Machine, method: MethodId, name: &str) -> Option<Vec<u8>> {
    let method = m.program.method(method);
    let file = m.program.class(method.class).file.as_ref()?;
    member_attribute(file, file.methods.get(method.index as usize)?, name)
}

/// The text behind a `Signature` attribute.
pub(super) fn signature_text(file: &ClassFile, contents: &[u8]) -> Option<String> {
    let index = Reader::new(contents).u16().ok()?;
    Some(file.utf8(index).ok()?.into_owned())
}

fn set_text(m: &mut Machine, object: Ref, field: &str, text: Option<String>) -> Result<(), Raise> {
    if let Some(text) = text {
        let string = m.new_string(&text)?;
        m.set_field(object, field, string.word());
    }
    Ok(())
}

fn set_bytes(m: &mut Machine, object: Ref, field: &str, bytes: Option<Vec<u8>>) -> Result<(), Raise> {
    if let Some(bytes) = bytes {
        let array = m.new_bytes(&bytes)?;
        m.set_field(object, field, array.word());
    }
    Ok(())
}

fn declared_fields(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let public_only = a.bool(m, 1);
    let mut objects = Vec::new();
    for slot in 0..m.program.class(class).fields.len() {
        if public_only && m.program.class(class).fields[slot].flags & access::PUBLIC == 0 {
            continue;
        }
        objects.push(field_object(m, class, slot)?);
    }
    object_array(m, "[Ljava/lang/reflect/Field;", &objects)
}

/// The `Field` of a class at a slot.
pub(super) fn field_object(m: &mut Machine, class: ClassId, slot: usize) -> Result<Ref, Raise> {
    let Some(field) = m.program.class(class).fields.get(slot).cloned() else {
        return Err(not_modelled("an unknown field"));
    };
    let descriptor = m.program.text(field.descriptor).to_string();
    let kind = descriptor_mirror(m, &descriptor)?;
    let name = m.program.text(field.name).to_string();
    let name = interned(m, &name)?;
    let field_class = m.load("java/lang/reflect/Field")?;
    let object = m.allocate(field_class)?;
    m.set_field(object, "clazz", m.mirror(class).word());
    m.set_field(object, "slot", slot as u64);
    m.set_field(object, "name", name.word());
    m.set_field(object, "type", kind.word());
    let declared = m.program.class(class);
    // What the class file says, also of a final field that its methods write.
    let written = declared.file.as_ref().and_then(|file| file.fields.get(usize::from(field.index)));
    let modifiers = written.map_or(field.flags, |written| written.access);
    m.set_field(object, "modifiers", u64::from(modifiers));
    let declared = m.program.class(class);
    let record =
        declared.file.as_ref().is_some_and(|file| file.attribute(&file.attributes, "Record").is_some());
    let trusted = field.flags & access::FINAL != 0 && (field.is_static() || declared.hidden || record);
    // From JDK 18 on this is a bit of `flags`.
    if !m.set_field(object, "trustedFinal", u64::from(trusted)) {
        m.set_field(object, "flags", if trusted { 0x10 } else { 0 });
    }
    let contents = field_attribute(m, class, slot, "Signature");
    let file = m.program.class(class).file.clone();
    let signature = contents.zip(file).and_then(|(contents, file)| signature_text(&file, &contents));
    set_text(m, object, "signature", signature)?;
    let annotations = field_attribute(m, class, slot, "RuntimeVisibleAnnotations");
    set_bytes(m, object, "annotations", annotations)?;
    Ok(object)
}

fn declared_methods(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let public_only = a.bool(m, 1);
    let mut objects = Vec::new();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let hidden = m.program.text(method.name).starts_with('<');
        if hidden || (public_only && method.flags & access::PUBLIC == 0) {
            continue;
        }
        objects.push(method_object(m, id)?);
    }
    object_array(m, "[Ljava/lang/reflect/Method;", &objects)
}

fn declared_constructors(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let public_only = a.bool(m, 1);
    let mut objects = Vec::new();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let constructor = m.program.text(method.name) == "<init>";
        if !constructor || (public_only && method.flags & access::PUBLIC == 0) {
            continue;
        }
        objects.push(method_object(m, id)?);
    }
    object_array(m, "[Ljava/lang/reflect/Constructor;", &objects)
}

/// The `Method` or `Constructor` of a method.
pub(super) fn method_object(m: &mut Machine, id: MethodId) -> Result<Ref, Raise> {
    let method = m.program.method(id);
    let (class, flags) = (method.class, method.flags);
    let name = m.program.text(method.name).to_string();
    let text = m.program.text(method.descriptor).to_string();
    let constructor = name == "<init>";
    let slot = m.program.class(class).methods.iter().position(|x| *x == id);
    let slot = slot.ok_or_else(|| not_modelled("reflection on a stub"))?;
    let Some((parameters, result)) = descriptor::split_method(&text) else {
        return Err(not_modelled("a malformed descriptor"));
    };
    let mut types = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        types.push(descriptor_mirror(m, parameter)?);
    }
    let result = descriptor_mirror(m, result)?;
    let exceptions = exception_types(m, id)?;
    let kind = if constructor { "java/lang/reflect/Constructor" } else { "java/lang/reflect/Method" };
    let kind = m.load(kind)?;
    let object = m.allocate(kind)?;
    m.set_field(object, "clazz", m.mirror(class).word());
    m.set_field(object, "slot", slot as u64);
    m.set_field(object, "modifiers", u64::from(flags));
    if !constructor {
        let name = interned(m, &name)?;
        m.set_field(object, "name", name.word());
        m.set_field(object, "returnType", result.word());
    }
    if let Value::One(array) = object_array(m, "[Ljava/lang/Class;", &types)? {
        m.set_field(object, "parameterTypes", array);
    }
    if let Value::One(array) = object_array(m, "[Ljava/lang/Class;", &exceptions)? {
        m.set_field(object, "exceptionTypes", array);
    }
    let file = m.program.class(class).file.clone();
    let contents = method_attribute(m, id, "Signature");
    let signature = contents.zip(file).and_then(|(contents, file)| signature_text(&file, &contents));
    set_text(m, object, "signature", signature)?;
    for (field, attribute) in [
        ("annotations", "RuntimeVisibleAnnotations"),
        ("parameterAnnotations", "RuntimeVisibleParameterAnnotations"),
        ("annotationDefault", "AnnotationDefault"),
    ] {
        let bytes = method_attribute(m, id, attribute);
        set_bytes(m, object, field, bytes)?;
    }
    Ok(object)
}

fn exception_types(m: &mut Machine, id: MethodId) -> Result<Vec<Ref>, Raise> {
    let Some(contents) = method_attribute(m, id, "Exceptions") else { return Ok(Vec::new()) };
    let class = m.program.method(id).class;
    let mut r = Reader::new(&contents);
    let mut mirrors = Vec::new();
    for _ in 0..r.u16().unwrap_or(0) {
        let Ok(index) = r.u16() else { break };
        let result = m.program.class_ref(class, index);
        m.sync_classes();
        match result {
            Ok(class) => mirrors.push(m.mirror(class)),
            Err(error) => return Err(m.link_error(error)),
        }
    }
    Ok(mirrors)
}

/// The method a `Method` or `Constructor` object stands for.
pub(super) fn method_of(m: &Machine, object: Ref) -> Result<MethodId, Raise> {
    let class = m.mirrored(Ref::from_word(m.field(object, "clazz")));
    let slot = m.field(object, "slot") as usize;
    m.program.class(class).methods.get(slot).copied().ok_or_else(|| not_modelled("an unknown method"))
}

fn parameters(m: &mut Machine, a: Args) -> Return {
    let executable = a.non_null(m, 0)?;
    let id = method_of(m, executable)?;
    let Some(contents) = method_attribute(m, id, "MethodParameters") else { return Ok(Value::One(0)) };
    let Some(file) = m.program.class(m.program.method(id).class).file.clone() else {
        return Ok(Value::One(0));
    };
    let class = m.load("java/lang/reflect/Parameter")?;
    let mut r = Reader::new(&contents);
    let mut objects = Vec::new();
    for i in 0..r.u8().unwrap_or(0) {
        let (Ok(name), Ok(flags)) = (r.u16(), r.u16()) else { break };
        let object = m.allocate(class)?;
        if name != 0
            && let Ok(name) = file.utf8(name)
        {
            let name = interned(m, &name)?;
            m.set_field(object, "name", name.word());
        }
        m.set_field(object, "modifiers", u64::from(flags));
        m.set_field(object, "executable", executable.word());
        m.set_field(object, "index", u64::from(i));
        objects.push(object);
    }
    object_array(m, "[Ljava/lang/reflect/Parameter;", &objects)
}

fn record_components(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let broken = || not_modelled("a broken Record attribute");
    let Some(file) = m.program.class(class).file.clone() else { return Ok(Value::One(0)) };
    let Some(attribute) = file.attribute_at(&file.attributes, "Record") else { return Ok(Value::One(0)) };
    let component_class = m.load("java/lang/reflect/RecordComponent")?;
    // Nested attributes are found by their place in the file.
    let mut r = Reader::at(file.bytes(), attribute.start as usize);
    let mut objects = Vec::new();
    for _ in 0..r.u16().map_err(|_| broken())? {
        let (name, kind) = (r.u16().map_err(|_| broken())?, r.u16().map_err(|_| broken())?);
        let attributes = read_attributes(&mut r).map_err(|_| broken())?;
        let name = file.utf8(name).map_err(|_| broken())?.into_owned();
        let kind = file.utf8(kind).map_err(|_| broken())?.into_owned();
        let mirror = descriptor_mirror(m, &kind)?;
        let object = m.allocate(component_class)?;
        m.set_field(object, "clazz", m.mirror(class).word());
        let text = interned(m, &name)?;
        m.set_field(object, "name", text.word());
        m.set_field(object, "type", mirror.word());
        let signature = file.attribute(&attributes, "Signature").and_then(|c| signature_text(&file, c));
        set_text(m, object, "signature", signature)?;
        set_bytes(
            m,
            object,
            "annotations",
            file.attribute(&attributes, "RuntimeVisibleAnnotations").map(<[u8]>::to_vec),
        )?;
        let bytes = file.attribute(&attributes, "RuntimeVisibleTypeAnnotations").map(<[u8]>::to_vec);
        set_bytes(m, object, "typeAnnotations", bytes)?;
        if let Some(accessor) = m.program.declared_method(class, &name, &format!("(){kind}")) {
            let accessor = method_object(m, accessor)?;
            m.set_field(object, "accessor", accessor.word());
        }
        objects.push(object);
    }
    object_array(m, "[Ljava/lang/reflect/RecordComponent;", &objects)
}
