//! The phrases of generated programs: the first lines of the methods of `Phrases.java`.

/// A method to call.
pub struct Phrase {
    pub name: String,
    pub gives: String,
    pub takes: Vec<String>,
}

impl Phrase {
    /// Whether it makes a choice of its own.
    pub fn chooses(&self) -> bool {
        self.name.starts_with("choose") && self.name != "chooseSign"
    }
}

pub fn all() -> Vec<Phrase> {
    let found: Vec<Phrase> = include_str!("java/Phrases.java").lines().filter_map(phrase).collect();
    assert!(found.len() > 300, "the phrases are read");
    found
}

fn phrase(line: &str) -> Option<Phrase> {
    let (head, rest) = line.strip_prefix("    static ")?.split_once('(')?;
    let (gives, name) = head.rsplit_once(' ')?;
    let (takes, _) = rest.split_once(')')?;
    let types = takes.split(", ").filter_map(|one| Some(one.rsplit_once(' ')?.0.to_string()));
    Some(Phrase { name: name.into(), gives: gives.into(), takes: types.collect() })
}
