//! The one place that asks for the time. Blocking code uses the system's monotonic clock, async code the runtime's.

use std::time::{Duration, Instant};

/// Whose time a call lives by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The system's monotonic clock.
    Blocking,
    /// The async runtime's clock: tokio's, which tests can pause.
    Async,
}

impl Clock {
    /// Now, on this clock.
    #[must_use]
    pub fn now(self) -> Instant {
        #[cfg(feature = "test-util")]
        if let Some(now) = crate::testing::now() {
            return now;
        }
        match self {
            Self::Blocking => Instant::now(),
            #[cfg(feature = "tokio")]
            Self::Async => tokio::time::Instant::now().into_std(),
            #[cfg(not(feature = "tokio"))]
            Self::Async => Instant::now(),
        }
    }

    /// Time since an instant that this clock gave.
    #[must_use]
    pub(crate) fn since(self, then: Instant) -> Duration {
        self.now().saturating_duration_since(then)
    }
}
