//! `check -o`: what violates is written as tests, one class of them for each class that was checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use explore::check::Violation;
use explore::fingerprint::Fingerprints;
use explore::{Driver, Setup, Wrong, named};
use junit::{Framework, counterexamples};
use program::link::package;
use suite::class::File;
use suite::confirm::Judge;
use suite::counterexample;
use testcase::Counterexample;

use crate::common::{counted, say};
use crate::generated::files::{self, Claims};
use crate::generated::mark::Mark;

/// Where the tests go, and what they are written for.
pub struct Order<'a> {
    pub output: &'a Path,
    pub framework: Framework,
    /// Whether a JVM may be asked.
    pub no_jvm: bool,
}

/// Writes tests for violations, and says which there are none for.
pub fn write(order: &Order, setup: &Setup, violations: &[(String, Box<Violation>)]) -> Result<(), Wrong> {
    if violations.is_empty() {
        return Ok(());
    }
    let mut driver = Driver::new(setup, solver::Config::default())?;
    let mut classes: BTreeMap<String, Vec<&(String, Box<Violation>)>> = BTreeMap::new();
    for violation in violations {
        classes.entry(violation.1.case.call.class.clone()).or_default().push(violation);
    }
    let mut judge = None;
    let mut claims = Claims::new(order.output, named::all(&driver.machine().program.path));
    let mut fingerprints = Fingerprints::new(setup)?;
    let mut written: Vec<(PathBuf, usize)> = Vec::new();
    for (class, violations) in classes {
        let internal = class.replace('.', "/");
        let own_package = package(&internal).to_string();
        let m = driver.machine();
        let (mut all, mut targets, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (target, violation) in violations {
            match counterexample::of(m, &own_package, violation, &mut taken) {
                Ok(one) => {
                    targets.push((one.name.clone(), target));
                    all.push(one);
                }
                Err(why) => left_out(target, &why),
            }
        }
        if all.is_empty() {
            continue;
        }
        let (name, existing) = claims.counterexamples(&internal)?;
        let java_package = own_package.replace('/', ".");
        let full = if java_package.is_empty() { name.clone() } else { format!("{java_package}.{name}") };
        let mut render = |all: &[Counterexample]| {
            let mut making = |class: &str| ways::making::making(m, class, &java_package);
            counterexamples(&java_package, &name, all, order.framework, &mut making)
        };
        if !order.no_jvm {
            let judge = match &mut judge {
                Some(judge) => judge,
                none => none.insert(Judge::start(setup)?),
            };
            for (one, why) in counterexample::confirm(judge, &full, &mut all, &mut render)? {
                let target = targets.iter().find(|(name, _)| *name == one.name);
                target.into_iter().for_each(|(_, target)| left_out(target, &why));
            }
        }
        if all.is_empty() {
            continue;
        }
        let file = File { package: java_package.clone(), text: render(&all), name: name.clone() };
        let fingerprint = fingerprints.of(&internal, &file.text, env!("CARGO_PKG_VERSION"));
        let place = files::save(order.output, &file, &Mark { class, fingerprint })?;
        existing.iter().filter(|file| **file != place).for_each(|file| drop(std::fs::remove_file(file)));
        written.push((place, all.len()));
    }
    for (place, count) in written {
        let fail = if count == 1 { "it fails" } else { "they fail" };
        say(&format!(
            "{}: {}; {fail} until the code is mended\n",
            place.display(),
            counted(count as u64, "test")
        ));
    }
    Ok(())
}

fn left_out(target: &str, why: &str) {
    say(&format!("no test for {target}: {why}\n"));
}
