//! HTTP: which status codes are worth a retry, and how long a response's headers ask to wait.
//!
//! Whether a *method* may be repeated is the caller's decision: a POST that was answered 502 may have been carried
//! out.
//!
//! | setting | function | judges |
//! | --- | --- | --- |
//! | `on` | [`is_transient`], [`is_transient_or_internal_error`] | an error that is a `StatusCode` |
//! | `on`, `when` | [`transient`] | a `Response`, or a `Result` of one |
//! | `retry_after` | [`retry_after`] | a `Response`, a `Result` of one, or a `HeaderMap` |
//!
//! ```
//! use http::Response;
//! use retry_runtime::retry;
//! # async fn send() -> Result<Response<String>, std::io::Error> { Ok(Response::default()) }
//!
//! // A 503 is an `Ok` here; its `Retry-After` is found without being named.
//! #[retry(when = retry_runtime::http::transient)]
//! async fn fetch() -> Result<Response<String>, std::io::Error> {
//!     send().await
//! }
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(fetch())?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::borrow::Borrow;
use std::time::{Duration, SystemTime};

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, Response, StatusCode};

use crate::retryable::Retryable;

/// Whether the status is that of a passing condition: 408, 425, 429, 502, 503 or 504.
///
/// Takes a `StatusCode` or a reference to one, so that it can be written as `on` where the error is a status.
///
/// ```
/// use retry_runtime::http::is_transient;
///
/// assert!(is_transient(http::StatusCode::SERVICE_UNAVAILABLE));
/// assert!(!is_transient(&http::StatusCode::INTERNAL_SERVER_ERROR));
/// ```
#[must_use]
pub fn is_transient(status: impl Borrow<StatusCode>) -> bool {
    matches!(status.borrow().as_u16(), 408 | 425 | 429 | 502 | 503 | 504)
}

/// [`is_transient`], or 500: for servers that answer 500 where 503 is meant.
///
/// Not the default, because most of the time a 500 is a fault that the same request meets again.
///
/// ```
/// use retry_runtime::http::is_transient_or_internal_error;
///
/// assert!(is_transient_or_internal_error(http::StatusCode::INTERNAL_SERVER_ERROR));
/// assert!(!is_transient_or_internal_error(http::StatusCode::NOT_IMPLEMENTED));
/// ```
#[must_use]
pub fn is_transient_or_internal_error(status: impl Borrow<StatusCode>) -> bool {
    let status = *status.borrow();
    status == StatusCode::INTERNAL_SERVER_ERROR || is_transient(status)
}

/// Whether a response deserves a retry: for an error status (400 to 599) what `x-should-retry` says, and
/// [`is_transient`] without it.
///
/// ```
/// use http::{HeaderMap, StatusCode};
/// use retry_runtime::http::is_transient_response;
///
/// let mut headers = HeaderMap::new();
/// assert!(!is_transient_response(StatusCode::CONFLICT, &headers));
/// headers.insert("x-should-retry", "true".parse()?);
/// assert!(is_transient_response(StatusCode::CONFLICT, &headers));
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
#[must_use]
pub fn is_transient_response(status: StatusCode, headers: &HeaderMap) -> bool {
    let said =
        if status.is_client_error() || status.is_server_error() { should_retry(headers) } else { None };
    said.unwrap_or_else(|| is_transient(status))
}

/// What the server says in `x-should-retry`: `true` or `false` in any case; `None` without the header, for any other
/// value, and for lines that contradict each other.
///
/// ```
/// let mut headers = http::HeaderMap::new();
/// headers.insert("x-should-retry", "false".parse()?);
/// assert_eq!(retry_runtime::http::should_retry(&headers), Some(false));
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
#[must_use]
pub fn should_retry(headers: &HeaderMap) -> Option<bool> {
    let read = |value: &[u8]| match value {
        value if value.eq_ignore_ascii_case(b"true") => Some(true),
        value if value.eq_ignore_ascii_case(b"false") => Some(false),
        _ => None,
    };
    let mut lines = headers.get_all("x-should-retry").iter().map(|value| read(trimmed(value.as_bytes())));
    let first = lines.next()??;
    lines.all(|line| line == Some(first)).then_some(first)
}

