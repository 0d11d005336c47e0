//! Terms as text, for logs and failing tests. What users read is written elsewhere.

use crate::{Op, Sort, Term, Terms, signed};

impl Terms {
    /// An expression with prefix operators; variables are `v0`, `v1`….
    pub fn show(&self, term: Term) -> String {
        let node = self.node(term);
        match node.op {
            Op::Const => match node.sort {
                Sort::Bool => (node.bits() != 0).to_string(),
                Sort::Bv(width) => signed(node.bits(), u32::from(width)).to_string(),
                Sort::F32 => format!("{:?}f", f32::from_bits(node.bits() as u32)),
                Sort::F64 => format!("{:?}", f64::from_bits(node.bits())),
            },
            Op::Var => format!("v{}", node.variable()),
            op => {
                let parts: Vec<String> = node.operands().map(|operand| self.show(operand)).collect();
                format!("({op:?} {})", parts.join(" "))
            }
        }
    }
}
