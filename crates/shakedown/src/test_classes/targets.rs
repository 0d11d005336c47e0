//! What tests are wanted for, and the class path that it is on.

use std::path::{Path, PathBuf};

use explore::Wrong;
use explore::target::{self, Target};

use super::{Order, files};

/// The classes that targets name, each once, and what is wrong with the others.
pub fn resolve(order: &Order, targets: &[String]) -> Result<(Vec<Target>, Vec<Wrong>), Wrong> {
    let mut m = order.setup.machine()?;
    let (mut classes, mut complaints) = (Vec::new(), Vec::new());
    for target in targets {
        match target::classes(&mut m, target) {
            Ok(found) => {
                for one in found {
                    if classes.contains(&one) {
                        continue;
                    }
                    match files::existing(&order.output, &one.class) {
                        Some(file) if !order.force => complaints
                            .push(format!("{} exists; use --force to replace it", file.display()).into()),
                        _ => classes.push(one),
                    }
                }
            }
            Err(why) => complaints.push(why),
        }
    }
    complaints.dedup();
    Ok((classes, complaints))
}

/// The class path where the user gave none: the targets themselves, if they are folders or jars.
pub fn entries(targets: &[String]) -> Vec<PathBuf> {
    let places: Vec<PathBuf> = targets
        .iter()
        .filter(|target| Path::new(target).is_dir() || target.ends_with(".jar"))
        .map(PathBuf::from)
        .collect();
    if places.is_empty() { vec![PathBuf::from(".")] } else { places }
}
