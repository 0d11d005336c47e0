//! Where the library reaches for the world outside: files, processes, the network and the like. Each such method has a
//! witness that notes it, so that a call which would touch something of the user's is never made on a JVM.
//!
//! Files that are only looked at are judged by their paths, in [`crate::files`]; here are methods that change files, and
//! everything else. Every native method of the classes that deal with the outside is in one list or the other of the test
//! below.

use machine::value::is_unknown;
use machine::{Args, Machine, Outside, Ref, Witness, Word};
use program::Kind;

use crate::files;

/// Who is to see the calls of a method.
pub(crate) fn witness(owner: &str, name: &str) -> Option<Witness> {
    let package = owner.rsplit_once('/').map_or("", |(package, _)| package);
    let candidates: &[Row] = match package {
        "java/lang" => LANG,
        "java/io" => IO,
        "java/lang/ref" => REF,
        "java/net" => NET,
        "java/util" | "java/security" => SETTINGS,
        "sun/nio/fs" | "sun/nio/ch" => NIO,
        "jdk/internal/misc" | "jdk/internal/loader" => INTERNAL,
        _ => return whole(owner),
    };
    candidates.iter().find(|(class, method, _)| *class == owner && *method == name).map(|row| row.2)
}

/// Parts of the JDK that are there to reach outside, by what the names of their classes begin with. To use them at all
/// counts: they find their implementations as services, and where the machine has none they fail before they come to a
/// native method, while on a JVM they would go on.
const WHOLE: &[(&str, Witness)] = &[
    ("com/sun/jdi/", PROCESSES),
    ("com/sun/net/httpserver/", NETWORK),
    ("com/sun/tools/attach/", PROCESSES),
    ("com/sun/tools/", FILES),
    ("java/awt/Desktop", PROCESSES),
    ("java/awt/Robot", PROCESSES),
    ("java/net/http/", NETWORK),
    ("java/rmi/", NETWORK),
    ("java/util/logging/FileHandler", FILES),
    ("java/util/logging/SocketHandler", NETWORK),
    ("java/util/prefs/", FILES),
    ("java/util/spi/ToolProvider", FILES),
    ("javax/management/remote/", NETWORK),
    ("javax/naming/", NETWORK),
    ("javax/print/", PROCESSES),
    ("javax/smartcardio/", NETWORK),
    ("javax/sound/", PROCESSES),
    ("javax/sql/", NETWORK),
    ("java/sql/DriverManager", NETWORK),
    ("javax/tools/ToolProvider", FILES),
    ("jdk/internal/net/http/", NETWORK),
    ("jdk/jfr/", FILES),
    ("jdk/jshell/", PROCESSES),
    ("jdk/tools/", FILES),
    ("sun/net/httpserver/", NETWORK),
    ("sun/rmi/", NETWORK),
    ("sun/tools/", FILES),
];

fn whole(owner: &str) -> Option<Witness> {
    // To throw or catch what they throw is not to use them.
    if owner.ends_with("Exception") || owner.ends_with("Error") {
        return None;
    }
    WHOLE.iter().find(|(begin, _)| owner.starts_with(begin)).map(|row| row.1)
}

type Row = (&'static str, &'static str, Witness);

const FILES: Witness = |m, _| m.touch(Outside::Files);
const PROCESSES: Witness = |m, _| m.touch(Outside::Processes);
const NETWORK: Witness = |m, _| m.touch(Outside::Network);
const ENVIRONMENT: Witness = |m, _| m.touch(Outside::Environment);
const EXIT: Witness = |m, _| m.touch(Outside::Exit);
const LIBRARIES: Witness = |m, _| m.touch(Outside::NativeLibraries);
const SIGNALS: Witness = |m, _| m.touch(Outside::Signals);

