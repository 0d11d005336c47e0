//! A line that moves while tests are made, if someone is looking.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Cells of the bar.
const WIDTH: usize = 20;
const BETWEEN: Duration = Duration::from_millis(100);

pub struct Progress {
    live: bool,
    state: Mutex<State>,
}

struct State {
    classes: usize,
    done: usize,
    tests: usize,
    /// What each worker is at.
    at: Vec<String>,
    shown: Instant,
}

impl Progress {
    pub fn new(classes: usize, workers: usize) -> Progress {
        let state =
            State { classes, done: 0, tests: 0, at: vec![String::new(); workers], shown: Instant::now() };
        Progress { live: std::io::stderr().is_terminal(), state: Mutex::new(state) }
    }

    /// A worker is at a class.
    pub fn working(&self, worker: usize, class: &str, covered: usize, total: usize) {
        if !self.live {
            return;
        }
        let Ok(mut state) = self.state.lock() else { return };
        let simple = class.rsplit('.').next().unwrap_or(class);
        state.at[worker] = format!("{simple} {covered}/{total}");
        if state.shown.elapsed() > BETWEEN {
            state.shown = Instant::now();
            eprint!("\r\x1b[K{}", line(&state));
        }
    }

    /// A worker is done with a class.
    pub fn done(&self, worker: usize, tests: usize) {
        let Ok(mut state) = self.state.lock() else { return };
        state.done += 1;
        state.tests += tests;
        state.at[worker].clear();
    }

    /// Leaves the line empty for something else.
    pub fn clear(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
    }
}

fn line(state: &State) -> String {
    let full = WIDTH * state.done / state.classes.max(1);
    let mut text = format!(
        "[{}{}] {}/{} classes, {} tests",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        state.done,
        state.classes,
        state.tests
    );
    for at in state.at.iter().filter(|at| !at.is_empty()) {
        let _ = write!(text, ", {at}");
    }
    text.truncate(text.floor_char_boundary(100));
    text
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{State, line};

    #[test]
    fn the_bar_grows_with_the_classes() {
        let at = vec!["Cart 3/8".to_string(), String::new()];
        let state = State { classes: 4, done: 1, tests: 7, at, shown: Instant::now() };
        assert_eq!(line(&state), "[#####...............] 1/4 classes, 7 tests, Cart 3/8");
    }
}
