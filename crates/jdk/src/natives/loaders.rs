//! Class loaders: the loader of each class, and classes the program defines from bytes.
//!
//! There is one name space. The built-in loaders are the library's own objects, made when somebody first asks for
//! one; a class knows its loader by its origin unless it was defined by another loader.

use machine::{Args, InitState, Machine, Raise, Ref, Return, Value, Word};
use program::{ClassId, Code, Insn, LinkError, Malformed, MethodId, Op, Origin, Shape};

use super::class::{external_name, load_dotted};
use super::{Entry, not_modelled, null};

const LOADER: &str = "java/lang/ClassLoader";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Class", "getClassLoader0", "()Ljava/lang/ClassLoader;", class_loader),
    // JDK 25 reads the field in both; loaders are attached on demand.
    ("java/lang/Class", "getClassLoader", "()Ljava/lang/ClassLoader;", class_loader),
    ("jdk/internal/misc/VM", "isJavaLangInvokeInited", "()Z", |m, _| Ok(Value::bool(booted(m)?))),
    (
        "java/lang/Class",
        "forName0",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        for_name,
    ),
    (LOADER, "getSystemClassLoader", "()Ljava/lang/ClassLoader;", |m, _| {
        Ok(Value::reference(app_loader(m)?))
    }),
    (LOADER, "initSystemClassLoader", "()Ljava/lang/ClassLoader;", |m, _| {
        Ok(Value::reference(app_loader(m)?))
    }),
    ("java/lang/Thread", "getContextClassLoader", "()Ljava/lang/ClassLoader;", |m, a| {
        let thread = a.non_null(m, 0)?;
        let own = Ref::from_word(m.field(thread, "contextClassLoader"));
        Ok(Value::reference(if own.is_null() && booted(m)? { app_loader(m)? } else { own }))
    }),
    (LOADER, "findLoadedClass0", "(Ljava/lang/String;)Ljava/lang/Class;", find_loaded),
    (LOADER, "retrieveDirectives", "()Ljava/lang/AssertionStatusDirectives;", null),
    (LOADER, "defineClass1", "", define_class),
    (LOADER, "defineClass2", "", |_, _| Err(not_modelled("ClassLoader.defineClass from a buffer"))),
    (LOADER, "defineClass0", "", define_lookup_class),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        "loadClassOrNull",
        "(Ljava/lang/String;Z)Ljava/lang/Class;",
        load_builtin,
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        "findClass",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;",
        |m, a| {
            let (loader, name) = (a.reference(m, 0), a.non_null(m, 2)?);
            builtin_class(m, loader, name)
        },
    ),
    ("jdk/internal/misc/VM", "latestUserDefinedLoader0", "()Ljava/lang/ClassLoader;", latest_loader),
];

/// Modules the boot loader defines, then those of the platform loader; the application loader has the rest.
pub(super) const BOOT: &[&str] = &[
    "java.base",
    "java.datatransfer",
    "java.desktop",
    "java.instrument",
    "java.logging",
    "java.management",
    "java.management.rmi",
    "java.naming",
    "java.prefs",
    "java.rmi",
    "java.security.sasl",
    "java.xml",
    "jdk.incubator.foreign",
    "jdk.incubator.vector",
    "jdk.internal.vm.ci",
    "jdk.jfr",
    "jdk.management",
    "jdk.management.agent",
    "jdk.management.jfr",
    "jdk.naming.rmi",
    "jdk.net",
    "jdk.nio.mapmode",
    "jdk.sctp",
    "jdk.unsupported",
];
pub(super) const PLATFORM: &[&str] = &[
    "java.compiler",
    "java.net.http",
    "java.scripting",
    "java.se",
    "java.security.jgss",
    "java.smartcardio",
    "java.sql",
    "java.sql.rowset",
    "java.transaction.xa",
    "java.xml.crypto",
    "jdk.accessibility",
    "jdk.charsets",
    "jdk.crypto.cryptoki",
    "jdk.crypto.ec",
    "jdk.dynalink",
    "jdk.graal.compiler",
    "jdk.graal.compiler.management",
    "jdk.httpserver",
    "jdk.internal.vm.compiler",
    "jdk.internal.vm.compiler.management",
    "jdk.jsobject",
    "jdk.localedata",
    "jdk.naming.dns",
    "jdk.security.auth",
    "jdk.security.jgss",
    "jdk.xml.dom",
    "jdk.zipfs",
];

