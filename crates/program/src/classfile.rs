//! The class file reader: checks structure once, keeps the bytes, and hands out views on demand.
//!
//! Method bodies and most attributes are left unread until somebody asks, because start-up reads hundreds of
//! classes of which few methods ever run. See JVMS chapter 4.

use classpath::Bytes;

/// Why the bytes are not a class file we can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The bytes end inside a structure.
    Truncated,
    /// The first four bytes are not `CAFEBABE`.
    NotAClass,
    /// A major version newer than Java 25.
    Version(u16),
    /// Anything else, in words.
    Broken(String),
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Malformed::Truncated => write!(f, "the class file is truncated"),
            Malformed::NotAClass => write!(f, "not a class file (no CAFEBABE magic)"),
            Malformed::Version(major) => write!(
                f,
                "class file version {major} (Java {}) is not supported; compile for Java 25 or older",
                major.saturating_sub(44)
            ),
            Malformed::Broken(what) => write!(f, "malformed class file: {what}"),
        }
    }
}

/// Shorthand for a complaint about the file.
pub(crate) fn broken<T>(what: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed::Broken(what.into()))
}

/// The newest major version that is read: Java 25.
pub const NEWEST_MAJOR: u16 = 69;

/// Access flags, JVMS tables 4.1-B, 4.5-A and 4.6-A.
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const SUPER: u16 = 0x0020;
    pub const BRIDGE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
}

/// A cursor over big-endian bytes that never reads past the end.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub fn at(bytes: &'a [u8], at: usize) -> Self {
        Reader { bytes, at }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(count).ok_or(Malformed::Truncated)?;
        let slice = self.bytes.get(self.at..end).ok_or(Malformed::Truncated)?;
        self.at = end;
        Ok(slice)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Malformed> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        let b = self.take(4)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }
}

/// Where an attribute's contents lie.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    pub name: u16,
    pub start: u32,
    pub len: u32,
}

/// A field or method as written in the file.
#[derive(Clone, Debug)]
pub struct Member {
    pub access: u16,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Vec<Attribute>,
}

/// A constant pool entry that something outside the pool can refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    Utf8,
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class { name: u16 },
    String { utf8: u16 },
    Field { class: u16, name_and_type: u16 },
    Method { class: u16, name_and_type: u16 },
    InterfaceMethod { class: u16, name_and_type: u16 },
    NameAndType { name: u16, descriptor: u16 },
    MethodHandle { kind: u8, reference: u16 },
    MethodType { descriptor: u16 },
    Dynamic { bootstrap: u16, name_and_type: u16 },
    InvokeDynamic { bootstrap: u16, name_and_type: u16 },
    Module { name: u16 },
    Package { name: u16 },
}

/// One parsed class file.
#[derive(Debug)]
pub struct ClassFile {
    bytes: Bytes,
    pool: Vec<(u8, u32)>,
    pub major: u16,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Member>,
    pub methods: Vec<Member>,
    pub attributes: Vec<Attribute>,
}

