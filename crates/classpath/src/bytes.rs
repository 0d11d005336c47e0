//! The bytes of one class or resource: a slice of the mapped JDK image, or a buffer of their own.

use std::fmt;
use std::ops::{Deref, Range};
use std::rc::Rc;

use memmap2::Mmap;

/// No class or resource of the user is larger.
pub(crate) const LARGEST: u64 = 256 << 20;

/// Shared, immutable bytes. Cloning is a reference count; a class of the JDK is never copied out of the image.
#[derive(Clone)]
pub struct Bytes(Source);

#[derive(Clone)]
enum Source {
    Mapped { map: Rc<Mmap>, range: Range<usize> },
    Owned(Rc<[u8]>),
}

impl Bytes {
    /// `range` must lie inside the map.
    pub(crate) fn mapped(map: Rc<Mmap>, range: Range<usize>) -> Bytes {
        assert!(range.start <= range.end && range.end <= map.len());
        Bytes(Source::Mapped { map, range })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Source::Mapped { map, range } => &map[range.start..range.end],
            Source::Owned(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Source::Owned(bytes.into()))
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({} bytes)", self.len())
    }
}
