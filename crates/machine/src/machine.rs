//! The machine's state and the plain operations on it.

use program::{ClassId, Insn, Kind, MethodId, Op, Program};
use rustc_hash::FxHashMap;

use crate::frame::{Frame, FrameKind, Stack};
use crate::heap::{Heap, Short, array_words, element_shift};
use crate::native::{Library, Native, Raise};
use crate::outcome::{Memory, Stop};
use crate::trail::{Entry, Trail};
use crate::value::{Ref, Word};

/// How far a class is initialized (JVMS 5.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum InitState {
    Linked,
    Running,
    Done,
    Failed,
}

/// What the machine keeps for each class.
#[derive(Clone, Copy, Debug)]
pub struct ClassState {
    pub init: InitState,
    /// Log2 of the element size for arrays.
    pub(crate) shift: u8,
    pub(crate) is_array: bool,
    /// How elements are stored, for arrays.
    pub(crate) storage: Option<crate::interp::ArrayKind>,
    /// Words of an instance.
    pub(crate) words: u32,
    pub mirror: Ref,
    /// First static word, absolute.
    pub statics: u32,
}

/// What the machine needs to call a method.
#[derive(Clone, Copy)]
pub(crate) struct Callee {
    /// Null until the method was called once.
    pub code: *mut Insn,
    pub registers: u32,
    pub native: Option<Native>,
    /// Tried before anything else while values may be unknown.
    pub symbolic: Option<Native>,
    /// The code, also when `code` is null because something is tried first.
    pub behind: *mut Insn,
    pub witness: Option<crate::native::Witness>,
}

/// A virtual or interface call, with the class seen last.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub method: MethodId,
    pub class: u32,
    pub target: MethodId,
}

/// Classes and fields the machine itself has to know.
#[derive(Clone, Copy, Debug)]
pub struct WellKnown {
    pub object: ClassId,
    pub class: ClassId,
    pub string: ClassId,
    pub throwable: ClassId,
    pub error: ClassId,
    pub byte_array: ClassId,
    pub(crate) string_value: u32,
    pub(crate) string_coder: u32,
    pub(crate) throwable_message: u32,
    pub(crate) throwable_cause: u32,
    pub(crate) throwable_backtrace: u32,
    pub(crate) throwable_stack_trace: u32,
    pub(crate) throwable_suppressed: u32,
    pub(crate) throwable_depth: u32,
}

/// The heap of a machine if nobody says anything: a path that fills it is seldom worth waiting for.
pub const HEAP: u64 = 2 << 30;

/// Limits and settings of a machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Heap limit in bytes.
    pub heap: u64,
    pub when_full: WhenFull,
    /// Bytes that are kept of each stream, as long as nobody can take them.
    pub output: usize,
    /// Whether there is room for so many more bytes. It is asked before the heap grows, and before anything large is made
    /// beside it: whoever drives the machine knows what all machines together may use.
    pub room: fn(u64) -> bool,
    /// Frames on the stack before `StackOverflowError`.
    pub frames: usize,
    /// Bytes standard input will deliver.
    pub input: Vec<u8>,
    /// Where the virtual clock starts, in nanoseconds since 1970.
    pub clock: u64,
    /// Whether `assert` statements of user classes are checked.
    pub assertions: bool,
    /// System properties on top of the built-in ones (`-D`).
    pub properties: Vec<(String, String)>,
}

impl Config {
    /// The heap limit as the program is told: the user's, or always the same. How much memory happens to be free is
    /// nothing that a program should see.
    pub fn told_heap(&self) -> u64 {
        match self.when_full {
            WhenFull::Throw => self.heap,
            WhenFull::Stop => HEAP,
        }
    }
}

/// What a full heap means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenFull {
    /// The program gets an `OutOfMemoryError`, as it would in a JVM with such a heap.
    Throw,
    /// The run ends: with a larger heap the program would have gone on.
    Stop,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            heap: HEAP,
            when_full: WhenFull::Throw,
            output: usize::MAX,
            room: |_| true,
            frames: 12_000,
            input: Vec::new(),
            // 2024-01-01T00:00:00Z
            clock: 1_704_067_200_000_000_000,
            assertions: false,
            properties: Vec::new(),
        }
    }
}

/// What takes fewer bytes than this is made without asking for room.
const LARGE: u64 = 1 << 20;

