//! Tests that show how code fails: each makes one call, and fails until the code is mended. Objects are rebuilt as they are
//! in the input, and a class that nobody has seen becomes a small class of the test.

use std::collections::{BTreeMap, BTreeSet};

use testcase::{
    Answer, Call, Case, Counterexample, Graph, Implemented, Making, Node, Spelling, Unseen, Value,
};

use crate::Framework;
use crate::literal::{expression, string};
use crate::rebuild::{Expression, Told, given_objects, rebuild_all};

/// The compilation unit. `package` is empty for the default package; `making` tells how to make objects of the class with
/// a binary name.
pub fn counterexamples(
    package: &str,
    class: &str,
    all: &[Counterexample],
    framework: Framework,
    making: &mut dyn FnMut(&str) -> Making,
) -> String {
    let mut writer = Writer { framework, classes: BTreeSet::new(), declared: String::new() };
    let tests: Vec<String> = all.iter().map(|one| writer.test(one, making)).collect();
    let body = tests.join("\n") + &writer.declared;
    let package = if package.is_empty() { String::new() } else { format!("package {package};\n\n") };
    let (import, visible) = match framework {
        Framework::Junit5 => ("org.junit.jupiter.api.Test", ""),
        Framework::Junit4 => ("org.junit.Test", "public "),
    };
    let helpers: String =
        HELPERS.iter().filter(|(name, _)| calls(&body, name)).map(|(_, text)| format!("\n{text}")).collect();
    format!(
        "{package}import {import};\n\n/** Calls that fail: each test fails until the code is mended. */\n\
         @SuppressWarnings({{\"unchecked\", \"rawtypes\"}})\n{visible}class {class} {{\n{body}{helpers}}}\n"
    )
}

/// Whether a text calls a method of the test.
fn calls(text: &str, method: &str) -> bool {
    let call = format!("{method}(");
    text.match_indices(&call).any(|(at, _)| text[..at].ends_with([' ', '(']))
}

struct Writer {
    framework: Framework,
    /// Names of classes that were declared.
    classes: BTreeSet<String>,
    /// Their source.
    declared: String,
}

impl Writer {
    fn test(&mut self, one: &Counterexample, making: &mut dyn FnMut(&str) -> Making) -> String {
        let case = &one.case;
        let mut told = Told::default();
        for (index, unseen) in &one.unseen {
            let simple = unseen.parent.rsplit('.').next().unwrap_or(&unseen.parent);
            let name = free(&format!("Unseen{simple}"), |name| self.classes.contains(name));
            self.classes.insert(name.clone());
            self.declared += &class(&name, unseen, &case.nodes);
            told.unseen.insert(*index, (name, unseen));
        }
        let values: Vec<Value> = case.receiver.iter().chain(&case.arguments).cloned().collect();
        told.names = names(&one.names, &values);
        let statics = case.statics.iter().map(|field| &field.value);
        let earlier = case.before.iter().flat_map(|earlier| &earlier.arguments);
        let others: Vec<Value> = values.iter().chain(statics).chain(earlier).cloned().collect();
        let graph = Graph { root: Value::Null, nodes: case.nodes.clone() };
        let (mut lines, expressions) = rebuild_all(&graph, &others, &told, making);
        let mut expressions = expressions.into_iter().skip(1);
        let receiver = case.receiver.as_ref().and_then(|_| expressions.next());
        let arguments: Vec<Expression> = expressions.by_ref().take(case.arguments.len()).collect();
        let statics: Vec<Expression> = expressions.by_ref().take(case.statics.len()).collect();
        for (earlier, spelling) in case.before.iter().zip(&one.before) {
            let given: Vec<Expression> = expressions.by_ref().take(earlier.arguments.len()).collect();
            // What it throws does not count.
            lines.push("try {".into());
            lines.push(format!("    {};", call(&earlier.call, spelling.as_ref(), None, &given)));
            lines.push("} catch (Throwable e) {".into());
            lines.push("    // the call that fails comes later".into());
            lines.push("}".into());
        }
        let act = format!("{};", call(&case.call, one.call.as_ref(), receiver.as_ref(), &arguments));
        with_statics(case, &statics, act, &mut lines);
        let visible = if self.framework == Framework::Junit4 { "public " } else { "" };
        let body: String = lines.iter().map(|line| format!("        {line}\n")).collect();
        format!("    @Test\n    {visible}void {}() throws Throwable {{\n{body}    }}\n", one.name)
    }
}

