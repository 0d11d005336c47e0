//! Messages for what cannot be explored.

use crate::setup::run;

#[test]
fn bad_input_has_a_clear_message() {
    for (target, expected) in [
        ("Nowhere", "class Nowhere not found; check the name and the class path (-cp)"),
        ("Bounds#nothing", "class Bounds has no method nothing; it has count, deep"),
        ("Bounds$Shape#area", "Bounds$Shape#area has no code: it is abstract or native"),
        ("Bounds#outside", "Bounds#outside has no code: it is abstract or native"),
        ("Bounds$Shape", "Bounds$Shape has no method with code; name an implementation"),
        ("Bounds.java", "Bounds.java is a source file; compile it and name the class"),
    ] {
        let (status, _, message) = run(target);
        assert_eq!(status, 2, "{target}: {message}");
        assert!(message.contains(expected), "{target}: {message}");
    }
}
