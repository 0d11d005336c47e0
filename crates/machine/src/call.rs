//! Calling methods, and initializing classes on the way (JVMS 5.5).

use program::{ClassId, Constant, Kind, MethodId};

use crate::frame::{Frame, FrameKind};
use crate::machine::{Callee, InitState, Machine};
use crate::native::{Args, Raise, Value};
use crate::outcome::Stop;
use crate::trail::Entry;
use crate::value::{Ref, Word, float_word, int_word, is_unknown};

/// Whether a call has already given its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Called {
    /// A native ran; its result is in place.
    Done,
    /// A frame was pushed.
    Entered,
}

impl Machine {
    /// Makes a method callable: finds its native implementation or translates its body.
    pub(crate) fn prepare(&mut self, id: MethodId) -> Result<Callee, Raise> {
        let callee = self.callee(id);
        if !callee.behind.is_null() || callee.native.is_some() {
            return Ok(callee);
        }
        let method = self.program.method(id);
        let owner = self.program.class_name(method.class);
        let (name, descriptor) = (self.program.text(method.name), self.program.text(method.descriptor));
        let symbolic =
            if self.symbolic.is_on() { self.library.symbolic(owner, name, descriptor) } else { None };
        let witness = self.library.witness(owner, name, descriptor);
        self.callees[id.0 as usize].symbolic = symbolic;
        self.callees[id.0 as usize].witness = witness;
        if let Some(native) = self.library.native(owner, name, descriptor) {
            self.callees[id.0 as usize].native = Some(native);
            return Ok(self.callees[id.0 as usize]);
        }
        // Stubs may pass for native methods in stack traces, but have a body.
        if method.is_native() && method.code.is_none() {
            let what = format!("native method {}.{name}{descriptor}", owner.replace('/', "."));
            return Err(Raise::Stop(Stop::NotModelled(what)));
        }
        if method.is_abstract() {
            let message = format!("abstract method {}.{name}{descriptor}", owner.replace('/', "."));
            return Err(self.raise("java/lang/AbstractMethodError", Some(&message)));
        }
        match self.program.code(id) {
            Ok(Some(code)) => {
                let registers = u32::from(code.registers);
                let code = code.insns.as_mut_ptr();
                // With a witness or an implementation for unknown values in front, calls must not go straight to the code.
                let is_in_front = symbolic.is_some() || witness.is_some();
                let straight = if is_in_front { std::ptr::null_mut() } else { code };
                self.callees[id.0 as usize] =
                    Callee { code: straight, registers, native: None, symbolic, behind: code, witness };
                Ok(self.callees[id.0 as usize])
            }
            Ok(None) => unreachable!("neither native nor abstract"),
            Err(error) => Err(self.link_error(error)),
        }
    }

    /// Calls `id`, whose arguments lie from register `base` on. A native runs at once; its result is left at `base`.
    pub(crate) fn invoke(&mut self, id: MethodId, base: u32, kind: FrameKind) -> Result<Called, Raise> {
        let callee = self.prepare(id)?;
        if let Some(witness) = callee.witness {
            witness(self, Args { base: base as usize, method: id });
        }
        if let Some(native) = callee.symbolic {
            let result = native(self, Args { base: base as usize, method: id })?;
            if !matches!(result, Value::Pass) {
                return Ok(self.leave_result(base, result));
            }
        }
        if let Some(native) = callee.native {
            if let Some(callee) = self.bytecode_instead(id, base) {
                self.push_frame(id, callee, base, kind, 0)?;
                return Ok(Called::Entered);
            }
            if self.symbolic.is_on() || !self.pending.cells.is_empty() {
                let demand = self.library.demand(native);
                self.force_arguments(id, base, demand)?;
            }
            let outer = self.native_method.replace(id);
            self.misread.set(false);
            let result = native(self, Args { base: base as usize, method: id });
            self.native_method = outer;
            let result = result?;
            if self.misread.get() && !self.symbolic.is_on() {
                let what = format!("{} on a choice that is not made yet", self.program.method_name(id));
                return Err(Raise::Stop(Stop::NotModelled(what)));
            }
            if matches!(result, Value::Pass)
                && let Some(callee) = self.bytecode(id)
            {
                self.push_frame(id, callee, base, kind, 0)?;
                return Ok(Called::Entered);
            }
            return Ok(self.leave_result(base, result));
        }
        let callee = Callee { code: callee.behind, ..callee };
        let activation = std::mem::take(&mut self.symbolic.entered_as);
        self.push_frame(id, callee, base, kind, activation)?;
        Ok(Called::Entered)
    }

