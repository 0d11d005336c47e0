//! Helpful `NullPointerException` messages (JEP 358), worked out from the bytecode around the fault.
//!
//! For each instruction up to the fault we find out which instruction pushed each slot of the operand stack. The
//! pusher of the slot that was null is then put into words, which may need the pushers of its own operands.

use machine::Machine;
use program::bytecode::{Body, GOTO_W, IINC, JSR_W, LOOKUPSWITCH, TABLESWITCH, WIDE, ends_block, is_branch};
use program::classfile::Reader;
use program::effect::{call_signature, field_kind};
use program::{ClassFile, Constant, Kind, Method, MethodId};

/// How deep an expression is followed before the rest is left out, as in HotSpot.
const DETAIL: u32 = 5;

/// The message for a null met by the instruction at `bci`; `None` when no instruction there can meet one.
pub(crate) fn message(m: &Machine, method: MethodId, bci: u16) -> Option<String> {
    let method = m.program.method(method);
    let file = m.program.class(method.class).file.as_ref()?;
    let body = Body::of(file, &file.methods.get(method.index as usize)?.attributes).ok()??;
    let code = Described { file, body: &body, method };
    let at = bci as usize;
    let slot = code.null_slot(at)?;
    let action = code.action(at)?;
    let stacks = stacks_until(file, &body, at);
    let cause = code.cause(&stacks, at, slot);
    Some(format!("{action}{cause}"))
}

/// The stack before one instruction.
#[derive(Clone)]
struct Stack {
    /// Which instruction pushed each slot; `None` when that depends on the way taken.
    pushed_by: Vec<Option<usize>>,
    /// The first 64 locals that were stored to on the way here.
    written: u64,
}

impl Stack {
    /// Keeps what both agree on.
    fn meet(&mut self, other: &Stack) {
        for (mine, theirs) in self.pushed_by.iter_mut().zip(&other.pushed_by) {
            if mine != theirs {
                *mine = None;
            }
        }
        self.written |= other.written;
    }

    fn pop(&mut self, slots: usize) -> Option<()> {
        let len = self.pushed_by.len().checked_sub(slots)?;
        self.pushed_by.truncate(len);
        Some(())
    }

    fn push(&mut self, at: usize, slots: usize) {
        self.pushed_by.extend(std::iter::repeat_n(Some(at), slots));
    }

    fn store(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }

    fn was_written(&self, local: u16) -> bool {
        local >= 64 || self.written & (1 << local) != 0
    }

    /// The slot `depth` below the top.
    fn pusher(&self, depth: usize) -> Option<usize> {
        let index = self.pushed_by.len().checked_sub(depth + 1)?;
        self.pushed_by[index]
    }
}

/// Sweeps over the code in order until the fault has a stack. What lies behind the fault counts only if the fault
/// cannot be reached without it: that is where HotSpot stops too, and it shows in the names of parameters.
fn stacks_until(file: &ClassFile, body: &Body, fault: usize) -> Vec<Option<Stack>> {
    let len = body.code.len();
    let mut stacks: Vec<Option<Stack>> = vec![None; len];
    stacks[0] = Some(Stack { pushed_by: Vec::new(), written: 0 });
    for handler in &body.handlers {
        let target = handler.target as usize;
        stacks[target].get_or_insert(Stack { pushed_by: vec![Some(target)], written: 0 });
    }
    loop {
        let known = stacks.iter().flatten().count();
        let mut complete = true;
        let mut at = 0;
        while at < len {
            let Ok(length) = body.length(at) else { return stacks };
            match stacks[at].clone() {
                Some(before) => {
                    if flow(file, body, at, before, &mut stacks).is_none() {
                        return stacks;
                    }
                }
                None => complete = false,
            }
            at += length;
            if at == fault && stacks[at].is_some() {
                return stacks;
            }
        }
        if complete || stacks.iter().flatten().count() == known {
            return stacks;
        }
    }
}

