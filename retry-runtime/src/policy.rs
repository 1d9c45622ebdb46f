//! `Policy`: the settings of one annotated function as plain, checked data. Nothing here waits or draws.

use core::fmt;
use std::time::{Duration, Instant};

use crate::hint::RetryAfterMode;
use crate::strategy::Strategy;

/// What each setting gets told when it cannot be: the same sentences the attribute gives.
pub(crate) mod sentence {
    pub(crate) const BASE_ZERO: &str =
        "`base` must be above zero: every retry would follow at once; write `base_ms = 1` or more";
    pub(crate) const CAP_ZERO: &str =
        "`cap` must be above zero: no retry could ever wait; write `cap_ms = 1` or more";
    pub(crate) const BASE_ABOVE_CAP: &str =
        "`base` is above `cap`: the first window would already be cut; raise `cap` or lower `base`";
    pub(crate) const FACTOR: &str =
        "`factor` must be a finite number of at least 1: windows never shrink; 1 keeps them constant";
    pub(crate) const MAX_ZERO: &str = "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute";
    pub(crate) const DEADLINE_ZERO: &str =
        "`deadline` must be above zero: no retry could ever begin; leave it out for no deadline";
    pub(crate) const RESET_AFTER_ZERO: &str = "`reset_after` must be above zero: every attempt would start the counting anew; leave it out for never";
}

/// The settings of a call: strategy, windows, limits.
///
/// `Copy`, and made by setters that can run while compiling. A setter panics on a value that can never be right,
/// so a `const` policy is checked by the compiler; for values that come from a configuration file use
/// [`Policy::builder`], which returns a `Result`.
///
/// ```
/// use retry_runtime::{Policy, Strategy};
/// use std::time::Duration;
///
/// const PATIENT: Policy = Policy::new().strategy(Strategy::Equal).cap(Duration::from_secs(30)).max(8);
/// assert_eq!(PATIENT.get_max(), Some(8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub(crate) strategy: Strategy,
    pub(crate) base: Duration,
    pub(crate) cap: Duration,
    pub(crate) factor: f64,
    /// `None` is unlimited.
    pub(crate) max: Option<u32>,
    pub(crate) deadline: Option<Duration>,
    /// Limits that shorten the deadline, whatever it is and wherever it comes from.
    pub(crate) within: Option<Duration>,
    pub(crate) until: Option<Instant>,
    pub(crate) reset_after: Option<Duration>,
    pub(crate) retry_after_mode: RetryAfterMode,
    pub(crate) retry_after_max: Duration,
}

