//! Finding the method a user named, and reading its arguments.

use machine::{Machine, Raise, Word};
use program::descriptor::split_method;
use program::{ClassId, Kind, LinkError, MethodId};

/// A static method with its arguments, ready to be entered.
pub struct Target {
    pub class: ClassId,
    pub method: MethodId,
    pub arguments: Vec<Word>,
}

/// Finds `CLASS[#METHOD]` and converts the arguments. The error is a message for the user.
pub fn find(m: &mut Machine, name: &str, arguments: &[String]) -> Result<Target, String> {
    let (class_name, method_name) = name.split_once('#').unwrap_or((name, "main"));
    let internal = class_name.replace('.', "/");
    let loaded = m.program.load(&internal);
    m.sync_classes();
    let class = loaded.map_err(|error| match error {
        LinkError::NotFound(missing) if missing == internal => {
            format!("class {class_name} not found; check the name and the class path (-cp)")
        }
        error => error.to_string(),
    })?;
    let named: Vec<MethodId> = m
        .program
        .class(class)
        .methods
        .iter()
        .copied()
        .filter(|method| m.program.text(m.program.method(*method).name) == method_name)
        .collect();
    if named.is_empty() {
        return Err(format!("class {class_name} has no method {method_name}{}", others(m, class)));
    }
    let mut complaint = String::new();
    for method in named {
        match fit(m, method, arguments) {
            Ok(arguments) => return Ok(Target { class, method, arguments }),
            Err(why) => complaint = why,
        }
    }
    Err(format!("{class_name}#{method_name}: {complaint}"))
}

/// The static methods a user could have meant.
fn others(m: &Machine, class: ClassId) -> String {
    let mut names: Vec<&str> = m
        .program
        .class(class)
        .methods
        .iter()
        .map(|method| m.program.method(*method))
        .filter(|method| method.is_static())
        .map(|method| m.program.text(method.name))
        .filter(|name| !name.starts_with('<') && !name.contains('$'))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { String::new() } else { format!("; its static methods are {}", names.join(", ")) }
}

fn fit(m: &mut Machine, method: MethodId, arguments: &[String]) -> Result<Vec<Word>, String> {
    if !m.program.method(method).is_static() {
        return Err("the method is not static; name a static one".into());
    }
    let descriptor = m.program.text(m.program.method(method).descriptor).to_string();
    let (parameters, _) = split_method(&descriptor).ok_or("a malformed descriptor")?;
    if descriptor == "([Ljava/lang/String;)V" {
        return string_array(m, arguments)
            .map_err(|raise| jdk::boot::describe(m, raise))
            .map(|word| vec![word]);
    }
    if parameters.len() != arguments.len() {
        let types: Vec<String> = parameters.iter().map(|p| machine::external_type(p)).collect();
        return Err(format!(
            "takes {} argument{} ({}), but {} {} given",
            parameters.len(),
            if parameters.len() == 1 { "" } else { "s" },
            types.join(", "),
            arguments.len(),
            if arguments.len() == 1 { "was" } else { "were" }
        ));
    }
    let mut words = Vec::new();
    for (parameter, text) in parameters.iter().zip(arguments) {
        let word = parse(m, parameter, text)?;
        words.push(word);
        if Kind::of(parameter).is_some_and(|kind| kind.width() == 2) {
            words.push(0);
        }
    }
    Ok(words)
}

fn parse(m: &mut Machine, parameter: &str, text: &str) -> Result<Word, String> {
    let bad = || format!("`{text}` is not {}", with_article(&machine::external_type(parameter)));
    let int = |value: i32| Word::from(value as u32);
    Ok(match parameter {
        "Z" => Word::from(text.parse::<bool>().map_err(|_| bad())?),
        "B" => int(text.parse::<i8>().map_err(|_| bad())?.into()),
        "S" => int(text.parse::<i16>().map_err(|_| bad())?.into()),
        "C" => {
            let mut units = text.encode_utf16();
            match (units.next(), units.next()) {
                (Some(unit), None) => Word::from(unit),
                _ => return Err(bad()),
            }
        }
        "I" => int(text.parse::<i32>().map_err(|_| bad())?),
        "J" => text.parse::<i64>().map_err(|_| bad())? as Word,
        "F" => Word::from(text.parse::<f32>().map_err(|_| bad())?.to_bits()),
        "D" => text.parse::<f64>().map_err(|_| bad())?.to_bits(),
        "Ljava/lang/String;" => match m.new_string(text) {
            Ok(string) => {
                m.roots.push(string);
                string.word()
            }
            Err(raise) => return Err(jdk::boot::describe(m, raise)),
        },
        other => {
            return Err(format!(
                "takes {}; only numbers, booleans, characters and strings can be given on the command line",
                with_article(&machine::external_type(other))
            ));
        }
    })
}

/// `an int`, `a long`.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

fn string_array(m: &mut Machine, arguments: &[String]) -> Result<Word, Raise> {
    let strings = m.load("[Ljava/lang/String;")?;
    let array = m.allocate_array(strings, arguments.len() as i32)?;
    m.roots.push(array);
    for (i, text) in arguments.iter().enumerate() {
        let string = m.new_string(text)?;
        m.set_element(array, i as i32, string);
    }
    Ok(array.word())
}
