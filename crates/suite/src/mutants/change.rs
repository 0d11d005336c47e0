//! Small changes of a method's body that a good test notices: a comparison, a calculation, a result, a call left out.

use program::branches::is_conditional;
use program::{Code, Insn, Kind, Op};

/// One change of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The instruction.
    pub index: u32,
    pub to: To,
}

/// What becomes of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// The same operands with another operation.
    Op(Op),
    /// Another operation, which has no form for a constant operand.
    Far(Op),
    /// The constant operand becomes this one.
    Constant(u32),
    /// The operand is passed on as it is.
    Operand,
    /// A parameter, by its register and width, is zero from here on: a test with a zero shows nothing of what depends on it.
    Unset(u16, u16),
    /// A call that gives nothing is not made.
    Nothing,
    /// Something else is returned.
    Result(Result),
}

/// What a method may return instead of what it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Zero, false or null.
    Zero,
    True,
    /// A value in its box: the class of the box, the letter of the value, and the value.
    Boxed(&'static str, char, u32),
    /// A text without letters.
    EmptyText,
    /// What a static method without parameters gives: owner, name, descriptor.
    Given(&'static str, &'static str, &'static str),
}

/// Where instructions of a method call what gives nothing: the caller knows the constant pool.
pub type GivesNothing<'a> = &'a dyn Fn(&Insn) -> bool;

/// All changes of a body with these parameters, the receiver among them, and whose result has a descriptor.
pub fn changes(code: &Code, parameters: &[Kind], result: &str, gives_nothing: GivesNothing) -> Vec<Change> {
    let mut found = Vec::new();
    let mut register = 0;
    for kind in parameters {
        if matches!(kind, Kind::Int | Kind::Long | Kind::Short | Kind::Byte | Kind::Float | Kind::Double) {
            found.push(Change { index: 0, to: To::Unset(register, kind.width()) });
        }
        register += kind.width();
    }
    for (index, insn) in code.insns.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &code.insns[before]);
        let mut add = |to: To| found.push(Change { index: index as u32, to });
        match insn.op {
            op if is_conditional(op) => {
                for other in [boundary(op), negated(op)].into_iter().flatten() {
                    add(To::Op(other));
                }
            }
            Op::IAddK | Op::LAddK if insn.imm != 0 => add(To::Constant(insn.imm.wrapping_neg())),
            // What is divided by zero is no other number.
            Op::IMulK if insn.imm == 0 => {}
            Op::LMulK | Op::LAndK => add(To::Far(if insn.op == Op::LMulK { Op::LDiv } else { Op::LOr })),
            Op::INeg | Op::LNeg | Op::FNeg | Op::DNeg => add(To::Operand),
            Op::Ret1 | Op::Ret2 => {
                for other in results(result).into_iter().filter(|other| !is_it(*other, insn, before)) {
                    add(To::Result(other));
                }
            }
            Op::InvokeStaticU | Op::InvokeVirtualU | Op::InvokeInterfaceU | Op::InvokeSpecialU
                if gives_nothing(insn) =>
            {
                add(To::Nothing);
            }
            op => calculated(op).into_iter().for_each(|other| add(To::Op(other))),
        }
    }
    found
}

/// Whether a method returns this anyway.
fn is_it(result: Result, insn: &Insn, before: Option<&Insn>) -> bool {
    let constant = before.filter(|before| before.a == insn.b).and_then(|before| match before.op {
        Op::Const => Some(u64::from(before.imm)),
        Op::Const2 => Some(u64::from(before.imm) | u64::from(before.ext) << 32),
        _ => None,
    });
    match result {
        Result::Zero => constant == Some(0),
        Result::True => constant == Some(1),
        _ => false,
    }
}