    /// Puts the result of a native where the caller expects it.
    fn leave_result(&mut self, base: u32, result: Value) -> Called {
        let at = base as usize;
        match result {
            Value::Void | Value::Pass => {}
            Value::One(word) => self.stack.set(at, word),
            Value::Two(word) => {
                self.stack.set(at, word);
                self.stack.set(at + 1, 0);
            }
            Value::Pending2(tag) => {
                self.stack.set(at, 0);
                self.stack.set(at + 1, tag);
            }
            Value::Entered => return Called::Entered,
        }
        Called::Done
    }

    /// The bytecode of a method that is usually done by a shortcut of the library, when a value it is given is
    /// unknown: bytecode can work on terms, the shortcut cannot.
    fn bytecode_instead(&mut self, id: MethodId, base: u32) -> Option<Callee> {
        let method = self.program.method(id);
        let (owner, name) = (self.program.class_name(method.class), self.program.text(method.name));
        if !self.symbolic.is_on()
            || method.is_native()
            || self.library.reaches_below(owner)
            || !self.has_unknown_argument(id, base)
            || self.library.must_not_run(owner, name)
        {
            return None;
        }
        self.bytecode(id)
    }

    /// The bytecode of a method that has an implementation of ours.
    fn bytecode(&mut self, id: MethodId) -> Option<Callee> {
        let code = self.program.code(id).ok()??;
        let (registers, code) = (u32::from(code.registers), code.insns.as_mut_ptr());
        Some(Callee { code, registers, native: None, symbolic: None, behind: code, witness: None })
    }

    fn has_unknown_argument(&self, id: MethodId, base: u32) -> bool {
        let mut at = base as usize;
        for kind in self.program.method(id).argument_kinds() {
            let word = self.stack.get(at);
            let tag = if kind.width() == 2 { self.stack.get(at + 1) } else { word };
            if is_unknown(tag) || kind == Kind::Ref && self.holds_unknown(Ref::from_word(word)) {
                return true;
            }
            at += kind.width() as usize;
        }
        false
    }

    /// Whether an array or string has unknown parts.
    pub fn holds_unknown(&self, object: Ref) -> bool {
        if object.is_null() {
            return false;
        }
        if self.class_of(object) == self.known.string {
            let value = self.get(object, self.known.string_value);
            return is_unknown(value) || self.holds_unknown(Ref::from_word(value));
        }
        match self.array_kind(object) {
            Some(Kind::Int | Kind::Float | Kind::Ref) => {
                self.heap.is_shadowed(object)
                    || (0..self.heap.length(object) as u32).any(|i| is_unknown(self.get(object, 1 + i)))
            }
            Some(_) => self.heap.is_shadowed(object),
            None => false,
        }
    }

    pub(crate) fn push_frame(
        &mut self,
        method: MethodId,
        callee: Callee,
        base: u32,
        kind: FrameKind,
        aux: u32,
    ) -> Result<(), Raise> {
        if self.frames.len() >= self.config.frames || !self.stack.fits(base, callee.registers) {
            return Err(self.stack_overflow());
        }
        self.frames.push(Frame {
            pc: callee.code,
            code: callee.code,
            method,
            base,
            registers: callee.registers,
            kind,
            aux,
        });
        Ok(())
    }

    fn stack_overflow(&mut self) -> Raise {
        // Room for the handlers that will now run.
        let limit = self.config.frames;
        self.config.frames = limit + 64;
        let raise = self.raise("java/lang/StackOverflowError", None);
        self.config.frames = limit;
        raise
    }

