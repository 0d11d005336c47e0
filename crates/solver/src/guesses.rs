//! Local search: starts from the model the path has, and repairs one conjunct that fails after another.
//!
//! A repair goes down from the conjunct to one variable, asking at each operation which value of an operand would give
//! the wanted result. Nothing here can be wrong: a model counts when all conjuncts evaluate to true.

use term::{Model, Op, Sort, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::compiled::Compiled;
use crate::domains::{Facts, MOST_CELLS};
use crate::invert::Repair;
use crate::range;

/// What a search may cost, in computed cells. Z3 takes about as long for an easy query.
const EFFORT: usize = 20_000;
/// Where Z3 would have to turn floats into circuits, this is worth more.
const EFFORT_FOR_FLOATS: usize = 600_000;
/// After so many steps without progress the search begins anew elsewhere.
const PATIENCE: usize = 40;

/// How long to search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// A few steps: mostly the path's model needs one change.
    Glance,
    Search,
}

const GLANCE: usize = 8;

pub struct Guesses {
    effort: Effort,
    values: Vec<u64>,
    tried: Vec<u64>,
    best: Vec<u64>,
}

impl Step for Guesses {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        if !workspace.facts_known && !workspace.compile(terms, query, MOST_CELLS) {
            return None;
        }
        let facts = workspace.facts_known.then_some(&workspace.facts);
        let seen = workspace.rewritten.as_ref().map_or(query, |rewritten| &rewritten.query);
        let found = self.find(&workspace.compiled, facts, seen)?;
        workspace.original(terms, query, found).map(Answer::Sat)
    }
}

impl Guesses {
    /// The search that runs before anything is known of the query but the path's model.
    pub fn glance() -> Guesses {
        Guesses { effort: Effort::Glance, values: Vec::new(), tried: Vec::new(), best: Vec::new() }
    }

    pub fn search() -> Guesses {
        Guesses { effort: Effort::Search, ..Guesses::glance() }
    }

    pub fn find(&mut self, compiled: &Compiled, facts: Option<&Facts>, query: &Query) -> Option<Model> {
        let size = compiled.cells.len();
        let mut left = match self.effort {
            Effort::Glance => GLANCE,
            Effort::Search if query.floats => (EFFORT_FOR_FLOATS / size.max(1)).clamp(4, 4000),
            Effort::Search => (EFFORT / size.max(1)).clamp(4, 4000),
        };
        self.values.clear();
        self.values.resize(size, 0);
        let mut repair = Repair::new(compiled, facts);
        for (&place, &start) in compiled.variables.iter().zip(&query.start) {
            self.values[place as usize] = repair.fit(place, start);
        }
        compiled.evaluate(&mut self.values);
        let mut failing = count_failing(compiled, &self.values);
        let mut fewest = failing;
        self.best.clone_from(&self.values);
        let mut waited = 0;
        while failing > 0 {
            if left == 0 {
                return None;
            }
            left -= 1;
            waited += 1;
            if waited > PATIENCE {
                waited = 0;
                self.values.clone_from(&self.best);
                self.shake(compiled, &mut repair);
                failing = count_failing(compiled, &self.values);
                continue;
            }
            let target = nth_failing(compiled, &self.values, repair.below(failing));
            let Some((variable, value)) = repair.propose(&self.values, target) else { continue };
            if self.values[variable as usize] == value {
                continue;
            }
            self.tried.clone_from(&self.values);
            self.tried[variable as usize] = value;
            compiled.evaluate_from(&mut self.tried, variable as usize + 1);
            let now = count_failing(compiled, &self.tried);
            // A step that makes it worse may still lead out of a corner.
            if now <= failing || repair.below(8) == 0 {
                std::mem::swap(&mut self.values, &mut self.tried);
                failing = now;
                if now < fewest {
                    fewest = now;
                    waited = 0;
                    self.best.clone_from(&self.values);
                }
            }
        }
        let mut model = Model::default();
        for &place in &compiled.variables {
            model.set(compiled.cells[place as usize].bits as u32, self.values[place as usize]);
        }
        Some(model)
    }

    /// Gives some variables other values.
    fn shake(&mut self, compiled: &Compiled, repair: &mut Repair) {
        for &place in &compiled.variables {
            if repair.below(2) == 0 {
                let value = repair.any(place, self.values[place as usize]);
                self.values[place as usize] = repair.fit(place, value);
            }
        }
        compiled.evaluate(&mut self.values);
    }
}

fn count_failing(compiled: &Compiled, values: &[u64]) -> usize {
    compiled.roots.iter().filter(|&&root| values[root as usize] == 0).count()
}

fn nth_failing(compiled: &Compiled, values: &[u64], n: usize) -> u32 {
    let mut failing = compiled.roots.iter().filter(|&&root| values[root as usize] == 0);
    *failing.nth(n).expect("fewer than counted")
}

/// A value of a sort that is in the domain of a cell, and near another.
pub fn fit(facts: Option<&Facts>, sort: Sort, place: u32, bits: u64) -> u64 {
    let Some(facts) = facts else { return bits };
    if sort.is_float() {
        let range = &facts.floats[place as usize];
        let value = range::read(sort, bits);
        return if range.contains(value) { bits } else { range::write(sort, range.nearest(value)) };
    }
    facts.bits[place as usize].nearest(bits)
}

/// Constants of the query that have a sort.
pub fn constants(compiled: &Compiled) -> Vec<(Sort, u64)> {
    let constants = compiled.cells.iter().filter(|cell| cell.op == Op::Const);
    constants.map(|cell| (cell.sort, cell.bits)).collect()
}
