//! What happens when Shakedown itself is wrong: a message that says so, and an exit status of its own.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use crate::common::{INTERNAL_ERROR, tell};

/// Runs the command. A panic, on any thread, is told once as what it is: a mistake of ours.
pub fn guarded(command: impl FnOnce() -> u8) -> u8 {
    panic::set_hook(Box::new(|info| tell(&report(info))));
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(INTERNAL_ERROR)
}

fn report(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    // The thread that waits for others repeats that one of them panicked.
    if message == "a scoped thread panicked" {
        return String::new();
    }
    let place = info.location().map_or_else(String::new, |place| format!(" ({place})"));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "shakedown: internal error: {message}{place}\n\
         This is a bug in Shakedown {version}, not in the program it ran. Please report it with the line above, the \
         command line, the JDK's version, and, if you can share it, the program.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_an_internal_error_on_any_thread() {
        assert_eq!(guarded(|| 3), 3);
        assert_eq!(guarded(|| panic!("a test of the message")), 70);
        let on_another_thread = || {
            std::thread::scope(|scope| {
                scope.spawn(|| panic!("a test of the message"));
            });
            0
        };
        assert_eq!(guarded(on_another_thread), 70);
    }
}