    /// In a native: goes on with a call of `id` in the native's place.
    pub fn tail_call(&mut self, args: Args, id: MethodId, words: &[Word]) -> Result<Value, Raise> {
        let mut own = Vec::new();
        for (i, word) in words.iter().enumerate() {
            own.push(self.stack.get(args.base + i));
            self.stack.set(args.base + i, *word);
        }
        let called = self.invoke(id, args.base as u32, FrameKind::Normal);
        if matches!(called, Err(Raise::Choose(_) | Raise::Retry)) {
            // The native will be executed again, and needs its own arguments then.
            for (i, word) in own.into_iter().enumerate() {
                self.stack.set(args.base + i, word);
            }
        }
        match called? {
            Called::Entered => Ok(Value::Entered),
            Called::Done => {
                let word = self.stack.get(args.base);
                Ok(match self.program.method(id).signature.result {
                    Kind::Void => Value::Void,
                    Kind::Long | Kind::Double => match self.stack.get(args.base + 1) {
                        0 => Value::Two(word),
                        tag => Value::Pending2(tag),
                    },
                    _ => Value::One(word),
                })
            }
        }
    }

    /// First register above the running frame: where calls that no instruction asked for put their arguments.
    pub(crate) fn free_base(&self) -> u32 {
        // Natives are called with arguments inside the top frame, whose stack may be used to the last register.
        self.frames.last().map_or(0, |frame| frame.base + frame.registers + 256)
    }

    /// Makes sure a class is initialized. `Err(Retry)` says that its initializer was pushed and must run first.
    pub fn initialize(&mut self, class: ClassId) -> Result<(), Raise> {
        match self.classes[class.0 as usize].init {
            InitState::Done => Ok(()),
            InitState::Running => {
                // Whoever is second in a cycle sees the first one unfinished.
                let asker = self.frames.last().map(|frame| self.program.method(frame.method).class);
                if asker.is_some_and(|asker| asker != class && !self.program.is_subtype(asker, class)) {
                    self.suppose_first(class);
                }
                Ok(())
            }
            InitState::Failed => Err(self.failed_before(class)),
            InitState::Linked => {
                let before = self.frames.len();
                self.start_initializer(class)?;
                if self.frames.len() == before {
                    return Ok(());
                }
                let first = self.frames.len() - 1;
                for frame in &mut self.frames[before..first] {
                    frame.kind = FrameKind::Waiting;
                }
                Err(Raise::Retry)
            }
        }
    }

    /// Pushes the initializers that have to run, the class's own at the bottom, its superclass's on top.
    fn start_initializer(&mut self, class: ClassId) -> Result<(), Raise> {
        self.set_init(class, InitState::Running);
        self.set_constants(class)?;
        let declared = self.program.class(class);
        let mut first = Vec::new();
        if !declared.is_interface() {
            first.extend(declared.super_class);
            let mut interfaces = Vec::new();
            self.interfaces_to_initialize(class, &mut interfaces);
            first.extend(interfaces);
        }
        let state = |c: &ClassId| self.classes[c.0 as usize].init;
        if let Some(failed) = first.iter().copied().find(|c| state(c) == InitState::Failed) {
            let raise = self.failed_before(failed);
            self.set_init(class, InitState::Failed);
            if let Raise::Throw(exception) = raise {
                self.remember_failure(class, exception)?;
            }
            return Err(raise);
        }
        first.retain(|c| state(c) == InitState::Linked);
        let initializer = declared.initializer;
        if initializer.is_none() && first.is_empty() {
            self.set_init(class, InitState::Done);
            return Ok(());
        }
        if self.symbolic.is_on() && !self.program.class(class).is_library() {
            self.see_statics_again();
        }
        let method = initializer.unwrap_or(self.return_stub);
        let callee = self.prepare(method)?;
        if callee.native.is_some() {
            let base = self.free_base();
            self.invoke(method, base, FrameKind::Initializer)?;
            self.set_init(class, InitState::Done);
        } else {
            let callee = Callee { code: callee.behind, ..callee };
            let base = self.free_base();
            self.push_frame(method, callee, base, FrameKind::Initializer, class.0)?;
        }
        for parent in first.into_iter().rev() {
            if self.classes[parent.0 as usize].init == InitState::Linked {
                self.start_initializer(parent)?;
            }
        }
        Ok(())
    }

