//! The files a program sees: an empty world, except that it may read its own JDK, its class path (where a jar
//! looks like a folder) and a random source that always gives the same bytes.
//!
//! An open file is a number that stands for its contents; the position lies in the `FileDescriptor` object, so that
//! it is taken back with the heap.

use std::path::PathBuf;
use std::rc::Rc;

use machine::{Machine, Outside, Ref};

/// Where the program finds its JDK (`java.home`).
pub(crate) const HOME: &str = "/jdk";
/// Files of the JDK above this size are not shown: the module image and its like are of no use to a program.
const LARGEST: u64 = 16 << 20;
const RANDOM: [&str; 2] = ["/dev/random", "/dev/urandom"];
/// Folders that exist and are empty.
const EMPTY: [&str; 1] = ["/tmp"];

/// What lies at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Folder,
    File { length: u64 },
    Random,
}

/// Error numbers of Linux, with their texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errno {
    NotFound = 2,
    Exists = 17,
    NotAFolder = 20,
    IsAFolder = 21,
    Invalid = 22,
    ReadOnly = 30,
}

impl Errno {
    pub fn number(self) -> i32 {
        self as i32
    }
}

/// The text of an error number.
pub(crate) fn error_text(number: i32) -> &'static str {
    match number {
        1 => "Operation not permitted",
        2 => "No such file or directory",
        9 => "Bad file descriptor",
        13 => "Permission denied",
        17 => "File exists",
        20 => "Not a directory",
        21 => "Is a directory",
        22 => "Invalid argument",
        30 => "Read-only file system",
        _ => "Unknown error",
    }
}

/// An absolute path without `.`, `..` and doubled slashes. The current folder is the root.
pub(crate) fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The real place of a path inside the JDK.
fn inside_home(m: &Machine, path: &str) -> Option<PathBuf> {
    let rest = path.strip_prefix(HOME)?;
    let home = m.program.path.jdk().home();
    match rest.strip_prefix('/') {
        Some(rest) => Some(home.join(rest)),
        None => rest.is_empty().then(|| home.to_path_buf()),
    }
}

/// The class path as the program sees it (`java.class.path`).
pub(crate) fn class_path(m: &Machine) -> String {
    m.config.places.join(":")
}

/// The name of an entry of the class path if nobody says anything.
pub(crate) fn usual_place(entry: usize) -> String {
    format!("/cp/{entry}")
}

/// The entry of the class path a path lies in, and the rest of the path.
fn inside_class_path<'a>(m: &Machine, path: &'a str) -> Option<(usize, &'a str)> {
    let inside = m.config.places.iter().enumerate().filter_map(|(entry, place)| {
        let rest = path.strip_prefix(place.as_str())?;
        let name = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
        Some((entry, name))
    });
    // An entry may lie in another one.
    inside.min_by_key(|(_, name)| name.len())
}

/// The jar of the class path at a path.
pub(crate) fn jar_at(m: &Machine, path: &str) -> Option<usize> {
    let (entry, name) = inside_class_path(m, path)?;
    (name.is_empty() && m.program.path.is_jar(entry)).then_some(entry)
}

/// The bytes of a resource of the class path.
fn resource(m: &Machine, path: &str) -> Option<Rc<[u8]>> {
    let (entry, name) = inside_class_path(m, path)?;
    let found = m.program.path.entry_resource(entry, name).ok()??;
    Some(found.bytes.to_vec().into())
}

/// Notes that the program reaches for a file, unless it is one of the JDK, of the class path or the random source.
pub(crate) fn note(m: &Machine, path: &str) {
    let path = normalize(path);
    let own = RANDOM.contains(&path.as_str())
        || inside_home(m, &path).is_some()
        || inside_class_path(m, &path).is_some();
    if !own {
        m.touch(Outside::Files);
    }
}

/// What lies at `path`, if anything.
pub(crate) fn find(m: &Machine, path: &str) -> Option<Node> {
    let path = normalize(path);
    note(m, &path);
    if RANDOM.contains(&path.as_str()) {
        return Some(Node::Random);
    }
    if matches!(path.as_str(), "/" | "/dev") || EMPTY.contains(&path.as_str()) {
        return Some(Node::Folder);
    }
    if let Some((_, name)) = inside_class_path(m, &path) {
        let file = resource(m, &path).map(|bytes| Node::File { length: bytes.len() as u64 });
        return if name.is_empty() { Some(Node::Folder) } else { file };
    }
    let metadata = std::fs::metadata(inside_home(m, &path)?).ok()?;
    if metadata.is_dir() {
        Some(Node::Folder)
    } else {
        (metadata.is_file() && metadata.len() <= LARGEST).then_some(Node::File { length: metadata.len() })
    }
}

