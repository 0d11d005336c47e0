//! `java.nio.file` and file channels over [`crate::files`].

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, not_modelled, nothing, zero, zero_long};
use crate::files::{self, Errno, Node};

const UNIX: &str = "sun/nio/fs/UnixNativeDispatcher";
const LINUX: &str = "sun/nio/fs/LinuxNativeDispatcher";
const OLD: &str = "sun/nio/ch/FileDispatcherImpl";
const NEW: &str = "sun/nio/ch/UnixFileDispatcherImpl";
const CHANNEL: &str = "sun/nio/ch/FileChannelImpl";
const IO: &str = "sun/nio/ch/IOUtil";
const THREAD: &str = "sun/nio/ch/NativeThread";

pub(super) const TABLE: &[Entry] = &[
    (UNIX, "init", "()I", zero),
    (UNIX, "getcwd", "()[B", |m, _| Ok(Value::reference(m.new_bytes(b"/")?))),
    (UNIX, "strerror", "(I)[B", |m, a| {
        let text = files::error_text(a.int(m, 0));
        Ok(Value::reference(m.new_bytes(text.as_bytes())?))
    }),
    (UNIX, "open0", "(JII)I", open),
    (UNIX, "close0", "(I)V", nothing),
    (UNIX, "dup", "(I)I", |m, a| Ok(Value::int(a.int(m, 0)))),
    (UNIX, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)V", |m, a| stat(m, a, 2)),
    (UNIX, "lstat0", "(JLsun/nio/fs/UnixFileAttributes;)V", |m, a| stat(m, a, 2)),
    // Since JDK 21 the error number comes back instead of an exception.
    (UNIX, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)I", |m, a| match stat_node(m, a)? {
        Some(node) => {
            let attributes = a.non_null(m, 2)?;
            fill_attributes(m, attributes, node);
            Ok(Value::int(0))
        }
        None => Ok(Value::int(Errno::NotFound.number())),
    }),
    (UNIX, "stat1", "(J)I", |m, a| {
        let node = stat_node(m, a)?;
        Ok(Value::int(node.map_or(0, mode)))
    }),
    (UNIX, "fstat", "(ILsun/nio/fs/UnixFileAttributes;)V", fstat),
    (UNIX, "fstat0", "(ILsun/nio/fs/UnixFileAttributes;)V", fstat),
    (UNIX, "access0", "(JI)V", |m, a| match access(m, a)? {
        None => Ok(Value::Void),
        Some(error) => Err(unix_exception(m, error)),
    }),
    (UNIX, "access0", "(JI)I", |m, a| Ok(Value::int(access(m, a)?.map_or(0, Errno::number)))),
    (UNIX, "exists0", "(J)Z", |m, a| Ok(Value::bool(stat_node(m, a)?.is_some()))),
    (UNIX, "realpath0", "(J)[B", |m, a| {
        let path = path_at(m, a.long(m, 0))?;
        match files::find(m, &path) {
            Some(_) => Ok(Value::reference(m.new_bytes(files::normalize(&path).as_bytes())?)),
            None => Err(unix_exception(m, Errno::NotFound)),
        }
    }),
    (UNIX, "readlink0", "(J)[B", |m, a| {
        let error = if stat_node(m, a)?.is_some() { Errno::Invalid } else { Errno::NotFound };
        Err(unix_exception(m, error))
    }),
    (UNIX, "mkdir0", "(JI)V", |m, a| {
        let path = path_at(m, a.long(m, 0))?;
        let error =
            if files::find(m, &path).is_some() { Errno::Exists } else { files::refuse_change(m, &path) };
        Err(unix_exception(m, error))
    }),
    (UNIX, "unlink0", "(J)V", remove),
    (UNIX, "rmdir0", "(J)V", remove),
    (UNIX, "rename0", "(JJ)V", remove),
    (UNIX, "chmod0", "(JI)V", remove),
    (UNIX, "chown0", "(JII)V", remove),
    (UNIX, "lchown0", "(JII)V", remove),
    (UNIX, "utimes0", "(JJJ)V", remove),
    (UNIX, "lutimes0", "(JJJ)V", remove),
    (UNIX, "link0", "(JJ)V", remove),
    (UNIX, "symlink0", "(JJ)V", |m, a| {
        let path = path_at(m, a.long(m, 2))?;
        let error =
            if files::find(m, &path).is_some() { Errno::Exists } else { files::refuse_change(m, &path) };
        Err(unix_exception(m, error))
    }),
    (UNIX, "opendir0", "(J)J", open_folder),
    (UNIX, "closedir", "(J)V", |m, a| {
        let address = a.long(m, 0) as u64;
        m.raw.free(address);
        Ok(Value::Void)
    }),
    (UNIX, "readdir", "(J)[B", read_folder),
    (UNIX, "readdir0", "(J)[B", read_folder),
    (UNIX, "getpwuid", "(I)[B", |m, _| Ok(Value::reference(m.new_bytes(b"user")?))),
    (UNIX, "getgrgid", "(I)[B", |m, _| Ok(Value::reference(m.new_bytes(b"user")?))),
    (UNIX, "fchmodatNoFollowSupported0", "()Z", zero),
    (LINUX, "init", "()V", nothing),
    (LINUX, "posix_fadvise", "(IJJI)I", zero),
    (OLD, "init", "()V", nothing),
    (OLD, "init0", "()V", nothing),
    ("sun/nio/ch/UnixDispatcher", "init", "()V", nothing),
    ("sun/nio/ch/UnixDispatcher", "close0", "(Ljava/io/FileDescriptor;)V", nothing),
    ("sun/nio/ch/UnixDispatcher", "preClose0", "(Ljava/io/FileDescriptor;)V", nothing),
    (OLD, "close0", "(Ljava/io/FileDescriptor;)V", nothing),
    (OLD, "preClose0", "(Ljava/io/FileDescriptor;)V", nothing),
    (OLD, "closeIntFD", "(I)V", nothing),
    (NEW, "closeIntFD", "(I)V", nothing),
    (OLD, "read0", "(Ljava/io/FileDescriptor;JI)I", read),
    (NEW, "read0", "(Ljava/io/FileDescriptor;JI)I", read),
    (OLD, "pread0", "(Ljava/io/FileDescriptor;JIJ)I", read_at),
    (NEW, "pread0", "(Ljava/io/FileDescriptor;JIJ)I", read_at),
    (OLD, "write0", "(Ljava/io/FileDescriptor;JI)I", write),
    (NEW, "write0", "(Ljava/io/FileDescriptor;JI)I", write),
    (OLD, "size0", "(Ljava/io/FileDescriptor;)J", size),
    (NEW, "size0", "(Ljava/io/FileDescriptor;)J", size),
    (OLD, "seek0", "(Ljava/io/FileDescriptor;J)J", seek),
    (NEW, "seek0", "(Ljava/io/FileDescriptor;J)J", seek),
    (NEW, "available0", "(Ljava/io/FileDescriptor;)I", |m, a| {
        let descriptor = a.non_null(m, 0)?;
        let length = files::length(m, m.field(descriptor, "fd") as i32).unwrap_or(0);
        let rest = length.saturating_sub(files::position(m, descriptor));
        Ok(Value::int(rest.min(i32::MAX as u64) as i32))
    }),
    (NEW, "isOther0", "(Ljava/io/FileDescriptor;)Z", zero),
    (NEW, "allocationGranularity0", "()J", |_, _| Ok(Value::long(4096))),
    (CHANNEL, "initIDs", "()J", |_, _| Ok(Value::long(4096))),
    (CHANNEL, "maxDirectTransferSize0", "()I", |_, _| Ok(Value::int(i32::MAX))),
    (THREAD, "init", "()V", nothing),
    (THREAD, "current", "()J", zero_long),
    (THREAD, "current0", "()J", zero_long),
    (THREAD, "signal", "(J)V", nothing),
    (THREAD, "signal0", "(J)V", nothing),
    (THREAD, "supportPendingSignals0", "()Z", zero),
    (IO, "iovMax", "()I", |_, _| Ok(Value::int(1024))),
    (IO, "writevMax", "()J", |_, _| Ok(Value::long(i64::from(i32::MAX)))),
    (IO, "fdLimit", "()I", |_, _| Ok(Value::int(1024))),
    (IO, "configureBlocking", "(Ljava/io/FileDescriptor;Z)V", nothing),
    (IO, "fdVal", "(Ljava/io/FileDescriptor;)I", |m, a| {
        let descriptor = a.non_null(m, 0)?;
        Ok(Value::int(m.field(descriptor, "fd") as i32))
    }),
    (IO, "setfdVal", "(Ljava/io/FileDescriptor;I)V", |m, a| {
        let descriptor = a.non_null(m, 0)?;
        let number = a.word(m, 1);
        m.set_field(descriptor, "fd", number);
        Ok(Value::Void)
    }),
];