/// `when = retry_runtime::http::transient`: for functions that return a [`Response`], or a `Result` of one whose
/// error is [`Retryable`]. Also an `on`, where the error is a response.
///
/// ```
/// use retry_runtime::http::transient;
/// use std::io::{Error, ErrorKind};
/// type Outcome = Result<http::Response<()>, Error>;
///
/// # fn main() -> Result<(), http::Error> {
/// assert!(transient(&Outcome::Ok(http::Response::builder().status(503).body(())?)));
/// assert!(transient(&Outcome::Err(ErrorKind::ConnectionReset.into())));
/// assert!(!transient(&Outcome::Ok(http::Response::new(()))));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn transient<O: Retryable + ?Sized>(output: &O) -> bool {
    output.is_retryable()
}

/// What has headers that [`retry_after`] can read.
pub trait Headers {
    /// Its headers; `None` where there was no response.
    fn headers(&self) -> Option<&HeaderMap>;
}

impl Headers for HeaderMap {
    fn headers(&self) -> Option<&HeaderMap> {
        Some(self)
    }
}

impl<B> Headers for Response<B> {
    fn headers(&self) -> Option<&HeaderMap> {
        Some(self.headers())
    }
}

impl<H: Headers, E> Headers for Result<H, E> {
    fn headers(&self) -> Option<&HeaderMap> {
        self.as_ref().ok().and_then(Headers::headers)
    }
}

/// See [`is_transient`].
#[diagnostic::do_not_recommend]
impl Retryable for StatusCode {
    fn is_retryable(&self) -> bool {
        is_transient(*self)
    }
}

/// The status says whether, the headers say when: [`is_transient_response`] and [`retry_after`].
///
/// ```
/// use retry_runtime::Retryable;
/// use std::time::Duration;
///
/// # fn main() -> Result<(), http::Error> {
/// let busy = http::Response::builder().status(429).header("retry-after", "2").body(())?;
/// assert!(busy.is_retryable());
/// assert_eq!(busy.retry_after(), Some(Duration::from_secs(2)));
/// # Ok(())
/// # }
/// ```
#[diagnostic::do_not_recommend]
impl<B> Retryable for Response<B> {
    fn is_retryable(&self) -> bool {
        is_transient_response(self.status(), self.headers())
    }

    fn retry_after(&self) -> Option<Duration> {
        retry_after(self.headers())
    }
}

