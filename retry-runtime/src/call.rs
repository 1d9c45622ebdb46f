//! `Call`: one call of a function whose settings need more than a count. Joins the state machine with a clock.

use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::clock::Clock;
use crate::deadline::{self, Deadline};
use crate::outcome::{GivenUp, Retrying, StopReason};
use crate::policy::Policy;
use crate::run::{DelaySource, Facts, Progress, Step};
use crate::timeout::Elapsed;

/// One attempt of an annotated function, bound in the body by `attempt = name`.
///
/// ```
/// use retry_runtime::retry;
///
/// #[retry(base_ms = 1, max = 2, on = retry_runtime::always, attempt = now)]
/// fn third_time() -> Result<u32, &'static str> {
///     if now.is_retry() && now.retries_left() == 0 { Ok(now.number()) } else { Err("busy") }
/// }
/// assert_eq!(third_time(), Ok(3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    number: u32,
    retries_left: u32,
    last_delay: Option<Duration>,
    deadline: Option<Deadline>,
}

impl Attempt {
    /// The number of this attempt, from 1; saturates at `u32::MAX`.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Whether this is an attempt after the first.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.number > 1
    }

    /// How many retries `max` still allows after this attempt; `u32::MAX` without a limit.
    #[must_use]
    pub const fn retries_left(&self) -> u32 {
        self.retries_left
    }

    /// What the nearest deadline leaves from now on, the call's own or that of an enclosing one; `None` without any.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(Deadline::left)
    }

    /// The wait before this attempt; `None` on the first.
    #[must_use]
    pub const fn last_delay(&self) -> Option<Duration> {
        self.last_delay
    }
}

/// The state of one call. Generated code drives it.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    clock: Clock,
    /// Read only where a deadline, `reset_after` or an observer needs it.
    started: Option<Instant>,
    attempt_started: Option<Instant>,
    deadline: Option<Deadline>,
    progress: Progress,
}

impl Call {
    /// A call that begins now. `observed`: a hook or an event will ask for the time.
    #[inline]
    #[must_use]
    pub fn start(policy: &Policy, clock: Clock, observed: bool) -> Self {
        let bounded = policy.until.is_some() || policy.fixed_limit().is_some();
        let timed = observed || bounded || policy.reset_after.is_some();
        let started = if timed { Some(clock.now()) } else { None };
        Self::began(policy, clock, started, started)
    }

    /// A call that was entered before its `once` values were made.
    #[inline]
    #[must_use]
    pub fn entered(policy: &Policy, clock: Clock, entry: Instant) -> Self {
        let attempt_started = policy.reset_after.map(|_| clock.now());
        Self::began(policy, clock, Some(entry), attempt_started)
    }

    #[inline]
    fn began(
        policy: &Policy,
        clock: Clock,
        started: Option<Instant>,
        attempt_started: Option<Instant>,
    ) -> Self {
        let deadline = started.and_then(|started| Deadline::after(clock, started, policy.limit(|| started)?));
        Self { clock, started, attempt_started, deadline, progress: Progress::start(policy) }
    }

    /// An attempt begins now: where `reset_after` will ask how long it ran, its start is noted.
    #[inline]
    pub fn begin(&mut self, policy: &Policy) {
        if policy.reset_after.is_some() && self.progress.number > 1 {
            self.attempt_started = Some(self.clock.now());
        }
    }

    /// The attempt that begins now.
    #[inline]
    #[must_use]
    pub fn attempt(&mut self, policy: &Policy) -> Attempt {
        self.begin(policy);
        Attempt {
            number: self.progress.number,
            retries_left: policy.max.map_or(u32::MAX, |max| max.saturating_sub(self.progress.retries)),
            last_delay: self.progress.last_delay,
            deadline: self.nearest(),
        }
    }

    /// The attempt has failed in a way that is worth a retry: what now?
    #[inline]
    pub fn failed(&mut self, policy: &Policy, hint: Option<Duration>) -> Step {
        self.failed_within(policy, hint, false, None)
    }

    /// The same for a call that can be cancelled, or that shares a budget.
    #[cold]
    #[inline(never)]
    pub fn failed_within(
        &mut self,
        policy: &Policy,
        hint: Option<Duration>,
        cancelled: bool,
        budget: Option<&Budget>,
    ) -> Step {
        if let Some(began) = self.attempt_started.filter(|_| policy.reset_after.is_some()) {
            self.progress.reset_if_long(policy, self.clock.since(began));
        }
        let bounds = deadline::bounds();
        let left = Deadline::nearer(self.deadline, bounds.nearest).map(Deadline::left);
        self.progress.failed(policy, &Facts { left, hint, cancelled, single: bounds.single, budget })
    }

    /// The call's own deadline, under which its attempts run.
    #[inline]
    #[must_use]
    pub const fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// How long the attempt that begins now may run: `limit`, clipped to what the nearest deadline leaves; without a
    /// limit all that it leaves.
    #[must_use]
    pub fn attempt_limit(&self, limit: Option<Duration>) -> Elapsed {
        let left = self.nearest().map(Deadline::left);
        match (limit, left) {
            (Some(limit), Some(left)) if left < limit => Elapsed::new(left, true),
            (Some(limit), _) => Elapsed::new(limit, false),
            (None, Some(left)) => Elapsed::new(left, true),
            (None, None) => Elapsed::new(Duration::MAX, false),
        }
    }

    fn nearest(&self) -> Option<Deadline> {
        Deadline::nearer(self.deadline, deadline::nearest())
    }

    /// What `on_retry` is told.
    pub fn retrying<'a, E: ?Sized>(&self, error: &'a E, delay: Duration) -> Retrying<'a, E> {
        Retrying {
            error,
            // The next attempt is the current one by now.
            attempt: self.progress.number.saturating_sub(1),
            delay,
            source: self.progress.source.unwrap_or(DelaySource::Backoff),
            elapsed: self.elapsed(),
        }
    }

    /// What `on_give_up` is told.
    pub fn given_up<'a, E: ?Sized>(&self, error: &'a E, reason: StopReason) -> GivenUp<'a, E> {
        GivenUp { error, attempts: self.progress.number, reason, elapsed: self.elapsed() }
    }

    /// What `on_give_up` is told when the token has fired during a wait: no attempt followed it.
    pub fn cancelled<'a, E: ?Sized>(&self, error: &'a E) -> GivenUp<'a, E> {
        let attempts = self.progress.number.saturating_sub(1);
        GivenUp { error, attempts, reason: StopReason::Cancelled, elapsed: self.elapsed() }
    }

    /// How many attempts were made, the current one included.
    #[cfg(any(feature = "tracing", feature = "metrics"))]
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.progress.number
    }

    fn elapsed(&self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| self.clock.since(started))
    }
}
