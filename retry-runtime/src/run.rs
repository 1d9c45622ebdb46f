//! The state machine of one call: an outcome goes in, `Wait` or `GiveUp` comes out. No clock (but for
//! `Policy::until`), no sleep, no user types.

use std::time::Duration;

use crate::budget::Budget;
use crate::clock::Clock;
use crate::hint::{Combined, combine};
use crate::outcome::StopReason;
use crate::policy::Policy;
use crate::strategy::{Draw, window};
use crate::switch;

/// What follows an outcome that was worth a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait this long, then make the next attempt.
    Wait(Duration),
    /// Make no further attempt.
    GiveUp(StopReason),
}

/// Where a delay came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DelaySource {
    /// Drawn by the strategy.
    Backoff,
    /// Asked for by the server, with or without a spread.
    Hint,
}

impl DelaySource {
    /// As a field of an event.
    #[cfg(feature = "tracing")]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Backoff => "backoff",
            Self::Hint => "hint",
        }
    }
}

/// What is known when an attempt has failed.
///
/// ```
/// use retry_runtime::Failure;
/// use std::time::Duration;
///
/// let refused = Failure::new().elapsed(Duration::from_millis(30)).retry_after(Some(Duration::from_secs(2)));
/// # let _ = refused;
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Failure {
    elapsed: Duration,
    took: Duration,
    retry_after: Option<Duration>,
    cancelled: bool,
}

impl Failure {
    /// A failure of which nothing is known: no time has passed, the server gave no hint.
    pub const fn new() -> Self {
        Self { elapsed: Duration::ZERO, took: Duration::ZERO, retry_after: None, cancelled: false }
    }

    /// Time since the call's start, which a deadline is compared with.
    pub const fn elapsed(mut self, elapsed: Duration) -> Self {
        self.elapsed = elapsed;
        self
    }

    /// How long the failed attempt ran, which `reset_after` is compared with.
    pub const fn took(mut self, took: Duration) -> Self {
        self.took = took;
        self
    }

    /// How long the server asked to wait.
    pub const fn retry_after(mut self, hint: Option<Duration>) -> Self {
        self.retry_after = hint;
        self
    }

    /// Whether whoever wants the result has called it off.
    pub const fn cancelled(mut self, cancelled: bool) -> Self {
        self.cancelled = cancelled;
        self
    }
}

/// One call under a [`Policy`]: tell it of every failure worth a retry, and do as it says.
///
/// It does no I/O, and reads no clock but once for a [`Policy::until`], so it serves code that cannot carry the
/// attribute: your own loop, poll function or state machine. The example `by_hand` shows it in use.
///
/// ```
/// use retry_runtime::{Failure, Policy, Run, Step, StopReason, Strategy};
/// use std::time::Duration;
///
/// let mut run = Run::start(Policy::new().strategy(Strategy::None).max(2));
/// assert_eq!(run.failed(Failure::new()), Step::Wait(Duration::from_millis(200)));
/// assert_eq!(run.failed(Failure::new()), Step::Wait(Duration::from_millis(400)));
/// assert_eq!(run.failed(Failure::new()), Step::GiveUp(StopReason::MaxRetries));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run {
    policy: Policy,
    limit: Option<Duration>,
    progress: Progress,
}

impl Run {
    /// A call that begins now. A deadline by `until` is turned into a length here.
    #[must_use]
    pub fn start(policy: Policy) -> Self {
        Self { policy, limit: policy.limit(|| Clock::Blocking.now()), progress: Progress::start(&policy) }
    }

    /// The number of the current attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.progress.number
    }

    /// The current attempt has failed in a way that is worth a retry: what now?
    pub fn failed(&mut self, failure: Failure) -> Step {
        self.failed_sharing(failure, None)
    }

    /// The same under a budget that other calls share: a retry takes a token, and without one the call gives up.
    ///
    /// The deposit that every call pays (see [`Budget`]) is paid at the first failure: a call by hand that succeeds
    /// pays none.
    pub fn failed_within(&mut self, failure: Failure, budget: &Budget) -> Step {
        if self.progress.number == 1 {
            budget.deposit();
        }
        self.failed_sharing(failure, Some(budget))
    }

    fn failed_sharing(&mut self, failure: Failure, budget: Option<&Budget>) -> Step {
        self.progress.reset_if_long(&self.policy, failure.took);
        let left = self.limit.map(|limit| limit.saturating_sub(failure.elapsed));
        let facts =
            Facts { left, hint: failure.retry_after, cancelled: failure.cancelled, ..Facts::default() };
        self.progress.failed(&self.policy, &Facts { budget, ..facts })
    }

    /// Where the last delay came from; `None` before the first.
    #[must_use]
    pub const fn source(&self) -> Option<DelaySource> {
        self.progress.source
    }
}

/// What one call remembers between its attempts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// The number of the current attempt.
    pub(crate) number: u32,
    /// Retries since the start or the last reset.
    pub(crate) retries: u32,
    pub(crate) before: Before,
    pub(crate) last_delay: Option<Duration>,
    pub(crate) source: Option<DelaySource>,
}

/// What strategies ask of the retry before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// The last backoff drawn; `base` before the first.
    drawn: Duration,
    /// What `smooth` goes on from; `None` where the last delay was not drawn.
    carry: Option<f64>,
}

impl Before {
    pub(crate) const fn start(policy: &Policy) -> Self {
        Self { drawn: policy.base, carry: None }
    }
}

