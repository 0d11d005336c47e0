//! What is said of one path: whether it violates, and whether running it again bears that out.

use std::sync::atomic::Ordering;
use std::time::Instant;

use machine::{End, Machine, Raise, Ref, States, Stop, Touched};
use program::{ClassId, MethodId};
use search::{PathEnd, Search, Unknowns, Verdict as PathVerdict};
use values::input::{self, Input, making};
use values::replay::{Ended, Seen};
use values::{Parameter, Reason, difference};

use super::{Confirm, Piece, Reached, Request, Violation, reached, verify};
use crate::Again;
use crate::claim::{Called, Finished};
use crate::confirm::{self, Jvm};

/// Why an input that was found is not one.
enum Trouble {
    /// It cannot be made.
    Refused,
    Other(String),
}

/// Says of each path whether it violates, and runs those again that do.
pub(super) struct Judge<'a, 'b> {
    pub request: &'a Request,
    pub method: MethodId,
    pub called: &'a Called,
    pub parameters: Vec<Parameter>,
    pub piece: &'a mut Piece,
    pub again: &'a mut Again,
    pub finished: &'a mut Vec<Finished>,
    pub jvm: &'a mut Jvm<'b>,
    pub deadline: Option<Instant>,
}

impl Judge<'_, '_> {
    pub fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> PathVerdict {
        let m = search.machine();
        self.piece.touched.add(m.touched());
        for what in m.symbolic.narrowed() {
            self.piece.bounded.add(Reason::Bound(what.clone()));
        }
        let exception = match end {
            PathEnd::End(End::Threw(exception)) => *exception,
            PathEnd::End(End::Returned(_)) => return self.verify(search, end),
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return PathVerdict::Rejected,
            PathEnd::Stop(Stop::Bound(_)) if m.constructing_any().is_some() => {
                // Any object can be a record with long components: that is no reason to say nothing about the others.
                let class = m.constructing_any().map(|class| m.program.class_name(class).replace('/', "."));
                let text = format!("no object is a {} with long components", class.unwrap_or_default());
                self.piece.short.insert(text);
                return PathVerdict::GaveUp;
            }
            PathEnd::Stop(stop) => {
                return match Reason::of(m, stop) {
                    Some(why) => self.give_up(why),
                    None => self.verify(search, end),
                };
            }
        };
        let class = m.class_of(exception);
        let violates = self.request.exceptions
            || m.load("java/lang/AssertionError").is_ok_and(|error| m.program.is_subtype(class, error));
        let name = m.class_name_of(exception).replace('/', ".");
        if !violates {
            // With more of it the program would have gone on.
            return match name.as_str() {
                "java.lang.OutOfMemoryError" => self.give_up(Reason::Heap(self.request.setup.heap, None)),
                "java.lang.StackOverflowError" => self.give_up(Reason::Stack),
                _ => self.verify(search, end),
            };
        }
        self.request.settling.store(true, Ordering::Relaxed);
        match self.violation(search, &name) {
            Ok(violation) if violation.reached != Reached::Yes => {
                self.request.settling.store(false, Ordering::Relaxed);
                self.piece.is_unreached = true;
                PathVerdict::GaveUp
            }
            Ok(violation) => {
                self.piece.found = Some(violation);
                PathVerdict::Failure
            }
            Err(why) => {
                self.request.settling.store(false, Ordering::Relaxed);
                self.give_up(why)
            }
        }
    }