impl Policy {
    /// The defaults: full jitter, windows from 200 ms doubling up to 10 s, five retries, no deadline, hints of up
    /// to 60 s as a floor.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            strategy: Strategy::Full,
            base: Duration::from_millis(200),
            cap: Duration::from_secs(10),
            factor: 2.0,
            max: Some(5),
            deadline: None,
            within: None,
            until: None,
            reset_after: None,
            retry_after_mode: RetryAfterMode::Floor,
            retry_after_max: Duration::from_secs(60),
        }
    }

    /// The same settings, checked at run time: `max = 0` is allowed there and means a single attempt.
    pub const fn builder() -> PolicyBuilder {
        PolicyBuilder(Self::new())
    }

    /// How the delay of a retry is drawn inside its window.
    #[must_use]
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// The first window.
    ///
    /// # Panics
    /// When it is zero or above `cap`: set a larger `cap` first.
    #[must_use]
    pub const fn base(mut self, base: Duration) -> Self {
        self.base = base;
        self.checked(Faults { base_zero: true, base_above_cap: true, ..Faults::NONE })
    }

    /// The largest window.
    ///
    /// # Panics
    /// When it is zero or below `base`: set a smaller `base` first.
    #[must_use]
    pub const fn cap(mut self, cap: Duration) -> Self {
        self.cap = cap;
        self.checked(Faults { cap_zero: true, base_above_cap: true, ..Faults::NONE })
    }

    /// The growth of the window from one retry to the next; 1 keeps it constant.
    ///
    /// # Panics
    /// When it is below 1, infinite or not a number.
    #[must_use]
    pub const fn factor(mut self, factor: f64) -> Self {
        self.factor = factor;
        self.checked(Faults { factor: true, ..Faults::NONE })
    }

    /// How many retries may follow the first attempt.
    ///
    /// # Panics
    /// When it is zero; at run time [`Policy::builder`] allows zero.
    #[must_use]
    pub const fn max(mut self, max: u32) -> Self {
        self.max = Some(max);
        self.checked(Faults { max_zero: true, ..Faults::NONE })
    }

    /// No limit on the number of retries. Something else should end the call: a deadline, a budget, a token.
    #[must_use]
    pub const fn unlimited(mut self) -> Self {
        self.max = None;
        self
    }

    /// The limit on the whole call. No attempt but the first starts at or after it, and no wait is begun that
    /// would end at or after it; a running attempt is not interrupted.
    ///
    /// # Panics
    /// When it is zero.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self.checked(Faults { deadline_zero: true, ..Faults::NONE })
    }

    /// An attempt that ran at least this long before it failed starts the counting of retries anew.
    ///
    /// # Panics
    /// When it is zero.
    #[must_use]
    pub const fn reset_after(mut self, reset_after: Duration) -> Self {
        self.reset_after = Some(reset_after);
        self.checked(Faults { reset_after_zero: true, ..Faults::NONE })
    }

    /// How the server's hint and the backoff combine.
    #[must_use]
    pub const fn retry_after_mode(mut self, mode: RetryAfterMode) -> Self {
        self.retry_after_mode = mode;
        self
    }

    /// The longest hint that is waited for; a longer one ends the call.
    #[must_use]
    pub const fn retry_after_max(mut self, longest: Duration) -> Self {
        self.retry_after_max = longest;
        self
    }

    /// Shortens the deadline to `limit` from the call's start; a shorter one stays. Never fails: with zero the
    /// first attempt is the only one.
    #[must_use]
    pub const fn within(mut self, limit: Duration) -> Self {
        self.within = match self.within {
            Some(known) if known.as_nanos() <= limit.as_nanos() => Some(known),
            _ => Some(limit),
        };
        self
    }

    /// Shortens the deadline to a point in time; an earlier one stays. Never fails: when it has passed, the first
    /// attempt is the only one.
    #[must_use]
    pub fn until(mut self, instant: Instant) -> Self {
        self.until = Some(self.until.map_or(instant, |known| known.min(instant)));
        self
    }

    /// The limit on retries; `None` when there is none.
    #[must_use]
    pub const fn get_max(&self) -> Option<u32> {
        self.max
    }

    /// The nearest deadline as a length from the call's start, which is asked for only where a point in time is set.
    #[inline]
    pub(crate) fn limit(&self, start: impl FnOnce() -> Instant) -> Option<Duration> {
        let limit = self.fixed_limit();
        let Some(until) = self.until else { return limit };
        let left = until.saturating_duration_since(start());
        Some(limit.map_or(left, |limit| limit.min(left)))
    }

    /// The same apart from `until`.
    pub(crate) const fn fixed_limit(&self) -> Option<Duration> {
        match (self.deadline, self.within) {
            (Some(one), Some(other)) => Some(if one.as_nanos() <= other.as_nanos() { one } else { other }),
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => None,
        }
    }

    /// Every fault of the settings, in the order of the fields.
    const fn faults(&self) -> Faults {
        Faults {
            base_zero: self.base.is_zero(),
            cap_zero: self.cap.is_zero(),
            base_above_cap: self.base.as_nanos() > self.cap.as_nanos(),
            factor: !(self.factor >= 1.0 && self.factor < f64::INFINITY),
            max_zero: matches!(self.max, Some(0)),
            deadline_zero: matches!(self.deadline, Some(limit) if limit.is_zero()),
            reset_after_zero: matches!(self.reset_after, Some(limit) if limit.is_zero()),
        }
    }

    /// Panics with the sentence of the first fault that is asked for.
    const fn checked(self, asked: Faults) -> Self {
        let found = self.faults();
        assert!(!(asked.base_zero && found.base_zero), "{}", sentence::BASE_ZERO);
        assert!(!(asked.cap_zero && found.cap_zero), "{}", sentence::CAP_ZERO);
        assert!(!(asked.base_above_cap && found.base_above_cap), "{}", sentence::BASE_ABOVE_CAP);
        assert!(!(asked.factor && found.factor), "{}", sentence::FACTOR);
        assert!(!(asked.max_zero && found.max_zero), "{}", sentence::MAX_ZERO);
        assert!(!(asked.deadline_zero && found.deadline_zero), "{}", sentence::DEADLINE_ZERO);
        assert!(!(asked.reset_after_zero && found.reset_after_zero), "{}", sentence::RESET_AFTER_ZERO);
        self
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

/// Which sentences apply, or are asked for.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "one answer per sentence, not a state")]
struct Faults {
    base_zero: bool,
    cap_zero: bool,
    base_above_cap: bool,
    factor: bool,
    max_zero: bool,
    deadline_zero: bool,
    reset_after_zero: bool,
}

impl Faults {
    const NONE: Self = Self {
        base_zero: false,
        cap_zero: false,
        base_above_cap: false,
        factor: false,
        max_zero: false,
        deadline_zero: false,
        reset_after_zero: false,
    };
}

/// Settings that come from outside the program, checked together by [`build`](PolicyBuilder::build).
///
/// ```
/// use retry_runtime::Policy;
/// use std::time::Duration;
///
/// let wrong = Policy::builder().base(Duration::from_secs(20)).factor(0.5).build();
/// assert!(wrong.unwrap_err().to_string().contains("`base` is above `cap`"));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct PolicyBuilder(Policy);

impl PolicyBuilder {
    /// See [`Policy::strategy`].
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.0.strategy = strategy;
        self
    }

    /// See [`Policy::base`].
    pub const fn base(mut self, base: Duration) -> Self {
        self.0.base = base;
        self
    }

    /// See [`Policy::cap`].
    pub const fn cap(mut self, cap: Duration) -> Self {
        self.0.cap = cap;
        self
    }

    /// See [`Policy::factor`].
    pub const fn factor(mut self, factor: f64) -> Self {
        self.0.factor = factor;
        self
    }

    /// See [`Policy::max`]; zero is allowed: one attempt, and no retries.
    pub const fn max(mut self, max: u32) -> Self {
        self.0.max = Some(max);
        self
    }

    /// See [`Policy::unlimited`].
    pub const fn unlimited(mut self) -> Self {
        self.0.max = None;
        self
    }

    /// See [`Policy::deadline`].
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.0.deadline = Some(deadline);
        self
    }

    /// See [`Policy::reset_after`].
    pub const fn reset_after(mut self, reset_after: Duration) -> Self {
        self.0.reset_after = Some(reset_after);
        self
    }

    /// See [`Policy::retry_after_mode`].
    pub const fn retry_after_mode(mut self, mode: RetryAfterMode) -> Self {
        self.0.retry_after_mode = mode;
        self
    }

    /// See [`Policy::retry_after_max`].
    pub const fn retry_after_max(mut self, longest: Duration) -> Self {
        self.0.retry_after_max = longest;
        self
    }

    /// The policy.
    ///
    /// # Errors
    /// When a setting can never be right; the error names every such setting.
    pub fn build(self) -> Result<Policy, InvalidPolicy> {
        let faults = Faults { max_zero: false, ..self.0.faults() };
        let invalid = InvalidPolicy(faults);
        if invalid.sentences().next().is_some() { Err(invalid) } else { Ok(self.0) }
    }
}

/// Why a policy cannot be: one sentence per setting.
#[derive(Clone, Copy)]
pub struct InvalidPolicy(Faults);

impl InvalidPolicy {
    /// What is wrong, a sentence for each setting.
    pub fn sentences(&self) -> impl Iterator<Item = &'static str> {
        let found = self.0;
        [
            (found.base_zero, sentence::BASE_ZERO),
            (found.cap_zero, sentence::CAP_ZERO),
            (found.base_above_cap, sentence::BASE_ABOVE_CAP),
            (found.factor, sentence::FACTOR),
            (found.max_zero, sentence::MAX_ZERO),
            (found.deadline_zero, sentence::DEADLINE_ZERO),
            (found.reset_after_zero, sentence::RESET_AFTER_ZERO),
        ]
        .into_iter()
        .filter_map(|(wrong, sentence)| wrong.then_some(sentence))
    }
}

impl fmt::Display for InvalidPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, sentence) in self.sentences().enumerate() {
            f.write_str(if nth == 0 { "" } else { "; " })?;
            f.write_str(sentence)?;
        }
        Ok(())
    }
}

impl fmt::Debug for InvalidPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.sentences()).finish()
    }
}

impl core::error::Error for InvalidPolicy {}
