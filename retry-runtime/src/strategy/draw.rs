//! What a strategy knows when it draws, and what it can ask for. Which strategy asks for what is in `strategy.rs`.

use std::time::Duration;

use super::smooth_peak;
use super::window::{float, short_window, window};
use crate::random;

/// What a strategy knows when it draws the delay of one retry.
///
/// ```
/// use retry_runtime::Draw;
/// use std::time::Duration;
///
/// let third = Draw::new(3, Duration::from_millis(200), Duration::from_secs(10));
/// assert_eq!(third.window(), Duration::from_millis(800));
/// assert!(retry_runtime::strategy::full(&third) <= third.window());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    pub(super) retry: u32,
    pub(super) base: Duration,
    pub(super) cap: Duration,
    pub(super) factor: f64,
    pub(super) previous: Duration,
    pub(super) carry: Option<f64>,
}

impl Draw {
    /// For retry number `retry`, from 1. The windows double, and nothing was drawn before.
    #[inline]
    #[must_use]
    pub const fn new(retry: u32, base: Duration, cap: Duration) -> Self {
        Self { retry, base, cap, factor: 2.0, previous: base, carry: None }
    }

    /// The growth of the window from one retry to the next; below 1, or not a number, it stays at `base`.
    #[inline]
    #[must_use]
    pub const fn factor(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// The backoff that was drawn before this one.
    #[inline]
    #[must_use]
    pub const fn after(mut self, previous: Duration) -> Self {
        self.previous = previous;
        self
    }

    /// Where the draw of `smooth` before this one ended: `F(i−1+U) / 2^(i−1)`.
    #[inline]
    pub(crate) const fn carrying(mut self, carry: Option<f64>) -> Self {
        self.carry = carry;
        self
    }

    /// The number of the retry, from 1.
    #[must_use]
    pub const fn retry(&self) -> u32 {
        self.retry
    }

    /// The longest backoff of this retry: `min(cap, base · factor^(retry−1))`, rounded to the nanosecond.
    #[inline]
    #[must_use]
    pub const fn window(&self) -> Duration {
        window(self.base, self.cap, self.factor, self.retry)
    }

    /// The first window.
    #[must_use]
    pub const fn base(&self) -> Duration {
        self.base
    }

    /// The largest window.
    #[must_use]
    pub const fn cap(&self) -> Duration {
        self.cap
    }

    /// The last backoff that was drawn, hints aside; `base` before the first.
    #[must_use]
    pub const fn previous(&self) -> Duration {
        self.previous
    }

    /// A random number, uniform over `[0, 1)`.
    #[must_use]
    #[allow(clippy::unused_self, reason = "the randomness belongs to the draw, wherever it comes from")]
    pub fn random(&self) -> f64 {
        random::unit()
    }

    /// A random duration, uniform over `[low, high]`; `low` where the range is empty.
    #[must_use]
    #[allow(clippy::unused_self, reason = "the randomness belongs to the draw, wherever it comes from")]
    pub fn between(&self, low: Duration, high: Duration) -> Duration {
        random::between(low, high)
    }

    /// `U[0, w]`.
    #[allow(clippy::inline_always, reason = "the default of every function")]
    #[inline(always)]
    pub(super) fn up_to_window(&self) -> Duration {
        // No way round through `Duration` while the window is short.
        match short_window(self.base, self.cap, self.factor, self.retry) {
            Some(window) => Duration::from_nanos(random::below(window + 1)),
            None => up_to_long_window(self.base, self.cap, self.factor, self.retry),
        }
    }

    /// The middle of `plus_minus`; `None` where its spread would not fit below the cap.
    pub(super) const fn centre(&self) -> Option<Duration> {
        match self.cap.checked_sub(self.base) {
            Some(top) if self.base.as_nanos() <= top.as_nanos() => {
                Some(window(self.base, top, self.factor, self.retry))
            }
            _ => None,
        }
    }

    pub(super) const fn index(&self) -> u32 {
        self.retry.saturating_sub(1)
    }

    /// Where a draw of `smooth` has ended that gave `delay`.
    #[inline(never)]
    pub(super) fn ended(self, delay: Duration) -> f64 {
        self.subtracted() + float(delay.as_nanos()) / self.smooth_unit()
    }

    /// What `smooth` subtracts, in units of 2^i.
    pub(super) fn subtracted(&self) -> f64 {
        if self.index() == 0 { 0.0 } else { 0.5 * self.carry.unwrap_or(0.0) }
    }

    /// The unit of `smooth`'s delays in nanoseconds: scaled so that the largest is the cap at most.
    pub(super) fn smooth_unit(&self) -> f64 {
        self.smooth_scale().min(float(self.cap.as_nanos()) / smooth_peak(self.index()))
    }

    /// `base/1.4 · 2^i` in nanoseconds. From `i` = 1023 on it stays where it is, above every cap.
    pub(super) const fn smooth_scale(&self) -> f64 {
        let exponent = if self.index() < 1023 { self.index() as u64 } else { 1023 };
        float(self.base.as_nanos()) / 1.4 * f64::from_bits((1023 + exponent) << 52)
    }
}

#[cold]
#[inline(never)]
fn up_to_long_window(base: Duration, cap: Duration, factor: f64, retry: u32) -> Duration {
    random::between(Duration::ZERO, window(base, cap, factor, retry))
}
