//! For tests: virtual time, seeded randomness, and a recording of what calls did. All of it for the current thread.

use core::cell::RefCell;
use core::marker::PhantomData;
use std::time::{Duration, Instant};

use crate::outcome::StopReason;
use crate::run::Step;

struct World {
    now: Instant,
    began: Instant,
    clock_reads: u64,
    waits: Vec<Duration>,
    steps: Vec<Step>,
    events: Vec<(Instant, Box<dyn FnOnce()>)>,
}

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

/// While it lives, annotated calls on this thread do not wait: their clock moves by each wait at once, and what they
/// decided is recorded.
///
/// Blocking functions and async functions on any executor are covered; for several tasks at once, tokio's paused
/// clock is the better tool.
///
/// ```
/// use retry_runtime::{retry, testing::VirtualTime};
/// use std::time::Duration;
///
/// #[retry(strategy = "none", base_ms = 1_000, max = 2, on = retry_runtime::always)]
/// fn always_busy() -> Result<(), &'static str> {
///     Err("busy")
/// }
///
/// let time = VirtualTime::start();
/// assert!(always_busy().is_err());
/// assert_eq!(time.waits(), [Duration::from_secs(1), Duration::from_secs(2)]);
/// assert_eq!(time.elapsed(), Duration::from_secs(3));
/// ```
#[derive(Debug)]
#[must_use = "time is virtual only while this lives"]
pub struct VirtualTime {
    // A recording belongs to its thread.
    _local: PhantomData<*const ()>,
}

impl VirtualTime {
    /// Virtual time from now on, on this thread. A second one starts the recording anew.
    pub fn start() -> Self {
        let now = Instant::now();
        let world = World {
            now,
            began: now,
            clock_reads: 0,
            waits: Vec::new(),
            steps: Vec::new(),
            events: Vec::new(),
        };
        WORLD.with_borrow_mut(|current| *current = Some(world));
        Self { _local: PhantomData }
    }

    /// The same, with the random numbers that follow from `seed`.
    pub fn seeded(seed: u64) -> Self {
        crate::random::seed(seed);
        Self::start()
    }

    /// Moves the clock, as an attempt that takes long would.
    pub fn advance(&self, by: Duration) {
        if let Some(end) = with(|world| world.now + by) {
            while happen_before(end) {}
            with(|world| world.now = world.now.max(end));
        }
    }

    /// Something that happens at a time after the start, while a call waits or an attempt takes time: a token fires, a
    /// server recovers.
    pub fn at(&self, after: Duration, event: impl FnOnce() + 'static) {
        with(|world| world.events.push((world.began + after, Box::new(event))));
    }

    /// Virtual time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        with(|world| world.now - world.began).unwrap_or_default()
    }

    /// Every wait so far, in order.
    #[must_use]
    pub fn waits(&self) -> Vec<Duration> {
        with(|world| world.waits.clone()).unwrap_or_default()
    }

    /// Every decision so far, in order.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        with(|world| world.steps.clone()).unwrap_or_default()
    }

    /// How often calls have read the clock.
    #[must_use]
    pub fn clock_reads(&self) -> u64 {
        with(|world| world.clock_reads).unwrap_or_default()
    }
}

impl Drop for VirtualTime {
    fn drop(&mut self) {
        WORLD.with_borrow_mut(|current| *current = None);
    }
}

/// Seeds this thread's random numbers.
pub fn seed(seed: u64) {
    crate::random::seed(seed);
}

/// How many random numbers this thread has drawn.
#[must_use]
pub fn random_draws() -> u64 {
    crate::random::draws()
}

fn with<R>(ask: impl FnOnce(&mut World) -> R) -> Option<R> {
    WORLD.try_with(|current| current.borrow_mut().as_mut().map(ask)).ok().flatten()
}

pub(crate) fn now() -> Option<Instant> {
    with(|world| {
        world.clock_reads += 1;
        world.now
    })
}

/// Lets `delay` pass; `false` where time is real.
pub(crate) fn pass(delay: Duration) -> bool {
    pass_until(delay, || false)
}

/// Lets `delay` pass, but no longer than until `stop` says so; events that are due on the way happen. `false` where
/// time is real.
pub(crate) fn pass_until(delay: Duration, stop: impl Fn() -> bool) -> bool {
    let Some(end) = with(|world| world.now.checked_add(delay).unwrap_or(world.now)) else { return false };
    let began = with(|world| world.now);
    while !stop() && happen_before(end) {}
    let stopped = stop();
    with(|world| {
        if !stopped {
            world.now = end;
        }
        let waited = began.map_or(delay, |began| world.now - began);
        world.waits.push(waited);
        if stopped {
            world.steps.push(Step::GiveUp(StopReason::Cancelled));
        }
    });
    true
}

/// The next event up to `end`, if there is one.
fn happen_before(end: Instant) -> bool {
    let event = with(|world| {
        let next = world
            .events
            .iter()
            .enumerate()
            .min_by_key(|(_, (at, _))| *at)
            .map(|(index, (at, _))| (index, *at));
        let (index, at) = next.filter(|(_, at)| *at <= end)?;
        world.now = world.now.max(at);
        Some(world.events.remove(index).1)
    });
    match event.flatten() {
        Some(event) => {
            event();
            true
        }
        None => false,
    }
}

pub(crate) fn record(step: Step) {
    with(|world| world.steps.push(step));
}
