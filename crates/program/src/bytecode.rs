//! A method's bytecode as written in the class file: its `Code` attribute, instruction lengths and operands.

use crate::classfile::{Attribute, ClassFile, Malformed, Reader, broken, read_attributes};

/// The `Code` attribute, its nested attributes located but not read.
#[derive(Debug)]
pub struct Body<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: &'a [u8],
    pub handlers: Vec<BodyHandler>,
    pub attributes: Vec<Attribute>,
}

/// A row of the exception table, in bytecode indices.
#[derive(Clone, Copy, Debug)]
pub struct BodyHandler {
    pub start: u16,
    pub end: u16,
    pub target: u16,
    pub class: u16,
}

impl<'a> Body<'a> {
    /// Reads the `Code` attribute among a method's attributes.
    pub fn of(file: &'a ClassFile, attributes: &[Attribute]) -> Result<Option<Body<'a>>, Malformed> {
        let Some(attribute) = file.attribute_at(attributes, "Code") else { return Ok(None) };
        let end = (attribute.start + attribute.len) as usize;
        let mut r = Reader::at(&file.bytes()[..end], attribute.start as usize);
        let max_stack = r.u16()?;
        let max_locals = r.u16()?;
        let len = r.u32()? as usize;
        if len == 0 || len > 65535 {
            return broken(format!("a method body of {len} bytes"));
        }
        let code = r.take(len)?;
        let count = r.u16()?;
        let mut handlers = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let handler = BodyHandler { start: r.u16()?, end: r.u16()?, target: r.u16()?, class: r.u16()? };
            if handler.start >= handler.end || handler.end as usize > len || handler.target as usize >= len {
                return broken("an exception handler outside its method");
            }
            handlers.push(handler);
        }
        let attributes = read_attributes(&mut r)?;
        Ok(Some(Body { max_stack, max_locals, code, handlers, attributes }))
    }

    /// Pairs of bytecode index and source line, sorted by index.
    pub fn lines(&self, file: &ClassFile) -> Vec<(u16, u16)> {
        let mut lines = Vec::new();
        for attribute in &self.attributes {
            if file.utf8_bytes(attribute.name).is_ok_and(|name| name == b"LineNumberTable") {
                let mut r = Reader::new(file.contents(*attribute));
                let Ok(count) = r.u16() else { continue };
                for _ in 0..count {
                    let (Ok(bci), Ok(line)) = (r.u16(), r.u16()) else { break };
                    lines.push((bci, line));
                }
            }
        }
        lines.sort_by_key(|entry| entry.0);
        lines
    }

    pub fn u8(&self, at: usize) -> Result<u8, Malformed> {
        self.code.get(at).copied().ok_or(Malformed::Truncated)
    }

    pub fn u16(&self, at: usize) -> Result<u16, Malformed> {
        Reader::at(self.code, at).u16()
    }

    pub fn i32(&self, at: usize) -> Result<i32, Malformed> {
        Ok(Reader::at(self.code, at).u32()? as i32)
    }

    /// Length in bytes of the instruction at `at`.
    pub fn length(&self, at: usize) -> Result<usize, Malformed> {
        let op = self.u8(at)?;
        Ok(match op {
            TABLESWITCH => {
                let base = (at + 4) & !3;
                let (low, high) = (self.i32(base + 4)?, self.i32(base + 8)?);
                let count = i64::from(high) - i64::from(low) + 1;
                if !(1..=16384).contains(&count) {
                    return broken("a tableswitch with bad bounds");
                }
                base + 12 + 4 * count as usize - at
            }
            LOOKUPSWITCH => {
                let base = (at + 4) & !3;
                let count = self.i32(base + 4)?;
                if !(0..=8192).contains(&count) {
                    return broken("a lookupswitch with bad bounds");
                }
                base + 8 + 8 * count as usize - at
            }
            WIDE => {
                if self.u8(at + 1)? == IINC {
                    6
                } else {
                    4
                }
            }
            0..=201 => LENGTHS[op as usize] as usize,
            _ => return broken(format!("unknown opcode {op}")),
        })
    }