const LANG: &[Row] = &[
    ("java/lang/ProcessBuilder", "start", PROCESSES),
    ("java/lang/ProcessImpl", "forkAndExec", PROCESSES),
    ("java/lang/ProcessHandleImpl", "getCurrentPid0", PROCESSES),
    ("java/lang/ProcessHandleImpl", "isAlive0", PROCESSES),
    ("java/lang/ProcessHandleImpl", "parent0", PROCESSES),
    ("java/lang/ProcessHandleImpl", "getProcessPids0", PROCESSES),
    ("java/lang/ProcessHandleImpl", "destroy0", PROCESSES),
    ("java/lang/ProcessHandleImpl$Info", "info0", PROCESSES),
    ("java/lang/ProcessEnvironment", "environ", ENVIRONMENT),
    ("java/lang/ProcessEnvironment", "getenv", ENVIRONMENT),
    ("java/lang/ProcessEnvironment", "environment", ENVIRONMENT),
    ("java/lang/Shutdown", "halt0", EXIT),
    ("java/lang/Shutdown", "exit", EXIT),
    ("java/lang/ApplicationShutdownHooks", "add", hook),
    ("java/lang/ApplicationShutdownHooks", "remove", hook),
    ("java/lang/Runtime", "load", LIBRARIES),
    ("java/lang/Runtime", "load0", LIBRARIES),
    ("java/lang/Runtime", "loadLibrary", library),
    ("java/lang/Runtime", "loadLibrary0", library),
    ("java/lang/Class", "getProtectionDomain", place_of_class),
    ("java/lang/System", "load", LIBRARIES),
    ("java/lang/System", "loadLibrary", library),
    ("java/lang/System", "setProperty", set),
    ("java/lang/System", "clearProperty", set),
    ("java/lang/System", "setProperties", set),
    ("java/lang/System", "setOut", set),
    ("java/lang/System", "setErr", set),
    ("java/lang/System", "setIn", set),
    ("java/lang/System", "setSecurityManager", set),
    ("java/lang/Thread", "setDefaultUncaughtExceptionHandler", set),
    ("java/lang/Thread", "setContextClassLoader", set_of_thread),
    ("java/lang/Thread", "setName", set_of_thread),
    ("java/lang/Thread", "setPriority", set_of_thread),
    ("java/lang/Thread", "interrupt", set_of_thread),
    ("java/lang/Thread", "sleep", |m, a| {
        // Of an amount of time nobody knows how long it is.
        let is_number = m.program.method(a.method).argument_kinds().first() == Some(&Kind::Long);
        if is_number && !is_unknown(a.word(m, 0)) && a.word(m, 0) as i64 >= LONG {
            m.touch(Outside::Waiting);
        }
    }),
];

/// Milliseconds that are more than a moment.
const LONG: i64 = 1_000;

/// What a program sets for the whole JVM.
const SETTINGS: &[Row] = &[
    ("java/util/Locale", "setDefault", set),
    ("java/util/TimeZone", "setDefault", set),
    ("java/util/Properties", "setProperty", set_of_system),
    ("java/util/Properties", "put", set_of_system),
    ("java/util/Properties", "putAll", set_of_system),
    ("java/util/Properties", "remove", set_of_system),
    ("java/util/Properties", "clear", set_of_system),
    ("java/util/Properties", "load", set_of_system),
    ("java/security/Policy", "setPolicy", set),
    ("java/security/Security", "setProperty", set),
    ("java/security/Security", "addProvider", set),
    ("java/security/Security", "insertProviderAt", set),
    ("java/security/Security", "removeProvider", set),
];

/// The library sets such things for itself, where it may.
fn set(m: &Machine, _: Args) {
    if m.is_program_asking() {
        m.touch(Outside::Settings);
    }
}

/// The same for the properties of the system.
fn set_of_system(m: &Machine, a: Args) {
    let system = m.program.find_loaded("java/lang/System");
    let own = system.and_then(|class| m.static_field(class, "props"));
    if own.is_some_and(|at| m.heap.word(at) == a.word(m, 0)) {
        set(m, a);
    }
}

/// A standard stream that is closed is so for whoever runs the tests as well.
fn close(m: &Machine, a: Args) {
    if known(m, a.word(m, 0)).is_none_or(|descriptor| m.field(descriptor, "fd") <= STANDARD) {
        m.touch(Outside::Settings);
    }
}

/// The highest number of a standard stream.
const STANDARD: Word = 2;

/// The same for the thread that runs the tests. What a thread is like that the program has made is nobody's concern.
fn set_of_thread(m: &Machine, a: Args) {
    if known(m, a.word(m, 0)).is_some_and(|thread| m.field(thread, "tid") == MAIN) {
        set(m, a);
    }
}

/// The number of the first thread of a JVM.
const MAIN: Word = 1;

