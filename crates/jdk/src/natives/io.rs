//! `java.io`: standard streams are real, files are those of [`crate::files`].

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, nothing, zero, zero_long};
use crate::files::{self, Node};

const FILE: &str = "java/io/FileDescriptor";
const INPUT: &str = "java/io/FileInputStream";
const OUTPUT: &str = "java/io/FileOutputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const SYSTEM: &str = "java/io/UnixFileSystem";

pub(super) const TABLE: &[Entry] = &[
    (FILE, "getHandle", "(I)J", |_, _| Ok(Value::long(-1))),
    (FILE, "getAppend", "(I)Z", zero),
    (FILE, "close0", "()V", |m, a| {
        let descriptor = a.non_null(m, 0)?;
        m.set_field(descriptor, "fd", u64::from(u32::MAX));
        Ok(Value::Void)
    }),
    (FILE, "sync", "()V", nothing),
    (FILE, "sync0", "()V", nothing),
    ("java/io/FileCleanable", "cleanupClose0", "(IJ)V", nothing),
    (OUTPUT, "writeBytes", "([BIIZ)V", write_bytes),
    (OUTPUT, "write", "(IZ)V", |m, a| {
        let byte = a.int(m, 1) as u8;
        write(m, a, &[byte])
    }),
    (OUTPUT, "open0", "(Ljava/lang/String;Z)V", refuse_output),
    (INPUT, "open0", "(Ljava/lang/String;)V", open),
    (INPUT, "readBytes", "([BII)I", read_bytes),
    (INPUT, "read0", "()I", read_byte),
    (INPUT, "available0", "()I", |m, a| {
        let descriptor = descriptor(m, a)?;
        let available = match m.field(descriptor, "fd") as i32 {
            0 => m.input_available() as u64,
            number => files::length(m, number).unwrap_or(0).saturating_sub(files::position(m, descriptor)),
        };
        Ok(Value::int(available.min(i32::MAX as u64) as i32))
    }),
    (INPUT, "skip0", "(J)J", |m, a| {
        let descriptor = descriptor(m, a)?;
        let count = a.long(m, 1);
        if m.field(descriptor, "fd") as i32 == 0 {
            return Err(m.raise("java/io/IOException", Some("Illegal seek")));
        }
        let at = files::position(m, descriptor);
        let to = at.saturating_add_signed(count);
        files::seek(m, descriptor, to);
        Ok(Value::long(to as i64 - at as i64))
    }),
    (INPUT, "isRegularFile0", "(Ljava/io/FileDescriptor;)Z", |m, a| {
        let descriptor = a.non_null(m, 1)?;
        Ok(Value::bool(m.field(descriptor, "fd") as i32 > 2))
    }),
    (INPUT, "length0", "()J", length),
    (INPUT, "position0", "()J", position),
    (RANDOM, "open0", "(Ljava/lang/String;I)V", |m, a| {
        // O_RDONLY is 1 in `RandomAccessFile`.
        if a.int(m, 2) & 1 == 0 { refuse_output(m, a) } else { open(m, a) }
    }),
    (RANDOM, "read0", "()I", read_byte),
    (RANDOM, "readBytes", "([BII)I", read_bytes),
    (RANDOM, "readBytes0", "([BII)I", read_bytes),
    (RANDOM, "getFilePointer", "()J", position),
    (RANDOM, "seek0", "(J)V", |m, a| {
        let descriptor = descriptor(m, a)?;
        let to = a.long(m, 1).max(0) as u64;
        files::seek(m, descriptor, to);
        Ok(Value::Void)
    }),
    (RANDOM, "length", "()J", length),
    (RANDOM, "length0", "()J", length),
    ("java/io/Console", "istty", "()Z", zero),
    ("java/io/Console", "ttyStatus", "()I", zero),
    ("java/io/Console", "instantiateConsole", "", super::null),
    ("java/io/Console", "encoding", "()Ljava/lang/String;", super::null),
    (SYSTEM, "canonicalize0", "(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
        let path = a.non_null(m, 1)?;
        let path = files::normalize(&m.string(path));
        Ok(Value::reference(m.new_string(&path)?))
    }),
    (SYSTEM, "getBooleanAttributes0", "(Ljava/io/File;)I", |m, a| {
        // BA_EXISTS, BA_REGULAR, BA_DIRECTORY
        let node = file_at(m, a)?;
        Ok(Value::int(node.map_or(0, |node| match node {
            Node::Folder => 5,
            Node::File { .. } => 3,
            Node::Random => 1,
        })))
    }),
    (SYSTEM, "checkAccess", "(Ljava/io/File;I)Z", check_access),
    (SYSTEM, "checkAccess0", "(Ljava/io/File;I)Z", check_access),
    (SYSTEM, "getLastModifiedTime", "(Ljava/io/File;)J", zero_long),
    (SYSTEM, "getLastModifiedTime0", "(Ljava/io/File;)J", zero_long),
    (SYSTEM, "getLength", "(Ljava/io/File;)J", file_length),
    (SYSTEM, "getLength0", "(Ljava/io/File;)J", file_length),
    (SYSTEM, "getSpace", "(Ljava/io/File;I)J", zero_long),
    (SYSTEM, "getSpace0", "(Ljava/io/File;I)J", zero_long),
    (SYSTEM, "getNameMax0", "(Ljava/lang/String;)J", |_, _| Ok(Value::long(255))),
    (SYSTEM, "createFileExclusively", "(Ljava/lang/String;)Z", create),
    (SYSTEM, "createFileExclusively0", "(Ljava/lang/String;)Z", create),
    (SYSTEM, "createDirectory", "(Ljava/io/File;)Z", zero),
    (SYSTEM, "createDirectory0", "(Ljava/io/File;)Z", zero),
    (SYSTEM, "delete0", "(Ljava/io/File;)Z", zero),
    (SYSTEM, "rename0", "(Ljava/io/File;Ljava/io/File;)Z", zero),
    (SYSTEM, "setPermission", "(Ljava/io/File;IZZ)Z", zero),
    (SYSTEM, "setPermission0", "(Ljava/io/File;IZZ)Z", zero),
    (SYSTEM, "setLastModifiedTime", "(Ljava/io/File;J)Z", zero),
    (SYSTEM, "setLastModifiedTime0", "(Ljava/io/File;J)Z", zero),
    (SYSTEM, "setReadOnly", "(Ljava/io/File;)Z", zero),
    (SYSTEM, "setReadOnly0", "(Ljava/io/File;)Z", zero),
    (SYSTEM, "list", "(Ljava/io/File;)[Ljava/lang/String;", list),
    (SYSTEM, "list0", "(Ljava/io/File;)[Ljava/lang/String;", list),
];

