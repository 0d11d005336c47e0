//! A test class as Java source.

use std::collections::BTreeMap;

use testcase::Value;
use testcase::script::{
    Body, Check, Ending, Expr, Openness, Override, Place, Statement, Test, TestClass, TypeName, Written,
};

use crate::literal::{expression, string};

/// The framework tests are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    Junit5,
    Junit4,
}

/// Elements of an array that are listed even if all of them are what a new array has.
const SHORT: usize = 4;

/// Longest line that is written without a break.
const WIDTH: usize = 110;

/// The compilation unit, in the language of a release of Java.
pub fn test_class(class: &TestClass, framework: Framework, release: u32) -> Written {
    let mut writer = Writer {
        package: class.package.clone(),
        framework,
        release,
        imports: BTreeMap::new(),
        asserts: Vec::new(),
        creates: false,
        sets: false,
        finds: false,
        hidden: Vec::new(),
    };
    // The names of the package's own classes and of the test must not be taken by imports.
    for own in class.neighbours.iter().chain([&class.name]) {
        writer.imports.insert(own.clone(), writer.beside(own));
    }
    // In each test class this name means the same, if it can.
    writer.framework_class("Test");
    let (mut body, mut places) = (writer.reset(class), Vec::new());
    let reset = lines_of(&body);
    for (index, test) in class.tests.iter().enumerate() {
        if index > 0 {
            body.push('\n');
        }
        let (text, place) = writer.test(test);
        places.push(place.after(lines_of(&body)));
        body.push_str(&text);
    }
    body.push_str(&writer.helpers());
    let mut text = String::new();
    if !class.package.is_empty() {
        text += &format!("package {};\n\n", class.package);
    }
    text += &writer.import_lines();
    let visibility = if framework == Framework::Junit4 { "public " } else { "" };
    text += &format!("{visibility}class {} {{\n", class.name);
    let above = lines_of(&text);
    let tests = places.into_iter().map(|place| place.after(above)).collect();
    Written { text: text + &body + "}\n", tests, reset: above + 1..above + 1 + reset }
}

/// How many lines a text has, each with its end.
fn lines_of(text: &str) -> u32 {
    text.matches('\n').count() as u32
}

struct Writer {
    package: String,
    framework: Framework,
    release: u32,
    /// By simple name: the full name of the class it stands for.
    imports: BTreeMap<String, String>,
    asserts: Vec<&'static str>,
    /// Whether objects are created, and fields set, by reflection.
    creates: bool,
    sets: bool,
    /// Whether static fields are found by reflection.
    finds: bool,
    /// Simple names that mean something else where the writer is.
    hidden: Vec<String>,
}

impl Writer {
    fn import_lines(&self) -> String {
        let home = match self.framework {
            Framework::Junit5 => "org.junit.jupiter.api.Assertions",
            Framework::Junit4 => "org.junit.Assert",
        };
        let mut asserts = self.asserts.clone();
        asserts.sort_unstable();
        let mut text: String = asserts.iter().map(|name| format!("import static {home}.{name};\n")).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        let mut classes: Vec<String> = self
            .imports
            .iter()
            .filter(|(simple, full)| {
                let package =
                    full.strip_suffix(simple.as_str()).map_or("", |rest| rest.trim_end_matches('.'));
                !package.is_empty() && package != "java.lang" && package != self.package
            })
            .map(|(_, full)| full.clone())
            .collect();
        classes.sort_unstable();
        for class in classes {
            text += &format!("import {class};\n");
        }
        text + "\n"
    }

    /// A class of the framework.
    fn framework_class(&mut self, simple: &str) -> String {
        let package = match self.framework {
            Framework::Junit5 => "org.junit.jupiter.api",
            Framework::Junit4 => "org.junit",
        };
        self.class_text(&format!("{package}.{simple}"))
    }

    /// A class that every source knows by its simple name, unless another one has it.
    fn lang(&mut self, simple: &str) -> String {
        self.class_text(&format!("java.lang.{simple}"))
    }

