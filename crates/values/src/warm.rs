//! Classes that are initialized once for all runs of a machine, instead of on every run.

use machine::Machine;
use program::ClassId;

/// Initializes classes for good, outside of any checkpoint. One that cannot be initialized on its own is left to the
/// runs, and so is one that touches the outside: each run that needs it is to be seen touching it.
pub fn initialize(m: &mut Machine, classes: &[ClassId]) {
    for class in classes {
        let before = m.checkpoint();
        if m.initialize_now(*class).is_err() || !m.touched().is_empty() {
            m.rollback(before);
        }
        m.commit(before);
    }
}

/// The same for a class of the program: what its initializer covers counts to every run.
pub fn initialize_covered(m: &mut Machine, class: ClassId) {
    m.clear_coverage();
    initialize(m, &[class]);
    m.keep_coverage();
}
