//! The JDK image `lib/modules`: a perfect hash from `/module/path` to a slice of the file.
//!
//! The file is, in the byte order of its platform: a header of seven words, the redirect table, the table of
//! location offsets (both `table_length` words), the locations, the strings, and the contents. A location is a
//! list of tagged numbers, which point at strings (module, parent, base, extension) and at the contents.
//! The format is that of the JDK's own `jdk.internal.jimage`. Nothing in the file is trusted: every offset is
//! checked, and an image that breaks the rules gives an error.

use std::cell::RefCell;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use memmap2::Mmap;
use rustc_hash::FxHashMap;

use crate::bytes::Bytes;
use crate::error::ClassPathError;

const MAGIC: u32 = 0xCAFE_DADA;
const VERSION: u32 = 1 << 16;
const HEADER_SIZE: usize = 28;
const HASH_SEED: u32 = 0x0100_0193;

/// An open image.
pub(crate) struct Image {
    path: PathBuf,
    map: Rc<Mmap>,
    table_length: u32,
    redirect: usize,
    offsets: usize,
    locations: usize,
    strings: usize,
    contents: usize,
    modules: RefCell<FxHashMap<Box<str>, Option<Rc<str>>>>,
}

/// The part of an image that was wrong.
struct Corrupt(&'static str);

#[derive(Default)]
struct Location {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: usize,
    compressed: usize,
    size: usize,
}

impl Image {
    pub fn open(path: &Path) -> Result<Image, ClassPathError> {
        let unreadable = |source| ClassPathError::Unreadable { path: path.to_path_buf(), source };
        let file = File::open(path).map_err(unreadable)?;
        // SAFETY: the map is read-only. The file must not shrink while it is mapped: the same holds for every
        // `java` that runs from this JDK, as it maps the same file.
        let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        Image::over(path, map).map_err(|corrupt| bad_image(path, corrupt))
    }

    fn over(path: &Path, map: Mmap) -> Result<Image, Corrupt> {
        let mut header = [0; HEADER_SIZE / 4];
        for (index, word) in header.iter_mut().enumerate() {
            *word = word_at(&map, index * 4).ok_or(Corrupt("the file is too short"))?;
        }
        let [magic, version, _flags, _resources, table_length, locations_size, strings_size] = header;
        if magic == MAGIC.swap_bytes() {
            return Err(Corrupt("it was made for a machine of the other byte order"));
        }
        if magic != MAGIC || version != VERSION {
            return Err(Corrupt("it is not an image of version 1.0"));
        }
        if table_length == 0 {
            return Err(Corrupt("it is empty"));
        }
        let redirect = HEADER_SIZE;
        let offsets = redirect + table_length as usize * 4;
        let locations = offsets + table_length as usize * 4;
        let strings = locations + locations_size as usize;
        let contents = strings + strings_size as usize;
        if contents > map.len() {
            return Err(Corrupt("the file is too short"));
        }
        let (path, map, modules) = (path.to_path_buf(), Rc::new(map), RefCell::default());
        Ok(Image { path, map, table_length, redirect, offsets, locations, strings, contents, modules })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The contents of `/module/path`.
    pub fn get(&self, module: &str, path: &str) -> Result<Option<Bytes>, ClassPathError> {
        let full = format!("/{module}/{path}");
        let range = self.find(&full).map_err(|corrupt| bad_image(&self.path, corrupt))?;
        Ok(range.map(|range| Bytes::mapped(self.map.clone(), range)))
    }

    /// The module that holds classes or resources of a package, such as `java.base` for `java/util`.
    pub fn module_of_package(&self, package: &str) -> Result<Option<Rc<str>>, ClassPathError> {
        if let Some(known) = self.modules.borrow().get(package) {
            return Ok(known.clone());
        }
        let module =
            self.read_module_of_package(package).map_err(|corrupt| bad_image(&self.path, corrupt))?;
        self.modules.borrow_mut().insert(package.into(), module.clone());
        Ok(module)
    }

    /// `/packages/java.util` holds pairs of words: whether the module has the package only as a parent of
    /// others, and the module's name. At most one module has the package for itself.
    fn read_module_of_package(&self, package: &str) -> Result<Option<Rc<str>>, Corrupt> {
        if package.is_empty() {
            return Ok(None);
        }
        let Some(range) = self.find(&format!("/packages/{}", package.replace('/', ".")))? else {
            return Ok(None);
        };
        for at in range.step_by(8) {
            if self.word(at)? == 0 {
                let name = self.string(self.word(at + 4)? as usize)?;
                return match std::str::from_utf8(name) {
                    Ok(name) => Ok(Some(name.into())),
                    Err(_) => Err(Corrupt("a module name is not UTF-8")),
                };
            }
        }
        Ok(None)
    }

    fn find(&self, full: &str) -> Result<Option<Range<usize>>, Corrupt> {
        let slot = hash(full, HASH_SEED) % self.table_length;
        let index = match self.word(self.redirect + slot as usize * 4)?.cast_signed() {
            0 => return Ok(None),
            direct if direct < 0 => (-1 - direct).cast_unsigned(),
            seed => hash(full, seed.cast_unsigned()) % self.table_length,
        };
        if index >= self.table_length {
            return Err(Corrupt("the redirect table points outside"));
        }
        let location = self.location(self.word(self.offsets + index as usize * 4)? as usize)?;
        if !self.is_named(&location, full.as_bytes())? {
            return Ok(None);
        }
        if location.compressed != 0 {
            return Err(Corrupt("it was compressed by jlink"));
        }
        let start = self.contents.checked_add(location.offset);
        let end = start.and_then(|start| start.checked_add(location.size));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.map.len() => Ok(Some(start..end)),
            _ => Err(Corrupt("the file is too short")),
        }
    }

    fn location(&self, offset: usize) -> Result<Location, Corrupt> {
        let broken = Corrupt("a location is malformed");
        let Some(mut rest) = self.map[self.locations..self.strings].get(offset..) else {
            return Err(broken);
        };
        let mut location = Location::default();
        while let Some((&tag, after)) = rest.split_first() {
            let Some((digits, after)) = after.split_at_checked(usize::from(tag & 7) + 1) else {
                return if tag >> 3 == 0 { Ok(location) } else { Err(broken) };
            };
            let value = digits.iter().fold(0, |value, &digit| value << 8 | usize::from(digit));
            match tag >> 3 {
                0 => return Ok(location),
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return Err(broken),
            }
            rest = after;
        }
        Err(broken)
    }

    /// Whether `full` is `/module/parent/base.extension`, where empty parts take their separator with them.
    fn is_named(&self, location: &Location, full: &[u8]) -> Result<bool, Corrupt> {
        let parts: [(usize, &[u8], &[u8]); 4] = [
            (location.module, b"/", b"/"),
            (location.parent, b"", b"/"),
            (location.base, b"", b""),
            (location.extension, b".", b""),
        ];
        let mut rest = full;
        for (offset, before, after) in parts {
            let part = self.string(offset)?;
            if part.is_empty() {
                continue;
            }
            for piece in [before, part, after] {
                match rest.strip_prefix(piece) {
                    Some(after_piece) => rest = after_piece,
                    None => return Ok(false),
                }
            }
        }
        Ok(rest.is_empty())
    }

    /// Offset 0 holds the empty string.
    fn string(&self, offset: usize) -> Result<&[u8], Corrupt> {
        let broken = Corrupt("a string is malformed");
        let Some(tail) = self.map[self.strings..self.contents].get(offset..) else {
            return Err(broken);
        };
        match tail.iter().position(|&byte| byte == 0) {
            Some(length) => Ok(&tail[..length]),
            None => Err(broken),
        }
    }

    fn word(&self, at: usize) -> Result<u32, Corrupt> {
        word_at(&self.map, at).ok_or(Corrupt("the file is too short"))
    }
}

fn bad_image(path: &Path, Corrupt(why): Corrupt) -> ClassPathError {
    ClassPathError::BadImage { path: path.to_path_buf(), why: why.to_string() }
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_ne_bytes([word[0], word[1], word[2], word[3]]))
}

