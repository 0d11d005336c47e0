//! What an answer assumes, in words: what the machine took for granted, as far as it could make a difference.

use std::collections::BTreeSet;

use machine::symbolic::{FUNCTION, UNSEEN};
use machine::{Classes, Machine, Outside, Supposition, World};
use program::{ClassId, Symbol};
use values::graph::class_name;
use values::{Parameter, Reason};

use crate::history::Static;

/// What is taken for granted besides, because the user says so.
#[derive(Clone, Copy, Default, Debug)]
pub struct Closed {
    /// The outside is as in `run`.
    pub outside: bool,
    /// Static fields are as the initializers of their classes leave them.
    pub statics: bool,
    /// The class path is everything.
    pub classes: bool,
}

/// What was taken for granted by a machine.
#[derive(Clone, Default, Debug)]
pub struct Supposed {
    /// As parts of a sentence.
    pub assumptions: BTreeSet<String>,
    /// What an answer would depend on.
    pub depends: BTreeSet<String>,
    /// Static fields that were read as their initializers left them, and that others can write.
    pub statics: Vec<Static>,
    /// Classes whose static state matters, by their internal names.
    pub stateful: BTreeSet<String>,
    /// What is taken for granted about the states of objects.
    pub made: BTreeSet<String>,
    /// Whether other calls may bring about other states.
    pub others: bool,
    /// Whether it matters that there are no classes but those that were seen.
    pub unseen: bool,
}

