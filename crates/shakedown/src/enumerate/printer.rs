//! Results and counterexamples, written as they come.

use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

use explore::before::Before;
use explore::enumerate::{Failure, Finding, Listener, Missing, Request, Solution};
use report::record;
use search::{Go, Tally};

use super::Format;
use super::ending::Ending;
use super::junit_file::JunitFile;
use crate::common::{say, tell};
use crate::progress::Progress;

pub struct Printer<'a> {
    request: &'a Request,
    format: Format,
    ending: &'a Ending,
    /// Made at the first counterexample.
    before: Option<Before>,
    /// Made at the first structure.
    tests: Option<JunitFile>,
    progress: Progress,
    /// The reader of standard output went away.
    gone: bool,
}

impl Listener for Printer<'_> {
    fn found(&mut self, found: Finding) -> Go {
        let ending = self.ending;
        let counter = match &found {
            Finding::Solution(_) => &ending.solutions,
            Finding::Failure(_) => &ending.failures,
            Finding::GaveUp(_) | Finding::Missing(_) => &ending.gave_up,
        };
        counter.fetch_add(1, Relaxed);
        if self.format == Format::Count && matches!(found, Finding::Solution(_)) {
            return Go::On;
        }
        ending.is_writing.store(true, Relaxed);
        let progress = self.progress.clone();
        let written = progress.aside(|| match found {
            Finding::Solution(solution) => self.solution(&solution),
            Finding::Failure(failure) => self.failure(&failure),
            Finding::Missing(missing) => {
                self.missing(&missing);
                ending.state().reason.get_or_insert_with(|| missing.to_string());
                ending.state().missing.get_or_insert(missing.class);
                Ok(())
            }
            Finding::GaveUp(why) => {
                ending.state().reason.get_or_insert_with(|| why.to_string());
                Ok(())
            }
        });
        ending.is_writing.store(false, Relaxed);
        self.gone |= written.is_err();
        if self.gone { Go::Stop } else { Go::On }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) {
        self.ending.progress(tally);
        let started = self.ending.started;
        self.progress.show(|| {
            format!(
                "{} explored, {} solutions, {:.0} paths/s, depth {depth} (deepest {})",
                tally.explored,
                tally.solutions,
                tally.explored as f64 / started.elapsed().as_secs_f64(),
                tally.deepest
            )
        });
    }
}

impl<'a> Printer<'a> {
    pub fn new(request: &'a Request, format: Format, ending: &'a Ending) -> Printer<'a> {
        Printer {
            request,
            format,
            ending,
            before: None,
            tests: None,
            progress: if format == Format::Count { Progress::hidden() } else { Progress::text() },
            gone: false,
        }
    }

    /// Nothing more will be found.
    pub fn finish(&self) {
        self.progress.clear();
    }

    /// Closes what a single result opened.
    pub fn close(&self) {
        if self.tests.is_some() {
            say(&junit::closing());
        }
    }

    fn solution(&mut self, solution: &Solution) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Count => Ok(()),
            Format::Junit => match &solution.returned {
                Some(graph) => {
                    if self.tests.is_none() {
                        let (tests, opening) =
                            JunitFile::open(self.request).map_err(std::io::Error::other)?;
                        self.ending.state().has_tests = true;
                        self.tests = Some(tests);
                        out.write_all(opening.as_bytes())?;
                    }
                    let number = self.ending.solutions.load(Relaxed);
                    let text = self.tests.as_mut().map(|tests| tests.method(number, graph));
                    out.write_all(text.unwrap_or_default().as_bytes())
                }
                None => Ok(()),
            },
            Format::Json => {
                let record = record::Finding::Solution {
                    returned: solution.returned.as_ref().map(report::graph_json),
                    printed: &solution.printed,
                    decisions: &solution.decisions,
                };
                out.write_all(record::line(&record).as_bytes())
            }
            Format::Text => {
                out.write_all(solution.printed.as_bytes())?;
                match &solution.returned {
                    Some(graph) => writeln!(out, "{}", report::graph_tree(graph)),
                    None if solution.printed.is_empty() => writeln!(out, "({})", list(&solution.decisions)),
                    None => Ok(()),
                }
            }
        }
    }

    fn failure(&mut self, failure: &Failure) -> std::io::Result<()> {
        if self.before.is_none() {
            self.before = Before::new(self.request).ok();
        }
        let before = self.before.as_mut().and_then(|before| before.locals(&failure.decisions));
        let mut out: Box<dyn Write> = match self.format {
            // Standard output is a Java file.
            Format::Junit => Box::new(std::io::stderr().lock()),
            _ => Box::new(std::io::stdout().lock()),
        };
        if self.format == Format::Json {
            let record = record::Finding::Failure {
                failure: &failure.exception,
                trace: &failure.trace,
                printed: &failure.printed,
                decisions: &failure.decisions,
                before: before.map(|locals| {
                    locals.iter().map(|(name, graph)| (name.clone(), report::graph_json(graph))).collect()
                }),
            };
            return out.write_all(record::line(&record).as_bytes());
        }
        let number = self.ending.failures.load(Relaxed);
        writeln!(out, "counterexample {number}: {}", failure.exception)?;
        out.write_all(failure.printed.as_bytes())?;
        out.write_all(failure.trace.as_bytes())?;
        if let Some(locals) = before {
            writeln!(out, "before, at the last assumption that held:")?;
            for (name, graph) in locals {
                writeln!(out, "  {name}: {}", report::graph_tree(&graph).replace('\n', "\n  "))?;
            }
        }
        if failure.decisions.is_empty() {
            writeln!(out, "decisions: none; every run ends like this")?;
            return writeln!(out, "run it again with --replay ''");
        }
        writeln!(out, "decisions: {}", list(&failure.decisions))?;
        writeln!(out, "run it again with --replay {} --trace", list(&failure.decisions))
    }

    /// Not a counterexample: the user's class path is wrong, not the program.
    fn missing(&self, missing: &Missing) {
        tell(&format!("shakedown: {missing}\n{}", missing.trace));
    }
}

fn list(decisions: &[u64]) -> String {
    decisions.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}
