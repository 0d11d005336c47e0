//! Generated classes: helpers that decide, loop, throw, and read and write objects, and methods that call them.

use std::fmt::Write;

/// A generator of numbers that are always the same.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Helpers of a class, and methods that call them.
const HELPERS: u64 = 5;
const METHODS: u64 = 4;

/// A class of this name.
pub fn class(name: &str, random: &mut Random) -> String {
    let mut text = format!(
        "package generated;\n\npublic class {name} {{\n    static class Node {{ int value; boolean flag; byte small; Node next; }}\n\n"
    );
    for number in 0..HELPERS {
        helper(&mut text, number, random);
    }
    for number in 0..METHODS {
        method(&mut text, number, random);
    }
    text + "}\n"
}

/// All helpers take the same, so that every one can be called everywhere.
fn helper(text: &mut String, number: u64, random: &mut Random) {
    let _ = writeln!(text, "    private static int h{number}(int a, long b, Node n, int[] v) {{");
    text.push_str("        int r = 0;\n");
    for _ in 0..1 + random.below(3) {
        statement(text, 2, number, random);
    }
    let _ = writeln!(text, "        return {};\n    }}\n", number_of(random, 2));
}

fn method(text: &mut String, number: u64, random: &mut Random) {
    let _ = writeln!(text, "    static int m{number}(int a, long b, Node n, int[] v) {{");
    text.push_str("        int r = 0;\n");
    for _ in 0..2 {
        call(text, 2, HELPERS, random);
    }
    if random.below(2) == 0 {
        statement(text, 2, HELPERS, random);
    }
    text.push_str("        return r;\n    }\n\n");
}

fn statement(text: &mut String, depth: usize, callable: u64, random: &mut Random) {
    let indent = "    ".repeat(depth);
    match random.below(12) {
        0..=3 if depth < 4 => {
            let _ = writeln!(text, "{indent}if ({}) {{", condition(random));
            statement(text, depth + 1, callable, random);
            if random.below(2) == 0 {
                let _ = writeln!(text, "{indent}}} else {{");
                statement(text, depth + 1, callable, random);
            }
            let _ = writeln!(text, "{indent}}}");
        }
        4 => {
            let _ = writeln!(text, "{indent}if ({}) return {};", condition(random), number_of(random, 1));
        }
        5 => {
            let thrown = random.pick(&["IllegalStateException()", "IllegalArgumentException(\"no\")"]);
            let _ = writeln!(text, "{indent}if ({}) throw new {thrown};", condition(random));
        }
        6 if depth < 3 => {
            let end = random.pick(&["a", "3", "v.length", "(int) b"]);
            let _ = writeln!(text, "{indent}for (int i = 0; i < {end}; i++) r += {};", number_of(random, 1));
        }
        7 => {
            let write = random.pick(&["n.value = ", "n.small = (byte) ", "v[0] = ", "v[a] = "]);
            let _ = writeln!(text, "{indent}{write}({});", number_of(random, 1));
        }
        8 => {
            let write = random.pick(&["n.flag = !n.flag;", "if (n != null) n = n.next;", "n.next = null;"]);
            let _ = writeln!(text, "{indent}{write}");
        }
        9 if callable > 0 => call(text, depth, callable, random),
        10 => {
            let _ =
                writeln!(text, "{indent}b = b {} {};", random.pick(&["+", "-", "^"]), number_of(random, 1));
        }
        _ => {
            let _ = writeln!(text, "{indent}r = {};", number_of(random, 2));
        }
    }
}

fn call(text: &mut String, depth: usize, callable: u64, random: &mut Random) {
    let indent = "    ".repeat(depth);
    let which = random.below(callable);
    let node = random.pick(&["n", "n", "n", "null", "n == null ? null : n.next", "new Node()"]);
    let call =
        format!("h{which}({}, {}, {node}, v)", number_of(random, 1), random.pick(&["b", "a", "7L", "b + 1"]));
    if random.below(5) == 0 {
        let _ = writeln!(text, "{indent}try {{ r += {call}; }} catch (IllegalStateException e) {{ r--; }}");
    } else {
        let _ = writeln!(text, "{indent}r += {call};");
    }
}

fn condition(random: &mut Random) -> String {
    let relation = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match random.below(7) {
        0 => "n == null".into(),
        1 => "n.flag".into(),
        2 => format!("b {relation} {}", random.pick(&["0L", "a", "100L"])),
        3 => format!("v.length {relation} {}", random.below(4)),
        _ => format!("{} {relation} {}", number_of(random, 1), number_of(random, 0)),
    }
}

fn number_of(random: &mut Random, depth: u32) -> String {
    match random.below(if depth > 0 { 10 } else { 5 }) {
        0 | 1 => "a".into(),
        2 => "r".into(),
        3 | 4 => (random.below(21) as i64 - 10).to_string(),
        5 => random.pick(&["n.value", "n.small", "v[0]", "v.length", "(int) b"]).into(),
        6 => format!("-({})", number_of(random, depth - 1)),
        7 => format!("Math.max({}, {})", number_of(random, depth - 1), number_of(random, depth - 1)),
        _ => {
            let operator = random.pick(&["+", "-", "*", "&", "/", "%"]);
            format!("({} {operator} {})", number_of(random, depth - 1), number_of(random, depth - 1))
        }
    }
}
