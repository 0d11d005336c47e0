//! The terms of one query in a dense form: operands before what uses them, numbered from zero.

use term::{Op, Sort, Term, Terms, fold};

use crate::chain::Query;

/// One operation of a query.
#[derive(Clone, Copy)]
pub struct Cell {
    pub op: Op,
    pub sort: Sort,
    /// The sort of the first operand.
    pub from: Sort,
    pub arity: u8,
    /// Operands, by their number in [`Compiled::cells`].
    pub args: [u32; 3],
    /// The bits of a constant, the number of a variable.
    pub bits: u64,
}

impl Cell {
    pub fn operands(&self) -> impl Iterator<Item = usize> + '_ {
        self.args[..usize::from(self.arity)].iter().map(|arg| *arg as usize)
    }
}

#[derive(Default)]
pub struct Compiled {
    pub cells: Vec<Cell>,
    /// The conjuncts, in the order of the query.
    pub roots: Vec<u32>,
    /// The cells of variables, in the order of the query's.
    pub variables: Vec<u32>,
    terms: Vec<Term>,
    /// By term: the number of its cell, valid if the stamp is the current one.
    places: Vec<(u32, u32)>,
    stamp: u32,
}

impl Compiled {
    /// Takes in a query. Gives up, with `false`, when it has more than `most` cells.
    pub fn load(&mut self, terms: &Terms, query: &Query, most: usize) -> bool {
        self.stamp += 1;
        let stamp = self.stamp;
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), (0, 0));
        }
        self.cells.clear();
        self.roots.clear();
        self.variables.clear();
        self.terms.clear();
        // `terms` is at first the work list, then all terms found: whoever was found stays in it.
        for &part in &query.parts {
            self.find(part, stamp);
        }
        let mut next = 0;
        while next < self.terms.len() {
            if self.terms.len() > most {
                return false;
            }
            let node = *terms.node(self.terms[next]);
            for operand in node.operands() {
                self.find(operand, stamp);
            }
            next += 1;
        }
        // Terms are numbered after their operands, so their order is the order to compute them in.
        self.terms.sort_unstable();
        for (place, &term) in self.terms.iter().enumerate() {
            self.places[term.0 as usize].1 = place as u32;
            let node = terms.node(term);
            let arity = node.arity();
            let args =
                std::array::from_fn(|i| if i < arity { self.places[node.args[i] as usize].1 } else { 0 });
            let from = if arity == 0 { node.sort } else { terms.sort(Term(node.args[0])) };
            let bits = match node.op {
                Op::Const => node.bits(),
                Op::Var => u64::from(node.variable()),
                _ => 0,
            };
            self.cells.push(Cell { op: node.op, sort: node.sort, from, arity: arity as u8, args, bits });
            if node.op == Op::Var {
                self.variables.push(place as u32);
            }
        }
        let cells = &self.cells;
        self.variables.sort_unstable_by_key(|&place| cells[place as usize].bits);
        self.roots.extend(query.parts.iter().map(|part| self.places[part.0 as usize].1));
        true
    }

    /// The term of a cell.
    pub fn term(&self, place: usize) -> Term {
        self.terms[place]
    }

    fn find(&mut self, term: Term, stamp: u32) {
        let place = &mut self.places[term.0 as usize];
        if place.0 != stamp {
            place.0 = stamp;
            self.terms.push(term);
        }
    }

    /// Computes all cells but variables, whose values are given.
    pub fn evaluate(&self, values: &mut [u64]) {
        self.evaluate_from(values, 0);
    }

    /// The same for the cells from a place on: what is before it did not change.
    pub fn evaluate_from(&self, values: &mut [u64], first: usize) {
        for (place, cell) in self.cells.iter().enumerate().skip(first) {
            values[place] = match cell.op {
                Op::Var => continue,
                Op::Const => cell.bits,
                _ => {
                    let [a, b, c] = cell.args.map(|arg| values[arg as usize]);
                    fold(cell.op, cell.sort, cell.from, a, b, c)
                }
            };
        }
    }
}
