//! The meaning of instructions whose operands are terms.

use program::{ClassId, Insn, Op as Code, Switch};
use term::{Op, Sort, Term};

use super::{Flow, REF, term_of};
use crate::machine::Machine;
use crate::native::Raise;
use crate::value::Word;

const INT: Sort = Sort::INT;
const LONG: Sort = Sort::LONG;

/// The registers of the running frame.
#[derive(Clone, Copy)]
pub(super) struct Registers(u32);

impl Registers {
    pub(super) fn base(self) -> u32 {
        self.0
    }

    pub(super) fn at(self, register: u16) -> usize {
        self.0 as usize + register as usize
    }
}

/// How the operands of an arithmetic instruction lie: both in registers, or the right one in the instruction.
enum Right {
    Register,
    Constant,
}

impl Machine {
    /// Executes an instruction of which at least one operand is a term.
    #[cold]
    pub(crate) fn symbolic_step(&mut self, insn: Insn, base: u32) -> Result<Flow, Raise> {
        let r = Registers(base);
        if let Some((op, sort, right)) = arithmetic(insn.op) {
            let a = self.operand(r, insn.b, sort)?;
            let b = match right {
                Right::Register => self.operand(r, insn.c, sort)?,
                Right::Constant => self.symbolic.terms.constant(sort, i64::from(insn.imm as i32) as u64),
            };
            if matches!(op, Op::SDiv | Op::SRem) {
                let zero = self.symbolic.terms.is(b, 0);
                if self.branch(zero)? {
                    return Err(self.raise("java/lang/ArithmeticException", Some("/ by zero")));
                }
            }
            let result = self.symbolic.terms.binary(op, a, b);
            self.give(r, insn.a, result);
            return Ok(Flow::Next);
        }
        if let Some((op, sort, right)) = shift(insn.op) {
            return self.shift(r, insn, op, sort, right);
        }
        if let Some((op, from, to)) = conversion(insn.op) {
            let a = self.operand(r, insn.b, from)?;
            let result = self.symbolic.terms.unary(op, to, a);
            self.give(r, insn.a, result);
            return Ok(Flow::Next);
        }
        if let Some(condition) = self.condition(r, insn)? {
            return self.jump(r, condition, insn.imm);
        }
        match insn.op {
            Code::INeg | Code::LNeg => {
                let sort = if insn.op == Code::INeg { INT } else { LONG };
                let a = self.operand(r, insn.b, sort)?;
                let zero = self.symbolic.terms.constant(sort, 0);
                let result = self.symbolic.terms.binary(Op::Sub, zero, a);
                self.give(r, insn.a, result);
                Ok(Flow::Next)
            }
            Code::I2B | Code::I2C | Code::I2S => {
                let a = self.operand(r, insn.b, INT)?;
                let (width, extend) = match insn.op {
                    Code::I2B => (8, Op::SExt),
                    Code::I2C => (16, Op::ZExt),
                    _ => (16, Op::SExt),
                };
                let narrow = self.symbolic.terms.unary(Op::Extract, Sort::Bv(width), a);
                let result = self.symbolic.terms.unary(extend, INT, narrow);
                self.give(r, insn.a, result);
                Ok(Flow::Next)
            }
            Code::LCmp | Code::FCmpL | Code::FCmpG | Code::DCmpL | Code::DCmpG => self.three_way(r, insn),
            Code::TableSwitch | Code::LookupSwitch => self.switch(r, insn),
            Code::ALen => {
                let array = self.non_null(r, insn.b)?;
                let length = self.length_of(array)?;
                self.give(r, insn.a, length);
                Ok(Flow::Next)
            }
            Code::BALoad | Code::CALoad | Code::SALoad | Code::IALoad | Code::LALoad | Code::AALoad => {
                self.load_element(r.at(insn.a), r.at(insn.b), r.at(insn.c), insn.op)?;
                Ok(Flow::Next)
            }
            Code::BAStore | Code::CAStore | Code::SAStore | Code::IAStore | Code::LAStore | Code::AAStore => {
                self.store_element(r.at(insn.a), r.at(insn.b), r.at(insn.c), insn.op)?;
                Ok(Flow::Next)
            }
            Code::NewArr | Code::ANewArr => {
                let length = self.operand(r, insn.b, INT)?;
                let class = if insn.op == Code::NewArr {
                    ClassId(self.primitive_arrays[insn.c as usize])
                } else {
                    ClassId(insn.imm)
                };
                let array = self.new_open_array(class, length)?;
                self.stack.set(r.at(insn.a), array.word());
                Ok(Flow::Next)
            }
            Code::GetF1 | Code::GetF1C | Code::GetF2 | Code::GetF2C => {
                let object = self.non_null(r, insn.b)?;
                let wide = matches!(insn.op, Code::GetF2 | Code::GetF2C);
                let (value, tag) = self.read_field(object, self.field_class(insn), insn.imm, wide)?;
                self.stack.set(r.at(insn.a), value);
                if wide {
                    self.stack.set(r.at(insn.a) + 1, tag);
                }
                Ok(Flow::Next)
            }
            Code::PutF1
            | Code::PutF1C
            | Code::PutF2
            | Code::PutF2C
            | Code::PutFZ
            | Code::PutFB
            | Code::PutFC
            | Code::PutFS => {
                let object = self.non_null(r, insn.a)?;
                let wide = matches!(insn.op, Code::PutF2 | Code::PutF2C);
                let value = self.stack.get(r.at(insn.b));
                let tag = if wide { self.stack.get(r.at(insn.b) + 1) } else { 0 };
                self.write_field(object, self.field_class(insn), insn.imm, wide, value, tag)?;
                Ok(Flow::Next)
            }
            Code::Cast => self.cast(r.at(insn.b), ClassId(insn.imm)),
            Code::Inst => {
                let object = self.operand(r, insn.b, REF)?;
                let result = self.instance_of(object, ClassId(insn.imm))?;
                self.stack.set(r.at(insn.a), Word::from(result));
                Ok(Flow::Next)
            }
            // The class is missing, which matters to what is not null.
            Code::CastU | Code::InstU => {
                let object = self.operand(r, insn.b, REF)?;
                let null = self.is_null_term(object);
                if !self.branch(null)? {
                    self.resolve(insn)?;
                    return Ok(Flow::Again);
                }
                if insn.op == Code::InstU {
                    self.stack.set(r.at(insn.a), 0);
                }
                Ok(Flow::Next)
            }
            Code::InvokeDirect => {
                self.non_null(r, insn.a)?;
                Ok(Flow::Enter(program::MethodId(insn.imm)))
            }
            Code::InvokeVirtual | Code::InvokeInterface => {
                let object = self.non_null(r, insn.a)?;
                match self.dispatch_unknown(insn.imm, object)? {
                    Some(method) => Ok(Flow::Enter(method)),
                    None => self.decide_register(r.at(insn.a)),
                }
            }
            // Nobody else asks for a monitor, but the program may ask whether it has one.
            Code::MonEnter | Code::MonExit => {
                self.non_null(r, insn.b)?;
                let object = self.which_object(self.stack.get(r.at(insn.b)))?;
                match insn.op {
                    Code::MonEnter => self.monitor_enter(object),
                    _ if self.monitor_exit(object) => {}
                    _ => {
                        let message = Some("current thread is not owner");
                        return Err(self.raise("java/lang/IllegalMonitorStateException", message));
                    }
                }
                Ok(Flow::Next)
            }
            // Everything else needs the value itself.
            Code::Throw | Code::InvokePoly => {
                let register = if insn.op == Code::Throw { insn.b } else { insn.a };
                self.non_null(r, register)?;
                self.decide_register(r.at(register))
            }
            _ => {
                for register in [insn.a, insn.b, insn.c] {
                    let at = r.at(register);
                    if term_of(self.stack.get(at)).is_some() {
                        return self.decide_register(at);
                    }
                }
                unreachable!("{:?} has no unknown operand", insn.op)
            }
        }
    }