    /// The target of a branch written at `at` with its offset at `at + 1`.
    pub fn branch(&self, at: usize) -> Result<usize, Malformed> {
        let offset = match self.u8(at)? {
            GOTO_W | JSR_W => self.i32(at + 1)?,
            _ => i32::from(self.u16(at + 1)? as i16),
        };
        self.target(at, offset)
    }

    /// The bytecode index `offset` away from `at`.
    pub fn target(&self, at: usize, offset: i32) -> Result<usize, Malformed> {
        let target = at as i64 + i64::from(offset);
        match usize::try_from(target) {
            Ok(target) if target < self.code.len() => Ok(target),
            _ => broken(format!("a branch at {at} leaves the method")),
        }
    }

    /// Keys and targets of the switch at `at`, and its default target.
    pub fn switch(&self, at: usize) -> Result<(Vec<(i32, usize)>, usize), Malformed> {
        self.length(at)?;
        let base = (at + 4) & !3;
        let default = self.target(at, self.i32(base)?)?;
        let mut cases = Vec::new();
        if self.u8(at)? == TABLESWITCH {
            let (low, high) = (self.i32(base + 4)?, self.i32(base + 8)?);
            for (i, key) in (low..=high).enumerate() {
                cases.push((key, self.target(at, self.i32(base + 12 + 4 * i)?)?));
            }
        } else {
            for i in 0..self.i32(base + 4)? as usize {
                let key = self.i32(base + 8 + 8 * i)?;
                cases.push((key, self.target(at, self.i32(base + 12 + 8 * i)?)?));
            }
            if cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
                return broken("a lookupswitch whose keys are not sorted");
            }
        }
        Ok((cases, default))
    }
}

pub const IINC: u8 = 132;
pub const GOTO: u8 = 167;
pub const JSR: u8 = 168;
pub const RET: u8 = 169;
pub const TABLESWITCH: u8 = 170;
pub const LOOKUPSWITCH: u8 = 171;
pub const ATHROW: u8 = 191;
pub const WIDE: u8 = 196;
pub const IFNULL: u8 = 198;
pub const IFNONNULL: u8 = 199;
pub const GOTO_W: u8 = 200;
pub const JSR_W: u8 = 201;

/// True for `if*`, `goto`, `jsr` and their relatives: instructions with one branch target.
pub fn is_branch(op: u8) -> bool {
    matches!(op, 153..=168 | IFNULL | IFNONNULL | GOTO_W | JSR_W)
}

/// True when control never falls through to the next instruction.
pub fn ends_block(op: u8) -> bool {
    matches!(op, GOTO | GOTO_W | RET | TABLESWITCH | LOOKUPSWITCH | 172..=177 | ATHROW)
}

#[rustfmt::skip]
const LENGTHS: [u8; 202] = {
    let mut lengths = [1u8; 202];
    lengths[16] = 2; lengths[17] = 3; lengths[18] = 2; lengths[19] = 3; lengths[20] = 3;
    let mut op = 21; while op <= 25 { lengths[op] = 2; op += 1; }
    let mut op = 54; while op <= 58 { lengths[op] = 2; op += 1; }
    lengths[132] = 3;
    let mut op = 153; while op <= 168 { lengths[op] = 3; op += 1; }
    lengths[169] = 2;
    let mut op = 178; while op <= 184 { lengths[op] = 3; op += 1; }
    lengths[185] = 5; lengths[186] = 5; lengths[187] = 3; lengths[188] = 2; lengths[189] = 3;
    lengths[192] = 3; lengths[193] = 3; lengths[197] = 4; lengths[198] = 3; lengths[199] = 3;
    lengths[200] = 5; lengths[201] = 5;
    lengths
};
