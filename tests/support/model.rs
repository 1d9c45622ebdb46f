//! What must happen in one call: sections 3 and 5 of the contract as plain code, to be read beside them.
//!
//! Nothing here comes from the runtime but the names of its settings. Where the contract leaves a delay to chance, the
//! model goes on with the delay that was seen, forced into the bounds.

use std::time::Duration;

use retry_runtime::{DelaySource, RetryAfterMode, Step, StopReason, Strategy};

use crate::story::{Around, Attempt, Chance, Ends, Event, Law, Settings, Story, Timeout, View};

pub(crate) mod bucket;
mod delays;

use delays::{backoff, spread};

/// A call on its own.
pub(crate) fn call(settings: &Settings, script: &[Attempt], seen: &[Step]) -> Story {
    call_in(Around::default(), settings, script, seen)
}

/// `script` ends with an Ok; `seen` are the decisions that were really made.
pub(crate) fn call_in(
    mut around: Around<'_>,
    settings: &Settings,
    script: &[Attempt],
    seen: &[Step],
) -> Story {
    // Every call deposits `ratio` of a token when it starts.
    if let Some((bucket, start)) = &mut around.budget {
        bucket.call(*start);
    }
    let (seen, counted, story) = (seen.iter(), Counted::new(settings), Story::default());
    let mut call = Call { settings, around, seen, last_seen: None, now: Duration::ZERO, counted, story };
    let mut last_delay = None;
    for (number, attempt) in (1..).zip(script) {
        // `max` counts the retries after the first attempt; what it still allows:
        let retries_left = settings.max.map_or(u32::MAX, |max| max - call.counted.retries);
        let view = View { is_retry: number > 1, retries_left, last_delay, time_left: call.time_left() };
        // The first attempt always runs, even if the deadline has passed or the token has fired.
        call.tell(Event::Began { number, at: call.now, left: call.time_left(), view: Some(view) });
        let (takes, ends) = call.attempt(number, attempt);
        // Ok: returned at once, untouched.
        if matches!(ends, Ends::Ok) {
            call.tell(Event::Returned { outcome: Ok(number), at: call.now });
            break;
        }
        // The predicate is asked after every failed attempt, the last included.
        call.tell(Event::Asked { number, time_left: call.time_left() });
        // An error that it does not call retryable: returned at once, untouched; no hook runs.
        let Ends::Soft { hint } = ends else {
            call.tell(Event::Returned { outcome: Err(number), at: call.now });
            break;
        };
        // An attempt that ran at least `reset_after` before it failed starts the counting anew, never the deadline.
        if settings.reset_after.is_some_and(|least| takes >= least) {
            call.counted = Counted::new(settings);
        }
        let decided = call.decide(attempt, hint.filter(|hint| !hint.is_zero()));
        // `on_retry`, the wait, and the next attempt.
        let waited = decided.and_then(|(delay, source)| {
            call.tell(Event::Retrying { error: number, attempt: number, delay, source, elapsed: call.now });
            last_delay = Some(delay);
            call.wait(delay)
        });
        // The last outcome is returned untouched, and the hook carries the reason.
        if let Err(reason) = waited {
            call.tell(Event::GaveUp { error: number, attempts: number, reason, elapsed: call.now });
            call.tell(Event::Returned { outcome: Err(number), at: call.now });
            break;
        }
    }
    call.story
}

struct Call<'a> {
    settings: &'a Settings,
    around: Around<'a>,
    seen: std::slice::Iter<'a, Step>,
    last_seen: Option<&'a Step>,
    /// Since the call's entry.
    now: Duration,
    counted: Counted,
    story: Story,
}

/// What `reset_after` starts anew: the retry number, with it the window and `max`, and `previous`.
struct Counted {
    retries: u32,
    /// The last backoff drawn, or the most that it can have been where a hint below it became the delay.
    previous: Duration,
    certain: bool,
}

impl Counted {
    /// previous = base before the first.
    fn new(settings: &Settings) -> Self {
        Self { retries: 0, previous: settings.base.min(settings.cap), certain: true }
    }
}

