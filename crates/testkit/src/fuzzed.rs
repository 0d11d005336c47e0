//! What fuzzing found is fed again by ordinary tests.

use std::time::{Duration, Instant};

use crate::root;

/// Feeds every file of a folder below `fixtures/fuzz`: each is answered, and soon.
pub fn feed_all(folder: &str, feed: impl Fn(&[u8])) {
    let folder = root().join("fixtures/fuzz").join(folder);
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the folder exists") {
        let path = file.expect("a file").path();
        // To be seen if the stack overflows, which ends the process.
        println!("{}", path.display());
        let start = Instant::now();
        feed(&std::fs::read(&path).expect("a file"));
        assert!(start.elapsed() < Duration::from_secs(10), "{} took too long", path.display());
        count += 1;
    }
    assert!(count > 0, "there are inputs");
}
