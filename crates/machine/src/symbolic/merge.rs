//! Branches that join again with no effect but on registers: both ways are evaluated, and what they leave in the registers
//! becomes a choice inside of terms. `x = a < b ? a : b` is one path then, not two.
//!
//! It is done where neither way can throw, call, allocate or write to the heap. Whether it may be done at all is for
//! whoever runs the machine to say: the two ways are no paths of their own any more.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::flow::Slot;
use program::{Insn, Kind, Op as Code};
use term::{Sort, Term};

use super::step::Registers;
use super::{Flow, REF, term_of};
use crate::machine::Machine;
use crate::native::Raise;
use crate::value::{Ref, Word, is_unknown};
use program::branches::is_conditional;

/// Instructions on both ways together, and ways through them.
const LONGEST: usize = 40;
const WAYS: usize = 8;

/// Times a jump is decided on a path before its ways are merged: short conditions are easier than choices inside of
/// terms, and only what comes again and again makes too many paths.
const FEW: usize = 5;

/// Where the ways of a jump join, and which registers count there.
#[derive(Debug)]
pub struct Plan {
    join: u32,
    registers: Vec<(u16, Slot)>,
}

/// What one way leaves in the registers of a plan.
struct Way {
    guard: Term,
    words: Vec<[Word; 2]>,
}

impl Machine {
    /// Goes both ways at a jump whose condition is open, if they join soon.
    pub(super) fn merged(
        &mut self,
        r: Registers,
        condition: Term,
        target: u32,
    ) -> Result<Option<Flow>, Raise> {
        // Once it was asked which way to go, that is where it goes.
        if !self.symbolic.bounds.merge || self.coverage.on || self.decision.is_some() {
            return Ok(None);
        }
        let frame = *self.top();
        let place = (frame.method, frame.index() as u32);
        let Some(plan) = self.plan(place.0, place.1) else { return Ok(None) };
        if self.symbolic.forks.iter().filter(|fork| **fork == place).count() < FEW {
            return Ok(None);
        }
        let saved = self.stack.slice(frame.base, frame.registers).to_vec();
        let negated = self.symbolic.terms.not(condition);
        let mut ways = Vec::new();
        let mut walks = self.walk(r, target, condition, &plan, &mut ways)?;
        self.stack.restore(frame.base, &saved);
        if walks {
            walks = self.walk(r, frame.index() as u32 + 1, negated, &plan, &mut ways)?;
            self.stack.restore(frame.base, &saved);
        }
        if !walks {
            return Ok(None);
        }
        let mut joined = Vec::new();
        for (index, (_, slot)) in plan.registers.iter().enumerate() {
            match self.value_of_ways(&ways, index, *slot)? {
                Some(words) => joined.push(words),
                None => return Ok(None),
            }
        }
        for ((register, slot), words) in plan.registers.iter().zip(joined) {
            self.stack.set(r.at(*register), words[0]);
            if slot.width() == 2 {
                self.stack.set(r.at(*register) + 1, words[1]);
            }
        }
        Ok(Some(Flow::Jump(plan.join)))
    }

    /// The plan for a jump, if its ways join with no effect.
    fn plan(&mut self, method: program::MethodId, jump: u32) -> Option<Rc<Plan>> {
        if let Some(plan) = self.symbolic.world.plans.get(&(method, jump)) {
            return plan.clone();
        }
        let plan = match self.find_join(method, jump) {
            Join::At(join) => {
                let code = self.program.method(method).code.as_ref()?;
                let slots = self.program.slots_at(method, code.bci[join as usize]);
                slots.map(|slots| Rc::new(Plan { join, registers: counting(&slots) }))
            }
            Join::Nowhere => None,
            Join::NotYet => return None,
        };
        self.symbolic.world.plans.insert((method, jump), plan.clone());
        plan
    }

    fn find_join(&self, method: program::MethodId, jump: u32) -> Join {
        let Some(code) = &self.program.method(method).code else { return Join::Nowhere };
        let mut waiting = BTreeSet::from([jump + 1, code.insns[jump as usize].imm]);
        for _ in 0..LONGEST {
            let Some(at) = waiting.pop_first() else { return Join::Nowhere };
            if waiting.is_empty() {
                return Join::At(at);
            }
            if at <= jump {
                return Join::Nowhere;
            }
            let insn = code.insns[at as usize];
            match insn.op {
                Code::J if insn.imm > at => {
                    waiting.insert(insn.imm);
                }
                op if is_conditional(op) && !is_about_objects(op) && insn.imm > at => {
                    waiting.extend([at + 1, insn.imm]);
                }
                op if is_plain(insn) || is_read(op) => {
                    waiting.insert(at + 1);
                }
                // It is resolved when it is first executed.
                Code::LdcU | Code::Ldc2U | Code::GetFieldU => return Join::NotYet,
                _ => return Join::Nowhere,
            }
        }
        Join::Nowhere
    }