    /// What marks a method that runs before each test, and after it.
    fn around(&mut self) -> [String; 2] {
        let names = match self.framework {
            Framework::Junit5 => ["BeforeEach", "AfterEach"],
            Framework::Junit4 => ["Before", "After"],
        };
        names.map(|name| self.framework_class(name))
    }

    /// A method that puts static fields back.
    fn reset(&mut self, class: &TestClass) -> String {
        if class.reset.is_empty() {
            return String::new();
        }
        let lines: String =
            class.reset.iter().map(|one| format!("        {}\n", self.statement(one))).collect();
        let [before, after] = self.around();
        let visibility = if self.framework == Framework::Junit4 { "public " } else { "" };
        let clause = if self.finds { self.throws() } else { String::new() };
        let suppressed = self.suppressed(&class.reset_suppress);
        format!(
            "    /** Tests change these fields: none is to depend on another. */\n{suppressed}    @{before}\n    @{after}\n    \
             {visibility}void resetStatics(){clause} {{\n{lines}    }}\n\n"
        )
    }

    /// That a method may throw anything.
    fn throws(&mut self) -> String {
        format!(" throws {}", self.lang("Exception"))
    }

    fn assert(&mut self, name: &'static str) -> &'static str {
        if !self.asserts.contains(&name) {
            self.asserts.push(name);
        }
        name
    }

    /// What switches warnings off.
    fn suppressed(&mut self, names: &[String]) -> String {
        let list = match names {
            [] => return String::new(),
            [one] => format!("\"{one}\""),
            several => format!("{{\"{}\"}}", several.join("\", \"")),
        };
        format!("    @{}({list})\n", self.lang("SuppressWarnings"))
    }

    /// A test, and where its parts are if it comes first.
    fn test(&mut self, test: &Test) -> (String, Place) {
        let mut text = String::new();
        if let Some(reason) = &test.disabled {
            let name = if self.framework == Framework::Junit5 { "Disabled" } else { "Ignore" };
            let name = self.framework_class(name);
            let units: Vec<u16> = reason.encode_utf16().collect();
            text += &format!("    @{name}({})\n", string(&units));
        }
        text += &self.suppressed(&test.suppress);
        let visibility = if self.framework == Framework::Junit4 { "public " } else { "" };
        let throws = if test.throws { self.throws() } else { String::new() };
        let mark = self.framework_class("Test");
        text += &format!("    @{mark}\n    {visibility}void {}(){throws} {{\n", test.name);
        for statement in &test.arrange {
            let line = self.statement(statement);
            text += &line_of(&line);
        }
        if !test.arrange.is_empty() {
            text.push('\n');
        }
        let act = self.expr(&test.act);
        match &test.ending {
            // With nothing else to say, the test says what it shows.
            Ending::Returns { kept: None }
                if test.checks.is_empty() && self.framework == Framework::Junit5 =>
            {
                let assert = self.assert("assertDoesNotThrow");
                text += &line_of(&format!("{assert}(() -> {act});"));
            }
            Ending::Returns { kept: None } => text += &line_of(&format!("{act};")),
            Ending::Returns { kept: Some((kind, name)) } => {
                let kind = self.type_text(kind);
                text += &line_of(&format!("{kind} {name} = {act};"));
            }
            Ending::Throws { class, message } => {
                let class = self.class_text(class);
                let assert = self.assert("assertThrows");
                match message {
                    None => text += &line_of(&format!("{assert}({class}.class, () -> {act});")),
                    Some(message) => {
                        let name = if has_local(test, "exception") { "thrown" } else { "exception" };
                        text += &line_of(&format!("{class} {name} = {assert}({class}.class, () -> {act});"));
                        let units: Vec<u16> = message.encode_utf16().collect();
                        let equal = self.assert("assertEquals");
                        text += "\n";
                        text += &line_of(&format!("{equal}({}, {name}.getMessage());", string(&units)));
                    }
                }
            }
        }
        if !test.checks.is_empty() {
            text.push('\n');
        }
        let mut checks = Vec::new();
        for check in &test.checks {
            let first = lines_of(&text) + 1;
            let line = self.check(check);
            text += &line_of(&line);
            checks.push(first..lines_of(&text) + 1);
        }
        text += "    }\n";
        let lines = 1..lines_of(&text) + 1;
        (text, Place { lines, checks })
    }

    fn statement(&mut self, statement: &Statement) -> String {
        match statement {
            Statement::Let { kind, name, value } => {
                let kind = self.type_text(kind);
                format!("{kind} {name} = {};", self.expr(value))
            }
            Statement::Do(call) => format!("{};", self.expr(call)),
            Statement::Assign { to, value } => format!("{} = {};", self.expr(to), self.expr(value)),
            Statement::SetStatic { class, field, value } => {
                self.finds = true;
                let (class, value) = (self.class_text(class), self.expr(value));
                format!("staticField({class}.class, \"{field}\").set(null, {value});")
            }
            Statement::Set { object, field, value } => {
                self.sets = true;
                let (object, value) = (self.expr(object), self.expr(value));
                format!("setField({object}, \"{field}\", {value});")
            }
        }
    }

    fn check(&mut self, check: &Check) -> String {
        match check {
            Check::Equals { expected, actual } => {
                let is_float = matches!(expected, Expr::Literal(Value::Float(_) | Value::Double(_)));
                let delta = if is_float && self.framework == Framework::Junit4 { ", 0.0" } else { "" };
                let (expected, actual) = (self.expr(expected), self.expr(actual));
                format!("{}({expected}, {actual}{delta});", self.assert("assertEquals"))
            }
            Check::ArrayEquals { expected, actual } => {
                let (expected, actual) = (self.expr(expected), self.expr(actual));
                format!("{}({expected}, {actual});", self.assert("assertArrayEquals"))
            }
            Check::Same { expected, actual } => {
                let (expected, actual) = (self.expr(expected), self.expr(actual));
                format!("{}({expected}, {actual});", self.assert("assertSame"))
            }
            Check::True(value) => {
                let value = self.expr(value);
                format!("{}({value});", self.assert("assertTrue"))
            }
            Check::False(value) => {
                let value = self.expr(value);
                format!("{}({value});", self.assert("assertFalse"))
            }
            Check::Null(value) => {
                let value = self.expr(value);
                format!("{}({value});", self.assert("assertNull"))
            }
            Check::NotNull(value) => {
                let value = self.expr(value);
                format!("{}({value});", self.assert("assertNotNull"))
            }
        }
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Literal(value) => self.primitive(value),
            Expr::Text(units) => string(units),
            Expr::Static { class, field } => format!("{}.{field}", self.class_text(class)),
            Expr::Field { object, name } => format!("{}.{name}", self.expr(object)),
            Expr::Local(name) => name.clone(),
            Expr::New { class, arguments } => {
                let name = self.class_text(&class.name);
                let diamond = if class.arguments.is_empty() { "" } else { "<>" };
                format!("new {name}{diamond}({})", self.list(arguments))
            }
            Expr::StaticCall { class, method, arguments } if method == "of" && self.release < 9 => {
                self.older_of(class, arguments)
            }
            Expr::StaticCall { class, method, arguments } => {
                format!("{}.{method}({})", self.class_text(class), self.list(arguments))
            }
            Expr::Call { receiver, method, arguments } => {
                let receiver = match &**receiver {
                    cast @ Expr::Cast { .. } => format!("({})", self.expr(cast)),
                    other => self.expr(other),
                };
                format!("{receiver}.{method}({})", self.list(arguments))
            }
            Expr::NewInside { outer, class, arguments } => {
                format!("{}.new {class}({})", self.expr(outer), self.list(arguments))
            }
            Expr::Anonymous { class, arguments, methods, inherited } => {
                let head = format!("new {}({})", self.type_text(class), self.list(arguments));
                let outside = self.hidden.len();
                self.hidden.extend(inherited.iter().cloned());
                let body = self.body(methods);
                self.hidden.truncate(outside);
                format!("{head} {body}")
            }
            Expr::HiddenStatic { class, field } => {
                self.finds = true;
                format!("staticField({}.class, \"{field}\").get(null)", self.class_text(class))
            }
            Expr::ClassOf(kind) => format!("{}.class", self.type_text(kind)),
            Expr::Create { class, parameters, arguments } => {
                self.creates = true;
                // A single null or array would be taken for the array of arguments.
                let is_spread = matches!(&parameters[..], [one] if one.dimensions > 0)
                    || arguments[..] == [Expr::Literal(Value::Null)];
                let parameters: Vec<String> =
                    parameters.iter().map(|kind| format!("{}.class", self.type_text(kind))).collect();
                let mut parts = vec![
                    format!("{}.class", self.type_text(class)),
                    format!("new {}<?>[] {{{}}}", self.lang("Class"), parameters.join(", ")),
                ];
                let arguments = arguments.iter().map(|argument| self.expr(argument));
                if is_spread {
                    let all: Vec<String> = arguments.collect();
                    parts.push(format!("new {}[] {{{}}}", self.lang("Object"), all.join(", ")));
                } else {
                    parts.extend(arguments);
                }
                format!("construct({})", parts.join(", "))
            }
            Expr::Array { element, elements } => {
                // Arrays know no type arguments.
                let raw = TypeName { arguments: Vec::new(), ..element.clone() };
                let kind = self.type_text(&raw);
                if elements.len() > SHORT && elements.iter().all(is_default) {
                    return format!("new {kind}[{}]", elements.len());
                }
                // What fits is converted without being told.
                let small = |part: &Expr| match part {
                    Expr::Literal(Value::Byte(value)) => Expr::Literal(Value::Int(i32::from(*value))),
                    Expr::Literal(Value::Short(value)) => Expr::Literal(Value::Int(i32::from(*value))),
                    other => other.clone(),
                };
                let is_small = matches!(kind.as_str(), "byte" | "short");
                let parts = if is_small { elements.iter().map(small).collect() } else { elements.clone() };
                format!("new {kind}[] {{{}}}", self.list(&parts))
            }
            Expr::Length(array) => format!("{}.length", self.expr(array)),
            Expr::Lambda { parameters, result } => {
                let head = match &parameters[..] {
                    [one] => one.clone(),
                    several => format!("({})", several.join(", ")),
                };
                let body = result.as_ref().map_or_else(|| "{}".to_string(), |result| self.expr(result));
                format!("{head} -> {body}")
            }
            Expr::Cast { to, value } => {
                let (to, value) = (self.type_text(to), self.expr(value));
                // Behind the name of a class a minus sign would subtract.
                if value.starts_with('-') { format!("({to}) ({value})") } else { format!("({to}) {value}") }
            }
        }
    }