impl Progress {
    pub(crate) const fn start(policy: &Policy) -> Self {
        Self { number: 1, retries: 0, before: Before::start(policy), last_delay: None, source: None }
    }

    /// An attempt that ran long enough before it failed starts the counting anew.
    pub(crate) fn reset_if_long(&mut self, policy: &Policy, took: Duration) {
        if policy.reset_after.is_some_and(|enough| took >= enough) {
            self.retries = 0;
            self.before = Before::start(policy);
        }
    }

    #[allow(clippy::inline_always, reason = "see `decide`")]
    #[inline(always)]
    pub(crate) fn failed(&mut self, policy: &Policy, facts: &Facts<'_>) -> Step {
        match decide(policy, self.retries, self.before, facts) {
            Ok(decision) => {
                self.number = self.number.saturating_add(1);
                self.retries = self.retries.saturating_add(1);
                self.before.drawn = decision.drawn.unwrap_or(self.before.drawn);
                self.before.carry = decision.carry;
                self.last_delay = Some(decision.delay);
                self.source = Some(decision.source);
                Step::Wait(decision.delay)
            }
            Err(reason) => Step::GiveUp(reason),
        }
    }
}

/// What a decision rests on, apart from the policy and the call's progress.
#[derive(Clone, Copy, Default)]
pub(crate) struct Facts<'a> {
    /// What the nearest deadline leaves.
    pub(crate) left: Option<Duration>,
    pub(crate) hint: Option<Duration>,
    pub(crate) cancelled: bool,
    /// An outer layer wants a single attempt.
    pub(crate) single: bool,
    pub(crate) budget: Option<&'a Budget>,
}

pub(crate) struct Decision {
    pub(crate) delay: Duration,
    source: DelaySource,
    /// The backoff, where one was drawn.
    drawn: Option<Duration>,
    carry: Option<f64>,
}

// One piece with each of its callers.
#[allow(clippy::inline_always, reason = "what a caller does not ask for costs it nothing")]
#[inline(always)]
pub(crate) fn decide(
    policy: &Policy,
    retries: u32,
    before: Before,
    facts: &Facts<'_>,
) -> Result<Decision, StopReason> {
    let decision = weigh(policy, retries, before, facts);
    #[cfg(feature = "test-util")]
    crate::testing::record(match &decision {
        Ok(decision) => Step::Wait(decision.delay),
        Err(reason) => Step::GiveUp(*reason),
    });
    decision
}

/// The first reason that applies is told: in the order of `ARCHITECTURE.md`, "One call".
#[allow(clippy::inline_always, reason = "see `decide`")]
#[inline(always)]
fn weigh(policy: &Policy, retries: u32, before: Before, facts: &Facts<'_>) -> Result<Decision, StopReason> {
    if policy.max == Some(0) || facts.single || !switch::enabled() {
        return Err(StopReason::Off);
    }
    if facts.cancelled {
        return Err(StopReason::Cancelled);
    }
    if policy.max.is_some_and(|max| retries >= max) {
        return Err(StopReason::MaxRetries);
    }
    let retry = retries.saturating_add(1);
    let decision = match facts.hint {
        Some(hint) if !hint.is_zero() => {
            hinted(policy, retry, hint, (before.drawn, before.carry), facts.left)?
        }
        _ => backoff(policy, retry, before),
    };
    if facts.left.is_some_and(|left| decision.delay >= left) {
        return Err(StopReason::Deadline);
    }
    if facts.budget.is_some_and(|budget| !budget.take()) {
        return Err(StopReason::Budget);
    }
    Ok(decision)
}

/// The delay of a retry: the strategy's.
#[allow(clippy::inline_always, reason = "see `decide`")]
#[inline(always)]
fn backoff(policy: &Policy, retry: u32, before: Before) -> Decision {
    let draw = drawing(policy, retry, before);
    let delay = policy.strategy.delay(&draw);
    let carry = policy.strategy.carry(&draw, delay);
    Decision { delay, source: DelaySource::Backoff, drawn: Some(delay), carry }
}

#[inline]
fn drawing(policy: &Policy, retry: u32, before: Before) -> Draw {
    Draw::new(retry, policy.base, policy.cap).factor(policy.factor).after(before.drawn).carrying(before.carry)
}

/// The delay of a retry: the strategy's, combined with the server's hint.
#[inline(never)]
fn hinted(
    policy: &Policy,
    retry: u32,
    hint: Duration,
    (drawn, carry): (Duration, Option<f64>),
    left: Option<Duration>,
) -> Result<Decision, StopReason> {
    let draw = drawing(policy, retry, Before { drawn, carry });
    let mut drawn = None;
    let mut backoff = || *drawn.insert(policy.strategy.delay(&draw));
    let window = window(policy.base, policy.cap, policy.factor, retry);
    let (mode, longest) = (policy.retry_after_mode, policy.retry_after_max);
    match combine(mode, hint, window, policy.cap, longest, left, &mut backoff) {
        Combined::Wait(delay) => {
            // As the longest useful wait a hint may leave the backoff as it was drawn.
            let source = if drawn == Some(delay) { DelaySource::Backoff } else { DelaySource::Hint };
            let carry = drawn.and_then(|delay| policy.strategy.carry(&draw, delay));
            Ok(Decision { delay, source, drawn, carry })
        }
        Combined::TooLong => Err(StopReason::RetryAfterTooLong),
        Combined::PastDeadline => Err(StopReason::Deadline),
    }
}
