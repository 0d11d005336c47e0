//! A small assembler of class files, for tests that need no compiler: a class with fields and methods whose code is
//! written instruction by instruction, by the numbers of the specification (JVMS 6.5), with labels for jumps.

use std::collections::HashMap;
use std::path::Path;

use tempfile::TempDir;

/// Java 8: the code needs no stack maps for a machine that does not verify by them.
const MAJOR: u16 = 52;

pub const PUBLIC: u16 = 0x0001;
pub const STATIC: u16 = 0x0008;
pub const NATIVE: u16 = 0x0100;
pub const INTERFACE: u16 = 0x0200;
pub const ABSTRACT: u16 = 0x0400;
const SUPER: u16 = 0x0020;

/// A class in the making.
pub struct Class {
    name: String,
    flags: u16,
    pool: Pool,
    this: u16,
    super_class: u16,
    interfaces: Vec<u16>,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Pool {
    entries: Vec<Vec<u8>>,
    /// Numbers of entries by their bytes; `long` and `double` take two numbers.
    known: HashMap<Vec<u8>, u16>,
}

impl Pool {
    fn add(&mut self, entry: Vec<u8>) -> u16 {
        if let Some(index) = self.known.get(&entry) {
            return *index;
        }
        let is_wide = matches!(entry[0], 5 | 6);
        self.entries.push(entry.clone());
        let index = self.entries.len() as u16;
        if is_wide {
            self.entries.push(Vec::new());
        }
        self.known.insert(entry, index);
        index
    }

    fn text(&mut self, text: &str) -> u16 {
        let mut entry = vec![1];
        entry.extend((text.len() as u16).to_be_bytes());
        entry.extend(text.as_bytes());
        self.add(entry)
    }

    fn with(&mut self, tag: u8, parts: &[u16]) -> u16 {
        self.add(std::iter::once(tag).chain(parts.iter().flat_map(|part| part.to_be_bytes())).collect())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.with(7, &[name])
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let both = self.with(12, &[name, descriptor]);
        self.with(tag, &[class, both])
    }
}

impl Class {
    /// A public class below `java.lang.Object`.
    pub fn new(name: &str) -> Class {
        Class::below(name, "java/lang/Object")
    }

    pub fn below(name: &str, super_class: &str) -> Class {
        let mut pool = Pool::default();
        let (this, super_class) = (pool.class(name), pool.class(super_class));
        Class {
            name: name.to_string(),
            flags: PUBLIC | SUPER,
            pool,
            this,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
        }
    }

    pub fn interface(name: &str) -> Class {
        Class { flags: PUBLIC | INTERFACE | ABSTRACT, ..Class::new(name) }
    }

    pub fn implements(mut self, interface: &str) -> Class {
        let interface = self.pool.class(interface);
        self.interfaces.push(interface);
        self
    }

    pub fn field(mut self, flags: u16, name: &str, descriptor: &str) -> Class {
        let (name, descriptor) = (self.pool.text(name), self.pool.text(descriptor));
        self.fields.push(words(&[flags, name, descriptor, 0]));
        self
    }

    /// A method without code.
    pub fn declare(mut self, flags: u16, name: &str, descriptor: &str) -> Class {
        let (name, descriptor) = (self.pool.text(name), self.pool.text(descriptor));
        self.methods.push(words(&[flags, name, descriptor, 0]));
        self
    }

