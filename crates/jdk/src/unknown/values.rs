//! Unknown objects of the library that stand for one value: large numbers, dates, text under construction.

use machine::symbolic::Piece;
use machine::{Machine, Origin, Raise, Ref, Value};
use program::{ClassId, Kind};
use term::{Op, Sort, Term};

use crate::natives::Entry;

pub(super) const TABLE: &[Entry] = &[("java/lang/Object", "clone", "()Ljava/lang/Object;", |m, a| {
    let array = m.force(a.word(m, 0))?;
    let copy = m.copy_open(Ref::from_word(array))?;
    Ok(copy.map_or(Value::Pass, Value::reference))
})];

/// Digits behind the point of an unknown decimal number.
const SCALE: i32 = 4;

/// A number in its box; false if it is not where it is expected.
pub(super) fn number(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<bool, Raise> {
    let Some(field) = m.program.field_named(class, "value").cloned() else { return Ok(false) };
    m.fill_field(object, entity, field.offset, field.kind, "")?;
    Ok(true)
}

/// A truth value that is kept as a number.
pub(super) fn truth(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<bool, Raise> {
    let Some(value) = any_field(m, object, class, entity, "value")? else { return Ok(false) };
    between(m, value, 0, 1);
    Ok(true)
}

/// The halves of a `UUID`.
pub(super) fn halves(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<bool, Raise> {
    let first = any_field(m, object, class, entity, "mostSigBits")?;
    let second = any_field(m, object, class, entity, "leastSigBits")?;
    Ok(first.is_some() && second.is_some())
}

/// A key and a value; false if they are not where they are expected.
pub(super) fn entry(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> bool {
    let (key, value) = (m.content_of(entity), m.result_of(entity));
    for (name, declared) in [("key", key), ("value", value)] {
        let Some(offset) = m.program.field_named(class, name).map(|f| f.offset) else { return false };
        let declared = declared.unwrap_or(m.known.object);
        let term = m.new_pointer(declared, false, Origin::Field { entity, offset });
        let word = m.term_word(term);
        m.put(object, offset, word);
    }
    true
}

/// Every field is unknown.
pub(super) fn all_fields(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise> {
    let fields = m.program.class(class).fields.clone();
    for field in fields.iter().filter(|field| !field.is_static()) {
        let descriptor = m.program.text(field.descriptor).to_string();
        match m.content_of(entity).filter(|_| descriptor == "Ljava/lang/Object;") {
            // What the type says it is filled with.
            Some(content) => {
                let term = m.new_pointer(content, false, Origin::Field { entity, offset: field.offset });
                let word = m.term_word(term);
                m.put(object, field.offset, word);
            }
            None => m.fill_field(object, entity, field.offset, field.kind, &descriptor)?,
        }
    }
    Ok(())
}

/// Gives a field an unknown value; the value, as a term, if there is such a field.
fn any_field(
    m: &mut Machine,
    object: Ref,
    class: ClassId,
    entity: u32,
    name: &str,
) -> Result<Option<Term>, Raise> {
    let Some(field) = m.program.field_named(class, name).cloned() else { return Ok(None) };
    let descriptor = m.program.text(field.descriptor).to_string();
    m.fill_field(object, entity, field.offset, field.kind, &descriptor)?;
    let sort = machine::symbolic::sort_of(field.kind);
    let word = m.get(object, field.offset);
    let term = if field.kind.width() == 2 {
        let tag = m.get(object, field.offset + 1);
        m.wide_term(word, tag, sort)?
    } else {
        m.word_term(word, sort)?
    };
    Ok(Some(term))
}

fn between(m: &mut Machine, term: Term, low: i64, high: i64) {
    let terms = m.terms_mut();
    let sort = terms.sort(term);
    let (low, high) = (terms.constant(sort, low as u64), terms.constant(sort, high as u64));
    let (from, to) = (terms.at_most(low, term), terms.at_most(term, high));
    m.symbolic.learn(from);
    m.symbolic.learn(to);
}

/// A number of one word and a sign. Its array has one element, or none for zero.
pub(super) fn big_integer(m: &mut Machine, object: Ref, entity: u32) -> Result<(), Raise> {
    let number = m.new_unknown(Kind::Long, Origin::Element { entity, index: 0 });
    let most = i64::from(u32::MAX);
    between(m, number, -most, most);
    m.symbolic.narrow("an unknown BigInteger of more than 32 bits");
    let terms = m.terms_mut();
    let zero = terms.constant(Sort::LONG, 0);
    let (negative, none) = (terms.less(number, zero), terms.is(number, 0));
    let negated = terms.binary(Op::Sub, zero, number);
    let size = terms.ite(negative, negated, number);
    let word = terms.unary(Op::Extract, Sort::INT, size);
    let (minus, plus, nothing) = (terms.int(-1), terms.int(1), terms.int(0));
    let sign = terms.ite(negative, minus, plus);
    let sign = terms.ite(none, nothing, sign);
    let length = terms.ite(none, nothing, plus);
    let ints = m.load("[I")?;
    m.roots.push(object);
    let array = m.open_array(ints, length, None)?;
    m.roots.pop();
    m.put_element(array, 0, Kind::Int, word);
    let sign = m.term_word(sign);
    m.set_field(object, "signum", sign);
    m.set_field(object, "mag", array.word());
    Ok(())
}

/// A number whose digits are a `long`.
pub(super) fn big_decimal(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise> {
    if let Some(scale) = any_field(m, object, class, entity, "scale")? {
        between(m, scale, 0, i64::from(SCALE));
    }
    if let Some(digits) = any_field(m, object, class, entity, "intCompact")? {
        // The least one says that the digits are elsewhere.
        between(m, digits, i64::MIN + 1, i64::MAX);
    }
    let what = format!("an unknown BigDecimal of more than 64 bits or {SCALE} digits behind the point");
    m.symbolic.narrow(what);
    Ok(())
}

/// Every day there is; false if its parts are not where they are expected.
pub(super) fn local_date(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<bool, Raise> {
    let mut part = |name: &str| any_field(m, object, class, entity, name);
    let (Some(year), Some(month), Some(day)) = (part("year")?, part("month")?, part("day")?) else {
        return Ok(false);
    };
    between(m, year, -999_999_999, 999_999_999);
    between(m, month, 1, 12);
    between(m, day, 1, 31);
    let terms = m.terms_mut();
    // Asked as the library asks, so that its answers are known ones.
    let year = terms.unary(Op::SExt, Sort::LONG, year);
    let divides = |terms: &mut term::Terms, by: u64| {
        let by = terms.constant(Sort::LONG, by);
        let rest = terms.binary(Op::SRem, year, by);
        terms.is(rest, 0)
    };
    let three = terms.constant(Sort::LONG, 3);
    let low = terms.binary(Op::BAnd, year, three);
    let four = terms.is(low, 0);
    let (hundred, four_hundred) = (divides(terms, 100), divides(terms, 400));
    let no_century = terms.not(hundred);
    let counts = terms.or(no_century, four_hundred);
    let leap = terms.and(four, counts);
    let (short, long) = (terms.int(28), terms.int(29));
    let february = terms.ite(leap, long, short);
    let is_february = terms.is(month, 2);
    let short_ones: Vec<Term> = [4, 6, 9, 11].map(|month_number| terms.is(month, month_number)).into();
    let is_short = terms.any(short_ones);
    let (thirty, thirty_one) = (terms.int(30), terms.int(31));
    let other = terms.ite(is_short, thirty, thirty_one);
    let last = terms.ite(is_february, february, other);
    let exists = terms.at_most(day, last);
    m.symbolic.learn(exists);
    Ok(true)
}

/// Text of unknown length.
pub(super) fn builder(m: &mut Machine, object: Ref, entity: u32) -> Result<(), Raise> {
    let bytes = m.known.byte_array;
    m.roots.push(object);
    let none = m.allocate_array(bytes, 0)?;
    m.set_field(object, "value", none.word());
    let string = m.allocate(m.known.string)?;
    m.roots.pop();
    m.fill_string(string, entity);
    m.append(object, Piece::String(string))?;
    Ok(())
}
