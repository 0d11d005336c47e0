//! A method that takes an unknown object of each class that has one: inputs are found for it.

use std::fmt::Write;
use std::time::Duration;

use explore::ladder::LADDER;
use explore::paths::{Criterion, Effort, Explorer, Observer};
use library::{Class, TABLE, Unknown};
use testcase::Value;

use crate::setup;

struct Silent;

impl Observer for Silent {}

#[test]
fn unknown_objects_of_every_class_are_found() {
    for jdk in setup::jdks() {
        let nothing = tempfile::tempdir().expect("a folder");
        let mut m = setup::setup(&jdk, nothing.path()).machine().unwrap_or_else(|e| panic!("{e}"));
        let mut asked = Vec::new();
        for class in TABLE {
            let own = if class.unknown == Unknown::Iterator || class.unknown == Unknown::Never {
                None
            } else {
                Some(class.name)
            };
            let names = own.into_iter().chain(class.unknown_for.iter().copied());
            asked.extend(names.filter(|name| m.load(name).is_ok()).map(|name| (name, class)));
        }
        assert!(asked.len() > 40, "{} types", asked.len());
        let classes = setup::compile(&jdk, "Asked", &source(&asked));
        let mut explorer = Explorer::new(&setup::setup(&jdk, classes.path())).expect("the machine starts");
        let effort = Effort {
            explored: None,
            work: None,
            hard_questions: None,
            criterion: Criterion::Branch,
            rungs: LADDER[..4].to_vec(),
            time_per_method: Some(Duration::from_secs(20)),
            deadline: None,
            paths: None,
        };
        let methods = explorer.driver.methods("Asked").expect("it is compiled");
        let (mut seen, mut missed) = (0, Vec::new());
        for id in methods {
            let method = explorer.explore(id, &effort, &mut Silent);
            let Some(number) = method.name.strip_prefix("asked") else { continue };
            let (name, class) = asked[number.parse::<usize>().expect("a number")];
            let given = method.paths.iter().any(|path| match path.input.arguments[0] {
                Value::Node(index) => path.input.nodes[index].class() == class.binary_name(),
                _ => false,
            });
            if !given {
                eprintln!("an unknown {name}: {:?}", method.reasons);
                missed.push(name);
            }
            seen += 1;
        }
        // FIXME: the initializer of the class takes more steps there than a path has.
        let expected: &[&str] = if jdk.feature() >= 25 { &["java/math/BigDecimal"] } else { &[] };
        assert_eq!(missed, expected, "on Java {}", jdk.feature());
        assert_eq!(seen, asked.len());
    }
}

/// A class with a method for each type, which looks at what is in it.
fn source(asked: &[(&str, &Class)]) -> String {
    let mut text = String::from("@SuppressWarnings(\"rawtypes\")\nclass Asked {\n");
    for (number, (name, class)) in asked.iter().enumerate() {
        let look = match class.unknown {
            Unknown::AnyLength | Unknown::ByAdding { .. } if *name == "java/lang/Iterable" => {
                "o.iterator().hasNext()"
            }
            Unknown::AnyLength | Unknown::ByAdding { .. } => "o.size() == 1",
            Unknown::Iterator => "o.hasNext()",
            Unknown::OneOrNone => "o.isPresent()",
            Unknown::Number if name.contains("Atomic") => "o.get() > 5",
            Unknown::Number => "o.hashCode() > 5",
            Unknown::Truth => "o.get()",
            Unknown::Halves => "o.getLeastSignificantBits() > 5",
            Unknown::Integer | Unknown::Decimal => "o.signum() > 0",
            Unknown::Date => "o.getDayOfMonth() > 30",
            Unknown::Letters => "o.length() > 1",
            Unknown::Entry => "o.getKey() == null",
            Unknown::Fields => "o.get() == null",
            Unknown::Never => panic!("{name} has no unknown form"),
        };
        let kind = name.replace(['/', '$'], ".");
        let _ = writeln!(text, "static int asked{number}({kind} o) {{ return {look} ? 1 : 2; }}");
    }
    text.push_str("}\n");
    text
}