    /// A method with code.
    pub fn method(
        mut self,
        flags: u16,
        name: &str,
        descriptor: &str,
        write: impl FnOnce(&mut Code),
    ) -> Class {
        let (name, descriptor) = (self.pool.text(name), self.pool.text(descriptor));
        let attribute = self.pool.text("Code");
        let mut code = Code::empty(&mut self.pool);
        write(&mut code);
        let body = code.finish();
        let mut method = words(&[flags, name, descriptor, 1, attribute]);
        method.extend((body.len() as u32).to_be_bytes());
        method.extend(body);
        self.methods.push(method);
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
        bytes.extend(words(&[0, MAJOR, self.pool.entries.len() as u16 + 1]));
        bytes.extend(self.pool.entries.concat());
        bytes.extend(words(&[self.flags, self.this, self.super_class, self.interfaces.len() as u16]));
        bytes.extend(words(&self.interfaces));
        for members in [&self.fields, &self.methods] {
            bytes.extend(words(&[members.len() as u16]));
            bytes.extend(members.concat());
        }
        bytes.extend(words(&[0]));
        bytes
    }
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A place in code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(usize);

/// The code of a method.
pub struct Code<'a> {
    pool: &'a mut Pool,
    bytes: Vec<u8>,
    /// Where labels are, if they are placed yet.
    labels: Vec<Option<usize>>,
    /// Jumps: where the instruction is, where its offset is, and the label.
    jumps: Vec<(usize, usize, Label)>,
    handlers: Vec<([Label; 3], u16)>,
}

impl<'a> Code<'a> {
    fn empty(pool: &'a mut Pool) -> Code<'a> {
        Code { pool, bytes: Vec::new(), labels: Vec::new(), jumps: Vec::new(), handlers: Vec::new() }
    }

    /// Instructions without operands, or with operands of one byte each, as they are.
    pub fn op(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend(bytes);
        self
    }

    /// An instruction with an operand of two bytes.
    fn wide(&mut self, op: u8, operand: u16) -> &mut Self {
        self.bytes.push(op);
        self.bytes.extend(operand.to_be_bytes());
        self
    }

    /// `ldc_w` of a number.
    pub fn int(&mut self, value: i32) -> &mut Self {
        let index = self.pool.add([&[3], &value.to_be_bytes()[..]].concat());
        self.wide(0x13, index)
    }

    /// `ldc2_w` of a number.
    pub fn long(&mut self, value: i64) -> &mut Self {
        let index = self.pool.add([&[5], &value.to_be_bytes()[..]].concat());
        self.wide(0x14, index)
    }

    /// `ldc_w` of a text.
    pub fn string(&mut self, text: &str) -> &mut Self {
        let text = self.pool.text(text);
        let index = self.pool.with(8, &[text]);
        self.wide(0x13, index)
    }

    /// An instruction that names a class: `new`, `anewarray`, `checkcast`, `instanceof`.
    pub fn class(&mut self, op: u8, name: &str) -> &mut Self {
        let index = self.pool.class(name);
        self.wide(op, index)
    }

    /// An instruction that names a field.
    pub fn field(&mut self, op: u8, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let index = self.pool.member(9, class, name, descriptor);
        self.wide(op, index)
    }

    /// `invokevirtual`, `invokespecial` or `invokestatic`.
    pub fn invoke(&mut self, op: u8, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let index = self.pool.member(10, class, name, descriptor);
        self.wide(op, index)
    }

    /// `invokeinterface`, with so many words of arguments.
    pub fn invoke_interface(&mut self, class: &str, name: &str, descriptor: &str, words: u8) -> &mut Self {
        let index = self.pool.member(11, class, name, descriptor);
        self.wide(0xB9, index).op(&[words, 0])
    }

    /// A label that is not placed yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) -> &mut Self {
        self.labels[label.0] = Some(self.bytes.len());
        self
    }

    /// A label here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    pub fn jump(&mut self, op: u8, to: Label) -> &mut Self {
        let at = self.bytes.len();
        self.wide(op, 0);
        self.jumps.push((at, at + 1, to));
        self
    }

    /// Exceptions of a class between two labels go to a third.
    pub fn handler(&mut self, from: Label, to: Label, handler: Label, class: &str) -> &mut Self {
        let class = self.pool.class(class);
        self.handlers.push(([from, to, handler], class));
        self
    }

    fn finish(mut self) -> Vec<u8> {
        let place = |labels: &[Option<usize>], label: Label| labels[label.0].expect("the label is placed");
        for (from, at, label) in &self.jumps {
            let offset = place(&self.labels, *label) as i64 - *from as i64;
            let offset = i16::try_from(offset).expect("methods of tests are short");
            self.bytes[*at..at + 2].copy_from_slice(&offset.to_be_bytes());
        }
        // More stack and locals than any test needs.
        let mut body = words(&[32, 32]);
        body.extend((self.bytes.len() as u32).to_be_bytes());
        body.extend(&self.bytes);
        body.extend(words(&[self.handlers.len() as u16]));
        for (labels, class) in &self.handlers {
            body.extend(words(&labels.map(|label| place(&self.labels, label) as u16)));
            body.extend(words(&[*class]));
        }
        body.extend(words(&[0]));
        body
    }
}

/// A folder with class files.
pub fn folder(classes: &[Class]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for class in classes {
        let path = folder.path().join(format!("{}.class", class.name));
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("the folder can be made");
        std::fs::write(path, class.bytes()).expect("the file can be written");
    }
    folder
}
