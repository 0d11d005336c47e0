//! What the fuzz target `worker_protocol` found, and what was made by hand for it: each is answered, and soon.

use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn what_was_found_is_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz/worker_protocol");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        // To be seen if the stack overflows, which ends the process.
        println!("{}", path.display());
        let start = Instant::now();
        hotspot::fuzzing::feed(&std::fs::read(&path).unwrap());
        assert!(start.elapsed() < Duration::from_secs(10), "{} took too long", path.display());
        count += 1;
    }
    assert!(count > 0, "there are inputs");
}
