//! Each way of retrying, with the same settings: a hundred milliseconds doubling up to ten seconds, full jitter where the
//! row asks for it, five retries; or millions of retries that are not waited for. A file leaves out what its subject
//! cannot do.

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
