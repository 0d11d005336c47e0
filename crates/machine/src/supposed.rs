//! What is taken for granted where values are unknown. The machine explores a world it can see: the classes on the class
//! path, static fields as initializers leave them, the outside as it is in `run`. Wherever that could make a difference it is
//! noted here, so that whoever proves something can say under which assumptions. Notes are of all paths together, and a
//! rollback does not take them back.

use program::{ClassId, Insn, Symbol, access};

use crate::machine::{InitState, Machine};
use crate::outside::Outside;
use crate::value::{Ref, Word};

/// Something taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Supposition {
    /// No class extends or implements this one but those that are known.
    Seen(ClassId),
    /// No object is of both types, as far as references of them were compared.
    Apart(ClassId, ClassId),
    /// An object of this type, which has many classes, is of one of those that come into question.
    Cut(ClassId),
    /// An object of this type of the library is of one of the classes that stand in for it.
    Plain(ClassId),
    /// An array of this class is none of a narrower class.
    Exact(ClassId),
    /// No input is an object that was there before: a constant, or what a static field leads to.
    New,
    /// There is no class of this name, because it is not on the class path.
    Missing(Symbol),
    /// A class is initialized when it is first used here: its initializer reads what others write.
    Initialized(ClassId),
    /// What is not a number has the usual bits.
    NotANumber,
    /// A static field is as its initializer left it.
    Fresh {
        class: ClassId,
        field: Symbol,
    },
    World(World),
    /// A class that nobody has seen changes nothing that it can reach, and throws no more than a plain exception.
    Harmless(ClassId),
    /// A class that nobody has seen is nothing besides, and leaves the methods alone that others have implemented.
    Bare(ClassId),
    /// The constructor that is asked about is called for an object of its own class, not by that of a subclass.
    Own(ClassId),
    /// An object of this class is filled with what its type arguments say.
    Typed(ClassId),
    /// An object of this class is as its constructors and a few calls make it; whether other calls make others.
    Made {
        class: ClassId,
        others: bool,
    },
    /// `System.nanoTime` does not go back.
    Monotonic,
    /// Something that makes no difference yet, and may turn into a difference later.
    Latent(Latent),
    /// Iterating a hash table goes as this JDK does it.
    HashOrder,
    /// A standard stream is the one that the JVM made.
    Streams,
    /// No other thread changes or interrupts the one that runs.
    Undisturbed,
    /// System properties are in the table that the JVM made, and nobody else changes them.
    KeptProperties,
    /// Standard input comes byte by byte, and without errors.
    SlowInput,
    /// An unknown `Class` is one of those that were tried.
    SomeClasses,
    /// Unknown exceptions of the library have neither a stack trace nor suppressed exceptions, and take none.
    BareExceptions,
    /// Assertions are enabled.
    Assertions,
    /// An exception that the JVM throws on its own is a new one, with a message.
    Raised,
    /// The library has what it has unless somebody set something, as this sentence says.
    Usual(&'static str),
    /// Boxes of large numbers are not kept: the cache has its usual size.
    SmallCache,
    /// The method that is asked about is not called in the middle of another step than its own.
    Between,
    /// There is memory for an array whose length is unknown. `caught` if the program would notice.
    Memory {
        caught: bool,
    },
}

/// A method that is running.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    pub owner: &'a str,
    pub name: &'a str,
    pub is_program: bool,
}

/// What is in the answers of the library, but not where the program can see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Latent {
    /// A hash table holds objects by their identity hash codes: nobody sees them before it is iterated.
    IdentityHash,
    /// A formatter has the default locale: nobody sees it before a number or a date is written.
    Formatter,
}

/// Part of the world that differs from run to run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum World {
    Clock,
    NanoTime,
    TimeZone,
    Locale,
    Charset,
    Properties,
    /// The version of the JDK, which no property says.
    Version,
    Chance,
    Identity,
    Order,
    Members,
    Size,
    Threads,
    Callers,
    Collector,
    LastDigit,
    Input,
    /// Whether what is written gets anywhere.
    Output,
    Console,
    /// Resources, and what provides services.
    ClassPath,
    /// What anybody can set in the library.
    Library,
    /// Class loader, module and package of a class.
    Loading,
    Directory,
    Outside(Outside),
}

impl World {
    pub fn name(self) -> &'static str {
        match self {
            World::Clock => "the clock",
            World::NanoTime => "System.nanoTime",
            World::TimeZone => "the time zone",
            World::Locale => "the locale",
            World::Charset => "the default charset",
            World::Properties => "system properties",
            World::Version => "the version of Java",
            World::Chance => "randomness",
            World::Identity => "identity hash codes",
            World::Order => "the order of an immutable set or map",
            World::Members => "the order of the members of a class",
            World::Size => "the number of processors and the memory of the JVM",
            World::Threads => "the thread it runs on",
            World::Callers => "its callers",
            World::Collector => "the garbage collector",
            World::LastDigit => "the last digit of a function of Math",
            World::Input => "standard input",
            World::Output => "whether output can be written",
            World::Console => "the console",
            World::ClassPath => "what is on the class path",
            World::Library => "the state of the library",
            World::Loading => "how its class was loaded",
            World::Directory => "the working directory",
            World::Outside(outside) => outside.name(),
        }
    }
}