/// Bytes that an element takes which is pending in the side table: there, in the trail, and while the table grows.
const SHADOW: u64 = 192;

/// The longest array HotSpot makes: its header takes away two elements.
pub(crate) const LONGEST_ARRAY: i32 = i32::MAX - 2;

/// Where bytes written by the program go as soon as no checkpoint can take them back.
pub type Sink = Box<dyn FnMut(usize, &[u8])>;
/// Where standard input comes from when the configured bytes are used up.
pub type Source = Box<dyn FnMut(&mut [u8]) -> usize>;

/// A JVM. See the crate's description.
pub struct Machine {
    pub program: Program,
    pub(crate) library: &'static dyn Library,
    pub heap: Heap,
    pub(crate) stack: Stack,
    pub(crate) frames: Vec<Frame>,
    pub(crate) trail: Trail,
    /// Heap words below this index are logged before they change.
    pub(crate) log_below: u32,
    /// Frames below this number were there at the last checkpoint and are not saved yet.
    pub(crate) protected: usize,
    pub(crate) classes: Vec<ClassState>,
    pub(crate) callees: Vec<Callee>,
    pub(crate) sites: Vec<Site>,
    pub known: WellKnown,
    pub(crate) literals: FxHashMap<(ClassId, u16), Ref>,
    pub(crate) interned: FxHashMap<Box<[u16]>, Ref>,
    pub(crate) monitors: Vec<Ref>,
    pub(crate) array_hashes: FxHashMap<Ref, i32>,
    pub(crate) hash_seed: u32,
    pub(crate) decision: Option<u64>,
    /// When choices are made.
    pub mode: crate::choice::Mode,
    /// Choices that are not made yet.
    pub(crate) pending: crate::pending::Pending,
    /// Unknown values and what is known about them.
    pub symbolic: crate::symbolic::Symbolic,
    /// Branches taken: see [`crate::cover`].
    pub(crate) coverage: crate::cover::Coverage,
    pub config: Config,
    /// What the program wrote to standard output and standard error.
    pub output: [Vec<u8>; 2],
    pub(crate) sink: Option<Sink>,
    pub(crate) source: Option<Source>,
    pub input: Vec<u8>,
    pub(crate) input_position: usize,
    /// The virtual clock, in nanoseconds.
    pub clock: u64,
    /// Objects the machine itself refers to.
    pub roots: Vec<Ref>,
    /// The thread everything runs on.
    pub thread: Ref,
    /// Data of native stubs, by method: see [`crate::native`].
    pub stub_data: FxHashMap<MethodId, StubData>,
    /// Stubs of reflective calls, by the native they stand for and their target.
    pub reflective_stubs: FxHashMap<(MethodId, MethodId), MethodId>,
    /// An `Object[]` in which the library keeps what must outlive a native call and be taken back by a rollback.
    pub registry: Ref,
    /// Stubs by what they do, so that each is made once.
    pub stubs: FxHashMap<String, MethodId>,
    /// Heap words that hold references, are scanned and take part in rollbacks, but belong to no object yet.
    pub free_slots: Vec<u32>,
    /// Memory handed out by `Unsafe.allocateMemory`, by address.
    pub raw: crate::raw::RawMemory,
    /// Contents of the files opened so far, by path: only ever added to.
    pub files: Vec<(String, std::rc::Rc<[u8]>)>,
    pub(crate) native_method: Option<MethodId>,
    /// A cell, because even a look at the outside is noted.
    pub(crate) touched: std::cell::Cell<crate::outside::Touched>,
    pub steps: u64,
    /// Stop when `steps` reaches this.
    pub step_limit: u64,
    /// Assumptions that held, over all paths.
    pub assumptions: u64,
    /// Stop when `assumptions` reaches this.
    pub pause_at: Option<u64>,
    pub allocations: u64,
    pub(crate) return_stub: MethodId,
    pub(crate) hidden_number: u32,
    /// Hidden classes defined from bytes, by their number.
    pub hidden_classes: FxHashMap<u32, (Vec<u8>, ClassId)>,
    pub(crate) last_result: Kind,
    pub(crate) boolean_array: u32,
    /// Array classes by the type codes of `newarray`.
    pub(crate) primitive_arrays: [u32; 12],
}

