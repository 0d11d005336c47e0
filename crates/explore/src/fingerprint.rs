//! What tests were made from, as a number: the class under test, the classes that its tests name, and all classes of the
//! user's that these need. As long as it is the same, the tests hold.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use classpath::ClassPath;
use program::classfile::ClassFile;

use crate::{Setup, Wrong};

/// Fingerprints over one class path.
pub struct Fingerprints {
    path: ClassPath,
    /// The user's classes, by their internal names.
    names: BTreeSet<Rc<str>>,
    /// Those that were read.
    known: BTreeMap<Rc<str>, Known>,
}

struct Known {
    hash: u64,
    /// The user's classes that it names.
    mentions: Vec<Rc<str>>,
}

impl Fingerprints {
    pub fn new(setup: &Setup) -> Result<Fingerprints, Wrong> {
        let path = ClassPath::open(&setup.class_path, &setup.jdk)?;
        let entries = path.entries().len();
        let names = (0..entries).flat_map(|entry| path.classes_of_entry(entry)).map(Rc::from).collect();
        Ok(Fingerprints { path, names, known: BTreeMap::new() })
    }

    /// The fingerprint of tests of a class (an internal name): of what their source names, and of whatever else matters.
    pub fn of(&mut self, class: &str, source: &str, besides: &str) -> String {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let mut waiting = self.named_in(source, package);
        waiting.extend(self.names.get(class).cloned());
        let mut closure = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if closure.insert(Rc::clone(&name)) {
                waiting.extend(self.known(&name).mentions.iter().cloned());
            }
        }
        let mut hash = Hash::default();
        hash.add(besides.as_bytes());
        for name in &closure {
            hash.add(name.as_bytes());
            hash.add(&self.known(name).hash.to_le_bytes());
        }
        format!("{:016x}", hash.0)
    }

    fn known(&mut self, name: &Rc<str>) -> &Known {
        if !self.known.contains_key(name) {
            let known = self.read(name);
            self.known.insert(Rc::clone(name), known);
        }
        &self.known[name]
    }

    fn read(&self, name: &str) -> Known {
        let mut hash = Hash::default();
        let Ok(Some(found)) = self.path.class(name) else { return Known { hash: 0, mentions: Vec::new() } };
        hash.add(&found.bytes);
        let mut mentions = BTreeSet::new();
        if let Ok(file) = ClassFile::parse(found.bytes) {
            for index in 1..file.pool_len() as u16 {
                if let Ok(text) = file.utf8(index) {
                    self.named_by(&text, &mut mentions);
                }
            }
        }
        Known { hash: hash.0, mentions: mentions.into_iter().collect() }
    }

    /// Classes that a constant names: by itself, as a name to look up, or in a descriptor.
    fn named_by(&self, text: &str, found: &mut BTreeSet<Rc<str>>) {
        found.extend(self.names.get(text).cloned());
        if text.contains('.') {
            found.extend(self.names.get(text.replace('.', "/").as_str()).cloned());
        }
        if text.contains(';') {
            for (at, _) in text.match_indices('L') {
                let name = text[at + 1..].split([';', '<']).next().unwrap_or_default();
                found.extend(self.names.get(name).cloned());
            }
        }
    }

    /// Classes that a source of a package names.
    fn named_in(&self, source: &str, package: &str) -> Vec<Rc<str>> {
        let is_part = |c: char| c == '.' || c == '_' || c == '$' || c.is_alphanumeric();
        let words: BTreeSet<&str> = source.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
        let mut found = Vec::new();
        for word in words {
            let parts: Vec<&str> = word.split('.').collect();
            for end in 1..=parts.len() {
                let name = parts[..end].join("/");
                found.extend(self.names.get(name.as_str()).cloned());
                if !package.is_empty() {
                    found.extend(self.names.get(format!("{package}/{name}").as_str()).cloned());
                }
            }
        }
        found
    }
}

/// FNV-1a: the same on every machine, and in every version.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
