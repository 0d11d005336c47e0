//! What `check` finds as tests: a call that violates, with the objects it starts from, and with a small class where it needs one
//! that nobody has seen.

use std::collections::BTreeSet;
use std::time::Duration;

use explore::Wrong;
use explore::check::Violation;
use machine::Machine;
use program::{ClassId, MethodId, access};
use testcase::{Answer, Call, Counterexample, Implemented, Node, Spelling, UNSEEN, Unseen, Value};
use values::input::Making;

use crate::confirm::Judge;
use crate::implement;
use crate::naming::told_apart;
use crate::types::{self, Type};

/// What a test may take: the call was short in the machine.
const TIME: Duration = Duration::from_secs(20);

/// A violation as a test of a class in a package. The error says why there can be none.
pub fn of(
    m: &mut Machine,
    package: &str,
    violation: &Violation,
    taken: &mut BTreeSet<String>,
) -> Result<Counterexample, String> {
    if let Some(place) = &violation.elsewhere {
        return Err(format!("it fails where {} = {}", place.world.name(), place.shown));
    }
    if let Some((_, what)) = violation.input.outside.first() {
        return Err(format!("it depends on the world outside: {what}"));
    }
    if !violation.touched.is_empty() {
        return Err(format!("it touches {}", violation.touched));
    }
    let case = violation.case.clone();
    if !case.choices.is_empty() {
        return Err("the program makes choices".into());
    }
    let mut unseen = Vec::new();
    for (index, node) in case.nodes.iter().enumerate() {
        if let Node::Object { class, fields } = node
            && let Some(mut made) = made_up(m, package, class, fields)?
        {
            if let Some((_, making)) = violation.input.made.iter().find(|(node, _)| *node == index) {
                made.is_made = true;
                made.arguments = handed_on(m, package, &case.nodes, making)?;
            }
            unseen.push((index, made));
        }
    }
    // What is made by calls is otherwise told by its fields.
    if violation.input.made.iter().any(|(node, _)| !unseen.iter().any(|(index, _)| index == node)) {
        return Err("it needs objects that are made beside one of a class that nobody has seen".into());
    }
    let name = name(&case.call, taken);
    taken.insert(name.clone());
    let before = case.before.iter().map(|earlier| spelling(m, package, &earlier.call)).collect();
    let call = spelling(m, package, &case.call);
    let (names, exception) = (violation.names.clone(), violation.exception.clone());
    Ok(Counterexample { name, case, names, call, before, unseen, exception })
}

/// Leaves in `all` only those that fail on the JVM as they are to; why the others do not.
pub fn confirm(
    judge: &mut Judge,
    class: &str,
    all: &mut Vec<Counterexample>,
    render: &mut dyn FnMut(&[Counterexample]) -> String,
) -> Result<Vec<(Counterexample, String)>, Wrong> {
    if failure(judge, class, all, render)?.is_none() {
        return Ok(Vec::new());
    }
    let mut bad = Vec::new();
    for one in std::mem::take(all) {
        match failure(judge, class, std::slice::from_ref(&one), render)? {
            Some(why) => bad.push((one, why)),
            None => all.push(one),
        }
    }
    if !all.is_empty()
        && let Some(why) = failure(judge, class, all, render)?
    {
        bad.extend(all.drain(..).map(|one| (one, why.clone())));
    }
    Ok(bad)
}

/// Why one of some tests does not fail as it is to; none if all do.
fn failure(
    judge: &mut Judge,
    class: &str,
    all: &[Counterexample],
    render: &mut dyn FnMut(&[Counterexample]) -> String,
) -> Result<Option<String>, Wrong> {
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    let ends = match judge.ends(class, render(all), &names, TIME)? {
        Ok(ends) => ends,
        Err(why) => return Ok(Some(why)),
    };
    Ok(all.iter().zip(ends).find_map(|(one, end)| match end {
        Ok(thrown) if thrown == one.exception => None,
        Ok(thrown) => Some(format!("on the JVM it ends in a {thrown}")),
        Err(why) => Some(format!("on the JVM {why}")),
    }))
}

