//! How a run can end, and what one step of running can say.

use crate::choice::Choice;
use crate::native::Value;
use crate::value::Ref;

/// Why a run ended other than by returning or throwing. Reasons are told apart by who is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `System.exit` or `Runtime.halt`.
    Exit(i32),
    /// The program met something the machine does not model; the text names it.
    NotModelled(String),
    /// The user's input is at fault: a broken class file, for one.
    BadInput(String),
    /// An assumption failed: the path is none of those asked for.
    Rejected,
    /// There is no way to go on although the program has one: a gap of ours, never an assumption. The text says where.
    DeadEnd(&'static str),
    /// The run was to stop at this assumption, which held (`pause_at`).
    Paused,
    /// A bound on what is explored was hit; the text names it.
    Bound(String),
    /// The number of steps allowed was used up.
    Steps,
    /// Memory that is ours to give was used up: no fault of the program.
    Memory(Memory),
}

/// What there was too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The heap of this machine is full ([`crate::Config::heap`]).
    Heap,
    /// A stream holds as much as it may ([`crate::Config::output`]).
    Output,
    /// There is no more room in the process ([`crate::Config::room`]).
    Process,
}

/// The end of a run.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Returned(Value),
    /// An exception reached the bottom of the stack.
    Threw(Ref),
}

/// What [`crate::Machine::run`] says.
#[derive(Debug)]
pub enum Step {
    /// The slice of steps was used up; call again to go on.
    Continue,
    /// Decide with [`crate::Machine::decide`], then run on.
    Choose(Choice),
    End(End),
    Stop(Stop),
}
