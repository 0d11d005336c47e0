//! What the fuzz target `worker_protocol` found, and what was made by hand for it: each is answered, and soon.

#[test]
fn what_was_found_is_answered() {
    testkit::feed_all("worker_protocol", hotspot::fuzzing::feed);
}
