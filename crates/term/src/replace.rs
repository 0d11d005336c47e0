//! Operations made again with other operands.

use crate::{Node, Op, Term, Terms};

impl Terms {
    /// The operation of a node with other operands, in its normal form. A constant or a variable has none.
    pub fn with_operands(&mut self, node: &Node, operands: [Term; 3]) -> Term {
        let [a, b, c] = operands;
        match node.op {
            Op::Const => self.constant(node.sort, node.bits()),
            Op::Var => self.variable(node.sort, node.variable()),
            Op::Not => self.not(a),
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Ite => self.ite(a, b, c),
            op if node.arity() == 1 => self.unary(op, node.sort, a),
            op => self.binary(op, a, b),
        }
    }
}