    /// Decides the value of a register and executes the instruction again.
    fn decide_register(&mut self, at: usize) -> Result<Flow, Raise> {
        let word = self.stack.get(at);
        let value = self.force(word)?;
        self.stack.set(at, value);
        Ok(Flow::Again)
    }

    fn operand(&mut self, r: Registers, register: u16, sort: Sort) -> Result<Term, Raise> {
        let at = r.at(register);
        if sort.width() == 64 {
            let (value, tag) = (self.stack.get(at), self.stack.get(at + 1));
            self.wide_term(value, tag, sort)
        } else {
            let word = self.stack.get(at);
            self.word_term(word, sort)
        }
    }

    fn give(&mut self, r: Registers, register: u16, term: Term) {
        let at = r.at(register);
        if self.symbolic.terms.sort(term).width() == 64 {
            let (value, tag) = self.term_words(term);
            self.stack.set(at, value);
            self.stack.set(at + 1, tag);
        } else {
            let word = self.term_word(term);
            self.stack.set(at, word);
        }
    }

    /// The reference in a register, on the path where it is not null.
    fn non_null(&mut self, r: Registers, register: u16) -> Result<Term, Raise> {
        let object = self.operand(r, register, REF)?;
        self.check_null(object)?;
        Ok(object)
    }

