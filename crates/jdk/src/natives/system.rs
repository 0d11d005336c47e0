//! `System`, `Runtime`, `jdk.internal.misc.VM` and the system properties: a closed world with a virtual clock.

use machine::{Args, Machine, Raise, Ref, Return, Stop, Value, Word};
use program::{ClassId, Kind};

use super::{Entry, nothing, null, zero, zero_long};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", arraycopy),
    ("java/lang/System", "currentTimeMillis", "()J", |m, _| Ok(Value::long(tick(m) / 1_000_000))),
    ("java/lang/System", "nanoTime", "()J", |m, _| Ok(Value::long(tick(m)))),
    ("java/lang/System", "setIn0", "(Ljava/io/InputStream;)V", |m, a| set_stream(m, a, "in")),
    ("java/lang/System", "setOut0", "(Ljava/io/PrintStream;)V", |m, a| set_stream(m, a, "out")),
    ("java/lang/System", "setErr0", "(Ljava/io/PrintStream;)V", |m, a| set_stream(m, a, "err")),
    ("java/lang/System", "mapLibraryName", "", null),
    ("java/lang/Shutdown", "halt0", "(I)V", |m, a| Err(Raise::Stop(Stop::Exit(a.int(m, 0))))),
    ("java/lang/Shutdown", "beforeHalt", "()V", nothing),
    ("java/lang/Shutdown", "exit", "(I)V", |m, _| match m.is_second_thread() {
        // It would wait for the lock that whoever waits for the hook has.
        true => Err(super::not_modelled(
            "System.exit in a shutdown hook: it never returns, and the hook never ends",
        )),
        false => Ok(Value::Pass),
    }),
    ("java/lang/Runtime", "availableProcessors", "()I", |m, _| Ok(Value::int(m.processors as i32))),
    ("java/lang/Runtime", "maxMemory", "()J", |m, _| Ok(Value::long(told_heap(m)))),
    ("java/lang/Runtime", "totalMemory", "()J", |m, _| Ok(Value::long(told_heap(m)))),
    ("java/lang/Runtime", "freeMemory", "()J", |m, _| {
        Ok(Value::long(told_heap(m).saturating_sub(m.heap.used_words() as i64 * 8).max(0)))
    }),
    ("jdk/internal/misc/VM", "initialize", "()V", nothing),
    ("jdk/internal/misc/VM", "initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", |m, a| {
        let offset = a.long(m, 0);
        let now = tick(m);
        Ok(Value::long(now - offset.wrapping_mul(1_000_000_000)))
    }),
    ("jdk/internal/misc/VM", "getRuntimeArguments", "()[Ljava/lang/String;", null),
    ("jdk/internal/misc/CDS", "isDumpingClassList0", "()Z", zero),
    ("jdk/internal/misc/CDS", "isDumpingArchive0", "()Z", zero),
    ("jdk/internal/misc/CDS", "isSharingEnabled0", "()Z", zero),
    ("jdk/internal/misc/CDS", "getCDSConfigStatus", "()I", zero),
    ("jdk/internal/misc/CDS", "getRandomSeedForDumping", "()J", zero_long),
    ("jdk/internal/misc/CDS", "defineArchivedModules", "", nothing),
    ("jdk/internal/misc/CDS", "initializeFromArchive", "", nothing),
    ("jdk/internal/misc/Signal", "findSignal0", "(Ljava/lang/String;)I", |_, _| Ok(Value::int(-1))),
    ("jdk/internal/misc/Signal", "handle0", "(IJ)J", zero_long),
    ("java/lang/Terminator", "setup", "()V", nothing),
    ("jdk/internal/util/SystemProps$Raw", "vmProperties", "()[Ljava/lang/String;", vm_properties),
    ("jdk/internal/util/SystemProps$Raw", "platformProperties", "()[Ljava/lang/String;", platform_properties),
    ("java/lang/ProcessEnvironment", "environ", "()[[B", empty_environment),
    ("jdk/internal/misc/PreviewFeatures", "isPreviewEnabled", "()Z", zero),
];

/// The memory of the JVM. Of other computers, some have much more of it, and some much less.
fn told_heap(m: &Machine) -> i64 {
    let (memory, processors) = (m.config.told_heap() as i64, i64::from(m.processors));
    match processors {
        1 => memory,
        many if many % 2 == 0 => memory * many,
        _ => memory / 64,
    }
}

/// The virtual clock: every look at it takes a microsecond.
fn tick(m: &mut Machine) -> i64 {
    m.clock += 1_000;
    m.clock as i64
}

