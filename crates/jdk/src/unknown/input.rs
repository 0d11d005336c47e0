//! Standard input: bytes that nobody knows, one after the other, and the end.

use machine::{Args, Machine, Ref, Return, Subject, Supposition, Value, World};
use program::Kind;
use term::{Op, Sort, Term};

use crate::natives::Entry;

const STREAM: &str = "java/io/FileInputStream";

pub(super) const TABLE: &[Entry] =
    &[(STREAM, "read0", "()I", read_byte), (STREAM, "readBytes", "([BII)I", read_bytes)];

/// Whether a stream reads standard input, and that may be anything.
pub(crate) fn is_open(m: &Machine, a: Args) -> bool {
    m.is_outside_open() && !machine::value::is_unknown(a.word(m, 0)) && is_standard(m, a)
}

/// Whether a stream reads standard input, as far as it is known which one it is. What is read of files is noted with them.
pub(crate) fn is_standard(m: &Machine, a: Args) -> bool {
    let stream = a.word(m, 0);
    if stream == 0 || machine::value::is_unknown(stream) {
        return stream != 0;
    }
    let descriptor = m.field(Ref::from_word(stream), "fd");
    descriptor != 0 && m.field(Ref::from_word(descriptor), "fd") as i32 == 0
}

/// The next byte, or -1 at the end.
fn next(m: &mut Machine) -> Option<(Subject, Term)> {
    let number = m.symbolic.settled(World::Input) as u32 + 1;
    if number > m.policy().bounds.elements {
        m.symbolic.narrow(format!("standard input of more than {} bytes", number - 1));
        return None;
    }
    m.suppose(Supposition::SlowInput);
    let subject = Subject::lasting(World::Input, format!("byte {number} of standard input"));
    let byte = m.ask_number(subject.clone(), Kind::Int, (-1, 255))?;
    Some((subject, byte))
}

fn read_byte(m: &mut Machine, a: Args) -> Return {
    if !is_open(m, a) {
        return Ok(Value::Pass);
    }
    let Some((subject, byte)) = next(m) else { return Ok(Value::Pass) };
    m.symbolic.settle(subject);
    Ok(m.term_value(byte))
}

/// A stream may give less than what it is asked for: it gives one byte at a time.
fn read_bytes(m: &mut Machine, a: Args) -> Return {
    if !is_open(m, a) {
        return Ok(Value::Pass);
    }
    let array = Ref::from_word(m.force(a.word(m, 1))?);
    let (offset, count) = (m.force(a.word(m, 2))? as i32, m.force(a.word(m, 3))? as i32);
    let is_wrong = array.is_null() || offset < 0 || count <= 0 || m.open_length(array).is_some();
    if is_wrong || i64::from(offset) + i64::from(count) > i64::from(m.heap.length(array)) {
        return Ok(Value::Pass);
    }
    let Some((subject, byte)) = next(m) else { return Ok(Value::Pass) };
    let none = m.terms_mut().constant(Sort::INT, u64::from(u32::MAX));
    let end = m.terms_mut().eq(byte, none);
    let is_end = m.branch(end)?;
    m.symbolic.settle(subject);
    if is_end {
        return Ok(Value::int(-1));
    }
    // As the array keeps it, with a sign.
    let low = m.terms_mut().unary(Op::Extract, Sort::Bv(8), byte);
    let low = m.terms_mut().unary(Op::SExt, Sort::INT, low);
    m.put_element(array, offset as u32, Kind::Byte, low);
    Ok(Value::int(1))
}
