//! The conformance suite: every program of `fixtures/` runs on the machine and on the real `java` of the same JDK,
//! and must print the same bytes and end with the same status; then it is run once more with a rollback in between.
//!
//! What is compared is data: `fixtures/conformance.toml`. A Java file that no group covers fails the suite, and a JDK
//! that is not installed is named.

mod compare;
mod fixtures;
mod rollback;

use std::sync::Arc;

use classpath::Jdk;
use fixtures::Group;
use libtest_mimic::{Arguments, Trial};

/// The JDKs the project promises to work with.
const PROMISED: &[u32] = &[17, 25];

fn main() {
    let arguments = Arguments::from_args();
    let groups: Vec<Arc<Group>> = fixtures::read().into_iter().map(Arc::new).collect();
    let installed = Jdk::installed();
    let mut trials = vec![Trial::test("every_file_is_in_a_group", || Ok(fixtures::check_complete()?))];
    for feature in PROMISED {
        if !installed.iter().any(|jdk| jdk.feature() == *feature) {
            println!("JDK {feature} is not installed: nothing is compared with it");
        }
    }
    for jdk in &installed {
        for group in groups.iter().filter(|group| group.min_jdk <= jdk.feature()) {
            let compiled = Arc::new(fixtures::Compiled::new(group.clone(), jdk.clone()));
            for program in &group.programs {
                let label = format!("jdk{}/{}/{}", jdk.feature(), group.name, program.name);
                let (compared, rolled) = (compiled.clone(), compiled.clone());
                let (one, two) = (program.clone(), program.clone());
                trials.push(Trial::test(label.clone(), move || Ok(compare::check(&compared, &one)?)));
                trials.push(Trial::test(format!("rollback/{label}"), move || {
                    Ok(rollback::check(&rolled, &two)?)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