/// A built-in loader; `Err(Retry)` while the library makes them.
fn builtin(m: &mut Machine, field: &str) -> Result<Ref, Raise> {
    let class = m.load("jdk/internal/loader/ClassLoaders")?;
    m.initialize(class)?;
    let at = m.static_field(class, field).ok_or_else(|| not_modelled("ClassLoaders without its loaders"))?;
    Ok(Ref::from_word(m.heap.word(at)))
}

/// Whether the boot is over: before, threads have no context class loader.
fn booted(m: &mut Machine) -> Result<bool, Raise> {
    let class = m.load("jdk/internal/misc/VM")?;
    Ok(m.static_field(class, "initLevel").is_some_and(|at| m.heap.word(at) as i32 >= 4))
}

/// The loader of the class path.
pub(super) fn app_loader(m: &mut Machine) -> Result<Ref, Raise> {
    builtin(m, "APP_LOADER")
}

/// The loader of a module of the JDK.
pub(super) fn module_loader(m: &mut Machine, module: &str) -> Result<Ref, Raise> {
    if BOOT.contains(&module) {
        Ok(Ref::NULL)
    } else if PLATFORM.contains(&module) {
        builtin(m, "PLATFORM_LOADER")
    } else {
        app_loader(m)
    }
}

fn class_loader(m: &mut Machine, a: Args) -> Return {
    let mirror = a.non_null(m, 0)?;
    let class = m.mirrored(mirror);
    Ok(Value::reference(loader_of(m, class)?))
}

/// The loader that defined a class; null for the boot loader.
pub(super) fn loader_of(m: &mut Machine, class: ClassId) -> Result<Ref, Raise> {
    let declared = m.program.class(class);
    match declared.shape {
        Shape::Primitive(_) => return Ok(Ref::NULL),
        Shape::Array { element, .. } => return loader_of(m, element),
        Shape::Declared => {}
    }
    if let Some(host) = declared.host {
        return loader_of(m, host);
    }
    let origin = declared.origin.clone();
    let mirror = m.mirror(class);
    let own = Ref::from_word(m.field(mirror, "classLoader"));
    if !own.is_null() {
        return Ok(own);
    }
    let loader = match origin {
        Origin::Jdk { module } => module_loader(m, &module)?,
        Origin::User { .. } => app_loader(m)?,
    };
    if !loader.is_null() {
        m.set_field(mirror, "classLoader", loader.word());
    }
    Ok(loader)
}

/// True for the loaders whose classes come from the class path and the JDK.
fn is_builtin(m: &Machine, loader: Ref) -> bool {
    loader.is_null()
        || matches!(
            m.class_name_of(loader),
            "jdk/internal/loader/ClassLoaders$AppClassLoader"
                | "jdk/internal/loader/ClassLoaders$PlatformClassLoader"
                | "jdk/internal/loader/ClassLoaders$BootClassLoader"
        )
}

/// Whether a built-in loader, or one of its parents, has a class.
fn visible(m: &mut Machine, loader: Ref, class: ClassId) -> Result<bool, Raise> {
    if loader.is_null() || m.class_name_of(loader) == "jdk/internal/loader/ClassLoaders$BootClassLoader" {
        return Ok(match &m.program.class(class).origin {
            Origin::Jdk { module } => BOOT.contains(&&**module),
            Origin::User { .. } => false,
        });
    }
    if m.class_name_of(loader) == "jdk/internal/loader/ClassLoaders$PlatformClassLoader" {
        return Ok(m.program.class(class).is_library());
    }
    // Classes that another loader defined share the name space, but the class path does not have them.
    if !is_defined(m, class) {
        return Ok(false);
    }
    let own = loader_of(m, class)?;
    Ok(is_builtin(m, own))
}

fn load_builtin(m: &mut Machine, a: Args) -> Return {
    let (loader, name) = (a.reference(m, 0), a.non_null(m, 1)?);
    builtin_class(m, loader, name)
}

/// The class of this name that a built-in loader finds, or null.
fn builtin_class(m: &mut Machine, loader: Ref, name: Ref) -> Return {
    let name = m.string(name);
    if name.starts_with('[') {
        return Ok(Value::One(0));
    }
    match load_dotted(m, &name)? {
        Some(class) if visible(m, loader, class)? => Ok(Value::reference(m.mirror(class))),
        _ => Ok(Value::One(0)),
    }
}

