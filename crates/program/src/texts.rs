//! What `javac` makes of a switch over texts: a switch over hash codes that finds out which text it is, and then the one that
//! was written, over numbers. The first is the compiler's own affair: that two texts have one hash code is nothing that a
//! program asks for.

use std::collections::BTreeSet;

use crate::bytecode::Body;
use crate::classfile::{ClassFile, Constant};

const ICONST_M1: u8 = 0x02;
const ICONST_5: u8 = 0x08;
const BIPUSH: u8 = 0x10;
const SIPUSH: u8 = 0x11;
const LDC: u8 = 0x12;
const LDC_W: u8 = 0x13;
const ILOAD: u8 = 0x15;
const ILOAD_0: u8 = 0x1a;
const ILOAD_3: u8 = 0x1d;
const ALOAD: u8 = 0x19;
const ALOAD_0: u8 = 0x2a;
const ALOAD_3: u8 = 0x2d;
const ISTORE: u8 = 0x36;
const ISTORE_0: u8 = 0x3b;
const ISTORE_3: u8 = 0x3e;
const IFEQ: u8 = 0x99;
const TABLESWITCH: u8 = 0xaa;
const LOOKUPSWITCH: u8 = 0xab;
const INVOKEVIRTUAL: u8 = 0xb6;

/// Where the instructions are that find out which text it is: switches over hash codes, and jumps that compare.
pub(crate) fn comparing(file: &ClassFile, body: &Body) -> BTreeSet<u16> {
    let reader = Texts { file, body };
    let (mut found, mut at) = (BTreeSet::new(), 0);
    while let Ok(length) = body.length(at) {
        if reader.calls(at, "hashCode", "()I").is_some() {
            found.extend(reader.switch(at + length).into_iter().flatten());
        }
        at += length;
    }
    found
}

struct Texts<'a> {
    file: &'a ClassFile,
    body: &'a Body<'a>,
}

impl Texts<'_> {
    fn op(&self, at: usize) -> Option<u8> {
        self.body.u8(at).ok()
    }

    /// What comes after an instruction if it is one of these: those with an operand of one byte, and short ones.
    fn after(&self, at: usize, long: u8, short: std::ops::RangeInclusive<u8>) -> Option<usize> {
        match self.op(at)? {
            op if op == long => Some(at + 2),
            op if short.contains(&op) => Some(at + 1),
            _ => None,
        }
    }

    /// What comes after a call of a method of `String`.
    fn calls(&self, at: usize, name: &str, descriptor: &str) -> Option<usize> {
        if self.op(at)? != INVOKEVIRTUAL {
            return None;
        }
        let Ok(Constant::Method { class, name_and_type }) = self.file.constant(self.body.u16(at + 1).ok()?)
        else {
            return None;
        };
        let is_text = self.file.class_name(class).ok()? == "java/lang/String"
            || self.file.class_name(class).ok()? == "java/lang/Object";
        let called = self.file.name_and_type(name_and_type).ok()?;
        (is_text && called.0 == name && called.1 == descriptor).then_some(at + 3)
    }

    /// The instructions of a switch over hash codes, if it is one that a compiler made.
    fn switch(&self, at: usize) -> Option<Vec<u16>> {
        let (targets, end) = self.targets(at)?;
        // The switch that was written begins with the number that was found out.
        let written = self.after(end, ILOAD, ILOAD_0..=ILOAD_3)?;
        if !matches!(self.op(written)?, TABLESWITCH | LOOKUPSWITCH) {
            return None;
        }
        let mut found = vec![u16::try_from(at).ok()?];
        for mut target in targets {
            while target != end {
                let (jump, next) = self.comparison(target)?;
                // Texts that come back to where they were are none that a compiler compares.
                if next <= target {
                    return None;
                }
                found.push(u16::try_from(jump).ok()?);
                target = next;
            }
        }
        Some(found)
    }

    /// Where a switch leads, and where it leads otherwise.
    fn targets(&self, at: usize) -> Option<(BTreeSet<usize>, usize)> {
        let body = self.body;
        let base = (at + 4) & !3;
        let to = |place: usize| usize::try_from(at as i64 + i64::from(body.i32(place).ok()?)).ok();
        let places: Vec<usize> = match self.op(at)? {
            TABLESWITCH => {
                let count = body.i32(base + 8).ok()?.checked_sub(body.i32(base + 4).ok()?)?;
                (0..=usize::try_from(count).ok()?).map(|case| base + 12 + 4 * case).collect()
            }
            LOOKUPSWITCH => {
                let count = usize::try_from(body.i32(base + 4).ok()?).ok()?;
                (0..count).map(|case| base + 12 + 8 * case).collect()
            }
            _ => return None,
        };
        let end = to(base)?;
        let targets: Option<BTreeSet<usize>> = places.into_iter().map(to).collect();
        Some((targets?, end))
    }

    /// One text that is compared, and the number of its case: where the jump is, and where it leads if it is another text.
    fn comparison(&self, at: usize) -> Option<(usize, usize)> {
        let text = self.after(at, ALOAD, ALOAD_0..=ALOAD_3)?;
        let (index, call) = match self.op(text)? {
            LDC => (u16::from(self.op(text + 1)?), text + 2),
            LDC_W => (self.body.u16(text + 1).ok()?, text + 3),
            _ => return None,
        };
        if !matches!(self.file.constant(index), Ok(Constant::String { .. })) {
            return None;
        }
        let jump = self.calls(call, "equals", "(Ljava/lang/Object;)Z")?;
        if self.op(jump)? != IFEQ {
            return None;
        }
        let number = jump + 3;
        let store = match self.op(number)? {
            ICONST_M1..=ICONST_5 => number + 1,
            BIPUSH => number + 2,
            SIPUSH => number + 3,
            _ => return None,
        };
        self.after(store, ISTORE, ISTORE_0..=ISTORE_3)?;
        let offset = self.body.u16(jump + 1).ok()?.cast_signed();
        Some((jump, usize::try_from(jump as i64 + i64::from(offset)).ok()?))
    }
}
