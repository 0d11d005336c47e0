//! The way in for everything that is not bytecode: native methods, intrinsics and call site linkage.

use program::{ClassId, MethodId};

use crate::choice::Choice;
use crate::machine::Machine;
use crate::outcome::Stop;
use crate::value::{Ref, Word, float_word, int_word, word_float, word_int};

/// Why an operation did not give a value.
#[derive(Debug)]
pub enum Raise {
    /// The program throws this.
    Throw(Ref),
    /// The run ends.
    Stop(Stop),
    /// The search has to decide something first; the instruction is executed again afterwards.
    Choose(Choice),
    /// A frame was pushed that must finish first; the instruction is executed again afterwards.
    Retry,
}

/// What a native method gives back.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Void,
    /// A one-word value.
    One(Word),
    /// A wide value.
    Two(Word),
    /// A wide value that is not known yet, by its tag word.
    Pending2(Word),
    /// A frame was pushed in the native's place: its result is the result.
    Entered,
    /// Not a case for this implementation: the ordinary one has to do it.
    Pass,
}

impl Value {
    pub fn int(value: i32) -> Value {
        Value::One(int_word(value))
    }

    pub fn bool(value: bool) -> Value {
        Value::One(Word::from(value))
    }

    pub fn long(value: i64) -> Value {
        Value::Two(value as u64)
    }

    pub fn float(value: f32) -> Value {
        Value::One(float_word(value))
    }

    pub fn double(value: f64) -> Value {
        Value::Two(value.to_bits())
    }

    pub fn reference(value: Ref) -> Value {
        Value::One(value.word())
    }
}

/// The outcome of a native method.
pub type Return = Result<Value, Raise>;

/// A native method. Arguments are read by slot: a `long` or `double` takes two. They are known, except for
/// implementations that are tried first where values may be unknown ([`Library::symbolic`]).
///
/// # Asking
///
/// A native may need something that is not decided yet, or code that has to run first. It then gives
/// [`Raise::Choose`] or [`Raise::Retry`], mostly by a `?` behind an operation that had to ask, and the instruction that
/// called it is executed again from its beginning, as often as there is something to ask. Natives have no place to
/// resume at, so a native **asks first and acts afterwards**. Until its last question is answered it must not
///
/// - write to the heap, to static fields or to memory outside the heap,
/// - write output, read input, touch the clock or ask for an identity hash,
/// - allocate anything that stays, number anything, or make an unknown, a pending value or a variable of a pool,
/// - overwrite its own arguments.
///
/// What it may do is ask, look, throw, end the run, load classes, and make terms, stubs and whatever else is found
/// again the second time instead of being made twice. So may what it calls: an unknown reference that is followed is
/// given its object once, and a cell that is decided stays decided. A question must be the same the second time,
/// which is why it is not simplified by what was decided meanwhile.
///
/// A test executes every native of the table twice at each of its questions and looks for traces
/// (`crates/jdk/tests/again.rs`).
pub type Native = fn(&mut Machine, Args) -> Return;

/// Where a native finds its arguments, the receiver first.
#[derive(Clone, Copy, Debug)]
pub struct Args {
    pub(crate) base: usize,
    /// The method that was called.
    pub method: MethodId,
}

impl Args {
    pub fn word(self, m: &Machine, slot: usize) -> Word {
        m.stack.get(self.base + slot)
    }

    pub fn int(self, m: &Machine, slot: usize) -> i32 {
        word_int(self.word(m, slot))
    }

    pub fn bool(self, m: &Machine, slot: usize) -> bool {
        self.int(m, slot) & 1 != 0
    }

    pub fn long(self, m: &Machine, slot: usize) -> i64 {
        self.word(m, slot) as i64
    }

    pub fn float(self, m: &Machine, slot: usize) -> f32 {
        word_float(self.word(m, slot))
    }

    pub fn double(self, m: &Machine, slot: usize) -> f64 {
        f64::from_bits(self.word(m, slot))
    }

    pub fn reference(self, m: &Machine, slot: usize) -> Ref {
        Ref::from_word(self.word(m, slot))
    }

    /// The object at `slot`, decided now if it was not known.
    pub fn known(self, m: &mut Machine, slot: usize) -> Result<Ref, Raise> {
        let object = Ref::from_word(m.force(self.word(m, slot))?);
        if object.is_null() {
            return Err(m.raise("java/lang/NullPointerException", None));
        }
        if m.symbolic.is_on() {
            m.decide_class(object)?;
        }
        Ok(object)
    }

    /// The reference at `slot`, or a `NullPointerException`.
    pub fn non_null(self, m: &mut Machine, slot: usize) -> Result<Ref, Raise> {
        let object = self.reference(m, slot);
        if object.is_null() {
            return Err(m.raise("java/lang/NullPointerException", None));
        }
        Ok(object)
    }
}

/// What a native needs to know of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// The arguments, and what arrays and strings among them hold.
    Everything,
    /// The same, but of what is declared to be an `Object` no more than which object it is, and of which class.
    Declared,
    /// The arguments: it only copies what arrays and objects hold.
    Arguments,
    /// What it asks for itself ([`Args::known`]): it hands the rest on.
    Nothing,
}

/// Sees a call before it happens, and does nothing to it.
pub type Witness = fn(&Machine, Args);

/// The modelled part of the library, known to the machine only by this trait.
pub trait Library {
    /// The implementation of a method, native or not, that is not run from its bytecode.
    fn native(&self, owner: &str, name: &str, descriptor: &str) -> Option<Native>;

    /// Who is to see every call of a method, whether it is modelled or run from its bytecode.
    fn witness(&self, owner: &str, name: &str, descriptor: &str) -> Option<Witness>;

    /// True for modelled methods whose bodies mean something else, even where values are unknown.
    fn must_not_run(&self, owner: &str, name: &str) -> bool;

    /// What has to be known before a native is called.
    fn demand(&self, native: Native) -> Demand;

    /// True for classes whose bytecode relies on how a JVM lays objects out: it is never run instead of their natives.
    fn reaches_below(&self, owner: &str) -> bool;

    /// Gives the fields of an unknown object of a library class values; refuses classes whose fields cannot be just
    /// anything.
    fn fill_unknown(&self, m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise>;

    /// A class that extends or implements another, whose methods do anything.
    fn unseen_class(&self, m: &mut Machine, parent: ClassId) -> Result<ClassId, Raise>;

    /// The classes of the library, by internal names, that an unknown value of a library type can have, plain ones first.
    fn unknown_types(&self, declared: &str) -> Vec<&'static str>;

    /// Whether objects of a class of the library stand for one value, so that an unknown one may be any of them.
    fn is_one_value(&self, class: &str) -> bool;

    /// An implementation that is tried first where values may be unknown; it may pass by giving [`Value::Pass`].
    fn symbolic(&self, owner: &str, name: &str, descriptor: &str) -> Option<Native>;

    /// Links the `invokedynamic` call site at constant pool index `index` of `caller` to a static method.
    fn link_call_site(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise>;

    /// The static method without parameters that gives the value of a `MethodHandle`, `MethodType` or `Dynamic`
    /// constant. A method, not a value: a rollback may take the value back, but not the rewritten instruction.
    fn link_constant(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise>;

    /// The static method that a signature-polymorphic call (of `MethodHandle` or `VarHandle`) goes through; it takes
    /// the receiver and all arguments.
    fn link_polymorphic(
        &self,
        m: &mut Machine,
        caller: ClassId,
        owner: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Raise>;
}