impl ClassFile {
    /// Whether a text stands anywhere in the file, as the name of a class that it uses does.
    pub fn mentions(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    /// Reads the structure of a class file.
    pub fn parse(bytes: Bytes) -> Result<ClassFile, Malformed> {
        let shared = bytes.clone();
        let mut r = Reader::new(&shared);
        if r.u32().map_err(|_| Malformed::NotAClass)? != 0xCAFE_BABE {
            return Err(Malformed::NotAClass);
        }
        let _minor = r.u16()?;
        let major = r.u16()?;
        if !(45..=NEWEST_MAJOR).contains(&major) {
            return Err(Malformed::Version(major));
        }
        let pool = read_pool(&mut r)?;
        let access = r.u16()?;
        let this_class = r.u16()?;
        let super_class = r.u16()?;
        let count = r.u16()?;
        let mut interfaces = Vec::with_capacity(count as usize);
        for _ in 0..count {
            interfaces.push(r.u16()?);
        }
        let fields = read_members(&mut r)?;
        let methods = read_members(&mut r)?;
        let attributes = read_attributes(&mut r)?;
        let file = ClassFile {
            bytes,
            pool,
            major,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        };
        file.check_pool()?;
        Ok(file)
    }

    /// The raw bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of constant pool slots, the unused slot 0 included.
    pub fn pool_len(&self) -> usize {
        self.pool.len()
    }

    /// The entry at `index`.
    pub fn constant(&self, index: u16) -> Result<Constant, Malformed> {
        let &(tag, at) = self
            .pool
            .get(index as usize)
            .filter(|entry| entry.0 != 0)
            .ok_or_else(|| Malformed::Broken(format!("no constant at index {index}")))?;
        let mut r = Reader::at(&self.bytes, at as usize);
        Ok(match tag {
            1 => Constant::Utf8,
            3 => Constant::Integer(r.u32()? as i32),
            4 => Constant::Float(f32::from_bits(r.u32()?)),
            5 => Constant::Long(((u64::from(r.u32()?) << 32) | u64::from(r.u32()?)) as i64),
            6 => Constant::Double(f64::from_bits((u64::from(r.u32()?) << 32) | u64::from(r.u32()?))),
            7 => Constant::Class { name: r.u16()? },
            8 => Constant::String { utf8: r.u16()? },
            9 => Constant::Field { class: r.u16()?, name_and_type: r.u16()? },
            10 => Constant::Method { class: r.u16()?, name_and_type: r.u16()? },
            11 => Constant::InterfaceMethod { class: r.u16()?, name_and_type: r.u16()? },
            12 => Constant::NameAndType { name: r.u16()?, descriptor: r.u16()? },
            15 => Constant::MethodHandle { kind: r.u8()?, reference: r.u16()? },
            16 => Constant::MethodType { descriptor: r.u16()? },
            17 => Constant::Dynamic { bootstrap: r.u16()?, name_and_type: r.u16()? },
            18 => Constant::InvokeDynamic { bootstrap: r.u16()?, name_and_type: r.u16()? },
            19 => Constant::Module { name: r.u16()? },
            _ => Constant::Package { name: r.u16()? },
        })
    }

    /// The modified UTF-8 bytes of the entry at `index`.
    /// Whether a class of this name is among the constants.
    pub fn mentions_class(&self, name: &str) -> bool {
        let is_name = |index: u16| self.utf8_bytes(index).is_ok_and(|bytes| bytes == name.as_bytes());
        (1..self.pool.len() as u16).any(is_name)
    }

    pub fn utf8_bytes(&self, index: u16) -> Result<&[u8], Malformed> {
        match self.pool.get(index as usize) {
            Some(&(1, at)) => {
                let mut r = Reader::at(&self.bytes, at as usize);
                let len = r.u16()?;
                r.take(len as usize)
            }
            _ => broken(format!("constant {index} is not a name")),
        }
    }

    /// The text of the entry at `index`.
    pub fn utf8(&self, index: u16) -> Result<std::borrow::Cow<'_, str>, Malformed> {
        let bytes = self.utf8_bytes(index)?;
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf16_lossy(&decode_modified_utf8(bytes)).into(),
        })
    }

    /// The name inside a class entry.
    pub fn class_name(&self, index: u16) -> Result<std::borrow::Cow<'_, str>, Malformed> {
        match self.constant(index)? {
            Constant::Class { name } => self.utf8(name),
            _ => broken(format!("constant {index} is not a class")),
        }
    }

    /// Name and descriptor inside a name-and-type entry.
    pub fn name_and_type(
        &self,
        index: u16,
    ) -> Result<(std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>), Malformed> {
        match self.constant(index)? {
            Constant::NameAndType { name, descriptor } => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => broken(format!("constant {index} is not a name and type")),
        }
    }

    /// The contents of the attribute `name` among `attributes`.
    pub fn attribute(&self, attributes: &[Attribute], name: &str) -> Option<&[u8]> {
        attributes.iter().find_map(|attribute| {
            (self.utf8_bytes(attribute.name).ok()? == name.as_bytes()).then(|| self.contents(*attribute))
        })
    }

    /// The bytes of one attribute.
    pub fn contents(&self, attribute: Attribute) -> &[u8] {
        &self.bytes[attribute.start as usize..(attribute.start + attribute.len) as usize]
    }

    /// Position of an attribute's contents in the file, for readers that need nested attributes.
    pub fn attribute_at(&self, attributes: &[Attribute], name: &str) -> Option<Attribute> {
        attributes
            .iter()
            .copied()
            .find(|attribute| self.utf8_bytes(attribute.name).is_ok_and(|n| n == name.as_bytes()))
    }

    /// Every name, class and name-and-type that other entries point to has the right kind.
    fn check_pool(&self) -> Result<(), Malformed> {
        for index in 1..self.pool.len() {
            if self.pool[index].0 == 0 {
                continue;
            }
            let tag_is = |at: u16, tag: u8| self.pool.get(at as usize).is_some_and(|entry| entry.0 == tag);
            let fine = match self.constant(index as u16)? {
                Constant::Class { name }
                | Constant::String { utf8: name }
                | Constant::MethodType { descriptor: name }
                | Constant::Module { name }
                | Constant::Package { name } => tag_is(name, 1),
                Constant::Field { class, name_and_type }
                | Constant::Method { class, name_and_type }
                | Constant::InterfaceMethod { class, name_and_type } => {
                    tag_is(class, 7) && tag_is(name_and_type, 12)
                }
                Constant::NameAndType { name, descriptor } => tag_is(name, 1) && tag_is(descriptor, 1),
                Constant::Dynamic { name_and_type, .. } | Constant::InvokeDynamic { name_and_type, .. } => {
                    tag_is(name_and_type, 12)
                }
                Constant::MethodHandle { kind, reference } => {
                    (1..=9).contains(&kind)
                        && (tag_is(reference, 9) || tag_is(reference, 10) || tag_is(reference, 11))
                }
                _ => true,
            };
            if !fine {
                return broken(format!("constant {index} refers to an entry of the wrong kind"));
            }
        }
        Ok(())
    }
}

