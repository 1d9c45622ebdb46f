//! What must happen in one call: sections 3 to 5 of the contract as plain code, to be read beside them.
//!
//! Nothing here comes from the runtime but the names of its settings. Where the contract leaves a delay to chance, the
//! model goes on with the wait that was seen, forced into the bounds.

use std::time::Duration;

use retry_runtime::{DelaySource, RetryAfterMode, StopReason, Strategy};

use crate::story::{Attempt, Chance, Ends, Event, Law, Settings, Story, View};

/// `script` ends with an Ok; `seen` are the waits that really happened.
pub(crate) fn call(settings: &Settings, script: &[Attempt], seen: &[Duration]) -> Story {
    let mut call =
        Call { settings, seen: seen.iter(), counted: Counted::new(settings), story: Story::default() };
    let (mut now, mut last_delay) = (Duration::ZERO, None);
    for (number, attempt) in (1..).zip(script) {
        let time_left = |now| settings.deadline.map(|deadline| deadline.saturating_sub(now));
        // `max` counts the retries after the first attempt; what it still allows:
        let retries_left = settings.max.map_or(u32::MAX, |max| max - call.counted.retries);
        let view = View { is_retry: number > 1, retries_left, last_delay, time_left: time_left(now) };
        // The first attempt always runs, even if the deadline has passed.
        call.tell(Event::Began { number, at: now, view: Some(view) });
        // The deadline does not interrupt a running attempt.
        now = now.saturating_add(attempt.takes);
        // Ok: returned at once, untouched.
        if matches!(attempt.ends, Ends::Ok) {
            call.tell(Event::Returned { outcome: Ok(number), at: now });
            break;
        }
        // The predicate is asked after every failed attempt, the last included.
        call.tell(Event::Asked { number, time_left: time_left(now) });
        // An error that it does not call retryable: returned at once, untouched; no hook runs.
        let Ends::Soft { hint } = attempt.ends else {
            call.tell(Event::Returned { outcome: Err(number), at: now });
            break;
        };
        // An attempt that ran at least `reset_after` before it failed starts the counting anew, never the deadline.
        if settings.reset_after.is_some_and(|least| attempt.takes >= least) {
            call.counted = Counted { anew: true, ..Counted::new(settings) };
        }
        match call.decide(attempt, hint.filter(|hint| !hint.is_zero()), time_left(now)) {
            // `on_retry`, the wait, and the next attempt. No wait is clipped.
            Ok((delay, source)) => {
                call.tell(Event::Retrying { error: number, attempt: number, delay, source, elapsed: now });
                now = now.saturating_add(delay);
                last_delay = Some(delay);
            }
            // The last outcome is returned untouched, and the hook carries the reason.
            Err(reason) => {
                call.tell(Event::GaveUp { error: number, attempts: number, reason, elapsed: now });
                call.tell(Event::Returned { outcome: Err(number), at: now });
                break;
            }
        }
    }
    call.story
}

struct Call<'a> {
    settings: &'a Settings,
    seen: std::slice::Iter<'a, Duration>,
    counted: Counted,
    story: Story,
}

/// What `reset_after` starts anew: the retry number, with it the window and `max`, and `previous`.
struct Counted {
    retries: u32,
    /// The last backoff drawn, or the most that it can have been where a hint below it became the delay.
    previous: Duration,
    certain: bool,
    anew: bool,
}

impl Counted {
    /// previous = base before the first.
    fn new(settings: &Settings) -> Self {
        Self { retries: 0, previous: settings.base.min(settings.cap), certain: true, anew: false }
    }
}

