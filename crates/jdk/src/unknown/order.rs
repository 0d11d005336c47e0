//! The order of immutable sets and maps: it follows from a number that each JVM draws when it starts. Where the program goes
//! through one, that number is an unknown input.

use machine::{Args, Caller, Machine, Return, Subject, Value, World};
use program::Kind;
use term::{Op, Sort};

use crate::natives::Entry;

const COLLECTIONS: &str = "java/util/ImmutableCollections";
const SET_12: &str = "java/util/ImmutableCollections$Set12";
const SET_N: &str = "java/util/ImmutableCollections$SetN";
const MAP_N: &str = "java/util/ImmutableCollections$MapN$MapNIterator";

pub(super) const TABLE: &[Entry] = &[
    (SET_12, "iterator", "()Ljava/util/Iterator;", draw),
    (SET_12, "forEach", "(Ljava/util/function/Consumer;)V", draw),
    (SET_12, "toArray", "()[Ljava/lang/Object;", draw),
    (SET_12, "toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;", draw),
    (SET_N, "iterator", "()Ljava/util/Iterator;", draw),
    (SET_N, "toArray", "()[Ljava/lang/Object;", draw),
    (SET_N, "toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;", draw),
    (MAP_N, "<init>", "(Ljava/util/ImmutableCollections$MapN;)V", draw),
];

fn subject() -> Subject {
    Subject::lasting(World::Order, "the salt of immutable sets and maps")
}

/// Whether the number is unknown for whoever goes through a set now. What the library does on its way is as in `run`, as long
/// as the program has not asked.
pub(crate) fn is_open(m: &Machine) -> bool {
    let is_on_the_way = |caller: &Caller| caller.owner.starts_with("java/util/");
    let asker = m.callers().find(|caller| !is_on_the_way(caller));
    let is_asked = asker.is_some_and(|asker| asker.is_program) || m.symbolic.is_settled(&subject());
    let class = m.program.find_loaded(COLLECTIONS);
    let is_there = |name: &str| class.and_then(|class| m.static_field(class, name)).is_some();
    is_asked && m.is_outside_open() && is_there("SALT32L") && is_there("REVERSE")
}

fn draw(m: &mut Machine, _: Args) -> Return {
    if !is_open(m) || m.symbolic.is_settled(&subject()) {
        return Ok(Value::Pass);
    }
    let class = m.load(COLLECTIONS)?;
    let (Some(salt_at), Some(reverse_at)) =
        (m.static_field(class, "SALT32L"), m.static_field(class, "REVERSE"))
    else {
        return Ok(Value::Pass);
    };
    let Some(salt) = m.ask_number(subject(), Kind::Long, (0, u32::MAX.into())) else {
        return Ok(Value::Pass);
    };
    let terms = m.terms_mut();
    let low = terms.unary(Op::Extract, Sort::INT, salt);
    let one = terms.int(1);
    let bit = terms.binary(Op::BAnd, low, one);
    let reverse = terms.binary(Op::BXor, bit, one);
    let (word, tag) = m.term_words(salt);
    m.put_at(salt_at, word);
    m.put_at(salt_at + 1, tag);
    let reverse = m.term_word(reverse);
    m.put_at(reverse_at, reverse);
    m.symbolic.settle(subject());
    Ok(Value::Pass)
}
