//! Unknown containers: lists of any length, optional values, and other containers as long as they are empty.

use machine::{Machine, Origin, Raise, Ref};
use program::{ClassId, Kind};

/// Containers that are only known empty: nothing but zeros, and what is not.
const EMPTY: &[&str] = &[
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeSet",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/LinkedList",
    "java/util/ArrayDeque",
];

/// Fills in a container; false if it is none.
pub(super) fn fill(
    m: &mut Machine,
    object: Ref,
    class: ClassId,
    name: &str,
    entity: u32,
) -> Result<bool, Raise> {
    match name {
        "java/util/ArrayList" => list(m, object, entity)?,
        "java/util/Optional" => {
            let content = content(m, entity)?;
            let term = m.new_pointer(content, false, Origin::Element { entity, index: 0 });
            let word = m.term_word(term);
            m.set_field(object, "value", word);
        }
        _ if EMPTY.contains(&name) => {
            empty(m, object, class, name)?;
            let what = format!("an unknown {} that is not empty", name.replace('/', "."));
            m.symbolic.narrowed.push(what);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The class of what an entity contains.
fn content(m: &mut Machine, entity: u32) -> Result<ClassId, Raise> {
    Ok(m.content_of(entity).unwrap_or(m.known.object))
}

/// A list of unknown length, with nothing to spare in its array.
fn list(m: &mut Machine, object: Ref, entity: u32) -> Result<(), Raise> {
    let declared = content(m, entity)?;
    let length = m.new_unknown(Kind::Int, Origin::Length { entity });
    let zero = m.symbolic.terms.int(0);
    let not_negative = m.symbolic.terms.at_most(zero, length);
    m.symbolic.learn(not_negative);
    let objects = m.load("[Ljava/lang/Object;")?;
    m.roots.push(object);
    let array = m.open_array(objects, length, None)?;
    m.roots.pop();
    for index in 0..m.symbolic.bounds.elements {
        let element = m.new_pointer(declared, false, Origin::Element { entity, index });
        m.put_element(array, index, Kind::Ref, element);
    }
    let word = m.term_word(length);
    m.set_field(object, "size", word);
    m.set_field(object, "elementData", array.word());
    Ok(())
}

/// What a constructor without arguments would do. Nothing is initialized: that could not be done in one go, and whoever
/// uses the object does it.
fn empty(m: &mut Machine, object: Ref, class: ClassId, name: &str) -> Result<(), Raise> {
    if m.program.field_named(class, "loadFactor").is_some() {
        m.set_field(object, "loadFactor", u64::from(0.75f32.to_bits()));
    }
    let inner = match name {
        "java/util/HashSet" => Some(("map", "java/util/HashMap")),
        "java/util/LinkedHashSet" => Some(("map", "java/util/LinkedHashMap")),
        "java/util/TreeSet" => Some(("m", "java/util/TreeMap")),
        _ => None,
    };
    if let Some((field, inner)) = inner {
        let inner_class = m.load(inner)?;
        m.roots.push(object);
        let map = m.allocate(inner_class)?;
        m.roots.pop();
        empty(m, map, inner_class, inner)?;
        m.set_field(object, field, map.word());
    }
    if name == "java/util/ArrayDeque" {
        let objects = m.load("[Ljava/lang/Object;")?;
        m.roots.push(object);
        let array = m.allocate_array(objects, 17)?;
        m.roots.pop();
        m.set_field(object, "elements", array.word());
    }
    Ok(())
}
