//! What the library has found or drawn when it started: the seeds of its generators, what the order of immutable sets follows
//! from, and system properties. In another moment, and on another computer, they are others.

use machine::{Machine, Moment, Ref};

/// Static fields with the seeds of generators, and the fields that lead from there to a number.
const SEEDS: [(&str, &str, &[&str]); 4] = [
    ("java/lang/Math$RandomNumberGeneratorHolder", "randomNumberGenerator", &["seed", "value"]),
    ("java/util/Random", "seedUniquifier", &["value"]),
    ("java/util/SplittableRandom", "defaultGen", &["value"]),
    ("java/util/concurrent/ThreadLocalRandom", "seeder", &["value"]),
];
/// Random generators take so many bits of a seed.
const BITS: u64 = (1 << 48) - 1;

/// System properties that differ from computer to computer, as they are on another one.
const PROPERTIES: [(&str, &str); 28] = [
    ("java.version", "99.0.1"),
    ("java.version.date", "2099-09-15"),
    ("java.specification.version", "99"),
    ("java.vm.specification.version", "99"),
    ("java.class.version", "143.0"),
    ("java.runtime.version", "99.0.1+7"),
    ("java.vm.version", "99.0.1+7"),
    ("java.runtime.name", "Elsewhere Runtime"),
    ("java.vm.name", "Elsewhere VM"),
    ("java.vendor", "Elsewhere"),
    ("java.vendor.version", "Elsewhere-99"),
    ("java.vendor.url", "https://elsewhere.invalid/"),
    ("java.vendor.url.bug", "https://elsewhere.invalid/bugs"),
    ("java.vm.vendor", "Elsewhere"),
    ("java.vm.info", "elsewhere mode"),
    ("java.vm.compressedOopsMode", "Elsewhere"),
    ("sun.boot.library.path", "/elsewhere/jdk/lib"),
    ("java.home", "/elsewhere/jdk"),
    ("java.io.tmpdir", "/elsewhere/tmp"),
    ("java.class.path", "elsewhere.jar"),
    ("java.library.path", "/elsewhere/lib"),
    ("os.name", "Elsewhere"),
    ("os.arch", "elsewhere64"),
    ("os.version", "99.1"),
    ("user.name", "elsewhere"),
    ("user.home", "/elsewhere/home"),
    ("user.dir", "/elsewhere/work"),
    ("sun.arch.data.model", "128"),
];
/// What the thread that runs a test is called where tests run side by side.
const THREAD: &str = "worker-7";

/// Goes to another moment, with what the library draws when it starts.
pub fn move_to(m: &mut Machine, moment: Moment) {
    m.move_to(moment);
    let drawn = u64::from(moment.drawn).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for (class, field, way) in SEEDS {
        let Some(at) = m.program.find_loaded(class).and_then(|class| m.static_field(class, field)) else {
            continue;
        };
        let mut object = Ref::from_word(m.heap.word(at));
        for (place, name) in way.iter().enumerate() {
            if object.is_null() || m.program.field_named(m.class_of(object), name).is_none() {
                break;
            }
            let word = m.field(object, name);
            if place + 1 == way.len() {
                m.set_field(object, name, (word ^ drawn) & BITS);
            } else {
                object = Ref::from_word(word);
            }
        }
    }
    if moment.processors != 1 {
        go_elsewhere(m);
    }
    let Some(class) = m.program.find_loaded("java/util/ImmutableCollections") else { return };
    let places = [m.static_field(class, "SALT32L"), m.static_field(class, "REVERSE")];
    if let [Some(salt), Some(reverse)] = places {
        let drawn = m.heap.word(salt) ^ u64::from(moment.drawn);
        m.put_at(salt, drawn);
        m.put_at(reverse, u64::from(drawn & 1 == 0));
    }
}

/// Goes to another computer. What does not fit into memory stays as it is.
fn go_elsewhere(m: &mut Machine) {
    if let Ok(name) = m.new_string(THREAD) {
        m.set_field(m.thread, "name", name.word());
    }
    let at = m.program.find_loaded("java/lang/System").and_then(|class| m.static_field(class, "props"));
    let Some(properties) = at.map(|at| Ref::from_word(m.heap.word(at))).filter(|it| !it.is_null()) else {
        return;
    };
    let Some(map) = reference(m, properties, "map") else { return };
    let Some(table) = reference(m, map, "table") else { return };
    for index in 0..m.heap.length(table) {
        let mut entry = Some(m.element(table, index)).filter(|it| !it.is_null());
        while let Some(node) = entry {
            let key = reference(m, node, "key").map(|key| m.string(key));
            let other = PROPERTIES.iter().find(|(name, _)| key.as_deref() == Some(name));
            if let Some((_, value)) = other
                && let Ok(value) = m.new_string(value)
            {
                m.set_field(node, "val", value.word());
            }
            entry = reference(m, node, "next");
        }
    }
}

/// The object in a field, if there is one.
fn reference(m: &Machine, object: Ref, field: &str) -> Option<Ref> {
    m.program.field_named(m.class_of(object), field)?;
    Some(Ref::from_word(m.field(object, field))).filter(|it| !it.is_null())
}
