//! `java.lang.reflect.Array`.

use machine::{Args, Machine, Return, Value};
use program::Kind;

use super::Entry;

const ARRAY: &str = "java/lang/reflect/Array";

pub(super) const TABLE: &[Entry] = &[
    (ARRAY, "getLength", "(Ljava/lang/Object;)I", |m, a| {
        let array = a.non_null(m, 0)?;
        if m.array_kind(array).is_none() {
            return Err(m.raise("java/lang/IllegalArgumentException", Some("Argument is not an array")));
        }
        Ok(Value::int(m.heap.length(array)))
    }),
    (ARRAY, "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    (ARRAY, "multiNewArray", "(Ljava/lang/Class;[I)Ljava/lang/Object;", multi_new_array),
];

fn new_array(m: &mut Machine, a: Args) -> Return {
    let mirror = a.non_null(m, 0)?;
    let length = a.int(m, 1);
    if length < 0 {
        let text = length.to_string();
        return Err(m.raise("java/lang/NegativeArraySizeException", Some(&text)));
    }
    let element = m.mirrored(mirror);
    if element == m.program.primitive(Kind::Void) {
        return Err(m.raise("java/lang/IllegalArgumentException", None));
    }
    let class = m.array_class(element)?;
    Ok(Value::reference(m.allocate_array(class, length)?))
}

fn multi_new_array(m: &mut Machine, a: Args) -> Return {
    let mirror = a.non_null(m, 0)?;
    let dims = a.non_null(m, 1)?;
    let lengths: Vec<i32> = (0..m.heap.length(dims)).map(|i| m.array_word(dims, i) as i32).collect();
    if lengths.is_empty() || lengths.len() > 255 {
        return Err(m.raise("java/lang/IllegalArgumentException", Some("Empty dimensions array")));
    }
    if let Some(negative) = lengths.iter().find(|length| **length < 0) {
        let text = negative.to_string();
        return Err(m.raise("java/lang/NegativeArraySizeException", Some(&text)));
    }
    let mut class = m.mirrored(mirror);
    for _ in &lengths {
        class = m.array_class(class)?;
    }
    Ok(Value::reference(m.nested_array(class, &lengths)?))
}

