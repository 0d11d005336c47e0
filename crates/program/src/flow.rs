//! Data flow over bytecode: basic block starts and the operand stack at each of them.
//!
//! For code from the class path the kinds of locals are checked as well, so that no bytecode, however broken, can
//! make the machine take a number for a reference. Reference types are not tracked: accesses check them at run time.

use crate::bytecode::{Body, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, WIDE, ends_block, is_branch};
use crate::classfile::{ClassFile, Malformed, broken};
use crate::descriptor::Kind;
use crate::effect::Step;

/// What one slot of a local or of the stack holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    Unset,
    Int,
    Float,
    Long,
    Double,
    /// The second half of a `long` or `double`.
    Half,
    Ref,
    /// A return address of `jsr`.
    Address,
}

impl Slot {
    pub fn of(kind: Kind) -> Option<Slot> {
        Some(match kind.on_stack() {
            Kind::Int => Slot::Int,
            Kind::Float => Slot::Float,
            Kind::Long => Slot::Long,
            Kind::Double => Slot::Double,
            Kind::Ref => Slot::Ref,
            _ => return None,
        })
    }

    pub fn width(self) -> u16 {
        if matches!(self, Slot::Long | Slot::Double) { 2 } else { 1 }
    }
}

/// How much of a body is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// JDK code: only the stack shape is computed.
    Library,
    /// Anything else: locals are checked too.
    User,
}

/// The result: which bytecode indices start a block, and the stack there if it is reachable.
#[derive(Debug)]
pub struct Flow {
    pub leaders: Vec<bool>,
    pub starts: Vec<bool>,
    entry: Vec<Option<State>>,
}

impl Flow {
    /// The locals at a reachable block start, one entry per slot.
    pub fn locals_at(&self, bci: usize) -> Option<Vec<Slot>> {
        Some(self.entry.get(bci)?.as_ref()?.locals.clone())
    }

    /// The stack at a reachable block start, one entry per value (not per slot).
    pub fn stack_at(&self, bci: usize) -> Option<Vec<Slot>> {
        let state = self.entry.get(bci)?.as_ref()?;
        Some(state.stack.iter().copied().filter(|slot| *slot != Slot::Half).collect())
    }
}

impl Flow {
    /// What is known before the instruction at `bci`, if it is reachable.
    pub(crate) fn before(&self, file: &ClassFile, body: &Body, trust: Trust, bci: usize) -> Option<State> {
        if !*self.starts.get(bci)? {
            return None;
        }
        let mut at = (0..=bci).rev().find(|at| self.leaders[*at])?;
        let mut state = self.entry[at].clone()?;
        while at < bci {
            let mut step = Step { body, file, state: &mut state, trust };
            step.run(at, body.u8(at).ok()?).ok()?;
            at += body.length(at).ok()?;
        }
        Some(state)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct State {
    pub stack: Vec<Slot>,
    pub locals: Vec<Slot>,
}

/// How many slots may be joined in one analysis, which takes time and memory. The most that was seen in a million
/// methods of compilers is a hundredth of it, but handlers, branches and locals may each be 65535, and are multiplied.
const JOINED: usize = 1 << 24;

/// Runs the analysis. `parameters` are the kinds at entry, the receiver included.
pub fn analyse(file: &ClassFile, body: &Body, parameters: &[Kind], trust: Trust) -> Result<Flow, Malformed> {
    let len = body.code.len();
    let mut starts = vec![false; len];
    let mut leaders = vec![false; len];
    let mut at = 0;
    leaders[0] = true;
    while at < len {
        starts[at] = true;
        let op = body.u8(at)?;
        let next = at + body.length(at)?;
        if is_branch(op) {
            leaders[body.branch(at)?] = true;
        } else if op == TABLESWITCH || op == LOOKUPSWITCH {
            let (cases, default) = body.switch(at)?;
            leaders[default] = true;
            for (_, target) in cases {
                leaders[target] = true;
            }
        }
        if (is_branch(op) || ends_block(op)) && next < len {
            leaders[next] = true;
        }
        at = next;
    }
    if at != len {
        return broken("the last instruction is cut off");
    }
    for handler in &body.handlers {
        leaders[handler.target as usize] = true;
        leaders[handler.start as usize] = true;
    }
    if (0..len).any(|i| leaders[i] && !starts[i]) {
        return broken("a branch into the middle of an instruction");
    }

    let mut locals = Vec::new();
    for kind in parameters {
        let slot = Slot::of(*kind).ok_or_else(|| Malformed::Broken("a void parameter".into()))?;
        locals.push(slot);
        if slot.width() == 2 {
            locals.push(Slot::Half);
        }
    }
    if locals.len() > body.max_locals as usize {
        return broken("more parameters than locals");
    }
    match trust {
        Trust::User => locals.resize(body.max_locals as usize, Slot::Unset),
        Trust::Library => locals.clear(),
    }
    let mut analysis = Analysis {
        file,
        body,
        trust,
        entry: vec![None; len],
        pending: Vec::new(),
        left: JOINED,
        return_points: Vec::new(),
        subroutine_exits: Vec::new(),
    };
    analysis.meet(0, &State { stack: Vec::new(), locals })?;
    while let Some(start) = analysis.pending.pop() {
        analysis.block(start, &leaders)?;
    }
    Ok(Flow { leaders, starts, entry: analysis.entry })
}

struct Analysis<'a> {
    file: &'a ClassFile,
    body: &'a Body<'a>,
    trust: Trust,
    entry: Vec<Option<State>>,
    pending: Vec<usize>,
    /// How many slots may still be joined.
    left: usize,
    return_points: Vec<(usize, Vec<Slot>)>,
    subroutine_exits: Vec<Vec<Slot>>,
}

impl Analysis<'_> {
    /// Joins a state into a block start and schedules the block if that changed anything.
    fn meet(&mut self, at: usize, state: &State) -> Result<(), Malformed> {
        self.spend(1 + state.stack.len() + state.locals.len())?;
        match &mut self.entry[at] {
            None => {
                self.entry[at] = Some(state.clone());
                self.pending.push(at);
            }
            Some(known) => {
                if known.stack != state.stack {
                    return broken(format!("two stack shapes meet at {at}"));
                }
                let mut changed = false;
                for (a, b) in known.locals.iter_mut().zip(&state.locals) {
                    if *a != *b && *a != Slot::Unset {
                        *a = Slot::Unset;
                        changed = true;
                    }
                }
                if changed {
                    self.pending.push(at);
                }
            }
        }
        Ok(())
    }

