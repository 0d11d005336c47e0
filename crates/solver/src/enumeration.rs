//! Enumeration: when the variables have few values together, all are tried.

use term::{Model, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::domain::mask;
use crate::domains::Facts;

/// What it may cost, in computed cells.
const EFFORT: u64 = 400_000;
/// Where Z3 would have to turn floats into circuits, this is worth more.
const EFFORT_FOR_FLOATS: u64 = 4_000_000;

#[derive(Default)]
pub struct Enumeration {
    values: Vec<u64>,
    wheels: Vec<Wheel>,
}

/// The values of one variable.
struct Wheel {
    place: usize,
    width: u32,
    first: u64,
    step: u64,
    count: u64,
    position: u64,
}

impl Step for Enumeration {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        if !workspace.facts_known {
            return None;
        }
        let compiled = &workspace.compiled;
        self.wheels.clear();
        let most = if query.floats { EFFORT_FOR_FLOATS } else { EFFORT };
        let mut cost = compiled.cells.len() as u64;
        for &place in &compiled.variables {
            if compiled.cells[place as usize].sort.is_float() {
                return None;
            }
            let wheel = Wheel::of(&workspace.facts, place as usize)?;
            cost = cost.checked_mul(wheel.count)?;
            if cost > most {
                return None;
            }
            self.wheels.push(wheel);
        }
        self.values.clear();
        self.values.resize(compiled.cells.len(), 0);
        for wheel in &self.wheels {
            self.values[wheel.place] = wheel.value();
        }
        loop {
            compiled.evaluate(&mut self.values);
            if compiled.roots.iter().all(|&root| self.values[root as usize] != 0) {
                break;
            }
            if !self.advance() {
                return Some(Answer::Unsat);
            }
        }
        let mut model = Model::default();
        for &place in &compiled.variables {
            model.set(compiled.cells[place as usize].bits as u32, self.values[place as usize]);
        }
        workspace.original(terms, query, model).map(Answer::Sat)
    }
}

impl Enumeration {
    /// Goes to the next combination, if there is one.
    fn advance(&mut self) -> bool {
        for wheel in &mut self.wheels {
            wheel.position += 1;
            let turned = wheel.position == wheel.count;
            if turned {
                wheel.position = 0;
            }
            self.values[wheel.place] = wheel.value();
            if !turned {
                return true;
            }
        }
        false
    }
}

impl Wheel {
    /// In the view of the domain that has fewer values: as unsigned, or as signed with a step.
    fn of(facts: &Facts, place: usize) -> Option<Wheel> {
        let stride = facts.stride(place);
        // The bounds are then numbers of the stride.
        let domain = stride.bounds(&facts.bits[place]).ok()?;
        let step = u64::try_from(stride.step.max(1)).ok()?;
        let by_sign = (domain.smax as u64).wrapping_sub(domain.smin as u64) / step;
        let plain = domain.umax - domain.umin;
        let (first, step, last) =
            if by_sign <= plain { (domain.smin as u64, step, by_sign) } else { (domain.umin, 1, plain) };
        let count = last.checked_add(1)?;
        Some(Wheel { place, width: domain.width, first, step, count, position: 0 })
    }

    fn value(&self) -> u64 {
        self.first.wrapping_add(self.position.wrapping_mul(self.step)) & mask(self.width)
    }
}