impl Supposed {
    /// What a machine took for granted while it explored a method. A program starts fresh: nothing was there before.
    /// Of the static fields in `opened` nothing is taken for granted.
    pub fn of(
        m: &mut Machine,
        parameters: &[Parameter],
        is_program: bool,
        closed: Closed,
        opened: &[Static],
    ) -> Supposed {
        let mut all = Supposed::default();
        let mut shares = false;
        for what in m.supposed() {
            match what {
                Supposition::Seen(class) => {
                    // All others were followed; what a lambda inside its own nest gives is not known.
                    let is_open = m.policy().classes != Classes::Any;
                    if !is_open && !m.program.is_lambda_inside(class) {
                        continue;
                    }
                    all.unseen |= is_open;
                    let text = match (function(m, class), m.program.class(class).is_interface()) {
                        (Some(text), _) => text,
                        (None, true) => format!(
                            "no class or lambda implements {} but the classes on the class path",
                            name(m, class)
                        ),
                        (None, false) => {
                            format!("no class extends {} but those on the class path", name(m, class))
                        }
                    };
                    all.assumptions.insert(text);
                }
                Supposition::Apart(one, other) => {
                    let (one, other) = (class_name(m, one), class_name(m, other));
                    all.assumptions.insert(format!("nothing is a {one} and a {other} at once"));
                }
                Supposition::Cut(class) => {
                    all.assumptions.insert(stand_in(m, class));
                }
                // That it is of no narrower type is said where it is followed.
                Supposition::Plain(class) if m.program.class(class).is_array() => {}
                Supposition::Plain(class) => {
                    let text = match function(m, class) {
                        Some(_) if m.policy().classes == Classes::Any => continue,
                        Some(text) => {
                            all.unseen = true;
                            text
                        }
                        None => stand_in(m, class),
                    };
                    all.assumptions.insert(text);
                }
                Supposition::Exact(class) => {
                    let name = class_name(m, class);
                    all.assumptions.insert(format!("a {name} is no array of a narrower type"));
                }
                Supposition::Missing(name) => {
                    let name = m.program.text(name).replace('/', ".");
                    all.assumptions
                        .insert(format!("there is no class {name}, which is not on the class path"));
                }
                Supposition::Initialized(class) => {
                    if !is_program {
                        all.stateful.insert(m.program.class_name(class).to_string());
                        let name = name(m, class);
                        all.assumptions.insert(format!("{name} was not initialized before the call"));
                    }
                }
                Supposition::NotANumber => {
                    all.assumptions.insert("what is not a number has the usual bits".into());
                }
                Supposition::Harmless(class) => {
                    let verb = if m.program.class(class).is_interface() { "implements" } else { "extends" };
                    all.assumptions.insert(format!(
                        "a class nobody has seen that {verb} {} changes nothing it can reach, and throws plain RuntimeExceptions only",
                        name(m, class)
                    ));
                }
                Supposition::Bare(class) => {
                    let verb = if m.program.class(class).is_interface() { "implements" } else { "extends" };
                    all.assumptions.insert(format!(
                        "a class nobody has seen that {verb} {} is nothing besides, and overrides no more than it has to",
                        name(m, class)
                    ));
                }
                Supposition::Own(class) => {
                    let name = name(m, class);
                    all.assumptions
                        .insert(format!("{name} is constructed itself, and not as a part of a subclass"));
                }
                Supposition::Typed(class) => {
                    all.assumptions
                        .insert(format!("a {} has what its type arguments say", class_name(m, class)));
                }
                Supposition::Made { class, others } => {
                    all.others |= others;
                    let own = name(m, class);
                    let text = match own.strip_suffix(UNSEEN) {
                        Some(parent) => {
                            format!(
                                "an object of a class that extends {parent} is as its constructors make it"
                            )
                        }
                        None => format!("a {own} is as its constructors and a few calls make it"),
                    };
                    all.made.insert(text);
                }
                Supposition::Monotonic => {
                    all.assumptions.insert("System.nanoTime does not go back".into());
                }
                Supposition::Latent(_) => {}
                Supposition::HashOrder => {
                    all.assumptions.insert("hash tables are iterated in the order that this JDK has".into());
                }
                Supposition::Streams if !is_program => {
                    all.assumptions.insert("the standard streams are those that the JVM made".into());
                }
                Supposition::Streams => {}
                Supposition::Undisturbed => {
                    all.assumptions.insert("no other thread changes or interrupts the one it runs on".into());
                }
                Supposition::KeptProperties => {
                    all.assumptions.insert(
                        "the system properties are those that the JVM made, and no other thread changes them"
                            .into(),
                    );
                }
                Supposition::SlowInput => {
                    all.assumptions.insert("standard input comes byte by byte, and without errors".into());
                }
                Supposition::SomeClasses => {
                    all.assumptions.insert(
                        "an unknown java.lang.Class is one that the program names, or of a few others".into(),
                    );
                }
                Supposition::BareExceptions => {
                    all.assumptions.insert(
                        "an unknown exception has no stack trace and no suppressed exceptions, and takes none"
                            .into(),
                    );
                }
                // What an assertion says is asked for, or it is for whoever asks to say.
                Supposition::Assertions => {}
                Supposition::Raised => {
                    all.assumptions.insert(
                        "exceptions that the JVM throws itself are new ones, with messages as in `shakedown run`"
                            .into(),
                    );
                }
                Supposition::Usual(what) => {
                    all.assumptions.insert(what.into());
                }
                Supposition::SmallCache => {
                    all.assumptions.insert("no boxes of numbers above 127 are kept".into());
                }
                Supposition::Between => {
                    all.assumptions.insert("nothing calls the method in the middle of something else".into());
                }
                Supposition::Memory { caught: true } => {
                    all.assumptions.insert("there is memory for every array".into());
                }
                Supposition::Memory { caught: false } => {}
                Supposition::New => shares = true,
                Supposition::Fresh { class, field } if !is_program => {
                    if let Some(field) = Static::of(m, class, field) {
                        if opened.contains(&field) {
                            continue;
                        }
                        all.statics.push(field);
                    }
                    if let Some(text) = fresh(m, class, field) {
                        shares |= text.leads_somewhere;
                        all.stateful.insert(m.program.class_name(class).to_string());
                        all.assumptions.insert(text.text);
                    }
                }
                Supposition::Fresh { .. } => {}
                Supposition::World(world) => all.depend(world, closed),
            }
        }
        let has_references = parameters.iter().any(|parameter| {
            parameter.term.is_some() && parameter.kind == program::Kind::Ref && parameter.name != "this"
        });
        if shares && has_references && !is_program {
            all.assumptions.insert("no argument is an object that was there before the call".into());
        }
        // Asking about classes may have loaded some.
        m.sync_classes();
        all
    }

    /// A path touched something outside.
    pub fn touch(&mut self, outside: Outside, closed: Closed) {
        if matches!(
            outside,
            Outside::Files
                | Outside::Processes
                | Outside::Network
                | Outside::Environment
                | Outside::NativeLibraries
        ) {
            self.depend(World::Outside(outside), closed);
        }
    }

    /// The answer could depend on something outside.
    pub fn depend(&mut self, world: World, closed: Closed) {
        match closed.outside {
            true => self.assumptions.insert(format!("{} as in `shakedown run`", world.name())),
            false => self.depends.insert(world.name().into()),
        };
    }

    /// Nothing has to be assumed about some static fields: whatever their class leaves there makes no difference.
    pub fn settle(&mut self, fields: &[Static]) {
        self.statics.retain(|field| !fields.contains(field));
        for field in fields {
            self.assumptions.remove(&untouched(&field.shown()));
        }
        if self.assumptions.is_empty() {
            self.stateful.clear();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.assumptions.is_empty() && self.depends.is_empty()
    }

    pub fn add(&mut self, other: Supposed) {
        self.assumptions.extend(other.assumptions);
        self.depends.extend(other.depends);
        self.stateful.extend(other.stateful);
        self.made.extend(other.made);
        self.others |= other.others;
        self.unseen |= other.unseen;
        for field in other.statics {
            if !self.statics.contains(&field) {
                self.statics.push(field);
            }
        }
    }

    /// Why there is no answer, if it depends on something.
    pub fn reason(&self) -> Option<Reason> {
        let names: Vec<&str> = self.depends.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| Reason::DependsOn(names.join(", ")))
    }
}

