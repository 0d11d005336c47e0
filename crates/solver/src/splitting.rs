//! Splitting: cuts the domain of a variable in two and propagates in each half, again and again within a budget.
//!
//! Proves what propagation alone cannot, above all about floats, which Z3 turns into large circuits.

use term::{Model, Op, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::compiled::Compiled;
use crate::domain::{Domain, mask};
use crate::domains::{Facts, propagate_further};
use crate::range::{Range, neighbour, read, write};

/// What it may cost, in cells per propagation.
const EFFORT: usize = 20_000;
const EFFORT_FOR_FLOATS: usize = 1_000_000;

#[derive(Default)]
pub struct Splitting {
    values: Vec<u64>,
}

impl Step for Splitting {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        if !workspace.facts_known {
            return None;
        }
        let mut left = if query.floats { EFFORT_FOR_FLOATS } else { EFFORT };
        let compiled = &workspace.compiled;
        let mut work = halves(compiled, &workspace.facts)?;
        while let Some(mut facts) = work.pop() {
            let cost = 4 * compiled.cells.len();
            if left < cost || workspace.deadline.has_passed() {
                return None;
            }
            left -= cost;
            if propagate_further(compiled, &mut facts).is_err() {
                continue;
            }
            if self.holds(compiled, &facts) {
                return self.model(terms, workspace, query);
            }
            // Nothing to cut, and the only values left fail.
            let Some(parts) = halves(compiled, &facts) else {
                if compiled.variables.iter().any(|&place| is_some_zero(compiled, &facts, place)) {
                    return None;
                }
                continue;
            };
            work.extend(parts);
        }
        Some(Answer::Unsat)
    }
}

impl Splitting {
    /// Whether the query holds for some values in the domains: one end of each.
    fn holds(&mut self, compiled: &Compiled, facts: &Facts) -> bool {
        self.values.clear();
        self.values.resize(compiled.cells.len(), 0);
        for &place in &compiled.variables {
            let at = place as usize;
            let sort = compiled.cells[at].sort;
            self.values[at] = if sort.is_float() {
                let range = &facts.floats[at];
                write(sort, if range.has_numbers() { range.low } else { f64::NAN })
            } else {
                facts.bits[at].umin
            };
        }
        compiled.evaluate(&mut self.values);
        compiled.roots.iter().all(|&root| self.values[root as usize] != 0)
    }

    fn model(&self, terms: &Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        let mut model = Model::default();
        for &place in &workspace.compiled.variables {
            model.set(workspace.compiled.cells[place as usize].bits as u32, self.values[place as usize]);
        }
        workspace.original(terms, query, model).map(Answer::Sat)
    }
}

/// A zero of a sign that is not known: two values that no range tells apart.
fn is_some_zero(compiled: &Compiled, facts: &Facts, place: u32) -> bool {
    let range = &facts.floats[place as usize];
    compiled.cells[place as usize].sort.is_float() && range.contains(0.0)
}

/// The facts with one domain cut in two; `None` when every variable has one value.
fn halves(compiled: &Compiled, facts: &Facts) -> Option<Vec<Facts>> {
    if let Some(place) = open_disjunct(compiled, facts) {
        return Some([0, 1].map(|bits| facts.with_bits(place, Domain::constant(1, bits))).into());
    }
    let size = |place: &u32| match compiled.cells[*place as usize].sort {
        sort if sort.is_float() => {
            let range = &facts.floats[*place as usize];
            let span =
                (write(sort, range.low) as i128 - write(sort, range.high) as i128).unsigned_abs() as u64;
            if range.nan && range.has_numbers() { u64::MAX } else { span }
        }
        _ => facts.bits[*place as usize].umax - facts.bits[*place as usize].umin,
    };
    let place = compiled
        .variables
        .iter()
        .copied()
        .filter(|place| cuttable(compiled, facts, *place))
        .max_by_key(size)?;
    let sort = compiled.cells[place as usize].sort;
    if sort.is_float() {
        let range = facts.floats[place as usize];
        let cuts = cut_range(sort, range);
        return Some(cuts.into_iter().map(|part| facts.with_range(place, part)).collect());
    }
    let domain = facts.bits[place as usize];
    let [low, high] = if domain.smin < 0 && domain.smax >= 0 {
        [Domain { smax: -1, ..domain }, Domain { smin: 0, ..domain }]
    } else {
        let middle = domain.umin + (domain.umax - domain.umin) / 2;
        [Domain { umax: middle, ..domain }, Domain { umin: middle + 1, ..domain }]
    };
    let parts = [high, low].into_iter().filter_map(|part| part.reduced().ok());
    Some(parts.map(|part| facts.with_bits(place, part)).collect())
}

fn cuttable(compiled: &Compiled, facts: &Facts, place: u32) -> bool {
    if compiled.cells[place as usize].sort.is_float() {
        let range = &facts.floats[place as usize];
        return range.has_numbers() && (range.nan || range.low < range.high);
    }
    facts.bits[place as usize].value().is_none()
}

/// Part of a disjunction that must hold, but of which nobody knows why.
fn open_disjunct(compiled: &Compiled, facts: &Facts) -> Option<u32> {
    let open = |place: u32| facts.bits[place as usize].value().is_none();
    let holds = |place: usize| facts.bits[place].value() == Some(1);
    let cells = compiled.cells.iter().enumerate();
    let mut disjunctions = cells.filter(|(place, cell)| cell.op == Op::Or && holds(*place));
    let (_, cell) = disjunctions.find(|(_, cell)| open(cell.args[0]) && open(cell.args[1]))?;
    Some(cell.args[0])
}

fn cut_range(sort: term::Sort, range: Range) -> Vec<Range> {
    if range.nan {
        let only_nan = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };
        return vec![only_nan, Range { nan: false, ..range }];
    }
    if range.low < 0.0 && range.high > 0.0 {
        return vec![
            Range { low: neighbour(sort, 0.0, true), ..range },
            Range { low: 0.0, high: 0.0, nan: false },
            Range { high: neighbour(sort, 0.0, false), ..range },
        ];
    }
    if range.low == 0.0 || range.high == 0.0 {
        let rest = if range.low == 0.0 {
            Range { low: neighbour(sort, 0.0, true), ..range }
        } else {
            Range { high: neighbour(sort, 0.0, false), ..range }
        };
        return vec![rest, Range { low: 0.0, high: 0.0, nan: false }];
    }
    // Floats of one sign are ordered as their bits are.
    let sign = 1_u64 << (sort.width() - 1);
    let size = |value: f64| write(sort, value) & mask(sort.width()) & !sign;
    let (low, high) = (size(range.low), size(range.high));
    let middle = low.min(high) + low.abs_diff(high) / 2;
    if range.low > 0.0 {
        let (below, above) = (read(sort, middle), read(sort, middle + 1));
        vec![Range { low: above, ..range }, Range { high: below, ..range }]
    } else {
        let (above, below) = (read(sort, middle | sign), read(sort, (middle + 1) | sign));
        vec![Range { low: above, ..range }, Range { high: below, ..range }]
    }
}