    /// A path that does not violate is to be run again: later, or at once if it is entered by a method that only the second
    /// machine knows.
    fn verify(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> PathVerdict {
        let began = Instant::now();
        let path = Finished::of(search, self.called.method(), &self.parameters, end);
        self.piece.rerun.time += began.elapsed();
        let verified = match (self.called, path) {
            (_, None) => return PathVerdict::Solution,
            (Called::After(history), Some(path)) => {
                let replayer = self.again.replayer().map(|replayer| (replayer, history.twin));
                verify::run_again(replayer, &self.parameters, vec![path], self.deadline)
            }
            (Called::Itself(method), Some(path)) => {
                self.finished.push(path);
                if self.finished.len() < verify::WAITING {
                    return PathVerdict::Solution;
                }
                let replayer = self.again.replayer().and_then(|replayer| {
                    let twin = replayer.twin_of(search.machine(), *method)?;
                    Ok((replayer, twin))
                });
                verify::run_again(replayer, &self.parameters, std::mem::take(self.finished), self.deadline)
            }
        };
        self.piece.rerun.add(verified.rerun);
        match verified.doubts.is_empty() {
            true => PathVerdict::Solution,
            false => {
                self.piece.gave_up.append(verified.doubts);
                PathVerdict::GaveUp
            }
        }
    }

    fn give_up(&mut self, why: Reason) -> PathVerdict {
        let list = match why {
            Reason::Bound(_) => &mut self.piece.bounded,
            _ => &mut self.piece.gave_up,
        };
        list.add(why);
        PathVerdict::GaveUp
    }

    /// Runs the input of a path again that ends in an exception.
    fn violation(&mut self, search: &mut Search<Unknowns>, name: &str) -> Result<Violation, Reason> {
        let decisions = search.decisions().to_vec();
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let model = input::simple_model(m, solver, &model);
        let mut input = input::read(m, &self.parameters, &model).map_err(|why| Reason::Large(Some(why)))?;
        let is_made = m.policy().states != States::Any;
        let reached = if is_made && !reached::is_open(m, &input) { Reached::NotFound } else { Reached::Yes };
        let made = making::told(&input);
        let began = Instant::now();
        let again = self.replay(m, &input, name).and_then(|(trace, touched)| {
            // What the methods of a class give that nobody has seen is in no field.
            let is_seen = |node: &testcase::Node| !node.class().ends_with(testcase::UNSEEN);
            if !input.made.is_empty() && input.nodes.iter().all(is_seen) {
                input = self.flattened(m, &input)?;
            }
            let confirmed = match reached {
                Reached::Yes => self.confirm(m, &input, name, touched)?,
                _ => Confirm::Machine,
            };
            Ok((trace, touched, confirmed))
        });
        self.piece.confirming += began.elapsed();
        let (trace, touched, confirmed) = again.map_err(|trouble| match trouble {
            Trouble::Refused => Reason::Refused,
            // When its arguments are changed before an object is looked at, it is made too late.
            Trouble::Other(_) if is_made => Reason::Refused,
            Trouble::Other(why) => {
                difference::found(format!("a {name} was found, but running its input again gave {why}"))
            }
        })?;
        let before = match self.called {
            Called::Itself(_) => Vec::new(),
            Called::After(history) => history.earlier(search.machine()),
        };
        let elsewhere = self.again.setup().elsewhere;
        let is_made_up = is_made_up(search.machine(), &input);
        let case = confirm::case(search.machine(), self.method, &self.parameters, self.called, &input);
        // A constructor is entered with the object that it makes.
        let is_entered = matches!(self.called, Called::Itself(_)) && case.call.method == "<init>";
        let names = input.names.iter().skip(usize::from(is_entered));
        let names =
            names.take(case.arguments.len() + usize::from(case.receiver.is_some())).cloned().collect();
        Ok(Violation {
            case,
            names,
            exception: name.to_string(),
            trace,
            input,
            decisions,
            confirmed,
            before,
            made,
            reached,
            elsewhere,
            touched,
            is_made_up,
        })
    }

    /// The input with objects that are their fields, where it has objects that are made by calls.
    fn flattened(&mut self, m: &Machine, input: &Input) -> Result<Input, Trouble> {
        let twin = self.called.twin(m, self.again);
        let flat = twin
            .and_then(|twin| self.again.replayer()?.flattened(twin, &self.parameters, input))
            .map_err(|why| Trouble::Other(why.to_string()))?;
        Ok(flat)
    }

    /// Runs the input on the user's JVM, if that is asked for and touches nothing; where it was run.
    fn confirm(
        &mut self,
        m: &Machine,
        input: &Input,
        exception: &str,
        touched: Touched,
    ) -> Result<Confirm, Trouble> {
        let is_impossible = self.again.setup().elsewhere.is_some()
            || !touched.is_empty()
            || !input.outside.is_empty()
            || is_made_up(m, input);
        if self.request.confirm == Confirm::Machine || is_impossible {
            return Ok(Confirm::Machine);
        }
        let case = confirm::case(m, self.method, &self.parameters, self.called, input);
        self.jvm
            .confirm(&case, exception)
            .map(|()| Confirm::MachineAndJvm)
            .map_err(|why| Trouble::Other(format!("{why} on the JVM; --no-jvm leaves the JVM out")))
    }

    /// Whether an object of an input is a record that its constructor may have made into something else.
    fn is_made_otherwise(&self, m: &Machine, node: &testcase::Node) -> bool {
        let name = node.class().replace('.', "/");
        let classes = (0..m.program.classes.len() as u32).map(ClassId);
        let mut named = classes.filter(|class| m.program.class_name(*class) == name);
        named.any(|class| m.canonical_constructor(class).is_some())
    }

    /// Runs the input in a machine without unknown values; the stack trace if the same exception is thrown, and what was
    /// touched on the way.
    fn replay(&mut self, m: &Machine, input: &Input, exception: &str) -> Result<(String, Touched), Trouble> {
        let look = |m: &mut Machine, seen: &Seen| seen.thrown.map(|thrown| trace(m, thrown));
        let mut run = || {
            let twin = self.called.twin(m, self.again)?;
            self.again.replayer()?.run_and(twin, &self.parameters, input, &[], look)
        };
        let (seen, trace) = run().map_err(|why: Reason| match why {
            // Where an initializer fails, there are no objects of its class.
            Reason::Refused => Trouble::Refused,
            Reason::Raised(text) if text.starts_with(exception) => Trouble::Refused,
            other => Trouble::Other(other.to_string()),
        })?;
        Err(Trouble::Other(match seen.end {
            Ended::Threw { class, .. } if class == exception => {
                return Ok((trace.unwrap_or_default(), seen.touched));
            }
            // A record whose constructor does more than keep its components is another one than the path was about.
            _ if input.nodes.iter().any(|node| self.is_made_otherwise(m, node)) => {
                return Err(Trouble::Refused);
            }
            Ended::Threw { class, .. } => format!("a {class}"),
            Ended::Returned => "no exception".into(),
            Ended::Exited(status) => format!("an exit with status {status}"),
        }))
    }
}

/// Whether an object of an input is of a class that nobody has seen, or of none: a function.
fn is_made_up(m: &Machine, input: &Input) -> bool {
    input.nodes.iter().any(|node| {
        let loaded = m.program.find_loaded(&node.class().replace('.', "/"));
        let is_function = loaded.is_some_and(|class| m.program.class(class).is_interface());
        node.class().ends_with(testcase::UNSEEN)
            || is_function && matches!(node, testcase::Node::Object { .. })
    })
}

fn trace(m: &mut Machine, exception: Ref) -> String {
    let before = m.output[1].len();
    match jdk::launch::uncaught(m, exception) {
        Ok(()) if m.output[1].len() > before => String::from_utf8_lossy(&m.output[1][before..]).into_owned(),
        // A handler of uncaught exceptions may print nothing, or fail.
        _ => jdk::boot::describe(m, Raise::Throw(exception)),
    }
}