/// The NUL-terminated path at an address.
fn path_at(m: &mut Machine, address: i64) -> Result<String, Raise> {
    let mut bytes = Vec::new();
    loop {
        let at = (address as u64).wrapping_add(bytes.len() as u64);
        match m.raw.read(at, 1) {
            Some([0]) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Some(byte) => bytes.push(byte[0]),
            None => return Err(not_modelled("a path outside allocated memory")),
        }
    }
}

fn unix_exception(m: &mut Machine, error: Errno) -> Raise {
    let raise = m.raise("sun/nio/fs/UnixException", None);
    if let Raise::Throw(exception) = raise {
        m.set_field(exception, "errno", error.number() as u64);
    }
    raise
}

fn open(m: &mut Machine, a: Args) -> Return {
    let path = path_at(m, a.long(m, 0))?;
    let flags = a.int(m, 2);
    // O_ACCMODE, O_CREAT and O_EXCL of Linux
    let (writes, creates, fresh) = (flags & 3 != 0, flags & 0o100 != 0, flags & 0o200 != 0);
    let result = match files::find(m, &path) {
        Some(_) if creates && fresh => Err(Errno::Exists),
        Some(Node::Folder) if writes => Err(Errno::IsAFolder),
        Some(_) if writes => Err(Errno::ReadOnly),
        Some(_) => files::open(m, &path),
        None if creates => Err(files::refuse_change(m, &path)),
        None => Err(Errno::NotFound),
    };
    match result {
        Ok(number) => Ok(Value::int(number)),
        Err(error) => Err(unix_exception(m, error)),
    }
}

