//! Where the program looks at what somebody set in the library, at the class path, and at how its classes were loaded.
//! Static fields of the library with setters need no rows here: whoever reads one is seen by the machine.

use machine::{Args, Machine, Ref, World};

use crate::world::{Row, known};

pub(crate) const ROWS: &[Row] = &[
    ("java/lang/System", &["console"], |m, _| m.depend_if_asked(World::Console)),
    (
        "java/io/File",
        &["getAbsolutePath", "getAbsoluteFile", "getCanonicalPath", "getCanonicalFile", "toURI", "toURL"],
        |m, a| {
            let path = known(m, a, 0).filter(|file| !file.is_null()).map(|file| m.field(file, "path"));
            if !path.is_some_and(|path| is_absolute(m, path)) {
                m.depend_if_asked(World::Directory);
            }
        },
    ),
    ("sun/nio/fs/UnixPath", &["toAbsolutePath", "toRealPath"], |m, _| m.depend(World::Directory)),
    ("java/util/concurrent/ForkJoinPool", &["commonPool", "getCommonPoolParallelism"], |m, _| {
        m.depend_if_asked(World::Size)
    }),
    ("java/lang/Class", &["getClassLoader", "getModule"], |m, a| {
        let class = known(m, a, 0).filter(|mirror| !mirror.is_null()).map(|mirror| m.mirrored(mirror));
        if class.is_none_or(|class| !m.program.class(class).is_library()) {
            m.depend_if_asked(World::Loading);
        }
    }),
    (
        "java/lang/Package",
        &[
            "getImplementationTitle",
            "getImplementationVendor",
            "getImplementationVersion",
            "getSpecificationTitle",
            "getSpecificationVendor",
            "getSpecificationVersion",
            "isCompatibleWith",
            "isSealed",
            "getPackages",
        ],
        |m, _| m.depend_if_asked(World::Loading),
    ),
    ("java/lang/Package", &["getPackage"], |m, _| m.depend_if_asked(World::Loading)),
    ("java/lang/ClassLoader", &["getSystemClassLoader"], |m, _| m.depend_if_asked(World::Loading)),
    ("java/lang/Class", &["getResource", "getResourceAsStream"], class_path),
    ("java/lang/Module", &["getResourceAsStream"], class_path),
    (
        "java/lang/ClassLoader",
        &[
            "getResource",
            "getResourceAsStream",
            "getResources",
            "resources",
            "getSystemResource",
            "getSystemResourceAsStream",
            "getSystemResources",
        ],
        class_path,
    ),
    ("java/net/URLClassLoader", &["getResourceAsStream", "findResource", "findResources"], class_path),
    ("java/util/ServiceLoader", &["load", "loadInstalled"], class_path),
    ("java/util/ResourceBundle", &["getBundle"], class_path),
    // A charset that the library itself has not.
    ("java/nio/charset/Charset", &["lookupViaProviders"], |m, _| m.depend(World::ClassPath)),
    ("java/nio/charset/Charset", &["availableCharsets"], class_path),
    ("java/security/NoSuchAlgorithmException", &["<init>"], |m, _| {
        if !m.is_program_asking() {
            m.depend(World::Library);
        }
    }),
    (
        "java/security/Security",
        &["getProviders", "getProvider", "getProperty", "getAlgorithms", "addProvider", "insertProviderAt"],
        library,
    ),
    ("java/security/KeyStore", &["getDefaultType"], library),
    ("javax/net/ssl/KeyManagerFactory", &["getDefaultAlgorithm"], library),
    ("javax/net/ssl/TrustManagerFactory", &["getDefaultAlgorithm"], library),
    ("java/beans/Beans", &["isDesignTime", "isGuiAvailable"], library),
    ("java/beans/Introspector", &["getBeanInfo", "getBeanInfoSearchPath"], library),
    ("java/beans/PropertyEditorManager", &["findEditor", "getEditorSearchPath"], library),
    ("javax/management/MBeanServerFactory", &["findMBeanServer"], library),
    ("java/io/FileDescriptor", &["valid"], library),
    ("java/util/logging/LogManager", &["getLogManager"], library),
    (
        "java/util/logging/Logger",
        &[
            "getLevel",
            "getHandlers",
            "getParent",
            "getFilter",
            "getUseParentHandlers",
            "getResourceBundle",
            "getResourceBundleName",
            "isLoggable",
        ],
        library,
    ),
    (
        "java/util/logging/Logger",
        &[
            "log", "logp", "logrb", "severe", "warning", "info", "config", "fine", "finer", "finest",
            "entering",
        ],
        logged,
    ),
    ("java/io/PrintStream", &["checkError"], checked),
];

fn class_path(m: &Machine, _: Args) {
    m.depend_if_asked(World::ClassPath);
}

fn library(m: &Machine, _: Args) {
    m.depend_if_asked(World::Library);
}

/// Something is logged: that calls methods of the program only if its level is.
fn logged(m: &Machine, a: Args) {
    let count = m.program.method(a.method).signature.parameters.len();
    let is_ours = |slot: usize| match known(m, a, slot) {
        Some(object) => !object.is_null() && !m.program.class(m.class_of(object)).is_library(),
        None => true,
    };
    if m.is_program_asking() && (1..=count).any(is_ours) {
        m.depend(World::Library);
    }
}

/// Whether writing failed is asked: of a stream to the outside, that is not for the program to say.
fn checked(m: &Machine, a: Args) {
    let mut stream = known(m, a, 0);
    while let Some(current) = stream.filter(|stream| !stream.is_null()) {
        if m.class_name_of(current) == "java/io/FileOutputStream" {
            return m.depend(World::Output);
        }
        let is_wrapper = m.program.field_named(m.class_of(current), "out").is_some();
        stream = is_wrapper.then(|| Ref::from_word(m.field(current, "out")));
    }
}

fn is_absolute(m: &Machine, path: u64) -> bool {
    !machine::value::is_unknown(path)
        && !m.is_unknown_string(path)
        && m.string(Ref::from_word(path)).starts_with('/')
}
