//! `reqwest` 0.13: which of its errors and responses deserve a retry, and a status that becomes an error with its hint.
//!
//! `reqwest` returns `Ok` for a 503. Either the whole value is judged, with [`transient`] as `when`:
//!
//! ```
//! use retry_runtime::retry;
//!
//! #[retry(when = retry_runtime::reqwest::transient)]
//! async fn head(http: &reqwest::Client) -> reqwest::Result<reqwest::Response> {
//!     http.head("https://example.org/").send().await
//! }
//! ```
//!
//! or a bad status becomes an error, and the error keeps the hint of the headers (which `error_for_status` loses):
//!
//! ```
//! use retry_runtime::reqwest::{CheckStatus, Error};
//! use retry_runtime::retry;
//!
//! #[retry(deadline = "10s")]
//! async fn page(http: &reqwest::Client) -> Result<String, Error> {
//!     let response = http.get("https://example.org/").send().await?.check_status()?;
//!     Ok(response.text().await?)
//! }
//! ```
//!
//! - **What reads the body belongs inside the annotated function**, as here: otherwise a body that breaks off is an
//!   error that nobody repeats.
//! - **A request whose body is a stream cannot be repeated**: the first attempt uses it up. Build the request, body
//!   included, inside the function.
//! - Whether the *method* may be repeated is the caller's decision; see
//!   [`docs::idempotency`](crate::docs::idempotency).
//! - `reqwest` repeats by itself, at once and within a budget, what a server refused by the rules of HTTP/2;
//!   `ClientBuilder::retry(reqwest::retry::never())` turns that off.
//! - The blocking client has the same errors; of its responses take [`retry_after`](crate::http::retry_after) and
//!   [`is_transient_response`](crate::http::is_transient_response) by `status()` and `headers()`.

use std::fmt;
use std::time::Duration;

use http::{HeaderMap, StatusCode};
use reqwest::Response;

use super::broken::{Broken, broken};
use super::http::{Headers, is_transient, is_transient_response, retry_after};
use crate::retryable::Retryable;
use crate::timeout::Elapsed;

/// `when = retry_runtime::reqwest::transient`: a response as in [`http`](crate::http), an error as its [`Retryable`]
/// says.
///
/// The hint is found beside it, without `retry_after`.
///
/// ```
/// use retry_runtime::reqwest::transient;
///
/// let busy = http::Response::builder().status(503).body("")?;
/// assert!(transient(&Ok(busy.into())));
/// # Ok::<(), http::Error>(())
/// ```
#[must_use]
pub fn transient(output: &reqwest::Result<Response>) -> bool {
    output.is_retryable()
}

impl Headers for Response {
    fn headers(&self) -> Option<&HeaderMap> {
        Some(self.headers())
    }
}

/// See [`is_transient_response`] and [`retry_after`].
#[diagnostic::do_not_recommend]
impl Retryable for Response {
    fn is_retryable(&self) -> bool {
        is_transient_response(self.status(), self.headers())
    }

    fn retry_after(&self) -> Option<Duration> {
        retry_after(self)
    }
}

/// The response answers for itself, the error likewise.
#[diagnostic::do_not_recommend]
impl Retryable for reqwest::Result<Response> {
    fn is_retryable(&self) -> bool {
        self.as_ref().map_or_else(Retryable::is_retryable, Retryable::is_retryable)
    }

    fn retry_after(&self) -> Option<Duration> {
        self.as_ref().map_or_else(Retryable::retry_after, Retryable::retry_after)
    }

    fn is_unprocessed(&self) -> bool {
        self.as_ref().map_or_else(Retryable::is_unprocessed, Retryable::is_unprocessed)
    }
}

