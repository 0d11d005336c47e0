//! What the library has unless the JVM was started otherwise, or somebody set something: separators of lines, currencies,
//! eras, modules, no security manager. Where the program may see it, the answer says so.

use machine::{Args, Machine, Ref, Supposition, World};

use crate::world::{Row, known, present};

const CURRENCIES: &str = "currencies are those of the JDK";
const ERAS: &str = "Japanese eras are those of the JDK";
const ZONES: &str = "nobody added time zones";
const ZONE_NAMES: &str = "names of time zones mean what they usually do";
const LINES: &str = "lines end with a line feed";
const FILE_NAMES: &str = "names of files are written in UTF-8";
const FILTERS: &str = "nobody filters what is read from streams of objects";
const MODULES: &str = "modules are there and open as they are by default";
const GUARDS: &str = "nobody set a security manager";
const RUNNING: &str = "the JVM is not about to end";
const SILENT: &str = "assertions of the library are disabled";

pub(crate) const ROWS: &[Row] = &[
    ("java/util/Currency", &["getInstance", "getAvailableCurrencies"], |m, _| usual_if_asked(m, CURRENCIES)),
    ("java/time/chrono/JapaneseEra", &["of", "valueOf", "values", "from", "toJapaneseEra"], |m, _| {
        usual(m, ERAS)
    }),
    ("java/time/zone/ZoneRulesProvider", &["getAvailableZoneIds", "getVersions"], |m, _| usual(m, ZONES)),
    ("java/time/zone/ZoneRulesException", &["<init>"], |m, _| {
        if is_called_by(m, "java/time/zone/ZoneRulesProvider") {
            usual(m, ZONES);
        }
    }),
    ("java/util/TimeZone", &["getTimeZone"], |m, a| {
        if is_text(m, a, 0, |text| matches!(text, "EST" | "MST" | "HST")) {
            usual_if_asked(m, ZONE_NAMES);
        }
    }),
    ("sun/util/locale/BaseLocale", &["convertOldISOCodes"], |m, a| {
        if is_text(m, a, 0, |text| matches!(text, "iw" | "he" | "in" | "id" | "ji" | "yi")) {
            m.depend(World::Properties);
        }
    }),
    ("java/io/PrintWriter", &["println"], line),
    ("java/io/PrintStream", &["println"], line),
    ("java/io/BufferedWriter", &["newLine"], line),
    ("sun/nio/fs/UnixPath", &["encode"], |m, a| {
        if is_text(m, a, 1, |text| !text.is_ascii()) {
            usual(m, FILE_NAMES);
        }
    }),
    ("java/net/URLEncoder", &["encode"], |m, a| charset_unless_said(m, a)),
    ("java/net/URLDecoder", &["decode"], |m, a| charset_unless_said(m, a)),
    ("java/net/InetAddress", &["getLoopbackAddress", "anyLocalAddress"], |m, _| m.depend(World::Properties)),
    ("java/io/ObjectInputStream", &["readObject", "readUnshared"], |m, _| usual_if_asked(m, FILTERS)),
    ("java/io/ObjectInputStream", &["getObjectInputFilter", "setObjectInputFilter"], |m, _| {
        m.depend_if_asked(World::Library)
    }),
    (
        "java/io/ObjectInputFilter$Config",
        &["getSerialFilter", "getSerialFilterFactory", "setSerialFilter", "setSerialFilterFactory"],
        |m, _| m.depend_if_asked(World::Library),
    ),
    // How a sort goes on with a comparison that contradicts itself.
    ("java/lang/IllegalArgumentException", &["<init>"], |m, _| {
        if is_called_by(m, "java/util/TimSort") || is_called_by(m, "java/util/ComparableTimSort") {
            m.depend(World::Properties);
        }
    }),
    ("java/lang/System", &["getSecurityManager"], |m, _| match m.is_program_asking() {
        true => m.depend(World::Library),
        false if m.catches(&["SecurityException"]) => usual(m, GUARDS),
        false => {}
    }),
    ("java/lang/Runtime", &["addShutdownHook", "removeShutdownHook"], |m, _| usual_if_asked(m, RUNNING)),
    ("java/lang/Class", &["desiredAssertionStatus"], |m, a| {
        let class = present(m, a).map(|mirror| m.mirrored(mirror));
        match class.is_some_and(|class| m.program.class(class).is_library()) {
            true => usual_if_asked(m, SILENT),
            false => m.suppose_assertions_if_asked(),
        }
    }),
    ("java/lang/reflect/Field", &["setAccessible"], opened),
    ("java/lang/reflect/Method", &["setAccessible"], opened),
    ("java/lang/reflect/Constructor", &["setAccessible"], opened),
    ("java/lang/reflect/AccessibleObject", &["setAccessible", "trySetAccessible", "canAccess"], opened),
    ("java/lang/invoke/MethodHandles", &["privateLookupIn"], |m, a| {
        let class = present(m, a).map(|mirror| m.mirrored(mirror));
        if class.is_none_or(|class| m.program.class(class).is_library()) {
            usual_if_asked(m, MODULES);
        }
    }),
    ("java/lang/ModuleLayer", &["boot"], |m, _| usual_if_asked(m, MODULES)),
    ("java/lang/Module", &["isOpen", "isExported", "canRead", "getLayer"], |m, _| usual_if_asked(m, MODULES)),
    ("java/nio/charset/Charset", &["lookupExtendedCharset"], |m, _| usual(m, MODULES)),
];

