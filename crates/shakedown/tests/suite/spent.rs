//! What is said of open branches in all our fixtures: no reason that more time may cure while there is time, and no other
//! reason that more time cures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use testkit::{Javac, root};

use super::anytime::{is_curable, report_of};

/// Folders with sources that are compiled together.
const SOON: &[&str] = &["examples/shop/src/main", "fixtures/planted"];
const LATE: &[&str] = &[
    "examples/shop/src/main",
    "examples/enumerate",
    "fixtures/paths",
    "fixtures/planted",
    "fixtures/programs",
    "fixtures/semantics",
    "fixtures/memory",
    "fixtures/conformance/control",
    "fixtures/conformance/objects",
    "fixtures/conformance/strings",
    "fixtures/conformance/collections",
];

/// A branch: class, method with its descriptor, line, and which way.
type Branch = (String, String, u64, u64);

struct Spent {
    /// Open branches with the reasons that weigh most; several may be in one line.
    open: BTreeMap<Branch, Vec<String>>,
    had_time: bool,
}

/// Compiles folders, and the API that some of them need.
fn compile(work: &Path, folder: &str) -> PathBuf {
    let api = work.join("api");
    if !api.is_dir() {
        Javac::new().tree(root().join("java/api/src/main/java")).tree(root().join("java/stubs")).into(&api);
    }
    let classes = work.join(folder.replace('/', "-"));
    if !classes.is_dir() {
        Javac::new().class_path(&[&api]).tree(root().join(folder)).into(&classes);
    }
    classes
}

fn spend(work: &Path, folder: &str, seconds: u64) -> Spent {
    let classes = compile(work, folder);
    let class_path = format!("{}:{}", classes.display(), work.join("api").display());
    let target = classes.display().to_string();
    let time = format!("{seconds}s");
    let (report, taken, said) = report_of(work, &["-cp", &class_path, &target, "--time", &time]);
    assert!(!report["classes"].as_array().expect("classes").is_empty(), "{folder}: {said}");
    println!(
        "{folder:<32} {seconds:>3} s: {} of {} branches in {:.1} s",
        report["branches_covered"],
        report["branches_total"],
        taken.as_secs_f64()
    );
    let mut open: BTreeMap<Branch, Vec<String>> = BTreeMap::new();
    for class in report["classes"].as_array().expect("classes") {
        for method in class["methods"].as_array().expect("methods") {
            for branch in method["open"].as_array().expect("branches") {
                let text = |value: &Value| value.as_str().expect("words").to_string();
                let name = text(&method["method"]) + &text(&method["descriptor"]);
                let place = (branch["line"].as_u64().unwrap_or(0), branch["way"].as_u64().expect("a way"));
                let key = (text(&class["class"]), name, place.0, place.1);
                open.entry(key).or_default().push(text(&branch["reasons"][0]));
            }
        }
    }
    Spent { open, had_time: taken < Duration::from_secs(seconds).mul_f64(0.8) }
}

/// Reasons that more time may cure, though there was time.
fn unspent(spent: &Spent) -> Vec<String> {
    let each = spent.open.iter().flat_map(|(branch, reasons)| reasons.iter().map(move |why| (branch, why)));
    let curable = each.filter(|(_, why)| spent.had_time && is_curable(why));
    curable.map(|(branch, why)| format!("{branch:?}: {why}")).collect()
}

#[test]
fn no_branch_of_our_fixtures_is_open_that_more_time_may_cure_while_there_is_time() {
    let work = tempfile::tempdir().expect("a folder");
    for folder in SOON {
        let wrong = unspent(&spend(work.path(), folder, 40));
        assert!(wrong.is_empty(), "{folder}: {wrong:#?}");
    }
}

/// Of branches of which it is said that something else than time stands in their way, none is covered in four times the time.
#[test]
#[ignore = "takes minutes"]
fn four_times_the_time_covers_nothing_that_more_time_was_not_to_cure() {
    let work = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for folder in LATE {
        let (once, more) = (spend(work.path(), folder, 20), spend(work.path(), folder, 80));
        wrong.extend(unspent(&once));
        wrong.extend(unspent(&more));
        for (branch, reasons) in &once.open {
            let final_reasons: Vec<&String> = reasons.iter().filter(|why| !is_curable(why)).collect();
            let still = more.open.get(branch).map_or(0, Vec::len);
            if still < final_reasons.len() {
                wrong.push(format!("{folder} {branch:?}: {final_reasons:?}, and {still} are left"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
