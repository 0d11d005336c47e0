//! Exceptions: making them, their stack traces, and unwinding to a handler.

use program::{ClassId, Kind, LinkError, MethodId};

use crate::config::WhenFull;
use crate::frame::FrameKind;
use crate::heap::Short;
use crate::machine::{InitState, Machine};
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::Ref;

/// Frames kept in a stack trace, as in HotSpot.
const TRACE_LIMIT: usize = 1024;
/// The bytecode index that stands for "native method" in a trace.
pub const NATIVE_BCI: u32 = 0xFFFF;

/// In the first row of a trace: an instruction raised the exception, and nobody made it with `new`.
const RAISED: u64 = 1 << 31;

/// One row of a stack trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRow {
    pub method: MethodId,
    pub bci: u32,
}

impl Machine {
    /// A new exception of class `name`, as if thrown by the running instruction.
    pub fn raise(&mut self, name: &str, message: Option<&str>) -> Raise {
        match self.new_exception(name, message) {
            Ok(exception) => Raise::Throw(exception),
            Err(raise) => raise,
        }
    }

    /// A new exception object with message and stack trace.
    pub fn new_exception(&mut self, name: &str, message: Option<&str>) -> Result<Ref, Raise> {
        let class = match self.program.load(name) {
            Ok(class) => class,
            Err(error) => return Err(Raise::Stop(Stop::NotModelled(format!("throwing {name}: {error}")))),
        };
        self.sync_classes();
        let exception = self.allocate_exception(class)?;
        let known = self.known;
        if let Some(message) = message {
            let text = self.new_string(message)?;
            self.put(exception, known.throwable_message, text.word());
        }
        self.put(exception, known.throwable_cause, exception.word());
        if let Some(at) = self.static_field(known.throwable, "UNASSIGNED_STACK") {
            let unassigned = self.heap.word(at);
            self.put(exception, known.throwable_stack_trace, unassigned);
        }
        if let Some(at) = self.static_field(known.throwable, "SUPPRESSED_SENTINEL") {
            let sentinel = self.heap.word(at);
            self.put(exception, known.throwable_suppressed, sentinel);
        }
        self.fill_in_stack_trace(exception)?;
        self.mark_raised(exception);
        Ok(exception)
    }

    fn mark_raised(&mut self, exception: Ref) {
        let trace = self.backtrace(exception);
        if !trace.is_null() && self.heap.length(trace) > 0 {
            let first = self.get(trace, 1);
            self.heap.set_word(trace.0 + 1, first | RAISED);
        }
    }

    /// Whether the JVM made an exception on its own, and no code with `new`.
    pub(crate) fn is_raised(&self, exception: Ref) -> bool {
        let trace = self.backtrace(exception);
        !trace.is_null() && self.heap.length(trace) > 0 && self.get(trace, 1) & RAISED != 0
    }

    /// Room for an exception even when the heap is full: the limit leaves a reserve.
    fn allocate_exception(&mut self, class: ClassId) -> Result<Ref, Raise> {
        let words = self.classes[class.0 as usize].words;
        if let Some(object) = self.heap.bump(u64::from(class.0), words) {
            return Ok(object);
        }
        if let Err(short) = self.heap.make_room(words, self.needs_fresh(), self.config.room) {
            return Err(match (short, self.config.when_full) {
                (Short::OfHeap, WhenFull::Throw) => {
                    Raise::Stop(Stop::NotModelled("heap exhausted while throwing".into()))
                }
                _ => self.short_of_memory(short),
            });
        }
        self.allocate(class)
    }

    /// The rows of the current stack, top first, hidden frames left out.
    pub fn stack_rows(&self) -> Vec<TraceRow> {
        let mut rows = Vec::new();
        if let Some(native) = self.native_method.filter(|native| !self.program.method(*native).hidden) {
            rows.push(TraceRow { method: native, bci: NATIVE_BCI });
        }
        let mut exact = true;
        for (at, frame) in self.frames.iter().enumerate().skip(self.thread_floor).rev() {
            let method = self.program.method(frame.method);
            let index = frame.index();
            let index = if exact { index } else { index.saturating_sub(1) };
            exact = Self::is_detour(frame.kind);
            if method.hidden || frame.kind == FrameKind::Waiting || self.is_combinator_call(at) {
                continue;
            }
            let bci = method.code.as_ref().and_then(|code| code.bci.get(index)).copied().unwrap_or(0);
            rows.push(TraceRow { method: frame.method, bci: u32::from(bci) });
        }
        rows
    }