fn stat_node(m: &mut Machine, a: Args) -> Result<Option<Node>, Raise> {
    let path = path_at(m, a.long(m, 0))?;
    Ok(files::find(m, &path))
}

/// `st_mode`.
fn mode(node: Node) -> i32 {
    match node {
        Node::Folder => 0o040_555,
        Node::File { .. } => 0o100_444,
        Node::Random => 0o020_444,
    }
}

fn fill_attributes(m: &mut Machine, attributes: Ref, node: Node) {
    m.set_field(attributes, "st_mode", mode(node) as u64);
    m.set_field(attributes, "st_nlink", 1);
    if let Node::File { length } = node {
        m.set_field(attributes, "st_size", length);
    }
}

fn stat(m: &mut Machine, a: Args, slot: usize) -> Return {
    match stat_node(m, a)? {
        Some(node) => {
            let attributes = a.non_null(m, slot)?;
            fill_attributes(m, attributes, node);
            Ok(Value::Void)
        }
        None => Err(unix_exception(m, Errno::NotFound)),
    }
}

fn fstat(m: &mut Machine, a: Args) -> Return {
    let length = files::length(m, a.int(m, 0)).unwrap_or(0);
    let attributes = a.non_null(m, 1)?;
    fill_attributes(m, attributes, Node::File { length });
    Ok(Value::Void)
}

fn access(m: &mut Machine, a: Args) -> Result<Option<Errno>, Raise> {
    // W_OK
    let writes = a.int(m, 2) & 2 != 0;
    Ok(match stat_node(m, a)? {
        None => Some(Errno::NotFound),
        Some(_) if writes => Some(Errno::ReadOnly),
        Some(_) => None,
    })
}

/// Changes of what exists are refused.
fn remove(m: &mut Machine, a: Args) -> Return {
    let error = if stat_node(m, a)?.is_some() { Errno::ReadOnly } else { Errno::NotFound };
    Err(unix_exception(m, error))
}

