//! What the errors of the ecosystem mean, a file for each of its crates. Nothing here decides how long to wait.

use std::error::Error;
use std::sync::Arc;

use crate::retryable::Retryable;

#[cfg(feature = "http")]
pub mod http;
mod io;

type AnyError = dyn Error + 'static;

/// The error as one that can say of itself whether it deserves a retry, if its type is on this list.
pub(crate) fn known(error: &AnyError) -> Option<&dyn Retryable> {
    pointed::<std::io::Error>(error)
}

/// Also behind the pointers that stand in front of errors: their `source` skips what they point to.
fn pointed<E: Error + Retryable + 'static>(error: &AnyError) -> Option<&dyn Retryable> {
    exactly::<E>(error).or_else(|| exactly::<Arc<E>>(error)).or_else(|| exactly::<Box<E>>(error))
}

fn exactly<E: Retryable + Error + 'static>(error: &AnyError) -> Option<&dyn Retryable> {
    error.downcast_ref::<E>().map(|error| error as &dyn Retryable)
}
