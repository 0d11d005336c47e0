//! Finding the method under test and calling it with unknown arguments.

use machine::{Machine, Origin, Raise};
use program::descriptor::split_method;
use program::{ClassId, Kind, LinkError, MethodId};
use term::Term;
use values::Parameter;

/// A class by the name a user gives.
pub fn find_class(m: &mut Machine, name: &str) -> Result<ClassId, String> {
    let internal = name.replace('.', "/");
    let loaded = m.program.load(&internal);
    m.sync_classes();
    loaded.map_err(|error| match error {
        LinkError::NotFound(missing) if missing == internal => {
            if name.ends_with(".java") {
                return format!("{name} is a source file; compile it and name the class");
            }
            if let Some(class) = name.strip_suffix(".class") {
                return format!("{name} is a file; name the class, as in {}", class.replace('/', "."));
            }
            format!("class {name} not found; check the name and the class path (-cp)")
        }
        error => error.to_string(),
    })
}

/// The methods of a class with a name, or all with a body that a compiler was not the only one to ask for.
pub fn find_methods(m: &mut Machine, target: &str) -> Result<Vec<MethodId>, String> {
    let (class_name, method_name) = match target.split_once('#') {
        Some((class, method)) => (class, Some(method)),
        None => (target, None),
    };
    let class = find_class(m, class_name)?;
    let methods = m.program.class(class).methods.clone();
    let Some(wanted) = method_name else {
        return Ok(methods.into_iter().filter(|method| is_testable(m, *method)).collect());
    };
    let (name, descriptor) = match wanted.find('(') {
        Some(at) => wanted.split_at(at),
        None => (wanted, ""),
    };
    let simple = class_name.rsplit(['.', '$']).next().unwrap_or(class_name);
    let name = if name == simple { "<init>" } else { name };
    let named: Vec<MethodId> = methods
        .iter()
        .copied()
        .filter(|id| {
            let method = m.program.method(*id);
            let types = m.program.text(method.descriptor);
            m.program.text(method.name) == name && (types.starts_with(descriptor) || reads(types, descriptor))
        })
        .collect();
    if named.is_empty() {
        return Err(format!("class {class_name} has no method {wanted}{}", others(m, &methods)));
    }
    let with_code: Vec<MethodId> = named
        .iter()
        .copied()
        .filter(|id| !m.program.method(*id).is_abstract() && !m.program.method(*id).is_native())
        .collect();
    if with_code.is_empty() {
        return Err(format!("{target} has no code: it is abstract or native; name an implementation"));
    }
    Ok(with_code)
}

/// Whether `(int, String)` is how a person writes a descriptor.
fn reads(descriptor: &str, text: &str) -> bool {
    let Some((parameters, _)) = split_method(descriptor) else { return false };
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    let names: Vec<&str> = inner.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    names.len() == parameters.len()
        && names.iter().zip(&parameters).all(|(name, parameter)| {
            let full = machine::external_type(parameter);
            full == *name || full.rsplit(['.', '$']).next() == Some(name)
        })
}

fn is_testable(m: &Machine, id: MethodId) -> bool {
    let method = m.program.method(id);
    let hidden = method.flags & (program::access::SYNTHETIC | program::access::BRIDGE) != 0;
    let initializer = m.program.text(method.name) == "<clinit>";
    !hidden && !initializer && !method.is_abstract() && !method.is_native()
}

fn others(m: &Machine, methods: &[MethodId]) -> String {
    let mut names: Vec<&str> = methods
        .iter()
        .filter(|id| is_testable(m, **id))
        .map(|id| m.program.text(m.program.method(*id).name))
        .filter(|name| !name.starts_with('<'))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { String::new() } else { format!("; it has {}", names.join(", ")) }
}

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
            let object = m.allocate(class)?;
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

fn parameter(m: &Machine, name: String, descriptor: String, kind: Kind, term: Term) -> Parameter {
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
