//! The machine's state: what belongs to it, its classes, and its frames.

use program::{ClassId, Insn, Kind, MethodId, Op, Program};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::frame::{Frame, FrameKind, Stack};
use crate::heap::{Heap, element_shift};
use crate::native::{Library, Native, Raise};
use crate::streams::{Sink, Source};
use crate::trail::Trail;
use crate::value::Ref;

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
    /// Processors that the program is told of.
    pub processors: u32,
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
    /// The first frame that belongs to it.
    pub(crate) thread_floor: usize,
    /// Data of native stubs, by method: see [`crate::native`].
    pub stub_data: FxHashMap<MethodId, StubData>,
    /// Stubs of reflective calls, by the native they stand for and their target.
    pub reflective_stubs: FxHashMap<(MethodId, MethodId), MethodId>,
    /// An `Object[]` in which the library keeps what must outlive a native call and be taken back by a rollback.
    pub registry: Ref,
    /// Stubs by what they do, so that each is made once.
    pub stubs: FxHashMap<String, MethodId>,
    /// Other ways to do calls of methods.
    pub(crate) shortcuts: FxHashMap<MethodId, std::rc::Rc<dyn crate::shortcut::Shortcut>>,
    /// Heap words that hold references, are scanned and take part in rollbacks, but belong to no object yet.
    pub free_slots: Vec<u32>,
    /// Memory handed out by `Unsafe.allocateMemory`, by address.
    pub raw: crate::raw::RawMemory,
    /// Contents of the files opened so far, by path: only ever added to.
    pub files: Vec<(String, std::rc::Rc<[u8]>)>,
    pub(crate) native_method: Option<MethodId>,
    /// Set when something that is not decided yet was taken for a reference.
    pub(crate) misread: std::cell::Cell<bool>,
    /// Calls under way that did not come from the program's own instructions.
    pub(crate) nested: u32,
    /// How many of those are calls in which nobody can be asked for a choice.
    pub(crate) unasked: u32,
    /// A cell, because even a look at the outside is noted.
    pub(crate) touched: std::cell::Cell<crate::outside::Touched>,
    /// Instructions of the program that read and write static fields, as they were before they were resolved.
    pub(crate) static_accesses: Vec<(MethodId, u32, program::Insn)>,
    /// What is taken for granted, on all paths together.
    pub(crate) supposed: std::cell::RefCell<std::collections::BTreeSet<crate::supposed::Supposition>>,
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
    /// A text, in UTF-16: it may have halves of surrogate pairs.
    pub text: Vec<u16>,
    pub references: Vec<Ref>,
    pub numbers: Vec<u32>,
}

impl Machine {
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

    /// The class a field descriptor names.
    pub fn load_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Raise> {
        let result = self.program.load_descriptor(descriptor);
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
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

    /// The class of arrays with elements of class `element`.
    pub fn array_class(&mut self, element: ClassId) -> Result<ClassId, Raise> {
        let result = self.program.array_of(element);
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
    }

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