/// Executes one instruction on `stack` and hands the result to the instructions that can follow.
fn flow(
    file: &ClassFile,
    body: &Body,
    at: usize,
    mut stack: Stack,
    stacks: &mut [Option<Stack>],
) -> Option<()> {
    let op = body.u8(at).ok()?;
    let next = at + body.length(at).ok()?;
    step(file, body, at, op, &mut stack)?;
    let mut targets = Vec::new();
    // A subroutine call does not fall through, and the way back from one is not known.
    let jumps_away = ends_block(op) || matches!(op, 168 | JSR_W);
    if !jumps_away {
        targets.push(next);
    }
    if is_branch(op) {
        targets.push(body.branch(at).ok()?);
    } else if matches!(op, TABLESWITCH | LOOKUPSWITCH) {
        let (cases, default) = body.switch(at).ok()?;
        targets.push(default);
        targets.extend(cases.into_iter().map(|(_, target)| target));
    }
    for target in targets {
        let place = stacks.get_mut(target)?;
        if let Some(known) = place {
            stack.meet(known);
        }
        *place = Some(stack.clone());
    }
    Some(())
}

/// The effect of the instruction at `at`.
fn step(file: &ClassFile, body: &Body, at: usize, op: u8, stack: &mut Stack) -> Option<()> {
    if let Some((_, local)) = local_access(body, at)
        && stores(op, body, at)
    {
        stack.store(local);
    }
    if (89..=95).contains(&op) {
        return shuffle(op, stack);
    }
    let index = || body.u16(at + 1).ok();
    let (pops, pushes) = match op {
        178..=181 => {
            let width = usize::from(field_kind(file, index()?).ok()?.width());
            [(0, width), (width, 0), (1, width), (1 + width, 0)][(op - 178) as usize]
        }
        182..=186 => {
            let signature = call_signature(file, op, index()?).ok()?;
            let receiver = usize::from(op != 184 && op != 186);
            (usize::from(signature.slots) + receiver, usize::from(signature.result.width()))
        }
        18..=20 => (0, if op == 20 { 2 } else { 1 }),
        197 => (usize::from(body.u8(at + 3).ok()?), 1),
        WIDE => fixed_effect(body.u8(at + 1).ok()?)?,
        // A cast hands on what was there.
        192 => return Some(()),
        _ => fixed_effect(op)?,
    };
    stack.pop(pops)?;
    stack.push(at, pushes);
    Some(())
}

/// Slots popped and pushed by instructions whose operands do not matter for that.
fn fixed_effect(op: u8) -> Option<(usize, usize)> {
    let wide = |letter: u8| if letter & 1 == 1 { 2 } else { 1 };
    Some(match op {
        0 | IINC | 167 | 169 | 177 | GOTO_W => (0, 0),
        1..=8 | 11..=13 | 16 | 17 | 168 | 187 | JSR_W => (0, 1),
        9 | 10 | 14 | 15 => (0, 2),
        21..=25 => (0, wide(op - 21)),
        26..=45 => (0, wide((op - 26) >> 2)),
        46..=53 => (2, if matches!(op, 47 | 49) { 2 } else { 1 }),
        54..=58 => (wide(op - 54), 0),
        59..=78 => (wide((op - 59) >> 2), 0),
        79..=86 => (if matches!(op, 80 | 82) { 4 } else { 3 }, 0),
        87 => (1, 0),
        88 => (2, 0),
        96..=115 => (2 * wide((op - 96) & 3), wide((op - 96) & 3)),
        116..=119 => (wide(op - 116), wide(op - 116)),
        120..=125 => (1 + wide(op & 1), wide(op & 1)),
        126..=131 => (2 * wide(op & 1), wide(op & 1)),
        133 | 135 | 140 | 141 => (1, 2),
        134 | 139 | 145..=147 => (1, 1),
        136 | 137 | 142 | 144 => (2, 1),
        138 | 143 => (2, 2),
        148 | 151 | 152 => (4, 1),
        149 | 150 => (2, 1),
        153..=158 | TABLESWITCH | LOOKUPSWITCH | 172 | 174 | 176 | 191 | 194 | 195 | 198 | 199 => (1, 0),
        159..=166 | 173 | 175 => (2, 0),
        188..=190 | 193 => (1, 1),
        _ => return None,
    })
}

