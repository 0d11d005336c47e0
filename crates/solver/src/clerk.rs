//! Z3 at work on a thread of its own, so that whoever asks can stop waiting.
//!
//! Z3 looks at its interrupt only now and then, and for seconds not at all while it turns large terms into bits. When
//! time is up it is therefore left alone with all that belongs to its context, which the thread frees when Z3 has come
//! back. Handing a query over costs some microseconds; few queries come so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use crate::deadline::{MEMORY_PERIOD, is_short_of_memory};
use crate::engine::Engine;
use crate::z3::*;

/// What Z3 is to do: go down, assert, and check.
pub struct Errand {
    pub context: Context,
    pub solver: Solver,
    /// Levels to leave first.
    pub pops: u32,
    /// What is then asserted, each on a level of its own.
    pub levels: Vec<Ast>,
}

// The handles belong to a context that nobody else uses until the errand is done.
unsafe impl Send for Errand {}

#[derive(Default)]
struct State {
    errand: Option<Errand>,
    answer: Option<Truth>,
    ended: bool,
    /// What nobody but the clerk can free, because Z3 may be at work in it.
    left: Option<Engine>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
    /// Nobody waits for the answer any more.
    given_up: AtomicBool,
}

pub struct Clerk {
    shared: Arc<Shared>,
}

impl Clerk {
    pub fn start() -> Clerk {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        thread::spawn(move || work(&own));
        Clerk { shared }
    }

    /// Has it done. None if it was not done in time, or with the memory there is: then it has to be left.
    pub fn run(&self, errand: Errand, until: Instant) -> Option<Truth> {
        let context = errand.context;
        let mut state = self.shared.lock();
        state.errand = Some(errand);
        self.shared.wake.notify_one();
        loop {
            if let Some(truth) = state.answer.take() {
                return Some(truth);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || is_short_of_memory() {
                self.shared.given_up.store(true, Ordering::Relaxed);
                // It is still there: whoever would free it needs the lock.
                unsafe { Z3_interrupt(context) };
                return None;
            }
            let left = left.min(MEMORY_PERIOD);
            state = self.shared.done.wait_timeout(state, left).expect("nothing panics while it is held").0;
        }
    }

    /// Lets it come to its end by itself, and free what it may still be at work in.
    pub fn leave(self, engine: Engine) {
        self.shared.lock().left = Some(engine);
    }
}

impl Drop for Clerk {
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
        if let Some(errand) = state.errand.take() {
            drop(state);
            let truth = errand.run_unless(&shared.given_up);
            state = shared.lock();
            state.answer = Some(truth);
            shared.done.notify_one();
        } else if state.ended {
            let left = state.left.take();
            drop(state);
            drop(left);
            return;
        } else {
            state = shared.wake.wait(state).expect("nothing panics while it is held");
        }
    }
}

impl Errand {
    /// Runs it, but stops where an interrupt would be lost: between two calls.
    fn run_unless(self, given_up: &AtomicBool) -> Truth {
        let Errand { context, solver, pops, levels } = self;
        unsafe {
            Z3_solver_pop(context, solver, pops);
            for ast in levels {
                if given_up.load(Ordering::Relaxed) {
                    return UNDECIDED;
                }
                Z3_solver_push(context, solver);
                Z3_solver_assert(context, solver, ast);
            }
            if given_up.load(Ordering::Relaxed) { UNDECIDED } else { Z3_solver_check(context, solver) }
        }
    }
}
