//! Choices with guards: where a path splits because a value is unknown.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use term::Term;

use super::truth::By;
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
        let decided = self.symbolic.path().len();
        let holds = self.among(&[condition, negated])? == 0;
        if !holds && self.symbolic.path().len() > decided {
            self.symbolic.note_negation();
        }
        Ok(holds)
    }

    /// Which of several guards holds. They exclude each other, and one of them holds.
    pub fn among(&mut self, guards: &[Term]) -> Result<usize, Raise> {
        let mut open = Vec::new();
        for (index, guard) in guards.iter().enumerate() {
            match self.symbolic.truth(*guard) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None => open.push((index, *guard)),
            }
        }
        if open.is_empty() {
            return Err(Raise::Stop(Stop::DeadEnd("none of the cases of an unknown value")));
        }
        let Some(decision) = self.answer_to(open.iter().map(|alternative| alternative.1)) else {
            let guards: Vec<Term> = open.iter().map(|alternative| alternative.1).collect();
            return Err(Raise::Choose(Choice {
                alternatives: guards.len() as u64,
                label: Label::Guards(guards),
            }));
        };
        let Some(&(index, guard)) = open.get(decision as usize) else {
            return Err(Raise::Stop(Stop::BadInput(format!(
                "decision {decision} at a choice with {} alternatives; the list belongs to another run",
                open.len()
            ))));
        };
        self.visit()?;
        let by = self.who_asks();
        self.symbolic.decide(guard, by);
        Ok(index)
    }

    /// Keeps only paths on which a condition holds.
    pub fn assume(&mut self, condition: Term) -> Result<(), Raise> {
        match self.symbolic.truth(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(Raise::Stop(Stop::Rejected)),
            // A choice with one alternative: the search sees whether it can hold.
            None => match self.answer_to([condition].into_iter()) {
                Some(_) => {
                    self.visit()?;
                    let by = self.who_asks();
                    self.symbolic.decide(condition, by);
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
        match self.answer_to([term].into_iter()) {
            Some(bits) => {
                self.visit()?;
                let chosen = self.symbolic.terms.is_bits(term, bits);
                let by = self.who_asks();
                self.symbolic.decide(chosen, by);
                // Floats have no equality that binds them.
                self.symbolic.bind(term, bits);
                Ok(bits)
            }
            None => Err(Raise::Choose(Choice { alternatives: u64::MAX, label: Label::Bits(term) })),
        }
    }

    /// Whose instruction asks for a decision now.
    fn who_asks(&self) -> By {
        let own = self
            .frames
            .last()
            .is_some_and(|frame| !self.program.class(self.program.method(frame.method).class).is_library());
        if own { By::Program } else { By::Library }
    }

    /// The answer to a question about these terms, if that is what was asked. An instruction that asks for several things
    /// may find something new to ask on the way to what it asked last: that comes first, and the other is asked again.
    /// Given to another question, an answer would lose alternatives.
    pub(crate) fn answer_to(&mut self, terms: impl Iterator<Item = Term>) -> Option<u64> {
        let mut hasher = FxHasher::default();
        terms.for_each(|term| term.0.hash(&mut hasher));
        let question = hasher.finish();
        let asked = std::mem::replace(&mut self.symbolic.question, question);
        self.decision.take().filter(|_| asked == question)
    }
}
