//! Choices: where the machine stops and the search decides.

/// What a choice is about, for people and for traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In words: `getInt(0, 3)`.
    pub label: String,
    /// Number of alternatives; a decision is a number below it.
    pub alternatives: u32,
}
