//! Evaluation under a model.

use rustc_hash::FxHashMap;

use crate::{Op, Term, Terms, fold};

/// Values of variables, by number. A variable without one is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: FxHashMap<u32, u64>,
}

impl Model {
    pub fn get(&self, variable: u32) -> u64 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    /// Whether the model says something about the variable.
    pub fn has(&self, variable: u32) -> bool {
        self.values.contains_key(&variable)
    }

    pub fn set(&mut self, variable: u32, bits: u64) {
        self.values.insert(variable, bits);
    }

    /// Takes over what another model says.
    pub fn update(&mut self, other: &Model) {
        self.values.extend(&other.values);
    }

    /// The variables it gives a value, in order.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = self.values.keys().copied().collect();
        variables.sort_unstable();
        variables
    }
}

/// Evaluates terms under one model, each part of a term once.
#[derive(Default)]
pub struct Evaluator {
    /// By term: the value, valid if the stamp is the current one.
    values: Vec<(u32, u64)>,
    stamp: u32,
    work: Vec<Term>,
    looked_at: u64,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// How many terms were looked at so far: what evaluating costs.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// Gives the memory back: terms were given up.
    pub fn forget(&mut self) {
        self.values = Vec::new();
        self.stamp = 0;
    }

    /// Forgets what was evaluated: the model changes.
    pub fn restart(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.values.clear();
            self.stamp = 1;
        }
    }

    /// The bits of a term. Call [`Evaluator::restart`] when the model is another one than last time.
    pub fn eval(&mut self, terms: &Terms, model: &Model, term: Term) -> u64 {
        if self.stamp == 0 {
            self.restart();
        }
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), (0, 0));
        }
        let stamp = self.stamp;
        let at = |term: Term| term.0 as usize;
        self.work.clear();
        self.work.push(term);
        while let Some(&term) = self.work.last() {
            if self.values[at(term)].0 == stamp {
                self.work.pop();
                continue;
            }
            let node = terms.node(term);
            let value = match node.op {
                Op::Const => node.bits(),
                Op::Var => model.get(node.variable()) & node.sort.mask(),
                _ => {
                    let before = self.work.len();
                    for operand in node.operands() {
                        if self.values[at(operand)].0 != stamp {
                            self.work.push(operand);
                        }
                    }
                    if self.work.len() > before {
                        continue;
                    }
                    let value =
                        |i: usize| if i < node.arity() { self.values[node.args[i] as usize].1 } else { 0 };
                    let from = terms.sort(Term(node.args[0]));
                    fold(node.op, node.sort, from, value(0), value(1), value(2))
                }
            };
            self.values[at(term)] = (stamp, value);
            self.looked_at += 1;
            self.work.pop();
        }
        self.values[at(term)].1
    }

    /// Whether a boolean term holds.
    pub fn holds(&mut self, terms: &Terms, model: &Model, term: Term) -> bool {
        self.eval(terms, model, term) != 0
    }
}
