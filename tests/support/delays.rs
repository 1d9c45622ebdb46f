//! Sections 4 and 5 of the contract: between which bounds a delay lies.

use std::time::Duration;

use retry_runtime::{RetryAfterMode, Strategy};

use crate::story::Settings;

/// `floor`: `U[0, min(cap, max(w, RA/2))]` above `RA`; `replace`: nothing.
pub(crate) fn spread(settings: &Settings, retry: u32, hint: Duration) -> Duration {
    let floor = settings.mode == RetryAfterMode::Floor;
    if floor { settings.cap.min(window(settings, retry).max(hint / 2)) } else { Duration::ZERO }
}

/// `w(r) = min(cap, base · factor^(r−1))`, to the nanosecond.
fn window(settings: &Settings, retry: u32) -> Duration {
    let unit = 8_u128.pow(retry - 1);
    let power = u128::from(settings.eighths).checked_pow(retry - 1);
    let grown = power.and_then(|power| power.checked_mul(settings.base.as_nanos()));
    let nanos = grown.map_or(u128::MAX, |grown| (grown + unit / 2) / unit).min(settings.cap.as_nanos());
    let (seconds, rest) = (u64::try_from(nanos / 1_000_000_000), u32::try_from(nanos % 1_000_000_000));
    Duration::new(seconds.expect("at most the cap"), rest.expect("less than a second"))
}

/// Section 4: the least and the greatest delay of each strategy.
pub(crate) fn backoff(settings: &Settings, retry: u32, previous: Duration) -> (Duration, Duration) {
    // A contradiction between a key and a run-time policy is settled by the smaller limit.
    let (base, cap) = (settings.base.min(settings.cap), settings.cap);
    let w = window(settings, retry);
    match settings.strategy {
        Strategy::None => (w, w),
        Strategy::Full => (Duration::ZERO, w),
        Strategy::Equal => (w / 2, w),
        Strategy::Decorrelated => (base, cap.min(previous.saturating_mul(3))),
        Strategy::PlusMinus if cap < base.saturating_mul(2) => (Duration::ZERO, cap),
        Strategy::PlusMinus => {
            let c = w.min(cap.saturating_sub(base));
            (c.saturating_sub(base), c + base)
        }
        Strategy::Smooth => {
            // At most F(i + 1) − F(i − 1), at least F(i) − F(i).
            let f = |t: f64| if t < 0.0 { 0.0 } else { t.exp2() * (4.0 * t).sqrt().tanh() };
            let i = f64::from(retry - 1);
            let largest = base.as_secs_f64() / 1.4 * (f(i + 1.0) - f(i - 1.0));
            let largest = Duration::try_from_secs_f64(largest).unwrap_or(Duration::MAX);
            (Duration::ZERO, cap.min(largest.saturating_add(Duration::from_nanos(1))))
        }
        _ => unreachable!("a strategy without a name"),
    }
}
