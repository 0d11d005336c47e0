//! Where the library looks at what differs from run to run: clock, locale, randomness and the like. Each such method has a
//! witness that notes it, so that nothing is proved that only holds here.

use machine::{Args, Caller, Latent, Machine, Ref, Supposition, Witness, World};

use crate::unknown::{input, order, properties, threads};
use crate::{settable, usual};

pub(crate) type Row = (&'static str, &'static [&'static str], Witness);

const ROWS: &[Row] = &[
    ("java/lang/System", &["currentTimeMillis", "nanoTime"], |m, _| m.depend_unless_open(World::Clock)),
    ("jdk/internal/misc/VM", &["getNanoTimeAdjustment"], |m, _| m.depend_unless_open(World::Clock)),
    ("java/util/TimeZone", &["getDefault", "getDefaultRef"], |m, _| m.depend(World::TimeZone)),
    ("java/util/Locale", &["getDefault"], default_locale),
    (
        "java/util/Formatter$FormatSpecifier",
        &[
            "localizedMagnitude",
            "localizedMagnitudeExp",
            "toUpperCaseWithLocale",
            "printFloat",
            "printDateTime",
        ],
        |m, _| m.depend_if_latent(Latent::Formatter, World::Locale),
    ),
    ("java/util/Formatter", &["locale"], |m, _| m.depend_if_latent(Latent::Formatter, World::Locale)),
    ("java/nio/charset/Charset", &["defaultCharset"], |m, _| m.depend(World::Charset)),
    ("java/lang/System", &["getProperties", "setProperties"], |m, _| m.depend_if_asked(World::Properties)),
    ("java/lang/System", &["getProperty"], |m, _| match properties::is_open(m) {
        true => {}
        false => m.depend_if_asked(World::Properties),
    }),
    ("java/lang/System", &["lineSeparator"], |m, _| {
        if is_separator_seen(m) {
            m.depend_unless_open(World::Properties);
        }
    }),
    ("java/lang/Integer", &["getInteger"], property),
    ("java/lang/Long", &["getLong"], property),
    ("java/lang/Boolean", &["getBoolean"], property),
    ("java/util/Random", &["seedUniquifier"], |m, _| m.depend_unless_open(World::Chance)),
    ("java/lang/Math", &["random"], |m, _| m.depend_unless_open(World::Chance)),
    ("java/lang/StrictMath", &["random"], |m, _| m.depend_unless_open(World::Chance)),
    ("java/util/concurrent/ThreadLocalRandom", &["current"], |m, _| {
        if !m.is_outside_open() {
            m.depend_if_asked(World::Chance);
        }
    }),
    ("jdk/internal/util/random/RandomSupport", &["initialSeed"], |m, _| m.depend(World::Chance)),
    ("java/util/SplittableRandom", &["nextSeed"], |m, _| m.depend_if_asked(World::Chance)),
    ("java/util/SplittableRandom", &["<init>"], seeded),
    ("java/security/SecureRandom", &["<init>"], |m, _| m.depend(World::Chance)),
    ("java/util/UUID", &["randomUUID"], |m, _| m.depend_unless_open(World::Chance)),
    ("java/lang/System", &["identityHashCode"], identity),
    ("java/lang/Object", &["hashCode"], identity),
    ("java/util/HashMap$HashIterator", &["<init>"], |m, a| iterated(m, known(m, a, 1))),
    ("java/util/HashMap$HashMapSpliterator", &["<init>"], |m, a| iterated(m, known(m, a, 1))),
    (
        "java/util/HashMap",
        &["forEach", "replaceAll", "keysToArray", "valuesToArray", "internalWriteEntries"],
        |m, a| iterated(m, known(m, a, 0)),
    ),
    ("java/util/HashMap$KeySet", &["forEach"], |m, _| iterated(m, None)),
    ("java/util/HashMap$Values", &["forEach"], |m, _| iterated(m, None)),
    ("java/util/HashMap$EntrySet", &["forEach"], |m, _| iterated(m, None)),
    ("java/util/Hashtable$Enumerator", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/Hashtable", &["forEach", "replaceAll", "writeHashtable", "toString"], |m, _| {
        iterated(m, None)
    }),
    ("java/util/concurrent/ConcurrentHashMap$Traverser", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap$IdentityHashMapIterator", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap$IdentityHashMapSpliterator", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap", &["forEach", "replaceAll", "writeObject"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap$KeySet", &["toArray"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap$EntrySet", &["toArray"], |m, _| iterated(m, None)),
    ("java/util/IdentityHashMap$Values", &["toArray"], |m, _| iterated(m, None)),
    ("java/util/WeakHashMap$HashIterator", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/WeakHashMap$WeakHashMapSpliterator", &["<init>"], |m, _| iterated(m, None)),
    ("java/util/WeakHashMap", &["forEach", "replaceAll"], |m, _| iterated(m, None)),
    ("java/util/ImmutableCollections$SetN", &["iterator", "toArray"], immutable),
    ("java/util/ImmutableCollections$Set12", &["iterator", "toArray", "forEach"], immutable),
    ("java/util/ImmutableCollections$MapN$MapNIterator", &["<init>"], immutable),
    ("java/lang/Runtime", &["availableProcessors", "freeMemory", "totalMemory", "maxMemory"], |m, _| {
        m.depend_unless_open(World::Size)
    }),
    (
        "java/lang/Thread",
        &[
            "getName",
            "getId",
            "threadId",
            "getPriority",
            "isDaemon",
            "isInterrupted",
            "interrupted",
            "sleep",
            "getDefaultUncaughtExceptionHandler",
            "holdsLock",
        ],
        |m, a| {
            if !threads::is_open(m) || !threads::is_about_current(m, a) {
                m.depend_if_asked(World::Threads);
            }
        },
    ),
    (
        "java/lang/Thread",
        &[
            "getThreadGroup",
            "join",
            "getUncaughtExceptionHandler",
            "activeCount",
            "enumerate",
            "getState",
            "isVirtual",
        ],
        |m, _| m.depend_if_asked(World::Threads),
    ),
    (
        "java/lang/ThreadGroup",
        &[
            "getParent",
            "getMaxPriority",
            "isDaemon",
            "activeCount",
            "activeGroupCount",
            "enumerate",
            "parentOf",
            "toString",
        ],
        |m, _| m.depend_if_asked(World::Threads),
    ),
    (
        "java/util/concurrent/ForkJoinTask",
        &["inForkJoinPool", "getPool", "getQueuedTaskCount", "getSurplusQueuedTaskCount", "helpQuiesce"],
        |m, _| m.depend_if_asked(World::Threads),
    ),
    // The name of a lambda has a number that counts those of the JVM.
    (
        "java/lang/Class",
        &["getName", "getSimpleName", "getTypeName", "descriptorString", "toString"],
        |m, a| {
            let class = present(m, a).map(|mirror| m.mirrored(mirror));
            let is_lambda =
                |class| m.program.class(class).hidden && m.program.class_name(class).contains("$$Lambda");
            if class.is_some_and(is_lambda) && m.callers().any(|caller| caller.is_program) {
                m.depend(World::Loading);
            }
        },
    ),
    ("java/lang/Thread", &["getContextClassLoader"], |m, _| m.depend_if_asked(World::Threads)),
    ("java/lang/Runtime", &["version"], |m, _| m.depend_if_asked(World::Version)),
    (
        "java/lang/Class",
        &[
            "getMethods",
            "getDeclaredMethods",
            "getFields",
            "getDeclaredFields",
            "getConstructors",
            "getDeclaredConstructors",
            "getClasses",
            "getDeclaredClasses",
        ],
        |m, _| m.depend_if_asked(World::Members),
    ),
    // An input may be a text or a box that is in it already.
    ("java/util/IdentityHashMap", &["hash"], |m, _| m.suppose(Supposition::New)),
    ("java/lang/Double", &["doubleToRawLongBits"], bits),
    ("java/lang/Float", &["floatToRawIntBits"], bits),
    // Whatever lies in memory is read as something else.
    (
        "sun/misc/Unsafe",
        &["putDouble", "putFloat", "getByte", "getShort", "getChar", "getInt", "getLong", "copyMemory"],
        |m, _| m.suppose_if_asked(Supposition::NotANumber),
    ),
    ("java/lang/Math", &["copySign"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/StrictMath", &["copySign"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/Thread", &["getStackTrace", "getAllStackTraces"], |m, _| m.depend(World::Callers)),
    ("java/lang/Throwable", &["getStackTrace", "printStackTrace"], |m, _| m.depend_if_asked(World::Callers)),
    ("java/lang/Throwable", &["getMessage", "getLocalizedMessage", "toString", "writeObject"], |m, a| {
        if let Some(exception) = present(m, a) {
            m.suppose_message(exception);
        }
    }),
    ("java/lang/Throwable", &["initCause", "fillInStackTrace"], |m, a| {
        if let Some(exception) = present(m, a) {
            m.suppose_raised(exception);
        }
    }),
    ("java/lang/Throwable", &["getSuppressed"], |m, a| {
        if let Some(exception) = present(m, a) {
            m.suppose_added(exception);
        }
    }),
    ("java/lang/StackWalker", &["walk", "forEach", "getCallerClass"], |m, _| m.depend(World::Callers)),
    ("java/lang/ref/Reference", &["get", "refersTo", "isEnqueued"], |m, _| {
        m.depend_if_asked(World::Collector)
    }),
    ("java/lang/ref/SoftReference", &["get"], |m, _| m.depend_if_asked(World::Collector)),
    ("java/lang/ref/ReferenceQueue", &["poll", "remove"], |m, _| m.depend_if_asked(World::Collector)),
    ("java/util/WeakHashMap", &["<init>"], |m, _| m.depend_if_asked(World::Collector)),
    ("java/io/FileInputStream", &["read0", "readBytes"], |m, a| {
        if !input::is_open(m, a) && input::is_standard(m, a) {
            m.depend(World::Input);
        }
    }),
    ("java/io/FileInputStream", &["available0"], |m, a| {
        if input::is_standard(m, a) {
            m.depend(World::Input);
        }
    }),
];

/// A generator is made. Without a seed it takes one that the library drew when it started.
fn seeded(m: &Machine, a: Args) {
    if m.program.method(a.method).signature.parameters.is_empty() {
        m.depend(World::Chance);
    }
}

/// A number becomes bits: the program asks, or they go where it reads them. What is not a number has many.
fn bits(m: &Machine, a: Args) {
    let is_seen = m.callers().next().is_some_and(|caller| {
        caller.is_program
            || ["java/nio/", "java/lang/invoke/"].iter().any(|begin| caller.owner.starts_with(begin))
    });
    if is_seen && may_be_no_number(m, a) {
        m.suppose(Supposition::NotANumber);
    }
}

/// Whether an argument may be something that is not a number.
fn may_be_no_number(m: &Machine, a: Args) -> bool {
    let is_unknown = |slot: usize| machine::value::is_unknown(a.word(m, slot));
    match m.program.text(m.program.method(a.method).name) == "floatToRawIntBits" {
        true => is_unknown(0) || a.float(m, 0).is_nan(),
        false => is_unknown(1) || a.double(m, 0).is_nan(),
    }
}

/// An immutable set or map is gone through.
fn immutable(m: &Machine, _: Args) {
    if !order::is_open(m) {
        m.depend(World::Order);
    }
}

/// A property that is read as a number, by one method through another. The library has some of its own, too.
fn property(m: &Machine, _: Args) {
    let is_itself = m
        .callers()
        .next()
        .is_some_and(|caller| matches!(caller.owner, "java/lang/Integer" | "java/lang/Long"));
    if !properties::is_open(m) && !is_itself {
        m.depend(World::Properties);
    }
}

/// Whether the program sees what ends a line: it asks, or has it formatted.
pub(crate) fn is_separator_seen(m: &Machine) -> bool {
    let caller = m.callers().next();
    caller.is_some_and(|caller| caller.is_program || caller.owner.starts_with("java/util/Formatter"))
}

/// A formatter asks for the locale when it is made, and seldom has a use for it.
fn default_locale(m: &Machine, _: Args) {
    match m.callers().next() {
        Some(Caller { owner: "java/util/Formatter", .. }) => m.keep_in_mind(Latent::Formatter),
        _ => m.depend(World::Locale),
    }
}

/// Tables that find objects by their hash codes: what they find does not depend on them, only in which order.
const TABLES: &[&str] = &[
    "java/util/HashMap",
    "java/util/Hashtable",
    "java/util/WeakHashMap",
    "java/util/IdentityHashMap",
    "java/util/concurrent/ConcurrentHashMap",
    "java/io/ObjectOutputStream$HandleTable",
    "java/io/ObjectOutputStream$ReplaceTable",
    "java/lang/invoke/MethodType$ConcurrentWeakInternSet",
    "java/lang/invoke/MethodType$ConcurrentWeakInternSet$WeakEntry",
    "jdk/internal/util/ReferencedKeyMap",
    "jdk/internal/util/ReferenceKey",
    "jdk/internal/util/WeakReferenceKey",
    "jdk/internal/util/SoftReferenceKey",
    "jdk/internal/util/StrongReferenceKey",
    "java/util/ImmutableCollections$SetN",
    "java/util/ImmutableCollections$MapN",
];

/// An identity hash code is asked for: by a table of the library, possibly through hash codes of its own classes, or by
/// somebody who does with it what he likes.
fn identity(m: &Machine, a: Args) {
    if let Some(object) = present(m, a) {
        m.suppose_raised(object);
    }
    match is_table_asking(m) {
        true => m.keep_in_mind(Latent::IdentityHash),
        false => m.depend_unless_open(World::Identity),
    }
}

/// Whether a table of the library asks for a hash code, directly or through those of other classes of the library.
pub(crate) fn is_table_asking(m: &Machine) -> bool {
    let is_on_the_way = |caller: &Caller| {
        let is_hash = matches!(caller.name, "hashCode" | "hash" | "spread" | "probe");
        is_hash && !caller.is_program && !TABLES.contains(&caller.owner)
    };
    let asker = m.callers().find(|caller| !is_on_the_way(caller));
    asker.is_some_and(|caller| TABLES.contains(&caller.owner) && caller.name != "hashCode")
}

/// An object that is given, as far as it is known which one.
pub(crate) fn known(m: &Machine, a: Args, slot: usize) -> Option<Ref> {
    let word = a.word(m, slot);
    (!machine::value::is_unknown(word)).then(|| Ref::from_word(word))
}

/// The receiver, as far as it is known which one.
pub(crate) fn present(m: &Machine, a: Args) -> Option<Ref> {
    known(m, a, 0).filter(|object| !object.is_null())
}

/// A hash table is gone through. With fewer than two entries there is no order.
fn iterated(m: &Machine, map: Option<Ref>) {
    let is_map = |map: &Ref| !map.is_null() && m.class_name_of(*map).ends_with("HashMap");
    let size = map.filter(is_map).map(|map| m.field(map, "size"));
    if size.is_some_and(|size| size < 2) {
        return;
    }
    m.depend_if_latent(Latent::IdentityHash, World::Identity);
    let is_on_the_way = |caller: &Caller| {
        caller.owner.starts_with("java/util/") || caller.owner.starts_with("java/lang/String")
    };
    if m.callers().find(|caller| !is_on_the_way(caller)).is_some_and(|asker| asker.is_program) {
        m.suppose(Supposition::HashOrder);
    }
}

/// Who is to see the calls of a method.
pub(crate) fn witness(owner: &str, name: &str) -> Option<Witness> {
    let is_generator = owner.starts_with("jdk/random/") || owner.starts_with("jdk/internal/random/");
    if is_generator && name == "<init>" {
        return Some(seeded);
    }
    let rows = ROWS.iter().chain(settable::ROWS).chain(usual::ROWS);
    rows.into_iter().find(|(class, methods, _)| *class == owner && methods.contains(&name)).map(|row| row.2)
}
