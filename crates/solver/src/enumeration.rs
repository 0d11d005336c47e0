//! Enumeration: when the variables have few values together, all are tried.

use term::{Model, Terms};

use crate::Answer;
use crate::chain::{Desk, Query, Step};
use crate::domain::Domain;

/// What it may cost, in computed cells.
const EFFORT: u64 = 400_000;

#[derive(Default)]
pub struct Enumeration {
    values: Vec<u64>,
}

impl Step for Enumeration {
    fn answer(&mut self, terms: &mut Terms, desk: &mut Desk, query: &Query) -> Option<Answer> {
        if !desk.facts_known {
            return None;
        }
        let compiled = &desk.compiled;
        let mut domains = Vec::with_capacity(compiled.variables.len());
        let mut cost = compiled.cells.len() as u64;
        for &place in &compiled.variables {
            if compiled.cells[place as usize].sort.is_float() {
                return None;
            }
            let domain = desk.facts.bits[place as usize];
            cost = cost.checked_mul(size(&domain)?)?;
            if cost > EFFORT {
                return None;
            }
            domains.push(domain);
        }
        self.values.clear();
        self.values.resize(compiled.cells.len(), 0);
        for (&place, domain) in compiled.variables.iter().zip(&domains) {
            self.values[place as usize] = first(domain);
        }
        loop {
            compiled.evaluate(&mut self.values);
            if compiled.roots.iter().all(|&root| self.values[root as usize] != 0) {
                break;
            }
            if !self.advance(&compiled.variables, &domains) {
                return Some(Answer::Unsat);
            }
        }
        let mut model = Model::default();
        for &place in &compiled.variables {
            model.set(compiled.cells[place as usize].bits as u32, self.values[place as usize]);
        }
        desk.original(terms, query, model).map(Answer::Sat)
    }
}

impl Enumeration {
    /// Goes to the next combination, if there is one.
    fn advance(&mut self, places: &[u32], domains: &[Domain]) -> bool {
        for (&place, domain) in places.iter().zip(domains) {
            let value = &mut self.values[place as usize];
            let last = if signed_is_smaller(domain) { domain.smax as u64 } else { domain.umax };
            if *value != last & mask(domain) {
                *value = value.wrapping_add(1) & mask(domain);
                return true;
            }
            *value = first(domain);
        }
        false
    }
}

fn mask(domain: &Domain) -> u64 {
    crate::domain::mask(domain.width)
}

fn signed_is_smaller(domain: &Domain) -> bool {
    (domain.smax as u64).wrapping_sub(domain.smin as u64) < domain.umax - domain.umin
}

fn first(domain: &Domain) -> u64 {
    if signed_is_smaller(domain) { domain.smin as u64 & mask(domain) } else { domain.umin }
}

fn size(domain: &Domain) -> Option<u64> {
    let span = (domain.umax - domain.umin).min((domain.smax as u64).wrapping_sub(domain.smin as u64));
    span.checked_add(1)
}