/// What a native stub was made with.
#[derive(Clone, Debug, Default)]
pub struct StubData {
    pub text: String,
    pub references: Vec<Ref>,
    pub numbers: Vec<u32>,
}

impl Machine {
    // ---- classes ----

    /// Loads a class by internal name.
    pub fn load(&mut self, name: &str) -> Result<ClassId, Raise> {
        let result = self.program.load(name);
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
    }

    /// Gives every class the program has loaded meanwhile its run-time state and mirror.
    pub fn sync_classes(&mut self) {
        while self.classes.len() < self.program.classes.len() {
            let id = ClassId(self.classes.len() as u32);
            self.add_class_state(id);
        }
    }

    pub(crate) fn add_class_state(&mut self, id: ClassId) {
        let class = self.program.class(id);
        let kind = class.element_kind();
        let mut state = ClassState {
            init: InitState::Linked,
            shift: kind.map_or(0, element_shift) as u8,
            is_array: kind.is_some(),
            storage: Machine::storage_of(kind),
            words: class.instance_words,
            mirror: Ref::NULL,
            statics: 0,
        };
        let plain = class.file.is_none() && !class.hidden;
        if plain {
            state.init = InitState::Done;
        }
        self.classes.push(state);
        if self.known.class.0 != 0 && id.0 != 0 {
            self.make_mirror(id);
        }
    }

    /// Declared classes that are initialized, in the order they were loaded.
    pub fn initialized_classes(&self) -> Vec<ClassId> {
        let ids = (0..self.classes.len()).map(|index| ClassId(index as u32));
        ids.filter(|id| {
            self.program.class(*id).file.is_some() && self.class_state(*id).init == InitState::Done
        })
        .collect()
    }

    /// The kind of value the method at the bottom of the last run returns.
    pub fn last_result_kind(&self) -> Kind {
        self.last_result
    }

    pub fn class_of(&self, object: Ref) -> ClassId {
        ClassId(self.heap.class_index(object))
    }

    /// Internal name of an object's class.
    pub fn class_name_of(&self, object: Ref) -> &str {
        self.program.class_name(self.class_of(object))
    }

    pub fn is_instance(&self, object: Ref, class: ClassId) -> bool {
        self.program.is_subtype(self.class_of(object), class)
    }

    pub fn class_state(&self, class: ClassId) -> &ClassState {
        &self.classes[class.0 as usize]
    }

    /// How the elements of an array object are stored.
    pub fn array_kind(&self, array: Ref) -> Option<Kind> {
        self.program.class(self.class_of(array)).element_kind()
    }

    /// Bytes of an array's elements.
    pub fn array_bytes(&self, array: Ref) -> usize {
        let state = &self.classes[self.heap.class_index(array) as usize];
        (self.heap.length(array) as usize) << state.shift
    }

    // ---- allocation ----

    /// Words of the object with this header.
    #[inline]
    pub(crate) fn size_of(classes: &[ClassState], header: Word) -> u32 {
        let class = header as u32 & crate::heap::CLASS_MASK;
        if class == 0 {
            return ((header >> 32) as u32).max(1);
        }
        let state = &classes[class as usize];
        if state.is_array {
            array_words(u32::from(state.shift), (header >> 32) as u32) as u32
        } else {
            state.words
        }
    }

    /// A new instance with all fields zero. Never collects: natives may hold references in Rust variables.
    pub fn allocate(&mut self, class: ClassId) -> Result<Ref, Raise> {
        let words = self.classes[class.0 as usize].words;
        self.allocate_words(Word::from(class.0), words)
    }

    /// A new array of a class and length; the length must not be negative.
    pub fn allocate_array(&mut self, class: ClassId, length: i32) -> Result<Ref, Raise> {
        if length > LONGEST_ARRAY {
            return Err(
                self.raise("java/lang/OutOfMemoryError", Some("Requested array size exceeds VM limit"))
            );
        }
        let shift = u32::from(self.classes[class.0 as usize].shift);
        let words = array_words(shift, length as u32);
        if words > u64::from(u32::MAX / 2) {
            return Err(self.out_of_memory());
        }
        self.allocate_words(Word::from(class.0) | (length as u64) << 32, words as u32)
    }

