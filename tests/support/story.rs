//! The words in which a call is told: its settings, how its attempts go, what happens. No rule lives here.

use std::time::Duration;

use retry_runtime::{DelaySource, RetryAfterMode, Step, StopReason, Strategy};

use crate::model::bucket::Bucket;

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
    pub(crate) attempt_timeout: Option<Timeout>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Timeout {
    After(Duration),
    /// The word `deadline`.
    Deadline,
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
    attempt_timeout: None,
};

/// What a call finds around it. Times are counted from its start.
#[derive(Debug, Default)]
pub(crate) struct Around<'a> {
    /// What it shares with other calls, and when it starts by the bucket's clock.
    pub(crate) budget: Option<(&'a mut Bucket, Duration)>,
    /// When the token fires; zero: before the call.
    pub(crate) fires: Option<Duration>,
    /// What an outer `with_deadline` leaves.
    pub(crate) deadline: Option<Duration>,
    /// Inside `without_retries`.
    pub(crate) single: bool,
}

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

impl Ends {
    /// What `timed_out` makes of it.
    pub(crate) fn cut(self) -> Self {
        if let Self::Ok = self { Self::Soft { hint: None } } else { self }
    }
}

/// What happens in a call. Values and errors are known by the number of their attempt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// `left` is the runtime's `time_left()` inside the body.
    Began {
        number: u32,
        at: Duration,
        left: Option<Duration>,
        view: Option<View>,
    },
    /// The attempt ran out of time; `by_deadline` where that left it less than `attempt_timeout`.
    Cut {
        number: u32,
        limit: Duration,
        by_deadline: bool,
        at: Duration,
    },
    Asked {
        number: u32,
        time_left: Option<Duration>,
    },
    /// Of two equal delays the contract does not say where the wait came from: then `source` is `None`.
    Retrying {
        error: u32,
        attempt: u32,
        delay: Duration,
        source: Option<DelaySource>,
        elapsed: Duration,
    },
    GaveUp {
        error: u32,
        attempts: u32,
        reason: StopReason,
        elapsed: Duration,
    },
    Returned {
        outcome: Result<u32, u32>,
        at: Duration,
    },
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
    /// How long each wait really was.
    pub(crate) waits: Vec<Duration>,
}

impl Story {
    /// Takes over what was seen where the contract leaves it open.
    pub(crate) fn settle(mut self, seen: &[Event]) -> Self {
        for (told, seen) in self.events.iter_mut().zip(seen) {
            if let (Event::Retrying { source, .. }, Event::Retrying { source: seen, .. }) = (told, seen) {
                *source = source.or(*seen);
            }
        }
        self
    }

    /// Without what only the predicate and the hooks see.
    pub(crate) fn inside(&self) -> Vec<Event> {
        let mut events = self.events.clone();
        events.retain(|event| {
            matches!(event, Event::Began { .. } | Event::Cut { .. } | Event::Returned { .. })
        });
        events
    }

    /// Without what an `attempt` binding shows either.
    pub(crate) fn outline(&self) -> Vec<Event> {
        let mut events = self.inside();
        for event in &mut events {
            if let Event::Began { view, .. } = event {
                *view = None;
            }
        }
        events
    }

    /// What is left without an attribute: no binding, nobody asked, no deadline handed down.
    pub(crate) fn by_hand(mut self) -> Self {
        self.events.retain(|event| !matches!(event, Event::Asked { .. }));
        for event in &mut self.events {
            if let Event::Began { left, view, .. } = event {
                (*left, *view) = (None, None);
            }
        }
        self
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
