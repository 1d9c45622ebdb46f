//! The one source of randomness: a small generator per thread. What a draw means is for the strategies to say.

#[cfg(any(test, feature = "test-util"))]
use std::cell::Cell;
use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

thread_local! {
    // Const and without a destructor: nothing is registered, and it can still be read while the thread ends.
    static GENERATOR: RefCell<Option<SmallRng>> = const { RefCell::new(None) };
}

#[cfg(any(test, feature = "test-util"))]
thread_local! {
    static DRAWS: Cell<u64> = const { Cell::new(0) };
}

/// Uniform over `[0, 1)`, in steps of 2⁻⁵³: every value that an `f64` can hold at equal distances.
pub(crate) fn unit() -> f64 {
    const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit an f64 exactly")]
    let steps = (bits() >> 11) as f64;
    steps * STEP
}

/// Uniform over `[low, high]` in nanoseconds; `low` where the range is empty or a point.
#[inline]
pub(crate) fn between(low: Duration, high: Duration) -> Duration {
    let span = match high.checked_sub(low) {
        Some(span) if !span.is_zero() => span.as_nanos(),
        _ => return low,
    };
    low + u64::try_from(span + 1)
        .map_or_else(|_| wide(span), |outcomes| Duration::from_nanos(below(outcomes)))
}

/// Uniform over `[0, outcomes)`.
#[inline]
pub(crate) fn below(outcomes: u64) -> u64 {
    scaled(bits(), outcomes)
}

/// `bits / 2⁶⁴ · outcomes`, rounded down. An outcome is off its fair share by less than `outcomes / 2⁶⁴`.
fn scaled(bits: u64, outcomes: u64) -> u64 {
    let product = u128::from(bits) * u128::from(outcomes);
    #[allow(clippy::cast_possible_truncation, reason = "the upper half of 128 bits")]
    let upper = (product >> 64) as u64;
    upper
}

/// A range beyond 584 years, in at most 2⁶⁴ steps.
#[cold]
fn wide(span: u128) -> Duration {
    let bits = bits();
    #[allow(clippy::cast_possible_truncation, reason = "the two halves of the span")]
    let (upper, lower) = ((span >> 64) as u64, span as u64);
    // Cannot overflow: a duration has less than 2⁹⁴ nanoseconds, so `upper` is below 2³⁰.
    nanos(u128::from(upper) * u128::from(bits) + u128::from(scaled(bits, lower)))
}

/// So many nanoseconds; the largest duration where they do not fit.
pub(crate) const fn nanos(nanos: u128) -> Duration {
    const SECOND: u128 = 1_000_000_000;
    #[allow(clippy::cast_possible_truncation, reason = "both parts are compared or reduced first")]
    if nanos / SECOND > u64::MAX as u128 {
        Duration::MAX
    } else {
        Duration::new((nanos / SECOND) as u64, (nanos % SECOND) as u32)
    }
}

fn bits() -> u64 {
    #[cfg(any(test, feature = "test-util"))]
    let _ = DRAWS.try_with(|draws| draws.set(draws.get().wrapping_add(1)));
    GENERATOR
        .try_with(|slot| match &mut *slot.borrow_mut() {
            Some(generator) => generator.next_u64(),
            empty => first(empty),
        })
        // Where thread-locals are emulated, this one may be gone before the thread is.
        .unwrap_or_else(|_| fresh().next_u64())
}

#[cold]
fn first(slot: &mut Option<SmallRng>) -> u64 {
    slot.insert(fresh()).next_u64()
}

/// A generator that no other thread or process shares: the standard library's hash keys differ for each.
#[cold]
fn fresh() -> SmallRng {
    SmallRng::seed_from_u64(RandomState::new().hash_one(0_u64))
}

/// Makes this thread's draws a function of `seed` from here on, and counts them from zero.
#[cfg(any(test, feature = "test-util"))]
pub(crate) fn seed(seed: u64) {
    GENERATOR.replace(Some(SmallRng::seed_from_u64(seed)));
    DRAWS.set(0);
}

/// How often this thread has drawn.
#[cfg(any(test, feature = "test-util"))]
pub(crate) fn draws() -> u64 {
    DRAWS.get()
}
