//! The truth about random methods: a JVM tries all inputs of each, and assertions are written that hold or do not.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Javac, jdk, root};

use crate::body::Method;
use crate::dice::Dice;

/// Methods of one class.
const METHODS: usize = 200;

const HEADER: &str = "package random;\n\nimport java.util.List;\nimport random.Things.*;\n\n";

/// What an assertion is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    Holds,
    Violated,
    /// Only an object violates it that was there before the call.
    ViolatedByOld,
}

/// A method with an assertion.
pub struct Question {
    pub target: String,
    pub label: Label,
    /// How it reads, for a message.
    pub source: String,
}

/// A random class, compiled.
pub struct Class {
    /// The class with the assertions, and where it and what it needs is: what else there is may be an input.
    pub name: String,
    pub class_path: [PathBuf; 2],
    pub questions: Vec<Question>,
}

/// Writes a class for each seed, tries its methods, and writes assertions about them.
pub fn classes(seeds: std::ops::Range<u64>, name: &str) -> Vec<Class> {
    let target = root().join("target/random").join(name);
    let _ = std::fs::remove_dir_all(&target);
    let (sources, folder) = (target.join("sources"), target.join("classes"));
    std::fs::create_dir_all(&sources).expect("the folder can be made");
    let all: Vec<(u64, Vec<Method>)> = seeds
        .map(|seed| {
            let mut dice = Dice::new(seed);
            (seed, (0..METHODS).map(|_| Method::random(&mut dice)).collect())
        })
        .collect();
    let mut runs = String::new();
    let mut files = Vec::new();
    for (seed, methods) in &all {
        files.push(write(&sources, &format!("B{seed}"), &bodies(*seed, methods)));
        files.push(write(&sources, &format!("D{seed}"), &drivers(*seed, methods)));
        let _ = writeln!(runs, "        D{seed}.run();");
    }
    let tell = format!(
        "{HEADER}public class Tell {{\n    public static void main(String[] args) {{\n{runs}    }}\n}}\n"
    );
    files.push(write(&sources, "Tell", &tell));
    files.extend(testkit::java_files(&root().join("fixtures/random")));
    Javac::new().release("17").flags(&["-proc:none"]).files(files).into(&folder);
    let results = run(&folder);
    let mut lines = results.lines();
    let (mut classes, mut files) = (Vec::new(), Vec::new());
    for (seed, methods) in &all {
        let mut questions = Vec::new();
        let class = format!("C{seed}");
        let mut text = format!("{HEADER}class {class} {{\n");
        for (number, method) in methods.iter().enumerate() {
            let line = lines.next().unwrap_or_else(|| panic!("no result for m{number} of B{seed}"));
            for (name, assertion, label) in assertions(line, *seed + number as u64) {
                let question = Question {
                    target: format!("random.{class}#{name}{number}"),
                    label,
                    source: format!("// {}\n{}        {assertion}\n", method.declared(), method.body),
                };
                let _ = write!(
                    text,
                    "    static void {name}{number}({}) {{\n        if ({}) {{\n            int r = B{seed}.r{number}({});\n            {assertion}\n        }}\n    }}\n\n",
                    method.declared(),
                    method.guard(),
                    method.names(),
                );
                questions.push(question);
            }
        }
        text += "}\n";
        files.push(write(&sources, &class, &text));
        let class_path = [folder.clone(), target.join(seed.to_string())];
        classes.push(Class { name: format!("random.{class}"), class_path, questions });
    }
    Javac::new().release("17").class_path(&[&folder]).files(files).into(&folder);
    for (seed, _) in &all {
        set_apart(&folder, &target, *seed);
    }
    classes
}

