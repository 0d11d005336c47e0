//! The local variables of a method at one place: from the debug information, or else by what was stored in them.

use crate::bytecode::{Body, WIDE};
use crate::class::MethodId;
use crate::classfile::{ClassFile, Malformed, Reader};
use crate::descriptor::Kind;
use crate::effect::call_signature;
use crate::flow::{Flow, Slot, State, Trust, analyse};
use crate::link::Program;

/// A local variable that has a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// As in the source, or `local3`.
    pub name: String,
    pub slot: u16,
    pub kind: Kind,
}

impl Program {
    /// The local variables of a method before the instruction at `bci`.
    pub fn locals(&self, id: MethodId, bci: u16) -> Vec<Local> {
        let method = self.method(id);
        let class = self.class(method.class);
        let Some(file) = &class.file else { return Vec::new() };
        let Some(info) = file.methods.get(method.index as usize) else { return Vec::new() };
        let Ok(Some(body)) = Body::of(file, &info.attributes) else { return Vec::new() };
        let mut locals = named(file, &body, bci).unwrap_or_else(|| {
            let flow = analyse(file, &body, &method.argument_kinds(), Trust::User);
            flow.and_then(|flow| stored(&flow, &body, bci)).unwrap_or_default()
        });
        locals.sort_by_key(|local| local.slot);
        locals
    }
}

impl Program {
    /// What each register of a method holds where a block begins: locals first, then the stack.
    pub fn slots_at(&self, id: MethodId, bci: u16) -> Option<Vec<Slot>> {
        let method = self.method(id);
        let file = self.class(method.class).file.as_ref()?;
        let body = Body::of(file, &file.methods.get(method.index as usize)?.attributes).ok()??;
        let flow = analyse(file, &body, &method.argument_kinds(), Trust::User).ok()?;
        let mut slots = flow.locals_at(usize::from(bci))?;
        for slot in flow.stack_at(usize::from(bci))? {
            slots.push(slot);
            slots.extend((slot.width() == 2).then_some(Slot::Half));
        }
        Some(slots)
    }
}

/// Where the arguments of a call are while it is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// Still on the stack of the caller: the instruction will be executed again, or is no call.
    NotYet,
    /// The callee has them.
    Already,
}

impl Program {
    /// Which registers of a method hold references while it is at the instruction at `bci`: locals first, then the stack.
    /// Registers behind those that are told hold nothing.
    pub fn references_at(&self, id: MethodId, bci: u16, passed: Passed) -> Option<Vec<bool>> {
        let method = self.method(id);
        let file = self.class(method.class).file.as_ref()?;
        let body = Body::of(file, &file.methods.get(method.index as usize)?.attributes).ok()??;
        let flow = analyse(file, &body, &method.argument_kinds(), Trust::User).ok()?;
        let at = usize::from(bci);
        let State { stack, mut locals } = flow.before(file, &body, Trust::User, at)?;
        let op = body.u8(at).ok()?;
        let arguments = match passed {
            Passed::Already if INVOKES.contains(&op) => {
                let signature = call_signature(file, op, body.u16(at + 1).ok()?).ok()?;
                // Static calls and call sites have no receiver.
                signature.slots + u16::from(op != 184 && op != 186)
            }
            _ => 0,
        };
        let own = stack.len().checked_sub(usize::from(arguments))?;
        locals.extend_from_slice(stack.get(..own)?);
        Some(locals.iter().map(|slot| *slot == Slot::Ref).collect())
    }
}

/// `invokevirtual` to `invokedynamic`.
const INVOKES: std::ops::RangeInclusive<u8> = 182..=186;

/// From the `LocalVariableTable`.
fn named(file: &ClassFile, body: &Body, bci: u16) -> Option<Vec<Local>> {
    let mut r = Reader::new(file.attribute(&body.attributes, "LocalVariableTable")?);
    let mut locals = Vec::new();
    for _ in 0..r.u16().ok()? {
        let (start, length, name, descriptor, slot) =
            (r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?);
        if (u32::from(start)..u32::from(start) + u32::from(length)).contains(&u32::from(bci)) {
            let kind = Kind::of(&file.utf8(descriptor).ok()?)?;
            locals.push(Local { name: file.utf8(name).ok()?.into_owned(), slot, kind });
        }
    }
    Some(locals)
}

/// From the kinds at the start of the block, and the stores since.
fn stored(flow: &Flow, body: &Body, bci: u16) -> Result<Vec<Local>, Malformed> {
    let mut at = usize::from(bci);
    // There is no instruction behind the end.
    body.u8(at)?;
    while at > 0 && !flow.leaders[at] {
        at -= 1;
    }
    let mut slots = flow.locals_at(at).unwrap_or_default();
    while at < usize::from(bci) {
        let (slot, stored) = match body.u8(at)? {
            op @ 54..=58 => (u16::from(body.u8(at + 1)?), op - 54),
            op @ 59..=78 => (u16::from((op - 59) % 4), (op - 59) / 4),
            WIDE if (54..=58).contains(&body.u8(at + 1)?) => (body.u16(at + 2)?, body.u8(at + 1)? - 54),
            _ => (u16::MAX, 0),
        };
        if let Some(place) = slots.get_mut(usize::from(slot)) {
            *place = [Slot::Int, Slot::Long, Slot::Float, Slot::Double, Slot::Ref][usize::from(stored)];
        }
        at += body.length(at)?;
    }
    let kind = |slot: &Slot| match slot {
        Slot::Int => Some(Kind::Int),
        Slot::Long => Some(Kind::Long),
        Slot::Float => Some(Kind::Float),
        Slot::Double => Some(Kind::Double),
        Slot::Ref => Some(Kind::Ref),
        Slot::Unset | Slot::Half | Slot::Address => None,
    };
    let local = |(slot, held): (usize, &Slot)| {
        Some(Local { name: format!("local{slot}"), slot: slot as u16, kind: kind(held)? })
    };
    Ok(slots.iter().enumerate().filter_map(local).collect())
}
