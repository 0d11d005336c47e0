//! A Z3 context with all that belongs to it: its expressions, and the sessions opened in it.

use term::{Model, Sort, Term};

use crate::translate::Translator;
use crate::z3::{Context, Session};

pub struct Engine {
    pub translator: Translator,
    /// Queries over bit-vectors, one after the other.
    incremental: Option<Session>,
    /// The conjuncts on its stack, one level each.
    pub stack: Vec<Term>,
    /// One query for which a new session is better.
    once: Option<Session>,
}

impl Engine {
    pub fn new() -> Engine {
        Engine { translator: Translator::new(), incremental: None, stack: Vec::new(), once: None }
    }

    pub fn context(&mut self) -> &mut Context {
        &mut self.translator.context
    }

    /// The incremental session, which may spend so much on each query. None when there is no memory for it.
    pub fn incremental(&mut self, effort: u64) -> Option<Session> {
        if self.incremental.is_none() {
            self.incremental = self.context().open_for_logic("QF_BV", effort);
            self.stack.clear();
        }
        self.incremental
    }

    /// A session for one query by a tactic, in the place of the last such one. None when there is no memory for it.
    pub fn once(&mut self, tactic: &str, effort: u64) -> Option<Session> {
        self.drop_once();
        self.once = self.context().open_by_tactic(tactic, effort);
        self.once
    }

    pub fn drop_incremental(&mut self) {
        if let Some(session) = self.incremental.take() {
            self.context().close(session);
        }
        self.stack.clear();
    }

    pub fn drop_once(&mut self) {
        if let Some(session) = self.once.take() {
            self.context().close(session);
        }
    }

    /// The values that a session whose check said yes gives these variables.
    pub fn model(&mut self, session: Session, variables: &[(u32, Sort)]) -> Result<Model, String> {
        let expressions: Vec<_> = variables
            .iter()
            .map(|&(variable, sort)| self.translator.bits_of_variable(sort, variable))
            .collect();
        let mut found = self.context().model(session)?;
        let mut model = Model::default();
        for (&(variable, sort), expression) in variables.iter().zip(expressions) {
            let bits = match sort {
                Sort::Bool => found.truth(expression).map(u64::from),
                _ => found.bits(expression),
            };
            if let Some(bits) = bits {
                model.set(variable, bits);
            }
        }
        Ok(model)
    }
}
