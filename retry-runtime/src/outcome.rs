//! What a call tells its hooks: why it stopped, what it is about to wait for.

use core::fmt;
use std::time::Duration;

use crate::run::DelaySource;

/// Why a call ended although its last outcome was worth a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// Retries are turned off: by [`set_enabled`](crate::set_enabled), or by a run-time policy with `max = 0`.
    Off,
    /// The token has fired.
    Cancelled,
    /// All retries that `max` allows were made.
    MaxRetries,
    /// The server asked for a longer wait than `retry_after_max`.
    RetryAfterTooLong,
    /// The next attempt could not begin before the deadline.
    Deadline,
    /// The shared budget has no token left.
    Budget,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "retries are turned off",
            Self::Cancelled => "cancelled",
            Self::MaxRetries => "all retries were used",
            Self::RetryAfterTooLong => "the server asked for too long a wait",
            Self::Deadline => "the next attempt would begin after the deadline",
            Self::Budget => "the retry budget is empty",
        })
    }
}

impl StopReason {
    /// As a label.
    #[cfg(feature = "metrics")]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Cancelled => "cancelled",
            Self::MaxRetries => "max_retries",
            Self::RetryAfterTooLong => "retry_after_too_long",
            Self::Deadline => "deadline",
            Self::Budget => "budget",
        }
    }
}

/// A call is about to wait before its next attempt: what `on_retry` receives.
#[derive(Debug)]
pub struct Retrying<'a, E: ?Sized> {
    pub(crate) error: &'a E,
    pub(crate) attempt: u32,
    pub(crate) delay: Duration,
    pub(crate) source: DelaySource,
    pub(crate) elapsed: Duration,
}

impl<'a, E: ?Sized> Retrying<'a, E> {
    /// The error of the attempt that failed; with `when`, the whole output.
    #[must_use]
    pub const fn error(&self) -> &'a E {
        self.error
    }

    /// The number of the attempt that failed, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// How long the call will wait.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// Where the delay came from.
    #[must_use]
    pub const fn source(&self) -> DelaySource {
        self.source
    }

    /// Time since the call's start.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }
}

#[cfg(any(feature = "tracing", feature = "metrics"))]
impl<E: ?Sized> Retrying<'_, E> {
    /// What there is to tell apart from the error.
    pub(crate) const fn without_error(&self) -> Retrying<'static, ()> {
        let (attempt, delay, source, elapsed) = (self.attempt, self.delay, self.source, self.elapsed);
        Retrying { error: &(), attempt, delay, source, elapsed }
    }
}

/// A call gives up and returns its last outcome: what `on_give_up` receives.
#[derive(Debug)]
pub struct GivenUp<'a, E: ?Sized> {
    pub(crate) error: &'a E,
    pub(crate) attempts: u32,
    pub(crate) reason: StopReason,
    pub(crate) elapsed: Duration,
}

impl<'a, E: ?Sized> GivenUp<'a, E> {
    /// The error that the caller receives; with `when`, the whole output.
    #[must_use]
    pub const fn error(&self) -> &'a E {
        self.error
    }

    /// How many attempts were made.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Why there is no further one.
    #[must_use]
    pub const fn reason(&self) -> StopReason {
        self.reason
    }

    /// Time since the call's start.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }
}

#[cfg(any(feature = "tracing", feature = "metrics"))]
impl<E: ?Sized> GivenUp<'_, E> {
    /// What there is to tell apart from the error.
    pub(crate) const fn without_error(&self) -> GivenUp<'static, ()> {
        let (attempts, reason, elapsed) = (self.attempts, self.reason, self.elapsed);
        GivenUp { error: &(), attempts, reason, elapsed }
    }
}