fn usual(m: &Machine, what: &'static str) {
    if !m.is_starting_library() {
        m.suppose(Supposition::Usual(what));
    }
}

fn usual_if_asked(m: &Machine, what: &'static str) {
    if m.is_program_asking() {
        usual(m, what);
    }
}

fn is_called_by(m: &Machine, owner: &str) -> bool {
    m.callers().next().is_some_and(|caller| caller.owner == owner)
}

/// Whether a text that is given is of some kind, or may be.
fn is_text(m: &Machine, a: Args, slot: usize, is_meant: fn(&str) -> bool) -> bool {
    let word = a.word(m, slot);
    if machine::value::is_unknown(word) || m.is_unknown_string(word) {
        return true;
    }
    let object = Ref::from_word(word);
    !object.is_null() && m.class_of(object) == m.known.string && is_meant(&m.string(object))
}

/// A line is ended. On the way outside nobody sees how.
fn line(m: &Machine, a: Args) {
    let mut next = known(m, a, 0);
    while let Some(current) = next.filter(|writer| !writer.is_null()) {
        if m.class_name_of(current) == "java/io/FileOutputStream" {
            return;
        }
        let below = ["out", "se"].into_iter().find(|name| {
            let field = m.program.field_named(m.class_of(current), name);
            field.is_some_and(|field| field.kind == program::Kind::Ref)
        });
        let word = below.map(|name| m.field(current, name));
        next = word.filter(|word| !machine::value::is_unknown(*word)).map(Ref::from_word);
    }
    if m.callers().any(|caller| caller.is_program) {
        usual(m, LINES);
    }
}

/// A text becomes bytes, or the other way round, without a word on the charset.
fn charset_unless_said(m: &Machine, a: Args) {
    if m.program.method(a.method).signature.parameters.len() == 1 {
        m.depend(World::Charset);
    }
}

/// A member is made accessible: of a class of the library, a module may forbid it.
fn opened(m: &Machine, a: Args) {
    let class = present(m, a).and_then(|member| {
        m.program.field_named(m.class_of(member), "clazz")?;
        Some(m.field(member, "clazz")).filter(|word| !machine::value::is_unknown(*word) && *word != 0)
    });
    let class = class.map(|mirror| m.mirrored(Ref::from_word(mirror)));
    if class.is_none_or(|class| m.program.class(class).is_library()) {
        usual_if_asked(m, MODULES);
    }
}
