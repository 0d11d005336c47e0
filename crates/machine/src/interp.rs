//! The interpreter loop.
//!
//! The loop only moves words and dispatches. Everything rare, slow or fallible is a method elsewhere that returns a
//! `Result`; on `Err` the frame still points at the instruction, so that it can be executed again or blamed.

use program::{ClassId, Insn, MethodId, Op};

use crate::allocate::LONGEST_ARRAY;
use crate::call::Called;
use crate::frame::{Frame, FrameKind};
use crate::heap::{CLASS_MASK, array_words};
use crate::machine::{InitState, Machine};
use crate::native::{Raise, Value};
use crate::outcome::{End, Step, Stop};
use crate::pending::PENDING_TAG;
use crate::symbolic::Flow;
use crate::value::{Ref, Word, float_word, int_word, is_unknown, word_float, word_int};
use program::branches::is_conditional;

/// The instruction being executed. Fields are read where they are needed, straight from the code: a copy of the whole
/// instruction would go through memory.
#[derive(Clone, Copy)]
struct At(*mut Insn);

macro_rules! fields {
    ($($name:ident: $type:ty,)*) => { impl At { $(
        #[inline(always)]
        fn $name(self) -> $type {
            // SAFETY: the loop only makes an `At` of a valid program counter.
            unsafe { (*self.0).$name }
        }
    )* } };
}

fields! { op: Op, a: u16, b: u16, c: u16, imm: u32, ext: u32, }

/// Stands for no register.
const NO_REGISTER: u16 = u16::MAX;

/// Why the loop was left.
enum Leave {
    /// The root frame returned.
    Returned(Value),
    Threw(Ref),
    Raise(Raise),
    Steps,
}

impl Machine {
    /// Calls a static method and runs it to its end. Choices inside are not possible.
    pub fn call(&mut self, method: MethodId, arguments: &[Word]) -> Result<Value, Raise> {
        let floor = self.frames.len();
        match self.enter(method, arguments)? {
            Some(value) => Ok(value),
            None => self.finish_call(floor),
        }
    }

    /// The same, for a caller that can have a choice decided and call again.
    pub fn call_asking(&mut self, method: MethodId, arguments: &[Word]) -> Result<Value, Raise> {
        let floor = self.frames.len();
        match self.enter(method, arguments)? {
            Some(value) => Ok(value),
            None => self.run_above(floor),
        }
    }

    /// Runs until the frames above `floor` are gone. There is nobody whom a choice could be put to.
    fn finish_call(&mut self, floor: usize) -> Result<Value, Raise> {
        self.unasked += 1;
        let result = self.run_above(floor);
        self.unasked -= 1;
        match result {
            Err(Raise::Choose(_)) => Err(Raise::Stop(Stop::NotModelled("a choice inside linkage".into()))),
            result => result,
        }
    }

    fn run_above(&mut self, floor: usize) -> Result<Value, Raise> {
        // Whoever may go back is searching, and waits for nobody: a shutdown hook may be without end.
        let limit = if self.has_checkpoint() {
            self.steps.saturating_add(self.config.nested_steps)
        } else {
            u64::MAX
        };
        let outer_limit = std::mem::replace(&mut self.step_limit, limit);
        let outer_native = self.native_method.take();
        self.nested += 1;
        let result = match self.interpret(floor) {
            Leave::Returned(value) => Ok(value),
            Leave::Threw(exception) => Err(Raise::Throw(exception)),
            Leave::Raise(raise) => Err(raise),
            Leave::Steps => Err(Raise::Stop(Stop::Steps)),
        };
        self.nested -= 1;
        self.frames.truncate(floor);
        self.native_method = outer_native;
        self.step_limit = outer_limit;
        result
    }

    /// Initializes a class and waits for it: for the boot and for linkage, where no instruction can be retried.
    pub fn initialize_now(&mut self, class: ClassId) -> Result<(), Raise> {
        if self.classes[class.0 as usize].init == InitState::Done {
            return Ok(());
        }
        let floor = self.frames.len();
        if self.enter(self.return_stub, &[])?.is_some() {
            return Ok(());
        }
        match self.initialize(class) {
            Ok(()) => {
                self.frames.truncate(floor);
                Ok(())
            }
            Err(Raise::Retry) => self.finish_call(floor).map(|_| ()),
            Err(raise) => {
                self.frames.truncate(floor);
                Err(raise)
            }
        }
    }

    /// Prepares a call as the bottom of the next [`Machine::run`]. A native runs at once and gives its value.
    pub fn enter(&mut self, method: MethodId, arguments: &[Word]) -> Result<Option<Value>, Raise> {
        let base = self.free_base();
        if !self.stack.fits(base, arguments.len() as u32 + 64) {
            return Err(self.raise("java/lang/StackOverflowError", None));
        }
        for (i, word) in arguments.iter().enumerate() {
            self.stack.set(base as usize + i, *word);
        }
        match self.invoke(method, base, FrameKind::Root)? {
            Called::Entered => {
                self.top().kind = FrameKind::Root;
                Ok(None)
            }
            Called::Done => {
                let word = self.stack.get(base as usize);
                Ok(Some(match self.program.method(method).signature.result.width() {
                    0 => Value::Void,
                    1 => Value::One(word),
                    _ => Value::Two(word),
                }))
            }
        }
    }

    /// Leaves everything above the first `floor` frames, for a driver that gives up on a run.
    pub fn abandon(&mut self, floor: usize) {
        assert!(!self.has_checkpoint(), "roll back instead");
        self.frames.truncate(floor);
        self.monitors.clear();
        self.native_method = None;
        self.decision = None;
    }

    /// Runs what was entered for at most `slice` more steps.
    pub fn run(&mut self, slice: u64) -> Step {
        let outer = self.step_limit;
        self.step_limit = outer.min(self.steps.saturating_add(slice));
        let leave = self.interpret(0);
        let limit = std::mem::replace(&mut self.step_limit, outer);
        match leave {
            Leave::Returned(value) => Step::End(End::Returned(value)),
            Leave::Threw(exception) => Step::End(End::Threw(exception)),
            Leave::Steps if limit < outer => Step::Continue,
            Leave::Steps => Step::Stop(Stop::Steps),
            Leave::Raise(Raise::Choose(choice)) => Step::Choose(choice),
            Leave::Raise(Raise::Stop(stop)) => Step::Stop(stop),
            Leave::Raise(Raise::Throw(exception)) => Step::End(End::Threw(exception)),
            Leave::Raise(Raise::Retry) => unreachable!("handled in the loop"),
        }
    }

