//! Looking something up in a hash map when keys are unknown: what counts is which keys are equal, not where they lie.
//!
//! From its bytecode a lookup would ask for the hash code first, and hash codes of unknown strings are hard.

use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Ref, Return, Value, Word};
use program::ClassId;
use term::{Sort, Term};

use super::strings;
use crate::natives::Entry;

/// The largest table that is searched, and the most entries.
const LARGEST: i32 = 128;
const MOST: usize = 64;

pub(super) const TABLE: &[Entry] =
    &[("java/util/HashMap", "getNode", "(Ljava/lang/Object;)Ljava/util/HashMap$Node;", node)];

/// The node of a key, or null.
fn node(m: &mut Machine, a: Args) -> Return {
    let (map, key) = (a.word(m, 0), a.word(m, 1));
    // The receiver is not null. If it can be one of several maps, it is not decided here which.
    let [(_, map)] = m.leads_to(map)?[..] else { return Ok(Value::Pass) };
    // A map whose class is still open has no fields yet: its code asks for them.
    let Some(table) = m.field_offset(m.class_of(map), "table") else { return Ok(Value::Pass) };
    let table = m.get(map, table);
    if table == 0 || is_unknown(table) {
        return Ok(Value::Pass);
    }
    let table = Ref::from_word(table);
    let length = m.heap.length(table);
    if length > LARGEST || m.open_length(table).is_some() {
        return Ok(Value::Pass);
    }
    let buckets: Vec<Word> = (0..length as u32).map(|index| m.get(table, 1 + index)).collect();
    if !is_unknown_key(m, key) && !buckets.iter().any(|word| is_unknown(*word)) {
        return Ok(Value::Pass);
    }
    let reference = m.word_term(key, machine::symbolic::REF)?;
    let null = m.is_null_term(reference);
    if m.branch(null)? {
        return Ok(Value::Pass);
    }
    let Some(class) = m.sure_class(reference) else { return Ok(Value::Pass) };
    let Some(nodes) = nodes(m, &buckets)? else { return Ok(Value::Pass) };
    let mut result = m.terms_mut().constant(machine::symbolic::REF, 0);
    for (there, node) in nodes {
        let other = m.field(node, "key");
        let Some(same) = same_key(m, class, key, other)? else { return Ok(Value::Pass) };
        let found = m.terms_mut().and(there, same);
        let this = m.terms_mut().constant(machine::symbolic::REF, node.word());
        result = m.terms_mut().ite(found, this, result);
    }
    Ok(m.term_value(result))
}

fn is_unknown_key(m: &Machine, key: Word) -> bool {
    is_unknown(key) || m.is_unknown_string(key)
}

/// The nodes of a table, each with the condition that it is there. None if they are too many.
fn nodes(m: &mut Machine, buckets: &[Word]) -> Result<Option<Vec<(Term, Ref)>>, Raise> {
    let mut nodes: Vec<(Term, Ref)> = Vec::new();
    let add = |m: &mut Machine, nodes: &mut Vec<(Term, Ref)>, guard: Term, node: Ref| match nodes
        .iter_mut()
        .find(|known| known.1 == node)
    {
        Some(known) => known.0 = m.terms_mut().or(known.0, guard),
        None => nodes.push((guard, node)),
    };
    for word in buckets {
        for (guard, node) in m.leads_to(*word)? {
            add(m, &mut nodes, guard, node);
        }
    }
    let mut next = 0;
    while let Some((there, node)) = nodes.get(next).copied() {
        if nodes.len() > MOST || m.class_name_of(node).ends_with("TreeNode") {
            return Ok(None);
        }
        let behind = m.field(node, "next");
        for (guard, node) in m.leads_to(behind)? {
            let guard = m.terms_mut().and(there, guard);
            add(m, &mut nodes, guard, node);
        }
        next += 1;
    }
    Ok(Some(nodes))
}

/// Whether a key of a class, which is not null, equals another one. None if that takes code to find out.
fn same_key(m: &mut Machine, class: ClassId, key: Word, other: Word) -> Result<Option<Term>, Raise> {
    let (one, two) = (m.word_term(key, machine::symbolic::REF)?, m.word_term(other, machine::symbolic::REF)?);
    let null = m.is_null_term(two);
    if m.branch(null)? {
        return Ok(Some(Term::FALSE));
    }
    let Some(found) = m.sure_class(two) else { return Ok(None) };
    if class != found {
        let by_reference = is_compared_by_reference(m, class);
        return Ok((class == m.known.string || is_box(m, class) || by_reference).then_some(Term::FALSE));
    }
    if class == m.known.string {
        let (one, two) = (m.text_of(key)?, m.text_of(other)?);
        return strings::equal(m, &one, &two).map(Some);
    }
    if is_box(m, class) {
        let Some(field) = m.program.field_named(class, "value").cloned() else { return Ok(None) };
        let wide = field.kind.width() == 2;
        let sort = if wide { Sort::LONG } else { Sort::INT };
        let mut value = |reference: Term| {
            let (word, tag) = m.read_field(reference, field.class, field.offset, wide)?;
            if wide { m.wide_term(word, tag, sort) } else { m.word_term(word, sort) }
        };
        let (one, two) = (value(one)?, value(two)?);
        return Ok(Some(m.terms_mut().eq(one, two)));
    }
    if is_compared_by_reference(m, class) {
        return Ok(Some(m.same_reference(one, two)));
    }
    Ok(None)
}

/// Boxes of whole numbers: floating-point ones are compared by their bits.
fn is_box(m: &Machine, class: ClassId) -> bool {
    matches!(
        m.program.class_name(class),
        "java/lang/Integer" | "java/lang/Long" | "java/lang/Short" | "java/lang/Byte" | "java/lang/Character"
    )
}

fn is_compared_by_reference(m: &Machine, class: ClassId) -> bool {
    let equals = m.program.find_method_named(class, "equals", "(Ljava/lang/Object;)Z");
    let owner = equals.map(|id| m.program.method(id).class);
    owner == Some(m.known.object) || m.is_enum_class(class)
}
