//! Reading the arguments of a method from the command line.

use machine::{Machine, Raise, Word};
use program::descriptor::split_method;
use program::{ClassId, Kind, MethodId};

use crate::Wrong;
use crate::target::{self, Among};

/// A static method with its arguments, ready to be entered.
pub struct Given {
    pub class: ClassId,
    pub method: MethodId,
    pub arguments: Vec<Word>,
}

/// Finds `CLASS[#METHOD]` and converts the arguments.
pub fn find(m: &mut Machine, name: &str, arguments: &[String]) -> Result<Given, Wrong> {
    let named = if name.contains('#') { name.to_string() } else { format!("{name}#main") };
    let mut complaint = Wrong::from("");
    for method in target::methods(m, &named, Among::Static)? {
        match fit(m, method, arguments) {
            Ok(arguments) => return Ok(Given { class: m.program.method(method).class, method, arguments }),
            Err(why) => complaint = why,
        }
    }
    Err(complaint.about(&named))
}

fn fit(m: &mut Machine, method: MethodId, arguments: &[String]) -> Result<Vec<Word>, Wrong> {
    if !m.program.method(method).is_static() {
        return Err("the method is not static; name a static one".into());
    }
    let descriptor = m.program.text(m.program.method(method).descriptor).to_string();
    let (parameters, _) = split_method(&descriptor).ok_or("a malformed descriptor")?;
    if descriptor == "([Ljava/lang/String;)V" {
        return string_array(m, arguments)
            .map_err(|raise| jdk::boot::describe(m, raise).into())
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
        )
        .into());
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

fn parse(m: &mut Machine, parameter: &str, text: &str) -> Result<Word, Wrong> {
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
                _ => return Err(bad().into()),
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
            Err(raise) => return Err(jdk::boot::describe(m, raise).into()),
        },
        other => {
            return Err(format!(
                "takes {}; only numbers, booleans, characters and strings can be given on the command line",
                with_article(&machine::external_type(other))
            )
            .into());
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
