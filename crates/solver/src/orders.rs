//! Orders: `a < b`, `b <= c` and `c <= a` together cannot hold, whatever the terms are.
//!
//! Programs that sort or search ask this all the time, and bounds say nothing about it. Each order (signed, unsigned,
//! of floats) is a graph; a cycle with a strict edge, or through terms that differ, is a contradiction.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, signed};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Signed,
    Unsigned,
    Float,
}

#[derive(Default)]
pub struct Orders {
    graph: Graph,
}

#[derive(Default)]
struct Graph {
    numbers: FxHashMap<Term, u32>,
    terms: Vec<Term>,
    /// From the smaller to the larger: where to, and whether they differ.
    edges: Vec<(u32, u32, bool)>,
    distinct: Vec<(u32, u32)>,
    /// By node: where its edges begin, after sorting.
    starts: Vec<u32>,
}

impl Step for Orders {
    fn answer(&mut self, terms: &mut Terms, _: &mut Workspace, query: &Query) -> Option<Answer> {
        self.contradict(terms, query).then_some(Answer::Unsat)
    }
}

impl Orders {
    pub fn contradict(&mut self, terms: &Terms, query: &Query) -> bool {
        let kinds = [(Order::Signed, true), (Order::Unsigned, true), (Order::Float, query.floats)];
        kinds.iter().any(|&(order, there)| {
            there && self.graph.load(terms, &query.parts, order) && self.graph.is_contradictory()
        })
    }
}

impl Graph {
    fn number(&mut self, term: Term) -> u32 {
        let next = self.terms.len() as u32;
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.terms.push(term);
        }
        number
    }

    /// Takes in the conjuncts that speak about one order. False when there are too few for a cycle.
    fn load(&mut self, terms: &Terms, parts: &[Term], order: Order) -> bool {
        self.numbers.clear();
        self.terms.clear();
        self.edges.clear();
        self.distinct.clear();
        for &part in parts {
            let node = terms.node(part);
            let (a, b) = (Term(node.args[0]), Term(node.args[1]));
            let strict = match (order, node.op) {
                (Order::Signed, Op::Slt) | (Order::Unsigned, Op::Ult) | (Order::Float, Op::FLt) => true,
                (Order::Signed, Op::Sle) | (Order::Unsigned, Op::Ule) | (Order::Float, Op::FLe) => false,
                (Order::Signed | Order::Unsigned, Op::Eq) | (Order::Float, Op::FEq) => {
                    if terms.sort(a) != Sort::Bool {
                        let (a, b) = (self.number(a), self.number(b));
                        self.edges.extend([(a, b, false), (b, a, false)]);
                    }
                    continue;
                }
                (Order::Signed | Order::Unsigned, Op::Not) => {
                    let inner = terms.node(a);
                    let (x, y) = (Term(inner.args[0]), Term(inner.args[1]));
                    if inner.op == Op::Eq && terms.sort(x) != Sort::Bool {
                        let pair = (self.number(x), self.number(y));
                        self.distinct.push(pair);
                    }
                    continue;
                }
                _ => continue,
            };
            let edge = (self.number(a), self.number(b), strict);
            self.edges.push(edge);
        }
        if self.edges.len() < 2 {
            return false;
        }
        self.link_constants(terms, order);
        true
    }

    /// Constants of one sort are ordered already.
    fn link_constants(&mut self, terms: &Terms, order: Order) {
        if order == Order::Float {
            return;
        }
        let mut constants: Vec<(Sort, i128, u32)> = Vec::new();
        for (number, &term) in self.terms.iter().enumerate() {
            if let Some(bits) = terms.known(term) {
                let sort = terms.sort(term);
                let value = match order {
                    Order::Signed => i128::from(signed(bits, sort.width())),
                    _ => i128::from(bits),
                };
                constants.push((sort, value, number as u32));
            }
        }
        constants.sort_unstable();
        for pair in constants.windows(2) {
            if pair[0].0 == pair[1].0 {
                self.edges.push((pair[0].2, pair[1].2, true));
            }
        }
    }

    fn is_contradictory(&mut self) -> bool {
        self.edges.sort_unstable();
        self.starts.clear();
        let mut next = 0;
        for node in 0..=self.terms.len() as u32 {
            while next < self.edges.len() && self.edges[next].0 < node {
                next += 1;
            }
            self.starts.push(next as u32);
        }
        let components = self.components();
        let same = |a: u32, b: u32| components[a as usize] == components[b as usize];
        self.edges.iter().any(|&(a, b, strict)| strict && same(a, b))
            || self.distinct.iter().any(|&(a, b)| same(a, b))
    }

    /// The strongly connected components, by Tarjan's algorithm with a stack of its own.
    fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let count = self.terms.len();
        let (mut index, mut low, mut component) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
        let mut stack: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, u32)> = Vec::new();
        let mut clock = 0;
        for root in 0..count as u32 {
            if index[root as usize] != NONE {
                continue;
            }
            calls.push((root, self.starts[root as usize]));
            while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
                let at = node as usize;
                if index[at] == NONE {
                    index[at] = clock;
                    low[at] = clock;
                    clock += 1;
                    stack.push(node);
                }
                if *edge < self.starts[at + 1] {
                    let to = self.edges[*edge as usize].1 as usize;
                    *edge += 1;
                    if index[to] == NONE {
                        calls.push((to as u32, self.starts[to]));
                    } else if component[to] == NONE {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = node;
                        if member == node {
                            break;
                        }
                    }
                }
            }
        }
        component
    }
}