/// `dup` and its relatives: the top slots are copied below those under them.
fn shuffle(op: u8, stack: &mut Stack) -> Option<()> {
    let (take, under) = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (1, 1)][(op - 89) as usize];
    let slots = &mut stack.pushed_by;
    let from = slots.len().checked_sub(take + under)?;
    if op == 95 {
        slots.swap(from, from + 1);
    } else {
        let top = slots[from + under..].to_vec();
        slots.splice(from..from, top);
    }
    Some(())
}

/// The opcode and local of a load, store or increment, with `wide` looked through.
fn local_access(body: &Body, at: usize) -> Option<(u8, u16)> {
    match body.u8(at).ok()? {
        WIDE => Some((body.u8(at + 1).ok()?, body.u16(at + 2).ok()?)),
        op @ (21..=25 | 54..=58 | IINC | 169) => Some((op, u16::from(body.u8(at + 1).ok()?))),
        op @ 26..=45 => Some((21 + ((op - 26) >> 2), u16::from((op - 26) & 3))),
        op @ 59..=78 => Some((54 + ((op - 59) >> 2), u16::from((op - 59) & 3))),
        _ => None,
    }
}

fn stores(op: u8, body: &Body, at: usize) -> bool {
    matches!(op, 54..=78) || (op == WIDE && body.u8(at + 1).is_ok_and(|op| matches!(op, 54..=58)))
}

/// The method a message is about.
struct Described<'a> {
    file: &'a ClassFile,
    body: &'a Body<'a>,
    method: &'a Method,
}