impl Call<'_> {
    fn tell(&mut self, event: Event) {
        self.story.events.push(event);
    }

    /// The nearest deadline counts; nothing is left once it has passed.
    fn time_left(&self) -> Option<Duration> {
        let nearest = self.settings.deadline.into_iter().chain(self.around.deadline).min()?;
        Some(nearest.saturating_sub(self.now))
    }

    /// Step 2. How long the attempt ran, and how it ended.
    fn attempt(&mut self, number: u32, attempt: &Attempt) -> (Duration, Ends) {
        let left = self.time_left().unwrap_or(Duration::MAX);
        // Only `attempt_timeout` interrupts an attempt; it is clipped to what the deadline leaves.
        let (limit, by_deadline) = match self.settings.attempt_timeout {
            None => (Duration::MAX, false),
            Some(Timeout::After(limit)) => (limit.min(left), left < limit),
            Some(Timeout::Deadline) => (left, true),
        };
        self.now = self.now.saturating_add(attempt.takes.min(limit));
        if attempt.takes <= limit {
            return (attempt.takes, attempt.ends);
        }
        // A timed-out attempt becomes an error through `timed_out` and is then judged like any other.
        self.tell(Event::Cut { number, limit, by_deadline, at: self.now });
        (limit, attempt.ends.cut())
    }

    /// The wait. None is clipped, but a firing token ends it at once and gives up with `Cancelled`.
    fn wait(&mut self, delay: Duration) -> Result<(), StopReason> {
        let end = self.now.saturating_add(delay);
        let fires = self.around.fires.filter(|fires| *fires <= end);
        let began = std::mem::replace(&mut self.now, fires.unwrap_or(end));
        self.story.waits.push(self.now.saturating_sub(began));
        fires.map_or(Ok(()), |_| Err(StopReason::Cancelled))
    }

    /// Step 5: the first that says no gives up. A hint of zero means the backoff alone: it comes here as none.
    fn decide(
        &mut self,
        attempt: &Attempt,
        hint: Option<Duration>,
    ) -> Result<(Duration, Option<DelaySource>), StopReason> {
        // Retries off, by the switch, by `max = 0` at run time or by `without_retries`.
        if !attempt.enabled || self.settings.max == Some(0) || self.around.single {
            return Err(StopReason::Off);
        }
        // Token fired.
        if attempt.cancelled || self.around.fires.is_some_and(|fires| fires <= self.now) {
            return Err(StopReason::Cancelled);
        }
        // Retries used up.
        if self.settings.max.is_some_and(|max| self.counted.retries >= max) {
            return Err(StopReason::MaxRetries);
        }
        let delay = self.delay(hint)?;
        // No token in the budget; it is spent when the retry is granted.
        let seen = matches!(self.last_seen, Some(Step::Wait(_)));
        let budget = self.around.budget.as_mut();
        let granted = budget.is_none_or(|(bucket, start)| bucket.take(*start + self.now, seen));
        if granted { Ok(delay) } else { Err(StopReason::Budget) }
    }

    /// Section 5: the delay, and where it came from.
    fn delay(&mut self, hint: Option<Duration>) -> Result<(Duration, Option<DelaySource>), StopReason> {
        let (settings, left) = (self.settings, self.time_left());
        // The retry number counts every retry, so a hint neither resets nor skips the growth.
        self.counted.retries += 1;
        let Counted { retries, previous, certain } = self.counted;
        match hint {
            // `floor` and `replace`: a hint above `retry_after_max` gives up at once; RA, and in `floor` a spread.
            Some(hint) if settings.mode != RetryAfterMode::Ceiling => {
                if hint > settings.retry_after_max {
                    return Err(StopReason::RetryAfterTooLong);
                }
                // If only the spread passes the deadline, it is drawn from what the deadline leaves above `RA`.
                let last = left.map_or(Duration::MAX, |left| left.saturating_sub(Duration::from_nanos(1)));
                let high = hint.saturating_add(spread(settings, retries, hint)).min(last).max(hint);
                Ok((self.draw(hint, high, left, Law::Spread)?, Some(DelaySource::Hint)))
            }
            // `ceiling`: min(v, RA). Without a hint: v.
            _ => {
                let most = hint.unwrap_or(Duration::MAX);
                let (low, high) = backoff(settings, retries, previous);
                let even = certain && high <= most && !matches!(settings.strategy, Strategy::Smooth);
                let law = if even { Law::Backoff } else { Law::Uneven };
                let delay = self.draw(low.min(most), high.min(most), left, law)?;
                // `previous` is the last backoff drawn, never a hint.
                let hidden = delay == most && high > most;
                self.counted.previous = if hidden { high } else { delay };
                self.counted.certain = !hidden;
                // The delay came from the backoff or from the hint, whichever was smaller.
                let tie = delay == most && high == most;
                let source = if hidden { DelaySource::Hint } else { DelaySource::Backoff };
                Ok((delay, Some(source).filter(|_| !tie || hint.is_none())))
            }
        }
    }

    /// A delay from `[low, high]`, unless `now + delay` reaches or passes the deadline.
    fn draw(
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
        self.last_seen = self.seen.next();
        let delay = match self.last_seen {
            Some(Step::Wait(delay)) => Some((*delay).clamp(low, high)),
            Some(Step::GiveUp(StopReason::Deadline)) | None if reaches(high) => None,
            // Given up for another reason: any delay within the bounds will do.
            _ => Some(low),
        };
        self.story.chances.push(Chance { low, high, left, law, delay });
        delay.filter(|delay| !reaches(*delay)).ok_or(StopReason::Deadline)
    }
}
