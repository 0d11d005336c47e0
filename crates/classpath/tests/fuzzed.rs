//! What the fuzz target `class_path` found, and what was made by hand for it: each is answered, and soon.

#[path = "../../../fuzz/feeds/class_path.rs"]
mod feed;

#[test]
fn what_was_found_is_answered() {
    testkit::feed_all("class_path", feed::feed);
}
