//! `java.lang.reflect.Array`.

use machine::{Args, Machine, Raise, Ref, Return, Value, Word};
use program::{Kind, Shape};

use super::Entry;
use super::boxing::{new_box, unbox, widen};

const ARRAY: &str = "java/lang/reflect/Array";

pub(super) const TABLE: &[Entry] = &[
    (ARRAY, "getLength", "(Ljava/lang/Object;)I", |m, a| {
        let array = a.non_null(m, 0)?;
        if m.array_kind(array).is_none() {
            return Err(m.raise("java/lang/IllegalArgumentException", Some("Argument is not an array")));
        }
        Ok(Value::int(m.heap.length(array)))
    }),
    (ARRAY, "get", "(Ljava/lang/Object;I)Ljava/lang/Object;", |m, a| {
        let (kind, word) = load(m, a)?;
        Ok(Value::reference(new_box(m, kind, word)?))
    }),
    (ARRAY, "getBoolean", "(Ljava/lang/Object;I)Z", |m, a| load_as(m, a, Kind::Boolean)),
    (ARRAY, "getByte", "(Ljava/lang/Object;I)B", |m, a| load_as(m, a, Kind::Byte)),
    (ARRAY, "getChar", "(Ljava/lang/Object;I)C", |m, a| load_as(m, a, Kind::Char)),
    (ARRAY, "getShort", "(Ljava/lang/Object;I)S", |m, a| load_as(m, a, Kind::Short)),
    (ARRAY, "getInt", "(Ljava/lang/Object;I)I", |m, a| load_as(m, a, Kind::Int)),
    (ARRAY, "getLong", "(Ljava/lang/Object;I)J", |m, a| load_as(m, a, Kind::Long)),
    (ARRAY, "getFloat", "(Ljava/lang/Object;I)F", |m, a| load_as(m, a, Kind::Float)),
    (ARRAY, "getDouble", "(Ljava/lang/Object;I)D", |m, a| load_as(m, a, Kind::Double)),
    (ARRAY, "set", "(Ljava/lang/Object;ILjava/lang/Object;)V", store_object),
    (ARRAY, "setBoolean", "(Ljava/lang/Object;IZ)V", |m, a| store_primitive(m, a, Kind::Boolean)),
    (ARRAY, "setByte", "(Ljava/lang/Object;IB)V", |m, a| store_primitive(m, a, Kind::Byte)),
    (ARRAY, "setChar", "(Ljava/lang/Object;IC)V", |m, a| store_primitive(m, a, Kind::Char)),
    (ARRAY, "setShort", "(Ljava/lang/Object;IS)V", |m, a| store_primitive(m, a, Kind::Short)),
    (ARRAY, "setInt", "(Ljava/lang/Object;II)V", |m, a| store_primitive(m, a, Kind::Int)),
    (ARRAY, "setLong", "(Ljava/lang/Object;IJ)V", |m, a| store_primitive(m, a, Kind::Long)),
    (ARRAY, "setFloat", "(Ljava/lang/Object;IF)V", |m, a| store_primitive(m, a, Kind::Float)),
    (ARRAY, "setDouble", "(Ljava/lang/Object;ID)V", |m, a| store_primitive(m, a, Kind::Double)),
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
        return Err(m.raise("java/lang/IllegalArgumentException", None));
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

fn illegal(m: &mut Machine, message: &str) -> Raise {
    m.raise("java/lang/IllegalArgumentException", Some(message))
}

/// The array argument and its element kind.
fn array_argument(m: &mut Machine, a: Args) -> Result<(Ref, Kind), Raise> {
    let array = a.non_null(m, 0)?;
    match m.array_kind(array) {
        Some(kind) => Ok((array, kind)),
        None => Err(illegal(m, "Argument is not an array")),
    }
}

fn checked_index(m: &mut Machine, a: Args, array: Ref) -> Result<i32, Raise> {
    let index = a.int(m, 1);
    if index < 0 || index >= m.heap.length(array) {
        return Err(m.raise("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    Ok(index)
}

fn load(m: &mut Machine, a: Args) -> Result<(Kind, Word), Raise> {
    let (array, kind) = array_argument(m, a)?;
    let index = checked_index(m, a, array)?;
    Ok((kind, m.array_word(array, index)))
}

fn load_as(m: &mut Machine, a: Args, wanted: Kind) -> Return {
    if array_argument(m, a)?.1 == Kind::Ref {
        return Err(illegal(m, "Argument is not an array of primitive type"));
    }
    let (kind, word) = load(m, a)?;
    match widen(kind, wanted, word) {
        Some(word) if wanted.width() == 2 => Ok(Value::Two(word)),
        Some(word) => Ok(Value::One(word)),
        None => Err(illegal(m, "argument type mismatch")),
    }
}

fn store_object(m: &mut Machine, a: Args) -> Return {
    let (array, kind) = array_argument(m, a)?;
    let value = a.reference(m, 2);
    if kind == Kind::Ref {
        let index = checked_index(m, a, array)?;
        if let Shape::Array { element, .. } = m.program.class(m.class_of(array)).shape
            && !value.is_null()
            && !m.is_instance(value, element)
        {
            return Err(illegal(m, "array element type mismatch"));
        }
        m.set_element(array, index, value);
        return Ok(Value::Void);
    }
    if value.is_null() {
        return Err(m.raise("java/lang/IllegalArgumentException", None));
    }
    match unbox(m, value)? {
        Some((from, word)) => store(m, a, array, widen(from, kind, word)),
        None => Err(illegal(m, "argument type mismatch")),
    }
}

fn store_primitive(m: &mut Machine, a: Args, from: Kind) -> Return {
    let (array, kind) = array_argument(m, a)?;
    if kind == Kind::Ref {
        return Err(illegal(m, "Argument is not an array of primitive type"));
    }
    let word = a.word(m, 2);
    store(m, a, array, widen(from, kind, word))
}

fn store(m: &mut Machine, a: Args, array: Ref, word: Option<Word>) -> Return {
    let Some(word) = word else { return Err(illegal(m, "argument type mismatch")) };
    let index = checked_index(m, a, array)?;
    m.set_array_word(array, index, word);
    Ok(Value::Void)
}
