//! No class file, however broken, makes the tool panic, hang or touch memory it does not own.
//!
//! Real class files are mutated: first only read and translated, many times; then also run, under a step limit.

use classpath::{ClassPath, Jdk};
use machine::{Config, Machine, Raise, Step};
use program::{Bytes, Origin, Program};

/// Small and fast; the seeds make every run the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// Classes of many shapes, small enough to be hit often.
const SAMPLES: &[&str] = &[
    "java/util/ArrayDeque",
    "java/util/BitSet",
    "java/util/StringJoiner",
    "java/util/Optional",
    "java/lang/Integer$IntegerCache",
    "java/util/Arrays$ArrayList",
    "java/util/regex/Pattern$CharPredicate",
    "java/util/HashMap$TreeNode",
    "java/math/MutableBigInteger",
    "java/lang/Character$UnicodeBlock",
    "java/util/stream/Collectors",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/time/Duration",
    "java/lang/Enum",
    "java/lang/Record",
    "java/lang/Thread$State",
];

fn open() -> Option<ClassPath> {
    let jdk = Jdk::installed().into_iter().next()?;
    ClassPath::open(&[], &jdk).ok()
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random.below(8) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            let at = random.below(bytes.len());
            let extra: Vec<u8> = (0..random.below(9)).map(|_| random.next() as u8).collect();
            bytes.splice(at..at, extra);
        }
        2 => {
            let from = random.below(bytes.len());
            let to = (from + random.below(9)).min(bytes.len());
            bytes.drain(from..to);
        }
        _ => {
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(4) {
                    0 => 0,
                    1 => 0xFF,
                    2 => bytes[at].wrapping_add(1),
                    _ => random.next() as u8,
                };
            }
        }
    }
    bytes
}

/// Defines the class and translates every method, as untrusted code.
fn translate_all(program: &mut Program, bytes: Vec<u8>) -> bool {
    let origin = Origin::User { entry: 0 };
    let Ok(class) = program.define(None, Bytes::from(bytes), origin, "mutated".into()) else { return false };
    let mut fine = true;
    for method in program.class(class).methods.clone() {
        fine &= program.code(method).is_ok();
    }
    fine
}

#[test]
fn mutated_classes_are_translated_or_refused() {
    let Some(path) = open() else {
        println!("skipped: no JDK of 17 or later is installed");
        return;
    };
    let originals: Vec<Bytes> =
        SAMPLES.iter().filter_map(|name| Some(path.class(name).ok()??.bytes)).collect();
    assert!(originals.len() > 12, "the sample classes are found");
    let mut random = Random(0x5EED_1234_ABCD_0001);
    let (mut accepted, mut refused) = (0u32, 0u32);
    // A new program now and then, because classes pile up.
    for _ in 0..200 {
        let mut program = Program::new(open().expect("opened before"));
        for _ in 0..1_050 {
            let original = &originals[random.below(originals.len())];
            let bytes = mutate(original, &mut random);
            if translate_all(&mut program, bytes) { accepted += 1 } else { refused += 1 }
        }
    }
    println!("{} mutations: {accepted} translated, {refused} refused", accepted + refused);
    assert!(accepted > 10_000 && refused > 10_000, "both outcomes are exercised: {accepted}, {refused}");
}

/// A machine with the mutated class in place, or nothing if it could not be linked.
fn run_all(m: &mut Machine, bytes: Vec<u8>) -> u32 {
    let origin = Origin::User { entry: 0 };
    let Ok(class) = m.program.define(None, Bytes::from(bytes), origin, "mutated".into()) else { return 0 };
    m.sync_classes();
    m.program.register(class);
    let mut ran = 0;
    for method in m.program.class(class).methods.clone() {
        if !m.program.method(method).is_static() {
            continue;
        }
        let arguments = vec![0; m.program.method(method).arguments as usize];
        let floor = m.frames().len();
        m.step_limit = m.steps + 20_000;
        match m.enter(method, &arguments) {
            Ok(None) => {}
            _ => continue,
        }
        if let Ok(()) | Err(Raise::Retry) = m.initialize(class) {
            while let Step::Continue = m.run(20_000) {}
            ran += 1;
        }
        m.abandon(floor);
    }
    ran
}

#[test]
fn mutated_classes_are_run_without_harm() {
    let Some(path) = open() else {
        println!("skipped: no JDK of 17 or later is installed");
        return;
    };
    let originals: Vec<Bytes> =
        ["java/util/Arrays", "java/util/Collections", "java/lang/Math", "java/util/Objects"]
            .iter()
            .filter_map(|name| Some(path.class(name).ok()??.bytes))
            .collect();
    let mut random = Random(0xBAD_C0FF_EE00_0001);
    let mut ran = 0;
    for _ in 0..250 {
        let program = Program::new(open().expect("opened before"));
        let config = Config { heap: 64 << 20, ..Config::default() };
        let mut m = jdk::boot::boot(program, config).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..4 {
            let original = &originals[random.below(originals.len())];
            let bytes = mutate(original, &mut random);
            ran += run_all(&mut m, bytes);
        }
    }
    println!("{ran} methods of mutated classes were run");
    assert!(ran > 1_000, "enough mutated classes still run: {ran}");
}