fn results(descriptor: &str) -> Vec<Result> {
    let given = |owner, name, descriptor| vec![Result::Given(owner, name, descriptor)];
    let zero = |owner, letter| vec![Result::Boxed(owner, letter, 0)];
    const COLLECTIONS: &str = "java/util/Collections";
    match descriptor {
        "Z" => vec![Result::Zero, Result::True],
        "Ljava/lang/Boolean;" => [0, 1].map(|value| Result::Boxed("java/lang/Boolean", 'Z', value)).to_vec(),
        "Ljava/lang/Integer;" => zero("java/lang/Integer", 'I'),
        "Ljava/lang/Short;" => zero("java/lang/Short", 'S'),
        "Ljava/lang/Character;" => zero("java/lang/Character", 'C'),
        "Ljava/lang/Long;" => zero("java/lang/Long", 'J'),
        "Ljava/lang/Float;" => zero("java/lang/Float", 'F'),
        "Ljava/lang/Double;" => zero("java/lang/Double", 'D'),
        "Ljava/lang/String;" => vec![Result::EmptyText],
        "Ljava/util/List;" | "Ljava/util/Collection;" | "Ljava/lang/Iterable;" => {
            given(COLLECTIONS, "emptyList", "()Ljava/util/List;")
        }
        "Ljava/util/Set;" => given(COLLECTIONS, "emptySet", "()Ljava/util/Set;"),
        "Ljava/util/Map;" => given(COLLECTIONS, "emptyMap", "()Ljava/util/Map;"),
        "Ljava/util/Optional;" => given("java/util/Optional", "empty", "()Ljava/util/Optional;"),
        "Ljava/util/stream/Stream;" => {
            given("java/util/stream/Stream", "empty", "()Ljava/util/stream/Stream;")
        }
        _ => vec![Result::Zero],
    }
}

/// The comparison that differs only where both sides are equal.
pub fn boundary(op: Op) -> Option<Op> {
    Some(match op {
        Op::JLt => Op::JLe,
        Op::JLe => Op::JLt,
        Op::JGt => Op::JGe,
        Op::JGe => Op::JGt,
        Op::JLtK => Op::JLeK,
        Op::JLeK => Op::JLtK,
        Op::JGtK => Op::JGeK,
        Op::JGeK => Op::JGtK,
        Op::JLLt => Op::JLLe,
        Op::JLLe => Op::JLLt,
        Op::JLGt => Op::JLGe,
        Op::JLGe => Op::JLGt,
        Op::JLLtK => Op::JLLeK,
        Op::JLLeK => Op::JLLtK,
        Op::JLGtK => Op::JLGeK,
        Op::JLGeK => Op::JLGtK,
        Op::JFLt => Op::JFLe,
        Op::JFLe => Op::JFLt,
        Op::JFGt => Op::JFGe,
        Op::JFGe => Op::JFGt,
        Op::JFNLt => Op::JFNLe,
        Op::JFNLe => Op::JFNLt,
        Op::JFNGt => Op::JFNGe,
        Op::JFNGe => Op::JFNGt,
        Op::JDLt => Op::JDLe,
        Op::JDLe => Op::JDLt,
        Op::JDGt => Op::JDGe,
        Op::JDGe => Op::JDGt,
        Op::JDNLt => Op::JDNLe,
        Op::JDNLe => Op::JDNLt,
        Op::JDNGt => Op::JDNGe,
        Op::JDNGe => Op::JDNGt,
        _ => return None,
    })
}

/// Each comparison beside the one that holds where it does not.
const OPPOSITES: [(Op, Op); 24] = [
    (Op::JEq, Op::JNe),
    (Op::JLt, Op::JGe),
    (Op::JGt, Op::JLe),
    (Op::JEqK, Op::JNeK),
    (Op::JLtK, Op::JGeK),
    (Op::JGtK, Op::JLeK),
    (Op::JRefEq, Op::JRefNe),
    (Op::JNull, Op::JNonNull),
    (Op::JLEq, Op::JLNe),
    (Op::JLLt, Op::JLGe),
    (Op::JLGt, Op::JLLe),
    (Op::JLEqK, Op::JLNeK),
    (Op::JLLtK, Op::JLGeK),
    (Op::JLGtK, Op::JLLeK),
    (Op::JFEq, Op::JFNe),
    (Op::JFLt, Op::JFNLt),
    (Op::JFLe, Op::JFNLe),
    (Op::JFGt, Op::JFNGt),
    (Op::JFGe, Op::JFNGe),
    (Op::JDEq, Op::JDNe),
    (Op::JDLt, Op::JDNLt),
    (Op::JDLe, Op::JDNLe),
    (Op::JDGt, Op::JDNGt),
    (Op::JDGe, Op::JDNGe),
];

