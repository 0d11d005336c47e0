//! Calling the method under test with unknown arguments.

use machine::{Machine, Origin, Raise};
use program::descriptor::split_method;
use program::{Kind, MethodId};
use term::Term;
use values::Parameter;

/// Calls a method with unknown arguments. `main` gets no arguments, because a program's are not unknown.
pub fn enter(m: &mut Machine, id: MethodId) -> Result<Vec<Parameter>, Raise> {
    let parameters = arguments(m, id)?;
    call(m, id, &parameters)?;
    Ok(parameters)
}

/// Calls a method with as many of the arguments as it takes.
pub fn call(m: &mut Machine, id: MethodId, parameters: &[Parameter]) -> Result<(), Raise> {
    let count =
        m.program.method(id).signature.parameters.len() + usize::from(!m.program.method(id).is_static());
    let mut words = Vec::new();
    for parameter in parameters.iter().take(count) {
        words.push(parameter.words[0]);
        if parameter.kind.width() == 2 {
            words.push(parameter.words[1]);
        }
    }
    let class = m.program.method(id).class;
    m.mark_entry();
    m.enter(id, &words)?;
    pushed(m.take_detours())?;
    pushed(m.initialize(class))
}

/// A frame that has to finish first is as good as none, before anything runs.
fn pushed(result: Result<(), Raise>) -> Result<(), Raise> {
    match result {
        Err(Raise::Retry) => Ok(()),
        result => result,
    }
}

/// Unknown arguments for a method.
pub fn arguments(m: &mut Machine, id: MethodId) -> Result<Vec<Parameter>, Raise> {
    let method = m.program.method(id);
    let (class, is_static) = (method.class, method.is_static());
    let name = m.program.text(method.name).to_string();
    let descriptor = m.program.text(method.descriptor).to_string();
    let names = parameter_names(m, id);
    let mut parameters = Vec::new();
    if name == "main" && is_static && descriptor == "([Ljava/lang/String;)V" {
        let strings = m.load("[Ljava/lang/String;")?;
        let array = m.allocate_array(strings, 0)?;
        m.roots.push(array);
        return Ok(vec![Parameter {
            name: "args".into(),
            descriptor: "[Ljava/lang/String;".into(),
            kind: Kind::Ref,
            term: None,
            words: [array.word(), 0],
        }]);
    }
    if !is_static {
        let internal = m.program.class_name(class).to_string();
        let descriptor = format!("L{internal};");
        if name == "<init>" {
            let made = m.class_in_making(class);
            let object = m.allocate(made)?;
            m.roots.push(object);
            let words = [object.word(), 0];
            parameters.push(Parameter {
                name: "this".into(),
                descriptor,
                kind: Kind::Ref,
                term: None,
                words,
            });
        } else {
            let term = m.new_pointer(class, true, Origin::Parameter(0));
            parameters.push(parameter(m, "this".into(), descriptor, Kind::Ref, term));
        }
    }
    let (types, _) = split_method(&descriptor).unwrap_or_default();
    let generic = m.program.method_types(id).parameters;
    for (index, text) in types.iter().enumerate() {
        let kind = Kind::of(text).unwrap_or(Kind::Int);
        let position = parameters.len() as u32;
        let term = m.new_input(kind, text, false, Origin::Parameter(position))?;
        if let Some(generic) = generic.get(index) {
            m.set_content(term, generic)?;
        }
        let name = names.get(index).cloned().unwrap_or_else(|| format!("arg{index}"));
        parameters.push(parameter(m, name, (*text).to_string(), kind, term));
    }
    Ok(parameters)
}

pub(crate) fn parameter(m: &Machine, name: String, descriptor: String, kind: Kind, term: Term) -> Parameter {
    let words = if kind.width() == 2 {
        let (value, tag) = m.term_words(term);
        [value, tag]
    } else {
        [m.term_word(term), 0]
    };
    Parameter { name, descriptor, kind, term: Some(term), words }
}

/// The names of the declared parameters, from debug information where there is some.
pub fn parameter_names(m: &Machine, id: MethodId) -> Vec<String> {
    let method = m.program.method(id);
    let locals = m.program.locals(id, 0);
    let mut slot = u16::from(!method.is_static());
    let mut names = Vec::new();
    for (index, kind) in method.signature.parameters.iter().enumerate() {
        let local = locals.iter().find(|local| local.slot == slot);
        names.push(local.map_or_else(|| format!("arg{index}"), |local| local.name.clone()));
        slot += kind.width();
    }
    names
}