fn hash(text: &str, seed: u32) -> u32 {
    text.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte)) & 0x7FFF_FFFF
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::Jdk;

    #[test]
    fn every_resource_of_every_jdk_is_the_one_another_reader_sees() {
        for jdk in Jdk::installed() {
            let image = Image::open(&jdk.image_path()).unwrap();
            let other = ristretto_jimage::Image::from_file(&jdk.image_path()).unwrap();
            let mut classes = 0;
            for resource in &other {
                let resource = resource.unwrap();
                let name = resource.name();
                if resource.module().is_empty() {
                    assert!(["/modules", "/packages"].contains(&name.as_str()), "{name}");
                    continue;
                }
                let bytes = image.get(resource.module(), &name).unwrap();
                assert_eq!(bytes.as_deref(), Some(resource.data()), "/{}/{name}", resource.module());
                if resource.extension() == "class" && name != "module-info.class" {
                    let module = image.module_of_package(resource.parent()).unwrap();
                    assert_eq!(module.as_deref(), Some(resource.module()), "{name}");
                    classes += 1;
                }
            }
            assert!(classes > 5_000, "{classes} classes in {}", jdk.home().display());
        }
    }

    #[test]
    fn broken_images_are_errors() {
        let open = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(bytes).unwrap();
            Image::open(file.path()).map(|_| ()).unwrap_err().to_string()
        };
        assert!(open(b"PK").contains("too short"));
        assert!(open(&[7; 64]).contains("not an image"));
        let header = |words: [u32; 7]| words.map(u32::to_ne_bytes).concat();
        assert!(open(&header([MAGIC.swap_bytes(), 0, 0, 0, 0, 0, 0])).contains("other byte order"));
        assert!(open(&header([MAGIC, VERSION, 0, 0, 0, 0, 0])).contains("empty"));
        assert!(open(&header([MAGIC, VERSION, 0, 1, u32::MAX, u32::MAX, u32::MAX])).contains("too short"));
    }

    /// One resource, `/m/a/B.class` with the contents `hi`, so small that every byte can be damaged in turn.
    fn tiny_image() -> Vec<u8> {
        let strings = b"\0m\0a\0B\0class\0";
        let locations = [1 << 3, 1, 2 << 3, 3, 3 << 3, 5, 4 << 3, 7, 5 << 3, 0, 7 << 3, 2, 0];
        let sizes = [locations.len() as u32, strings.len() as u32];
        let words = [MAGIC, VERSION, 0, 1, 1, sizes[0], sizes[1], -1i32 as u32, 0];
        [&words.map(u32::to_ne_bytes).concat()[..], &locations, strings, b"hi"].concat()
    }

    #[test]
    fn damage_anywhere_is_an_answer_or_an_error_but_no_panic() {
        let over = |bytes: &[u8]| {
            let mut map = memmap2::MmapMut::map_anon(bytes.len().max(1)).unwrap();
            map[..bytes.len()].copy_from_slice(bytes);
            Image::over(Path::new("tiny"), map.make_read_only().unwrap())
        };
        let whole = tiny_image();
        let image = over(&whole).ok().unwrap();
        assert_eq!(image.get("m", "a/B.class").unwrap().as_deref(), Some(&b"hi"[..]));
        assert!(image.get("m", "a/C.class").unwrap().is_none());
        for at in 0..whole.len() {
            for damage in 0..=255 {
                let mut bytes = whole.clone();
                bytes[at] = damage;
                if let Ok(image) = over(&bytes) {
                    let _ = image.get("m", "a/B.class");
                    let _ = image.module_of_package("a");
                }
            }
            if let Ok(image) = over(&whole[..at]) {
                let _ = image.get("m", "a/B.class");
            }
        }
    }
}