fn read_pool(r: &mut Reader) -> Result<Vec<(u8, u32)>, Malformed> {
    let count = r.u16()? as usize;
    let mut pool = Vec::with_capacity(count);
    pool.push((0, 0));
    while pool.len() < count {
        let tag = r.u8()?;
        pool.push((tag, r.position() as u32));
        let size = match tag {
            1 => r.u16()? as usize,
            3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => 4,
            5 | 6 => {
                pool.push((0, 0));
                8
            }
            7 | 8 | 16 | 19 | 20 => 2,
            15 => 3,
            _ => return broken(format!("unknown constant pool tag {tag}")),
        };
        r.take(size)?;
    }
    Ok(pool)
}

fn read_members(r: &mut Reader) -> Result<Vec<Member>, Malformed> {
    let count = r.u16()? as usize;
    let mut members = Vec::with_capacity(count);
    for _ in 0..count {
        members.push(Member {
            access: r.u16()?,
            name: r.u16()?,
            descriptor: r.u16()?,
            attributes: read_attributes(r)?,
        });
    }
    Ok(members)
}

/// Reads an attribute table at the cursor.
pub fn read_attributes(r: &mut Reader) -> Result<Vec<Attribute>, Malformed> {
    let count = r.u16()? as usize;
    let mut attributes = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        let name = r.u16()?;
        let len = r.u32()?;
        let start = r.position() as u32;
        r.take(len as usize)?;
        attributes.push(Attribute { name, start, len });
    }
    Ok(attributes)
}

/// Decodes the class file's modified UTF-8 (JVMS 4.4.7) to UTF-16 units; bytes that fit no pattern become U+FFFD.
pub fn decode_modified_utf8(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let tail = |i: usize| bytes.get(i).filter(|b| **b & 0xC0 == 0x80).map(|b| u16::from(b & 0x3F));
    while at < bytes.len() {
        let b = u16::from(bytes[at]);
        let (unit, width) = if b < 0x80 {
            (b, 1)
        } else if b & 0xE0 == 0xC0 {
            tail(at + 1).map_or((0xFFFD, 1), |x| (((b & 0x1F) << 6) | x, 2))
        } else if b & 0xF0 == 0xE0 {
            match (tail(at + 1), tail(at + 2)) {
                (Some(x), Some(y)) => (((b & 0x0F) << 12) | (x << 6) | y, 3),
                _ => (0xFFFD, 1),
            }
        } else {
            (0xFFFD, 1)
        };
        units.push(unit);
        at += width;
    }
    units
}