    /// Methods by which tests make what no public way leads to.
    fn helpers(&mut self) -> String {
        let mut text = String::new();
        let [object, class] = ["Object", "Class"].map(|name| self.lang(name));
        let [name, throws] = [self.lang("String"), self.throws()];
        if self.creates {
            let constructor = self.class_text("java.lang.reflect.Constructor");
            text += &format!(
                "
    /** Made by reflection: no public way to this state was found. */
    private static <T> T construct({class}<T> type, {class}<?>[] parameters, {object}... arguments)
           {throws} {{
        {constructor}<T> constructor = type.getDeclaredConstructor(parameters);
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }}
"
            );
        }
        if self.finds {
            let field = self.class_text("java.lang.reflect.Field");
            text += &format!(
                "
    /** Found by reflection: the field is not open to tests. */
    private static {field} staticField({class}<?> type, {name} name){throws} {{
        {field} field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }}
"
            );
        }
        if self.sets {
            let field = self.class_text("java.lang.reflect.Field");
            text += &format!(
                "
    /** Set by reflection: no public way to this state was found. */
    private static void setField({object} object, {name} name, {object} value){throws} {{
        for ({class}<?> type = object.getClass(); type != {object}.class; type = type.getSuperclass()) {{
            for ({field} field : type.getDeclaredFields()) {{
                if (field.getName().equals(name)) {{
                    field.setAccessible(true);
                    field.set(object, value);
                }}
            }}
        }}
    }}
"
            );
        }
        text
    }