/// A machine without the providers of a service has no other JVM to attach to; a JVM has.
const IO: &[Row] = &[
    ("java/io/FileDescriptor", "close0", close),
    ("java/io/FileOutputStream", "open0", FILES),
    ("java/io/RandomAccessFile", "open0", |m, a| {
        // O_RDONLY is 1 in `RandomAccessFile`; a file that is only read is judged by its path.
        if is_unknown(a.word(m, 2)) || a.int(m, 2) & 1 == 0 {
            m.touch(Outside::Files);
        }
    }),
    ("java/io/DeleteOnExitHook", "add", FILES),
    ("java/io/UnixFileSystem", "createFileExclusively", FILES),
    ("java/io/UnixFileSystem", "createFileExclusively0", FILES),
    ("java/io/UnixFileSystem", "createDirectory", FILES),
    ("java/io/UnixFileSystem", "createDirectory0", FILES),
    ("java/io/UnixFileSystem", "delete0", FILES),
    ("java/io/UnixFileSystem", "rename0", FILES),
    ("java/io/UnixFileSystem", "setPermission", FILES),
    ("java/io/UnixFileSystem", "setPermission0", FILES),
    ("java/io/UnixFileSystem", "setLastModifiedTime", FILES),
    ("java/io/UnixFileSystem", "setLastModifiedTime0", FILES),
    ("java/io/UnixFileSystem", "setReadOnly", FILES),
    ("java/io/UnixFileSystem", "setReadOnly0", FILES),
    ("java/io/UnixFileSystem", "getSpace", FILES),
    ("java/io/UnixFileSystem", "getSpace0", FILES),
    ("java/io/UnixFileSystem", "getLastModifiedTime", of_file),
    ("java/io/UnixFileSystem", "getLastModifiedTime0", of_file),
    ("java/io/UnixFileSystem", "canonicalize0", |m, a| of_path(m, a.word(m, 1))),
];

const NIO: &[Row] = &[
    ("sun/nio/fs/UnixNativeDispatcher", "open0", |m, a| {
        // O_ACCMODE of Linux
        if is_unknown(a.word(m, 2)) || a.int(m, 2) & 3 != 0 {
            m.touch(Outside::Files);
        }
    }),
    ("sun/nio/fs/UnixNativeDispatcher", "mkdir0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "unlink0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "rmdir0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "rename0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "chmod0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "chown0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "lchown0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "utimes0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "lutimes0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "link0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "symlink0", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "getpwuid", FILES),
    ("sun/nio/fs/UnixNativeDispatcher", "getgrgid", FILES),
    ("sun/nio/ch/Net", "socket0", NETWORK),
    ("sun/nio/ch/Net", "connect0", NETWORK),
    ("sun/nio/ch/Net", "bind0", NETWORK),
    // Not there in the machine, which is what programs ask before they make one.
    ("sun/nio/ch/UnixDomainSockets", "isSupported", NETWORK),
    ("sun/nio/ch/UnixDomainSockets", "checkSupported", NETWORK),
];

const NET: &[Row] = &[
    ("java/net/Inet4AddressImpl", "getLocalHostName", NETWORK),
    ("java/net/Inet4AddressImpl", "lookupAllHostAddr", NETWORK),
    ("java/net/Inet4AddressImpl", "getHostByAddr", NETWORK),
    ("java/net/Inet4AddressImpl", "isReachable0", NETWORK),
    ("java/net/Authenticator", "setDefault", set),
    ("java/net/CookieHandler", "setDefault", set),
    ("java/net/ProxySelector", "setDefault", set),
    ("java/net/URL", "setURLStreamHandlerFactory", set),
    ("java/net/NetworkInterface", "getAll", NETWORK),
    ("java/net/NetworkInterface", "getByName0", NETWORK),
    ("java/net/NetworkInterface", "getByIndex0", NETWORK),
];

const INTERNAL: &[Row] = &[
    ("jdk/internal/misc/Signal", "findSignal0", SIGNALS),
    ("jdk/internal/misc/Signal", "handle0", SIGNALS),
    ("jdk/internal/loader/NativeLibraries", "findBuiltinLib", |m, a| library_named(m, a.word(m, 0))),
];

const REF: &[Row] = &[("java/lang/ref/Cleaner", "register", |m, a| {
    // Most of what the library opens has a cleaner of its own.
    let own = known(m, a.word(m, 2)).is_some_and(|action| m.program.class(m.class_of(action)).is_library());
    if !own {
        m.touch(Outside::Collection);
    }
})];

/// A hook that a class of the library has made for itself is no doing of the program.
fn hook(m: &Machine, a: Args) {
    let own = known(m, a.word(m, 0)).is_some_and(|thread| {
        m.class_name_of(thread) != "java/lang/Thread" && m.program.class(m.class_of(thread)).is_library()
    });
    if !own {
        m.touch(Outside::Exit);
    }
}

/// Where a class of the program lies: a file that the machine does not have.
fn place_of_class(m: &Machine, a: Args) {
    let own = known(m, a.word(m, 0)).is_some_and(|mirror| m.program.class(m.mirrored(mirror)).is_library());
    if !own {
        m.touch(Outside::Files);
    }
}

/// Libraries of the JDK itself, which its classes load when they are first used.
pub(crate) const OWN_LIBRARIES: [&str; 15] = [
    "awt",
    "extnet",
    "fontmanager",
    "instrument",
    "j2pkcs11",
    "java",
    "jimage",
    "management",
    "management_ext",
    "net",
    "nio",
    "prefs",
    "sctp",
    "verify",
    "zip",
];

