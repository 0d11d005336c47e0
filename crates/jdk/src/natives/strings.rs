//! `String` and its helpers: interning, and the inner loops that are worth an intrinsic.

use machine::{Args, Machine, Value};

use super::Entry;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/String", "intern", "()Ljava/lang/String;", |m, a| {
        let string = a.non_null(m, 0)?;
        Ok(Value::reference(m.intern(string)?))
    }),
    ("java/lang/StringCoding", "hasNegatives", "([BII)Z", |m, a| {
        Ok(Value::bool(count_positives(m, a)? < a.int(m, 2)))
    }),
    ("java/lang/StringCoding", "countPositives", "([BII)I", |m, a| Ok(Value::int(count_positives(m, a)?))),
    ("java/lang/StringUTF16", "isBigEndian", "()Z", super::zero),
];

/// Number of leading bytes that are not negative.
fn count_positives(m: &mut Machine, a: Args) -> Result<i32, machine::Raise> {
    let array = a.non_null(m, 0)?;
    let (offset, count) = (a.int(m, 1), a.int(m, 2));
    if count <= 0 {
        return Ok(count);
    }
    let bytes = m.heap.bytes(array, m.heap.length(array) as usize);
    let range = usize::try_from(offset).ok().zip(usize::try_from(count).ok());
    let Some(bytes) = range.and_then(|(offset, count)| bytes.get(offset..offset + count)) else {
        return Err(m.raise("java/lang/ArrayIndexOutOfBoundsException", None));
    };
    Ok(bytes.iter().position(|b| *b >= 0x80).unwrap_or(bytes.len()) as i32)
}