    /// Evaluates from an instruction to the join, on the registers themselves. False if that cannot be done.
    fn walk(
        &mut self,
        r: Registers,
        mut at: u32,
        mut guard: Term,
        plan: &Plan,
        ways: &mut Vec<Way>,
    ) -> Result<bool, Raise> {
        while at != plan.join {
            let frame = *self.top();
            let Some(code) = &self.program.method(frame.method).code else { return Ok(false) };
            let insn = code.insns[at as usize];
            at += 1;
            match insn.op {
                Code::Nop => {}
                Code::J => at = insn.imm,
                Code::Mov | Code::Mov2 => {
                    for word in 0..=usize::from(insn.op == Code::Mov2) {
                        let value = self.stack.get(r.at(insn.b) + word);
                        self.stack.set(r.at(insn.a) + word, value);
                    }
                }
                Code::Const => self.stack.set(r.at(insn.a), Word::from(insn.imm)),
                Code::Const2 => {
                    self.stack.set(r.at(insn.a), Word::from(insn.imm) | Word::from(insn.ext) << 32);
                    self.stack.set(r.at(insn.a) + 1, 0);
                }
                op if is_conditional(op) => {
                    if self.reads_pending(r, insn) {
                        return Ok(false);
                    }
                    let Some(condition) = self.condition(r, insn)? else { return Ok(false) };
                    match self.symbolic.truth(condition) {
                        Some(true) => at = insn.imm,
                        Some(false) => {}
                        None => {
                            if ways.len() >= WAYS {
                                return Ok(false);
                            }
                            let saved = self.stack.slice(frame.base, frame.registers).to_vec();
                            let taken = self.symbolic.terms.and(guard, condition);
                            if !self.walk(r, insn.imm, taken, plan, ways)? {
                                return Ok(false);
                            }
                            self.stack.restore(frame.base, &saved);
                            let negated = self.symbolic.terms.not(condition);
                            guard = self.symbolic.terms.and(guard, negated);
                        }
                    }
                }
                op if is_read(op) => {
                    if !self.read_plainly(r, insn)? {
                        return Ok(false);
                    }
                }
                _ => {
                    if self.reads_pending(r, insn)
                        || !matches!(self.symbolic_step(insn, r.base())?, Flow::Next)
                    {
                        return Ok(false);
                    }
                }
            }
        }
        let words = plan.registers.iter().map(|(register, slot)| {
            let at = r.at(*register);
            [self.stack.get(at), if slot.width() == 2 { self.stack.get(at + 1) } else { 0 }]
        });
        let words = words.collect();
        ways.push(Way { guard, words });
        Ok(ways.len() <= WAYS)
    }

    /// Whether an operand is a choice that is still to be made, and is no term.
    fn reads_pending(&self, r: Registers, insn: Insn) -> bool {
        let is_pending = |word: Word| is_unknown(word) && term_of(word).is_none();
        let jump = is_conditional(insn.op);
        let operands = if jump { [insn.a, insn.b] } else { [insn.b, insn.c] };
        // The word after a known number of one word may be anything; then it is only less often that ways are merged.
        operands.iter().any(|register| {
            is_pending(self.stack.get(r.at(*register))) || is_pending(self.stack.get(r.at(*register) + 1))
        })
    }

    /// Reads from a known object or array where nothing can go wrong.
    fn read_plainly(&mut self, r: Registers, insn: Insn) -> Result<bool, Raise> {
        let word = self.stack.get(r.at(insn.b));
        if is_unknown(word) || word == 0 {
            return Ok(false);
        }
        let object = Ref::from_word(word);
        if self.is_open_class(self.class_of(object).0) {
            return Ok(false);
        }
        if insn.op != Code::IALoad {
            let checked = matches!(insn.op, Code::GetF1C | Code::GetF2C);
            let class = self.class_of(object).0;
            if checked && class != insn.ext && self.check_receiver(class, insn.c).is_err() {
                return Ok(false);
            }
            let wide = matches!(insn.op, Code::GetF2 | Code::GetF2C);
            let words = [self.get(object, insn.imm), if wide { self.get(object, insn.imm + 1) } else { 0 }];
            for (offset, word) in words.into_iter().enumerate().take(1 + usize::from(wide)) {
                self.stack.set(r.at(insn.a) + offset, word);
            }
            return Ok(true);
        }
        let index = self.stack.get(r.at(insn.c));
        if is_unknown(index) {
            return Ok(false);
        }
        let (index, room) = (index as u32, self.heap.length(object) as u32);
        let inside = match self.open_length(object) {
            None => index < room,
            Some(length) => {
                let index = self.symbolic.terms.int(index as i32);
                let within = self.symbolic.terms.binary(term::Op::Ult, index, length);
                self.symbolic.truth(within) == Some(true)
            }
        };
        if !inside || index >= room || !matches!(self.array_kind(object), Some(Kind::Int | Kind::Float)) {
            return Ok(false);
        }
        let element = self.get(object, 1 + index);
        if is_unknown(element) && term_of(element).is_none() {
            return Ok(false);
        }
        self.stack.set(r.at(insn.a), element);
        Ok(true)
    }