    /// The same, collecting if there is no room otherwise: for natives that hold no reference but `kept`.
    pub fn allocate_array_keeping(&mut self, class: ClassId, length: i32, kept: Ref) -> Result<Ref, Raise> {
        let words = array_words(u32::from(self.classes[class.0 as usize].shift), length as u32);
        if !self.heap.has_room(words) {
            self.roots.push(kept);
            let room = self.before_allocation(words);
            self.roots.pop();
            room?;
        }
        self.allocate_array(class, length)
    }

    fn allocate_words(&mut self, header: Word, words: u32) -> Result<Ref, Raise> {
        self.allocations += 1;
        if let Some(object) = self.heap.bump(header, words) {
            return Ok(object);
        }
        let fresh_only = self.has_checkpoint();
        if let Err(short) = self.heap.make_room(words, fresh_only, self.config.room) {
            return Err(self.short_of_memory(short));
        }
        self.heap.bump(header, words).ok_or(Raise::Stop(Stop::NotModelled("heap accounting".into())))
    }

    /// Called between instructions when an allocation did not fit: collects if that is due.
    pub(crate) fn before_allocation(&mut self, words: u64) -> Result<(), Raise> {
        if words > u64::from(u32::MAX / 2) {
            return Err(self.out_of_memory());
        }
        if self.has_checkpoint() {
            return Ok(());
        }
        if self.heap.wants_collection() {
            self.collect();
        }
        if self.heap.make_room(words as u32, false, self.config.room).is_err() {
            self.collect();
            if let Err(short) = self.heap.make_room(words as u32, false, self.config.room) {
                return Err(self.short_of_memory(short));
            }
        }
        Ok(())
    }

    pub(crate) fn short_of_memory(&mut self, short: Short) -> Raise {
        match short {
            Short::OfHeap => self.out_of_memory(),
            Short::OfRoom => Raise::Stop(Stop::Memory(Memory::Process)),
        }
    }

    pub(crate) fn out_of_memory(&mut self) -> Raise {
        match self.config.when_full {
            WhenFull::Throw => self.raise("java/lang/OutOfMemoryError", Some("Java heap space")),
            WhenFull::Stop => Raise::Stop(Stop::Memory(Memory::Heap)),
        }
    }

    /// Asks for room for something large outside the heap that the program decides the size of.
    pub fn ensure_room(&self, bytes: u64) -> Result<(), Raise> {
        if bytes < LARGE || (self.config.room)(bytes) {
            Ok(())
        } else {
            Err(Raise::Stop(Stop::Memory(Memory::Process)))
        }
    }

    /// Asks for room for an array of so many bytes, which is put together outside the heap first.
    pub fn ensure_room_for_array(&mut self, bytes: u64) -> Result<(), Raise> {
        if bytes >= LARGE && !self.heap.can_take(bytes / 8, self.has_checkpoint()) {
            return Err(self.out_of_memory());
        }
        self.ensure_room(2 * bytes)
    }

    /// Gives memory back to the system that only paths which have ended needed.
    pub fn give_back(&mut self) {
        self.heap.release();
        self.shrink_logs();
        self.output.iter_mut().for_each(Vec::shrink_to_fit);
    }

    // ---- fields and elements ----

    /// Reads a word of an object.
    #[inline]
    pub fn get(&self, object: Ref, offset: u32) -> Word {
        self.heap.word(object.0 + offset)
    }

    /// Writes a word of an object, logging the old one if a checkpoint needs it.
    #[inline]
    pub fn put(&mut self, object: Ref, offset: u32, word: Word) {
        self.put_at(object.0 + offset, word);
    }

    /// Writes a heap word by absolute index.
    #[inline]
    pub fn put_at(&mut self, at: u32, word: Word) {
        if at < self.log_below {
            self.log_word(at);
        }
        self.heap.set_word(at, word);
    }

    pub fn get_ref(&self, object: Ref, offset: u32) -> Ref {
        Ref::from_word(self.get(object, offset))
    }

    /// The offset of a field known by name, searched from `class` upward.
    pub fn field_offset(&self, class: ClassId, name: &str) -> Option<u32> {
        let field = self.program.field_named(class, name)?;
        (!field.is_static()).then_some(field.offset)
    }