/// The name of a test.
fn name(call: &Call, taken: &BTreeSet<String>) -> String {
    let own = match call.method.as_str() {
        "<init>" => "constructor",
        method => method,
    };
    let plain: String = own.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let short = format!("{plain}Fails");
    if !taken.contains(&short) {
        return short;
    }
    let mut kinds = types::descriptor_types(&call.descriptor);
    kinds.pop();
    let of: String = kinds.iter().map(simple).collect();
    told_apart(&format!("{plain}Of{of}Fails"), |name| taken.contains(name))
}

/// The last part of the name of a type, as part of another.
fn simple(kind: &Type) -> String {
    let text = machine::external_type(&kind.descriptor()).replace("[]", "Array");
    let last = text.rsplit(['.', '$']).next().unwrap_or("Object").to_string();
    let mut letters = last.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// How a call is written in a package; none if it has to be looked up.
fn spelling(m: &mut Machine, package: &str, call: &Call) -> Option<Spelling> {
    let class = m.load(&call.class.replace('.', "/")).ok()?;
    let id = m.program.declared_method(class, &call.method, &call.descriptor)?;
    let flags = m.program.method(id).flags;
    let is_inner = call.method == "<init>" && m.program.outer_class(class).is_some();
    if is_inner || !m.program.can_call(id, package) || flags & access::SYNTHETIC != 0 {
        return None;
    }
    let mut kinds = types::descriptor_types(&call.descriptor);
    kinds.pop();
    let parameters: Option<Vec<String>> = kinds.iter().map(|kind| source(m, kind, package)).collect();
    let (name, count) = (m.program.method(id).name, kinds.len());
    let methods = m.program.class(class).display.clone().into_iter();
    let mut methods = methods.flat_map(|class| m.program.class(class).methods.iter().copied());
    let is_overloaded = methods.any(|other| {
        let method = m.program.method(other);
        let types = types::descriptor_types(m.program.text(method.descriptor));
        method.name == name && types.len() == count + 1 && types[..count] != kinds[..]
    });
    Some(Spelling { class: m.program.source_name(class, package)?, parameters: parameters?, is_overloaded })
}

/// A type as source in a package names it, without type arguments.
fn source(m: &mut Machine, kind: &Type, package: &str) -> Option<String> {
    Some(match kind.erased() {
        Type::Array(element) => source(m, &element, package)? + "[]",
        Type::Class(name, _) => {
            let id = m.load(&name).ok()?;
            m.program.source_name(id, package)?
        }
        other => machine::external_type(&other.descriptor()),
    })
}

/// What a class has to be of which an object is made up; none if the class is there.
fn made_up(
    m: &mut Machine,
    package: &str,
    class: &str,
    fields: &[(String, Value)],
) -> Result<Option<Unseen>, String> {
    let binary = class.trim_end_matches(UNSEEN).to_string();
    let Ok(id) = m.load(&binary.replace('.', "/")) else { return Ok(None) };
    let is_function = m.program.class(id).is_interface();
    if !class.ends_with(UNSEEN) && !is_function {
        return Ok(None);
    }
    let cannot = || format!("it needs a class that extends {binary}, which a test cannot write");
    let parent = m.program.source_name(id, package).ok_or_else(cannot)?;
    let (mut methods, open) = open_methods(m, id, package).ok_or_else(cannot)?;
    let inherited = if class.ends_with(UNSEEN) { values::input::fields_of(m, id).len() } else { 0 };
    for (label, value) in fields.get(inherited..).unwrap_or_default() {
        let (name, throws) = match label.strip_suffix("() throws") {
            Some(name) => (name, Some(*value == Value::Boolean(true))),
            None => (label.trim_end_matches("()"), None),
        };
        let at = match class.ends_with(UNSEEN) {
            true => place(m, id, package, name, &mut methods).ok_or_else(cannot)?,
            false => open.ok_or_else(cannot)?,
        };
        let method = &mut methods[at];
        match throws {
            Some(true) => method.answers.push(Answer::Throws),
            Some(false) if method.result == "void" => method.answers.push(Answer::Returns(None)),
            Some(false) => {}
            None => method.answers.push(Answer::Returns(Some(value.clone()))),
        }
    }
    let arguments = match m.program.class(id).is_interface() {
        true => Vec::new(),
        false => given_to_constructor(m, id, package).ok_or_else(cannot)?,
    };
    let is_interface = m.program.class(id).is_interface();
    Ok(Some(Unseen { parent, binary, is_interface, arguments, inherited, is_made: false, methods }))
}

/// The methods that a class which extends another has to have, and which one it is if there is one only.
fn open_methods(m: &mut Machine, id: ClassId, package: &str) -> Option<(Vec<Implemented>, Option<usize>)> {
    let kind = Type::named(m.program.class_name(id));
    let mut methods = Vec::new();
    for open in implement::open_methods(m, &kind)? {
        let parameters: Option<Vec<String>> =
            open.parameters.iter().map(|kind| source(m, kind, package)).collect();
        methods.push(Implemented {
            name: open.method.name,
            is_public: open.is_public,
            result: source(m, &open.result, package)?,
            parameters: parameters?,
            answers: Vec::new(),
        });
    }
    let only = (methods.len() == 1).then_some(0);
    Some((methods, only))
}

/// The place of the method of a name among those that are written; it is added if it need not be there. None if there are
/// several of the name.
fn place(
    m: &mut Machine,
    id: ClassId,
    package: &str,
    name: &str,
    methods: &mut Vec<Implemented>,
) -> Option<usize> {
    let line = m.program.class(id).display.iter().chain(&m.program.class(id).all_interfaces);
    let all: Vec<MethodId> = line.flat_map(|class| m.program.class(*class).methods.clone()).collect();
    let fixed = access::STATIC | access::PRIVATE | access::SYNTHETIC;
    let named = all.into_iter().filter(|id| {
        let method = m.program.method(*id);
        m.program.text(method.name) == name && method.flags & fixed == 0
    });
    let found: Vec<MethodId> = named.collect();
    let descriptors: BTreeSet<String> = found
        .iter()
        .map(|id| {
            let text = m.program.text(m.program.method(*id).descriptor);
            text.split(')').next().unwrap_or(text).to_string()
        })
        .collect();
    let at = methods.iter().position(|method| method.name == name);
    if at.is_some() && methods.iter().filter(|method| method.name == name).count() == 1 {
        return at.filter(|_| descriptors.len() == 1);
    }
    if descriptors.len() != 1 {
        return None;
    }
    // The lowest comes last in the line of classes, and says what is given.
    let id = *found.last()?;
    let descriptor = m.program.text(m.program.method(id).descriptor).to_string();
    let mut kinds = types::descriptor_types(&descriptor);
    let result = kinds.pop()?;
    let parameters: Option<Vec<String>> = kinds.iter().map(|kind| source(m, kind, package)).collect();
    methods.push(Implemented {
        name: name.to_string(),
        is_public: m.program.method(id).flags & access::PUBLIC != 0,
        result: source(m, &result, package)?,
        parameters: parameters?,
        answers: Vec::new(),
    });
    Some(methods.len() - 1)
}

/// What a constructor is given by a class that extends its own: nothing that matters.
fn given_to_constructor(m: &mut Machine, id: ClassId, package: &str) -> Option<Vec<(String, Value)>> {
    let constructor = implement::constructor(m, id, package)?;
    let descriptor = m.program.text(m.program.method(constructor).descriptor).to_string();
    let mut kinds = types::descriptor_types(&descriptor);
    kinds.pop();
    let nothing = |kind: &Type| match kind {
        Type::Primitive(letter) => Value::of(*letter, 0),
        _ => Value::Null,
    };
    kinds.iter().map(|kind| Some((source(m, kind, package)?, nothing(kind)))).collect()
}

/// What a constructor is given where it matters.
fn handed_on(
    m: &mut Machine,
    package: &str,
    nodes: &[Node],
    making: &Making,
) -> Result<Vec<(String, Value)>, String> {
    let cannot =
        || "it needs a class that nobody has seen, made by calls that a test cannot write".to_string();
    let is_plain = |value: &Value| match value {
        Value::Node(index) => matches!(nodes.get(*index), Some(Node::String(_))),
        _ => true,
    };
    if !making.calls.is_empty() || !making.start.arguments.iter().all(is_plain) {
        return Err(cannot());
    }
    let mut kinds = types::descriptor_types(&making.start.descriptor);
    kinds.pop();
    let given = kinds.iter().zip(&making.start.arguments);
    let given = given.map(|(kind, value)| Some((source(m, kind, package)?, value.clone())));
    given.collect::<Option<Vec<_>>>().ok_or_else(cannot)
}
