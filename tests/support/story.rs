//! The words in which a call is told: its settings, how its attempts go, what happens. No rule lives here.

use std::time::Duration;

use retry_runtime::{DelaySource, RetryAfterMode, Step, StopReason, Strategy};

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) strategy: Strategy,
    pub(crate) base: Duration,
    pub(crate) cap: Duration,
    /// `factor` in eighths, so that windows can be computed exactly.
    pub(crate) eighths: u32,
    /// `None` is unlimited.
    pub(crate) max: Option<u32>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) reset_after: Option<Duration>,
    pub(crate) mode: RetryAfterMode,
    pub(crate) retry_after_max: Duration,
}

/// The column "default" of the contract.
pub(crate) const DEFAULTS: Settings = Settings {
    strategy: Strategy::Full,
    base: Duration::from_millis(200),
    cap: Duration::from_secs(10),
    eighths: 2 * 8,
    max: Some(5),
    deadline: None,
    reset_after: None,
    mode: RetryAfterMode::Floor,
    retry_after_max: Duration::from_secs(60),
};

/// How an attempt goes, and what holds at its end.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) takes: Duration,
    pub(crate) ends: Ends,
    /// Whether the process has its retries on.
    pub(crate) enabled: bool,
    pub(crate) cancelled: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ends {
    Ok,
    Hard,
    Soft { hint: Option<Duration> },
}

/// What happens in a call. Values and errors are known by the number of their attempt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Began { number: u32, at: Duration, view: Option<View> },
    Asked { number: u32, time_left: Option<Duration> },
    Retrying { error: u32, attempt: u32, delay: Duration, source: DelaySource, elapsed: Duration },
    GaveUp { error: u32, attempts: u32, reason: StopReason, elapsed: Duration },
    Returned { outcome: Result<u32, u32>, at: Duration },
}

/// What `attempt = now` shows to the body, beside the number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) is_retry: bool,
    pub(crate) retries_left: u32,
    pub(crate) last_delay: Option<Duration>,
    pub(crate) time_left: Option<Duration>,
}

/// A delay from `[low, high]`; `None` where the call gave up instead, because it reached what the deadline left.
#[derive(Clone, Debug)]
pub(crate) struct Chance {
    pub(crate) low: Duration,
    pub(crate) high: Duration,
    pub(crate) left: Option<Duration>,
    pub(crate) law: Law,
    /// After `reset_after` has started the counting anew.
    pub(crate) anew: bool,
    pub(crate) delay: Option<Duration>,
}

/// How a delay is spread over its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Law {
    /// Evenly, by the strategy.
    Backoff,
    /// Evenly, above a hint.
    Spread,
    Uneven,
}

/// A whole call.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub(crate) events: Vec<Event>,
    pub(crate) chances: Vec<Chance>,
}

impl Story {
    /// Without what only an `attempt` binding shows.
    pub(crate) fn without_views(&self) -> Vec<Event> {
        let events = self.events.iter().filter_map(|event| match event {
            Event::Began { number, at, .. } => Some(Event::Began { number: *number, at: *at, view: None }),
            Event::Asked { .. } => None,
            _ => Some(event.clone()),
        });
        events.collect()
    }

    /// Without what only the predicate and the hooks see.
    pub(crate) fn inside(&self) -> Vec<Event> {
        let inside =
            self.events.iter().filter(|event| matches!(event, Event::Began { .. } | Event::Returned { .. }));
        inside.cloned().collect()
    }

    /// Without either.
    pub(crate) fn outline(&self) -> Vec<Event> {
        let mut events = self.without_views();
        events.retain(|event| matches!(event, Event::Began { .. } | Event::Returned { .. }));
        events
    }

    pub(crate) fn steps(&self) -> Vec<Step> {
        let steps = self.events.iter().filter_map(|event| match event {
            Event::Retrying { delay, .. } => Some(Step::Wait(*delay)),
            Event::GaveUp { reason, .. } => Some(Step::GiveUp(*reason)),
            _ => None,
        });
        steps.collect()
    }
}
