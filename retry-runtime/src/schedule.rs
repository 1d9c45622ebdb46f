//! What a policy amounts to: its windows as a table, and the longest that a call can wait. Draws nothing.

use core::fmt;
use std::time::Duration;

use crate::hint::RetryAfterMode;
use crate::policy::Policy;
use crate::random::nanos;
use crate::strategy::{Draw, Strategy, smooth_of, smooth_term, window};

/// The longest that a call can spend waiting, apart from the time of its attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstCase {
    backoff: Duration,
    with_hints: Duration,
}

impl WorstCase {
    /// All waits by backoff at their longest; [`Duration::MAX`] where nothing bounds them.
    #[must_use]
    pub const fn backoff(&self) -> Duration {
        self.backoff
    }

    /// The same where the server asks for `retry_after_max` before each retry, with the longest spread.
    #[must_use]
    pub const fn with_hints(&self) -> Duration {
        self.with_hints
    }
}

/// Retries whose waits are added one by one; the further ones of a window that grows so slowly are taken at their
/// largest, since a constant must be computed in bounded time.
const ADDED: u32 = 256;

impl Policy {
    /// The longest that a call can spend waiting: the sum of the longest delay of each retry, at most the deadline.
    ///
    /// Can be computed while compiling, so a limit can be asserted there:
    ///
    /// ```
    /// use retry_runtime::Policy;
    ///
    /// const POLICY: Policy = Policy::new().max(4);
    /// const _: () = assert!(POLICY.worst_case().backoff().as_secs() < 4);
    /// assert_eq!(POLICY.worst_case().backoff().as_millis(), 200 + 400 + 800 + 1_600);
    /// ```
    #[must_use]
    pub const fn worst_case(&self) -> WorstCase {
        let bound = match self.fixed_limit() {
            Some(deadline) => deadline.as_nanos(),
            None => Duration::MAX.as_nanos(),
        };
        let Some(max) = self.max else {
            return WorstCase { backoff: nanos(bound), with_hints: nanos(bound) };
        };
        let (mut backoff, mut hinted, mut retry) = (0_u128, 0_u128, 0);
        while retry < max && retry < ADDED {
            retry += 1;
            backoff = backoff.saturating_add(self.longest(retry).as_nanos());
            hinted = hinted.saturating_add(self.longest_with_hint(retry).as_nanos());
        }
        // By now the window is at its cap, or grows by less than a few percent with each step.
        let (left, last) = ((max - retry) as u128, if self.factor > 1.0 { u32::MAX } else { retry });
        backoff = backoff.saturating_add(left.saturating_mul(self.longest(last).as_nanos()));
        hinted = hinted.saturating_add(left.saturating_mul(self.longest_with_hint(last).as_nanos()));
        WorstCase {
            backoff: nanos(if backoff < bound { backoff } else { bound }),
            with_hints: nanos(if hinted < bound { hinted } else { bound }),
        }
    }

    /// The windows of the retries, to be printed or gone through.
    ///
    /// ```
    /// use retry_runtime::Policy;
    ///
    /// let schedule = Policy::new().max(3).schedule();
    /// assert_eq!(
    ///     schedule.to_string(),
    ///     "retry  at least  at most  median  in all at most  with hints at most\n    \
    ///          1       0ns    200ms   100ms           200ms                 70s\n    \
    ///          2       0ns    400ms   200ms           600ms                140s\n    \
    ///          3       0ns    800ms   400ms            1.4s                210s\n"
    /// );
    /// ```
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        Schedule { policy: *self }
    }

    const fn draw(&self, retry: u32) -> Draw {
        Draw::new(retry, self.base, self.cap).factor(self.factor)
    }

    const fn longest(&self, retry: u32) -> Duration {
        self.strategy.largest(&self.draw(retry))
    }

    const fn longest_with_hint(&self, retry: u32) -> Duration {
        let (backoff, hint) = (self.longest(retry).as_nanos(), self.retry_after_max.as_nanos());
        let longest = match self.retry_after_mode {
            RetryAfterMode::Floor => {
                let window = window(self.base, self.cap, self.factor, retry).as_nanos();
                let spread = if window > hint / 2 { window } else { hint / 2 };
                let cap = self.cap.as_nanos();
                hint.saturating_add(if spread < cap { spread } else { cap })
            }
            RetryAfterMode::Replace => hint,
            RetryAfterMode::Ceiling => backoff,
        };
        nanos(if longest > backoff { longest } else { backoff })
    }
}

/// The waits before the retries of a policy.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    policy: Policy,
}