    /// The body of a class without a name, one line after the other.
    fn body(&mut self, methods: &[Override]) -> String {
        let mut text = "{".to_string();
        let mark = self.lang("Override");
        let counters = counters(methods);
        for counter in counters.iter().flatten() {
            text += &format!("\n    private int {counter};\n");
        }
        for (index, method) in methods.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let parameters: Vec<String> = method
                .parameters
                .iter()
                .map(|(kind, name)| format!("{} {name}", self.type_text(kind)))
                .collect();
            let visibility = if method.is_public { "public " } else { "protected " };
            let result = self.type_text(&method.result);
            let clause = match &method.body {
                Body::Throws(_, Some(class)) => format!(" throws {}", self.class_text(class)),
                _ => String::new(),
            };
            text += &format!(
                "\n    @{mark}\n    {visibility}{result} {}({}){clause} {{\n",
                method.name,
                parameters.join(", ")
            );
            match &method.body {
                Body::Nothing => {}
                Body::Gives(value) => text += &format!("        return {};\n", self.expr(value)),
                Body::Throws(value, _) => text += &format!("        throw {};\n", self.expr(value)),
                Body::InTurn(first, later) => {
                    let counter = counters[index].as_deref().unwrap_or("calls");
                    let value = match (first, later) {
                        (Expr::Literal(Value::Boolean(true)), _) => format!("{counter}++ == 0"),
                        (Expr::Literal(Value::Boolean(false)), _) => format!("{counter}++ > 0"),
                        _ => format!("{counter}++ == 0 ? {} : {}", self.expr(first), self.expr(later)),
                    };
                    text += &format!("        return {value};\n");
                }
            }
            text += "    }";
        }
        text + if methods.is_empty() { "}" } else { "\n}" }
    }

    /// What was there before `List.of` and its like.
    fn older_of(&mut self, class: &str, arguments: &[Expr]) -> String {
        let parts = self.list(arguments);
        let (home, method) = match (class, arguments.len()) {
            ("java.util.List", 0) => ("java.util.Collections", "emptyList"),
            ("java.util.List", 1) => ("java.util.Collections", "singletonList"),
            ("java.util.List", _) => ("java.util.Arrays", "asList"),
            ("java.util.Set", 0) => ("java.util.Collections", "emptySet"),
            ("java.util.Set", 1) => ("java.util.Collections", "singleton"),
            ("java.util.Map", 0) => ("java.util.Collections", "emptyMap"),
            ("java.util.Map", 2) => ("java.util.Collections", "singletonMap"),
            ("java.util.Set", _) => {
                let (set, arrays) =
                    (self.class_text("java.util.HashSet"), self.class_text("java.util.Arrays"));
                return format!("new {set}<>({arrays}.asList({parts}))");
            }
            (class, _) => (class, "of"),
        };
        format!("{}.{method}({parts})", self.class_text(home))
    }

    fn list(&mut self, arguments: &[Expr]) -> String {
        let parts: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
        parts.join(", ")
    }

    fn type_text(&mut self, name: &TypeName) -> String {
        let open = match name.openness {
            Openness::Itself => "",
            Openness::Any => return "?".into(),
            Openness::Below => "? extends ",
            Openness::Above => "? super ",
        };
        let mut text = open.to_string() + &self.class_text(&name.name);
        if !name.arguments.is_empty() {
            let arguments: Vec<String> =
                name.arguments.iter().map(|argument| self.type_text(argument)).collect();
            text += &format!("<{}>", arguments.join(", "));
        }
        text + &"[]".repeat(name.dimensions)
    }

    /// The full name of a class of the package.
    fn beside(&self, simple: &str) -> String {
        if self.package.is_empty() { simple.to_string() } else { format!("{}.{simple}", self.package) }
    }

    /// The short name of a class, imported; the full one if another class has the short one already.
    fn class_text(&mut self, full: &str) -> String {
        let parts: Vec<&str> = full.split('.').collect();
        if parts.len() == 1 {
            return full.to_string();
        }
        // The class begins where a part is one of the package's own, or else has a capital letter.
        let is_own = |end: &usize| {
            let outer = parts[..=*end].join(".");
            outer == self.beside(parts[*end]) && self.imports.get(parts[*end]) == Some(&outer)
        };
        let is_class = |part: &&str| part.chars().next().is_some_and(char::is_uppercase);
        let first = (0..parts.len()).find(is_own).or_else(|| parts.iter().position(is_class));
        let first = first.unwrap_or(parts.len() - 1);
        let outer = parts[..=first].join(".");
        let simple = parts[first].to_string();
        if self.hidden.contains(&simple) {
            return full.to_string();
        }
        let taken = self.imports.entry(simple).or_insert_with(|| outer.clone());
        if *taken == outer { parts[first..].join(".") } else { full.to_string() }
    }

    /// A primitive value as a person writes it.
    fn primitive(&mut self, value: &Value) -> String {
        match (constant(value), value) {
            (Some((class, name)), _) => format!("{}.{name}", self.lang(class)),
            (None, Value::Double(value)) => format!("{value:?}"),
            (None, other) => expression(other),
        }
    }
}