    /// A field of an object by name: for natives that know the library's classes.
    pub fn field(&self, object: Ref, name: &str) -> Word {
        let offset = self.field_offset(self.class_of(object), name);
        self.get(
            object,
            offset.unwrap_or_else(|| panic!("{} has no field {name}", self.class_name_of(object))),
        )
    }

    /// The name of an enum's constant, which may have a field `name` of its own; empty for other objects.
    pub fn constant_name(&self, object: Ref) -> String {
        let mut class = self.class_of(object);
        while let Some(parent) = self.program.class(class).super_class {
            if parent == self.known.object {
                break;
            }
            class = parent;
        }
        if self.program.class_name(class) != "java/lang/Enum" {
            return String::new();
        }
        let offset = self.field_offset(class, "name").expect("a JDK whose enums have names");
        self.string(Ref::from_word(self.get(object, offset)))
    }

    /// Sets a one-word field by name if the class has it; says whether it does.
    pub fn set_field(&mut self, object: Ref, name: &str, word: Word) -> bool {
        match self.field_offset(self.class_of(object), name) {
            Some(offset) => {
                self.put(object, offset, word);
                true
            }
            None => false,
        }
    }

    /// Absolute index and kind of a static field by name.
    pub fn static_field(&self, class: ClassId, name: &str) -> Option<u32> {
        let field = self.program.field_named(class, name)?;
        field.is_static().then(|| self.classes[field.class.0 as usize].statics + field.offset)
    }

    /// An element of a reference array.
    pub fn element(&self, array: Ref, index: i32) -> Ref {
        Ref::from_word(self.get(array, 1 + index as u32))
    }

    pub fn set_element(&mut self, array: Ref, index: i32, value: Ref) {
        self.put(array, 1 + index as u32, value.word());
    }

    /// An element of any array as a raw word (sign or zero extended to 32 bits for the small kinds).
    pub fn array_word(&self, array: Ref, index: i32) -> Word {
        let kind = self.array_kind(array).unwrap_or(Kind::Ref);
        let bytes = self.heap.bytes(array, self.array_bytes(array));
        let i = index as usize;
        match kind {
            Kind::Boolean | Kind::Byte => Word::from(i32::from(bytes[i] as i8) as u32),
            Kind::Char => Word::from(u16::from_ne_bytes([bytes[2 * i], bytes[2 * i + 1]])),
            Kind::Short => Word::from(i32::from(i16::from_ne_bytes([bytes[2 * i], bytes[2 * i + 1]])) as u32),
            _ => self.get(array, 1 + index as u32),
        }
    }

    /// Stores an element of any array.
    pub fn set_array_word(&mut self, array: Ref, index: i32, word: Word) {
        let kind = self.array_kind(array).unwrap_or(Kind::Ref);
        let i = index as usize;
        let shift = element_shift(kind);
        let at = array.0 + 1 + (index as u32 >> (3 - shift));
        if at < self.log_below {
            self.log_word(at);
        }
        let len = self.array_bytes(array);
        match kind {
            Kind::Boolean => self.heap.bytes_mut(array, len)[i] = word as u8 & 1,
            Kind::Byte => self.heap.bytes_mut(array, len)[i] = word as u8,
            Kind::Char | Kind::Short => {
                self.heap.bytes_mut(array, len)[2 * i..2 * i + 2]
                    .copy_from_slice(&(word as u16).to_ne_bytes());
            }
            _ => self.heap.set_word(at, word),
        }
    }

    /// Elements of a small-integer array about to be overwritten as bytes: logs them and gives them out.
    pub fn array_bytes_mut(&mut self, array: Ref) -> &mut [u8] {
        let len = self.array_bytes(array);
        if array.0 < self.log_below {
            self.log_words(array.0 + 1, len.div_ceil(8) as u32);
        }
        self.heap.bytes_mut(array, len)
    }

