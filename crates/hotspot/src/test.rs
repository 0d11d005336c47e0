//! Running JUnit tests in the worker, one after the other, whatever each of them does.

use std::path::PathBuf;
use std::time::Duration;

use testcase::Thrown;

use crate::process::Fate;
use crate::wire::{Garbled, In, Out};
use crate::{DONE, MORE, Reply, Trouble, Worker, absolute};

/// What a test is said to have thrown that has left a thread running.
const STRAY: &str = "shakedown.worker.Stray";

/// A test method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// The binary name of the class.
    pub class: String,
    pub method: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    pub name: TestName,
    pub end: TestEnd,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestEnd {
    Passed,
    Failed(Thrown),
    /// Disabled, or an assumption did not hold; the reason.
    Skipped(String),
    TimedOut,
    /// It ended the JVM with this status.
    Exited(i32),
    /// It crashed the JVM.
    Crashed(String),
}

/// Where tests are run: a time zone, and the tag of a locale. What is empty is as it is on this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub zone: &'static str,
    pub locale: &'static str,
}

impl Place {
    pub const HERE: Place = Place { zone: "", locale: "" };
}

impl Worker {
    /// The tests of some classes, in the order of the classes and then by name. `class_path` is what they need besides
    /// the class path of the worker, JUnit among it.
    pub fn tests(&mut self, classes: &[String], class_path: &[PathBuf]) -> Result<Vec<TestName>, Trouble> {
        let mut request = self.test_request(3, class_path)?;
        request.texts(classes);
        match self.exchange(&request, self.settings.time_out)? {
            Reply::Answer(bytes) => {
                let names = In::new(&bytes).list(test_name);
                self.understood(names)
            }
            Reply::Exited(status) => Err(Trouble::Broken(format!("the JVM ended with status {status}"))),
        }
    }

    /// Runs tests in the given order, in new classes that all of them share. A test that ends the process or is too slow
    /// does not keep the others from being run: they then go on in another process, with new classes.
    pub fn test(
        &mut self,
        tests: &[TestName],
        class_path: &[PathBuf],
        place: Place,
        time_out: Duration,
    ) -> Result<Vec<TestResult>, Trouble> {
        let mut results: Vec<TestResult> = Vec::new();
        while results.len() < tests.len() {
            let rest = &tests[results.len()..];
            let mut request = self.test_request(4, class_path)?;
            request.text(place.zone);
            request.text(place.locale);
            request.four(rest.len());
            for test in rest {
                request.text(&test.class);
                request.text(&test.method);
            }
            self.process().map_err(Trouble::Broken)?.send(&request.bytes);
            for name in rest {
                let end = self.test_end(time_out)?;
                let is_over = match &end {
                    TestEnd::TimedOut | TestEnd::Exited(_) | TestEnd::Crashed(_) => true,
                    TestEnd::Failed(thrown) => thrown.class == STRAY,
                    TestEnd::Passed | TestEnd::Skipped(_) => false,
                };
                if is_over {
                    self.end_process();
                }
                results.push(TestResult { name: name.clone(), end });
                if is_over {
                    break;
                }
            }
            if self.process.is_some() {
                self.finish_tests(time_out)?;
            }
        }
        Ok(results)
    }

    fn test_request(&self, number: u8, class_path: &[PathBuf]) -> Result<Out, Trouble> {
        let mut request = Out::default();
        request.octet(number);
        // Tests of the same name that somebody compiled before are not meant.
        let mut path = absolute(class_path).map_err(Trouble::Unfit)?;
        path.extend(self.class_path.iter().cloned());
        request.texts(&path);
        Ok(request)
    }

    fn test_end(&mut self, time_out: Duration) -> Result<TestEnd, Trouble> {
        match self.receive(time_out) {
            Fate::Answer(bytes) if bytes.first() == Some(&DONE) => self.understood(Err(Garbled)),
            Fate::Answer(bytes) => {
                let bytes = self.checked(bytes)?;
                self.understood(test_end(&mut In::new(&bytes)))
            }
            Fate::Late => Ok(TestEnd::TimedOut),
            Fate::Exited(status) => Ok(TestEnd::Exited(status)),
            Fate::Crashed(message) => Ok(TestEnd::Crashed(message)),
        }
    }

    /// Waits until what comes after the last test is done. If that does not end, the process is gone, and nothing else.
    fn finish_tests(&mut self, time_out: Duration) -> Result<(), Trouble> {
        match self.receive(time_out) {
            Fate::Answer(bytes) if bytes.first() == Some(&MORE) => self.understood(Err(Garbled)),
            Fate::Answer(bytes) => self.checked(bytes).map(|_| ()),
            Fate::Late | Fate::Exited(_) | Fate::Crashed(_) => Ok(()),
        }
    }
}

pub(crate) fn test_name(answer: &mut In) -> Result<TestName, Garbled> {
    Ok(TestName { class: answer.text()?, method: answer.text()? })
}

pub(crate) fn test_end(answer: &mut In) -> Result<TestEnd, Garbled> {
    Ok(match answer.octet()? {
        0 => TestEnd::Passed,
        1 => TestEnd::Failed(answer.thrown()?),
        2 => TestEnd::Skipped(answer.text()?),
        _ => return Err(Garbled),
    })
}
