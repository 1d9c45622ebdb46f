//! Each way of retrying, with the same settings: a hundred milliseconds doubling up to ten seconds, full jitter, five
//! retries, or no delay and millions of retries. A file leaves out what its subject cannot do.

pub mod again;
pub mod backoff;
pub mod backon;
pub mod backon_macros;
pub mod bare;
pub mod hand;
pub mod mulligan;
pub mod ours;
pub mod retry;
pub mod retry_if;
pub mod tokio_retry;
pub mod tokio_retry2;
pub mod tryhard;
