//! Where the library looks at what differs from run to run: clock, locale, randomness and the like. Each such method has a
//! witness that notes it, so that nothing is proved that only holds here.

use machine::{Supposition, Witness, World};

type Row = (&'static str, &'static [&'static str], Witness);

const ROWS: &[Row] = &[
    ("java/lang/System", &["currentTimeMillis", "nanoTime"], |m, _| m.depend(World::Clock)),
    ("jdk/internal/misc/VM", &["getNanoTimeAdjustment"], |m, _| m.depend(World::Clock)),
    ("java/util/TimeZone", &["getDefault", "getDefaultRef"], |m, _| m.depend(World::TimeZone)),
    ("java/util/Locale", &["getDefault"], |m, _| m.depend(World::Locale)),
    ("java/nio/charset/Charset", &["defaultCharset"], |m, _| m.depend(World::Charset)),
    ("java/lang/System", &["getProperty", "getProperties", "lineSeparator"], |m, _| {
        m.depend_if_asked(World::Properties)
    }),
    ("java/lang/Integer", &["getInteger"], |m, _| m.depend(World::Properties)),
    ("java/lang/Long", &["getLong"], |m, _| m.depend(World::Properties)),
    ("java/lang/Boolean", &["getBoolean"], |m, _| m.depend(World::Properties)),
    ("java/util/Random", &["seedUniquifier"], |m, _| m.depend(World::Chance)),
    ("java/lang/Math", &["random"], |m, _| m.depend(World::Chance)),
    ("java/lang/StrictMath", &["random"], |m, _| m.depend(World::Chance)),
    ("java/util/concurrent/ThreadLocalRandom", &["current"], |m, _| m.depend_if_asked(World::Chance)),
    ("jdk/internal/util/random/RandomSupport", &["initialSeed"], |m, _| m.depend(World::Chance)),
    ("java/util/SplittableRandom", &["nextSeed"], |m, _| m.depend_if_asked(World::Chance)),
    ("java/security/SecureRandom", &["<init>"], |m, _| m.depend(World::Chance)),
    ("java/util/UUID", &["randomUUID"], |m, _| m.depend(World::Chance)),
    ("java/util/Collections", &["shuffle"], |m, _| m.depend_if_asked(World::Chance)),
    ("java/lang/System", &["identityHashCode"], |m, _| m.depend(World::Identity)),
    ("java/lang/Object", &["hashCode"], |m, _| m.depend(World::Identity)),
    ("java/util/ImmutableCollections$SetN", &["iterator", "toArray"], |m, _| m.depend(World::Order)),
    ("java/util/ImmutableCollections$Set12", &["iterator", "toArray"], |m, _| m.depend(World::Order)),
    ("java/util/ImmutableCollections$MapN$MapNIterator", &["<init>"], |m, _| m.depend(World::Order)),
    ("java/lang/Runtime", &["availableProcessors", "freeMemory", "totalMemory", "maxMemory"], |m, _| {
        m.depend(World::Size)
    }),
    (
        "java/lang/Thread",
        &[
            "getName",
            "getId",
            "threadId",
            "getPriority",
            "isDaemon",
            "getThreadGroup",
            "isInterrupted",
            "interrupted",
            "sleep",
            "join",
            "getUncaughtExceptionHandler",
            "getDefaultUncaughtExceptionHandler",
            "activeCount",
            "holdsLock",
            "getState",
            "isVirtual",
        ],
        |m, _| m.depend_if_asked(World::Threads),
    ),
    ("java/lang/Thread", &["getContextClassLoader"], |m, _| m.depend_if_asked(World::Threads)),
    ("java/lang/Runtime", &["version"], |m, _| m.depend_if_asked(World::Properties)),
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
    ("java/lang/Double", &["doubleToRawLongBits"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/Float", &["floatToRawIntBits"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/Math", &["copySign"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/StrictMath", &["copySign"], |m, _| m.suppose_if_asked(Supposition::NotANumber)),
    ("java/lang/Thread", &["getStackTrace", "getAllStackTraces"], |m, _| m.depend(World::Callers)),
    ("java/lang/Throwable", &["getStackTrace", "printStackTrace"], |m, _| m.depend_if_asked(World::Callers)),
    ("java/lang/StackWalker", &["walk", "forEach", "getCallerClass"], |m, _| m.depend(World::Callers)),
    ("java/lang/ref/Reference", &["get", "refersTo"], |m, _| m.depend_if_asked(World::Collector)),
    ("java/util/WeakHashMap", &["<init>"], |m, _| m.depend_if_asked(World::Collector)),
    ("java/io/FileInputStream", &["read0", "readBytes", "available0"], |m, _| m.depend(World::Input)),
];

/// Who is to see the calls of a method.
pub(crate) fn witness(owner: &str, name: &str) -> Option<Witness> {
    ROWS.iter().find(|(class, methods, _)| *class == owner && methods.contains(&name)).map(|row| row.2)
}
