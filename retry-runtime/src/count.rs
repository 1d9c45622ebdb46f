//! A call of which nothing but the number of retries need be remembered: what most annotated functions are.
//!
//! Its policy is a constant, so all that can be known of a delay before the call is computed while compiling.

use std::time::Duration;

use crate::deadline;
use crate::policy::Policy;
use crate::random;
use crate::run::{Before, Facts, decide};
use crate::strategy::{Strategy, short};
use crate::switch;

/// The retries so far. In 64 bits: nobody counts to their end, so no step has to look for it.
#[derive(Clone, Copy, Debug)]
pub struct Count(u64);

impl Count {
    /// A call that begins now.
    #[must_use]
    pub const fn start() -> Self {
        Self(0)
    }

    /// The delay before the next attempt; `None` gives up.
    #[inline]
    pub fn failed(&mut self, policy: &Plain, hint: Option<Duration>) -> Option<Duration> {
        after_hinted(policy, self.next(), hint)
    }

    /// The same where an error can have no hint.
    #[inline]
    pub fn failed_unhinted(&mut self, policy: &Plain) -> Option<Duration> {
        after(policy, self.next())
    }

    // Before the decision: nothing has to be kept across it. Nobody asks a call that has given up.
    #[inline]
    const fn next(&mut self) -> u64 {
        let retries = self.0;
        self.0 = retries.wrapping_add(1);
        retries
    }
}

/// A policy, and what follows from it where it is what nearly every policy is: windows that double below 2³³ seconds,
/// with full jitter or none.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    policy: Policy,
    /// The retries that need no other setting: up to `max`, or none.
    usual: u64,
    base: u64,
    cap: u64,
    /// How often `base` can be doubled below `cap`.
    doublings: u64,
    has_jitter: bool,
}

impl Plain {
    /// For a constant.
    #[must_use]
    pub const fn new(policy: Policy) -> Self {
        let plain = Self { policy, usual: 0, base: 0, cap: 0, doublings: 0, has_jitter: false };
        let (Some(base), Some(cap)) = (short(policy.base), short(policy.cap)) else { return plain };
        let has_jitter = match policy.strategy {
            Strategy::None => false,
            Strategy::Full => true,
            _ => return plain,
        };
        if base == 0 || base > cap || policy.factor.to_bits() != 2.0_f64.to_bits() {
            return plain;
        }
        let usual = match policy.max {
            Some(max) => max as u64,
            None => u64::MAX,
        };
        Self { usual, base, cap, doublings: (cap / base).ilog2() as u64, has_jitter, ..plain }
    }

    #[inline]
    const fn window(&self, retries: u64) -> u64 {
        if retries <= self.doublings { self.base << retries } else { self.cap }
    }
}

// By value and out of line: what annotated functions share is compiled once, and their success path stays short. Each
// way ends in a call: then nothing has to be kept on the stack.
#[cold]
#[inline(never)]
fn after(policy: &Plain, retries: u64) -> Option<Duration> {
    if retries >= policy.usual || !switch::is_untouched() {
        after_bounded(&policy.policy, retries, None)
    } else if policy.has_jitter {
        drawn(policy.window(retries))
    } else {
        Some(waiting(policy.window(retries)))
    }
}

#[allow(clippy::unnecessary_wraps, reason = "it is the end of `after`")]
#[inline(never)]
fn drawn(window: u64) -> Option<Duration> {
    Some(waiting(random::below(window + 1)))
}

#[inline]
fn waiting(nanos: u64) -> Duration {
    let delay = Duration::from_nanos(nanos);
    #[cfg(feature = "test-util")]
    crate::testing::record(crate::Step::Wait(delay));
    delay
}

#[cold]
#[inline(never)]
fn after_hinted(policy: &Plain, retries: u64, hint: Option<Duration>) -> Option<Duration> {
    if hint.is_none() { after(policy, retries) } else { after_bounded(&policy.policy, retries, hint) }
}

// Apart from the above, which nearly every retry takes: it would have to keep more in registers.
#[cold]
#[inline(never)]
fn after_bounded(policy: &Policy, retries: u64, hint: Option<Duration>) -> Option<Duration> {
    let bounds = deadline::bounds();
    let left = bounds.nearest.map(deadline::Deadline::left);
    let facts = Facts { left, hint, single: bounds.single, ..Facts::default() };
    let retries = u32::try_from(retries).unwrap_or(u32::MAX);
    decide(policy, retries, Before::start(policy), &facts).ok().map(|decision| decision.delay)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::window;

    fn policy(base: Duration, cap: Duration) -> Policy {
        Policy::builder().strategy(Strategy::None).base(base).cap(cap).unlimited().build().expect("a policy")
    }

    /// The two ways to a window give the same, from the first retry to the last that can be counted.
    #[test]
    fn what_is_computed_ahead_is_what_is_computed_at_each_retry() {
        let nanos =
            [1, 2, 3, 999_999_999, 1_000_000_000, 86_400_000_000_000, (1 << 33) * 1_000_000_000 - 1, 1 << 62];
        for base in nanos {
            for cap in nanos.into_iter().filter(|cap| *cap >= base) {
                let (base, cap) = (Duration::from_nanos(base), Duration::from_nanos(cap));
                let plain = Plain::new(policy(base, cap));
                assert_eq!(plain.usual, u64::MAX, "{base:?} {cap:?}");
                for retry in (1..200).chain([1 << 31, u32::MAX]) {
                    let ahead = Duration::from_nanos(plain.window(u64::from(retry) - 1));
                    assert_eq!(
                        ahead,
                        window(base, cap, 2.0, retry),
                        "retry {retry} of {base:?} up to {cap:?}"
                    );
                }
                let beyond = Duration::from_nanos(plain.window(1 << 40));
                assert_eq!(beyond, window(base, cap, 2.0, u32::MAX));
            }
        }
    }

    #[test]
    fn what_is_not_usual_is_decided_with_every_setting() {
        let usual = policy(Duration::from_millis(200), Duration::from_secs(10));
        let long = Duration::from_secs(1 << 33);
        for other in [
            Policy { factor: 3.0, ..usual },
            Policy { strategy: Strategy::Equal, ..usual },
            Policy { cap: long, ..usual },
            Policy { base: long, cap: long, ..usual },
            Policy { max: Some(0), ..usual },
        ] {
            assert_eq!(Plain::new(other).usual, 0, "{other:?}");
        }
        assert_eq!(Plain::new(Policy { max: Some(7), ..usual }).usual, 7);
    }
}
