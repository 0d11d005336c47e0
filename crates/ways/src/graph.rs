//! The parameter graph as plain data: types, the ways to a value of each, and what every way needs.

use std::fmt;

/// A type, by its number in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

/// A value that a way or a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub of: TypeId,
    /// A call on null shows nothing of what is called.
    pub null: Nulls,
}

/// Whether null is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    Allowed,
    Excluded,
}

/// How deep a value is in comparison with the deepest thing it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The same: an array is made with what is in it. No type may be needed, in this way, for a value of itself.
    Same,
    /// One more: what it needs is there before it is called.
    Call,
}

/// A way to get a value of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge<W> {
    pub by: W,
    pub needs: Vec<Need>,
    pub depth: Depth,
    /// The plainer, the less.
    pub cost: u32,
    is_null: bool,
}

/// Null stands behind values that are there, and before calls.
pub const COST_OF_NULL: u32 = 2;

impl<W> Edge<W> {
    /// A value that is there.
    pub fn value(by: W, cost: u32) -> Edge<W> {
        Edge { by, needs: Vec::new(), depth: Depth::Same, cost, is_null: false }
    }

    pub fn null(by: W) -> Edge<W> {
        Edge { is_null: true, ..Edge::value(by, COST_OF_NULL) }
    }

    /// A call, with what is given to it.
    pub fn call(by: W, needs: Vec<Need>, cost: u32) -> Edge<W> {
        Edge { by, needs, depth: Depth::Call, cost, is_null: false }
    }

    /// A value that consists of others.
    pub fn of_parts(by: W, needs: Vec<Need>, cost: u32) -> Edge<W> {
        Edge { by, needs, depth: Depth::Same, cost, is_null: false }
    }
}

/// The ways to values of some types, and calls that are to be made with such values. `W` says what a way is.
#[derive(Clone, Debug)]
pub struct Graph<W> {
    types: Vec<Ways<W>>,
    calls: Vec<Vec<Need>>,
}

/// The ways to values of one type, the plainest first.
#[derive(Clone, Debug)]
pub(crate) struct Ways<W> {
    pub edges: Vec<Edge<W>>,
    /// Which of them is null.
    pub null: Option<usize>,
}

impl<W> Default for Graph<W> {
    fn default() -> Graph<W> {
        Graph { types: Vec::new(), calls: Vec::new() }
    }
}

impl<W> Graph<W> {
    /// A type of which no value is known yet.
    pub fn add_type(&mut self) -> TypeId {
        self.types.push(Ways { edges: Vec::new(), null: None });
        TypeId(self.types.len() as u32 - 1)
    }

    /// Says which ways there are to values of a type. Of equally plain ones the order is kept.
    pub fn set_ways(&mut self, of: TypeId, mut edges: Vec<Edge<W>>) {
        edges.sort_by_key(|edge| edge.cost);
        let null = edges.iter().position(|edge| edge.is_null);
        self.types[of.0 as usize] = Ways { edges, null };
    }

    /// A call that is to be made; its number says where it stands among [`Graph::calls`].
    pub fn add_call(&mut self, needs: Vec<Need>) -> usize {
        self.calls.push(needs);
        self.calls.len() - 1
    }

    /// What the calls need.
    pub fn calls(&self) -> &[Vec<Need>] {
        &self.calls
    }

    /// The ways to values of a type, the plainest first.
    pub fn ways(&self, of: TypeId) -> &[Edge<W>] {
        &self.types[of.0 as usize].edges
    }

    pub(crate) fn at(&self, of: TypeId) -> &Ways<W> {
        &self.types[of.0 as usize]
    }

    pub fn types(&self) -> impl Iterator<Item = TypeId> + use<W> {
        (0..self.types.len() as u32).map(TypeId)
    }
}

/// A value as it is made: a way, and what it needs, made in turn.
#[derive(Clone, Debug)]
pub struct Tree<'a, W> {
    pub of: TypeId,
    pub by: &'a W,
    pub parts: Vec<Tree<'a, W>>,
}

/// Written as a call: `A(B(), 1)`.
impl<W: fmt::Display> fmt::Display for Tree<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.by)?;
        for (place, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if place == 0 { "(" } else { ", " })?;
        }
        if self.parts.is_empty() { Ok(()) } else { write!(f, ")") }
    }
}