fn set_stream(m: &mut Machine, a: Args, field: &str) -> Return {
    let class = m.load("java/lang/System")?;
    let at = m.static_field(class, field).ok_or_else(|| super::not_modelled("System without its streams"))?;
    let stream = a.word(m, 0);
    m.put_at(at, stream);
    Ok(Value::Void)
}

/// See `System.arraycopy`; overlapping ranges behave as if copied through a buffer.
pub(super) fn arraycopy(m: &mut Machine, a: Args) -> Return {
    let source = a.non_null(m, 0)?;
    let target = a.non_null(m, 2)?;
    let (from, to, count) = (a.int(m, 1), a.int(m, 3), a.int(m, 4));
    let (Some(kind), Some(other)) = (m.array_kind(source), m.array_kind(target)) else {
        let culprit = if m.array_kind(source).is_none() { source } else { target };
        let role = if culprit == source { "source" } else { "destination" };
        let name = m.class_name_of(culprit).replace('/', ".");
        let message = format!("arraycopy: {role} type {name} is not an array");
        return Err(m.raise("java/lang/ArrayStoreException", Some(&message)));
    };
    if kind != other {
        let name = |k: Kind| {
            if k == Kind::Ref { "object array[]".to_string() } else { format!("{}[]", k.primitive_name()) }
        };
        let message = format!("arraycopy: type mismatch: can not copy {} into {}", name(kind), name(other));
        return Err(m.raise("java/lang/ArrayStoreException", Some(&message)));
    }
    check_ranges(m, kind, [(m.heap.length(source), from), (m.heap.length(target), to)], count)?;
    if count == 0 {
        return Ok(Value::Void);
    }
    if kind == Kind::Ref && m.class_of(source) != m.class_of(target) {
        return copy_checked(m, source, from, target, to, count);
    }
    m.copy_elements(source, from, target, to, count)?;
    Ok(Value::Void)
}

/// Length and position of source and target: signs are checked first, then the ends.
fn check_ranges(m: &mut Machine, kind: Kind, sides: [(i32, i32); 2], count: i32) -> Result<(), Raise> {
    let what = if kind == Kind::Ref { "object array".to_string() } else { kind.primitive_name().to_string() };
    let roles = ["source", "destination"];
    let negative = sides.iter().zip(roles).find(|((_, at), _)| *at < 0);
    let beyond = sides
        .iter()
        .zip(roles)
        .find(|((length, at), _)| i64::from(*at) + i64::from(count) > i64::from(*length));
    let message = if let Some(((length, at), role)) = negative {
        format!("arraycopy: {role} index {at} out of bounds for {what}[{length}]")
    } else if count < 0 {
        format!("arraycopy: length {count} is negative")
    } else if let Some(((length, at), role)) = beyond {
        let last = i64::from(*at) + i64::from(count);
        format!("arraycopy: last {role} index {last} out of bounds for {what}[{length}]")
    } else {
        return Ok(());
    };
    Err(m.raise("java/lang/ArrayIndexOutOfBoundsException", Some(&message)))
}

/// Copies references into an array of another class, element by element, until one does not fit.
fn copy_checked(m: &mut Machine, source: Ref, from: i32, target: Ref, to: i32, count: i32) -> Return {
    let program::Shape::Array { element, .. } = m.program.class(m.class_of(target)).shape else {
        return Ok(Value::Void);
    };
    let program::Shape::Array { element: given, .. } = m.program.class(m.class_of(source)).shape else {
        return Ok(Value::Void);
    };
    if m.program.is_subtype(given, element) {
        m.copy_elements(source, from, target, to, count)?;
        return Ok(Value::Void);
    }
    // Which one does not fit may have to be asked; only then those before it are copied.
    let mut fitting = 0;
    while fitting < count && fits(m, m.get(source, 1 + (from + fitting) as u32), element)? {
        fitting += 1;
    }
    m.copy_elements(source, from, target, to, fitting)?;
    if fitting == count {
        return Ok(Value::Void);
    }
    let message = format!(
        "arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the destination array, {}",
        m.program.class_name(given).replace('/', "."),
        m.program.class_name(element).replace('/', ".")
    );
    Err(m.raise("java/lang/ArrayStoreException", Some(&message)))
}

/// Whether a reference, which may be open, can be an element of an array.
fn fits(m: &mut Machine, word: Word, element: ClassId) -> Result<bool, Raise> {
    if let Some(term) = machine::symbolic::term_of(word) {
        let null = m.is_null_term(term);
        return Ok(m.branch(null)? || m.instance_of(term, element)?);
    }
    let value = Ref::from_word(m.force(word)?);
    Ok(value.is_null() || m.is_instance(value, element))
}

