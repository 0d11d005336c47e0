//! Files, read only, of a closed world: the class path as `/cp/0`, `/cp/1`, ... and the JDK's own data as `/jdk`.
//!
//! A jar looks like a folder. An open file is a number in the machine's list of files; where reading stands is kept
//! in the `handle` of the Java file descriptor, so that a rollback takes it back.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, not_modelled, zero, zero_long};

const INPUT: &str = "java/io/FileInputStream";
const SYSTEM: &str = "java/io/UnixFileSystem";
/// Numbers below are the standard streams.
const FIRST: i32 = 3;

pub(super) const TABLE: &[Entry] = &[
    (INPUT, "open0", "(Ljava/lang/String;)V", open),
    (INPUT, "read0", "()I", |m, a| {
        let stream = a.non_null(m, 0)?;
        let mut buffer = [0];
        let count = read(m, stream, &mut buffer)?;
        Ok(Value::int(if count == 0 { -1 } else { i32::from(buffer[0]) }))
    }),
    (INPUT, "readBytes", "([BII)I", read_bytes),
    (INPUT, "available0", "()I", |m, a| {
        let stream = a.non_null(m, 0)?;
        Ok(Value::int(match file(m, stream) {
            Some((_, at, length)) => length.saturating_sub(at).min(i32::MAX as usize) as i32,
            None => m.input_available() as i32,
        }))
    }),
    (INPUT, "length0", "()J", |m, a| {
        let stream = a.non_null(m, 0)?;
        Ok(Value::long(file(m, stream).map_or(0, |(_, _, length)| length as i64)))
    }),
    (INPUT, "position0", "()J", |m, a| {
        let stream = a.non_null(m, 0)?;
        Ok(Value::long(file(m, stream).map_or(0, |(_, at, _)| at as i64)))
    }),
    (INPUT, "skip0", "(J)J", |m, a| {
        let stream = a.non_null(m, 0)?;
        let count = a.long(m, 1);
        let Some((_, at, _)) = file(m, stream) else { return Err(not_modelled("skipping in standard input")) };
        let target = (at as i64).saturating_add(count).max(0);
        set_position(m, stream, target as usize);
        Ok(Value::long(target - at as i64))
    }),
    (INPUT, "isRegularFile0", "(Ljava/io/FileDescriptor;)Z", zero),
    ("java/io/RandomAccessFile", "open0", "(Ljava/lang/String;I)V", |m, a| {
        let path = a.non_null(m, 1)?;
        let text = m.string(path);
        match find(m, &text) {
            Some(_) => Err(not_modelled(format!("random access to {text}"))),
            None => Err(missing(m, &text)),
        }
    }),
    (SYSTEM, "getBooleanAttributes0", "(Ljava/io/File;)I", |m, a| {
        const REGULAR: i32 = 1 | 2;
        const FOLDER: i32 = 1 | 4;
        let path = path_of(m, a)?;
        let found = if is_folder(m, &path) { FOLDER } else { find(m, &path).map_or(0, |_| REGULAR) };
        Ok(Value::int(found))
    }),
    (SYSTEM, "checkAccess", "(Ljava/io/File;I)Z", check_access),
    (SYSTEM, "checkAccess0", "(Ljava/io/File;I)Z", check_access),
    (SYSTEM, "getLength", "(Ljava/io/File;)J", length),
    (SYSTEM, "getLength0", "(Ljava/io/File;)J", length),
    (SYSTEM, "getLastModifiedTime", "(Ljava/io/File;)J", zero_long),
    (SYSTEM, "getLastModifiedTime0", "(Ljava/io/File;)J", zero_long),
];

/// The class path as the program sees it.
pub(super) fn class_path(m: &Machine) -> String {
    let names: Vec<String> = (0..m.program.path.entries().len()).map(|entry| format!("/cp/{entry}")).collect();
    names.join(":")
}

/// An entry of the class path and the rest of the path.
fn in_class_path(path: &str) -> Option<(usize, &str)> {
    let rest = path.strip_prefix("/cp/")?;
    let (entry, name) = rest.split_once('/').unwrap_or((rest, ""));
    Some((entry.parse().ok()?, name))
}

fn is_folder(m: &Machine, path: &str) -> bool {
    let entries = m.program.path.entries().len();
    matches!(path, "/" | "/cp" | "/jdk" | "/jdk/lib" | "/jdk/conf")
        || in_class_path(path).is_some_and(|(entry, name)| entry < entries && name.is_empty())
}

