//! What machines, and the JVM beside them, are made of.

use std::path::PathBuf;
use std::sync::Arc;

use classpath::{ClassPath, Jdk};
use hotspot::{Confine, Settings};
use machine::{Beyond, Bounds, Classes, Config, HeapMode, Machine, Policy, States, Surroundings, WhenFull};
use program::Program;

use crate::Wrong;
use crate::elsewhere::Elsewhere;
use values::room;

/// Which calls are done by summaries of the methods, without running their bodies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Compose {
    /// Those where it is likely to pay.
    Auto,
    /// All that there is a summary of.
    Always,
    #[default]
    Never,
}

/// What machines over unknown values are made of.
#[derive(Clone)]
pub struct Setup {
    pub class_path: Vec<PathBuf>,
    pub jdk: Jdk,
    pub heap: u64,
    pub when_full: WhenFull,
    pub heap_mode: HeapMode,
    pub bounds: Bounds,
    /// Whether the JVM on which inputs are run again is confined.
    pub confine: Confine,
    /// Where it runs, if that is not as in `run`.
    pub elsewhere: Option<&'static Elsewhere>,
    /// Which calls are done by summaries.
    pub compose: Compose,
    /// The classes that unknown objects can be instances of, by internal names; all of the class path where none are told.
    pub world: Option<Arc<[String]>>,
}

impl Setup {
    /// A machine with the library booted, still without unknown values.
    pub fn machine(&self) -> Result<Machine, Wrong> {
        boot(&self.class_path, &self.jdk, self.config())
    }

    fn config(&self) -> Config {
        let mut config = room::config(self.heap, self.when_full);
        if let Some(place) = self.elsewhere {
            let properties = place.properties.iter().map(|(key, value)| (key.to_string(), value.to_string()));
            config.properties.extend(properties);
            config.hash_seed = place.seed.unwrap_or(config.hash_seed);
        }
        config
    }

    /// What the JVM is started with on which inputs are run again.
    pub fn jvm(&self) -> Result<Settings, Wrong> {
        let path = ClassPath::open(&self.class_path, &self.jdk)?;
        let readable = path.entries().map(Into::into).collect();
        Ok(Settings { readable, confine: self.confine, ..Settings::new(self.jdk.home(), &self.class_path) })
    }

    /// Lets values be unknown.
    pub fn make_symbolic(&self, m: &mut Machine) {
        match &self.world {
            Some(world) => m.start_symbolic(world.to_vec()),
            None => allow_unknowns(m),
        }
        m.explore_with(Policy {
            heap: self.heap_mode,
            bounds: self.bounds,
            classes: Classes::Known,
            surroundings: Surroundings::AsInRun,
            states: States::Any,
            beyond: Beyond::Bounded,
        });
    }
}

/// A machine for a search, with the library booted.
pub(crate) fn boot(class_path: &[PathBuf], jdk: &Jdk, config: Config) -> Result<Machine, Wrong> {
    let path = ClassPath::open(class_path, jdk)?;
    jdk::boot::boot(Program::new(path), config).map_err(|e| e.to_string().into())
}

/// Lets values be unknown, of all classes on the class path.
pub(crate) fn allow_unknowns(m: &mut Machine) {
    let entries = m.program.path.entries().len();
    let names = (0..entries).flat_map(|entry| m.program.path.classes_of_entry(entry)).collect();
    m.start_symbolic(names);
}