/// The names in a folder, sorted.
pub(crate) fn children(m: &Machine, path: &str) -> Result<Vec<String>, Errno> {
    let path = normalize(path);
    match find(m, &path) {
        Some(Node::Folder) => {}
        Some(_) => return Err(Errno::NotAFolder),
        None => return Err(Errno::NotFound),
    }
    let fixed: &[&str] = match path.as_str() {
        "/" => &["dev", "jdk", "tmp"],
        "/dev" => &["random", "urandom"],
        _ => &[],
    };
    let mut names: Vec<String> = fixed.iter().map(ToString::to_string).collect();
    if let Some(real) = inside_home(m, &path)
        && let Ok(entries) = std::fs::read_dir(real)
    {
        let found = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.extend(found.filter(|name| find(m, &format!("{path}/{name}")).is_some()));
    }
    names.sort();
    Ok(names)
}

/// Why nothing can be made or changed at `path`.
pub(crate) fn refuse_change(m: &Machine, path: &str) -> Errno {
    let path = normalize(path);
    let parent = path.rfind('/').map_or("/", |end| &path[..end.max(1)]);
    match find(m, parent) {
        Some(Node::Folder) => Errno::ReadOnly,
        Some(_) => Errno::NotAFolder,
        None => Errno::NotFound,
    }
}

/// Opens a file for reading; its number.
pub(crate) fn open(m: &mut Machine, path: &str) -> Result<i32, Errno> {
    let path = normalize(path);
    match find(m, &path) {
        None => return Err(Errno::NotFound),
        Some(Node::Folder) => return Err(Errno::IsAFolder),
        Some(_) => {}
    }
    let known = m.files.iter().position(|(name, _)| *name == path);
    let index = match known {
        Some(index) => index,
        None => {
            let contents: Rc<[u8]> = match inside_home(m, &path) {
                Some(real) => std::fs::read(real).map_err(|_| Errno::NotFound)?.into(),
                None => resource(m, &path).unwrap_or_else(|| Rc::new([])),
            };
            m.files.push((path, contents));
            m.files.len() - 1
        }
    };
    Ok(3 + index as i32)
}

/// The contents behind a number that `open` gave, and whether they are the random source.
fn file(m: &Machine, number: i32) -> Option<(Rc<[u8]>, bool)> {
    let index = usize::try_from(number.checked_sub(3)?).ok()?;
    let (name, contents) = m.files.get(index)?;
    Some((contents.clone(), RANDOM.contains(&name.as_str())))
}

/// The length of an open file; the random source has none.
pub(crate) fn length(m: &Machine, number: i32) -> Option<u64> {
    file(m, number).map(|(contents, _)| contents.len() as u64)
}

/// What a source without end gives at once, at most: the program decides how much it asks for.
const PORTION: usize = 1 << 20;

/// Reads at a position: the bytes, none at the end.
pub(crate) fn read_at(m: &Machine, number: i32, position: u64, count: usize) -> Option<Vec<u8>> {
    let (contents, random) = file(m, number)?;
    if random {
        return Some((0..count.min(PORTION) as u64).map(|i| random_byte(position.wrapping_add(i))).collect());
    }
    let start = usize::try_from(position).unwrap_or(usize::MAX).min(contents.len());
    let end = start.saturating_add(count).min(contents.len());
    Some(contents[start..end].to_vec())
}

/// Reads from standard input or an open file through its descriptor, which moves on.
pub(crate) fn read(m: &mut Machine, descriptor: Ref, count: usize) -> Option<Vec<u8>> {
    let number = m.field(descriptor, "fd") as i32;
    if number == 0 {
        let mut buffer = vec![0; count.min(PORTION)];
        let read = m.read_input(&mut buffer);
        buffer.truncate(read);
        return Some(buffer);
    }
    let at = position(m, descriptor);
    let bytes = read_at(m, number, at, count)?;
    seek(m, descriptor, at + bytes.len() as u64);
    Some(bytes)
}

pub(crate) fn position(m: &Machine, descriptor: Ref) -> u64 {
    (m.field(descriptor, "handle") as i64).max(0) as u64
}

pub(crate) fn seek(m: &mut Machine, descriptor: Ref, position: u64) {
    m.set_field(descriptor, "handle", position);
}

/// The same bytes in every run (splitmix64 of the position).
fn random_byte(position: u64) -> u8 {
    let mut z = (position / 8 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> (8 * (position % 8))) as u8
}