/// The number of the file at a path, opened if need be.
fn find(m: &mut Machine, path: &str) -> Option<usize> {
    if let Some(known) = m.files.iter().position(|(name, _)| name == path) {
        return Some(known);
    }
    let bytes = match in_class_path(path) {
        Some((entry, name)) => m.program.path.entry_resource(entry, name).ok()??.bytes.to_vec(),
        None => {
            // Data the library itself reads: time zones, security settings.
            let name = path.strip_prefix("/jdk/")?;
            let plain = name.split('/').all(|part| !part.is_empty() && part != "..");
            let data = name.starts_with("conf/") || (name.starts_with("lib/") && !name.starts_with("lib/modules"));
            if !plain || !data {
                return None;
            }
            std::fs::read(m.program.path.jdk().home().join(name)).ok()?
        }
    };
    m.files.push((path.to_string(), bytes));
    Some(m.files.len() - 1)
}

fn missing(m: &mut Machine, path: &str) -> Raise {
    let message = format!("{path} (No such file or directory)");
    m.raise("java/io/FileNotFoundException", Some(&message))
}

fn path_of(m: &mut Machine, a: Args) -> Result<String, Raise> {
    let file = a.non_null(m, 1)?;
    let path = Ref::from_word(m.field(file, "path"));
    Ok(if path.is_null() { String::new() } else { m.string(path) })
}

fn check_access(m: &mut Machine, a: Args) -> Return {
    const READ: i32 = 4;
    let path = path_of(m, a)?;
    let mode = a.int(m, 2);
    let there = is_folder(m, &path) || find(m, &path).is_some();
    Ok(Value::bool(there && mode == READ))
}

fn length(m: &mut Machine, a: Args) -> Return {
    let path = path_of(m, a)?;
    Ok(Value::long(find(m, &path).map_or(0, |index| m.files[index].1.len() as i64)))
}

fn open(m: &mut Machine, a: Args) -> Return {
    let stream = a.non_null(m, 0)?;
    let path = a.non_null(m, 1)?;
    let path = m.string(path);
    let Some(index) = find(m, &path) else { return Err(missing(m, &path)) };
    let descriptor = Ref::from_word(m.field(stream, "fd"));
    m.set_field(descriptor, "fd", index as u64 + FIRST as u64);
    m.set_field(descriptor, "handle", 0);
    Ok(Value::Void)
}

/// Index, position and length of the file behind a stream; `None` for standard input.
fn file(m: &Machine, stream: Ref) -> Option<(usize, usize, usize)> {
    let descriptor = Ref::from_word(m.field(stream, "fd"));
    let index = usize::try_from(m.field(descriptor, "fd") as i32 - FIRST).ok()?;
    let length = m.files.get(index)?.1.len();
    Some((index, m.field(descriptor, "handle") as usize, length))
}

fn set_position(m: &mut Machine, stream: Ref, at: usize) {
    let descriptor = Ref::from_word(m.field(stream, "fd"));
    m.set_field(descriptor, "handle", at as u64);
}

/// Reads from a file or from standard input; 0 at the end.
fn read(m: &mut Machine, stream: Ref, buffer: &mut [u8]) -> Result<usize, Raise> {
    if let Some((index, at, length)) = file(m, stream) {
        let count = buffer.len().min(length.saturating_sub(at));
        buffer[..count].copy_from_slice(&m.files[index].1[at..at + count]);
        set_position(m, stream, at + count);
        return Ok(count);
    }
    let descriptor = Ref::from_word(m.field(stream, "fd"));
    if m.field(descriptor, "fd") as i32 != 0 {
        return Err(m.raise("java/io/IOException", Some("Stream Closed")));
    }
    Ok(m.read_input(buffer))
}

fn read_bytes(m: &mut Machine, a: Args) -> Return {
    let stream = a.non_null(m, 0)?;
    let array = a.non_null(m, 1)?;
    let (offset, count) = (a.int(m, 2), a.int(m, 3));
    let range = super::io::range(m, array, offset, count)?;
    if range.is_empty() {
        return Ok(Value::int(0));
    }
    let mut buffer = vec![0; range.len()];
    let read = read(m, stream, &mut buffer)?;
    if read == 0 {
        return Ok(Value::int(-1));
    }
    m.array_bytes_mut(array)[range.start..range.start + read].copy_from_slice(&buffer[..read]);
    Ok(Value::int(read as i32))
}