/// The call with static fields set before it, and put back after it.
fn with_statics(case: &Case, values: &[Expression], act: String, lines: &mut Vec<String>) {
    if case.statics.is_empty() {
        lines.push(act);
        return;
    }
    let place = |index: usize| {
        let field = &case.statics[index];
        format!("\"{}\", \"{}\"", field.class, field.field)
    };
    let before =
        |index: usize| format!("before{}", if index == 0 { String::new() } else { index.to_string() });
    for index in 0..case.statics.len() {
        lines.push(format!("Object {} = staticField({}).get(null);", before(index), place(index)));
    }
    lines.push("try {".into());
    for (index, value) in values.iter().enumerate() {
        lines.push(format!("    staticField({}).set(null, {});", place(index), value.text));
    }
    lines.push(format!("    {act}"));
    lines.push("} finally {".into());
    for index in 0..case.statics.len() {
        lines.push(format!("    staticField({}).set(null, {});", place(index), before(index)));
    }
    lines.push("}".into());
}

/// A call as source writes it, or one that looks the method up.
fn call(
    call: &Call,
    spelling: Option<&Spelling>,
    receiver: Option<&Expression>,
    arguments: &[Expression],
) -> String {
    let is_exact = receiver.is_none_or(|receiver| receiver.is_exact);
    let Some(Spelling { class, parameters, is_overloaded }) = spelling.filter(|_| is_exact) else {
        let given: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
        let receiver = receiver.map_or("null", |receiver| &receiver.text);
        return format!(
            "call(\"{}\", \"{}\", \"{}\", {receiver}, new Object[] {{{}}})",
            call.class,
            call.method,
            call.descriptor,
            given.join(", ")
        );
    };
    let given: Vec<String> = arguments
        .iter()
        .zip(parameters)
        .map(|(given, kind)| match is_overloaded {
            true => format!("({kind}) {}", given.text),
            false => cast(given, kind),
        })
        .collect();
    let given = given.join(", ");
    match receiver {
        _ if call.method == "<init>" => format!("new {class}({given})"),
        Some(receiver) => format!("{}.{}({given})", receiver.text, call.method),
        None => format!("{class}.{}({given})", call.method),
    }
}

/// An argument as a type: null fits too many, and an object that was looked up too few.
fn cast(given: &Expression, kind: &str) -> String {
    match given.is_exact && given.text != "null" {
        true => given.text.clone(),
        false => format!("({kind}) {}", given.text),
    }
}

/// What variables of objects are called that are arguments.
fn names(wanted: &[String], values: &[Value]) -> BTreeMap<usize, String> {
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    for (name, value) in wanted.iter().zip(values) {
        let plain = match name.as_str() {
            "this" => "object",
            name => name.trim_end_matches('\''),
        };
        let is_name = plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && plain.starts_with(|c: char| c.is_ascii_alphabetic())
            && !is_like_numbered(plain);
        if let Value::Node(index) = value
            && is_name
        {
            names.entry(*index).or_insert_with(|| plain.to_string());
        }
    }
    let mut taken = BTreeSet::new();
    names.retain(|_, name| taken.insert(name.clone()));
    names
}

/// Whether a name could be that of another object, or of what the test keeps.
fn is_like_numbered(name: &str) -> bool {
    let digits = name.trim_start_matches(['o', 'e']).trim_start_matches("before");
    digits.chars().all(|c| c.is_ascii_digit()) || name.ends_with("Parts")
}

