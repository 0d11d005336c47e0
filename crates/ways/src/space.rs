//! The values a graph gives up to a depth: how many there are, and each of them by its number.
//!
//! Both follow from the graph alone. There are as many values of a type as its ways give together, and a way gives as many
//! as the product of what it needs; so numbers of any size are computed in the time it takes to look at every way once for each
//! depth. The value of a number is found by going the same steps back.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::graph::{Depth, Edge, Graph, Need, Nulls, Tree, TypeId};

/// All combinations of values for the calls of a graph.
///
/// The depth counts calls in a chain, that of the graph among them: `f(new B().m(1))` is of depth three, `f(null)` and
/// `f(new int[] {1})` are of depth one.
pub struct Space<'a, W> {
    graph: &'a Graph<W>,
    depth: u32,
    /// By type, and by how many calls may be nested.
    counts: HashMap<(TypeId, u32), Ends>,
    /// Of the calls, one after the other.
    calls: Ends,
}

/// Where, in the order of numbers, the values of each of several ways end.
struct Ends(Vec<BigUint>);

impl Ends {
    fn of(sizes: impl Iterator<Item = BigUint>) -> Ends {
        let mut end = BigUint::ZERO;
        let add = |size| {
            end += size;
            end.clone()
        };
        Ends(sizes.map(add).collect())
    }

    fn start(&self, place: usize) -> BigUint {
        place.checked_sub(1).map_or(BigUint::ZERO, |before| self.0[before].clone())
    }

    fn total(&self) -> BigUint {
        self.start(self.0.len())
    }

    fn size(&self, place: usize) -> BigUint {
        &self.0[place] - self.start(place)
    }

    /// In which way a number is, and which one it is there.
    fn find(&self, number: &BigUint) -> Option<(usize, BigUint)> {
        let place = self.0.partition_point(|end| end <= number);
        (place < self.0.len()).then(|| (place, number - self.start(place)))
    }
}

impl<'a, W> Space<'a, W> {
    pub fn new(graph: &'a Graph<W>, depth: u32) -> Space<'a, W> {
        let mut counts = HashMap::new();
        let mut sizes = Vec::new();
        for needs in graph.calls() {
            sizes.push(match depth.checked_sub(1) {
                Some(inside) => product(graph, &mut counts, needs, inside),
                None => BigUint::ZERO,
            });
        }
        Space { graph, depth, counts, calls: Ends::of(sizes.into_iter()) }
    }

    /// How many combinations there are for all calls together.
    pub fn size(&self) -> BigUint {
        self.calls.total()
    }

    /// How many there are for one call.
    pub fn size_of(&self, call: usize) -> BigUint {
        self.calls.size(call)
    }

    /// A combination by its number among those of all calls: which call, and what it is given.
    pub fn nth(&self, number: &BigUint) -> Option<(usize, Vec<Tree<'a, W>>)> {
        let (call, number) = self.calls.find(number)?;
        Some((call, self.nth_of(call, &number)?))
    }

    /// A combination by its number among those of one call. Of what a call is given, the last changes first.
    pub fn nth_of(&self, call: usize, number: &BigUint) -> Option<Vec<Tree<'a, W>>> {
        if *number >= self.size_of(call) {
            return None;
        }
        Some(self.parts(&self.graph.calls()[call], self.depth - 1, number.clone()))
    }

    fn parts(&self, needs: &[Need], depth: u32, mut number: BigUint) -> Vec<Tree<'a, W>> {
        let mut parts: Vec<Tree<W>> = needs
            .iter()
            .rev()
            .map(|need| {
                let (rest, own) = number.div_rem(&count(self.graph, &self.counts, *need, depth));
                number = rest;
                self.value(*need, depth, own)
            })
            .collect();
        parts.reverse();
        parts
    }

    fn value(&self, need: Need, depth: u32, mut number: BigUint) -> Tree<'a, W> {
        let ends = &self.counts[&(need.of, depth)];
        let ways = self.graph.at(need.of);
        if let (Nulls::Excluded, Some(null)) = (need.null, ways.null)
            && number >= ends.start(null)
        {
            number += 1u32;
        }
        let (place, number) = ends.find(&number).expect("a number below the size");
        let edge = &ways.edges[place];
        let inside = inside(edge, depth).expect("a way that gives values is not too deep");
        Tree { of: need.of, by: &edge.by, parts: self.parts(&edge.needs, inside, number) }
    }
}

/// How many calls may be nested in what a way needs; none if it is too deep itself.
fn inside<W>(edge: &Edge<W>, depth: u32) -> Option<u32> {
    match edge.depth {
        Depth::Same => Some(depth),
        Depth::Call => depth.checked_sub(1),
    }
}

/// How many values there are where one is needed.
fn count<W>(graph: &Graph<W>, counts: &HashMap<(TypeId, u32), Ends>, need: Need, depth: u32) -> BigUint {
    let total = counts[&(need.of, depth)].total();
    match (need.null, graph.at(need.of).null) {
        (Nulls::Excluded, Some(_)) => total - 1u32,
        _ => total,
    }
}

fn product<W>(
    graph: &Graph<W>,
    counts: &mut HashMap<(TypeId, u32), Ends>,
    needs: &[Need],
    depth: u32,
) -> BigUint {
    let mut product = BigUint::from(1u32);
    for need in needs {
        fill(graph, counts, need.of, depth);
        product *= count(graph, counts, *need, depth);
    }
    product
}

fn fill<W>(graph: &Graph<W>, counts: &mut HashMap<(TypeId, u32), Ends>, of: TypeId, depth: u32) {
    if counts.contains_key(&(of, depth)) {
        return;
    }
    let mut sizes = Vec::new();
    for edge in graph.ways(of) {
        sizes.push(match inside(edge, depth) {
            Some(inside) => product(graph, counts, &edge.needs, inside),
            None => BigUint::ZERO,
        });
    }
    counts.insert((of, depth), Ends::of(sizes.into_iter()));
}
