//! `__private`: the complete list of names that generated code may use. No logic lives here.

pub use core::clone::Clone;
pub use core::convert::Infallible;
pub use core::option::Option::{self, None, Some};
pub use core::pin::{Pin, pin};
pub use core::{concat, module_path};
pub use std::boxed::Box;
pub use std::time::Duration;

/// Where the key `crate` is written, generated code imports this module under another name.
pub use crate::__private;
pub use crate::after::After;
pub use crate::budget::enter;
pub use crate::call::Call;
pub use crate::cancel::{Cancel, block_unless, unless};
pub use crate::clock::Clock;
pub use crate::count::Count;
pub use crate::deadline::{attempt_within, inside};
pub use crate::draft::{
    above_zero, above_zero_ms, any_length, at_least_one, below, draft, growth, not_above, over, reachable,
};
pub use crate::fits::{slept, token, whole};
pub use crate::hint::RetryAfterMode;
pub use crate::judge::{
    Fallible, Slept, Told, answered, asks, attempt, hinted, hints, never, original, probe, promised, tells,
};
pub use crate::retryable::Retryable;
pub use crate::run::Step;
pub use crate::sleep::block;
#[cfg(any(feature = "tokio", feature = "async-io", feature = "futures-timer"))]
pub use crate::sleep::{limit, sleep, sleep_unless};
pub use crate::strategy::Strategy;
pub use crate::timeout::{Cut, Elapsed, OfElapsed, timed};

/// What tells observers.
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub mod observe {
    pub use crate::observe::{Site, done, given_up, retrying, shown};
}