    /// The class whose field an instruction is about. What it carries may be the class of the last object it met
    /// instead, which inherits the field.
    fn field_class(&self, insn: Insn) -> ClassId {
        let met = ClassId(insn.ext);
        let has_field = |class: &&ClassId| self.program.class(**class).instance_words > insn.imm;
        self.program.class(met).display.iter().find(has_field).copied().unwrap_or(met)
    }

    fn jump(&mut self, r: Registers, condition: Term, target: u32) -> Result<Flow, Raise> {
        let go = |taken: bool| if taken { Flow::Jump(target) } else { Flow::Next };
        if let Some(truth) = self.symbolic.truth(condition) {
            return Ok(go(truth));
        }
        if let Some(joined) = self.merged(r, condition, target)? {
            return Ok(joined);
        }
        let taken = self.branch(condition)?;
        if self.symbolic.bounds.merge {
            let frame = self.top();
            let place = (frame.method, frame.index() as u32);
            self.symbolic.forks.push(place);
        }
        Ok(go(taken))
    }

    /// The condition under which a jump is taken; none for other instructions.
    pub(super) fn condition(&mut self, r: Registers, insn: Insn) -> Result<Option<Term>, Raise> {
        if let Some((relation, sort, constant, negated)) = comparison(insn.op) {
            let a = self.operand(r, insn.a, sort)?;
            let b = if constant {
                self.symbolic.terms.constant(sort, i64::from(insn.ext as i32) as u64)
            } else {
                self.operand(r, insn.b, sort)?
            };
            return Ok(Some(self.relation(relation, a, b, negated)));
        }
        let (holds, negated) = match insn.op {
            Code::JRefEq | Code::JRefNe => {
                let a = self.operand(r, insn.a, REF)?;
                let b = self.operand(r, insn.b, REF)?;
                self.follow_enums(a)?;
                self.follow_enums(b)?;
                self.follow_compared(a, b)?;
                (self.same_reference(a, b), insn.op == Code::JRefNe)
            }
            Code::JNull | Code::JNonNull => {
                let a = self.operand(r, insn.a, REF)?;
                (self.is_null_term(a), insn.op == Code::JNonNull)
            }
            _ => return Ok(None),
        };
        Ok(Some(if negated { self.symbolic.terms.not(holds) } else { holds }))
    }

    fn shift(&mut self, r: Registers, insn: Insn, op: Op, sort: Sort, right: Right) -> Result<Flow, Raise> {
        let a = self.operand(r, insn.b, sort)?;
        let count = match right {
            Right::Register => self.operand(r, insn.c, INT)?,
            Right::Constant => self.symbolic.terms.int(insn.imm as i32),
        };
        let terms = &mut self.symbolic.terms;
        let mask = terms.int(sort.width() as i32 - 1);
        let count = terms.binary(Op::BAnd, count, mask);
        let count = terms.unary(Op::ZExt, sort, count);
        let result = terms.binary(op, a, count);
        self.give(r, insn.a, result);
        Ok(Flow::Next)
    }

    fn relation(&mut self, relation: Relation, a: Term, b: Term, negated: bool) -> Term {
        let terms = &mut self.symbolic.terms;
        let float = terms.sort(a).is_float();
        let (equal, less, at_most) =
            if float { (Op::FEq, Op::FLt, Op::FLe) } else { (Op::Eq, Op::Slt, Op::Sle) };
        let holds = match relation {
            Relation::Eq => terms.binary(equal, a, b),
            Relation::Ne => {
                let same = terms.binary(equal, a, b);
                terms.not(same)
            }
            Relation::Lt => terms.binary(less, a, b),
            Relation::Le => terms.binary(at_most, a, b),
            Relation::Gt => terms.binary(less, b, a),
            Relation::Ge => terms.binary(at_most, b, a),
        };
        if negated { terms.not(holds) } else { holds }
    }

    fn three_way(&mut self, r: Registers, insn: Insn) -> Result<Flow, Raise> {
        let sort = match insn.op {
            Code::LCmp => LONG,
            Code::FCmpL | Code::FCmpG => Sort::F32,
            _ => Sort::F64,
        };
        let (a, b) = (self.operand(r, insn.b, sort)?, self.operand(r, insn.c, sort)?);
        let less = self.relation(Relation::Lt, a, b, false);
        let equal = self.relation(Relation::Eq, a, b, false);
        let more = self.relation(Relation::Gt, a, b, false);
        let terms = &mut self.symbolic.terms;
        let (minus, zero, plus) = (terms.int(-1), terms.int(0), terms.int(1));
        // What is neither less, equal nor greater is NaN: -1 for the `L` forms, 1 for the `G` forms.
        let result = if matches!(insn.op, Code::FCmpL | Code::DCmpL) {
            let rest = terms.ite(equal, zero, minus);
            terms.ite(more, plus, rest)
        } else {
            let rest = terms.ite(equal, zero, plus);
            terms.ite(less, minus, rest)
        };
        self.give(r, insn.a, result);
        Ok(Flow::Next)
    }