impl Described<'_> {
    /// How far below the top of the stack the reference lies that the instruction follows.
    fn null_slot(&self, at: usize) -> Option<usize> {
        let op = self.body.u8(at).ok()?;
        Some(match op {
            180 | 190 | 191 | 194 | 195 => 0,
            46..=53 => 1,
            79 | 81 | 83..=86 => 2,
            80 | 82 => 3,
            181 => usize::from(field_kind(self.file, self.index(at)?).ok()?.width()),
            182 | 183 | 185 => {
                // A constructor call stands for `new NullPointerException()`, which explains itself.
                let (_, name, _) = self.member(at)?;
                if name == "<init>" {
                    return None;
                }
                usize::from(call_signature(self.file, op, self.index(at)?).ok()?.slots)
            }
            _ => return None,
        })
    }

    /// What could not be done.
    fn action(&self, at: usize) -> Option<String> {
        const ELEMENTS: [&str; 8] =
            ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"];
        Some(match self.body.u8(at).ok()? {
            op @ 46..=53 => format!("Cannot load from {} array", ELEMENTS[(op - 46) as usize]),
            op @ 79..=86 => format!("Cannot store to {} array", ELEMENTS[(op - 79) as usize]),
            190 => "Cannot read the array length".into(),
            191 => "Cannot throw exception".into(),
            194 => "Cannot enter synchronized block".into(),
            195 => "Cannot exit synchronized block".into(),
            180 => format!("Cannot read field \"{}\"", self.member(at)?.1),
            181 => format!("Cannot assign field \"{}\"", self.member(at)?.1),
            _ => format!("Cannot invoke \"{}\"", self.method_text(at)?),
        })
    }

    /// ` because "..." is null`, or nothing when the pusher is not known.
    fn cause(&self, stacks: &[Option<Stack>], at: usize, slot: usize) -> String {
        let Some(source) = stacks[at].as_ref().and_then(|stack| stack.pusher(slot)) else {
            return String::new();
        };
        let called = self.body.u8(source).is_ok_and(|op| matches!(op, 182..=185));
        let lead = if called { " because the return value of \"" } else { " because \"" };
        match self.expression(stacks, at, slot, DETAIL) {
            Some(text) => format!("{lead}{text}\" is null"),
            // HotSpot has begun the sentence by then, and leaves it at that.
            None if !called => lead.to_string(),
            None => String::new(),
        }
    }

    /// The value `slot` below the top at `at`, the way source would write it.
    fn expression(&self, stacks: &[Option<Stack>], at: usize, slot: usize, detail: u32) -> Option<String> {
        if detail == 0 {
            return None;
        }
        let stack = stacks[at].as_ref()?;
        let source = stack.pusher(slot)?;
        if let Some((21 | 25, local)) = local_access(self.body, source) {
            return Some(self.local_text(source, local, !stack.was_written(local)));
        }
        Some(match self.body.u8(source).ok()? {
            1 => "null".into(),
            op @ 2..=8 => (i32::from(op) - 3).to_string(),
            16 => (self.body.u8(source + 1).ok()? as i8).to_string(),
            // Not sign-extended there either.
            17 => self.body.u16(source + 1).ok()?.to_string(),
            46 | 50 => {
                let array =
                    self.expression(stacks, source, 1, detail - 1).unwrap_or_else(|| "<array>".into());
                let index = self.expression(stacks, source, 0, detail).unwrap_or_else(|| "...".into());
                format!("{array}[{index}]")
            }
            178 => {
                let (class, name, _) = self.member(source)?;
                format!("{}.{name}", class_text(&class))
            }
            180 => {
                let (_, name, _) = self.member(source)?;
                match self.expression(stacks, source, 0, detail - 1) {
                    Some(owner) => format!("{owner}.{name}"),
                    None => name,
                }
            }
            182..=185 => self.method_text(source)?,
            _ => return None,
        })
    }

    /// The name of a local, or what can be said about it without debug information.
    fn local_text(&self, at: usize, local: u16, unwritten: bool) -> String {
        if let Some(name) = self.local_name(at, local) {
            return name;
        }
        let receiver = u16::from(!self.method.is_static());
        if unwritten && receiver == 1 && local == 0 {
            return "this".into();
        }
        let mut first = receiver;
        for (i, kind) in self.method.signature.parameters.iter().enumerate() {
            if unwritten && (first..first + kind.width()).contains(&local) {
                return format!("<parameter{}>", i + 1);
            }
            first += kind.width();
        }
        format!("<local{local}>")
    }

    fn local_name(&self, at: usize, local: u16) -> Option<String> {
        let contents = self.file.attribute(&self.body.attributes, "LocalVariableTable")?;
        let mut r = Reader::new(contents);
        for _ in 0..r.u16().ok()? {
            let (start, len, name, _, slot) =
                (r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?);
            let range = usize::from(start)..usize::from(start) + usize::from(len);
            if slot == local && range.contains(&at) {
                return Some(self.file.utf8(name).ok()?.into_owned());
            }
        }
        None
    }

    /// The constant pool index after the opcode.
    fn index(&self, at: usize) -> Option<u16> {
        self.body.u16(at + 1).ok()
    }

    /// Class, name and descriptor of the member the instruction names.
    fn member(&self, at: usize) -> Option<(String, String, String)> {
        let (class, name_and_type) = match self.file.constant(self.index(at)?).ok()? {
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => (class, name_and_type),
            _ => return None,
        };
        let (name, descriptor) = self.file.name_and_type(name_and_type).ok()?;
        let class = self.file.class_name(class).ok()?;
        Some((class.into_owned(), name.into_owned(), descriptor.into_owned()))
    }

    /// `String.substring(int, int)`.
    fn method_text(&self, at: usize) -> Option<String> {
        let (class, name, descriptor) = self.member(at)?;
        let (parameters, _) = program::descriptor::split_method(&descriptor)?;
        let parameters: Vec<String> = parameters.into_iter().map(parameter_text).collect();
        Some(format!("{}.{name}({})", class_text(&class), parameters.join(", ")))
    }
}

fn class_text(internal: &str) -> String {
    match internal {
        "java/lang/Object" => "Object".into(),
        "java/lang/String" => "String".into(),
        other => other.replace('/', "."),
    }
}

/// A parameter's type. The two commonest classes, and all whose names begin like theirs, lose their package.
fn parameter_text(descriptor: &str) -> String {
    let text = machine::external_type(descriptor);
    if Kind::of(descriptor) == Some(Kind::Ref)
        && (text.starts_with("java.lang.Object") || text.starts_with("java.lang.String"))
    {
        return text["java.lang.".len()..].to_string();
    }
    text
}
