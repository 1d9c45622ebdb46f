//! `Call`: one call of a function whose settings need more than a count. Joins the state machine with a clock.

use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::outcome::{GivenUp, Retrying, StopReason};
use crate::policy::Policy;
use crate::run::{DelaySource, Progress, Step};

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
    deadline: Option<(Clock, Instant, Duration)>,
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

    /// What the deadline leaves from now on; `None` without a deadline.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|(clock, started, limit)| limit.saturating_sub(clock.since(started)))
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
    limit: Option<Duration>,
    progress: Progress,
}

impl Call {
    /// A call that begins now. `observed`: a hook or an event will ask for the time.
    #[inline]
    #[must_use]
    pub fn start(policy: &Policy, clock: Clock, observed: bool) -> Self {
        let limit = policy.limit();
        let timed = observed || limit.is_some() || policy.reset_after.is_some();
        let started = if timed { Some(clock.now()) } else { None };
        Self { clock, started, attempt_started: started, limit, progress: Progress::start(policy) }
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
            deadline: self.limit.zip(self.started).map(|(limit, started)| (self.clock, started, limit)),
        }
    }

    /// The attempt has failed in a way that is worth a retry: what now?
    #[cold]
    #[inline(never)]
    pub fn failed(&mut self, policy: &Policy, hint: Option<Duration>) -> Step {
        if let Some(began) = self.attempt_started.filter(|_| policy.reset_after.is_some()) {
            self.progress.reset_if_long(policy, self.clock.since(began));
        }
        let left = self.limit.map(|limit| limit.saturating_sub(self.elapsed()));
        self.progress.failed(policy, left, hint, false)
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
