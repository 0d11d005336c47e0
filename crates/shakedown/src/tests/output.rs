//! What is said at the end: a table for people, and a record for programs.

use machine::{Outside, Touched};
use serde_json::{Value as Json, json};

use suite::shape::Member;

use super::class::{MethodRow, Row};
use crate::common::say;

/// Columns a reason may take.
const NOTE: usize = 48;

pub fn print_table(rows: &[Row], seconds: f64, no_jvm: bool) {
    let width = rows.iter().map(|row| row.class.len()).max().unwrap_or(5).clamp(5, 50);
    say(&format!("{:<width$}  {:>5}  {:>13}\n", "class", "tests", "branches"));
    for row in rows {
        let class = shortened(&row.class, width);
        let (covered, total) = (row.sum(|m| m.covered), row.sum(|m| m.total));
        let share = if total == 0 { 100.0 } else { covered as f64 * 100.0 / total as f64 };
        let note: String = note(row).chars().take(NOTE).collect();
        let line =
            format!("{class:<width$}  {:>5}  {covered:>4}/{total:<4} {share:>3.0}%  {note}", row.tests);
        say(&format!("{}\n", line.trim_end()));
    }
    let sum = |f: fn(&Row) -> usize| rows.iter().map(f).sum::<usize>();
    let (tests, crashes, dropped) = (sum(|row| row.tests), sum(|row| row.crashes), sum(|row| row.dropped));
    let (covered, total) = (sum(|row| row.sum(|m| m.covered)), sum(|row| row.sum(|m| m.total)));
    let infeasible = match sum(|row| row.sum(|m| m.infeasible)) {
        0 => String::new(),
        count => format!(" ({} infeasible)", plural(count, "more is", "more are")),
    };
    let how = match (no_jvm, tests) {
        (true, _) => "not run on a JVM (--no-jvm)",
        (false, 1) => "confirmed on the JVM",
        (false, _) => "each confirmed on the JVM",
    };
    let tests = plural(tests, "test", "tests");
    say(&format!("{tests}, {how}; {covered} of {total} branches{infeasible}; {seconds:.1} s\n"));
    if crashes > 0 {
        let what = plural(crashes, "call ends", "calls end");
        say(&format!("{what} in what looks like a mistake: see the classes named CrashTest\n"));
    }
    let reflection = sum(|row| row.reflection);
    if reflection > 0 {
        say(&format!(
            "{} objects by reflection: no public way to their states was found\n",
            plural(reflection, "test makes", "tests make")
        ));
    }
    let weakened = sum(|row| row.weakened);
    if weakened > 0 {
        let what = plural(
            weakened,
            "assertion does not hold in every run and was",
            "assertions do not hold in every run and were",
        );
        say(&format!("{what} left out\n"));
    }
    let mut touched = Touched::default();
    rows.iter().flat_map(|row| row.withheld.values()).for_each(|one| touched.add(*one));
    if !touched.is_empty() {
        let methods = plural(sum(|row| row.withheld.len()), "method", "methods");
        say(&format!("calls of {methods} touch {touched}, and were left out\n"));
    }
    if dropped > 0 {
        let what =
            plural(dropped, "test did not hold on the JVM and was", "tests did not hold on the JVM and were");
        say(&format!("{what} left out\n"));
    }
}

/// A name of at most so many letters, if that can be had by leaving of packages no more than their first.
fn shortened(class: &str, width: usize) -> String {
    let mut parts: Vec<String> = class.split('.').map(String::from).collect();
    for index in 0..parts.len().saturating_sub(1) {
        let length = parts.iter().map(|part| part.chars().count() + 1).sum::<usize>() - 1;
        if length <= width {
            break;
        }
        parts[index] = parts[index].chars().take(1).collect();
    }
    parts.join(".")
}

/// `1 test`, `2 tests`.
fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What to say about a class besides its counts.
fn note(row: &Row) -> String {
    match row.sum(|m| m.infeasible) {
        _ if !row.complete => main_reason(row),
        0 => String::new(),
        count => format!("{count} infeasible"),
    }
}

/// Why a class is not completely covered, in one reason.
fn main_reason(row: &Row) -> String {
    let most = row.reasons.iter().max_by_key(|(_, count)| *count);
    most.map_or("not covered within the bounds".into(), |(why, _)| why.to_string())
}

pub fn record(rows: &[Row], seconds: f64) -> Json {
    let classes: Vec<Json> = rows
        .iter()
        .map(|row| {
            let reasons: Vec<String> = row.reasons.by_frequency().iter().map(ToString::to_string).collect();
            let reason = match (row.complete, reasons.is_empty()) {
                (true, _) => Json::Null,
                (false, true) => json!(["not covered within the bounds"]),
                (false, false) => json!(reasons),
            };
            json!({
                "class": row.class,
                "tests": row.tests,
                "crashes": row.crashes,
                "reflection": row.reflection,
                "dropped": row.dropped,
                "weakened": row.weakened,
                "branches_total": row.sum(|m| m.total),
                "branches_covered": row.sum(|m| m.covered),
                "branches_infeasible": row.sum(|m| m.infeasible),
                "complete": row.complete,
                "reason": reason,
                "seconds": row.seconds,
                "search_seconds": row.search_seconds,
                "withheld": row.withheld.iter().map(withheld).collect::<Vec<Json>>(),
                "methods": row.methods.iter().map(method).collect::<Vec<Json>>(),
            })
        })
        .collect();
    let sum = |f: fn(&Row) -> usize| rows.iter().map(f).sum::<usize>();
    json!({
        "classes": classes,
        "tests": sum(|row| row.tests),
        "crashes": sum(|row| row.crashes),
        "reflection": sum(|row| row.reflection),
        "dropped": sum(|row| row.dropped),
        "weakened": sum(|row| row.weakened),
        "branches_total": sum(|row| row.sum(|m| m.total)),
        "branches_covered": sum(|row| row.sum(|m| m.covered)),
        "branches_infeasible": sum(|row| row.sum(|m| m.infeasible)),
        "complete": rows.iter().all(|row| row.complete),
        "seconds": seconds,
    })
}

/// A method with calls that were left out, and what they touch.
fn withheld((member, touched): (&Member, &Touched)) -> Json {
    json!({
        "method": member.name,
        "descriptor": member.descriptor,
        "touches": touched.iter().map(Outside::name).collect::<Vec<&str>>(),
    })
}

fn method(row: &MethodRow) -> Json {
    let found = &row.harvest;
    let complete = found.covered + found.infeasible >= found.total;
    let reason = match (complete, found.reasons.first()) {
        (true, _) => Json::Null,
        (false, Some(why)) => json!(why.to_string()),
        (false, None) => json!("not covered within the bounds"),
    };
    json!({
        "method": found.member.name,
        "descriptor": found.member.descriptor,
        "tests": row.tests,
        "branches_total": found.total,
        "branches_covered": found.covered,
        "branches_infeasible": found.infeasible,
        "complete": complete,
        "reason": reason,
    })
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn packages_are_shortened_from_the_left() {
        assert_eq!(shortened("a.b.C", 10), "a.b.C");
        assert_eq!(shortened("org.example.text.Wrapper", 16), "o.e.text.Wrapper");
        assert_eq!(shortened("org.example.\u{e4}rger.Wrapper", 5), "o.e.\u{e4}.Wrapper");
    }
}
