//! What the errors of the ecosystem mean, a file for each of its crates. Nothing here decides how long to wait.

use std::error::Error;
use std::sync::Arc;

use crate::retryable::Retryable;

#[cfg(any(feature = "reqwest", feature = "tonic"))]
mod broken;
#[cfg(feature = "http")]
pub mod http;
mod io;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "tonic")]
mod retry_info;
#[cfg(any(feature = "sqlx", feature = "tokio-postgres"))]
mod sqlstate;
#[cfg(feature = "sqlx")]
mod sqlx;
#[cfg(feature = "tokio-postgres")]
mod tokio_postgres;
#[cfg(feature = "tonic")]
pub mod tonic;

type AnyError = dyn Error + 'static;

/// The error as one that can say of itself whether it deserves a retry, if its type is on this list.
pub(crate) fn known(error: &AnyError) -> Option<&dyn Retryable> {
    let found = pointed::<std::io::Error>(error).or_else(|| pointed::<crate::timeout::Elapsed>(error));
    #[cfg(feature = "reqwest")]
    let found = found
        .or_else(|| pointed::<::reqwest::Error>(error))
        .or_else(|| pointed::<reqwest::StatusError>(error))
        .or_else(|| pointed::<reqwest::Error>(error));
    #[cfg(feature = "tonic")]
    let found = found.or_else(|| pointed::<::tonic::Status>(error));
    #[cfg(feature = "sqlx")]
    let found = found.or_else(|| pointed::<::sqlx::Error>(error));
    #[cfg(feature = "tokio-postgres")]
    let found = found.or_else(|| pointed::<::tokio_postgres::Error>(error));
    #[cfg(feature = "redis")]
    let found = found.or_else(|| pointed::<::redis::RedisError>(error));
    found
}

/// Also behind the pointers that stand in front of errors: their `source` skips what they point to.
fn pointed<E: Error + Retryable + 'static>(error: &AnyError) -> Option<&dyn Retryable> {
    exactly::<E>(error).or_else(|| exactly::<Arc<E>>(error)).or_else(|| exactly::<Box<E>>(error))
}

fn exactly<E: Retryable + Error + 'static>(error: &AnyError) -> Option<&dyn Retryable> {
    error.downcast_ref::<E>().map(|error| error as &dyn Retryable)
}

/// The error and what lies beneath it. `source` of an I/O error skips the error it was made of; this does not.
#[cfg(any(feature = "reqwest", feature = "tonic", feature = "tokio-postgres"))]
fn causes(error: &AnyError) -> impl Iterator<Item = &AnyError> {
    std::iter::successors(Some(error), |&error| {
        let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        inside.map(|inside| inside as &AnyError).or_else(|| error.source())
    })
}