    /// One alternative for each place the switch can lead to.
    fn switch(&mut self, r: Registers, insn: Insn) -> Result<Flow, Raise> {
        let key = self.operand(r, insn.a, INT)?;
        let frame = self.frames.last().expect("a frame is running");
        let code = self.program.method(frame.method).code.as_ref().expect("running code exists");
        let (cases, default): (Vec<(i32, u32)>, u32) = match &code.switches[insn.imm as usize] {
            Switch::Table { low, targets, default } => {
                let keys =
                    targets.iter().enumerate().map(|(i, target)| (low.wrapping_add(i as i32), *target));
                (keys.collect(), *default)
            }
            Switch::Lookup { keys, targets, default } => {
                (keys.iter().copied().zip(targets.iter().copied()).collect(), *default)
            }
        };
        let terms = &mut self.symbolic.terms;
        let mut places: Vec<(u32, Term)> = Vec::new();
        let mut rest = Term::TRUE;
        for (case, target) in cases {
            if target == default {
                continue;
            }
            let here = terms.is(key, u64::from(case as u32));
            let elsewhere = terms.not(here);
            rest = terms.and(rest, elsewhere);
            match places.iter_mut().find(|place| place.0 == target) {
                Some(place) => place.1 = terms.or(place.1, here),
                None => places.push((target, here)),
            }
        }
        places.push((default, rest));
        let guards: Vec<Term> = places.iter().map(|place| place.1).collect();
        let index = self.among(&guards)?;
        Ok(Flow::Jump(places[index].0))
    }
}

#[derive(Clone, Copy)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[rustfmt::skip]
fn arithmetic(op: Code) -> Option<(Op, Sort, Right)> {
    use Right::{Constant, Register};
    Some(match op {
        Code::IAdd => (Op::Add, INT, Register),  Code::IAddK => (Op::Add, INT, Constant),
        Code::ISub => (Op::Sub, INT, Register),
        Code::IMul => (Op::Mul, INT, Register),  Code::IMulK => (Op::Mul, INT, Constant),
        Code::IDiv => (Op::SDiv, INT, Register), Code::IDivK => (Op::SDiv, INT, Constant),
        Code::IRem => (Op::SRem, INT, Register), Code::IRemK => (Op::SRem, INT, Constant),
        Code::IAnd => (Op::BAnd, INT, Register), Code::IAndK => (Op::BAnd, INT, Constant),
        Code::IOr => (Op::BOr, INT, Register),   Code::IOrK => (Op::BOr, INT, Constant),
        Code::IXor => (Op::BXor, INT, Register), Code::IXorK => (Op::BXor, INT, Constant),
        Code::LAdd => (Op::Add, LONG, Register), Code::LAddK => (Op::Add, LONG, Constant),
        Code::LSub => (Op::Sub, LONG, Register),
        Code::LMul => (Op::Mul, LONG, Register), Code::LMulK => (Op::Mul, LONG, Constant),
        Code::LDiv => (Op::SDiv, LONG, Register),
        Code::LRem => (Op::SRem, LONG, Register),
        Code::LAnd => (Op::BAnd, LONG, Register), Code::LAndK => (Op::BAnd, LONG, Constant),
        Code::LOr => (Op::BOr, LONG, Register),
        Code::LXor => (Op::BXor, LONG, Register),
        Code::FAdd => (Op::FAdd, Sort::F32, Register), Code::DAdd => (Op::FAdd, Sort::F64, Register),
        Code::FSub => (Op::FSub, Sort::F32, Register), Code::DSub => (Op::FSub, Sort::F64, Register),
        Code::FMul => (Op::FMul, Sort::F32, Register), Code::DMul => (Op::FMul, Sort::F64, Register),
        Code::FDiv => (Op::FDiv, Sort::F32, Register), Code::DDiv => (Op::FDiv, Sort::F64, Register),
        Code::FRem => (Op::FRem, Sort::F32, Register), Code::DRem => (Op::FRem, Sort::F64, Register),
        _ => return None,
    })
}

