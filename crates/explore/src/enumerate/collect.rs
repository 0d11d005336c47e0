//! What becomes of the ends of paths: solutions, failures, and what was given up.

use std::time::Instant;

use machine::{Choice, End, Machine, Raise, Ref, Stop, Value};
use program::{Kind, LinkError};
use search::parallel::Worker;
use search::{Go, Guide, PathEnd, Tally, Verdict};

use super::{Detail, Failure, Finding, Listener, Missing, OnFailure, Request, Solution};
use values::{Reason, graph};

/// Something found, and on which path of its part.
pub(super) type Numbered = (u64, Finding);

/// Turns ends of paths into findings.
pub(super) struct Collector<'a> {
    detail: Detail,
    on_failure: OnFailure,
    pub(super) listener: Option<&'a mut dyn Listener>,
    /// Without a listener: what was found. Mere counts are in the tally, unless a limit needs to know where they were.
    pub(super) found: Vec<Numbered>,
    needs_all: bool,
    /// Paths that ended.
    paths: u64,
    /// Who works, and on which part.
    pub(super) worker: Option<(&'a Worker<'a, Numbered>, usize)>,
    /// What was found takes about so many bytes.
    bytes: usize,
    deadline: Option<Instant>,
}

/// Bytes of what was found that are kept before they are handed over.
const PORTION: usize = 1 << 20;

impl<'a> Collector<'a> {
    pub(super) fn new(request: &Request) -> Collector<'a> {
        let limits = &request.limits;
        Collector {
            detail: request.detail,
            on_failure: request.on_failure,
            listener: None,
            found: Vec::new(),
            needs_all: request.detail == Detail::Full || limits.solutions.is_some() || limits.paths.is_some(),
            paths: 0,
            worker: None,
            bytes: 0,
            deadline: limits.deadline,
        }
    }

    pub(super) fn keep(&mut self, found: Finding) -> Go {
        match &mut self.listener {
            Some(listener) => listener.found(found),
            None => {
                if self.needs_all || !matches!(found, Finding::Solution(_)) {
                    self.bytes += bytes(&found);
                    self.found.push((self.paths + 1, found));
                }
                if let Some((worker, index)) = self.worker.filter(|_| self.bytes >= PORTION) {
                    let portion = std::mem::take(&mut self.found);
                    worker.give_some(index, portion, std::mem::take(&mut self.bytes), self.deadline);
                }
                Go::On
            }
        }
    }

    /// Reads the end of a path. An error is what has to be decided first.
    pub(super) fn end(
        &mut self,
        m: &mut Machine,
        end: &PathEnd,
        decisions: &[u64],
    ) -> Result<(Verdict, Go), Choice> {
        let result = self.read(m, end, decisions);
        self.paths += u64::from(result.is_ok());
        result
    }

    fn read(&mut self, m: &mut Machine, end: &PathEnd, decisions: &[u64]) -> Result<(Verdict, Go), Choice> {
        match end {
            PathEnd::Stop(Stop::Rejected) => Ok((Verdict::Rejected, Go::On)),
            PathEnd::End(End::Returned(value)) => match solution(m, *value, self.detail, decisions) {
                Ok(solution) => Ok((Verdict::Solution, self.keep(Finding::Solution(solution)))),
                Err(Raise::Choose(choice)) => Err(choice),
                Err(Raise::Stop(Stop::Rejected)) => Ok((Verdict::Rejected, Go::On)),
                Err(raise) => {
                    let why = Reason::raised(m, raise);
                    Ok((Verdict::GaveUp, self.keep(Finding::GaveUp(why))))
                }
            },
            PathEnd::End(End::Threw(exception)) => {
                let failure = failure(m, *exception, decisions)?;
                let missing = missing_class(m, *exception);
                let (verdict, found) = match missing {
                    Some(class) => {
                        let Failure { trace, decisions, .. } = failure;
                        (Verdict::GaveUp, Finding::Missing(Missing { class, trace, decisions }))
                    }
                    None => (Verdict::Failure, Finding::Failure(failure)),
                };
                let go = self.keep(found);
                let go = if self.on_failure == OnFailure::Stop { Go::Stop } else { go };
                Ok((verdict, go))
            }
            PathEnd::Stop(Stop::Exit(0)) => {
                let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
                let solution = Solution { printed, returned: None, decisions: decisions.to_vec() };
                Ok((Verdict::Solution, self.keep(Finding::Solution(solution))))
            }
            PathEnd::Stop(Stop::Exit(status)) => {
                Ok((Verdict::GaveUp, self.keep(Finding::GaveUp(Reason::Exited(*status)))))
            }
            PathEnd::Stop(stop) => match Reason::of(m, stop) {
                Some(why) => Ok((Verdict::GaveUp, self.keep(Finding::GaveUp(why)))),
                None => Ok((Verdict::Rejected, Go::On)),
            },
        }
    }
}

