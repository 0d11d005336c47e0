//! Names of tests against their inputs: what a name says must be true of what the test passes. The words are read here
//! by themselves, from the Java that was written, so that nothing of the code that chose them is trusted.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, iter};

use super::{Bench, read, text};

const CLASSES: &[(&str, &str)] = &[
    (
        "Triangle",
        "package n; public class Triangle { public enum Kind { INVALID, EQUILATERAL, ISOSCELES, SCALENE }
           public static Kind classify(int a, int b, int c) {
             if (a <= 0 || b <= 0 || c <= 0) return Kind.INVALID;
             if (a >= b + c || b >= a + c || c >= a + b) return Kind.INVALID;
             if (a == b && b == c) return Kind.EQUILATERAL;
             if (a == b || b == c || a == c) return Kind.ISOSCELES;
             return Kind.SCALENE; } }",
    ),
    (
        "Account",
        "package n; public class Account { private long balance;
           public void deposit(long amount) {
             if (amount <= 0) throw new IllegalArgumentException(\"amount must be positive: \" + amount);
             balance += amount; }
           public boolean withdraw(long amount) {
             if (amount <= 0) throw new IllegalArgumentException(\"amount must be positive: \" + amount);
             if (amount > balance) return false;
             balance -= amount; return true; }
           public long balance() { return balance; } }",
    ),
    (
        "Stack",
        "package n; public class Stack { private final int[] items; private int size;
           public Stack(int capacity) { items = new int[capacity]; }
           public void push(int value) { if (size == items.length) throw new IllegalStateException(\"full\"); items[size++] = value; }
           public int at(int index) {
             if (index < 0 || index >= size) throw new IndexOutOfBoundsException(\"index \" + index + \" of \" + size);
             return items[index]; } }",
    ),
    (
        "Texts",
        "package n; public class Texts {
           public enum Side { LEFT, RIGHT }
           public static String pad(String text, int width, Side side) {
             if (text == null) throw new IllegalArgumentException(\"no text\");
             if (width < 0 || width > 20) throw new IllegalArgumentException(\"width: \" + width);
             while (text.length() < width) text = side == Side.LEFT ? ' ' + text : text + ' ';
             return text; }
           public static boolean isKeyword(String word) { return word.equals(\"let\") || word.equals(\"while\"); }
           public static String level(int score, boolean strict) {
             if (score < 0 || score > 100) throw new IllegalArgumentException(\"score out of range: \" + score);
             if (score >= (strict ? 90 : 80)) return \"A\";
             return score >= 50 ? \"B\" : \"C\"; }
           public static int parse(String digits) {
             int result = 0;
             for (int i = 0; i < digits.length(); i++) {
               char c = digits.charAt(i);
               if (c < '0' || c > '9') throw new NumberFormatException(\"not a digit: \" + c);
               result = result * 10 + (c - '0');
               if (result > 999) return 999; }
             return result; } }",
    ),
];

/// The methods whose tests are read, with the names of their parameters.
const PARAMETERS: &[(&str, &[&str])] = &[
    ("classify", &["a", "b", "c"]),
    ("deposit", &["amount"]),
    ("withdraw", &["amount"]),
    ("push", &["value"]),
    ("at", &["index"]),
    ("pad", &["text", "width", "side"]),
    ("isKeyword", &["word"]),
    ("level", &["score", "strict"]),
    ("parse", &["digits"]),
];

/// A test as it was written.
struct Written {
    name: String,
    body: String,
}

fn tests_in(folder: &Path) -> Vec<Written> {
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = read(&file);
        for part in text.split("    void ").skip(1) {
            let (name, rest) = part.split_once('(').expect("a method");
            let body = rest.split("\n    }\n").next().unwrap_or(rest).to_string();
            found.push(Written { name: name.to_string(), body });
        }
    }
    found
}

/// The arguments of the last call of a method in a test, by the names of the parameters.
fn arguments(body: &str, method: &str, names: &[&str]) -> BTreeMap<String, String> {
    let call = format!(".{method}(");
    let at = body.rfind(&call).unwrap_or_else(|| panic!("no call of {method} in {body}")) + call.len();
    let mut rest = body[at..].to_string();
    rest.truncate(rest.find(");").or_else(|| rest.find("))")).unwrap_or(rest.len()));
    let given = rest.trim_end_matches(')').split(", ").map(|part| part.trim_end_matches('L').to_string());
    names.iter().map(|name| name.to_string()).zip(given).collect()
}

/// A number in words, or in digits.
fn number(words: &str) -> Option<i64> {
    let (sign, words) = words.strip_prefix("Minus").map_or((1, words), |rest| (-1, rest));
    let size = match words {
        "Zero" => 0,
        "One" => 1,
        digits => digits.parse().ok()?,
    };
    Some(sign * size)
}

/// Whether what is said about an argument is true. None if the words are about something else.
pub(super) fn is_true(words: &str, given: &BTreeMap<String, String>) -> Option<bool> {
    let (name, said) = given.keys().find_map(|name| {
        let upper: String = name[..1].to_uppercase().chars().chain(name[1..].chars()).collect();
        words.strip_prefix(&upper).map(|said| (name, said.to_string()))
    })?;
    let value = given[name].as_str();
    let other = |operator: &str| {
        let name = said.strip_prefix(operator)?.to_lowercase();
        given.get(&name)?.parse::<i64>().ok()
    };
    let number_after = |operator: &str| number(said.strip_prefix(operator)?).or_else(|| other(operator));
    let own = || match value {
        "Integer.MAX_VALUE" => Some(i64::from(i32::MAX)),
        "Integer.MIN_VALUE" => Some(i64::from(i32::MIN)),
        value => value.parse().ok(),
    };
    match said.as_str() {
        "IsNull" => return Some(value == "null"),
        "IsEmpty" => return Some(value == "\"\""),
        "IsTrue" => return Some(value == "true"),
        "IsFalse" => return Some(value == "false"),
        "IsNegative" => return Some(own()? < 0),
        "IsNotNegative" => return Some(own()? >= 0),
        "IsPositive" => return Some(own()? > 0),
        "IsLarge" => return Some(own()? > 999_999),
        // As the object of the call.
        "IsTheSame" => return None,
        _ => {}
    }
    for (operator, compare) in [
        ("IsGreaterThan", i64::gt as fn(&i64, &i64) -> bool),
        ("IsAtLeast", i64::ge),
        ("IsLessThan", i64::lt),
        ("IsAtMost", i64::le),
        ("DiffersFrom", i64::ne),
        ("Equals", i64::eq),
        ("Is", i64::eq),
    ] {
        if let (Some(right), Some(own)) = (number_after(operator), own()) {
            return Some(compare(&own, &right));
        }
    }
    let word = said.strip_prefix("Is")?;
    if ["AtMost", "AtLeast", "LessThan", "GreaterThan"].iter().any(|operator| word.starts_with(operator)) {
        return None;
    }
    let word = word.to_lowercase();
    let value = match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
        Some("") => return None,
        Some(text) => text,
        None => value.rsplit('.').next()?,
    };
    // Signs are spelled out: that is not read here.
    value.chars().all(char::is_alphanumeric).then(|| value.to_lowercase() == word)
}

#[test]
fn what_a_name_says_is_true_of_the_input() {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&["n", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let mut read_so_far = 0;
    let tests = tests_in(&bench.path("out/n"));
    for test in &tests {
        let known = PARAMETERS.iter().find(|(method, _)| {
            let rest = test.name.strip_prefix(method);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
        });
        let (Some((method, names)), Some((_, when))) = (known, test.name.split_once("When")) else {
            continue;
        };
        let given = arguments(&test.body, method, names);
        for words in when.split("After").next().into_iter().flat_map(|words| words.split("And")) {
            if let Some(truth) = is_true(words, &given) {
                assert!(truth, "{words} is not true of {given:?} in {}\n{}", test.name, test.body);
                read_so_far += 1;
            }
        }
    }
    assert!(read_so_far >= 20, "only {read_so_far} conditions could be read in {} tests", tests.len());
}

#[test]
fn names_say_what_sets_tests_apart() {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&["n", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let tests = tests_in(&bench.path("out/n"));
    let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
    let is_numbered = |name: &&&str| {
        name.rsplit_once("Case").is_some_and(|(_, number)| number.chars().all(|c| c.is_ascii_digit()))
    };
    assert_eq!(names.iter().filter(is_numbered).count(), 0, "{names:?}");
    // Digits of a message, and what nearly every input meets, say nothing.
    for noise in ["IndexIsAtMost", "IsNotNull", "IsNotZero", "GreaterThanMinusOne", "LengthIs"] {
        assert!(!names.iter().any(|name| name.contains(noise)), "{noise}: {names:?}");
    }
    for wanted in [
        "atThrowsIndexOutOfBoundsExceptionWhenIndexIsNegative",
        "padThrowsIllegalArgumentExceptionWhenTextIsNull",
        "isKeywordReturnsTrueWhenWordIsWhile",
        "levelThrowsIllegalArgumentExceptionWhenScoreIsNegative",
        "withdrawReturnsTrueAfterDeposit",
    ] {
        assert!(names.contains(&wanted), "{wanted} is not in {names:?}");
    }
}

#[test]
fn types_give_names_where_debug_information_is_missing() {
    let bench = Bench::without_debug_information(CLASSES);
    let done = bench.tests(&["n", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    for test in tests_in(&bench.path("out/n")) {
        let all = iter::once(test.name.to_lowercase()).chain(iter::once(test.body));
        let places = ["arg0", "arg1", "local0", "local1"];
        for words in all {
            assert!(!places.iter().any(|place| words.contains(place)), "{words}");
        }
    }
}
