#![doc = include_str!("../../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod after;
mod budget;
mod budgets;
mod call;
mod cancel;
mod classify;
mod clock;
#[cfg(feature = "serde")]
mod configured;
mod count;
mod deadline;
pub mod docs;
mod draft;
mod fits;
mod hint;
mod judge;
#[cfg(any(feature = "tracing", feature = "metrics"))]
mod observe;
mod outcome;
mod policy;
mod random;
mod retryable;
mod run;
mod schedule;
mod sleep;
pub mod strategy;
mod switch;
mod sync;
#[cfg(feature = "test-util")]
pub mod testing;
mod timeout;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use budget::Budget;
pub use budgets::Budgets;
pub use call::Attempt;
pub use cancel::{Cancel, CancelToken};
#[cfg(feature = "http")]
pub use classify::http;
#[cfg(feature = "reqwest")]
pub use classify::reqwest;
#[cfg(feature = "tonic")]
pub use classify::tonic;
pub use deadline::{
    WithDeadline, WithoutRetries, time_left, with_deadline, with_deadline_blocking, without_retries,
    without_retries_blocking,
};
pub use hint::RetryAfterMode;
pub use outcome::{GivenUp, Retrying, StopReason};
pub use policy::{InvalidPolicy, Policy, PolicyBuilder};
#[cfg(feature = "macros")]
pub use retry_macros::{Retryable, retry};
pub use retryable::{Retryable, always, in_chain, pending, unprocessed};
pub use run::{DelaySource, Failure, Run, Step};
pub use schedule::{Row, Schedule, WorstCase};
pub use strategy::{Draw, Strategy};
pub use switch::set_enabled;
pub use timeout::Elapsed;