/// The wait before one retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The number of the retry, from 1.
    pub retry: u32,
    /// The shortest delay by backoff.
    pub least: Duration,
    /// The longest delay by backoff.
    pub most: Duration,
    /// Half of the delays are shorter; `None` for a strategy of your own.
    pub median: Option<Duration>,
    /// All delays so far at their longest.
    pub total: Duration,
    /// The same where the server asks for `retry_after_max` each time.
    pub total_with_hints: Duration,
}

impl Schedule {
    /// One row for each retry, without end for an unlimited policy. A deadline is not looked at.
    pub fn rows(self) -> impl Iterator<Item = Row> {
        let policy = self.policy;
        let mut chain = Chain::start(&policy);
        let (mut total, mut total_with_hints) = (Duration::ZERO, Duration::ZERO);
        (1..=policy.max.unwrap_or(u32::MAX)).map(move |retry| {
            let draw = policy.draw(retry);
            total = total.saturating_add(policy.longest(retry));
            total_with_hints = total_with_hints.saturating_add(policy.longest_with_hint(retry));
            let (least, most) = (policy.strategy.smallest(&draw), policy.longest(retry));
            let median = match policy.strategy {
                Strategy::Custom(_) => None,
                Strategy::Decorrelated => Some(chain.next_median(&draw)),
                Strategy::Smooth => Some(smooth_median(&draw)),
                _ => Some(least.saturating_add(most.saturating_sub(least) / 2)),
            };
            Row { retry, least, most, median, total, total_with_hints }
        })
    }
}

/// Rows of a longer schedule that are printed.
const PRINTED: usize = 20;

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "retry  at least  at most  median  in all at most  with hints at most")?;
        for row in self.rows().take(PRINTED) {
            let [least, most, total, hinted] = [row.least, row.most, row.total, row.total_with_hints]
                .map(|length| format!("{:?}", rounded(length)));
            let median = row.median.map_or_else(|| "?".to_owned(), |median| format!("{:?}", rounded(median)));
            writeln!(f, "{:>5}{least:>10}{most:>9}{median:>8}{total:>16}{hinted:>20}", row.retry)?;
        }
        match self.policy.max {
            Some(max) if max as usize > PRINTED => writeln!(f, "    … {max} retries in all"),
            None => writeln!(f, "    … without end"),
            Some(_) => Ok(()),
        }
    }
}

/// To the millisecond from one on, as a table needs it.
fn rounded(length: Duration) -> Duration {
    if length < Duration::from_millis(1) {
        return length;
    }
    Duration::from_millis(u64::try_from((length.as_nanos() + 500_000) / 1_000_000).unwrap_or(u64::MAX))
}

/// Points that stand for the distribution of a delay, each for an equal part of it.
const POINTS: usize = 128;

/// The distribution of `decorrelated`, which hangs on the delay before.
struct Chain(Vec<f64>);

impl Chain {
    fn start(policy: &Policy) -> Self {
        Self(vec![policy.base.as_secs_f64(); POINTS])
    }

    /// Goes on to the distribution of the next delay; its median.
    fn next_median(&mut self, draw: &Draw) -> Duration {
        let (base, cap) = (draw.base().as_secs_f64(), draw.cap().as_secs_f64());
        let tops: Vec<f64> = self.0.iter().map(|previous| (3.0 * previous).min(cap)).collect();
        #[allow(clippy::cast_precision_loss, reason = "128 points")]
        let below = |delay: f64| {
            let parts = tops
                .iter()
                .map(|top| if *top <= base { 1.0 } else { ((delay - base) / (top - base)).clamp(0.0, 1.0) });
            parts.sum::<f64>() / POINTS as f64
        };
        let quantile = |part: f64| {
            let (mut low, mut high) = (base, cap.max(base));
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                if below(middle) < part { low = middle } else { high = middle }
            }
            high
        };
        let median = quantile(0.5);
        #[allow(clippy::cast_precision_loss, reason = "128 points")]
        let points = (0..POINTS).map(|point| quantile((point as f64 + 0.5) / POINTS as f64)).collect();
        self.0 = points;
        Duration::try_from_secs_f64(median).unwrap_or(Duration::MAX)
    }
}

/// The median of `smooth` over a grid of its two random numbers.
fn smooth_median(draw: &Draw) -> Duration {
    #[allow(clippy::cast_precision_loss, reason = "128 points")]
    let chance = |point: usize| (point as f64 + 0.5) / POINTS as f64;
    let mut delays: Vec<Duration> = (0..POINTS * POINTS)
        .map(|point| {
            let before = draw.retry().checked_sub(2).map(|index| smooth_term(index, chance(point % POINTS)));
            smooth_of(&draw.carrying(before), chance(point / POINTS))
        })
        .collect();
    delays.sort_unstable();
    delays.get(delays.len() / 2).copied().unwrap_or_default()
}