    /// The exception for a class whose initializer has failed before, with what it had thrown as the cause.
    fn failed_before(&mut self, class: ClassId) -> Raise {
        let name = self.program.class_name(class).replace('/', ".");
        let message = format!("Could not initialize class {name}");
        let raise = self.raise("java/lang/NoClassDefFoundError", Some(&message));
        let reason =
            self.field_offset(self.known.class, "classData").map(|at| self.get(self.mirror(class), at));
        if let (&Raise::Throw(exception), Some(reason)) = (&raise, reason)
            && reason != 0
        {
            let offset = self.known.throwable_cause;
            self.put(exception, offset, reason);
        }
        raise
    }

    /// Keeps what an initializer threw for later uses of its class: not the exception itself, but one that tells of
    /// it. It lies in `Class.classData`, which ordinary classes do not use.
    pub(crate) fn remember_failure(&mut self, class: ClassId, exception: Ref) -> Result<(), Raise> {
        let known = self.known;
        let message = self.get_ref(exception, known.throwable_message);
        let text = if message.is_null() { String::new() } else { format!(": {}", self.string(message)) };
        let name = self.class_name_of(exception).replace('/', ".");
        let thread =
            self.field_offset(self.class_of(self.thread), "name").map(|at| self.get_ref(self.thread, at));
        let thread =
            thread.filter(|name| !name.is_null()).map_or("main".to_string(), |name| self.string(name));
        let text = format!("Exception {name}{text} [in thread \"{thread}\"]");
        let record = self.new_exception("java/lang/ExceptionInInitializerError", Some(&text))?;
        self.put(record, known.throwable_cause, 0);
        for offset in [known.throwable_backtrace, known.throwable_stack_trace, known.throwable_depth] {
            let word = self.get(exception, offset);
            self.put(record, offset, word);
        }
        if let Some(at) = self.field_offset(known.class, "classData") {
            let mirror = self.mirror(class);
            self.put(mirror, at, record.word());
        }
        Ok(())
    }

    /// Superinterfaces that declare default methods, in the order they are initialized.
    fn interfaces_to_initialize(&self, class: ClassId, found: &mut Vec<ClassId>) {
        for &interface in &self.program.class(class).interfaces {
            self.interfaces_to_initialize(interface, found);
            let has_default = self.program.class(interface).methods.iter().any(|m| {
                let method = self.program.method(*m);
                !method.is_static() && !method.is_abstract()
            });
            if has_default && !found.contains(&interface) {
                found.push(interface);
            }
        }
    }

    pub(crate) fn set_init(&mut self, class: ClassId, state: InitState) {
        let old = self.classes[class.0 as usize].init;
        self.log(Entry::ClassState { class, old });
        self.classes[class.0 as usize].init = state;
    }

    /// Gives static fields with a `ConstantValue` their value.
    fn set_constants(&mut self, class: ClassId) -> Result<(), Raise> {
        let Some(file) = self.program.class(class).file.clone() else { return Ok(()) };
        let statics = self.classes[class.0 as usize].statics;
        for i in 0..self.program.class(class).fields.len() {
            let field = &self.program.class(class).fields[i];
            if field.constant == 0 || !field.is_static() {
                continue;
            }
            let (at, index) = (statics + field.offset, field.constant);
            let word = match file.constant(index) {
                Ok(Constant::Integer(value)) => int_word(value),
                Ok(Constant::Float(value)) => float_word(value),
                Ok(Constant::Long(value)) => value as u64,
                Ok(Constant::Double(value)) => value.to_bits(),
                Ok(Constant::String { .. }) => self.literal(class, index)?.word(),
                _ => continue,
            };
            self.put_at(at, word);
        }
        Ok(())
    }

    /// The frame of a static initializer was left normally.
    pub(crate) fn finish_initializer(&mut self, class: ClassId) {
        self.set_init(class, InitState::Done);
        // It could have run before the method under test was called.
        if self.symbolic.is_on() && !self.program.class(class).is_library() {
            self.mark_entry();
        }
        if self.frames.last().is_some_and(|frame| frame.kind == FrameKind::Waiting) {
            if self.frames.len() <= self.protected {
                self.save_frame();
            }
            self.top().kind = FrameKind::Initializer;
        }
    }

    /// The mirror of a class (`Foo.class`).
    pub fn mirror(&self, class: ClassId) -> Ref {
        self.classes[class.0 as usize].mirror
    }
}