impl Call<'_> {
    fn tell(&mut self, event: Event) {
        self.story.events.push(event);
    }

    /// Step 5. A hint of zero means the backoff alone: it comes here as none.
    fn decide(
        &mut self,
        attempt: &Attempt,
        hint: Option<Duration>,
        left: Option<Duration>,
    ) -> Result<(Duration, DelaySource), StopReason> {
        let settings = self.settings;
        // In this order: retries off (`max = 0` at run time: reason `Off`), token fired, retries used up.
        if !attempt.enabled || settings.max == Some(0) {
            return Err(StopReason::Off);
        }
        if attempt.cancelled {
            return Err(StopReason::Cancelled);
        }
        if settings.max.is_some_and(|max| self.counted.retries >= max) {
            return Err(StopReason::MaxRetries);
        }
        // The retry number counts every retry, so a hint neither resets nor skips the growth.
        self.counted.retries += 1;
        let Counted { retries, previous, certain, .. } = self.counted;
        match hint {
            // `floor` and `replace`: a hint above `retry_after_max` gives up at once; RA, and in `floor` a spread.
            Some(hint) if settings.mode != RetryAfterMode::Ceiling => {
                if hint > settings.retry_after_max {
                    return Err(StopReason::RetryAfterTooLong);
                }
                // If only the spread passes the deadline, it is drawn from what the deadline leaves above `RA`.
                let last = left.map_or(Duration::MAX, |left| left.saturating_sub(Duration::from_nanos(1)));
                let high = hint.saturating_add(spread(settings, retries, hint)).min(last).max(hint);
                Ok((self.wait(hint, high, left, Law::Spread)?, DelaySource::Hint))
            }
            // `ceiling`: min(v, RA). Without a hint: v. Where the two are equal the delay came from the backoff.
            _ => {
                let most = hint.unwrap_or(Duration::MAX);
                let (low, high) = backoff(settings, retries, previous);
                let even = certain && high <= most && !matches!(settings.strategy, Strategy::Smooth);
                let law = if even { Law::Backoff } else { Law::Uneven };
                let delay = self.wait(low.min(most), high.min(most), left, law)?;
                // `previous` is the last backoff drawn, never a hint.
                let hidden = delay == most && high > most;
                self.counted.previous = if hidden { high } else { delay };
                self.counted.certain = !hidden;
                Ok((delay, if hidden { DelaySource::Hint } else { DelaySource::Backoff }))
            }
        }
    }

    /// A delay from `[low, high]`, unless `now + delay` reaches or passes the deadline.
    fn wait(
        &mut self,
        low: Duration,
        high: Duration,
        left: Option<Duration>,
        law: Law,
    ) -> Result<Duration, StopReason> {
        let reaches = |delay| left.is_some_and(|left| delay >= left);
        if reaches(low) {
            return Err(StopReason::Deadline);
        }
        let delay = match self.seen.next() {
            None if reaches(high) => None,
            seen => Some(seen.copied().unwrap_or_default().clamp(low, high)),
        };
        let anew = self.counted.anew && self.counted.retries == 1;
        self.story.chances.push(Chance { low, high, left, law, anew, delay });
        delay.filter(|delay| !reaches(*delay)).ok_or(StopReason::Deadline)
    }
}

/// `floor`: `U[0, min(cap, max(w, RA/2))]` above `RA`; `replace`: nothing.
fn spread(settings: &Settings, retry: u32, hint: Duration) -> Duration {
    let floor = settings.mode == RetryAfterMode::Floor;
    if floor { settings.cap.min(window(settings, retry).max(hint / 2)) } else { Duration::ZERO }
}

/// `w(r) = min(cap, base · factor^(r−1))`, to the nanosecond.
fn window(settings: &Settings, retry: u32) -> Duration {
    let unit = 8_u128.pow(retry - 1);
    let power = u128::from(settings.eighths).checked_pow(retry - 1);
    let grown = power.and_then(|power| power.checked_mul(settings.base.as_nanos()));
    let nanos = grown.map_or(u128::MAX, |grown| (grown + unit / 2) / unit).min(settings.cap.as_nanos());
    Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32)
}

/// Section 4: the least and the greatest delay of each strategy.
fn backoff(settings: &Settings, retry: u32, previous: Duration) -> (Duration, Duration) {
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
            let c = w.min(cap - base);
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