/// A folder being read is a block of memory: how far it was read, then the names, each with its length before it.
fn open_folder(m: &mut Machine, a: Args) -> Return {
    let path = path_at(m, a.long(m, 0))?;
    let names = match files::children(m, &path) {
        Ok(names) => names,
        Err(error) => return Err(unix_exception(m, error)),
    };
    let mut block = 8u64.to_ne_bytes().to_vec();
    for name in names {
        block.extend((name.len() as u32).to_ne_bytes());
        block.extend(name.into_bytes());
    }
    block.extend(u32::MAX.to_ne_bytes());
    let Some(address) = m.raw.allocate(block.len() as u64) else {
        return Err(m.raise("java/lang/OutOfMemoryError", None));
    };
    if let Some(bytes) = m.raw.write(address, block.len()) {
        bytes.copy_from_slice(&block);
    }
    Ok(Value::long(address as i64))
}

fn read_folder(m: &mut Machine, a: Args) -> Return {
    let address = a.long(m, 0) as u64;
    let bad = || not_modelled("a folder that is not open");
    let word = |bytes: &[u8]| u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let at = u64::from(word(m.raw.read(address, 4).ok_or_else(bad)?));
    let length = word(m.raw.read(address + at, 4).ok_or_else(bad)?);
    if length == u32::MAX {
        return Ok(Value::reference(Ref::NULL));
    }
    let name = m.raw.read(address + at + 4, length as usize).ok_or_else(bad)?.to_vec();
    let next = at + 4 + u64::from(length);
    m.raw.write(address, 8).ok_or_else(bad)?.copy_from_slice(&next.to_ne_bytes());
    Ok(Value::reference(m.new_bytes(&name)?))
}

/// Puts bytes into memory; -1 (`IOStatus.EOF`) when there are none.
fn deliver(m: &mut Machine, address: i64, bytes: Option<Vec<u8>>) -> Return {
    let Some(bytes) = bytes else {
        return Err(m.raise("java/io/IOException", Some("Bad file descriptor")));
    };
    if bytes.is_empty() {
        return Ok(Value::int(-1));
    }
    match m.raw.write(address as u64, bytes.len()) {
        Some(target) => target.copy_from_slice(&bytes),
        None => return Err(not_modelled("a buffer outside allocated memory")),
    }
    Ok(Value::int(bytes.len() as i32))
}

fn read(m: &mut Machine, a: Args) -> Return {
    let descriptor = a.non_null(m, 0)?;
    let (address, count) = (a.long(m, 1), a.int(m, 3).max(0) as usize);
    if count == 0 {
        return Ok(Value::int(0));
    }
    let bytes = files::read(m, descriptor, count);
    deliver(m, address, bytes)
}

fn read_at(m: &mut Machine, a: Args) -> Return {
    let descriptor = a.non_null(m, 0)?;
    let (address, count, position) = (a.long(m, 1), a.int(m, 3).max(0) as usize, a.long(m, 4).max(0) as u64);
    let bytes = files::read_at(m, m.field(descriptor, "fd") as i32, position, count);
    deliver(m, address, bytes)
}

fn write(m: &mut Machine, a: Args) -> Return {
    let descriptor = a.non_null(m, 0)?;
    let (address, count) = (a.long(m, 1), a.int(m, 3).max(0));
    let stream = match m.field(descriptor, "fd") as i32 {
        1 => 0,
        2 => 1,
        _ => return Err(m.raise("java/io/IOException", Some("Bad file descriptor"))),
    };
    let bytes = m.raw.read(address as u64, count as usize).map(|bytes| bytes.to_vec());
    m.write(stream, &bytes.ok_or_else(|| not_modelled("a buffer outside allocated memory"))?)?;
    Ok(Value::int(count))
}

fn size(m: &mut Machine, a: Args) -> Return {
    let descriptor = a.non_null(m, 0)?;
    Ok(Value::long(files::length(m, m.field(descriptor, "fd") as i32).unwrap_or(0) as i64))
}

/// A negative offset asks for the position.
fn seek(m: &mut Machine, a: Args) -> Return {
    let descriptor = a.non_null(m, 0)?;
    let to = a.long(m, 1);
    if to >= 0 {
        files::seek(m, descriptor, to as u64);
    }
    Ok(Value::long(files::position(m, descriptor) as i64))
}
