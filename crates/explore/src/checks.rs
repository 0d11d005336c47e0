//! Many methods, each checked on its own, by several workers.
//!
//! A few methods in a row share a pair of machines, because starting one takes longer than most methods; which ones does
//! not depend on the number of workers, and neither do the answers or their order.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use classpath::ClassPath;
use program::{MethodId, Program};
use search::parallel::{self, Part, Worker};
use search::{Go, Limits, Tally};

use crate::check::{self, Checked, Request, Start};
use crate::{Driver, Wrong, named};

/// Methods that share a pair of machines. What they keep grows with each: classes, terms, what the solver remembers.
const TOGETHER: usize = 64;

const MAIN: &str = "([Ljava/lang/String;)V";

/// A method of a list, and what became of it.
pub struct Answer {
    /// `CLASS#METHOD`, with its parameters if the name alone does not say which.
    pub target: String,
    /// The error is about an annotation or an assumption that makes no sense for it.
    pub checked: Result<Checked, Wrong>,
    pub seconds: f64,
}

/// The methods that targets name, as `CLASS#METHOD`. A class alone means its `main`, or if it has none all of its
/// methods, and so does `CLASS#*`.
pub fn methods(driver: &mut Driver, targets: &[String]) -> Result<Vec<(String, MethodId)>, Wrong> {
    let mut found = Vec::new();
    for target in targets {
        let (class, method) = target.split_once('#').unwrap_or((target, ""));
        if !matches!(method, "" | "*") {
            found.push((target.clone(), driver.method(target)?));
            continue;
        }
        let all = driver.methods(class)?;
        let main = all.iter().copied().find(|id| is_main(driver, *id)).filter(|_| method.is_empty());
        match main {
            Some(main) => found.push((target.clone(), main)),
            None => found.extend(all.iter().map(|id| (name(driver, class, &all, *id), *id))),
        }
    }
    Ok(found)
}

/// Whether a list of targets means one method: it is named, or it is the `main` of a class.
pub fn is_single(request: &Request, targets: &[String]) -> Result<bool, Wrong> {
    let [target] = targets else { return Ok(false) };
    if let Some((_, method)) = target.split_once('#') {
        return Ok(method != "*");
    }
    let mut program = Program::new(ClassPath::open(&request.setup.class_path, &request.setup.jdk)?);
    // Whoever starts a machine for a class that is not there says so.
    let Ok(name) = named::class(&program.path, target) else { return Ok(true) };
    let Ok(class) = program.load(&name) else { return Ok(true) };
    Ok(program.declared_method(class, "main", MAIN).is_some())
}

/// Checks methods one by one and hands the answers over in order.
pub fn check_all(
    request: &Request,
    targets: &[String],
    time_per_method: Option<Duration>,
    deliver: &mut dyn FnMut(Answer),
) -> Result<(), Wrong> {
    let complaint = Mutex::new(None);
    let worker = |worker: Worker<Answer>| {
        let started = || -> Result<_, Wrong> {
            let mut driver = check::driver(request)?;
            let methods = methods(&mut driver, targets)?;
            Ok((driver, methods))
        };
        let mut ready = None;
        if worker.is_first() {
            match started() {
                Ok((driver, methods)) => {
                    let numbers: Vec<u64> = (0..methods.len() as u64).collect();
                    worker.publish(numbers.chunks(TOGETHER).map(<[u64]>::to_vec).collect());
                    ready = Some((driver, methods));
                }
                Err(message) => {
                    *complaint.lock().unwrap_or_else(|e| e.into_inner()) = Some(message);
                    return;
                }
            }
        }
        while let Some((index, numbers)) = worker.take() {
            let mut found = Vec::new();
            let mut start = None;
            for number in numbers {
                let began = Instant::now();
                if start.is_none() {
                    let Some((driver, methods)) = ready.take().or_else(|| started().ok()) else { return };
                    let (target, method) = &methods[number as usize];
                    start = Some((Start::of(request, driver, target, *method), methods));
                }
                let (running, methods) = start.as_mut().expect("it was just made");
                let (target, method) = &methods[number as usize];
                running.turn_to(target, *method, limits(request, time_per_method));
                let checked = running.check(1, &mut |_, _| Go::On).map(|mut checked| {
                    checked.take_in(running.verify());
                    checked
                });
                let is_lost = checked.as_ref().is_ok_and(Checked::is_out_of_memory);
                let seconds = began.elapsed().as_secs_f64();
                found.push(Answer { target: target.clone(), checked, seconds });
                if is_lost {
                    start = None;
                    memory::give_back();
                }
            }
            worker.give(index, Part { found, tally: Tally::default(), cut: None });
        }
    };
    parallel::run(request.workers, worker, |part| {
        part.found.into_iter().for_each(&mut *deliver);
        Go::On
    });
    match complaint.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

/// The limits of one method, from now on.
fn limits(request: &Request, time: Option<Duration>) -> Limits {
    let all = request.limits.clone();
    let Some(time) = time else { return all };
    let deadline = all.deadline;
    let own = all.within(time);
    Limits { deadline: deadline.into_iter().chain(own.deadline).min(), ..own }
}

fn is_main(driver: &mut Driver, id: MethodId) -> bool {
    let program = &driver.machine().program;
    let method = program.method(id);
    program.text(method.name) == "main" && program.text(method.descriptor) == MAIN
}

/// How a user would name a method among those of its class.
fn name(driver: &mut Driver, class: &str, all: &[MethodId], id: MethodId) -> String {
    let program = &driver.machine().program;
    let method = program.method(id);
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let own = program.text(method.name);
    let shown = if own == "<init>" { simple } else { own };
    if all.iter().filter(|other| program.method(**other).name == method.name).count() == 1 {
        return format!("{class}#{shown}");
    }
    let (parameters, _) =
        program::descriptor::split_method(program.text(method.descriptor)).unwrap_or_default();
    let types: Vec<String> = parameters.iter().map(|text| machine::external_type(text)).collect();
    format!("{class}#{shown}({})", types.join(", "))
}
