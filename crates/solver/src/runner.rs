//! Z3 at work on a thread of its own, so that whoever asks can stop waiting.
//!
//! Z3 looks at its interrupt only now and then, and for seconds not at all while it turns large terms into bits. So the
//! engine goes to the thread with the task and comes back with the verdict. When time is up it is left there, and the
//! thread frees it when Z3 has come back. Handing it over costs some microseconds; few queries come so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use crate::deadline::{MEMORY_PERIOD, is_short_of_memory};
use crate::engine::Engine;
use crate::z3::{Expression, Session, Verdict};

/// What Z3 is to do in a session: leave levels, assert, and check.
pub struct Task {
    pub session: Session,
    /// Levels to leave first.
    pub pops: u32,
    /// What is then asserted, each on a level of its own.
    pub levels: Vec<Expression>,
}

#[derive(Default)]
struct State {
    task: Option<(Box<Engine>, Task)>,
    answer: Option<(Box<Engine>, Verdict)>,
    ended: bool,
    /// To be freed by the thread, because that takes long.
    left: Option<Box<Engine>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
    /// Nobody waits for the answer any more.
    given_up: AtomicBool,
}

/// The thread, seen from those who ask.
pub struct Runner {
    shared: Arc<Shared>,
}

impl Runner {
    pub fn start() -> Runner {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        thread::spawn(move || work(&own));
        Runner { shared }
    }

    /// Has it done, and gives the engine back. None if it was not done in time, or with the memory there is: then the
    /// engine is lost, and this with it.
    pub fn run(&self, mut engine: Box<Engine>, task: Task, until: Instant) -> Option<(Box<Engine>, Verdict)> {
        let interrupt = engine.context().interrupt().clone();
        let mut state = self.shared.lock();
        state.task = Some((engine, task));
        self.shared.wake.notify_one();
        loop {
            if let Some(answer) = state.answer.take() {
                return Some(answer);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || is_short_of_memory() {
                self.shared.given_up.store(true, Ordering::Relaxed);
                interrupt.interrupt();
                return None;
            }
            let left = left.min(MEMORY_PERIOD);
            state = self.shared.done.wait_timeout(state, left).expect("nothing panics while it is held").0;
        }
    }

    /// Lets the thread free an engine and come to its end, and waits for neither.
    pub fn free(self, engine: Box<Engine>) {
        self.shared.lock().left = Some(engine);
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.wake.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while it is held")
    }
}

fn work(shared: &Shared) {
    let mut state = shared.lock();
    loop {
        if let Some((mut engine, task)) = state.task.take() {
            drop(state);
            let verdict = task.run_unless(&mut engine, &shared.given_up);
            state = shared.lock();
            state.answer = Some((engine, verdict));
            shared.done.notify_one();
        } else if state.ended {
            let (left, unwanted) = (state.left.take(), state.answer.take());
            drop(state);
            drop((left, unwanted));
            return;
        } else {
            state = shared.wake.wait(state).expect("nothing panics while it is held");
        }
    }
}

impl Task {
    /// Runs it, but stops where an interrupt would be lost: between two calls.
    fn run_unless(self, engine: &mut Engine, given_up: &AtomicBool) -> Verdict {
        let Task { session, pops, levels } = self;
        let context = engine.context();
        context.pop(session, pops);
        for part in levels {
            if given_up.load(Ordering::Relaxed) {
                return Verdict::Undecided;
            }
            context.push(session);
            context.assert(session, part);
        }
        if given_up.load(Ordering::Relaxed) { Verdict::Undecided } else { context.check(session) }
    }
}
