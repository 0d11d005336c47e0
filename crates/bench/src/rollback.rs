//! What going back costs: pairs of checkpoint and rollback around a small write.

use std::time::Instant;

use classpath::{ClassPath, Jdk};
use machine::Config;
use program::Program;

const PAIRS: u32 = 1_000_000;

/// Measures and prints.
pub fn measure(jdk: &Jdk) {
    let path = ClassPath::open(&[], jdk).expect("the JDK opens");
    let mut m = jdk::boot::boot(Program::new(path), Config::default()).expect("the library boots");
    let class = m.load("java/lang/Integer").unwrap_or_else(|_| panic!("Integer loads"));
    let object = m.allocate(class).unwrap_or_else(|_| panic!("there is room"));
    let offset = m.field_offset(class, "value").expect("Integer has a value");
    let before = resident();
    let started = Instant::now();
    for i in 0..PAIRS {
        let checkpoint = m.checkpoint();
        m.put(object, offset, u64::from(i));
        let _ = m.allocate(class);
        m.rollback(checkpoint);
        m.commit(checkpoint);
    }
    let took = started.elapsed();
    assert_eq!(m.get(object, offset), 0, "every write was taken back");
    println!("\nCheckpoint and rollback around a write and an allocation");
    println!(
        "  {PAIRS} pairs              {:.3} s ({:.0} ns a pair), memory {:+} KiB",
        took.as_secs_f64(),
        took.as_nanos() as f64 / f64::from(PAIRS),
        resident() as i64 - before as i64
    );
}

/// Resident memory in KiB, where the system tells.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
