//! Recent models: often one of them fits the next query too.

use std::collections::VecDeque;

use term::{Model, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};

const MOST: usize = 24;

/// The latest first.
#[derive(Default)]
pub struct Reuse {
    models: VecDeque<Model>,
}

impl Reuse {
    pub fn add(&mut self, model: &Model) {
        if self.models.len() == MOST {
            self.models.pop_back();
        }
        self.models.push_front(model.clone());
    }
}

impl Step for Reuse {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        let deadline = workspace.deadline;
        let mut models = self.models.iter().take_while(|_| !deadline.has_passed());
        let fits = models.position(|model| workspace.satisfies_backwards(terms, &query.parts, model))?;
        let model = self.models.remove(fits)?;
        let answer = query.restrict(&model);
        self.models.push_front(model);
        Some(Answer::Sat(answer))
    }
}