    /// A new `byte[]` with these contents.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Result<Ref, Raise> {
        let length = i32::try_from(bytes.len()).map_err(|_| self.out_of_memory())?;
        let array = self.allocate_array(self.known.byte_array, length)?;
        self.heap.bytes_mut(array, bytes.len()).copy_from_slice(bytes);
        Ok(array)
    }

    /// The class a field descriptor names.
    pub fn load_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Raise> {
        let result = self.program.load_descriptor(descriptor);
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
    }

    /// A new object that lives as long as the machine. It must never come to refer to other objects.
    pub fn allocate_permanent(&mut self, class: ClassId) -> Result<Ref, Raise> {
        let words = self.classes[class.0 as usize].words;
        match self.heap.allocate_permanent(Word::from(class.0), words) {
            Some(object) => Ok(object),
            None => Err(self.out_of_memory()),
        }
    }

    /// A number no other hidden class of this machine has.
    pub fn next_hidden_number(&mut self) -> u32 {
        self.hidden_number += 1;
        self.hidden_number
    }

    /// A call site for virtual and interface calls in synthetic code.
    pub fn new_site(&mut self, method: MethodId) -> u32 {
        self.callee(method);
        self.sites.push(Site { method, class: 0, target: method });
        self.sites.len() as u32 - 1
    }

    /// Makes a method known to the interpreter, so that synthetic code may call it.
    pub fn register_callee(&mut self, method: MethodId) {
        self.callee(method);
    }

    /// Copies elements between arrays of one kind; ranges must be checked. Overlap is fine.
    pub fn copy_elements(
        &mut self,
        source: Ref,
        from: i32,
        target: Ref,
        to: i32,
        count: i32,
    ) -> Result<(), Raise> {
        if self.heap.is_shadowed(source) || self.heap.is_shadowed(target) {
            self.ensure_room(count as u64 * SHADOW)?;
            let pending: Vec<Option<Word>> = (0..count).map(|i| self.shadow(source, from + i)).collect();
            for (i, word) in (0..count).zip(pending) {
                self.set_shadow(target, to + i, word);
            }
        }
        let shift = u32::from(self.classes[self.heap.class_index(source) as usize].shift);
        let bytes = (count as usize) << shift;
        let (from, to) = ((from as usize) << shift, (to as usize) << shift);
        if target.0 < self.log_below {
            self.ensure_room(bytes as u64)?;
            let first = target.0 + 1 + (to / 8) as u32;
            let last = target.0 + 1 + ((to + bytes).div_ceil(8)) as u32;
            self.log_words(first, last - first);
        }
        self.heap.copy(source, from, target, to, bytes);
        Ok(())
    }

    /// Up to eight bytes at a byte index of the heap, little end first.
    pub fn heap_bytes(&self, at: usize, size: usize) -> u64 {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.heap.bytes(Ref((at / 8) as u32 - 1), 16)[at % 8..at % 8 + size]);
        u64::from_ne_bytes(word)
    }

    /// Writes up to eight bytes at a byte index of the heap.
    pub fn set_heap_bytes(&mut self, at: usize, size: usize, value: u64) {
        self.log_words((at / 8) as u32, 2);
        let bytes = self.heap.bytes_mut(Ref((at / 8) as u32 - 1), 16);
        bytes[at % 8..at % 8 + size].copy_from_slice(&value.to_ne_bytes()[..size]);
    }

    /// The class of arrays with elements of class `element`.
    pub fn array_class(&mut self, element: ClassId) -> Result<ClassId, Raise> {
        let result = self.program.array_of(element);
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
    }

    // ---- identity and monitors ----

    /// `System.identityHashCode`: given out in order of asking, so the same in every run.
    pub fn identity_hash(&mut self, object: Ref) -> i32 {
        if object.is_null() {
            return 0;
        }
        let header = self.heap.word(object.0);
        let array = self.classes[self.heap.class_index(object) as usize].is_array;
        if array {
            if let Some(&hash) = self.array_hashes.get(&object) {
                return hash;
            }
        } else if header >> 32 != 0 {
            return (header >> 32) as i32;
        }
        let mut x = self.hash_seed;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.hash_seed = x;
        let hash = ((x & 0x7FFF_FFFF).max(1)) as i32;
        if array {
            self.log(Entry::ArrayHash(object));
            self.array_hashes.insert(object, hash);
        } else {
            self.put_at(object.0, (header & 0xFFFF_FFFF) | (hash as u64) << 32);
        }
        hash
    }

    pub(crate) fn monitor_enter(&mut self, object: Ref) {
        self.log(Entry::MonitorEntered);
        self.monitors.push(object);
    }

    /// Leaves a monitor; false if it is not held by a `monitorenter`.
    pub(crate) fn monitor_exit(&mut self, object: Ref) -> bool {
        let Some(at) = self.monitors.iter().rposition(|held| *held == object) else { return false };
        self.monitors.remove(at);
        self.log(Entry::MonitorLeft { at, object });
        true
    }

    /// Whether the thread holds the monitor of `object`, by block or by synchronized method.
    pub fn holds_monitor(&self, object: Ref) -> bool {
        self.monitors.contains(&object)
            || self.frames.iter().any(|frame| {
                let method = self.program.method(frame.method);
                method.is_synchronized() && {
                    let held = if method.is_static() {
                        self.classes[method.class.0 as usize].mirror
                    } else {
                        // The receiver stays in local 0 of any method a compiler emits.
                        Ref::from_word(self.stack.get(frame.base as usize))
                    };
                    held == object
                }
            })
    }

    // ---- input and output ----

    /// Appends to standard output (0) or standard error (1). What has to be kept has a bound.
    pub fn write(&mut self, stream: usize, bytes: &[u8]) -> Result<(), Raise> {
        if self.trail.marks.is_empty()
            && let Some(sink) = &mut self.sink
        {
            sink(stream, bytes);
            return Ok(());
        }
        let kept = &mut self.output[stream];
        if bytes.len() > self.config.output.saturating_sub(kept.len()) {
            return Err(Raise::Stop(Stop::Memory(Memory::Output)));
        }
        kept.extend_from_slice(bytes);
        Ok(())
    }

    /// Passes output straight on while no checkpoint is open.
    pub fn set_sink(&mut self, sink: Sink) {
        self.sink = Some(sink);
    }

    /// Where to read standard input from.
    pub fn set_source(&mut self, source: Source) {
        self.source = Some(source);
    }

    /// Reads standard input; 0 at its end.
    pub fn read_input(&mut self, buffer: &mut [u8]) -> usize {
        if buffer.is_empty() {
            return 0;
        }
        self.fetch_input();
        let rest = &self.input[self.input_position..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.input_position += count;
        count
    }

    /// Gets more input from outside when all was read.
    fn fetch_input(&mut self) {
        if self.input_position == self.input.len()
            && let Some(source) = &mut self.source
        {
            // Without a checkpoint nobody comes back to what was read.
            if self.trail.marks.is_empty() {
                self.input.clear();
                self.input_position = 0;
            }
            let mut chunk = vec![0; 8192];
            let count = source(&mut chunk);
            self.input.extend_from_slice(&chunk[..count]);
        }
    }

    /// Bytes of standard input that can be read without waiting. Waits for the first itself: whether input is late
    /// must not make a difference.
    pub fn input_available(&mut self) -> usize {
        self.fetch_input();
        self.input.len() - self.input_position
    }

    // ---- frames ----

    /// The frames, bottom first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The class whose code is executing: the `depth`-th frame from the top, native methods not counted.
    pub fn caller_class(&self, depth: usize) -> Option<ClassId> {
        let index = self.frames.len().checked_sub(1 + depth)?;
        Some(self.program.method(self.frames[index].method).class)
    }

    /// Registers the reserved stub that only returns.
    pub(crate) fn make_return_stub(&mut self) {
        let code = program::Code {
            insns: Box::new([Insn::new(Op::RetV, 0, 0, 0)]),
            bci: Box::new([0]),
            locals: 0,
            registers: 4,
            handlers: Box::new([]),
            switches: Box::new([]),
        };
        let spec = program::synthetic::SyntheticMethod {
            name: "<done>".into(),
            descriptor: "()V".into(),
            flags: program::access::STATIC,
            code: Some(code),
        };
        self.return_stub = self.program.add_stub(self.known.object, spec);
    }

    pub(crate) fn callee(&mut self, method: MethodId) -> Callee {
        let index = method.0 as usize;
        if index >= self.callees.len() {
            let null = std::ptr::null_mut();
            let empty = Callee {
                code: null,
                registers: 0,
                native: None,
                symbolic: None,
                behind: null,
                witness: None,
            };
            self.callees.resize(self.program.methods.len().max(index + 1), empty);
        }
        self.callees[index]
    }

    /// A reference to the last frame; there always is one while code runs.
    pub(crate) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is running")
    }

    pub(crate) fn is_detour(kind: FrameKind) -> bool {
        matches!(kind, FrameKind::Initializer | FrameKind::Waiting | FrameKind::Detour)
    }
}