fn negated(op: Op) -> Option<Op> {
    OPPOSITES.iter().find_map(|(one, other)| match op {
        op if op == *one => Some(*other),
        op if op == *other => Some(*one),
        _ => None,
    })
}

/// Another calculation with the same operands.
fn calculated(op: Op) -> Option<Op> {
    Some(match op {
        Op::IAdd => Op::ISub,
        Op::ISub => Op::IAdd,
        Op::IMul => Op::IDiv,
        Op::IDiv | Op::IRem => Op::IMul,
        Op::IMulK => Op::IDivK,
        Op::IDivK | Op::IRemK => Op::IMulK,
        Op::IShl => Op::IShr,
        Op::IShr | Op::IUshr => Op::IShl,
        Op::IShlK => Op::IShrK,
        Op::IShrK | Op::IUshrK => Op::IShlK,
        Op::IAnd => Op::IOr,
        Op::IOr | Op::IXor => Op::IAnd,
        Op::IAndK => Op::IOrK,
        Op::IOrK | Op::IXorK => Op::IAndK,
        Op::LAdd => Op::LSub,
        Op::LSub => Op::LAdd,
        Op::LMul => Op::LDiv,
        Op::LDiv | Op::LRem => Op::LMul,
        Op::LShl => Op::LShr,
        Op::LShr | Op::LUshr => Op::LShl,
        Op::LShlK => Op::LShrK,
        Op::LShrK | Op::LUshrK => Op::LShlK,
        Op::LAnd => Op::LOr,
        Op::LOr | Op::LXor => Op::LAnd,
        Op::FAdd => Op::FSub,
        Op::FSub => Op::FAdd,
        Op::FMul => Op::FDiv,
        Op::FDiv | Op::FRem => Op::FMul,
        Op::DAdd => Op::DSub,
        Op::DSub => Op::DAdd,
        Op::DMul => Op::DDiv,
        Op::DDiv | Op::DRem => Op::DMul,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use program::{Code, Insn, Kind, Op};

    use super::{Change, OPPOSITES, Result, To, boundary, changes};

    #[test]
    fn every_instruction_has_its_changes() {
        // `return number < 10`
        let insns = [
            Insn { ext: 10, ..Insn::imm(Op::JGeK, 0, 0, 3) },
            Insn::imm(Op::Const, 1, 0, 1),
            Insn::new(Op::Ret1, 0, 1, 0),
            Insn::new(Op::Ret1, 0, 1, 0),
        ];
        let code = Code {
            insns: insns.into(),
            bci: [0, 3, 4, 5].into(),
            locals: 1,
            registers: 4,
            handlers: [].into(),
            switches: [].into(),
        };
        let change = |index: u32, to: To| Change { index, to };
        let expected = [
            change(0, To::Unset(0, 1)),
            change(0, To::Op(Op::JGtK)),
            change(0, To::Op(Op::JLtK)),
            // It is true already.
            change(2, To::Result(Result::Zero)),
            change(3, To::Result(Result::Zero)),
            change(3, To::Result(Result::True)),
        ];
        assert_eq!(changes(&code, &[Kind::Int], "Z", &|_| false), expected);
    }

    #[test]
    fn a_boundary_moves_there_and_back() {
        let comparisons = OPPOSITES.iter().flat_map(|(one, other)| [*one, *other]);
        for op in comparisons {
            if let Some(moved) = boundary(op) {
                assert_eq!(boundary(moved), Some(op));
            }
        }
    }
}
