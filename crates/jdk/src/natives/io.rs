//! Streams: standard input and output are real, everything else is a closed world.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, nothing, zero, zero_long};

pub(super) const TABLE: &[Entry] = &[
    ("java/io/FileDescriptor", "getHandle", "(I)J", |_, _| Ok(Value::long(-1))),
    ("java/io/FileDescriptor", "getAppend", "(I)Z", zero),
    ("java/io/FileDescriptor", "close0", "()V", nothing),
    ("java/io/FileDescriptor", "sync", "()V", nothing),
    ("java/io/FileDescriptor", "sync0", "()V", nothing),
    ("java/io/FileCleanable", "cleanupClose0", "(IJ)V", nothing),
    ("java/io/FileOutputStream", "writeBytes", "([BIIZ)V", write_bytes),
    ("java/io/FileOutputStream", "write", "(IZ)V", |m, a| {
        let byte = a.int(m, 1) as u8;
        write(m, a, &[byte])
    }),
    ("java/io/FileOutputStream", "open0", "(Ljava/lang/String;Z)V", no_such_file),
    ("java/io/Console", "istty", "()Z", zero),
    ("java/io/UnixFileSystem", "canonicalize0", "(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
        Ok(Value::reference(a.reference(m, 1)))
    }),
    ("java/io/UnixFileSystem", "createFileExclusively", "(Ljava/lang/String;)Z", denied),
    ("java/io/UnixFileSystem", "createFileExclusively0", "(Ljava/lang/String;)Z", denied),
    ("java/io/UnixFileSystem", "createDirectory", "(Ljava/io/File;)Z", zero),
    ("java/io/UnixFileSystem", "createDirectory0", "(Ljava/io/File;)Z", zero),
    ("java/io/UnixFileSystem", "delete0", "(Ljava/io/File;)Z", zero),
    ("java/io/UnixFileSystem", "rename0", "(Ljava/io/File;Ljava/io/File;)Z", zero),
    ("java/io/UnixFileSystem", "list", "(Ljava/io/File;)[Ljava/lang/String;", super::null),
    ("java/io/UnixFileSystem", "list0", "(Ljava/io/File;)[Ljava/lang/String;", super::null),
];

/// The number behind the stream's file descriptor.
fn descriptor(m: &Machine, stream: Ref) -> i32 {
    let fd = Ref::from_word(m.field(stream, "fd"));
    m.field(fd, "fd") as i32
}

fn write(m: &mut Machine, a: Args, bytes: &[u8]) -> Return {
    let stream = a.non_null(m, 0)?;
    match descriptor(m, stream) {
        1 => m.write(0, bytes),
        2 => m.write(1, bytes),
        _ => return Err(m.raise("java/io/IOException", Some("Stream Closed"))),
    }
    Ok(Value::Void)
}

pub(super) fn range(m: &mut Machine, array: Ref, offset: i32, count: i32) -> Result<std::ops::Range<usize>, Raise> {
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
    let bytes = m.heap.bytes(array, m.heap.length(array) as usize)[range].to_vec();
    write(m, a, &bytes)
}

fn no_such_file(m: &mut Machine, a: Args) -> Return {
    let path = a.non_null(m, 1)?;
    let message = format!("{} (No such file or directory)", m.string(path));
    Err(m.raise("java/io/FileNotFoundException", Some(&message)))
}

fn denied(m: &mut Machine, _: Args) -> Return {
    Err(m.raise("java/io/IOException", Some("Permission denied")))
}