/// Moves the classes of a seed into a folder of their own.
fn set_apart(folder: &Path, target: &Path, seed: u64) {
    let (from, to) = (folder.join("random"), target.join(seed.to_string()).join("random"));
    std::fs::create_dir_all(&to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a plain name");
        let stem = name.split(['.', '$']).next().unwrap_or_default();
        if stem[1..].parse() == Ok(seed) {
            std::fs::rename(entry.path(), to.join(name)).expect("it can be moved");
        }
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(format!("{name}.java"));
    std::fs::write(&path, text).expect("the file can be written");
    path
}

fn bodies(seed: u64, methods: &[Method]) -> String {
    let mut text = format!("{HEADER}class B{seed} {{\n");
    for (number, method) in methods.iter().enumerate() {
        let (declared, names, body) = (method.declared(), method.names(), &method.body);
        let _ = write!(
            text,
            "    static int m{number}({declared}) {{\n{body}    }}\n\n    static int r{number}({declared}) {{\n        try {{\n            return m{number}({names});\n        }} catch (RuntimeException e) {{\n            return Things.code(e);\n        }}\n    }}\n\n"
        );
    }
    text + "}\n"
}

/// A method for each body that calls it with all inputs.
fn drivers(seed: u64, methods: &[Method]) -> String {
    let mut text =
        format!("{HEADER}class D{seed} {{\n    static void run() {{\n        Truth t = new Truth();\n");
    for number in 0..methods.len() {
        let _ = writeln!(text, "        d{number}(t);");
    }
    text += "    }\n\n";
    for (number, method) in methods.iter().enumerate() {
        let _ = writeln!(text, "    static void d{number}(Truth t) {{");
        let (mut makes, mut old) = (String::new(), Vec::new());
        let nodes: Vec<&str> = method.of_kind("Node").collect();
        let mut depth = 0;
        for (place, (name, domain)) in method.parameters.iter().enumerate() {
            if domain.kind == "Node" {
                if nodes.first() == Some(&name.as_str()) {
                    let _ = writeln!(
                        text,
                        "        for (int k{place} = 0; k{place} < {}; k{place}++)",
                        domain.count
                    );
                    let _ = writeln!(
                        makes,
                        "            Node[] nodes = {};",
                        domain.make.replace('#', &format!("k{place}"))
                    );
                    depth += 1;
                }
                let which = usize::from(nodes.first() != Some(&name.as_str()));
                let _ = writeln!(makes, "            Node {name} = nodes[{which}];");
                continue;
            }
            let earlier =
                method.parameters[..place].iter().rev().find(|(_, own)| may_be(domain.java, own.java));
            let limit = domain.count + domain.old.0 + usize::from(earlier.is_some());
            let _ = writeln!(text, "        for (int k{place} = 0; k{place} < {limit}; k{place}++)");
            depth += 1;
            let index = format!("k{place}");
            let made = domain.make.replace('#', &index);
            let was = domain.old.1.replace('#', &format!("({index} - {})", domain.count));
            let _ = writeln!(makes, "            {} {name};", domain.java);
            let _ = writeln!(makes, "            if ({index} < {}) {{ {name} = {made}; }}", domain.count);
            if domain.old.0 > 0 {
                let _ = writeln!(
                    makes,
                    "            else if ({index} < {}) {{ {name} = {was}; }}",
                    domain.count + domain.old.0
                );
                old.push(format!("{index} >= {} && {index} < {}", domain.count, domain.count + domain.old.0));
            }
            match earlier {
                Some((other, _)) => {
                    let guard = domain.guard.replace('#', name);
                    let _ =
                        writeln!(makes, "            else {{ {name} = {other}; if (!({guard})) continue; }}");
                }
                None => {
                    let _ = writeln!(makes, "            else {{ throw new AssertionError(); }}");
                }
            }
        }
        assert!(depth > 0, "a method has a parameter");
        let is_old = if old.is_empty() { "false".into() } else { old.join(" || ") };
        let _ = write!(
            text,
            "        {{\n            t.existing = {is_old} ? 1 : 0;\n{makes}            t.note(B{seed}.r{number}({}));\n        }}\n        t.tell(\"m{number}\");\n    }}\n\n",
            method.names(),
        );
    }
    text + "}\n"
}

/// Whether a reference of one type may be one of the other.
fn may_be(java: &str, other: &str) -> bool {
    const PLAIN: &[&str] =
        &["byte", "short", "char", "int", "long", "float", "double", "boolean", "Colour", "Node"];
    if PLAIN.contains(&java) || PLAIN.contains(&other) {
        return false;
    }
    java == other || java == "Object" || java == "Object[]" && other == "String[]"
}

fn run(folder: &Path) -> String {
    let mut command = Command::new(jdk().home().join("bin/java"));
    command.args(["-XX:TieredStopAtLevel=1", "-Xss4m", "-cp"]).arg(folder).arg("random.Tell");
    let (status, output, messages) = testkit::finished(&mut command);
    assert_eq!(status, 0, "{messages}");
    output
}

/// Assertions about a method, given what it returns.
fn assertions(line: &str, salt: u64) -> Vec<(&'static str, String, Label)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [_, least, most, rarest, absent, old] = cells[..] else { panic!("{line:?} is no result") };
    let mut list = Vec::new();
    match salt % 2 {
        0 => {
            list.push(("holds", format!("assert r != {absent};"), Label::Holds));
            list.push(("fails", format!("assert r != {rarest};"), Label::Violated));
        }
        _ => {
            if old == "-" {
                list.push(("holds", format!("assert r >= {least} && r <= {most};"), Label::Holds));
            }
            list.push(("fails", format!("assert r < {most};"), Label::Violated));
        }
    }
    if old != "-" {
        list.push(("old", format!("assert r != {old};"), Label::ViolatedByOld));
    }
    list
}
