//! The sleepers: one for blocking code, and one future for async code, which asks the timer that a feature brought.

mod blocking;
#[cfg(any(feature = "tokio", feature = "async-io", feature = "futures-timer"))]
mod future;
#[cfg(any(feature = "tokio", feature = "async-io", feature = "futures-timer"))]
mod timer;

pub use blocking::block;
#[cfg(any(feature = "tokio", feature = "async-io", feature = "futures-timer"))]
pub use future::{limit, sleep, sleep_unless};