impl Guide for Collector<'_> {
    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        if let Some(listener) = &mut self.listener {
            listener.progress(tally, depth);
        }
        if self.worker.is_some_and(|(worker, _)| worker.is_stopped()) { Go::Stop } else { Go::On }
    }
}

/// About how much memory something found takes: a node has a name, and names and values of fields.
fn bytes(found: &Finding) -> usize {
    const NODE: usize = 256;
    match found {
        Finding::Solution(Solution { printed, returned, decisions }) => {
            let nodes = returned.as_ref().map_or(0, |graph| graph.nodes.len());
            NODE * (nodes + 1) + printed.len() + 8 * decisions.len()
        }
        Finding::Failure(failure) => {
            NODE + failure.trace.len() + failure.printed.len() + 8 * failure.decisions.len()
        }
        Finding::GaveUp(_) | Finding::Missing(_) => NODE,
    }
}

fn solution(m: &mut Machine, value: Value, detail: Detail, decisions: &[u64]) -> Result<Solution, Raise> {
    let (word, kind) = match value {
        Value::Void | Value::Entered | Value::Pass => (0, Kind::Void),
        Value::One(word) => (word, m.last_result_kind()),
        Value::Two(word) => (word, m.last_result_kind()),
        Value::Pending2(tag) => (m.force(tag)?, m.last_result_kind()),
    };
    if detail == Detail::Count {
        graph::decide_all(m, word, kind)?;
        return Ok(Solution { printed: String::new(), returned: None, decisions: Vec::new() });
    }
    let returned = if kind == Kind::Void { None } else { Some(graph::graph(m, word, kind)?) };
    let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
    Ok(Solution { printed, returned, decisions: decisions.to_vec() })
}

/// The class whose absence a `NoClassDefFoundError` tells of, if it really cannot be found: its message is the name.
fn missing_class(m: &mut Machine, exception: Ref) -> Option<String> {
    if m.class_name_of(exception) != "java/lang/NoClassDefFoundError" {
        return None;
    }
    let message = Ref::from_word(m.field(exception, "detailMessage"));
    let name = (!message.is_null()).then(|| m.string(message))?;
    let is_missing = !name.contains(' ')
        && matches!(m.program.load(&name), Err(LinkError::NotFound(missing)) if missing == name);
    m.sync_classes();
    is_missing.then(|| name.replace('/', "."))
}

fn failure(m: &mut Machine, exception: Ref, decisions: &[u64]) -> Result<Failure, Choice> {
    let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
    let before = m.output[1].len();
    let name = m.class_name_of(exception).replace('/', ".");
    let trace = match jdk::launch::uncaught(m, exception) {
        Ok(()) => String::from_utf8_lossy(&m.output[1][before..]).into_owned(),
        Err(Raise::Choose(choice)) => {
            m.output[1].truncate(before);
            return Err(choice);
        }
        // Its own methods do not end, or need what is not modelled.
        Err(_) => {
            m.output[1].truncate(before);
            jdk::boot::describe(m, Raise::Throw(exception)) + "\n"
        }
    };
    Ok(Failure { exception: name, trace, printed, decisions: decisions.to_vec() })
}