    /// Answers the choice the machine stopped at.
    pub fn decide(&mut self, alternative: u64) {
        self.decision = Some(alternative);
    }

    /// The loop is compiled twice, so that recording coverage costs nothing when nobody asks for it.
    fn interpret(&mut self, floor: usize) -> Leave {
        if self.coverage.on { self.interpret_as::<true>(floor) } else { self.interpret_as::<false>(floor) }
    }

    #[allow(
        clippy::too_many_lines,
        reason = "the dispatch loop is one function so that its state stays in registers"
    )]
    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "the negated jumps are taken for NaN, as Java's are")]
    fn interpret_as<const COVER: bool>(&mut self, floor: usize) -> Leave {
        let Some(frame) = self.frames.last().copied() else { return Leave::Returned(Value::Void) };
        let heap = self.heap.base();
        let mut pc: *mut Insn = frame.pc;
        let mut code: *mut Insn = frame.code;
        let mut regs: *mut Word = self.stack.at(frame.base);
        let mut base: u32 = frame.base;
        let mut steps = self.steps;
        let mut limit = self.step_limit;

        // SAFETY, for the whole loop: `pc` stays inside the code of the top frame, because translation emits only
        // targets inside it and no path off its end. Register numbers were checked against the frame size by
        // translation, and frames are only pushed when they fit the stack. Known references name objects of the
        // heap: flow analysis keeps numbers and references apart, and instructions of untrusted code check classes
        // before they use an offset.
        macro_rules! r {
            ($i:expr) => {
                *regs.add($i as usize)
            };
        }
        macro_rules! save {
            () => {
                self.frames.last_mut().unwrap_unchecked().pc = pc
            };
        }
        macro_rules! reload {
            () => {{
                let frame = self.frames.last().unwrap_unchecked();
                pc = frame.pc;
                code = frame.code;
                base = frame.base;
                regs = self.stack.at(base);
            }};
        }
        macro_rules! leave {
            ($leave:expr) => {{
                self.steps = steps;
                return $leave;
            }};
        }
        macro_rules! raise {
            ($raise:expr) => {{
                match $raise {
                    Raise::Throw(exception) => match self.unwind(exception, floor) {
                        Ok(()) => {
                            reload!();
                            continue;
                        }
                        Err((exception, None)) => leave!(Leave::Threw(exception)),
                        Err((_, Some(raise))) => leave!(Leave::Raise(raise)),
                    },
                    Raise::Retry => {
                        reload!();
                        continue;
                    }
                    other => leave!(Leave::Raise(other)),
                }
            }};
        }
        macro_rules! tried {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(raise) => raise!(raise),
                }
            };
        }
        macro_rules! throw {
            ($name:expr, $message:expr) => {{
                save!();
                let raise = self.raise($name, $message);
                raise!(raise)
            }};
        }
        macro_rules! null {
            () => {{
                save!();
                let raise = self.null_pointer();
                raise!(raise)
            }};
        }
        macro_rules! next {
            () => {{
                pc = pc.add(1);
                continue;
            }};
        }
        macro_rules! jump {
            ($i:expr) => {{
                pc = code.add($i.imm() as usize);
                if steps >= limit {
                    save!();
                    self.steps = steps;
                    leave!(Leave::Steps);
                }
                continue;
            }};
        }
        // A conditional jump.
        macro_rules! way {
            ($i:expr, $taken:expr) => {{
                let taken: bool = $taken;
                if COVER {
                    save!();
                    tried!(self.cover_way(pc, u32::from(taken)));
                }
                if taken {
                    jump!($i)
                }
                next!()
            }};
        }
        macro_rules! one {
            ($i:expr, $reg:expr) => {{
                let word = r!($reg);
                if word >> 32 != 0 {
                    unknown!($reg);
                }
                word
            }};
        }
        macro_rules! two {
            ($i:expr, $x:expr, $y:expr) => {{
                let (x, y) = (r!($x), r!($y));
                if (x | y) >> 32 != 0 {
                    unknown!(if x >> 32 != 0 { $x } else { $y });
                }
                (x, y)
            }};
        }
        macro_rules! wide {
            ($i:expr, $reg:expr) => {{
                if r!($reg + 1) != 0 {
                    unknown_wide!($reg);
                }
                r!($reg)
            }};
        }
        macro_rules! wides {
            ($i:expr, $x:expr, $y:expr) => {{
                if r!($x + 1) | r!($y + 1) != 0 {
                    unknown_wide!(if r!($x + 1) != 0 { $x } else { $y });
                }
                (r!($x), r!($y))
            }};
        }
        macro_rules! set2 {
            ($i:expr, $value:expr) => {{
                let value: u64 = $value;
                r!($i.a()) = value;
                r!($i.a() + 1) = 0;
                next!()
            }};
        }
        macro_rules! int2 {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = two!($i, $i.b(), $i.c());
                let ($x, $y) = (word_int(x), word_int(y));
                r!($i.a()) = int_word($e);
                next!()
            }};
        }
        macro_rules! intk {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let $x = word_int(one!($i, $i.b()));
                let $y = $i.imm() as i32;
                r!($i.a()) = int_word($e);
                next!()
            }};
        }
        macro_rules! long2 {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = wides!($i, $i.b(), $i.c());
                let ($x, $y) = (x as i64, y as i64);
                set2!($i, ($e) as u64)
            }};
        }
        macro_rules! longk {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let $x = wide!($i, $i.b()) as i64;
                let $y = i64::from($i.imm() as i32);
                set2!($i, ($e) as u64)
            }};
        }
        macro_rules! shift {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let $x = wide!($i, $i.b()) as i64;
                let $y = word_int(one!($i, $i.c())) as u32;
                set2!($i, ($e) as u64)
            }};
        }
        macro_rules! float2 {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = two!($i, $i.b(), $i.c());
                let ($x, $y) = (word_float(x), word_float(y));
                r!($i.a()) = float_word($e);
                next!()
            }};
        }
        macro_rules! double2 {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = wides!($i, $i.b(), $i.c());
                let ($x, $y) = (f64::from_bits(x), f64::from_bits(y));
                set2!($i, f64::to_bits($e))
            }};
        }
        macro_rules! if_int {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = two!($i, $i.a(), $i.b());
                let ($x, $y) = (word_int(x), word_int(y));
                way!($i, $e)
            }};
        }
        macro_rules! if_ref {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let ($x, $y) = two!($i, $i.a(), $i.b());
                if self.symbolic.is_on() {
                    self.suppose_apart($x, $y);
                }
                way!($i, $e)
            }};
        }
        macro_rules! if_intk {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let $x = word_int(one!($i, $i.a()));
                let $y = $i.ext() as i32;
                way!($i, $e)
            }};
        }
        macro_rules! if_long {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = wides!($i, $i.a(), $i.b());
                let ($x, $y) = (x as i64, y as i64);
                way!($i, $e)
            }};
        }
        macro_rules! if_longk {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let $x = wide!($i, $i.a()) as i64;
                let $y = i64::from($i.ext() as i32);
                way!($i, $e)
            }};
        }
        macro_rules! if_float {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = two!($i, $i.a(), $i.b());
                let ($x, $y) = (word_float(x), word_float(y));
                way!($i, $e)
            }};
        }
        macro_rules! if_double {
            ($i:expr, |$x:ident, $y:ident| $e:expr) => {{
                let (x, y) = wides!($i, $i.a(), $i.b());
                let ($x, $y) = (f64::from_bits(x), f64::from_bits(y));
                way!($i, $e)
            }};
        }
        // The array in `$array` and the index in `$index`, checked; gives the header's position and the index.
        macro_rules! element {
            ($i:expr, $array:expr, $index:expr) => {{
                let array = r!($array);
                let index = r!($index);
                if (array | index) >> 32 != 0 {
                    unknown!(if array >> 32 != 0 { $array } else { $index });
                }
                if array == 0 {
                    null!();
                }
                let length = (*heap.add(array as usize) >> 32) as u32;
                if index as u32 >= length {
                    save!();
                    if self.symbolic.is_on() && self.open_length(Ref(array as u32)).is_some() {
                        unknown!($array);
                    }
                    let raise = self.index_out_of_bounds(word_int(index), length as i32);
                    raise!(raise)
                }
                (array as usize, index as u32 as usize)
            }};
        }
        macro_rules! kind_check {
            ($array:expr, $mask:expr) => {
                if !self.array_class_fits(*heap.add($array) as u32, $mask) {
                    save!();
                    if self.symbolic.is_on() && self.open_length(Ref($array as u32)).is_some() {
                        open_array!();
                    }
                    let frame = base;
                    tried!(self.shadowed_access(*pc, frame, $mask));
                    next!()
                }
            };
        }
        macro_rules! class_at {
            ($object:expr) => {
                *heap.add($object as usize) as u32 & CLASS_MASK
            };
        }
        macro_rules! log_heap {
            ($at:expr) => {
                if ($at as u32) < self.log_below {
                    self.log_word($at as u32);
                }
            };
        }
        macro_rules! object {
            ($i:expr, $reg:expr) => {{
                let object = one!($i, $reg);
                if object == 0 {
                    null!();
                }
                object as usize
            }};
        }
        macro_rules! checked_object {
            ($i:expr, $reg:expr) => {{
                let object = object!($i, $reg);
                let class = class_at!(object);
                if class != $i.ext() {
                    save!();
                    tried!(self.check_receiver(class, $i.c()));
                    (*pc).ext = class;
                }
                object
            }};
        }
        macro_rules! initialized {
            ($class:expr) => {
                if self.classes.get_unchecked($class as usize).init != InitState::Done {
                    save!();
                    tried!(self.initialize(ClassId($class)));
                }
            };
        }
        macro_rules! enter {
            ($method:expr, $i:expr) => {{
                let method: u32 = $method;
                let callee = *self.callees.get_unchecked(method as usize);
                let at = base + u32::from($i.a());
                if !callee.code.is_null()
                    && self.frames.len() < self.config.frames
                    && self.stack.fits(at, callee.registers)
                {
                    self.frames.last_mut().unwrap_unchecked().pc = pc.add(1);
                    self.frames.push(Frame {
                        pc: callee.code,
                        code: callee.code,
                        method: MethodId(method),
                        base: at,
                        registers: callee.registers,
                        kind: FrameKind::Normal,
                        aux: 0,
                    });
                    pc = callee.code;
                    code = callee.code;
                    base = at;
                    regs = self.stack.at(at);
                    if steps >= limit {
                        self.steps = steps;
                        leave!(Leave::Steps);
                    }
                    continue;
                }
                save!();
                self.steps = steps;
                let depth = self.frames.len();
                let called = tried!(self.invoke(MethodId(method), at, FrameKind::Normal));
                limit = self.step_limit;
                steps = self.steps;
                if called == Called::Entered {
                    // The frame below the new one goes on after this instruction.
                    let caller = self.frames.get_unchecked_mut(depth - 1);
                    caller.pc = caller.pc.add(1);
                    reload!();
                    continue;
                }
                next!()
            }};
        }
        macro_rules! leave_frame {
            () => {{
                let left = self.frames.pop().unwrap_unchecked();
                if left.kind != FrameKind::Normal {
                    if left.kind == FrameKind::Initializer {
                        self.finish_initializer(ClassId(left.aux));
                    }
                    if left.kind == FrameKind::Root {
                        if self.frames.len() <= self.protected && !self.frames.is_empty() {
                            self.save_frame();
                        }
                        self.steps = steps;
                        return Leave::Returned(self.root_value(left));
                    }
                }
                if self.frames.len() <= self.protected {
                    self.save_frame();
                }
                reload!();
                continue;
            }};
        }

        loop {
            // The loop proper; it is left with the register whose bits an instruction needs and does not have.
            let (register, wide) = 'unknown: {
                macro_rules! unknown {
                    ($reg:expr) => {
                        break 'unknown ($reg, false)
                    };
                }
                // All registers are known, but the array is not.
                macro_rules! open_array {
                    () => {
                        break 'unknown (NO_REGISTER, false)
                    };
                }
                macro_rules! unknown_wide {
                    ($reg:expr) => {
                        break 'unknown ($reg, true)
                    };
                }
                loop {
                    // SAFETY: what is said above of the whole loop.
                    unsafe {
                        let i = At(pc);
                        steps += 1;
                        match i.op() {
                            Op::Nop => next!(),
                            Op::Mov => {
                                r!(i.a()) = r!(i.b());
                                next!()
                            }
                            Op::Mov2 => {
                                let (value, tag) = (r!(i.b()), r!(i.b() + 1));
                                r!(i.a()) = value;
                                r!(i.a() + 1) = tag;
                                next!()
                            }
                            Op::Const => {
                                r!(i.a()) = Word::from(i.imm());
                                next!()
                            }
                            Op::Const2 => set2!(i, u64::from(i.ext()) << 32 | u64::from(i.imm())),

                            Op::IAdd => int2!(i, |x, y| x.wrapping_add(y)),
                            Op::ISub => int2!(i, |x, y| x.wrapping_sub(y)),
                            Op::IMul => int2!(i, |x, y| x.wrapping_mul(y)),
                            Op::IDiv => {
                                let (x, y) = two!(i, i.b(), i.c());
                                if y == 0 {
                                    throw!("java/lang/ArithmeticException", Some("/ by zero"));
                                }
                                r!(i.a()) = int_word(word_int(x).wrapping_div(word_int(y)));
                                next!()
                            }
                            Op::IRem => {
                                let (x, y) = two!(i, i.b(), i.c());
                                if y == 0 {
                                    throw!("java/lang/ArithmeticException", Some("/ by zero"));
                                }
                                r!(i.a()) = int_word(word_int(x).wrapping_rem(word_int(y)));
                                next!()
                            }
                            Op::INeg => {
                                let x = word_int(one!(i, i.b()));
                                r!(i.a()) = int_word(x.wrapping_neg());
                                next!()
                            }
                            Op::IShl => int2!(i, |x, y| x.wrapping_shl(y as u32)),
                            Op::IShr => int2!(i, |x, y| x.wrapping_shr(y as u32)),
                            Op::IUshr => int2!(i, |x, y| (x as u32).wrapping_shr(y as u32) as i32),
                            Op::IAnd => int2!(i, |x, y| x & y),
                            Op::IOr => int2!(i, |x, y| x | y),
                            Op::IXor => int2!(i, |x, y| x ^ y),
                            Op::IAddK => intk!(i, |x, y| x.wrapping_add(y)),
                            Op::IMulK => intk!(i, |x, y| x.wrapping_mul(y)),
                            Op::IDivK => intk!(i, |x, y| x.wrapping_div(y)),
                            Op::IRemK => intk!(i, |x, y| x.wrapping_rem(y)),
                            Op::IShlK => intk!(i, |x, y| x.wrapping_shl(y as u32)),
                            Op::IShrK => intk!(i, |x, y| x.wrapping_shr(y as u32)),
                            Op::IUshrK => intk!(i, |x, y| (x as u32).wrapping_shr(y as u32) as i32),
                            Op::IAndK => intk!(i, |x, y| x & y),
                            Op::IOrK => intk!(i, |x, y| x | y),
                            Op::IXorK => intk!(i, |x, y| x ^ y),

                            Op::LAdd => long2!(i, |x, y| x.wrapping_add(y)),
                            Op::LSub => long2!(i, |x, y| x.wrapping_sub(y)),
                            Op::LMul => long2!(i, |x, y| x.wrapping_mul(y)),
                            Op::LDiv => {
                                let (x, y) = wides!(i, i.b(), i.c());
                                if y == 0 {
                                    throw!("java/lang/ArithmeticException", Some("/ by zero"));
                                }
                                set2!(i, (x as i64).wrapping_div(y as i64) as u64)
                            }
                            Op::LRem => {
                                let (x, y) = wides!(i, i.b(), i.c());
                                if y == 0 {
                                    throw!("java/lang/ArithmeticException", Some("/ by zero"));
                                }
                                set2!(i, (x as i64).wrapping_rem(y as i64) as u64)
                            }
                            Op::LNeg => set2!(i, (wide!(i, i.b()) as i64).wrapping_neg() as u64),
                            Op::LShl => shift!(i, |x, y| x.wrapping_shl(y)),
                            Op::LShr => shift!(i, |x, y| x.wrapping_shr(y)),
                            Op::LUshr => shift!(i, |x, y| (x as u64).wrapping_shr(y)),
                            Op::LAnd => long2!(i, |x, y| x & y),
                            Op::LOr => long2!(i, |x, y| x | y),
                            Op::LXor => long2!(i, |x, y| x ^ y),
                            Op::LAddK => longk!(i, |x, y| x.wrapping_add(y)),
                            Op::LMulK => longk!(i, |x, y| x.wrapping_mul(y)),
                            Op::LAndK => longk!(i, |x, y| x & y),
                            Op::LShlK => longk!(i, |x, y| x.wrapping_shl(y as u32)),
                            Op::LShrK => longk!(i, |x, y| x.wrapping_shr(y as u32)),
                            Op::LUshrK => longk!(i, |x, y| (x as u64).wrapping_shr(y as u32)),

                            Op::FAdd => float2!(i, |x, y| x + y),
                            Op::FSub => float2!(i, |x, y| x - y),
                            Op::FMul => float2!(i, |x, y| x * y),
                            Op::FDiv => float2!(i, |x, y| x / y),
                            Op::FRem => float2!(i, |x, y| x % y),
                            Op::FNeg => {
                                let x = one!(i, i.b());
                                r!(i.a()) = x ^ 0x8000_0000;
                                next!()
                            }
                            Op::DAdd => double2!(i, |x, y| x + y),
                            Op::DSub => double2!(i, |x, y| x - y),
                            Op::DMul => double2!(i, |x, y| x * y),
                            Op::DDiv => double2!(i, |x, y| x / y),
                            Op::DRem => double2!(i, |x, y| x % y),
                            Op::DNeg => set2!(i, wide!(i, i.b()) ^ (1 << 63)),

                            Op::I2L => set2!(i, i64::from(word_int(one!(i, i.b()))) as u64),
                            Op::I2F => {
                                let x = word_int(one!(i, i.b()));
                                r!(i.a()) = float_word(x as f32);
                                next!()
                            }
                            Op::I2D => set2!(i, f64::from(word_int(one!(i, i.b()))).to_bits()),
                            Op::L2I => {
                                let x = wide!(i, i.b());
                                r!(i.a()) = int_word(x as i32);
                                next!()
                            }
                            Op::L2F => {
                                let x = wide!(i, i.b()) as i64;
                                r!(i.a()) = float_word(x as f32);
                                next!()
                            }
                            Op::L2D => set2!(i, (wide!(i, i.b()) as i64 as f64).to_bits()),
                            Op::F2I => {
                                let x = word_float(one!(i, i.b()));
                                r!(i.a()) = int_word(x as i32);
                                next!()
                            }
                            Op::F2L => set2!(i, word_float(one!(i, i.b())) as i64 as u64),
                            Op::F2D => set2!(i, f64::from(word_float(one!(i, i.b()))).to_bits()),
                            Op::D2I => {
                                let x = f64::from_bits(wide!(i, i.b()));
                                r!(i.a()) = int_word(x as i32);
                                next!()
                            }
                            Op::D2L => set2!(i, f64::from_bits(wide!(i, i.b())) as i64 as u64),
                            Op::D2F => {
                                let x = f64::from_bits(wide!(i, i.b()));
                                r!(i.a()) = float_word(x as f32);
                                next!()
                            }
                            Op::I2B => {
                                let x = one!(i, i.b());
                                r!(i.a()) = int_word(i32::from(x as i8));
                                next!()
                            }
                            Op::I2C => {
                                let x = one!(i, i.b());
                                r!(i.a()) = Word::from(x as u16);
                                next!()
                            }
                            Op::I2S => {
                                let x = one!(i, i.b());
                                r!(i.a()) = int_word(i32::from(x as i16));
                                next!()
                            }
                            Op::LCmp => {
                                let (x, y) = wides!(i, i.b(), i.c());
                                r!(i.a()) = int_word((x as i64).cmp(&(y as i64)) as i32);
                                next!()
                            }
                            Op::FCmpL | Op::FCmpG => {
                                let (x, y) = two!(i, i.b(), i.c());
                                let order = word_float(x).partial_cmp(&word_float(y));
                                let nan = if i.op() == Op::FCmpL { -1 } else { 1 };
                                r!(i.a()) = int_word(order.map_or(nan, |o| o as i32));
                                next!()
                            }
                            Op::DCmpL | Op::DCmpG => {
                                let (x, y) = wides!(i, i.b(), i.c());
                                let order = f64::from_bits(x).partial_cmp(&f64::from_bits(y));
                                let nan = if i.op() == Op::DCmpL { -1 } else { 1 };
                                r!(i.a()) = int_word(order.map_or(nan, |o| o as i32));
                                next!()
                            }

                            Op::J => jump!(i),
                            Op::JReg => {
                                let target = one!(i, i.b());
                                pc = code.add(target as u32 as usize);
                                continue;
                            }
                            Op::JEq => if_int!(i, |x, y| x == y),
                            Op::JNe => if_int!(i, |x, y| x != y),
                            Op::JLt => if_int!(i, |x, y| x < y),
                            Op::JGe => if_int!(i, |x, y| x >= y),
                            Op::JGt => if_int!(i, |x, y| x > y),
                            Op::JLe => if_int!(i, |x, y| x <= y),
                            Op::JEqK => if_intk!(i, |x, y| x == y),
                            Op::JNeK => if_intk!(i, |x, y| x != y),
                            Op::JLtK => if_intk!(i, |x, y| x < y),
                            Op::JGeK => if_intk!(i, |x, y| x >= y),
                            Op::JGtK => if_intk!(i, |x, y| x > y),
                            Op::JLeK => if_intk!(i, |x, y| x <= y),
                            Op::JRefEq => if_ref!(i, |x, y| x == y),
                            Op::JRefNe => if_ref!(i, |x, y| x != y),
                            Op::JNull => {
                                let word = one!(i, i.a());
                                way!(i, word == 0)
                            }
                            Op::JNonNull => {
                                let word = one!(i, i.a());
                                way!(i, word != 0)
                            }
                            Op::JLEq => if_long!(i, |x, y| x == y),
                            Op::JLNe => if_long!(i, |x, y| x != y),
                            Op::JLLt => if_long!(i, |x, y| x < y),
                            Op::JLGe => if_long!(i, |x, y| x >= y),
                            Op::JLGt => if_long!(i, |x, y| x > y),
                            Op::JLLe => if_long!(i, |x, y| x <= y),
                            Op::JLEqK => if_longk!(i, |x, y| x == y),
                            Op::JLNeK => if_longk!(i, |x, y| x != y),
                            Op::JLLtK => if_longk!(i, |x, y| x < y),
                            Op::JLGeK => if_longk!(i, |x, y| x >= y),
                            Op::JLGtK => if_longk!(i, |x, y| x > y),
                            Op::JLLeK => if_longk!(i, |x, y| x <= y),
                            Op::JFEq => if_float!(i, |x, y| x == y),
                            Op::JFNe => if_float!(i, |x, y| x != y),
                            Op::JFLt => if_float!(i, |x, y| x < y),
                            Op::JFNLt => if_float!(i, |x, y| !(x < y)),
                            Op::JFLe => if_float!(i, |x, y| x <= y),
                            Op::JFNLe => if_float!(i, |x, y| !(x <= y)),
                            Op::JFGt => if_float!(i, |x, y| x > y),
                            Op::JFNGt => if_float!(i, |x, y| !(x > y)),
                            Op::JFGe => if_float!(i, |x, y| x >= y),
                            Op::JFNGe => if_float!(i, |x, y| !(x >= y)),
                            Op::JDEq => if_double!(i, |x, y| x == y),
                            Op::JDNe => if_double!(i, |x, y| x != y),
                            Op::JDLt => if_double!(i, |x, y| x < y),
                            Op::JDNLt => if_double!(i, |x, y| !(x < y)),
                            Op::JDLe => if_double!(i, |x, y| x <= y),
                            Op::JDNLe => if_double!(i, |x, y| !(x <= y)),
                            Op::JDGt => if_double!(i, |x, y| x > y),
                            Op::JDNGt => if_double!(i, |x, y| !(x > y)),
                            Op::JDGe => if_double!(i, |x, y| x >= y),
                            Op::JDNGe => if_double!(i, |x, y| !(x >= y)),
                            Op::TableSwitch | Op::LookupSwitch => {
                                let key = word_int(one!(i, i.a()));
                                let target = self.switch_target(i.imm(), key);
                                if COVER {
                                    save!();
                                    tried!(self.cover_switch(pc, target));
                                }
                                pc = code.add(target as usize);
                                continue;
                            }

                            Op::ALen => {
                                let array = object!(i, i.b());
                                let header = *heap.add(array);
                                if header as u32 > CLASS_MASK
                                    && self.symbolic.is_on()
                                    && self.open_length(Ref(array as u32)).is_some()
                                {
                                    unknown!(i.b());
                                }
                                if !self.classes.get_unchecked((header as u32 & CLASS_MASK) as usize).is_array
                                {
                                    save!();
                                    let raise = self.type_confusion("an array");
                                    raise!(raise)
                                }
                                r!(i.a()) = header >> 32;
                                next!()
                            }
                            Op::IALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Word);
                                r!(i.a()) = *heap.add(array + 1 + index);
                                next!()
                            }
                            Op::AALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Ref);
                                r!(i.a()) = *heap.add(array + 1 + index);
                                next!()
                            }
                            Op::LALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Wide);
                                let value = *heap.add(array + 1 + index);
                                set2!(i, value)
                            }
                            Op::BALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Byte);
                                let value = *heap.add(array + 1).cast::<i8>().add(index);
                                r!(i.a()) = int_word(i32::from(value));
                                next!()
                            }
                            Op::CALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Half);
                                let value = *heap.add(array + 1).cast::<u16>().add(index);
                                r!(i.a()) = Word::from(value);
                                next!()
                            }
                            Op::SALoad => {
                                let (array, index) = element!(i, i.b(), i.c());
                                kind_check!(array, ArrayKind::Half);
                                let value = *heap.add(array + 1).cast::<i16>().add(index);
                                r!(i.a()) = int_word(i32::from(value));
                                next!()
                            }
                            Op::IAStore => {
                                let (array, index) = element!(i, i.a(), i.b());
                                kind_check!(array, ArrayKind::Word);
                                let at = array + 1 + index;
                                log_heap!(at);
                                *heap.add(at) = r!(i.c());
                                next!()
                            }
                            Op::LAStore => {
                                let (array, index) = element!(i, i.a(), i.b());
                                kind_check!(array, ArrayKind::Wide);
                                let at = array + 1 + index;
                                if r!(i.c() + 1) != 0 {
                                    self.set_shadow(Ref(array as u32), index as i32, Some(r!(i.c() + 1)));
                                    next!()
                                }
                                let value = r!(i.c());
                                log_heap!(at);
                                *heap.add(at) = value;
                                next!()
                            }
                            Op::AAStore => {
                                let (array, index) = element!(i, i.a(), i.b());
                                kind_check!(array, ArrayKind::Ref);
                                let value = r!(i.c());
                                if value >> 32 != 0 {
                                    if !self.pending_fits(Ref(array as u32), value) {
                                        unknown!(i.c());
                                    }
                                } else if value != 0 {
                                    let class = class_at!(array);
                                    let stored = class_at!(value);
                                    if !self.fits_array(class, stored) {
                                        save!();
                                        let raise = self.array_store(stored);
                                        raise!(raise)
                                    }
                                }
                                let at = array + 1 + index;
                                log_heap!(at);
                                *heap.add(at) = value;
                                next!()
                            }
                            Op::BAStore => {
                                let (array, index) = element!(i, i.a(), i.b());
                                kind_check!(array, ArrayKind::Byte);
                                if r!(i.c()) >> 32 != 0 {
                                    self.set_shadow(Ref(array as u32), index as i32, Some(r!(i.c())));
                                    next!()
                                }
                                let mut value = r!(i.c()) as u8;
                                if *heap.add(array) as u32 == self.boolean_array {
                                    value &= 1;
                                }
                                log_heap!(array + 1 + (index >> 3));
                                *heap.add(array + 1).cast::<u8>().add(index) = value;
                                next!()
                            }
                            Op::CAStore | Op::SAStore => {
                                let (array, index) = element!(i, i.a(), i.b());
                                kind_check!(array, ArrayKind::Half);
                                if r!(i.c()) >> 32 != 0 {
                                    self.set_shadow(Ref(array as u32), index as i32, Some(r!(i.c())));
                                    next!()
                                }
                                let value = r!(i.c()) as u16;
                                log_heap!(array + 1 + (index >> 2));
                                *heap.add(array + 1).cast::<u16>().add(index) = value;
                                next!()
                            }
                            Op::NewArr | Op::ANewArr => {
                                let length = word_int(one!(i, i.b()));
                                if length < 0 {
                                    let text = length.to_string();
                                    throw!("java/lang/NegativeArraySizeException", Some(&text));
                                }
                                let class = if i.op() == Op::NewArr {
                                    self.primitive_arrays[i.c() as usize]
                                } else {
                                    i.imm()
                                };
                                let shift = u32::from(self.classes.get_unchecked(class as usize).shift);
                                let words = array_words(shift, length as u32);
                                let header = Word::from(class) | (length as u64) << 32;
                                self.allocations += 1;
                                if words < 1 << 20
                                    && let Some(array) = self.heap.bump(header, words as u32)
                                {
                                    r!(i.a()) = array.word();
                                    next!()
                                }
                                if length > LONGEST_ARRAY {
                                    throw!(
                                        "java/lang/OutOfMemoryError",
                                        Some("Requested array size exceeds VM limit")
                                    );
                                }
                                save!();
                                tried!(self.before_allocation(words));
                                let array = tried!(self.allocate_array(ClassId(class), length));
                                r!(i.a()) = array.word();
                                next!()
                            }
                            Op::Multi => {
                                save!();
                                let array = tried!(self.multi_array(
                                    ClassId(i.imm()),
                                    base + u32::from(i.a()),
                                    i.b()
                                ));
                                r!(i.a()) = array.word();
                                next!()
                            }

                            Op::GetF1 => {
                                let object = object!(i, i.b());
                                r!(i.a()) = *heap.add(object + i.imm() as usize);
                                next!()
                            }
                            Op::GetF2 => {
                                let object = object!(i, i.b());
                                let at = object + i.imm() as usize;
                                r!(i.a()) = *heap.add(at);
                                r!(i.a() + 1) = *heap.add(at + 1);
                                next!()
                            }
                            Op::GetF1C => {
                                let object = checked_object!(i, i.b());
                                r!(i.a()) = *heap.add(object + i.imm() as usize);
                                next!()
                            }
                            Op::GetF2C => {
                                let object = checked_object!(i, i.b());
                                let at = object + i.imm() as usize;
                                r!(i.a()) = *heap.add(at);
                                r!(i.a() + 1) = *heap.add(at + 1);
                                next!()
                            }
                            Op::PutF1 => {
                                let object = object!(i, i.a());
                                let at = object + i.imm() as usize;
                                log_heap!(at);
                                *heap.add(at) = r!(i.b());
                                next!()
                            }
                            Op::PutF1C => {
                                let object = checked_object!(i, i.a());
                                let at = object + i.imm() as usize;
                                log_heap!(at);
                                *heap.add(at) = r!(i.b());
                                next!()
                            }
                            Op::PutF2 => {
                                let object = object!(i, i.a());
                                let at = object + i.imm() as usize;
                                log_heap!(at);
                                log_heap!(at + 1);
                                *heap.add(at) = r!(i.b());
                                *heap.add(at + 1) = r!(i.b() + 1);
                                next!()
                            }
                            Op::PutF2C => {
                                let object = checked_object!(i, i.a());
                                let at = object + i.imm() as usize;
                                log_heap!(at);
                                log_heap!(at + 1);
                                *heap.add(at) = r!(i.b());
                                *heap.add(at + 1) = r!(i.b() + 1);
                                next!()
                            }
                            Op::PutFZ | Op::PutFB | Op::PutFC | Op::PutFS => {
                                let object = checked_object!(i, i.a());
                                let at = object + i.imm() as usize;
                                let word = r!(i.b());
                                log_heap!(at);
                                *heap.add(at) = if word >> 32 != 0 { word } else { narrow(i.op(), word) };
                                next!()
                            }
                            Op::GetS1 => {
                                r!(i.a()) = *heap.add(i.imm() as usize);
                                next!()
                            }
                            Op::GetS2 => {
                                r!(i.a()) = *heap.add(i.imm() as usize);
                                r!(i.a() + 1) = *heap.add(i.imm() as usize + 1);
                                next!()
                            }
                            Op::GetS1I => {
                                initialized!(i.ext());
                                r!(i.a()) = *heap.add(i.imm() as usize);
                                next!()
                            }
                            Op::GetS2I => {
                                initialized!(i.ext());
                                r!(i.a()) = *heap.add(i.imm() as usize);
                                r!(i.a() + 1) = *heap.add(i.imm() as usize + 1);
                                next!()
                            }
                            Op::PutS1 | Op::PutS1I => {
                                if i.op() == Op::PutS1I {
                                    initialized!(i.ext());
                                }
                                let word = r!(i.b());
                                log_heap!(i.imm());
                                *heap.add(i.imm() as usize) = match i.c() {
                                    0 => word,
                                    _ if word >> 32 != 0 => word,
                                    1 => narrow(Op::PutFZ, word),
                                    2 => narrow(Op::PutFB, word),
                                    3 => narrow(Op::PutFC, word),
                                    _ => narrow(Op::PutFS, word),
                                };
                                next!()
                            }
                            Op::PutS2 | Op::PutS2I => {
                                if i.op() == Op::PutS2I {
                                    initialized!(i.ext());
                                }
                                log_heap!(i.imm());
                                log_heap!(i.imm() + 1);
                                *heap.add(i.imm() as usize) = r!(i.b());
                                *heap.add(i.imm() as usize + 1) = r!(i.b() + 1);
                                next!()
                            }

                            Op::New | Op::NewI => {
                                if i.op() == Op::NewI {
                                    initialized!(i.imm());
                                }
                                let words = self.classes.get_unchecked(i.imm() as usize).words;
                                self.allocations += 1;
                                if let Some(object) = self.heap.bump(Word::from(i.imm()), words) {
                                    r!(i.a()) = object.word();
                                    next!()
                                }
                                save!();
                                tried!(self.before_allocation(u64::from(words)));
                                let object = tried!(self.allocate(ClassId(i.imm())));
                                r!(i.a()) = object.word();
                                next!()
                            }
                            Op::Cast => {
                                let object = r!(i.b());
                                if object >> 32 != 0 {
                                    if self.pending_is(object, ClassId(i.imm())) {
                                        next!()
                                    }
                                    unknown!(i.b());
                                }
                                if object != 0 {
                                    let class = class_at!(object);
                                    if class != i.ext() {
                                        if !self.program.is_subtype(ClassId(class), ClassId(i.imm())) {
                                            save!();
                                            if self.is_open_class(class) {
                                                unknown!(i.b());
                                            }
                                            let raise = self.class_cast(ClassId(class), ClassId(i.imm()));
                                            raise!(raise)
                                        }
                                        (*pc).ext = class;
                                    }
                                }
                                next!()
                            }
                            Op::Inst => {
                                let object = one!(i, i.b());
                                if object != 0
                                    && class_at!(object) != i.ext()
                                    && self.is_open_class(class_at!(object))
                                    && !self.program.is_subtype(ClassId(class_at!(object)), ClassId(i.imm()))
                                {
                                    unknown!(i.b());
                                }
                                let result = object != 0 && {
                                    let class = class_at!(object);
                                    class == i.ext()
                                        || self.program.is_subtype(ClassId(class), ClassId(i.imm())) && {
                                            (*pc).ext = class;
                                            true
                                        }
                                };
                                r!(i.a()) = Word::from(result);
                                next!()
                            }
                            Op::MonEnter => {
                                let object = object!(i, i.b());
                                self.monitor_enter(Ref(object as u32));
                                next!()
                            }
                            Op::MonExit => {
                                let object = object!(i, i.b());
                                if !self.monitor_exit(Ref(object as u32)) {
                                    throw!(
                                        "java/lang/IllegalMonitorStateException",
                                        Some("current thread is not owner")
                                    );
                                }
                                next!()
                            }
                            Op::Throw => {
                                let object = object!(i, i.b());
                                save!();
                                let exception = Ref(object as u32);
                                if !self.is_instance(exception, self.known.throwable) {
                                    let raise = self.type_confusion("a thrown value");
                                    raise!(raise)
                                }
                                raise!(Raise::Throw(exception))
                            }

                            Op::InvokeStatic => enter!(i.imm(), i),
                            Op::InvokePoly => {
                                object!(i, i.a());
                                enter!(i.imm(), i)
                            }
                            Op::InvokeStaticI => {
                                initialized!(i.ext());
                                enter!(i.imm(), i)
                            }
                            Op::InvokeDirect => {
                                let object = object!(i, i.a());
                                if i.c() != 0 {
                                    let class = class_at!(object);
                                    if class != i.ext() {
                                        save!();
                                        tried!(self.check_direct(class, i.imm()));
                                        (*pc).ext = class;
                                    }
                                }
                                enter!(i.imm(), i)
                            }
                            Op::InvokeVirtual | Op::InvokeInterface => {
                                let object = object!(i, i.a());
                                let class = class_at!(object);
                                let site = *self.sites.get_unchecked(i.imm() as usize);
                                if site.class == class {
                                    enter!(site.target.0, i)
                                }
                                save!();
                                if self.is_open_class(class) {
                                    unknown!(i.a());
                                }
                                let target = tried!(self.dispatch(i.imm(), ClassId(class)));
                                enter!(target.0, i)
                            }
                            Op::RetV => leave_frame!(),
                            Op::Ret1 => {
                                *regs = r!(i.b());
                                leave_frame!()
                            }
                            Op::Ret2 => {
                                let (value, tag) = (r!(i.b()), r!(i.b() + 1));
                                *regs = value;
                                *regs.add(1) = tag;
                                leave_frame!()
                            }
                            Op::LdcU
                            | Op::Ldc2U
                            | Op::ANewArrU
                            | Op::MultiU
                            | Op::GetFieldU
                            | Op::PutFieldU
                            | Op::GetStaticU
                            | Op::PutStaticU
                            | Op::NewU
                            | Op::CastU
                            | Op::InstU
                            | Op::InvokeStaticU
                            | Op::InvokeSpecialU
                            | Op::InvokeVirtualU
                            | Op::InvokeInterfaceU
                            | Op::InvokeDynU => {
                                save!();
                                if matches!(i.op(), Op::CastU | Op::InstU) {
                                    // What a null is of is known without the class being loaded.
                                    if r!(i.b()) == 0 {
                                        if i.op() == Op::InstU {
                                            r!(i.a()) = 0;
                                        }
                                        next!()
                                    }
                                    if is_unknown(r!(i.b())) && !self.has_class(*pc) {
                                        unknown!(i.b());
                                    }
                                }
                                self.steps = steps;
                                let resolved = tried!(self.resolve(*pc));
                                steps = self.steps;
                                limit = self.step_limit;
                                *pc = resolved;
                                continue;
                            }
                        }
                    }
                }
            };
            // Decide a pending value and execute the instruction again, or execute it on terms.
            // SAFETY: what is said above of the whole loop.
            unsafe {
                save!();
                let tag = match register {
                    NO_REGISTER => 0,
                    _ if wide => r!(register + 1),
                    _ => r!(register),
                };
                if tag >> 32 == PENDING_TAG {
                    let value = tried!(self.force(tag));
                    r!(register) = value;
                    if wide {
                        r!(register + 1) = 0;
                    }
                    continue;
                }
                self.steps = steps;
                let flow = tried!(self.symbolic_step(*pc, base));
                match flow {
                    Flow::Next => {
                        if COVER && is_conditional((*pc).op) {
                            tried!(self.cover_way(pc, 0));
                        }
                        next!()
                    }
                    Flow::Jump(target) => {
                        if COVER && is_conditional((*pc).op) {
                            tried!(self.cover_way(pc, 1));
                        } else if COVER {
                            tried!(self.cover_switch(pc, target));
                        }
                        pc = code.add(target as usize);
                        if steps >= limit {
                            save!();
                            leave!(Leave::Steps);
                        }
                    }
                    Flow::Again => reload!(),
                    Flow::Enter(method) => enter!(method.0, At(pc)),
                }
            }
        }
    }

    fn root_value(&mut self, left: Frame) -> Value {
        let word = self.stack.get(left.base as usize);
        self.last_result = self.program.method(left.method).signature.result;
        match self.last_result.width() {
            0 => Value::Void,
            1 => Value::One(word),
            _ => match self.stack.get(left.base as usize + 1) {
                0 => Value::Two(word),
                tag => Value::Pending2(tag),
            },
        }
    }

    fn switch_target(&self, index: u32, key: i32) -> u32 {
        let frame = self.frames.last().expect("a frame is running");
        let code = self.program.method(frame.method).code.as_ref().expect("running code exists");
        code.switches[index as usize].target(key)
    }
}

/// Storage classes of arrays, for checks on untrusted code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayKind {
    Byte,
    Half,
    Word,
    Wide,
    Ref,
}

fn narrow(op: Op, word: Word) -> Word {
    match op {
        Op::PutFZ => word & 1,
        Op::PutFB => int_word(i32::from(word as i8)),
        Op::PutFC => Word::from(word as u16),
        _ => int_word(i32::from(word as i16)),
    }
}
