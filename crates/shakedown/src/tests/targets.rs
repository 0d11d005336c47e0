//! What tests are wanted for, and the class path that it is on.

use std::path::Path;

use classpath::ClassPath;
use explore::target::{self, Target};

use super::class::{self, Order};

/// The classes that targets name, each once, and what is wrong with the others.
pub fn resolve(order: &Order, targets: &[String]) -> Result<(Vec<Target>, Vec<String>), String> {
    let mut m = order.setup.machine()?;
    let (mut classes, mut complaints) = (Vec::new(), Vec::new());
    for target in targets {
        match target::classes(&mut m, target) {
            Ok(found) => {
                for one in found {
                    if classes.contains(&one) {
                        continue;
                    }
                    match class::in_the_way(order, &one.class) {
                        Some(file) => {
                            complaints.push(format!("{} exists; use --force to replace it", file.display()))
                        }
                        None => classes.push(one),
                    }
                }
            }
            Err(why) => complaints.push(why),
        }
    }
    complaints.dedup();
    Ok((classes, complaints))
}

/// The class path as the user gave it, or the targets themselves if they are folders or jars.
pub fn class_path(given: Option<&str>, targets: &[String]) -> String {
    match given {
        Some(path) => path.to_string(),
        None => {
            let places: Vec<&str> = targets
                .iter()
                .map(String::as_str)
                .filter(|target| Path::new(target).is_dir() || target.ends_with(".jar"))
                .collect();
            if places.is_empty() { ".".into() } else { places.join(if cfg!(windows) { ";" } else { ":" }) }
        }
    }
}

/// The same, split.
pub fn entries(path: &str) -> Vec<std::path::PathBuf> {
    ClassPath::parse(path)
}
