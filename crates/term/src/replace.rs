//! Operations made again with other operands.

use crate::{Op, Term, Terms};

impl Terms {
    /// The operation at the head of a term with other operands. It is made the way the term was: an order may have come from
    /// the converse order that does not hold, and looks otherwise then.
    pub fn with_operands(&mut self, term: Term, operands: [Term; 3]) -> Term {
        let node = *self.node(term);
        let [a, b, c] = operands;
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        match node.op {
            Op::Const | Op::Var => term,
            Op::Not => self.not(a),
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Ite => self.ite(a, b, c),
            op if node.arity() == 1 => self.unary(op, node.sort, a),
            Op::Slt | Op::Sle | Op::Ult | Op::Ule if self.binary(node.op, x, y) != term => {
                let converse = match node.op {
                    Op::Slt => Op::Sle,
                    Op::Sle => Op::Slt,
                    Op::Ult => Op::Ule,
                    _ => Op::Ult,
                };
                let converse = self.binary(converse, b, a);
                self.not(converse)
            }
            op => self.binary(op, a, b),
        }
    }
}