/// The `FileDescriptor` of the stream the native was called on.
fn descriptor(m: &mut Machine, a: Args) -> Result<Ref, Raise> {
    let stream = a.non_null(m, 0)?;
    let descriptor = Ref::from_word(m.field(stream, "fd"));
    if descriptor.is_null() || (m.field(descriptor, "fd") as i32) < 0 {
        return Err(m.raise("java/io/IOException", Some("Stream Closed")));
    }
    Ok(descriptor)
}

fn write(m: &mut Machine, a: Args, bytes: &[u8]) -> Return {
    let descriptor = descriptor(m, a)?;
    match m.field(descriptor, "fd") as i32 {
        1 => m.write(0, bytes)?,
        2 => m.write(1, bytes)?,
        _ => return Err(m.raise("java/io/IOException", Some("Bad file descriptor"))),
    }
    Ok(Value::Void)
}

fn range(m: &mut Machine, array: Ref, offset: i32, count: i32) -> Result<std::ops::Range<usize>, Raise> {
    let length = m.heap.length(array);
    if offset < 0 || count < 0 || i64::from(offset) + i64::from(count) > i64::from(length) {
        return Err(m.raise("java/lang/IndexOutOfBoundsException", None));
    }
    Ok(offset as usize..(offset + count) as usize)
}

fn write_bytes(m: &mut Machine, a: Args) -> Return {
    let array = a.non_null(m, 1)?;
    let (offset, count) = (a.int(m, 2), a.int(m, 3));
    let range = range(m, array, offset, count)?;
    m.ensure_room(range.len() as u64)?;
    let bytes = m.heap.bytes(array, m.heap.length(array) as usize)[range].to_vec();
    write(m, a, &bytes)
}

fn read(m: &mut Machine, a: Args, count: usize) -> Result<Vec<u8>, Raise> {
    let descriptor = descriptor(m, a)?;
    match files::read(m, descriptor, count) {
        Some(bytes) => Ok(bytes),
        None => Err(m.raise("java/io/IOException", Some("Bad file descriptor"))),
    }
}