/// A Java array of strings, `None` for null elements.
pub(super) fn string_array(m: &mut Machine, texts: &[Option<String>]) -> Result<Ref, Raise> {
    let class = m.load("[Ljava/lang/String;")?;
    let array = m.allocate_array(class, texts.len() as i32)?;
    for (i, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            let string = m.new_string(text)?;
            m.set_element(array, i as i32, string);
        }
    }
    Ok(array)
}

fn vm_properties(m: &mut Machine, _: Args) -> Return {
    let feature = m.program.path.jdk().feature();
    let version = m.program.path.jdk().version().to_string();
    let mut pairs: Vec<(String, String)> = vec![
        ("java.home".into(), crate::files::HOME.into()),
        ("java.vm.specification.name".into(), "Java Virtual Machine Specification".into()),
        ("java.vm.specification.vendor".into(), "Oracle Corporation".into()),
        ("java.vm.specification.version".into(), feature.to_string()),
        ("java.vm.name".into(), "Shakedown".into()),
        ("java.vm.vendor".into(), "Shakedown".into()),
        ("java.vm.version".into(), version),
        ("java.vm.info".into(), "interpreted mode".into()),
        ("java.class.path".into(), crate::files::class_path(m)),
        ("java.library.path".into(), String::new()),
        ("sun.boot.library.path".into(), String::new()),
        ("jdk.debug".into(), "release".into()),
        ("java.vm.compressedOopsMode".into(), "32-bit".into()),
        // The library must not spin bytecode at run time where it has another way.
        ("jdk.reflect.useDirectMethodHandle".into(), "false".into()),
        ("jdk.reflect.useNativeAccessorOnly".into(), "true".into()),
        ("sun.reflect.inflationThreshold".into(), i32::MAX.to_string()),
        ("jdk.module.main".into(), String::new()),
    ];
    pairs.extend(m.config.properties.iter().cloned());
    let mut texts: Vec<Option<String>> = Vec::new();
    for (key, value) in pairs {
        if value.is_empty() && key == "jdk.module.main" {
            continue;
        }
        texts.push(Some(key));
        texts.push(Some(value));
    }
    texts.push(None);
    texts.push(None);
    Ok(Value::reference(string_array(m, &texts)?))
}

/// The platform's properties, by the indices that `SystemProps.Raw` declares.
fn platform_properties(m: &mut Machine, _: Args) -> Return {
    let class = m.load("jdk/internal/util/SystemProps$Raw")?;
    let values = [
        ("_file_encoding_NDX", "UTF-8"),
        ("_native_encoding_NDX", "UTF-8"),
        ("_sun_jnu_encoding_NDX", "UTF-8"),
        ("_stdout_encoding_NDX", "UTF-8"),
        ("_stderr_encoding_NDX", "UTF-8"),
        ("_sun_stdout_encoding_NDX", "UTF-8"),
        ("_sun_stderr_encoding_NDX", "UTF-8"),
        ("_file_separator_NDX", "/"),
        ("_path_separator_NDX", ":"),
        ("_line_separator_NDX", "\n"),
        ("_os_name_NDX", "Linux"),
        ("_os_arch_NDX", "amd64"),
        ("_os_version_NDX", "5.0"),
        ("_java_io_tmpdir_NDX", "/tmp"),
        ("_user_dir_NDX", "/"),
        ("_user_home_NDX", "/"),
        ("_user_name_NDX", "user"),
        ("_display_language_NDX", "en"),
        ("_sun_arch_data_model_NDX", "64"),
        ("_sun_cpu_endian_NDX", "little"),
        ("_sun_io_unicode_encoding_NDX", "UnicodeLittle"),
    ];
    let file = m.program.class(class).file.clone();
    let constant = |m: &Machine, name: &str| -> Option<usize> {
        let field = m.program.field_named(class, name)?;
        match file.as_ref()?.constant(field.constant).ok()? {
            program::Constant::Integer(value) => usize::try_from(value).ok(),
            _ => None,
        }
    };
    let length = constant(m, "FIXED_LENGTH").unwrap_or(64);
    let mut texts = vec![None; length];
    for (name, value) in values {
        if let Some(index) = constant(m, name)
            && index < length
        {
            texts[index] = Some(value.to_string());
        }
    }
    Ok(Value::reference(string_array(m, &texts)?))
}

fn empty_environment(m: &mut Machine, _: Args) -> Return {
    let class = m.load("[[B")?;
    Ok(Value::reference(m.allocate_array(class, 0)?))
}
