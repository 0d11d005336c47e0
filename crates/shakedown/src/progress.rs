//! A line that moves while work goes on, if someone is looking.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Texts are not made more often than this.
const BETWEEN: Duration = Duration::from_millis(100);

/// The line.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    shown: Instant,
}

impl Progress {
    /// A line of text.
    pub fn text() -> Progress {
        Progress::with(ProgressBar::new_spinner(), "{spinner} {wide_msg}")
    }

    /// A bar that is full after so many steps, and a text.
    pub fn bar(steps: usize) -> Progress {
        Progress::with(ProgressBar::new(steps as u64), "[{bar:20}] {pos}/{len} {wide_msg}")
    }

    /// For nobody.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), shown: Instant::now() }
    }

    fn with(bar: ProgressBar, template: &str) -> Progress {
        let style = ProgressStyle::with_template(template).expect("the template is ours");
        Progress { bar: bar.with_style(style.progress_chars("##.")), shown: Instant::now() }
    }

    /// Shows a text, unless the last one has just been shown.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if !self.bar.is_hidden() && self.shown.elapsed() > BETWEEN {
            self.shown = Instant::now();
            self.bar.set_message(text());
            self.bar.tick();
        }
    }

    /// One step of the bar is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Writes something else, in place of the line.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