    /// Whether a frame is `MethodHandle.invokeWithArguments`, called by a combinator of the library. A JVM that
    /// compiles lambda forms has no such frame.
    fn is_combinator_call(&self, at: usize) -> bool {
        let Some(caller) = at.checked_sub(1).map(|below| self.program.method(self.frames[below].method))
        else {
            return false;
        };
        if !caller.hidden || self.program.class_name(caller.class) != "java/lang/invoke/MethodHandleImpl" {
            return false;
        }
        let method = self.program.method(self.frames[at].method);
        self.program.class_name(method.class) == "java/lang/invoke/MethodHandle"
            && self.program.text(method.name) == "invokeWithArguments"
    }

    /// Records the stack in an exception, without the frames that construct it.
    pub fn fill_in_stack_trace(&mut self, exception: Ref) -> Result<(), Raise> {
        let rows = self.stack_rows();
        let class = self.class_of(exception);
        // Overrides of `fillInStackTrace` come first, then the constructors.
        let leading = |rows: &[TraceRow], wanted: &str| {
            rows.iter()
                .take_while(|row| {
                    let method = self.program.method(row.method);
                    self.program.text(method.name) == wanted && self.program.is_subtype(class, method.class)
                })
                .count()
        };
        let filling = leading(&rows, "fillInStackTrace");
        let skipped = filling + leading(&rows[filling..], "<init>");
        let rows: Vec<TraceRow> = rows.into_iter().skip(skipped).take(TRACE_LIMIT).collect();
        let longs =
            self.program.array_of(self.program.primitive(Kind::Long)).map_err(|e| self.link_error(e))?;
        self.sync_classes();
        let trace = match self.allocate_array(longs, rows.len() as i32) {
            Ok(trace) => trace,
            Err(stop @ Raise::Stop(Stop::Memory(_))) => return Err(stop),
            Err(_) => return Ok(()),
        };
        for (i, row) in rows.iter().enumerate() {
            let word = u64::from(row.method.0) << 32 | u64::from(row.bci);
            self.heap.set_word(trace.0 + 1 + i as u32, word);
        }
        let known = self.known;
        self.put(exception, known.throwable_backtrace, trace.word());
        self.put(exception, known.throwable_depth, rows.len() as u64);
        Ok(())
    }

    /// The array in which an exception keeps where it was made.
    pub fn backtrace(&self, exception: Ref) -> Ref {
        self.get_ref(exception, self.known.throwable_backtrace)
    }

    /// What an exception says it was caused by.
    pub fn cause(&self, exception: Ref) -> Option<Ref> {
        let cause = self.get_ref(exception, self.known.throwable_cause);
        (!cause.is_null() && cause != exception).then_some(cause)
    }

    /// The rows recorded in a backtrace array.
    pub fn trace_rows(&self, trace: Ref) -> Vec<TraceRow> {
        (0..self.heap.length(trace) as u32)
            .map(|i| {
                let word = self.get(trace, 1 + i) & !RAISED;
                TraceRow { method: MethodId((word >> 32) as u32), bci: word as u32 }
            })
            .collect()
    }

    /// The Java exception, or the end of the run, that a linkage problem amounts to.
    pub fn link_error(&mut self, error: LinkError) -> Raise {
        self.sync_classes();
        match error {
            // The loader of a class defined at run time could find it; asking it is not possible here.
            LinkError::NotFound(name) if self.runs_foreign_class() => {
                Raise::Stop(Stop::NotModelled(format!("class {name} in a class of a custom class loader")))
            }
            LinkError::NotFound(name) => {
                self.suppose_missing(&name);
                let dotted = name.replace('/', ".");
                let cause = match self.new_exception("java/lang/ClassNotFoundException", Some(&dotted)) {
                    Ok(cause) => cause,
                    Err(raise) => return raise,
                };
                match self.new_exception("java/lang/NoClassDefFoundError", Some(&name)) {
                    Ok(exception) => {
                        let offset = self.known.throwable_cause;
                        self.put(exception, offset, cause.word());
                        Raise::Throw(exception)
                    }
                    Err(raise) => raise,
                }
            }
            LinkError::Malformed { .. } | LinkError::WrongName { .. } | LinkError::Unreadable(_) => {
                Raise::Stop(Stop::BadInput(format!(
                    "{error}; rebuild the class or remove it from the class path"
                )))
            }
            LinkError::Circular(name) => self.raise("java/lang/ClassCircularityError", Some(&name)),
            LinkError::Incompatible(what) => {
                self.raise("java/lang/IncompatibleClassChangeError", Some(&what))
            }
            LinkError::NoSuchField(what) => self.raise("java/lang/NoSuchFieldError", Some(&what)),
            LinkError::NoSuchMethod(what) => self.raise("java/lang/NoSuchMethodError", Some(&what)),
        }
    }

    /// Whether the running method belongs to a class that no entry of the class path holds.
    fn runs_foreign_class(&self) -> bool {
        let class =
            self.frames.last().map(|frame| self.program.class(self.program.method(frame.method).class));
        class.is_some_and(|class| class.origin == program::Origin::User { entry: usize::MAX })
    }

