//! Interrupts Z3 when a query takes too long.
//!
//! Z3 has a time limit of its own, but hands every query to a timer thread and back, which takes longer than most
//! queries. This thread looks now and then instead, and sleeps while nothing is asked.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::z3::{Context, Z3_interrupt};

/// Between two looks at what is asked, which is how late it may be.
const TICK: Duration = Duration::from_millis(10);
/// After so many ticks without a query it waits to be woken.
const PATIENCE: u32 = 100;

#[derive(Default)]
struct State {
    /// The context at work and when to interrupt it.
    watched: Option<(usize, Instant)>,
    interrupted: bool,
    asleep: bool,
    ended: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

pub struct Watchdog {
    shared: Arc<Shared>,
}

impl Watchdog {
    pub fn start() -> Watchdog {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        thread::spawn(move || watch(&own));
        Watchdog { shared }
    }

    /// Does what may take long; also says whether it was interrupted.
    pub fn guard<T>(&self, context: Context, until: Instant, work: impl FnOnce() -> T) -> (T, bool) {
        let mut state = self.shared.lock();
        state.watched = Some((context as usize, until));
        state.interrupted = false;
        if state.asleep {
            self.shared.wake.notify_one();
        }
        drop(state);
        let result = work();
        let mut state = self.shared.lock();
        state.watched = None;
        (result, state.interrupted)
    }
}

impl Drop for Watchdog {
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

fn watch(shared: &Shared) {
    let mut idle = 0;
    let mut state = shared.lock();
    while !state.ended {
        let mut wait = TICK;
        match state.watched {
            Some((context, until)) if Instant::now() >= until => {
                // The lock is held, so the query cannot end and another begin meanwhile. What comes between two
                // calls of Z3 is lost, so this goes on until the query ends.
                unsafe { Z3_interrupt(context as Context) };
                state.interrupted = true;
            }
            Some((_, until)) => {
                idle = 0;
                wait = wait.min(until.saturating_duration_since(Instant::now()));
            }
            None => idle += 1,
        }
        if idle > PATIENCE {
            state.asleep = true;
            state = shared.wake.wait(state).expect("nothing panics while it is held");
            state.asleep = false;
            idle = 0;
        } else {
            state = shared.wake.wait_timeout(state, wait).expect("nothing panics while it is held").0;
        }
    }
}