/// The response answers for itself, the error likewise.
#[diagnostic::do_not_recommend]
impl<B, E: Retryable> Retryable for Result<Response<B>, E> {
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

/// How long a response's headers ask to wait from now on; `None` without a readable hint.
///
/// `retry-after-ms` and `x-ms-retry-after-ms` (milliseconds) win over `Retry-After` (seconds or a date, RFC 9110,
/// section 10.2.3). Of several lines of a field the latest time holds. A date counts from the response's own `Date`
/// where it has one, which cancels a difference of the clocks, otherwise from the wall clock. For the values see
/// [`parse_retry_after`].
///
/// ```
/// use retry_runtime::http::retry_after;
/// use std::time::Duration;
///
/// let mut headers = http::HeaderMap::new();
/// headers.insert("date", "Mon, 30 Nov 2026 23:58:00 GMT".parse()?);
/// headers.insert("retry-after", "Tue, 01 Dec 2026 00:00:00 GMT".parse()?);
/// assert_eq!(retry_after(&headers), Some(Duration::from_secs(120)));
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
#[must_use]
pub fn retry_after<H: Headers + ?Sized>(response: &H) -> Option<Duration> {
    retry_after_at(response.headers()?, SystemTime::now())
}

/// [`retry_after`] for a response that came at `now`.
///
/// ```
/// use retry_runtime::http::retry_after_at;
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let mut headers = http::HeaderMap::new();
/// headers.insert("retry-after", "Thu, 01 Jan 1970 00:00:30 GMT".parse()?);
/// assert_eq!(retry_after_at(&headers, UNIX_EPOCH), Some(Duration::from_secs(30)));
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
#[must_use]
pub fn retry_after_at(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let values = |name: &'static str| headers.get_all(name).iter().map(|value| trimmed(value.as_bytes()));
    let precise = values("retry-after-ms").chain(values("x-ms-retry-after-ms"));
    if let Some(hint) = precise.filter_map(milliseconds).max() {
        return Some(hint);
    }
    // Of several dates the earliest, so that no hint comes out shorter than it was meant.
    let now = values(DATE.as_str()).filter_map(date).min().unwrap_or(now);
    values(RETRY_AFTER.as_str()).filter_map(|value| parse_retry_after(value, now)).max()
}

/// Reads one value of `Retry-After`; dates count from `now`.
///
/// A value is a number of seconds, whole or with digits on both sides of a point (rounded up to the millisecond), or
/// an HTTP date in any of the three forms of RFC 9110, section 5.6.7. A date that has gone by is a hint of zero; a
/// number too large for the type is [`Duration::MAX`]; spaces and tabs around the value are no part of it. Anything
/// else is no hint: signs, words, units, lists, impossible dates, zones other than GMT.
///
/// ```
/// use retry_runtime::http::parse_retry_after;
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let read = |value: &str| parse_retry_after(value, UNIX_EPOCH);
/// assert_eq!(read("120"), Some(Duration::from_secs(120)));
/// assert_eq!(read("1.0001"), Some(Duration::from_millis(1_001)));
/// assert_eq!(read("Thu, 01 Jan 1970 00:02:00 GMT"), Some(Duration::from_secs(120)));
/// assert_eq!(read("soon"), None);
/// ```
#[must_use]
pub fn parse_retry_after(value: impl AsRef<[u8]>, now: SystemTime) -> Option<Duration> {
    let value = trimmed(value.as_ref());
    match scaled_up(value, 3) {
        Some(millis) => Some(duration(millis)),
        None => Some(date(value)?.duration_since(now).unwrap_or(Duration::ZERO)),
    }
}

fn milliseconds(value: &[u8]) -> Option<Duration> {
    scaled_up(value, 0).map(duration)
}

fn duration(millis: u128) -> Duration {
    match u64::try_from(millis / 1_000) {
        #[allow(clippy::cast_possible_truncation, reason = "a remainder below 1000")]
        Ok(seconds) => Duration::from_secs(seconds) + Duration::from_millis((millis % 1_000) as u64),
        Err(_) => Duration::MAX,
    }
}

/// A decimal number times 10^`places`, rounded up.
fn scaled_up(value: &[u8], places: usize) -> Option<u128> {
    let (whole, fraction) = match value.iter().position(|byte| *byte == b'.') {
        Some(point) => (&value[..point], &value[point + 1..]),
        None => (value, b"0".as_slice()),
    };
    if fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut scaled = digits(whole)?;
    for place in 0..places {
        let digit = fraction.get(place).map_or(0, |digit| digit - b'0');
        scaled = scaled.saturating_mul(10).saturating_add(u128::from(digit));
    }
    let beyond = fraction.iter().skip(places).any(|digit| *digit != b'0');
    Some(scaled.saturating_add(u128::from(beyond)))
}

fn digits(text: &[u8]) -> Option<u128> {
    // What has more digits than a `u128` holds is far beyond the longest duration.
    const MOST: usize = 38;
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = text.iter().take_while(|digit| **digit == b'0').count();
    let significant = &text[zeros..];
    if significant.len() > MOST {
        return Some(u128::MAX);
    }
    Some(significant.iter().fold(0, |number, digit| number * 10 + u128::from(digit - b'0')))
}

fn date(value: &[u8]) -> Option<SystemTime> {
    // The parser trims more than spaces and tabs; what it would trim here does not belong to the value.
    let ends = [value.first()?, value.last()?];
    if !ends.into_iter().all(u8::is_ascii_graphic) {
        return None;
    }
    httpdate::parse_http_date(std::str::from_utf8(value).ok()?).ok()
}

fn trimmed(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = value {
        value = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}