/// Whether a test has a variable of a name before the call under test.
fn has_local(test: &Test, wanted: &str) -> bool {
    test.arrange.iter().any(|statement| matches!(statement, Statement::Let { name, .. } if name == wanted))
}

/// Whether a new array has this element.
fn is_default(element: &Expr) -> bool {
    match element {
        Expr::Literal(Value::Null | Value::Boolean(false) | Value::Byte(0) | Value::Short(0)) => true,
        Expr::Literal(Value::Char(0) | Value::Int(0) | Value::Long(0)) => true,
        Expr::Literal(Value::Float(value)) => value.to_bits() == 0,
        Expr::Literal(Value::Double(value)) => value.to_bits() == 0,
        _ => false,
    }
}

/// A line of a method, broken where its parts are if it is too long.
fn line_of(text: &str) -> String {
    let indent = 8;
    if text.contains('\n') {
        let line = |line: &str| if line.is_empty() { "\n".into() } else { format!("{:indent$}{line}\n", "") };
        return text.lines().map(line).collect();
    }
    broken(text, indent).into_iter().map(|(indent, line)| format!("{:indent$}{line}\n", "")).collect()
}

/// Lines with their indentation: broken after an assignment, or else between the arguments of the outermost call.
fn broken(text: &str, indent: usize) -> Vec<(usize, String)> {
    const MORE: usize = 8;
    if indent + text.len() <= WIDTH {
        return vec![(indent, text.to_string())];
    }
    let points = points(text);
    if let Some(at) = points.assignment {
        let (left, right) = (&text[..at + 2], &text[at + 3..]);
        let head = points.arguments.map_or(text.len(), |(open, _)| open + 1);
        if indent + MORE + right.len() <= WIDTH || indent + head > WIDTH {
            let mut lines = vec![(indent, left.to_string())];
            lines.extend(broken(right, indent + MORE));
            return lines;
        }
    }
    let Some((open, close)) = points.arguments else { return vec![(indent, text.to_string())] };
    let mut lines = vec![(indent, text[..=open].to_string())];
    let mut line = String::new();
    let mut start = open + 1;
    let ends = points.commas.iter().map(|comma| comma + 1).chain([close]);
    for end in ends {
        let mut part = text[start..end].trim().to_string();
        start = end;
        if end == close {
            part += &text[close..];
        }
        if !line.is_empty() && indent + MORE + line.len() + 1 + part.len() <= WIDTH {
            line = format!("{line} {part}");
            continue;
        }
        if !line.is_empty() {
            lines.extend(broken(&line, indent + MORE));
        }
        line = part;
    }
    lines.extend(broken(&line, indent + MORE));
    lines
}