fn read_byte(m: &mut Machine, a: Args) -> Return {
    let bytes = read(m, a, 1)?;
    Ok(Value::int(bytes.first().map_or(-1, |byte| i32::from(*byte))))
}

fn read_bytes(m: &mut Machine, a: Args) -> Return {
    let array = a.non_null(m, 1)?;
    let (offset, count) = (a.int(m, 2), a.int(m, 3));
    let range = range(m, array, offset, count)?;
    if range.is_empty() {
        return Ok(Value::int(0));
    }
    // The bytes, and what they replace.
    m.ensure_room(2 * range.len() as u64)?;
    let bytes = read(m, a, range.len())?;
    if bytes.is_empty() {
        return Ok(Value::int(-1));
    }
    m.array_bytes_mut(array)[range.start..range.start + bytes.len()].copy_from_slice(&bytes);
    Ok(Value::int(bytes.len() as i32))
}

fn length(m: &mut Machine, a: Args) -> Return {
    let descriptor = descriptor(m, a)?;
    let number = m.field(descriptor, "fd") as i32;
    Ok(Value::long(files::length(m, number).unwrap_or(0) as i64))
}

fn position(m: &mut Machine, a: Args) -> Return {
    let descriptor = descriptor(m, a)?;
    Ok(Value::long(files::position(m, descriptor) as i64))
}

fn open(m: &mut Machine, a: Args) -> Return {
    let stream = a.non_null(m, 0)?;
    let path = a.non_null(m, 1)?;
    let path = m.string(path);
    match files::open(m, &path) {
        Ok(number) => {
            let descriptor = Ref::from_word(m.field(stream, "fd"));
            m.set_field(descriptor, "fd", u64::from(number as u32));
            files::seek(m, descriptor, 0);
            Ok(Value::Void)
        }
        Err(error) => Err(not_found(m, &path, error)),
    }
}

fn not_found(m: &mut Machine, path: &str, error: files::Errno) -> Raise {
    let message = format!("{path} ({})", files::error_text(error.number()));
    m.raise("java/io/FileNotFoundException", Some(&message))
}

fn refuse_output(m: &mut Machine, a: Args) -> Return {
    let path = a.non_null(m, 1)?;
    let path = m.string(path);
    let error = match files::find(m, &path) {
        Some(Node::Folder) => files::Errno::IsAFolder,
        _ => files::refuse_change(m, &path),
    };
    Err(not_found(m, &path, error))
}

fn create(m: &mut Machine, a: Args) -> Return {
    let path = a.non_null(m, 1)?;
    let path = m.string(path);
    if files::find(m, &path).is_some() {
        return Ok(Value::bool(false));
    }
    let error = files::refuse_change(m, &path);
    Err(m.raise("java/io/IOException", Some(files::error_text(error.number()))))
}

/// The path of a `File` argument.
fn path(m: &mut Machine, a: Args) -> Result<String, Raise> {
    let file = a.non_null(m, 1)?;
    let path = Ref::from_word(m.field(file, "path"));
    Ok(if path.is_null() { String::new() } else { m.string(path) })
}

/// A file with an empty path does not exist, although the current folder does.
fn file_at(m: &mut Machine, a: Args) -> Result<Option<Node>, Raise> {
    let path = path(m, a)?;
    Ok(if path.is_empty() { None } else { files::find(m, &path) })
}

fn check_access(m: &mut Machine, a: Args) -> Return {
    // ACCESS_EXECUTE, ACCESS_WRITE, ACCESS_READ
    let wanted = a.int(m, 2);
    let given = match file_at(m, a)? {
        None => 0,
        Some(Node::Folder) => 5,
        Some(_) => 4,
    };
    Ok(Value::bool(wanted & !given == 0))
}

fn file_length(m: &mut Machine, a: Args) -> Return {
    Ok(Value::long(match file_at(m, a)? {
        Some(Node::File { length }) => length as i64,
        _ => 0,
    }))
}

fn list(m: &mut Machine, a: Args) -> Return {
    let path = path(m, a)?;
    match files::children(m, &path) {
        Ok(names) => {
            let names: Vec<Option<String>> = names.into_iter().map(Some).collect();
            Ok(Value::reference(super::system::string_array(m, &names)?))
        }
        Err(_) => Ok(Value::reference(Ref::NULL)),
    }
}
