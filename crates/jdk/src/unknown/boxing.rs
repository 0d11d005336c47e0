//! Boxes of unknown numbers. The library keeps boxes of small numbers, so from its bytecode every box would be a
//! choice between all of those.

use machine::symbolic::term_of;
use machine::{Args, Machine, Ref, Return, Value};
use term::Term;

use crate::natives::Entry;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", |m, a| {
        kept(m, a, "java/lang/Integer", "java/lang/Integer$IntegerCache", -128)
    }),
    ("java/lang/Short", "valueOf", "(S)Ljava/lang/Short;", |m, a| {
        kept(m, a, "java/lang/Short", "java/lang/Short$ShortCache", -128)
    }),
    ("java/lang/Byte", "valueOf", "(B)Ljava/lang/Byte;", |m, a| {
        kept(m, a, "java/lang/Byte", "java/lang/Byte$ByteCache", -128)
    }),
    ("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;", |m, a| {
        kept(m, a, "java/lang/Character", "java/lang/Character$CharacterCache", 0)
    }),
    ("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", |m, a| {
        kept(m, a, "java/lang/Long", "java/lang/Long$LongCache", -128)
    }),
    ("java/lang/Boolean", "valueOf", "(Z)Ljava/lang/Boolean;", boolean),
];

fn kept(m: &mut Machine, a: Args, class: &str, cache: &str, low: i32) -> Return {
    let wide = class == "java/lang/Long";
    let Some(value) = term_of(a.word(m, usize::from(wide))) else { return Ok(Value::Pass) };
    let (class, cache) = (m.load(class)?, m.load(cache)?);
    m.initialize(class)?;
    m.initialize(cache)?;
    let Some(at) = m.static_field(cache, "cache") else { return Ok(Value::Pass) };
    let cache = Ref::from_word(m.heap.word(at));
    let term = m.new_box(class, value, low, cache)?;
    Ok(m.term_value(term))
}

fn boolean(m: &mut Machine, a: Args) -> Return {
    let Some(value) = term_of(a.word(m, 0)) else { return Ok(Value::Pass) };
    let class = m.load("java/lang/Boolean")?;
    m.initialize(class)?;
    let (Some(yes), Some(no)) = (m.static_field(class, "TRUE"), m.static_field(class, "FALSE")) else {
        return Ok(Value::Pass);
    };
    let (yes, no) = (m.heap.word(yes), m.heap.word(no));
    let sort = machine::symbolic::REF;
    let terms = m.terms_mut();
    let (yes, no) = (terms.constant(sort, yes), terms.constant(sort, no));
    let zero = terms.is(value, 0);
    let result: Term = terms.ite(zero, no, yes);
    Ok(m.term_value(result))
}