impl Machine {
    /// Takes something for granted.
    pub fn suppose(&self, what: Supposition) {
        if self.symbolic.is_on() {
            self.supposed.borrow_mut().insert(what);
        }
    }

    /// Notes that the program looks at the world. What the library does to initialize itself is not its doing.
    pub fn depend(&self, world: World) {
        if self.symbolic.is_on() && !self.is_starting_library() {
            self.suppose(Supposition::World(world));
        }
    }

    /// The same, if the program itself asks, and not the library on the way to something else.
    pub fn depend_if_asked(&self, world: World) {
        if self.is_program_asking() {
            self.depend(world);
        }
    }

    /// Takes something for granted if the program itself asks for it.
    pub fn suppose_if_asked(&self, what: Supposition) {
        if self.is_program_asking() {
            self.suppose(what);
        }
    }

    /// Notes something that makes no difference yet.
    pub fn keep_in_mind(&self, what: Latent) {
        if !self.is_starting_library() {
            self.suppose(Supposition::Latent(what));
        }
    }

    /// The program can see something now; it depends on the world if that was kept in mind.
    pub fn depend_if_latent(&self, what: Latent, world: World) {
        if self.supposed.borrow().contains(&Supposition::Latent(what)) {
            self.depend(world);
        }
    }

    pub fn is_program_asking(&self) -> bool {
        let caller = self.frames.last().map(|frame| self.program.method(frame.method).class);
        caller.is_some_and(|class| !self.program.class(class).is_library())
    }

