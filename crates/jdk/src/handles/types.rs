//! `MethodType` objects: made from descriptors, compared with them, and turned back into descriptors.

use machine::{Machine, Raise, Ref};
use program::{ClassId, Shape};

use super::{call_static, parts};
use crate::natives::not_modelled;

/// The classes of a method descriptor: parameters, then the result.
pub(super) fn class_ids(m: &mut Machine, descriptor: &str) -> Result<Vec<u32>, Raise> {
    let (parameters, result) = parts(descriptor)?;
    let mut ids = Vec::with_capacity(parameters.len() + 1);
    for part in parameters.into_iter().chain([result]) {
        ids.push(m.load_descriptor(part)?.0);
    }
    Ok(ids)
}

/// The `MethodType` with these classes, the result last.
pub(super) fn of_ids(m: &mut Machine, ids: &[u32]) -> Result<Ref, Raise> {
    let (result, parameters) = ids.split_last().ok_or_else(|| not_modelled("a method type of nothing"))?;
    let class = m.load("[Ljava/lang/Class;")?;
    let array = m.allocate_array(class, parameters.len() as i32)?;
    for (i, id) in parameters.iter().enumerate() {
        let mirror = m.mirror(ClassId(*id));
        m.set_element(array, i as i32, mirror);
    }
    let result = m.mirror(ClassId(*result));
    let descriptor = "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
    let arguments = [result.word(), array.word()];
    call_static(m, "java/lang/invoke/MethodHandleNatives", "findMethodHandleType", descriptor, &arguments)
}

/// The `MethodType` a descriptor names.
pub(super) fn of_descriptor(m: &mut Machine, descriptor: &str) -> Result<Ref, Raise> {
    let ids = class_ids(m, descriptor)?;
    of_ids(m, &ids)
}

/// Offsets of the fields of a `MethodType`.
#[derive(Clone, Copy)]
pub(super) struct TypeFields {
    pub rtype: u32,
    pub ptypes: u32,
}

/// Whether a `MethodType` is made of exactly these classes, the result last.
pub(super) fn matches(m: &Machine, method_type: Ref, fields: TypeFields, ids: &[u32]) -> bool {
    let Some((result, parameters)) = ids.split_last() else { return false };
    if m.get_ref(method_type, fields.rtype) != m.mirror(ClassId(*result)) {
        return false;
    }
    let ptypes = m.get_ref(method_type, fields.ptypes);
    m.heap.length(ptypes) as usize == parameters.len()
        && parameters.iter().enumerate().all(|(i, id)| m.element(ptypes, i as i32) == m.mirror(ClassId(*id)))
}

/// The descriptor of a class as a field type.
pub(crate) fn class_descriptor(m: &Machine, class: ClassId) -> String {
    let name = m.program.class_name(class);
    match m.program.class(class).shape {
        Shape::Primitive(kind) => kind.letter().to_string(),
        Shape::Array { .. } => name.to_string(),
        Shape::Declared => format!("L{name};"),
    }
}

/// The classes of a `MethodType`, the result last.
pub(super) fn ids_of(m: &Machine, method_type: Ref) -> Vec<ClassId> {
    let ptypes = Ref::from_word(m.field(method_type, "ptypes"));
    let mut ids: Vec<ClassId> =
        (0..m.heap.length(ptypes)).map(|i| m.mirrored(m.element(ptypes, i))).collect();
    ids.push(m.mirrored(Ref::from_word(m.field(method_type, "rtype"))));
    ids
}

/// The descriptor a `MethodType` amounts to.
pub(super) fn descriptor_of(m: &Machine, method_type: Ref) -> String {
    let ids = ids_of(m, method_type);
    let mut text = String::from("(");
    for (i, id) in ids.iter().enumerate() {
        if i + 1 == ids.len() {
            text.push(')');
        }
        text += &class_descriptor(m, *id);
    }
    text
}
