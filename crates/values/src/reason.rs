//! Why something is not known: the closed list of what can stand in the way, and whose it is to change.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use machine::{HEAP, Machine, Memory, Raise, Stop, Touched};

use crate::room::OUTPUT;

/// Who can do something about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// More time, memory or paths may help.
    Budget,
    /// A wider bound may help.
    Bounds,
    /// The engine falls short.
    Engine,
    /// The program that was given makes it so.
    Classes,
    /// The program reaches what nothing is tried on.
    Outside,
}

/// Why something is not known.
#[derive(Clone, Debug)]
pub enum Reason {
    Time,
    /// The memory of this process.
    Memory,
    /// More paths than were to be looked at.
    Paths(u64),
    /// As many paths as were asked for.
    Enough,
    /// The steps of one path.
    Steps,
    /// The heap of one path, in bytes, and the limit that made it so small.
    Heap(u64, Option<u64>),
    Stack,
    /// What one path printed.
    Output,
    /// A bound on what is explored.
    Bound(String),
    /// What the machine cannot do.
    NotModelled(String),
    /// Where the machine found no way to go on.
    DeadEnd(&'static str),
    /// What differs from run to run.
    DependsOn(String),
    /// A question that the solver left open.
    Question(String),
    /// An input that is too large to be written down, and what of it.
    Large(Option<String>),
    /// An input that no constructor makes: one refuses it, or it could not be made before itself.
    Refused,
    /// Running an input again gave something else than its path.
    Different(String),
    /// Running an input again did not come as far as the call.
    NotReached,
    /// The program ended itself, where a result was wanted.
    Exited(i32),
    /// What was raised before anything ran.
    Raised(String),
    /// A class file that makes no sense.
    Malformed(String),
    /// Out of time, with so many rounds finished.
    Round(u32),
    /// As many paths as a round follows without anything new.
    Idle(u32),
    /// More ways to make what a call needs than a round tries.
    Ways(usize),
    /// Every way to make the call that is known was followed to the end.
    Exhausted,
    /// No value of a type can be made.
    NoWay(String),
    /// A class that is not on the class path.
    Missing(String),
    /// A static initializer that ends in an exception: of which class, and what and where.
    Initializer(String, String),
    /// Only calls that end in an exception that looks like a mistake, or in a null that was handed over, lead there.
    Crash(String),
    /// An exception while the inputs of the call are made.
    BeforeCall(String),
    /// A call that was found and cannot be written as source.
    Unwritten,
    /// A name that Java source cannot write.
    Unnameable(String),
    /// No sequence of so many public calls leads to the state.
    Unreachable(usize),
    Touches(Touched),
    /// A test that did not hold on the user's JVM.
    NotOnJvm,
    /// A mistake of ours.
    Internal,
}

impl Reason {
    /// Why a path has no end. None if it has one, or none that counts.
    pub fn of(m: &Machine, stop: &Stop) -> Option<Reason> {
        Some(match stop {
            Stop::Exit(_) | Stop::Rejected | Stop::Paused => return None,
            Stop::NotModelled(what) => Reason::NotModelled(what.clone()),
            Stop::DeadEnd(what) => Reason::DeadEnd(what),
            Stop::BadInput(what) => Reason::Malformed(what.clone()),
            Stop::Bound(what) => Reason::Bound(what.clone()),
            Stop::Steps => Reason::Steps,
            Stop::Memory(Memory::Process) => Reason::Memory,
            Stop::Memory(Memory::Output) => Reason::Output,
            Stop::Memory(Memory::Heap) => {
                Reason::Heap(m.config.heap, memory::limit().filter(|_| m.config.heap < HEAP))
            }
        })
    }

    /// Why nothing ran.
    pub fn raised(m: &mut Machine, raise: Raise) -> Reason {
        if matches!(raise, Raise::Stop(Stop::Rejected)) {
            return Reason::Refused;
        }
        let reason = match &raise {
            Raise::Stop(stop) => Reason::of(m, stop),
            _ => None,
        };
        reason.unwrap_or_else(|| Reason::Raised(jdk::boot::describe(m, raise)))
    }

