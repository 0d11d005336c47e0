//! What is said at the end: a table for people, and a record for programs.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table};
use machine::{Outside, Touched};
use report::record;
use suite::class::{ClassTests, MethodTests};
use suite::harvest::{MethodHarvest, OpenBranch};
use suite::shape::Member;
use values::Reasons;

use crate::common::{say, tell};
use crate::generated::files::Evaded;

/// Columns a name and a reason may take.
const CLASS: usize = 50;
const NOTE: usize = 90;
/// Why something is not covered that nothing else is known about.
pub const UNTOLD: &str = "not covered within the bounds";

pub fn print_table(rows: &[ClassTests], seconds: f64, no_jvm: bool) {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(["class", "tests", "branches"]);
    for row in rows {
        let (covered, total) = (row.sum(|m| m.covered), row.sum(|m| m.total));
        let share = if total == 0 { 100.0 } else { covered as f64 * 100.0 / total as f64 };
        table.add_row([
            shortened(&row.class, CLASS),
            row.tests.to_string(),
            format!("{covered}/{total}"),
            format!("{share:.0}%"),
            note(row).chars().take(NOTE).collect(),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if (1..=3).contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    say(&format!("{}\n", table.trim_fmt()));
    let sum = |f: fn(&ClassTests) -> usize| rows.iter().map(f).sum::<usize>();
    let (tests, crashes, dropped) =
        (sum(|row| row.tests), sum(|row| row.crashes), sum(|row| row.dropped.tests.len()));
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
    let weakened = sum(|row| row.dropped.assertions);
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
    let late = sum(|row| row.dropped.late.len());
    if late > 0 {
        let what = plural(late, "test", "tests");
        say(&format!("no time was left to confirm {what}, which may hold: more --time writes them\n"));
    }
}

/// Says which classes have tests that are kept.
pub fn tell_kept(kept: &[String], verbose: bool) {
    if verbose {
        kept.iter().for_each(|class| tell(&format!("{class}: unchanged: kept\n")));
    }
    if !kept.is_empty() {
        say(&format!("{} unchanged: kept\n", plural(kept.len(), "class is", "classes are")));
    }
}

/// Says which test classes have not the usual name, and why.
pub fn tell_evaded(rows: &[ClassTests], evaded: &BTreeMap<String, (String, Evaded)>) {
    for file in rows.iter().flat_map(|row| &row.files) {
        let full = if file.package.is_empty() {
            file.name.clone()
        } else {
            format!("{}.{}", file.package, file.name)
        };
        let Some((class, why)) = evaded.get(&full) else { continue };
        let tests = format!("tests of {class} are in {}", file.name);
        tell(&match why {
            Evaded::File(usual) => format!(
                "shakedown: {} was not generated and stays as it is; {tests} (move it if they should have its name)\n",
                usual.display()
            ),
            Evaded::Class(usual) => format!("shakedown: {usual} is a class on the class path; {tests}\n"),
            Evaded::Tests { file, of } => {
                format!("shakedown: {} is for tests of {of}; {tests}\n", file.display())
            }
        });
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
fn note(row: &ClassTests) -> String {
    match row.sum(|m| m.infeasible) {
        _ if !row.complete => main_reason(row),
        0 => String::new(),
        count => format!("{count} infeasible"),
    }
}

/// Why a class is not completely covered, in one reason.
fn main_reason(row: &ClassTests) -> String {
    let all = row.in_the_way();
    let rest = row.reasons.by_frequency();
    let most = all.by_frequency().into_iter().chain(rest).next();
    most.map_or(UNTOLD.into(), ToString::to_string)
}

pub fn record_of(rows: &[ClassTests], kept: &[String], seconds: f64) -> record::Tests {
    let sum = |f: fn(&ClassTests) -> usize| rows.iter().map(f).sum::<usize>();
    record::Tests {
        classes: rows.iter().map(class).collect(),
        kept: kept.to_vec(),
        tests: sum(|row| row.tests),
        crashes: sum(|row| row.crashes),
        reflection: sum(|row| row.reflection),
        dropped: sum(|row| row.dropped.tests.len()),
        weakened: sum(|row| row.dropped.assertions),
        branches_total: sum(|row| row.sum(|m| m.total)),
        branches_covered: sum(|row| row.sum(|m| m.covered)),
        branches_infeasible: sum(|row| row.sum(|m| m.infeasible)),
        complete: rows.iter().all(|row| row.complete),
        seconds,
    }
}

fn class(row: &ClassTests) -> record::TestsOfClass {
    let mut reasons: Vec<String> = Vec::new();
    let all = row.in_the_way();
    for why in all.by_frequency().into_iter().chain(row.reasons.by_frequency()).map(ToString::to_string) {
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
    record::TestsOfClass {
        class: row.class.clone(),
        tests: row.tests,
        crashes: row.crashes,
        reflection: row.reflection,
        dropped: row.dropped.tests.len(),
        weakened: row.dropped.assertions,
        branches_total: row.sum(|m| m.total),
        branches_covered: row.sum(|m| m.covered),
        branches_infeasible: row.sum(|m| m.infeasible),
        differences: row.reasons.differences(),
        complete: row.complete,
        rounds: row.rounds,
        out_of_time: row.out_of_time && !row.complete,
        reason: match (row.complete, reasons.is_empty()) {
            (true, _) => None,
            (false, true) => Some(vec![UNTOLD.into()]),
            (false, false) => Some(reasons),
        },
        seconds: row.seconds,
        search_seconds: row.search_seconds,
        withheld: row.withheld.iter().map(withheld).collect(),
        methods: row.methods.iter().map(method).collect(),
    }
}

fn withheld((member, touched): (&Member, &Touched)) -> record::Withheld {
    record::Withheld {
        method: member.name.clone(),
        descriptor: member.descriptor.clone(),
        touches: touched.iter().map(Outside::name).collect(),
    }
}

fn method(row: &MethodTests) -> record::TestsOfMethod {
    let found = &row.harvest;
    let complete = found.covered + found.infeasible >= found.total;
    record::TestsOfMethod {
        method: found.member.name.clone(),
        descriptor: found.member.descriptor.clone(),
        tests: row.tests,
        branches_total: found.total,
        branches_covered: found.covered,
        branches_infeasible: found.infeasible,
        complete,
        reason: match (complete, most_frequent(found)) {
            (true, _) => None,
            (false, Some(why)) => Some(why),
            (false, None) => Some(UNTOLD.into()),
        },
        open: found.open.iter().map(open).collect(),
    }
}

/// What stood in the way of most branches of a method.
fn most_frequent(method: &MethodHarvest) -> Option<String> {
    let mut all = Reasons::default();
    method.open.iter().filter_map(|branch| branch.reasons.first()).for_each(|why| all.add(why.clone()));
    all.by_frequency().first().map(ToString::to_string)
}

fn open(branch: &OpenBranch) -> record::OpenBranch {
    let told: Vec<String> = branch.reasons.iter().map(ToString::to_string).collect();
    let reasons = if told.is_empty() { vec![UNTOLD.into()] } else { told };
    record::OpenBranch { line: branch.line, way: branch.way(), reasons }
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