fn find_loaded(m: &mut Machine, a: Args) -> Return {
    let loader = a.non_null(m, 0)?;
    let name = a.non_null(m, 1)?;
    let name = m.string(name).replace('.', "/");
    let Some(class) = m.program.find_loaded(&name).filter(|class| is_defined(m, *class)) else {
        return Ok(Value::One(0));
    };
    let own = loader_of(m, class)?;
    Ok(if own == loader { Value::reference(m.mirror(class)) } else { Value::One(0) })
}

fn latest_loader(m: &mut Machine, _: Args) -> Return {
    let classes: Vec<ClassId> =
        m.frames().iter().rev().map(|frame| m.program.method(frame.method).class).collect();
    for class in classes {
        if !m.program.class(class).is_library() {
            return Ok(Value::reference(loader_of(m, class)?));
        }
    }
    builtin(m, "PLATFORM_LOADER").map(Value::reference)
}

fn for_name(m: &mut Machine, a: Args) -> Return {
    let string = a.non_null(m, 0)?;
    let initialize = a.bool(m, 1);
    let loader = a.reference(m, 2);
    let name = m.string(string);
    if !is_builtin(m, loader) && !name.starts_with('[') {
        let loaded = m.program.find_loaded(&name.replace('.', "/")).filter(|class| is_defined(m, *class));
        let own = loaded.map_or(Ok(Ref::NULL), |class| loader_of(m, class))?;
        if own != loader {
            return ask_loader(m, a, loader, string);
        }
    }
    let class = match load_dotted(m, &name)? {
        Some(class) if name.starts_with('[') || !is_builtin(m, loader) || visible(m, loader, class)? => class,
        _ => {
            // The JVM names the class that is missing, not the array asked for.
            let missing = name.trim_start_matches('[');
            let missing = match missing.strip_prefix('L') {
                Some(element) if missing.len() < name.len() => element.trim_end_matches(';'),
                _ if missing.len() < name.len() => &name,
                _ => missing,
            };
            m.suppose_missing(missing);
            return Err(m.raise("java/lang/ClassNotFoundException", Some(missing)));
        }
    };
    if initialize {
        m.initialize(class)?;
    }
    Ok(Value::reference(m.mirror(class)))
}

/// Goes on with `loader.loadClass(name)`, followed by the initialization if that was asked for.
fn ask_loader(m: &mut Machine, a: Args, loader: Ref, name: Ref) -> Return {
    let initialize = a.bool(m, 1);
    let owner = m.load(LOADER)?;
    let load = m.program.declared_method(owner, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    let load = load.ok_or_else(|| not_modelled("ClassLoader without loadClass"))?;
    let words: [Word; 2] = [loader.word(), name.word()];
    if !initialize {
        let target = m.program.select(m.class_of(loader), load);
        let target = target.ok_or_else(|| not_modelled("a class loader without loadClass"))?;
        return m.tail_call(a, target, &words);
    }
    let stub = match m.reflective_stubs.get(&(load, load)) {
        Some(stub) => *stub,
        None => {
            let stub = load_stub(m, load)?;
            m.reflective_stubs.insert((load, load), stub);
            stub
        }
    };
    m.tail_call(a, stub, &words)
}

fn load_stub(m: &mut Machine, load: MethodId) -> Result<MethodId, Raise> {
    let unsafe_class = m.load("jdk/internal/misc/Unsafe")?;
    let ensure = m.program.declared_method(unsafe_class, "ensureClassInitialized0", "(Ljava/lang/Class;)V");
    let ensure = ensure.ok_or_else(|| not_modelled("Unsafe without ensureClassInitialized0"))?;
    let insns = vec![
        m.call_insn(load, 0),
        // The native ignores its receiver.
        Insn::new(Op::Mov, 2, 0, 0),
        Insn::new(Op::Mov, 3, 0, 0),
        m.call_insn(ensure, 2),
        Insn::new(Op::Ret1, 0, 0, 0),
    ];
    let code = Code {
        bci: vec![0; insns.len()].into(),
        insns: insns.into(),
        locals: 4,
        registers: 8,
        handlers: Box::new([]),
        switches: Box::new([]),
    };
    let class = m.known.class;
    let descriptor = "(Ljava/lang/ClassLoader;Ljava/lang/String;)Ljava/lang/Class;";
    Ok(m.add_native_stub(class, "forName0", descriptor, code))
}

/// The bytes of `array[offset..offset + count]`.
fn byte_range(m: &mut Machine, array: Ref, offset: i32, count: i32) -> Result<Vec<u8>, Raise> {
    let bytes = m.heap.bytes(array, m.heap.length(array) as usize);
    let range = usize::try_from(offset).ok().zip(usize::try_from(count).ok());
    match range.and_then(|(offset, count)| bytes.get(offset..offset.checked_add(count)?)) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(m.raise("java/lang/ArrayIndexOutOfBoundsException", None)),
    }
}