    /// What a register holds where the ways join. None if that cannot be said.
    fn value_of_ways(&mut self, ways: &[Way], index: usize, slot: Slot) -> Result<Option<[Word; 2]>, Raise> {
        let first = ways[0].words[index];
        if ways.iter().all(|way| way.words[index] == first) {
            return Ok(Some(first));
        }
        let sort = match slot {
            Slot::Int => Sort::INT,
            Slot::Float => Sort::F32,
            Slot::Long => Sort::LONG,
            Slot::Double => Sort::F64,
            Slot::Ref => REF,
            _ => return Ok(None),
        };
        let wide = slot.width() == 2;
        let mut result: Option<Term> = None;
        for way in ways.iter().rev() {
            let [word, tag] = way.words[index];
            let unknown = if wide { tag } else { word };
            if is_unknown(unknown) && term_of(unknown).is_none() {
                return Ok(None);
            }
            let term = if wide { self.wide_term(word, tag, sort)? } else { self.word_term(word, sort)? };
            result = Some(match result {
                None => term,
                Some(other) => self.symbolic.terms.ite(way.guard, term, other),
            });
        }
        let Some(term) = result else { return Ok(None) };
        Ok(Some(if wide {
            let (word, tag) = self.term_words(term);
            [word, tag]
        } else {
            [self.term_word(term), 0]
        }))
    }
}

enum Join {
    At(u32),
    Nowhere,
    /// An instruction on the way is not resolved yet.
    NotYet,
}

/// Registers that hold something where ways join.
fn counting(slots: &[Slot]) -> Vec<(u16, Slot)> {
    let holds = |slot: &Slot| !matches!(slot, Slot::Unset | Slot::Half | Slot::Address);
    let all = slots.iter().enumerate().filter(|(_, slot)| holds(slot));
    all.map(|(register, slot)| (register as u16, *slot)).collect()
}

/// Whether an instruction only computes from registers into registers, and cannot throw.
fn is_plain(insn: Insn) -> bool {
    use Code as C;
    match insn.op {
        C::IDivK | C::IRemK => insn.imm != 0,
        C::Nop | C::Mov | C::Mov2 | C::Const | C::Const2 => true,
        C::IAdd | C::ISub | C::IMul | C::INeg | C::IShl | C::IShr | C::IUshr | C::IAnd | C::IOr | C::IXor => {
            true
        }
        C::IAddK | C::IMulK | C::IShlK | C::IShrK | C::IUshrK | C::IAndK | C::IOrK | C::IXorK => true,
        C::LAdd | C::LSub | C::LMul | C::LNeg | C::LShl | C::LShr | C::LUshr | C::LAnd | C::LOr | C::LXor => {
            true
        }
        C::LAddK | C::LMulK | C::LAndK | C::LShlK | C::LShrK | C::LUshrK => true,
        C::FAdd | C::FSub | C::FMul | C::FDiv | C::FNeg | C::DAdd | C::DSub | C::DMul | C::DDiv | C::DNeg => {
            true
        }
        C::I2L | C::I2F | C::I2D | C::L2I | C::L2F | C::L2D | C::F2I | C::F2L | C::F2D => true,
        C::D2I | C::D2L | C::D2F | C::I2B | C::I2C | C::I2S => true,
        C::LCmp | C::FCmpL | C::FCmpG | C::DCmpL | C::DCmpG => true,
        _ => false,
    }
}

/// Comparing references may have to look at objects first.
fn is_about_objects(op: Code) -> bool {
    matches!(op, Code::JRefEq | Code::JRefNe)
}

/// Whether an instruction reads an object or array.
fn is_read(op: Code) -> bool {
    matches!(op, Code::GetF1 | Code::GetF2 | Code::GetF1C | Code::GetF2C | Code::IALoad)
}