fn library(m: &Machine, a: Args) {
    // The name comes last: `loadLibrary0` is told who asks, and some of these are called on a `Runtime`.
    let last = m.program.method(a.method).argument_kinds().len() - 1;
    library_named(m, a.word(m, last));
}

fn library_named(m: &Machine, name: Word) {
    let own = known(m, name).is_some_and(|name| {
        let name = m.string(name);
        let short = name.strip_prefix("lib").and_then(|name| name.strip_suffix(".so")).unwrap_or(&name);
        OWN_LIBRARIES.contains(&short)
    });
    if !own {
        m.touch(Outside::NativeLibraries);
    }
}

/// A `File` as the first argument of a method of `UnixFileSystem`.
fn of_file(m: &Machine, a: Args) {
    match known(m, a.word(m, 1)) {
        Some(file) => of_path(m, m.field(file, "path")),
        None => m.touch(Outside::Files),
    }
}

fn of_path(m: &Machine, path: Word) {
    match known(m, path) {
        Some(path) => files::note(m, &m.string(path)),
        None => m.touch(Outside::Files),
    }
}

/// The object that a word refers to, if it and what it holds is known.
fn known(m: &Machine, word: Word) -> Option<Ref> {
    let object = Ref::from_word(word);
    (word != 0 && !is_unknown(word) && !m.holds_unknown(object)).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Natives of classes that deal with the outside, and that touch nothing: they compute, or work on what was opened
    /// before, or are judged by a path.
    const HARMLESS: &[(&str, &[&str])] = &[
        ("java/io/FileDescriptor", &["getHandle", "getAppend", "sync", "sync0"]),
        ("java/io/FileCleanable", &["cleanupClose0"]),
        ("java/io/FileOutputStream", &["writeBytes", "write"]),
        (
            "java/io/FileInputStream",
            &["open0", "readBytes", "read0", "available0", "skip0", "isRegularFile0", "length0", "position0"],
        ),
        (
            "java/io/RandomAccessFile",
            &["read0", "readBytes", "readBytes0", "getFilePointer", "seek0", "length", "length0"],
        ),
        ("java/io/Console", &["istty", "ttyStatus", "instantiateConsole", "encoding"]),
        (
            "java/io/UnixFileSystem",
            &[
                "getBooleanAttributes0",
                "checkAccess",
                "checkAccess0",
                "getLength",
                "getLength0",
                "getNameMax0",
                "list",
                "list0",
            ],
        ),
        ("java/net/InetAddress", &["init", "isIPv4Available", "isIPv6Supported"]),
        ("java/net/Inet4Address", &["init"]),
        ("java/net/Inet6Address", &["init"]),
        ("java/net/InetAddressImplFactory", &["isIPv6Supported"]),
        ("java/net/NetworkInterface", &["init"]),
        (
            "sun/nio/fs/UnixNativeDispatcher",
            &[
                "init",
                "getcwd",
                "strerror",
                "close0",
                "dup",
                "stat0",
                "lstat0",
                "stat1",
                "fstat",
                "fstat0",
                "access0",
                "exists0",
                "realpath0",
                "readlink0",
                "opendir0",
                "closedir",
                "readdir",
                "readdir0",
                "fchmodatNoFollowSupported0",
            ],
        ),
        ("sun/nio/fs/LinuxNativeDispatcher", &["init", "posix_fadvise"]),
        ("java/lang/ProcessHandleImpl$Info", &["initIDs"]),
        ("java/lang/ProcessImpl", &["init"]),
        ("java/lang/Shutdown", &["beforeHalt"]),
    ];
    /// Sockets are noted when they are made, and files when they are opened.
    const AFTER_OPENING: &str = "sun/nio/ch/";

    #[test]
    fn every_native_that_deals_with_the_outside_is_judged() {
        let outside = |owner: &str| {
            ["java/io/File", "java/io/Random", "java/io/Unix", "java/io/Console", "java/net/", "sun/nio/fs/"]
                .iter()
                .chain(&["java/lang/Process", "java/lang/Shutdown", "jdk/internal/misc/Signal"])
                .any(|prefix| owner.starts_with(prefix))
        };
        let mut judged = 0;
        for (owner, name, _) in crate::natives::modelled() {
            if !outside(owner) || owner.starts_with(AFTER_OPENING) {
                continue;
            }
            let harmless = HARMLESS.iter().any(|(o, names)| *o == owner && names.contains(&name));
            assert!(
                witness(owner, name).is_some() != harmless,
                "{owner}.{name} is in none or both of the lists"
            );
            judged += 1;
        }
        assert!(judged > 80, "{judged}");
    }
}
