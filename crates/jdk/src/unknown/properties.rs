//! System properties and environment variables that the program asks for by name: each is missing, or any string, and the
//! same each time. Properties are put into the table of the library when the program first names them, so that it can set
//! and remove them; what the library reads for itself is as in `run`.

use machine::{Args, Machine, Nullness, Outside, Raise, Ref, Return, Subject, Supposition, Value, World};
use term::Term;

use crate::natives::{Entry, not_modelled};
use crate::world;

const SYSTEM: &str = "java/lang/System";
const INTEGER: &str = "java/lang/Integer";
const LONG: &str = "java/lang/Long";

pub(super) const TABLE: &[Entry] = &[
    (SYSTEM, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", property),
    (SYSTEM, "getProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", property),
    (SYSTEM, "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", property),
    (SYSTEM, "clearProperty", "(Ljava/lang/String;)Ljava/lang/String;", property),
    (INTEGER, "getInteger", "(Ljava/lang/String;)Ljava/lang/Integer;", property),
    (INTEGER, "getInteger", "(Ljava/lang/String;I)Ljava/lang/Integer;", property),
    (INTEGER, "getInteger", "(Ljava/lang/String;Ljava/lang/Integer;)Ljava/lang/Integer;", property),
    (LONG, "getLong", "(Ljava/lang/String;)Ljava/lang/Long;", property),
    (LONG, "getLong", "(Ljava/lang/String;J)Ljava/lang/Long;", property),
    (LONG, "getLong", "(Ljava/lang/String;Ljava/lang/Long;)Ljava/lang/Long;", property),
    ("java/lang/Boolean", "getBoolean", "(Ljava/lang/String;)Z", property),
    (SYSTEM, "getProperties", "()Ljava/util/Properties;", table),
    (SYSTEM, "setProperties", "(Ljava/util/Properties;)V", table),
    (SYSTEM, "getenv", "()Ljava/util/Map;", table),
    (SYSTEM, "lineSeparator", "()Ljava/lang/String;", line_separator),
    (SYSTEM, "getenv", "(Ljava/lang/String;)Ljava/lang/String;", variable),
];

/// Whether the program asks for something of its surroundings that may be anything.
pub(crate) fn is_open(m: &Machine) -> bool {
    m.is_outside_open() && m.is_program_asking()
}

/// The text of a key, if it is known and one that can be looked for.
fn key(m: &mut Machine, a: Args) -> Result<Option<String>, Raise> {
    let key = Ref::from_word(m.force(a.word(m, 0))?);
    if key.is_null() {
        return Ok(None);
    }
    if m.holds_unknown(key) {
        m.depend(World::Properties);
        return Ok(None);
    }
    Ok(Some(m.string(key)).filter(|text| !text.is_empty()))
}

fn property(m: &mut Machine, a: Args) -> Return {
    if !is_open(m) {
        return Ok(Value::Pass);
    }
    let Some(text) = key(m, a)? else { return Ok(Value::Pass) };
    let subject = Subject::lasting(World::Properties, format!("the system property {text:?}"));
    if m.symbolic.is_settled(&subject) {
        m.suppose(Supposition::KeptProperties);
        return Ok(Value::Pass);
    }
    let Some(value) = m.ask_object(subject.clone(), m.known.string, Nullness::Possible) else {
        return Ok(Value::Pass);
    };
    let missing = m.is_null_term(value);
    let is_missing = m.branch(missing)?;
    let system = m.load(SYSTEM)?;
    let Some(table) = m.static_field(system, "props").map(|at| Ref::from_word(m.heap.word(at))) else {
        return Err(not_modelled("properties of this JDK"));
    };
    let class = m.class_of(table);
    let method = |m: &Machine, name: &str, descriptor: &str| {
        let found = m.program.find_method_named(class, name, descriptor);
        found.ok_or_else(|| not_modelled("properties of this JDK"))
    };
    let name = Ref::from_word(m.force(a.word(m, 0))?);
    if is_missing {
        let remove = method(m, "remove", "(Ljava/lang/Object;)Ljava/lang/Object;")?;
        m.call(remove, &[table.word(), name.word()])?;
    } else {
        let put = method(m, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")?;
        let value = m.term_word(value);
        m.call(put, &[table.word(), name.word(), value])?;
    }
    m.symbolic.settle(subject);
    Ok(Value::Pass)
}

/// All of them at once: nobody can say what else is there.
fn table(m: &mut Machine, _: Args) -> Return {
    match is_open(m) {
        true => {
            Err(not_modelled("the table of system properties or environment variables (--closed outside)"))
        }
        false => Ok(Value::Pass),
    }
}

/// What ends a line: the JVM is told when it starts.
fn line_separator(m: &mut Machine, _: Args) -> Return {
    if !m.is_outside_open() || !world::is_separator_seen(m) {
        return Ok(Value::Pass);
    }
    let subject = Subject::lasting(World::Properties, "the line separator");
    let answer = m.ask_object(subject, m.known.string, Nullness::Never);
    Ok(answer.map_or(Value::Pass, |answer| m.term_value(answer)))
}

/// Variables are those of the process: nobody changes them.
fn variable(m: &mut Machine, a: Args) -> Return {
    if !is_open(m) {
        return Ok(Value::Pass);
    }
    let Some(text) = key(m, a)? else { return Ok(Value::Pass) };
    // A name ends where its value begins.
    if text.contains('\0') || text.chars().skip(1).any(|unit| unit == '=') {
        return Ok(Value::reference(Ref::NULL));
    }
    let world = World::Outside(Outside::Environment);
    let subject = Subject::lasting(world, format!("the environment variable {text:?}"));
    let Some(answer) = m.ask_object(subject, m.known.string, Nullness::Possible) else {
        return Ok(Value::Pass);
    };
    let missing = m.is_null_term(answer);
    if m.branch(missing)? {
        return Ok(Value::reference(Ref::NULL));
    }
    // The system ends a value with a zero.
    let word = m.term_word(answer);
    let value = m.text_of(word)?;
    let mut is_text = Term::TRUE;
    for unit in value.units.iter() {
        let is_zero = m.terms_mut().is(*unit, 0);
        let is_other = m.terms_mut().not(is_zero);
        is_text = m.terms_mut().and(is_text, is_other);
    }
    m.assume(is_text)?;
    Ok(m.term_value(answer))
}