    /// Unwinds to the handler of `exception`. False when the frame at `floor` was left: `self.frames.len() == floor`.
    pub(crate) fn unwind(&mut self, mut exception: Ref, floor: usize) -> Result<(), (Ref, Option<Raise>)> {
        let mut exact = true;
        // Who catches it, or whether anybody does, depends on its class.
        if self.symbolic.is_on() {
            self.suppose_class_of(exception);
        }
        loop {
            let index = self.top().index();
            let index = if exact { index } else { index.saturating_sub(1) };
            let handler = match self.top().kind {
                FrameKind::Waiting => Ok(None),
                _ => self.find_handler(exception, index),
            };
            match handler {
                Ok(Some(target)) => {
                    let frame = *self.top();
                    let method = self.program.method(frame.method);
                    let register = method.code.as_ref().map_or(0, |code| code.exception_register());
                    self.stack.set(frame.base as usize + register as usize, exception.word());
                    // SAFETY: handler targets lie inside the code.
                    let pc = unsafe { frame.code.add(target as usize) };
                    self.top().pc = pc;
                    if self.coverage.on {
                        self.cover_caught(pc);
                    }
                    return Ok(());
                }
                Ok(None) => {}
                Err(Raise::Throw(other)) => exception = other,
                Err(raise) => return Err((exception, Some(raise))),
            }
            let frame = self.frames.pop().expect("a frame is running");
            exact = Self::is_detour(frame.kind);
            if matches!(frame.kind, FrameKind::Initializer | FrameKind::Waiting) {
                let class = ClassId(frame.aux);
                self.set_init(class, InitState::Failed);
                // The next one who asks gets another error.
                self.suppose_first(class);
                if let Err(raise) = self.remember_failure(class, exception) {
                    return Err((exception, Some(raise)));
                }
                if !self.is_instance(exception, self.known.error) {
                    exception = match self.new_exception("java/lang/ExceptionInInitializerError", None) {
                        Ok(wrapper) => {
                            // The trace of the wrapper is where the initializer was triggered.
                            let offset = self.known.throwable_cause;
                            self.put(wrapper, offset, exception.word());
                            self.set_field(wrapper, "exception", exception.word());
                            wrapper
                        }
                        Err(raise) => return Err((exception, Some(raise))),
                    };
                }
            }
            if self.frames.len() <= self.protected && !self.frames.is_empty() {
                self.save_frame();
            }
            if self.frames.len() == floor {
                return Err((exception, None));
            }
        }
    }

    /// Whether the program, as it stands, would notice an error of the JVM: a handler of its own is around.
    pub(crate) fn catches_errors(&self) -> bool {
        self.catches(&["OutOfMemoryError", "VirtualMachineError", "Error", "Throwable"])
    }

    /// Whether a handler of the program is around for one of these classes of `java.lang`.
    pub fn catches(&self, names: &[&str]) -> bool {
        self.frames.iter().any(|frame| {
            let method = self.program.method(frame.method);
            let class = self.program.class(method.class);
            let (Some(code), Some(file)) = (&method.code, &class.file) else { return false };
            let is_caught = |index: u16| match file.class_name(index) {
                Ok(name) => names.iter().any(|error| name.strip_prefix("java/lang/") == Some(*error)),
                Err(_) => false,
            };
            // Between two instructions: whether the counter has moved on depends on who asks.
            let here = [frame.index(), frame.index().saturating_sub(1)];
            // What a stub of ours catches, nobody notices.
            !class.is_library()
                && !method.hidden
                && code.handlers.iter().any(|handler| {
                    let range = handler.start as usize..handler.end as usize;
                    here.iter().any(|index| range.contains(index))
                        && (handler.class == 0 || is_caught(handler.class))
                })
        })
    }

    /// The handler of the top frame that catches `exception` at instruction `index`.
    fn find_handler(&mut self, exception: Ref, index: usize) -> Result<Option<u32>, Raise> {
        let method_id = self.top().method;
        let mut at = 0;
        loop {
            let method = self.program.method(method_id);
            let class = method.class;
            let Some(code) = &method.code else { return Ok(None) };
            let Some(handler) = code.handlers.get(at).copied() else { return Ok(None) };
            at += 1;
            if !(handler.start as usize..handler.end as usize).contains(&index) {
                continue;
            }
            if handler.class == 0 {
                return Ok(Some(handler.target));
            }
            let caught = self.program.class_ref(class, handler.class);
            self.sync_classes();
            let caught = caught.map_err(|error| self.link_error(error))?;
            if self.is_instance(exception, caught) {
                return Ok(Some(handler.target));
            }
        }
    }
}
