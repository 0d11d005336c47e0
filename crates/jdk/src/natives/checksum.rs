//! `java.util.zip` checksums.

use machine::{Args, Machine, Raise, Return, Value};

use super::{Entry, not_modelled};

const CRC: &str = "java/util/zip/CRC32";
const ADLER: &str = "java/util/zip/Adler32";

pub(super) const TABLE: &[Entry] = &[
    (CRC, "update", "(II)I", |m, a| one_byte(m, a, crc32)),
    (CRC, "updateBytes0", "(I[BII)I", |m, a| array(m, a, crc32)),
    (CRC, "updateByteBuffer0", "(IJII)I", |m, a| buffer(m, a, crc32)),
    (ADLER, "update", "(II)I", |m, a| one_byte(m, a, adler32)),
    (ADLER, "updateBytes", "(I[BII)I", |m, a| array(m, a, adler32)),
    (ADLER, "updateByteBuffer", "(IJII)I", |m, a| buffer(m, a, adler32)),
];

type Sum = fn(u32, &[u8]) -> u32;

fn one_byte(m: &mut Machine, a: Args, sum: Sum) -> Return {
    let (start, byte) = (a.int(m, 0) as u32, a.int(m, 1) as u8);
    Ok(Value::int(sum(start, &[byte]) as i32))
}

fn array(m: &mut Machine, a: Args, sum: Sum) -> Return {
    let array = a.non_null(m, 1)?;
    let (offset, count) = (a.int(m, 2), a.int(m, 3));
    let bytes = m.heap.bytes(array, m.array_bytes(array));
    let range = usize::try_from(offset).ok().zip(usize::try_from(count).ok());
    match range.and_then(|(from, count)| bytes.get(from..from.checked_add(count)?)) {
        Some(bytes) => Ok(Value::int(sum(a.int(m, 0) as u32, bytes) as i32)),
        None => Err(m.raise("java/lang/ArrayIndexOutOfBoundsException", None)),
    }
}

fn buffer(m: &mut Machine, a: Args, sum: Sum) -> Return {
    let (start, address, offset, count) = (a.int(m, 0) as u32, a.long(m, 1), a.int(m, 3), a.int(m, 4));
    let outside = || -> Raise { not_modelled("a buffer outside allocated memory") };
    let count = usize::try_from(count).map_err(|_| outside())?;
    let bytes = m.raw.read((address + i64::from(offset)) as u64, count).ok_or_else(outside)?;
    Ok(Value::int(sum(start, bytes) as i32))
}

/// CRC-32 of zlib, continued from `start`.
fn crc32(start: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!start, |mut crc, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
        crc
    })
}

/// Adler-32 of zlib, continued from `start`.
fn adler32(start: u32, bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let (mut a, mut b) = (start & 0xFFFF, start >> 16);
    for byte in bytes {
        a = (a + u32::from(*byte)) % MODULUS;
        b = (b + a) % MODULUS;
    }
    b << 16 | a
}