/// Where a line can be broken.
struct Points {
    /// The space in front of `= `.
    assignment: Option<usize>,
    /// The parentheses of the last call that is inside no other.
    arguments: Option<(usize, usize)>,
    /// The commas between its arguments.
    commas: Vec<usize>,
}

fn points(text: &str) -> Points {
    let mut found = Points { assignment: None, arguments: None, commas: Vec::new() };
    let (mut depth, mut angles) = (0, 0);
    let (mut quote, mut escaped) = (None, false);
    let mut open = 0;
    for (at, c) in text.char_indices() {
        if let Some(end) = quote {
            if !escaped && c == end {
                quote = None;
            }
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' | '{' => {
                let is_empty = text[at..].starts_with("()") || text[at..].starts_with("{}");
                if depth == 0 && !is_empty {
                    open = at;
                    found.commas.clear();
                    angles = 0;
                }
                depth += 1;
            }
            ')' | '}' => {
                depth -= 1;
                if depth == 0 && !text[..at].ends_with(['(', '{']) {
                    found.arguments = Some((open, at));
                }
            }
            '<' => angles += 1,
            '>' if angles > 0 => angles -= 1,
            ',' if depth == 1 && angles == 0 => found.commas.push(at),
            ' ' if depth == 0 && found.assignment.is_none() && text[at..].starts_with(" = ") => {
                found.assignment = Some(at);
            }
            _ => {}
        }
    }
    found
}

