//! `tonic` 0.14: what a gRPC status means, how long it asks to wait, and the number of the attempt for the server.
//!
//! ```
//! use retry_runtime::{retry, tonic::number_attempt};
//! use tonic::{Request, Response, Status};
//! # #[derive(Clone)] struct Orders; impl Orders { async fn list(&self, _: Request<()>) -> Result<Response<()>, Status> { Ok(Response::new(())) } }
//!
//! #[retry(deadline = "10s", attempt_timeout = "2s", attempt = attempt)]
//! async fn list(orders: &Orders) -> Result<Response<()>, Status> {
//!     let mut request = Request::new(());
//!     number_attempt(&mut request, attempt);
//!     orders.list(request).await
//! }
//! ```
//!
//! The rules are those of gRPC's own retries (gRFC A6); whether the *method* may be repeated is the caller's decision,
//! see [`docs::idempotency`](crate::docs::idempotency). A stream of requests cannot be repeated, and of a stream of
//! responses what is read inside the annotated function is.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Status};

use super::broken::broken;
use super::causes;
use super::retry_info::retry_delay;
use crate::call::Attempt;
use crate::retryable::Retryable;
use crate::timeout::Elapsed;

const PUSHBACK: &str = "grpc-retry-pushback-ms";
const PREVIOUS_ATTEMPTS: &str = "grpc-previous-rpc-attempts";

/// What the server says about a retry in its trailers.
enum Pushback {
    Unsaid,
    After(Duration),
    Forbidden,
}

/// A number of milliseconds; a negative or unreadable one forbids (gRFC A6).
fn pushback(metadata: &MetadataMap) -> Pushback {
    let read = |text: &str| match text.parse::<i128>() {
        Ok(millis) if millis >= 0 => Some(Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))),
        _ => None,
    };
    metadata.get_all(PUSHBACK).iter().fold(Pushback::Unsaid, |said, value| {
        let hint = value.to_str().ok().and_then(read);
        match (said, hint) {
            (Pushback::Forbidden, _) | (_, None) => Pushback::Forbidden,
            (Pushback::Unsaid, Some(hint)) => Pushback::After(hint),
            (Pushback::After(longest), Some(hint)) => Pushback::After(longest.max(hint)),
        }
    })
}

/// Retryable are
///
/// - `UNAVAILABLE` and `ABORTED`;
/// - `RESOURCE_EXHAUSTED`, where the status says how long to wait;
/// - `DEADLINE_EXCEEDED` of an attempt that `attempt_timeout` cut, not that of a server;
/// - a connection that broke, which `tonic` reports as `UNKNOWN` or `CANCELLED` with the cause as its source.
///
/// A negative or unreadable `grpc-retry-pushback-ms` forbids. The hint is the longer of the pushback and the
/// `RetryInfo` among the details.
///
/// ```
/// use retry_runtime::Retryable;
/// use tonic::Status;
///
/// let mut status = Status::resource_exhausted("quota");
/// assert!(!status.is_retryable());
/// status.metadata_mut().insert("grpc-retry-pushback-ms", "250".parse()?);
/// assert!(status.is_retryable());
/// assert_eq!(status.retry_after(), Some(std::time::Duration::from_millis(250)));
/// # Ok::<(), tonic::metadata::errors::InvalidMetadataValue>(())
/// ```
#[diagnostic::do_not_recommend]
impl Retryable for Status {
    fn is_retryable(&self) -> bool {
        if matches!(pushback(self.metadata()), Pushback::Forbidden) {
            return false;
        }
        match self.code() {
            Code::Unavailable | Code::Aborted => true,
            Code::ResourceExhausted => self.retry_after().is_some(),
            Code::DeadlineExceeded => {
                causes(self).any(|cause| cause.is::<Elapsed>() || cause.is::<Arc<Elapsed>>())
            }
            Code::Unknown | Code::Cancelled => self.source().and_then(broken).is_some(),
            _ => false,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        let delay = retry_delay(self.details());
        match pushback(self.metadata()) {
            Pushback::After(hint) => delay.max(Some(hint)),
            Pushback::Unsaid => delay,
            Pushback::Forbidden => None,
        }
    }

    /// True for a connection that did not come about and for a stream that the server refused by the rules of HTTP/2.
    fn is_unprocessed(&self) -> bool {
        self.is_retryable() && self.source().and_then(broken).is_some_and(|broken| broken.unprocessed)
    }
}

/// `DEADLINE_EXCEEDED` with the [`Elapsed`] as its source, which is retryable.
impl From<Elapsed> for Status {
    fn from(elapsed: Elapsed) -> Self {
        let mut status = Self::deadline_exceeded(elapsed.to_string());
        status.set_source(Arc::new(elapsed));
        status
    }
}

/// Tells the server how many attempts were made before this one, in `grpc-previous-rpc-attempts`; a first attempt
/// carries no such header (gRFC A6).
///
/// ```
/// use retry_runtime::{retry, tonic::number_attempt};
/// use std::time::Duration;
/// use tonic::{Request, Status};
///
/// #[retry(base_ms = 1, max = 1, attempt = attempt)]
/// fn sent(seen: &mut Vec<Option<String>>) -> Result<(), Status> {
///     let mut request = Request::new(());
///     number_attempt(&mut request, attempt);
///     let number = request.metadata().get("grpc-previous-rpc-attempts");
///     seen.push(number.map(|number| number.to_str().unwrap().to_owned()));
///     Err(Status::unavailable("down"))
/// }
///
/// let mut seen = Vec::new();
/// assert!(sent(&mut seen).is_err());
/// assert_eq!(seen, [None, Some("1".to_owned())]);
/// ```
pub fn number_attempt<T>(request: &mut Request<T>, attempt: Attempt) {
    let metadata = request.metadata_mut();
    if attempt.is_retry() {
        metadata.insert(PREVIOUS_ATTEMPTS, (attempt.number() - 1).into());
    } else {
        metadata.remove(PREVIOUS_ATTEMPTS);
    }
}