fn name(m: &Machine, class: ClassId) -> String {
    m.program.class_name(class).replace('/', ".")
}

/// What is assumed of the objects of an interface that unknown functions stand for.
fn function(m: &mut Machine, class: ClassId) -> Option<String> {
    let known = m.implementations(class);
    let is_function = |class: &ClassId| {
        let name = m.program.class_name(*class);
        name.ends_with(FUNCTION) || name.ends_with(UNSEEN)
    };
    (!known.is_empty() && known.iter().all(is_function)).then(|| {
        let name = name(m, class);
        format!("a {name} returns the same for the same arguments, throws nothing and changes nothing")
    })
}

fn stand_in(m: &mut Machine, class: ClassId) -> String {
    let known: Vec<String> = m.implementations(class).into_iter().map(|known| name(m, known)).collect();
    match &known[..] {
        [] => format!("a {} is as the library makes it", name(m, class)),
        [one] if *one == name(m, class) => format!("a {one} is of that very class"),
        [one] => format!("a {} is a {one}", name(m, class)),
        many => format!("a {} is one of {}", name(m, class), many.join(", ")),
    }
}

fn untouched(place: &str) -> String {
    format!("{place} is as its class leaves it when it is initialized")
}

struct Fresh {
    text: String,
    /// Whether the field leads to an object that others may have changed, or given as an argument.
    leads_somewhere: bool,
}

/// That a static field is fresh; none if it always is.
fn fresh(m: &mut Machine, class: ClassId, field: Symbol) -> Option<Fresh> {
    let declared =
        m.program.class(class).fields.iter().find(|own| own.name == field && own.is_static())?.clone();
    let descriptor = m.program.text(declared.descriptor).to_string();
    let is_reference = descriptor.starts_with(['L', '[']);
    let leads_somewhere = is_reference && !is_unchangeable(m, &descriptor);
    let place = format!("{}.{}", name(m, class), m.program.text(field));
    if !m.program.is_written_once(class, field) {
        return Some(Fresh { text: untouched(&place), leads_somewhere });
    }
    leads_somewhere
        .then(|| Fresh { text: format!("what {place} refers to was not changed"), leads_somewhere })
}

/// Types of the library whose objects never change.
const PLAIN: &[&str] = &[
    "java/lang/String",
    "java/lang/Class",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/UUID",
    "java/util/Locale",
    "java/util/regex/Pattern",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/LocalTime",
    "java/time/Duration",
    "java/time/Instant",
    "java/time/ZoneOffset",
    "java/time/format/DateTimeFormatter",
    "java/nio/charset/Charset",
    "java/lang/invoke/VarHandle",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodType",
    "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater",
    "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
];

/// Whether objects of a type never change.
pub(crate) fn is_unchangeable(m: &mut Machine, descriptor: &str) -> bool {
    let Some(name) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
        return false;
    };
    if PLAIN.contains(&name) {
        return true;
    }
    let Ok(class) = m.load(name) else { return false };
    if !m.program.is_closed(class) || m.program.class(class).is_library() {
        return false;
    }
    if m.program.class(class).flags & program::access::FINAL != 0 {
        return is_fixed(m, class);
    }
    // What is declared says little about those that extend it, such as the constants of an enum with bodies.
    let is_enum = m.program.class(class).flags & program::access::ENUM != 0;
    let all = if is_enum { m.program.nest_of(class) } else { m.world_classes() };
    let known: Vec<ClassId> = all.into_iter().filter(|known| m.program.is_subtype(*known, class)).collect();
    !known.is_empty() && known.into_iter().all(|known| is_fixed(m, known))
}

/// Whether objects of this very class never change.
fn is_fixed(m: &mut Machine, class: ClassId) -> bool {
    if m.never_changes(class) {
        return true;
    }
    let lines = m.program.class(class).display.clone();
    let fields: Vec<_> = lines.iter().flat_map(|class| m.program.class(*class).fields.clone()).collect();
    fields.iter().filter(|field| !field.is_static()).all(|field| {
        let text = m.program.text(field.descriptor).to_string();
        let is_plain = !text.starts_with(['L', '['])
            || PLAIN.contains(&text.trim_start_matches('L').trim_end_matches(';'));
        field.flags & program::access::FINAL != 0 && is_plain
    })
}
