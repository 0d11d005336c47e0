//! Choices with guards: where a path splits because a value is unknown.

use term::Term;

use crate::choice::{Choice, Label};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;

impl Machine {
    /// Whether a condition holds: known by now, or decided.
    pub fn branch(&mut self, condition: Term) -> Result<bool, Raise> {
        if let Some(truth) = self.symbolic.truth(condition) {
            return Ok(truth);
        }
        let negated = self.symbolic.terms.not(condition);
        Ok(self.among(&[condition, negated])? == 0)
    }

    /// Which of several guards holds. They exclude each other, and one of them holds.
    pub fn among(&mut self, guards: &[Term]) -> Result<usize, Raise> {
        let mut open = Vec::new();
        for (index, guard) in guards.iter().enumerate() {
            match self.symbolic.truth(*guard) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None => open.push(index),
            }
        }
        match self.decision.take() {
            Some(decision) => {
                let Some(&index) = open.get(decision as usize) else {
                    return Err(Raise::Stop(Stop::BadInput(format!(
                        "decision {decision} at a choice with {} alternatives; the list belongs to another run",
                        open.len()
                    ))));
                };
                self.visit()?;
                self.symbolic.decide(guards[index]);
                Ok(index)
            }
            None if open.is_empty() => {
                Err(Raise::Stop(Stop::DeadEnd("none of the cases of an unknown value")))
            }
            None => {
                let guards: Vec<Term> = open.iter().map(|index| guards[*index]).collect();
                Err(Raise::Choose(Choice { alternatives: guards.len() as u64, label: Label::Guards(guards) }))
            }
        }
    }

    /// Keeps only paths on which a condition holds.
    pub fn assume(&mut self, condition: Term) -> Result<(), Raise> {
        match self.symbolic.truth(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(Raise::Stop(Stop::Rejected)),
            // A choice with one alternative: the search sees whether it can hold.
            None => match self.decision.take() {
                Some(_) => {
                    self.visit()?;
                    self.symbolic.decide(condition);
                    Ok(())
                }
                None => Err(Raise::Choose(Choice { alternatives: 1, label: Label::Assumed(condition) })),
            },
        }
    }

    /// The bits of a term, decided now: for what cannot work on terms. Decisions are the values themselves.
    pub fn concrete(&mut self, term: Term) -> Result<u64, Raise> {
        if let Some(bits) = self.symbolic.value(term) {
            return Ok(bits);
        }
        match self.decision.take() {
            Some(bits) => {
                self.visit()?;
                let chosen = self.symbolic.terms.is_bits(term, bits);
                self.symbolic.decide(chosen);
                // Floats have no equality that binds them.
                self.symbolic.bind(term, bits);
                Ok(bits)
            }
            None => Err(Raise::Choose(Choice { alternatives: u64::MAX, label: Label::Bits(term) })),
        }
    }
}
