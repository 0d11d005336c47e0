//! Which classes are initialized before the first choice, and that nobody can tell.

use machine::{InitState, Mode};

use crate::setup;

#[test]
fn classes_are_initialized_early_if_nobody_can_see_it() {
    let mut m = explore::enumerate::start(&setup::request("Initializers")).expect("it starts");
    for (class, is_early) in [
        ("QuietEnum", true),
        ("QuietTable", true),
        ("QuietNothing", true),
        ("LoudPrint", false),
        ("LoudParent", false),
        ("LoudChoice", false),
        ("LoudLook", false),
        ("LoudWrite", false),
        ("LoudLoop", false),
        ("LoudFailure", false),
    ] {
        let id = m.program.load(&format!("Initializers${class}")).expect("the class is there");
        m.sync_classes();
        assert_eq!(m.class_state(id).init == InitState::Done, is_early, "{class}");
    }
}

#[test]
fn every_path_initializes_for_itself() {
    for mode in [Mode::Eager, Mode::Delayed] {
        let run = setup::run(&explore::enumerate::Request { mode, ..setup::request("Initializers") });
        // 3 + 13 from the quiet ones; state, 2, 1, 3, the choice, and the failure.
        let expected: Vec<String> = [(1, 1, 0), (1, 2, 0), (2, 1, 100), (2, 2, 100)]
            .map(|(state, choice, more)| {
                let sum = more + 3 + 13 + state + 2 + 1 + 3 + choice + 10_000;
                format!("initialized; {sum}\n")
            })
            .into();
        assert_eq!(run.returned, expected, "{mode:?}");
    }
}