    /// Who is running, the innermost first.
    pub fn callers(&self) -> impl Iterator<Item = Caller<'_>> {
        self.frames.iter().rev().map(|frame| {
            let method = self.program.method(frame.method);
            Caller {
                owner: self.program.class_name(method.class),
                name: self.program.text(method.name),
                is_program: !self.program.class(method.class).is_library(),
            }
        })
    }

    /// What was taken for granted so far, in order.
    pub fn supposed(&self) -> Vec<Supposition> {
        self.supposed.borrow().iter().copied().collect()
    }

    /// A class was looked for that is not there.
    pub fn suppose_missing(&mut self, name: &str) {
        let symbol = self.program.symbols.intern(name);
        self.suppose(Supposition::Missing(symbol));
    }

    /// Forgets what was taken for granted. Instructions that read static fields were resolved since, and would not be seen
    /// again: they go back to what they were. Nothing may be running.
    pub fn forget_supposed(&mut self) {
        self.supposed.get_mut().clear();
        self.see_statics_again();
    }

    pub fn is_starting_library(&self) -> bool {
        self.frames.iter().any(|frame| {
            let method = self.program.method(frame.method);
            self.program.class(method.class).is_library() && self.program.text(method.name) == "<clinit>"
        })
    }

    /// A static field is about to be read by an instruction that is resolved now.
    pub(crate) fn suppose_fresh(&mut self, insn: Insn, field: &program::Field) {
        if !self.symbolic.is_on() {
            return;
        }
        if self.program.class(field.class).is_library() {
            let is_stream = matches!(self.program.text(field.name), "out" | "err" | "in");
            if is_stream
                && self.program.class_name(field.class) == "java/lang/System"
                && self.is_program_asking()
            {
                self.keep_unresolved(insn);
                self.suppose(Supposition::Streams);
            }
            return;
        }
        let is_ours = field.flags & access::SYNTHETIC != 0;
        if is_ours {
            return;
        }
        let Some(reader) = self.frames.last().map(|frame| self.program.method(frame.method)) else { return };
        let is_initializer = self.program.text(reader.name) == "<clinit>";
        // Whatever is read on behalf of an initializer is read once, whenever that is.
        let depends =
            self.initializing().filter(|class| *class != field.class && !self.is_same_for_all(*class, field));
        if let Some(class) = depends {
            self.suppose(Supposition::Initialized(class));
        }
        // Another method than the initializer may be called again, and an initializer may run later.
        if depends.is_some() || !is_initializer {
            self.suppose(Supposition::Fresh { class: field.class, field: field.name });
        }
        if depends.is_some() || !is_initializer {
            self.keep_unresolved(insn);
        }
    }

    /// A field is read by its place. If it is a static one of the program, it may hold what others left there.
    pub fn suppose_fresh_at(&mut self, object: Ref, offset: u32) {
        if !self.symbolic.is_on() || self.class_of(object) != self.known.class {
            return;
        }
        let Some(field) = self.static_at(object, offset) else { return };
        let (class, field) = (field.class, field.name);
        if self.program.class(class).is_library() {
            return;
        }
        if let Some(initializing) = self.initializing().filter(|initializing| *initializing != class) {
            self.suppose(Supposition::Initialized(initializing));
        }
        self.suppose(Supposition::Fresh { class, field });
    }

    /// A static field is about to be written by an instruction that is resolved now. If that is done for an initializer of
    /// another class, it may have been done before.
    pub(crate) fn suppose_unwritten(&mut self, insn: Insn, field: &program::Field) {
        if !self.symbolic.is_on() || self.program.class(field.class).is_library() {
            return;
        }
        if let Some(class) = self.initializing().filter(|class| *class != field.class) {
            self.suppose(Supposition::Initialized(class));
        }
        self.keep_unresolved(insn);
    }

    /// The class of the program whose initializer runs, the innermost one.
    pub(crate) fn initializing(&self) -> Option<ClassId> {
        self.frames.iter().rev().find_map(|frame| {
            let method = self.program.method(frame.method);
            let is_program = !self.program.class(method.class).is_library();
            (is_program && self.program.text(method.name) == "<clinit>").then_some(method.class)
        })
    }

    /// Remembers an instruction as it was before it was resolved.
    pub(crate) fn keep_unresolved(&mut self, insn: Insn) {
        let place = self.current_place();
        self.static_accesses.extend(place.map(|place| (place.method, place.index, insn)));
    }

    /// Lets instructions that read and write static fields be seen again: an initializer begins, and what it does is done
    /// only once.
    pub(crate) fn see_statics_again(&mut self) {
        for (method, index, insn) in std::mem::take(&mut self.static_accesses) {
            let code = self.program.methods[method.0 as usize].code.as_mut();
            if let Some(place) = code.and_then(|code| code.insns.get_mut(index as usize)) {
                *place = insn;
            }
        }
    }

    /// Whether an initializer that reads a constant of an enum sees the same whenever it runs. What compilers make, such as
    /// the table of a switch, looks at the ordinal only.
    fn is_same_for_all(&mut self, reader: ClassId, field: &program::Field) -> bool {
        field.flags & access::ENUM != 0
            && self.class_state(field.class).init == InitState::Done
            && (self.program.class(reader).flags & access::SYNTHETIC != 0 || self.never_changes(field.class))
    }

    /// What the initializer of a class of the program does depends on whether it is the first to run.
    pub(crate) fn suppose_first(&self, class: ClassId) {
        if !self.program.class(class).is_library() {
            self.suppose(Supposition::Initialized(class));
        }
    }

    /// Two references were compared and are different objects. Boxes of large numbers are, with a cache of the usual size.
    pub(crate) fn suppose_apart(&self, one: Word, other: Word) {
        if one == other || one == 0 || other == 0 {
            return;
        }
        let (one, other) = (Ref::from_word(one), Ref::from_word(other));
        self.suppose_raised_apart(one, other);
        if !self.is_program_asking() {
            return;
        }
        let is_box = |object: Ref| self.class_name_of(object) == "java/lang/Integer";
        if is_box(one) && is_box(other) && self.field(one, "value") == self.field(other, "value") {
            self.suppose(Supposition::SmallCache);
        }
    }

    /// Whether all classes of a type are known. It is asked at every call on an unknown object, and seldom quickly told.
    pub(crate) fn is_closed(&mut self, class: ClassId) -> bool {
        if let Some(known) = self.symbolic.world.closed.get(&class) {
            return *known;
        }
        let is_closed = self.program.is_closed(class);
        self.sync_classes();
        self.symbolic.world.closed.insert(class, is_closed);
        is_closed
    }

    /// The class of an object matters.
    pub fn suppose_class_of(&mut self, object: Ref) {
        if let Some(declared) = self.declared_of(object) {
            self.suppose_seen(declared);
        }
        self.suppose_bare(self.class_of(object));
    }

    /// What a class is besides matters: of one that nobody has seen, nobody knows.
    pub(crate) fn suppose_bare(&self, class: ClassId) {
        if let Some(parent) = self.unseen_parent(class) {
            self.suppose(match self.is_in_making(class) {
                true => Supposition::Own(parent),
                false => Supposition::Bare(parent),
            });
        }
    }

    /// The class of an object of a declared type matters, and may be one that nobody has seen.
    pub(crate) fn suppose_seen(&mut self, declared: ClassId) {
        if self.is_cut(declared) && !self.program.class(declared).is_library() {
            self.suppose(Supposition::Cut(declared));
        }
        if self.is_closed(declared) {
            return;
        }
        self.suppose(match self.program.class(declared).is_library() {
            true => Supposition::Plain(declared),
            false => Supposition::Seen(declared),
        });
    }
}