/// Retryable are failures to connect, timeouts, connections and streams that were reset or ended early, bodies that
/// were cut short, and a status of [`is_transient`] (from `error_for_status`). Builder, redirect and decode errors are
/// not; a body that broke off while it was decoded is no decode error.
#[diagnostic::do_not_recommend]
impl Retryable for reqwest::Error {
    fn is_retryable(&self) -> bool {
        if self.is_builder() || self.is_redirect() || self.is_upgrade() {
            return false;
        }
        if let Some(status) = self.status() {
            return is_transient(status);
        }
        self.is_timeout() || self.is_connect() || broken(self).is_some()
    }

    /// True where no connection came about, timeouts aside, and for a stream that the server refused by the rules of
    /// HTTP/2.
    fn is_unprocessed(&self) -> bool {
        let refused = || broken(self).is_some_and(|Broken { unprocessed }| unprocessed);
        self.is_retryable() && !self.is_timeout() && (self.is_connect() || refused())
    }
}

/// `check_status`: `error_for_status`, but the error keeps what the headers said.
pub trait CheckStatus: Sized {
    /// The response, unless its status is an error: 400 to 599.
    ///
    /// # Errors
    ///
    /// The [`StatusError`] that the response makes; its body is not read.
    ///
    /// ```
    /// use retry_runtime::Retryable;
    /// use retry_runtime::reqwest::CheckStatus;
    /// use std::time::Duration;
    ///
    /// let busy = http::Response::builder().status(429).header("retry-after", "2").body("")?;
    /// let error = reqwest::Response::from(busy).check_status().unwrap_err();
    /// assert!(error.is_retryable());
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(2)));
    /// # Ok::<(), http::Error>(())
    /// ```
    fn check_status(self) -> Result<Self, StatusError>;
}

impl CheckStatus for Response {
    fn check_status(self) -> Result<Self, StatusError> {
        let status = self.status();
        if !status.is_client_error() && !status.is_server_error() {
            return Ok(self);
        }
        // Read when the response comes: a date counts from now.
        let (retryable, after) = (self.is_retryable(), retry_after(&self));
        Err(StatusError { status, retryable, after, url: self.url().to_string() })
    }
}

/// A response with an error status.
#[derive(Clone, Debug)]
pub struct StatusError {
    status: StatusCode,
    retryable: bool,
    after: Option<Duration>,
    url: String,
}

impl StatusError {
    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Where the response came from, redirects followed.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {} from {}", self.status, self.url)
    }
}

impl std::error::Error for StatusError {}

/// As the response that it was.
#[diagnostic::do_not_recommend]
impl Retryable for StatusError {
    fn is_retryable(&self) -> bool {
        self.retryable
    }

    fn retry_after(&self) -> Option<Duration> {
        self.after
    }
}

/// All that can go wrong in a request: an error type for annotated functions.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No complete response came.
    Transport(reqwest::Error),
    /// The response says no.
    Status(StatusError),
    /// The attempt was cut by `attempt_timeout`.
    TimedOut(Elapsed),
}

impl Error {
    fn asked(&self) -> &dyn Retryable {
        match self {
            Self::Transport(error) => error,
            Self::Status(error) => error,
            Self::TimedOut(elapsed) => elapsed,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Status(error) => error.fmt(f),
            Self::TimedOut(elapsed) => elapsed.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => error.source(),
            Self::Status(error) => error.source(),
            Self::TimedOut(elapsed) => elapsed.source(),
        }
    }
}

/// What happened answers for itself.
#[diagnostic::do_not_recommend]
impl Retryable for Error {
    fn is_retryable(&self) -> bool {
        self.asked().is_retryable()
    }

    fn retry_after(&self) -> Option<Duration> {
        self.asked().retry_after()
    }

    fn is_unprocessed(&self) -> bool {
        self.asked().is_unprocessed()
    }
}

impl From<reqwest::Error> for Error {
    fn from(error: reqwest::Error) -> Self {
        Self::Transport(error)
    }
}

impl From<StatusError> for Error {
    fn from(error: StatusError) -> Self {
        Self::Status(error)
    }
}

impl From<Elapsed> for Error {
    fn from(elapsed: Elapsed) -> Self {
        Self::TimedOut(elapsed)
    }
}