    fn spend(&mut self, slots: usize) -> Result<(), Malformed> {
        match self.left.checked_sub(slots) {
            Some(left) => self.left = left,
            None => return broken("a method has too many branches, handlers and locals to be checked"),
        }
        Ok(())
    }

    fn block(&mut self, start: usize, leaders: &[bool]) -> Result<(), Malformed> {
        let mut state = self.entry[start].clone().expect("scheduled blocks have a state");
        let mut at = start;
        // A range of a handler begins where a block does, so it has the whole rest of a block or nothing.
        self.meet_handlers(at, &state)?;
        loop {
            let op = self.body.u8(at)?;
            let next = at + self.body.length(at)?;
            let mut step = Step { body: self.body, file: self.file, state: &mut state, trust: self.trust };
            step.run(at, op)?;
            if self.trust == Trust::User && stores(op) {
                self.meet_handlers(at, &state)?;
            }
            if op == JSR || op == JSR_W {
                let target = self.body.branch(at)?;
                self.return_points.push((next, state.stack.clone()));
                let mut inside = state.clone();
                inside.stack.push(Slot::Address);
                self.check_depth(&inside)?;
                self.meet(target, &inside)?;
                let after = state.stack.clone();
                if self.trust == Trust::Library {
                    self.fall_into(next, &state)?;
                } else {
                    for locals in self.subroutine_exits.clone() {
                        self.fall_into(next, &State { stack: after.clone(), locals })?;
                    }
                }
                return Ok(());
            }
            if op == RET || (op == WIDE && self.body.u8(at + 1)? == RET) {
                self.spend(self.subroutine_exits.len() * state.locals.len())?;
                if self.trust == Trust::User && !self.subroutine_exits.contains(&state.locals) {
                    self.subroutine_exits.push(state.locals.clone());
                    for (point, stack) in self.return_points.clone() {
                        self.fall_into(point, &State { stack, locals: state.locals.clone() })?;
                    }
                }
                return Ok(());
            }
            self.check_depth(&state)?;
            if is_branch(op) {
                let target = self.body.branch(at)?;
                self.meet(target, &state)?;
            } else if op == TABLESWITCH || op == LOOKUPSWITCH {
                let (cases, default) = self.body.switch(at)?;
                self.meet(default, &state)?;
                for (_, target) in cases {
                    self.meet(target, &state)?;
                }
            }
            if ends_block(op) {
                return Ok(());
            }
            if next >= self.body.code.len() {
                return broken("control falls off the end of a method");
            }
            if leaders[next] {
                return self.meet(next, &state);
            }
            at = next;
        }
    }

    fn fall_into(&mut self, next: usize, state: &State) -> Result<(), Malformed> {
        if next >= self.body.code.len() {
            return broken("control falls off the end of a method");
        }
        self.meet(next, state)
    }

    fn check_depth(&self, state: &State) -> Result<(), Malformed> {
        if state.stack.len() > self.body.max_stack as usize {
            return broken("the operand stack overflows");
        }
        Ok(())
    }

    fn meet_handlers(&mut self, at: usize, state: &State) -> Result<(), Malformed> {
        let mut caught: Option<State> = None;
        self.spend(self.body.handlers.len())?;
        for i in 0..self.body.handlers.len() {
            let handler = self.body.handlers[i];
            if (handler.start as usize..handler.end as usize).contains(&at) {
                if self.trust == Trust::Library && self.entry[handler.target as usize].is_some() {
                    continue;
                }
                let caught = caught
                    .get_or_insert_with(|| State { stack: vec![Slot::Ref], locals: state.locals.clone() });
                self.check_depth(caught)?;
                self.meet(handler.target as usize, caught)?;
            }
        }
        Ok(())
    }
}

/// Whether an instruction may change what a local holds: `istore` to `astore_3`, and their wide forms.
fn stores(op: u8) -> bool {
    matches!(op, 54..=78 | WIDE)
}