/// `defineClass1(loader, name, bytes, offset, length, domain, source)`.
fn define_class(m: &mut Machine, a: Args) -> Return {
    let loader = a.reference(m, 0);
    let name = a.reference(m, 1);
    let array = a.non_null(m, 2)?;
    let (offset, count) = (a.int(m, 3), a.int(m, 4));
    let bytes = byte_range(m, array, offset, count)?;
    let name = (!name.is_null()).then(|| m.string(name).replace('.', "/"));
    let origin = if loader.is_null() {
        Origin::Jdk { module: "java.base".into() }
    } else {
        Origin::User { entry: usize::MAX }
    };
    let class = define(m, loader, name, bytes, origin)?;
    Ok(Value::reference(m.mirror(class)))
}

/// A class that no name leads to: each definition makes another one.
fn define_hidden(m: &mut Machine, a: Args) -> Return {
    const NESTMATE: i32 = 1;
    let (loader, lookup, array) = (a.reference(m, 0), a.non_null(m, 1)?, a.non_null(m, 3)?);
    let bytes = byte_range(m, array, a.int(m, 4), a.int(m, 5))?;
    let (initialize, flags, data) = (a.bool(m, 7), a.int(m, 8), a.word(m, 9));
    let host = m.mirrored(lookup);
    let origin = m.program.class(host).origin.clone();
    let number = m.next_hidden_number();
    // A number comes again only after a rollback: then the class of the first time serves again, as good as new.
    let result = match m.hidden_classes.get(&number) {
        Some((known, class)) if *known == bytes => Ok(*class),
        _ => {
            let result = m.program.define(None, bytes.clone().into(), origin, "(hidden class)".into());
            if let Ok(class) = result {
                let nest = (flags & NESTMATE != 0).then_some(host);
                m.program.hide(class, &format!("+0x{number:016x}"), nest);
                m.hidden_classes.insert(number, (bytes, class));
            }
            result
        }
    };
    m.sync_classes();
    let class = match result {
        Ok(class) => class,
        Err(LinkError::Malformed { why, .. }) => return Err(format_error(m, "(hidden class)", &why)),
        Err(error) => return Err(m.link_error(error)),
    };
    let mirror = m.mirror(class);
    m.set_field(mirror, "classLoader", loader.word());
    m.set_field(mirror, "classData", data);
    super::modules::attach_defined(m, class, loader)?;
    if initialize {
        m.initialize_now(class)?;
    }
    Ok(Value::reference(mirror))
}

/// `defineClass0(loader, lookup, name, bytes, offset, length, domain, initialize, flags, data)`.
fn define_lookup_class(m: &mut Machine, a: Args) -> Return {
    const HIDDEN: i32 = 2;
    let (loader, lookup) = (a.reference(m, 0), a.non_null(m, 1)?);
    let (name, array) = (a.reference(m, 2), a.non_null(m, 3)?);
    let (offset, count) = (a.int(m, 4), a.int(m, 5));
    let (initialize, flags) = (a.bool(m, 7), a.int(m, 8));
    if flags & HIDDEN != 0 {
        return define_hidden(m, a);
    }
    let bytes = byte_range(m, array, offset, count)?;
    let name = (!name.is_null()).then(|| m.string(name).replace('.', "/"));
    let host = m.mirrored(lookup);
    // Defining is not repeated when the initializer's frame makes the native run again.
    let known = name.as_deref().and_then(|name| m.program.find_loaded(name));
    let class = match known.filter(|class| m.class_state(*class).init != InitState::Linked) {
        Some(class) => class,
        None => {
            let origin = m.program.class(host).origin.clone();
            define(m, loader, name, bytes, origin)?
        }
    };
    if initialize {
        m.initialize(class)?;
    }
    Ok(Value::reference(m.mirror(class)))
}

/// Marks the classes that no file holds.
const AT_RUN_TIME: &str = "(defined at run time)";

