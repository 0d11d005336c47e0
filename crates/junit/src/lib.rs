//! Java source: JUnit 5 tests that rebuild object graphs.
//!
//! [`opening`], one [`method`] for each graph, and [`closing`] together are one compilation unit. Objects are made by
//! their constructor without arguments and filled by assignments where the language allows it from the test's
//! package, and by small reflective methods at the end of the class where it does not. Collections of the library are
//! made empty and filled by `add` and `put`, or by the method that made them.

mod collections;
mod counterexample;
mod literal;
mod rebuild;
mod suite;

pub use counterexample::counterexamples;
pub use literal::{expression, string};
pub use suite::{Framework, test_class};

use testcase::{Graph, Making, Node};

/// The beginning of the file. `package` is empty for the default package.
pub fn opening(package: &str, class: &str) -> String {
    let package = if package.is_empty() { String::new() } else { format!("package {package};\n\n") };
    format!(
        "{package}import org.junit.jupiter.api.Test;\n\n\
         @SuppressWarnings({{\"unchecked\", \"rawtypes\"}})\nclass {class} {{\n"
    )
}

/// One test. `making` tells how to make objects of the class with a binary name.
pub fn method(number: u64, graph: &Graph, making: &mut dyn FnMut(&str) -> Making) -> String {
    let (statements, root) = rebuild::rebuild(graph, making);
    let mut text = format!("    @Test\n    void structure{number}() throws Exception {{\n");
    for note in notes(graph, statements.len(), making) {
        text.push_str(&format!("        // {note}\n"));
    }
    for statement in statements {
        text.push_str(&format!("        {statement}\n"));
    }
    text.push_str(&format!("        check({root});\n    }}\n\n"));
    text
}

/// More statements than this are more than a Java method can have.
const LONGEST: usize = 3000;

/// What keeps a test from running as it is.
fn notes(graph: &Graph, statements: usize, making: &mut dyn FnMut(&str) -> Making) -> Vec<String> {
    let mut notes = Vec::new();
    if statements > LONGEST {
        notes.push(format!("too large for a method: {} objects", graph.nodes.len()));
    }
    let looked_into = graph.nodes.iter().filter_map(|node| match node {
        Node::Object { class, fields } if !fields.is_empty() => Some(class),
        _ => None,
    });
    for class in looked_into {
        let slots = making(class).fields;
        let hidden = slots.iter().filter(|slot| !slot.is_assignable && is_of_jdk(&slot.owner));
        notes.extend(hidden.filter_map(|slot| slot.owner.rsplit_once('.')).map(|(package, _)| {
            format!("rebuilt only if the JDK is opened: --add-opens java.base/{package}=ALL-UNNAMED")
        }));
        if class.contains("$$Lambda") {
            notes.push("a lambda cannot be rebuilt".into());
        }
    }
    notes.sort();
    notes.dedup();
    notes
}

fn is_of_jdk(class: &str) -> bool {
    ["java.", "jdk.", "sun."].iter().any(|package| class.starts_with(package))
}

/// The end of the file.
pub fn closing() -> String {
    format!("{CHECK}\n{MAKE}\n{RECORD}\n{SET}}}\n")
}

const CHECK: &str = r#"    /** Gets every structure: call here what is to be tested. */
    private static void check(Object structure) {}
"#;

const MAKE: &str = r#"    private static Object make(String type) throws Exception {
        Class<?> made = Class.forName(type);
        java.lang.reflect.Constructor<?> constructor;
        try {
            constructor = made.getDeclaredConstructor();
        } catch (NoSuchMethodException e) {
            // As deserialization does it: without running a constructor of the class.
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            constructor = (java.lang.reflect.Constructor<?>) factory
                    .getMethod("newConstructorForSerialization", Class.class, java.lang.reflect.Constructor.class)
                    .invoke(factory.getMethod("getReflectionFactory").invoke(null), made, Object.class.getConstructor());
        }
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
"#;

const RECORD: &str = r#"    private static Object record(String type, Object[] parts) throws Exception {
        Class<?> made = Class.forName(type);
        java.util.List<Class<?>> types = new java.util.ArrayList<>();
        for (java.lang.reflect.Field field : made.getDeclaredFields()) {
            if (!java.lang.reflect.Modifier.isStatic(field.getModifiers())) {
                types.add(field.getType());
            }
        }
        java.lang.reflect.Constructor<?> constructor = made.getDeclaredConstructor(types.toArray(new Class<?>[0]));
        constructor.setAccessible(true);
        return constructor.newInstance(parts);
    }
"#;

const SET: &str = r#"    private static void set(Object object, String owner, String name, Object value) throws Exception {
        java.lang.reflect.Field field = Class.forName(owner).getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
"#;
