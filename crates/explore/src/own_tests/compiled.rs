//! What the code of a class file pushes as it is: numbers and texts, in the order of the code.

use program::bytecode::Body;
use program::{ClassFile, Constant};

use super::Literal;

const LDC: u8 = 18;
const LDC_W: u8 = 19;
const LDC2_W: u8 = 20;
const DUP: u8 = 89;
const NEWARRAY: u8 = 188;
const ANEWARRAY: u8 = 189;

pub(super) fn literals(file: &ClassFile) -> Vec<Literal> {
    let bodies = file.methods.iter().filter_map(|method| Body::of(file, &method.attributes).ok().flatten());
    bodies.flat_map(|body| literals_of(file, &body)).collect()
}

fn literals_of(file: &ClassFile, body: &Body) -> Vec<Literal> {
    let mut found = Vec::new();
    let (mut at, mut before) = (0, 0);
    while let (Ok(op), Ok(length)) = (body.u8(at), body.length(at)) {
        let next = body.u8(at + length).unwrap_or_default();
        // Sizes of arrays, and places in them, are no values of the test.
        let is_of_array = before == DUP || matches!(next, NEWARRAY | ANEWARRAY);
        if let Some(literal) = pushed(file, body, (at, op)).filter(|_| !is_of_array) {
            found.push(literal);
        }
        (at, before) = (at + length, op);
    }
    found
}

fn pushed(file: &ClassFile, body: &Body, (at, op): (usize, u8)) -> Option<Literal> {
    let index = match op {
        2..=8 => return Some(Literal::Number(i64::from(op) - 3)),
        9..=10 => return Some(Literal::Number(i64::from(op) - 9)),
        11..=13 => return Some(Literal::Fraction(f64::from(op) - 11.0)),
        14..=15 => return Some(Literal::Fraction(f64::from(op) - 14.0)),
        16 => return Some(Literal::Number(i64::from(body.u8(at + 1).ok()? as i8))),
        17 => return Some(Literal::Number(i64::from(body.u16(at + 1).ok()? as i16))),
        LDC => u16::from(body.u8(at + 1).ok()?),
        LDC_W | LDC2_W => body.u16(at + 1).ok()?,
        _ => return None,
    };
    Some(match file.constant(index).ok()? {
        Constant::Integer(number) => Literal::Number(i64::from(number)),
        Constant::Long(number) => Literal::Number(number),
        Constant::Float(number) => Literal::Fraction(f64::from(number)),
        Constant::Double(number) => Literal::Fraction(number),
        Constant::String { utf8 } => Literal::Text(file.utf8(utf8).ok()?.encode_utf16().collect()),
        _ => return None,
    })
}