#[rustfmt::skip]
fn shift(op: Code) -> Option<(Op, Sort, Right)> {
    use Right::{Constant, Register};
    Some(match op {
        Code::IShl => (Op::Shl, INT, Register),   Code::IShlK => (Op::Shl, INT, Constant),
        Code::IShr => (Op::AShr, INT, Register),  Code::IShrK => (Op::AShr, INT, Constant),
        Code::IUshr => (Op::LShr, INT, Register), Code::IUshrK => (Op::LShr, INT, Constant),
        Code::LShl => (Op::Shl, LONG, Register),   Code::LShlK => (Op::Shl, LONG, Constant),
        Code::LShr => (Op::AShr, LONG, Register),  Code::LShrK => (Op::AShr, LONG, Constant),
        Code::LUshr => (Op::LShr, LONG, Register), Code::LUshrK => (Op::LShr, LONG, Constant),
        _ => return None,
    })
}

/// Conversions by one operation: operation, from, to.
#[rustfmt::skip]
fn conversion(op: Code) -> Option<(Op, Sort, Sort)> {
    use Sort::{F32, F64};
    Some(match op {
        Code::I2L => (Op::SExt, INT, LONG),  Code::L2I => (Op::Extract, LONG, INT),
        Code::I2F => (Op::SToF, INT, F32),   Code::I2D => (Op::SToF, INT, F64),
        Code::L2F => (Op::SToF, LONG, F32),  Code::L2D => (Op::SToF, LONG, F64),
        Code::F2I => (Op::FToS, F32, INT),   Code::F2L => (Op::FToS, F32, LONG),
        Code::D2I => (Op::FToS, F64, INT),   Code::D2L => (Op::FToS, F64, LONG),
        Code::F2D => (Op::FToF, F32, F64),   Code::D2F => (Op::FToF, F64, F32),
        Code::FNeg => (Op::FNeg, F32, F32),  Code::DNeg => (Op::FNeg, F64, F64),
        _ => return None,
    })
}

/// Jumps that compare numbers: relation, sort, whether the right side is in the instruction, whether negated.
#[rustfmt::skip]
fn comparison(op: Code) -> Option<(Relation, Sort, bool, bool)> {
    use Relation::{Eq, Ge, Gt, Le, Lt, Ne};
    use Sort::{F32, F64};
    Some(match op {
        Code::JEq => (Eq, INT, false, false), Code::JEqK => (Eq, INT, true, false),
        Code::JNe => (Ne, INT, false, false), Code::JNeK => (Ne, INT, true, false),
        Code::JLt => (Lt, INT, false, false), Code::JLtK => (Lt, INT, true, false),
        Code::JGe => (Ge, INT, false, false), Code::JGeK => (Ge, INT, true, false),
        Code::JGt => (Gt, INT, false, false), Code::JGtK => (Gt, INT, true, false),
        Code::JLe => (Le, INT, false, false), Code::JLeK => (Le, INT, true, false),
        Code::JLEq => (Eq, LONG, false, false), Code::JLEqK => (Eq, LONG, true, false),
        Code::JLNe => (Ne, LONG, false, false), Code::JLNeK => (Ne, LONG, true, false),
        Code::JLLt => (Lt, LONG, false, false), Code::JLLtK => (Lt, LONG, true, false),
        Code::JLGe => (Ge, LONG, false, false), Code::JLGeK => (Ge, LONG, true, false),
        Code::JLGt => (Gt, LONG, false, false), Code::JLGtK => (Gt, LONG, true, false),
        Code::JLLe => (Le, LONG, false, false), Code::JLLeK => (Le, LONG, true, false),
        Code::JFEq => (Eq, F32, false, false), Code::JFNe => (Ne, F32, false, false),
        Code::JFLt => (Lt, F32, false, false), Code::JFNLt => (Lt, F32, false, true),
        Code::JFLe => (Le, F32, false, false), Code::JFNLe => (Le, F32, false, true),
        Code::JFGt => (Gt, F32, false, false), Code::JFNGt => (Gt, F32, false, true),
        Code::JFGe => (Ge, F32, false, false), Code::JFNGe => (Ge, F32, false, true),
        Code::JDEq => (Eq, F64, false, false), Code::JDNe => (Ne, F64, false, false),
        Code::JDLt => (Lt, F64, false, false), Code::JDNLt => (Lt, F64, false, true),
        Code::JDLe => (Le, F64, false, false), Code::JDNLe => (Le, F64, false, true),
        Code::JDGt => (Gt, F64, false, false), Code::JDNGt => (Gt, F64, false, true),
        Code::JDGe => (Ge, F64, false, false), Code::JDNGe => (Ge, F64, false, true),
        _ => return None,
    })
}
