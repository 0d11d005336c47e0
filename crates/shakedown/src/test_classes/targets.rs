//! What tests are wanted for, and the class path that it is on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use explore::fingerprint::Fingerprints;
use explore::own_tests::{Literal, OwnTests};
use explore::target::{self, Target};
use explore::{Wrong, named};
use machine::Machine;

use super::{Existing, Order};
use crate::generated::files::{Claim, Claims, Evaded};
use crate::generated::mark::Mark;

/// A class that tests are wanted for.
pub struct Wanted {
    pub target: Target,
    pub claim: Claim,
    /// What the user's own tests of the class write as it is.
    pub own_tests: Arc<[Literal]>,
}

/// What targets come to.
pub struct Resolved {
    /// Each class once.
    pub wanted: Vec<Wanted>,
    /// Classes whose tests are kept, by their binary names.
    pub kept: Vec<String>,
    /// By the full names of test classes that have not the usual ones: the class they test, and why.
    pub evaded: BTreeMap<String, (String, Evaded)>,
    pub complaints: Vec<Wrong>,
}

pub fn resolve(order: &Order, targets: &[String]) -> Result<Resolved, Wrong> {
    let mut m = order.setup.machine()?;
    let (classes, mut complaints) = classes(&mut m, order, targets);
    let mut claims = Claims::new(&order.output, named::all(&m.program.path));
    let mut fingerprints = match order.existing {
        Existing::Update => Some(Fingerprints::new(&order.setup)?),
        Existing::Stop | Existing::Replace => None,
    };
    let is_generated = |file: &Path| Mark::of(file).is_some();
    let tests = OwnTests::new(&order.setup, &order.output, &is_generated)?;
    let (mut wanted, mut kept, mut evaded) = (Vec::new(), Vec::new(), BTreeMap::new());
    for target in classes {
        let claim = match claims.of(&target.class) {
            Ok(claim) => claim,
            Err(why) => {
                complaints.push(why);
                continue;
            }
        };
        let binary = target.class.replace('/', ".");
        for (name, why) in &claim.evaded {
            let package = binary.rsplit_once('.').map_or(String::new(), |(package, _)| format!("{package}."));
            evaded.insert(package + name, (binary.clone(), why.clone()));
        }
        let is_kept = match &mut fingerprints {
            Some(fingerprints) => is_unchanged(order, fingerprints, &target, &claim),
            None => false,
        };
        match claim.existing.first() {
            Some(_) if is_kept => kept.push(binary),
            Some(file) if order.existing == Existing::Stop => {
                let remedy = "use --force to replace it, or --update to do so if its class has changed";
                complaints.push(format!("{} exists; {remedy}", file.display()).into());
            }
            _ => {
                let own_tests = tests.literals(&target.class).into();
                wanted.push(Wanted { target, claim, own_tests });
            }
        }
    }
    complaints.dedup();
    Ok(Resolved { wanted, kept, evaded, complaints })
}

/// The classes that targets name, each once, and what is wrong with the others.
fn classes(m: &mut Machine, order: &Order, targets: &[String]) -> (Vec<Target>, Vec<Wrong>) {
    let (mut classes, mut complaints): (Vec<Target>, Vec<Wrong>) = (Vec::new(), Vec::new());
    for target in targets {
        match target::classes(m, target, &order.excluded) {
            Ok(found) => found.into_iter().for_each(|one| add(&mut classes, one)),
            Err(why) => complaints.push(why),
        }
    }
    (classes, complaints)
}

/// Methods of one class that are named one by one belong into one file.
fn add(classes: &mut Vec<Target>, new: Target) {
    match classes.iter_mut().find(|old| old.class == new.class) {
        None => classes.push(new),
        Some(old) => {
            old.only = match (old.only.take(), new.only) {
                (Some(mut old), Some(new)) => {
                    let more: Vec<_> = new.into_iter().filter(|method| !old.contains(method)).collect();
                    old.extend(more);
                    Some(old)
                }
                _ => None,
            }
        }
    }
}

/// Whether all files of a class were made from what there is now.
fn is_unchanged(order: &Order, fingerprints: &mut Fingerprints, target: &Target, claim: &Claim) -> bool {
    let besides = order.besides(target);
    claim.existing.iter().all(|file| {
        let Ok(text) = std::fs::read_to_string(file) else { return false };
        let now = fingerprints.of(&target.class, &Mark::without(&text), &besides);
        Mark::of(file).is_some_and(|mark| mark.fingerprint == now)
    })
}

/// The class path where the user gave none: the targets themselves, if they are folders, jars or class files.
pub fn entries(targets: &[String]) -> Vec<PathBuf> {
    let place = |target: &String| match Path::new(target).is_dir() || target.ends_with(".jar") {
        true => Some(PathBuf::from(target)),
        false => crate::flags::classes::root(target),
    };
    let places: Vec<PathBuf> = targets.iter().filter_map(place).collect();
    if places.is_empty() { vec![PathBuf::from(".")] } else { places }
}
