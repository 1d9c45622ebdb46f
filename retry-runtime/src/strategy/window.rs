//! The window of a retry, exact to the nanosecond for every retry number. Nothing here is random.

use std::time::Duration;

use crate::random::nanos;

/// `min(cap, base · factor^(retry−1))`, to the nearest nanosecond.
#[inline]
pub(crate) const fn window(base: Duration, cap: Duration, factor: f64, retry: u32) -> Duration {
    match short_window(base, cap, factor, retry) {
        Some(window) => Duration::from_nanos(window),
        None => grown(base.as_nanos(), cap.as_nanos(), factor, retry.saturating_sub(1)),
    }
}

/// What nearly every call takes: the window in nanoseconds where it doubles and stays below 2³³ seconds.
#[inline]
pub(super) const fn short_window(base: Duration, cap: Duration, factor: f64, retry: u32) -> Option<u64> {
    const TWO: u64 = 2.0_f64.to_bits();
    if factor.to_bits() != TWO {
        return None;
    }
    let (Some(base), Some(cap)) = (short(base), short(cap)) else { return None };
    let steps = retry.saturating_sub(1);
    // `base · 2^steps ≤ cap`, asked without the product, which may not fit.
    Some(if steps < 64 && base <= cap >> steps {
        base << steps
    } else if base == 0 {
        0
    } else {
        cap
    })
}

/// Nanoseconds, where it is less than 2³³ seconds.
#[inline]
pub(crate) const fn short(duration: Duration) -> Option<u64> {
    const SECOND: u64 = 1_000_000_000;
    if duration.as_secs() >> 33 != 0 {
        return None;
    }
    Some(duration.as_secs() * SECOND + duration.subsec_nanos() as u64)
}

/// Any other factor, and durations beyond 272 years: powers by squaring, so that no retry number costs more than 32
/// steps, and with twice the digits of an `f64`, so that whole results come out whole and no window is below the one
/// before it.
#[cold]
const fn grown(base: u128, cap: u128, factor: f64, steps: u32) -> Duration {
    if base == 0 || steps == 0 || factor.is_nan() || factor <= 1.0 {
        return nanos(if base < cap { base } else { cap });
    }
    // Far enough beyond the cap that no rounding matters, and far below where an `f64` ends.
    let enough = 2.0 * float(cap) / float(base);
    let (mut power, mut square, mut left) = ((1.0, 0.0), (factor, 0.0), steps);
    while left > 0 {
        if square.0 > enough || power.0 > enough {
            return nanos(cap);
        }
        if left % 2 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        left /= 2;
    }
    if power.0 > enough {
        return nanos(cap);
    }
    let grown = whole(product(power, split(base)));
    nanos(if grown < cap { grown } else { cap })
}

/// A number as the sum of two, the second below half a unit in the last place of the first (Dekker, 1971).
type Double = (f64, f64);

const fn product(a: Double, b: Double) -> Double {
    let high = a.0 * b.0;
    let ((a0, a1), (b0, b1)) = (halves(a.0), halves(b.0));
    let error = ((a0 * b0 - high) + a0 * b1 + a1 * b0) + a1 * b1;
    let low = error + (a.0 * b.1 + a.1 * b.0);
    let sum = high + low;
    (sum, low - (sum - high))
}

/// The upper and the lower 26 bits (Veltkamp), whose products are exact.
const fn halves(number: f64) -> Double {
    let shifted = 134_217_729.0 * number;
    let upper = shifted - (shifted - number);
    (upper, number - upper)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "below 2^96"
)]
const fn split(nanos: u128) -> Double {
    let high = float(nanos);
    (high, float_signed(nanos as i128 - high as i128))
}

/// To the nearest whole number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and below 2^96")]
const fn whole(number: Double) -> u128 {
    let high = number.0 as i128;
    let rest = (number.0 - float_signed(high)) + number.1 + 0.5;
    let towards_zero = rest as i128;
    let below = if float_signed(towards_zero) > rest { towards_zero - 1 } else { towards_zero };
    (high + below) as u128
}

#[allow(clippy::cast_precision_loss, reason = "the nearest is what is meant")]
pub(super) const fn float(nanos: u128) -> f64 {
    nanos as f64
}

#[allow(clippy::cast_precision_loss, reason = "the nearest is what is meant")]
const fn float_signed(nanos: i128) -> f64 {
    nanos as f64
}