    pub fn blame(&self) -> Blame {
        match self {
            Reason::Time
            | Reason::Round(_)
            | Reason::Idle(_)
            | Reason::Memory
            | Reason::Paths(_)
            | Reason::Enough
            | Reason::Heap(..)
            | Reason::Stack
            | Reason::Output
            | Reason::Steps => Blame::Budget,
            Reason::Bound(_) | Reason::Unreachable(_) | Reason::Large(_) | Reason::Ways(_) => Blame::Bounds,
            Reason::NotModelled(_)
            | Reason::DeadEnd(_)
            | Reason::Question(_)
            | Reason::Different(_)
            | Reason::Refused
            | Reason::NotReached
            | Reason::Raised(_)
            | Reason::NoWay(_)
            | Reason::Exhausted
            | Reason::BeforeCall(_)
            | Reason::Unwritten
            | Reason::NotOnJvm
            | Reason::Internal => Blame::Engine,
            Reason::Malformed(_)
            | Reason::Unnameable(_)
            | Reason::Exited(_)
            | Reason::Missing(_)
            | Reason::Initializer(..)
            | Reason::Crash(_) => Blame::Classes,
            Reason::Touches(_) | Reason::DependsOn(_) => Blame::Outside,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => write!(f, "out of time"),
            Reason::Memory => f.write_str(&memory::reason()),
            Reason::Paths(count) => write!(f, "more than {count} paths"),
            Reason::Enough => write!(f, "enough paths"),
            Reason::Steps => write!(f, "a path that does not end within its steps"),
            Reason::Heap(size, limit) => {
                write!(f, "a path that fills the heap of {} MB", size >> 20)?;
                limit.map_or(Ok(()), |limit| write!(f, " (--memory {})", memory::shown(limit)))
            }
            Reason::Stack => write!(f, "a path that fills the stack"),
            Reason::Output => write!(f, "a path that prints more than {} MB", OUTPUT >> 20),
            Reason::NotModelled(what) => write!(f, "not modelled: {what}"),
            Reason::DependsOn(what) => write!(f, "depends on {what}"),
            Reason::DeadEnd(what) => write!(f, "no way to go on was found: {what}"),
            Reason::Bound(what)
            | Reason::Question(what)
            | Reason::Different(what)
            | Reason::Raised(what)
            | Reason::Malformed(what) => f.write_str(what),
            Reason::Large(Some(what)) => write!(f, "an input too large: {what}"),
            Reason::Large(None) => write!(f, "an input too large to be written"),
            Reason::Refused => {
                write!(
                    f,
                    "a violation was found, but only from a state that no constructor was found to make"
                )
            }
            Reason::NotReached => write!(f, "running the input again did not come so far"),
            Reason::Exited(status) => write!(f, "System.exit({status})"),
            Reason::Round(0) => write!(f, "out of time before the first round was finished"),
            Reason::Round(count) => write!(f, "out of time after round {count}"),
            Reason::Idle(count) => write!(f, "more than {count} paths without anything new"),
            Reason::Ways(count) => write!(f, "more than {count} ways to make what it needs"),
            Reason::Exhausted => write!(f, "none of the calls that are tried leads there"),
            Reason::NoWay(class) => write!(f, "no way to make a {class}"),
            Reason::Missing(class) => write!(f, "needs {class}, which is not on the class path"),
            Reason::Initializer(class, what) => write!(f, "the static initializer of {class} fails: {what}"),
            Reason::Crash(class) => {
                write!(f, "only by calls that end in {class}, which looks like a mistake")
            }
            Reason::BeforeCall(class) => write!(f, "{class} while its inputs are made"),
            Reason::Unwritten => write!(f, "the call cannot be written as source"),
            Reason::Unnameable(name) => write!(f, "Java source cannot write the name {name}"),
            Reason::Unreachable(calls) => write!(f, "state not reachable by {calls} public calls"),
            Reason::Touches(touched) => write!(f, "it touches {touched}"),
            Reason::NotOnJvm => write!(f, "tests that did not hold on the JVM"),
            Reason::Internal => write!(f, "internal error"),
        }
    }
}

/// Reasons are listed by their words.
impl Ord for Reason {
    fn cmp(&self, other: &Reason) -> Ordering {
        self.to_string().cmp(&other.to_string())
    }
}

impl PartialOrd for Reason {
    fn partial_cmp(&self, other: &Reason) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Reason) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Reason {}

/// Reasons, and how often each was met.
#[derive(Clone, Debug, Default)]
pub struct Reasons(BTreeMap<Reason, u64>);

impl Reasons {
    pub fn add(&mut self, reason: Reason) {
        self.add_times(reason, 1);
    }

    pub fn add_times(&mut self, reason: Reason, times: u64) {
        *self.0.entry(reason).or_default() += times;
    }

    pub fn append(&mut self, other: Reasons) {
        for (reason, times) in other.0 {
            self.add_times(reason, times);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn retain(&mut self, keep: impl Fn(&Reason) -> bool) {
        self.0.retain(|reason, _| keep(reason));
    }

    /// How often running an input again gave something else.
    pub fn differences(&self) -> u64 {
        self.iter().filter(|(reason, _)| matches!(reason, Reason::Different(_))).map(|(_, times)| times).sum()
    }

    pub fn contains(&self, reason: &Reason) -> bool {
        self.0.contains_key(reason)
    }

    /// By their words.
    pub fn iter(&self) -> impl Iterator<Item = (&Reason, u64)> {
        self.0.iter().map(|(reason, times)| (reason, *times))
    }

    /// The most frequent first.
    pub fn by_frequency(&self) -> Vec<&Reason> {
        let mut all: Vec<(&Reason, u64)> = self.iter().collect();
        all.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        all.into_iter().map(|(reason, _)| reason).collect()
    }
}

/// The most reasons that are told one by one.
const TOLD: usize = 5;

/// Reasons as one sentence part.
pub fn joined(reasons: &[Reason]) -> String {
    let mut texts: Vec<String> = reasons.iter().take(TOLD).map(Reason::to_string).collect();
    if let Some(more) = reasons.len().checked_sub(TOLD).filter(|more| *more > 0) {
        texts.push(format!("and {more} more"));
    }
    texts.join("; ")
}