/// The constant that stands for a value: its class, of `java.lang`, and its name.
fn constant(value: &Value) -> Option<(&'static str, &'static str)> {
    let special = |value: f64| match value {
        f64::INFINITY => Some("POSITIVE_INFINITY"),
        f64::NEG_INFINITY => Some("NEGATIVE_INFINITY"),
        value => value.is_nan().then_some("NaN"),
    };
    Some(match value {
        Value::Int(i32::MIN) => ("Integer", "MIN_VALUE"),
        Value::Int(i32::MAX) => ("Integer", "MAX_VALUE"),
        Value::Long(i64::MIN) => ("Long", "MIN_VALUE"),
        Value::Long(i64::MAX) => ("Long", "MAX_VALUE"),
        Value::Float(value) => ("Float", special(f64::from(*value))?),
        Value::Double(value) => ("Double", special(*value)?),
        _ => return None,
    })
}

/// What counts the calls of each method that gives values in turn.
fn counters(methods: &[Override]) -> Vec<Option<String>> {
    let counted = |method: &&Override| matches!(method.body, Body::InTurn(..));
    let several = methods.iter().filter(counted).count() > 1;
    let mut taken: Vec<String> = Vec::new();
    let counter = |method: &Override| {
        if !counted(&method) {
            return None;
        }
        let wanted = if several { format!("{}Calls", method.name) } else { "calls".to_string() };
        let same = taken.iter().filter(|name| **name == wanted).count();
        taken.push(wanted.clone());
        Some(if same == 0 { wanted } else { format!("{wanted}{}", same + 1) })
    };
    methods.iter().map(counter).collect()
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn long_lines_are_broken_where_their_parts_are() {
        let short = "int result = counter.up(1);";
        assert_eq!(line_of(short), format!("        {short}\n"));
        let long = "assertThrows(IllegalArgumentException.class, () -> \
                    calculator.price(new Cart(Currency.EUR), new Money(100L, Currency.EUR), \"a, (b\"));";
        assert_eq!(
            line_of(long),
            "        assertThrows(
                IllegalArgumentException.class,
                () -> calculator.price(new Cart(Currency.EUR), new Money(100L, Currency.EUR), \"a, (b\"));\n"
        );
        let named = "AbstractConcurrentInitializer<String, RuntimeException> initializer = \
                     Initializers.constant(\"a value\", RuntimeException.class);";
        assert_eq!(
            line_of(named),
            "        AbstractConcurrentInitializer<String, RuntimeException> initializer =
                Initializers.constant(\"a value\", RuntimeException.class);\n"
        );
    }
}
