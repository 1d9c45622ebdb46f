//! Which timer waits: tokio's inside a tokio runtime, another one elsewhere, by the features that are enabled.

#[cfg(feature = "async-io")]
mod async_io;
#[cfg(all(feature = "tokio", any(feature = "async-io", feature = "futures-timer")))]
mod either;
#[cfg(all(feature = "futures-timer", not(feature = "async-io")))]
mod futures_timer;
#[cfg(feature = "tokio")]
mod tokio;

// Of two that need no runtime one is enough: async-io's.
#[cfg(feature = "async-io")]
use self::async_io as elsewhere;
#[cfg(all(feature = "futures-timer", not(feature = "async-io")))]
use self::futures_timer as elsewhere;

#[cfg(all(feature = "tokio", any(feature = "async-io", feature = "futures-timer")))]
pub(super) use self::either::{Timer, start};
#[cfg(all(feature = "tokio", not(any(feature = "async-io", feature = "futures-timer"))))]
pub(super) use self::tokio::{Timer, start};
#[cfg(all(not(feature = "tokio"), any(feature = "async-io", feature = "futures-timer")))]
pub(super) use elsewhere::{Timer, start};
