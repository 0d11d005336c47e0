//! The store of terms: each expression once, by its number.

use crate::index::Index;
use crate::{Node, Op, Sort, Term, signed};

/// All terms made so far.
pub struct Terms {
    nodes: Vec<Node>,
    index: Index,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms { nodes: Vec::new(), index: Index::default() };
        assert_eq!(terms.constant(Sort::Bool, 0), Term::FALSE);
        assert_eq!(terms.constant(Sort::Bool, 1), Term::TRUE);
        terms
    }

    /// How many terms there are; their numbers are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// Forgets all terms from number `count` on, and gives their memory back. Nobody may still know one of them.
    pub fn truncate(&mut self, count: usize) {
        self.nodes.truncate(count);
        self.nodes.shrink_to_fit();
        self.index = Index::default();
        for (number, node) in (0..).zip(&self.nodes) {
            self.index.add(node, Term(number));
        }
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }

    /// The bits of a constant, `None` for anything else.
    pub fn known(&self, term: Term) -> Option<u64> {
        let node = self.node(term);
        (node.op == Op::Const).then(|| node.bits())
    }

    /// The same as a signed number.
    pub fn known_signed(&self, term: Term) -> Option<i64> {
        self.known(term).map(|bits| signed(bits, self.sort(term).width()))
    }

    fn intern(&mut self, node: Node) -> Term {
        if let Some(term) = self.index.find(&self.nodes, &node) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer terms than memory"));
        self.nodes.push(node);
        self.index.add(&node, term);
        term
    }

    pub fn constant(&mut self, sort: Sort, bits: u64) -> Term {
        let bits = bits & sort.mask();
        self.intern(Node { op: Op::Const, sort, args: [bits as u32, (bits >> 32) as u32, 0] })
    }

    /// A 32-bit constant.
    pub fn int(&mut self, value: i32) -> Term {
        self.constant(Sort::INT, u64::from(value as u32))
    }

    /// A 64-bit constant.
    pub fn long(&mut self, value: i64) -> Term {
        self.constant(Sort::LONG, value as u64)
    }

    /// The variable with a number. One number must not be used with two sorts in one query.
    pub fn variable(&mut self, sort: Sort, number: u32) -> Term {
        self.intern(Node { op: Op::Var, sort, args: [number, 0, 0] })
    }

    /// The variable with a number, if it was made.
    pub fn find_variable(&self, sort: Sort, number: u32) -> Option<Term> {
        self.index.find(&self.nodes, &Node { op: Op::Var, sort, args: [number, 0, 0] })
    }

    pub(crate) fn raw(&mut self, op: Op, sort: Sort, a: Term, b: Term, c: Term) -> Term {
        self.intern(Node { op, sort, args: [a.0, b.0, c.0] })
    }
}
