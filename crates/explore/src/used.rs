//! Which entries of the class path a program uses: what lies on it beside them makes no difference to what is found.

use std::collections::{BTreeMap, BTreeSet};

use classpath::{ClassPath, Resource};
use program::{ClassFile, Constant};

/// The internal names of all classes in the entries of `targets` (internal names), and in those that classes there name,
/// and so on.
pub fn used_classes(path: &ClassPath, targets: &[String]) -> Vec<String> {
    let entries: Vec<Vec<String>> =
        (0..path.entries().len()).map(|entry| path.classes_of_entry(entry)).collect();
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for (entry, names) in entries.iter().enumerate() {
        for name in names {
            // The first entry that has a class is the one it comes from.
            owners.entry(name).or_insert(entry);
        }
    }
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut waiting: Vec<usize> =
        targets.iter().filter_map(|name| owners.get(name.as_str()).copied()).collect();
    while let Some(entry) = waiting.pop() {
        // Where all are used there is nothing to look for.
        if !used.insert(entry) || used.len() == entries.len() {
            continue;
        }
        for name in &entries[entry] {
            let Ok(Some(resource)) = path.class(name) else { continue };
            let named = named_by(resource).into_iter();
            let others = named.filter_map(|name| owners.get(name.as_str()).copied());
            waiting.extend(others.filter(|other| !used.contains(other)));
        }
    }
    used.into_iter().flat_map(|entry| entries[entry].iter().cloned()).collect()
}

/// The classes that a class file names.
fn named_by(resource: Resource) -> BTreeSet<String> {
    let Ok(file) = ClassFile::parse(resource.bytes) else { return BTreeSet::new() };
    let mut named = BTreeSet::new();
    for index in 1..file.pool_len() as u16 {
        if let Ok(Constant::Class { .. }) = file.constant(index)
            && let Ok(name) = file.class_name(index)
        {
            let element = name.trim_start_matches('[');
            let element =
                element.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(element);
            named.insert(element.to_string());
        } else if let Ok(Constant::Utf8) = file.constant(index)
            && let Ok(text) = file.utf8(index)
            && text.starts_with(['(', '[', 'L'])
        {
            // What looks like a descriptor.
            let classes = text.split('L').skip(1).filter_map(|rest| rest.split_once(';'));
            named.extend(classes.map(|(name, _)| name.to_string()));
        }
    }
    named
}