/// A name that is not taken.
fn free(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut all = std::iter::once(wanted.to_string()).chain((2..).map(|number| format!("{wanted}{number}")));
    all.find(|name| !is_taken(name)).expect("there is always another number")
}

/// A class that somebody may have written.
fn class(name: &str, unseen: &Unseen, nodes: &[Node]) -> String {
    let how = if unseen.is_interface { "implements" } else { "extends" };
    let mut text = format!(
        "\n    /** What somebody may have written. */\n    private static class {name} {how} {} {{\n",
        unseen.parent
    );
    let mut parts: Vec<String> = Vec::new();
    let mut fields: String = given_objects(unseen)
        .map(|(method, number, _)| format!("        {} {}{number};\n", method.result, method.name))
        .collect();
    for method in unseen.methods.iter().filter(|method| method.answers.len() > 1) {
        fields += &format!("        private int {}Calls;\n", method.name);
    }
    if !fields.is_empty() {
        parts.push(fields);
    }
    if !unseen.arguments.is_empty() {
        let given = unseen.arguments.iter().map(|(kind, value)| match value {
            Value::Null => format!("({kind}) null"),
            Value::Node(index) => match nodes.get(*index) {
                Some(Node::String(units)) => string(units),
                _ => format!("({kind}) null"),
            },
            value => expression(value),
        });
        let given: Vec<String> = given.collect();
        parts.push(format!("        {name}() {{\n            super({});\n        }}\n", given.join(", ")));
    }
    parts.extend(unseen.methods.iter().map(implemented));
    text += &parts.join("\n");
    text + "    }\n"
}

fn implemented(method: &Implemented) -> String {
    let parameters: Vec<String> =
        method.parameters.iter().enumerate().map(|(i, kind)| format!("{kind} {}", letter(i))).collect();
    let visible = if method.is_public { "public " } else { "protected " };
    let mut text = format!(
        "        @Override\n        {visible}{} {}({}) {{\n",
        method.result,
        method.name,
        parameters.join(", ")
    );
    let given = |place: usize| match &method.answers[place] {
        Answer::Throws => "throw new RuntimeException();".to_string(),
        Answer::Returns(None) => "return;".to_string(),
        Answer::Returns(Some(Value::Node(_))) => format!("return {}{};", method.name, place + 1),
        Answer::Returns(Some(value)) => format!("return {};", expression(value)),
    };
    match method.answers.len() {
        0 => text += "            throw new UnsupportedOperationException();\n",
        1 if method.answers[0] == Answer::Returns(None) => {}
        1 => text += &format!("            {}\n", given(0)),
        count => {
            text += &format!("            switch (++{}Calls) {{\n", method.name);
            for place in 0..count {
                let label = match place + 1 == count {
                    true => "default".to_string(),
                    false => format!("case {}", place + 1),
                };
                text += &format!("                {label}:\n                    {}\n", given(place));
            }
            text += "            }\n";
        }
    }
    text + "        }\n"
}

fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'a' + index).to_string(),
        _ => format!("a{index}"),
    }
}

/// What tests need to get at what is hidden from them, by the names of the methods.
const HELPERS: [(&str, &str); 5] = [
    ("make", crate::MAKE),
    ("record", crate::RECORD),
    ("set", crate::SET),
    (
        "staticField",
        r#"    private static java.lang.reflect.Field staticField(String owner, String name) throws Exception {
        java.lang.reflect.Field field = Class.forName(owner).getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
"#,
    ),
    (
        "call",
        r#"    private static Object call(String owner, String name, String descriptor, Object object, Object[] given)
            throws Throwable {
        Class<?> type = Class.forName(owner);
        Class<?>[] types = java.lang.invoke.MethodType
                .fromMethodDescriptorString(descriptor, type.getClassLoader())
                .parameterArray();
        try {
            if (name.equals("<init>")) {
                java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return constructor.newInstance(given);
            }
            java.lang.reflect.Method method = type.getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(object, given);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
"#,
    ),
];