/// Makes a class of a loader from bytes and registers its name.
///
/// Names outlive a rollback, definitions do not: a class that was defined in a future that has been taken back is
/// defined once more, as the same class if the bytes are the same.
fn define(
    m: &mut Machine,
    loader: Ref,
    name: Option<String>,
    bytes: Vec<u8>,
    origin: Origin,
) -> Result<ClassId, Raise> {
    let wanted = name.clone().unwrap_or_else(|| "(unnamed class)".into());
    if let Some(name) = &name {
        match m.program.find_loaded(name) {
            Some(known) if is_defined(m, known) => return Err(duplicate(m, loader, known)?),
            Some(known) => {
                let same = m.program.class(known).file.as_ref().is_some_and(|file| file.bytes() == bytes);
                if same {
                    attach(m, known, loader)?;
                    return Ok(known);
                }
            }
            None if !matches!(m.program.path.class(name), Ok(None)) && !is_builtin(m, loader) => {
                let dotted = name.replace('/', ".");
                return Err(not_modelled(format!(
                    "a class loader that redefines {dotted}, which is on the class path"
                )));
            }
            None => {}
        }
    }
    let result = m.program.define(None, bytes.into(), origin, format!("{wanted} {AT_RUN_TIME}"));
    m.sync_classes();
    let class = match result {
        Ok(class) => class,
        Err(LinkError::Malformed { why, .. }) => return Err(format_error(m, &wanted, &why)),
        Err(LinkError::NotFound(parent)) if !is_builtin(m, loader) => {
            return Err(not_modelled(format!("a class loader that is asked for {parent} by {wanted}")));
        }
        Err(error) => return Err(m.link_error(error)),
    };
    let found = m.program.class_name(class).to_string();
    if let Some(name) = &name
        && *name != found
    {
        let message = format!("{name} (wrong name: {found})");
        return Err(m.raise("java/lang/NoClassDefFoundError", Some(&message)));
    }
    if let Some(known) = m.program.find_loaded(&found)
        && is_defined(m, known)
    {
        return Err(duplicate(m, loader, known)?);
    }
    m.program.register(class);
    attach(m, class, loader)?;
    Ok(class)
}

/// Whether a loaded class is there in this run: one from a file always is.
fn is_defined(m: &Machine, class: ClassId) -> bool {
    let at_run_time = m.program.class(class).path.ends_with(AT_RUN_TIME);
    !at_run_time || super::modules::defined_classes(m).contains(&m.mirror(class))
}

/// Gives a class that was just defined its loader and module.
fn attach(m: &mut Machine, class: ClassId, loader: Ref) -> Result<(), Raise> {
    let mirror = m.mirror(class);
    m.set_field(mirror, "classLoader", loader.word());
    super::modules::attach_defined(m, class, loader)
}

fn duplicate(m: &mut Machine, loader: Ref, known: ClassId) -> Result<Raise, Raise> {
    let name = external_name(m, known);
    if loader_of(m, known)? != loader {
        return Ok(not_modelled(format!("two classes named {name} of different loaders")));
    }
    let text = loader_text(m, loader);
    let place = if is_builtin(m, loader) {
        format!("{name} is in unnamed module of loader {text}")
    } else {
        let parent = Ref::from_word(m.field(loader, "parent"));
        let parent = loader_text(m, parent);
        format!("{name} is in unnamed module of loader {text}, parent loader {parent}")
    };
    let message = format!("loader {text} attempted duplicate class definition for {name}. ({place})");
    Ok(m.raise("java/lang/LinkageError", Some(&message)))
}

/// A loader as the JVM's messages name it.
fn loader_text(m: &mut Machine, loader: Ref) -> String {
    if loader.is_null() {
        return "'bootstrap'".into();
    }
    let name = Ref::from_word(m.field(loader, "name"));
    if is_builtin(m, loader) && !name.is_null() {
        return format!("'{}'", m.string(name));
    }
    let class = m.class_name_of(loader).replace('/', ".");
    let hash = m.identity_hash(loader);
    if name.is_null() { format!("{class} @{hash:x}") } else { format!("'{}' @{hash:x}", m.string(name)) }
}

fn format_error(m: &mut Machine, name: &str, why: &Malformed) -> Raise {
    match why {
        Malformed::Truncated => m.raise("java/lang/ClassFormatError", Some("Truncated class file")),
        Malformed::NotAClass => {
            let message = format!("Incompatible magic value in class file {name}");
            m.raise("java/lang/ClassFormatError", Some(&message))
        }
        Malformed::Version(major) => {
            let message = format!(
                "{name} has been compiled by a more recent version of the Java Runtime (class file version {major}.0)"
            );
            m.raise("java/lang/UnsupportedClassVersionError", Some(&message))
        }
        Malformed::Broken(what) => {
            m.raise("java/lang/ClassFormatError", Some(&format!("{what} in class file {name}")))
        }
    }
}
