//! What a response says of itself: its status, `x-should-retry`, and the functions of `retry_runtime::http` as `on`,
//! `when` and `retry_after`.

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Response, StatusCode};
use retry_runtime::http::{
    is_transient, is_transient_or_internal_error, is_transient_response, retry_after, should_retry, transient,
};
use retry_runtime::testing::VirtualTime;
use retry_runtime::{Retryable, in_chain, retry};

fn response(status: u16, headers: &[(&'static str, &str)]) -> Response<()> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(()).unwrap()
}

#[test]
fn the_word_of_the_server_counts_for_error_statuses() {
    for (status, said, retryable) in [
        (409, Some("true"), true),
        (409, Some("TRUE"), true),
        (409, Some(" true\t"), true),
        (500, Some("true"), true),
        (503, Some("false"), false),
        (503, Some("False"), false),
        (429, Some("false"), false),
        // Any other word says nothing.
        (503, Some("no"), true),
        (503, Some(""), true),
        (409, Some("1"), false),
        (409, Some("true, true"), false),
        (409, None, false),
        (503, None, true),
        // What has succeeded is not repeated.
        (200, Some("true"), false),
        (304, Some("true"), false),
    ] {
        let headers: Vec<_> = said.map(|said| ("x-should-retry", said)).into_iter().collect();
        let response = response(status, &headers);
        assert_eq!(response.is_retryable(), retryable, "{status} {said:?}");
        assert_eq!(
            is_transient_response(response.status(), response.headers()),
            retryable,
            "{status} {said:?}"
        );
        assert!(!response.is_unprocessed(), "{status}: something has answered");
    }
}

#[test]
fn lines_that_contradict_each_other_say_nothing() {
    for (lines, said) in [
        (&["true", "true"][..], Some(true)),
        (&["false", "FALSE"], Some(false)),
        (&["true", "false"], None),
        (&["false", "true"], None),
        (&["true", "maybe"], None),
        (&[], None),
    ] {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-should-retry", HeaderValue::from_static(line));
        }
        assert_eq!(should_retry(&headers), said, "{lines:?}");
    }
}

#[test]
fn a_header_value_of_a_megabyte() {
    for (value, hint) in [
        ("9".repeat(1 << 20), Some(Duration::MAX)),
        ("x".repeat(1 << 20), None),
        (format!("{}7", " ".repeat(1 << 20)), Some(Duration::from_secs(7))),
        (format!("true{}", " ".repeat(1 << 20)), None),
    ] {
        let mut headers = HeaderMap::new();
        for name in ["retry-after", "x-should-retry", "date"] {
            headers.insert(name, HeaderValue::from_str(&value).unwrap());
        }
        assert_eq!(retry_after(&headers), hint);
        assert_eq!(should_retry(&headers), value.starts_with("true").then_some(true));
    }
}

#[derive(Debug)]
struct Unknown;

/// How many attempts a call makes that ends as `outcome` says, after one that did as well.
fn attempts<O>(call: impl Fn(&Cell<u32>) -> O) -> u32 {
    let _time = VirtualTime::start();
    let calls = Cell::new(0);
    call(&calls);
    calls.get()
}

#[test]
fn the_functions_as_settings() {
    #[retry(max = 2, on = is_transient)]
    fn by_status(calls: &Cell<u32>, status: u16) -> Result<(), StatusCode> {
        calls.set(calls.get() + 1);
        Err(StatusCode::from_u16(status).unwrap())
    }
    #[retry(max = 2, on = is_transient_or_internal_error)]
    fn or_internal(calls: &Cell<u32>, status: u16) -> Result<(), StatusCode> {
        calls.set(calls.get() + 1);
        Err(StatusCode::from_u16(status).unwrap())
    }
    #[retry(max = 2)]
    fn refused(calls: &Cell<u32>, status: u16) -> Result<(), Response<()>> {
        calls.set(calls.get() + 1);
        Err(response(status, &[]))
    }
    #[retry(max = 2, on = transient)]
    fn refused_by_path(calls: &Cell<u32>, status: u16) -> Result<(), Response<()>> {
        calls.set(calls.get() + 1);
        Err(response(status, &[]))
    }
    #[retry(max = 2, when = transient)]
    fn alone(calls: &Cell<u32>, status: u16) -> Response<()> {
        calls.set(calls.get() + 1);
        response(status, &[])
    }
    #[retry(max = 2, when = transient)]
    fn in_result(calls: &Cell<u32>, status: u16) -> io::Result<Response<()>> {
        calls.set(calls.get() + 1);
        if status == 0 { Err(ErrorKind::TimedOut.into()) } else { Ok(response(status, &[])) }
    }
    for (status, expected) in [(200, 1), (400, 1), (500, 1), (503, 3), (429, 3)] {
        assert_eq!(attempts(|calls| by_status(calls, status)), expected, "{status}");
        assert_eq!(attempts(|calls| or_internal(calls, status)), if status == 500 { 3 } else { expected });
        assert_eq!(attempts(|calls| refused(calls, status)), expected, "{status}");
        assert_eq!(attempts(|calls| refused_by_path(calls, status)), expected, "{status}");
        assert_eq!(attempts(|calls| alone(calls, status)), expected, "{status}");
        assert_eq!(attempts(|calls| in_result(calls, status)), expected, "{status}");
    }
    assert_eq!(attempts(|calls| in_result(calls, 0)), 3);
}

/// The delay before the only retry.
fn delay<O>(call: impl FnOnce() -> O) -> Duration {
    let time = VirtualTime::start();
    call();
    time.elapsed()
}

#[test]
fn the_hint_is_found_or_named() {
    fn busy() -> Response<()> {
        response(429, &[("retry-after", "7")])
    }
    #[retry(max = 1, when = transient, retry_after_mode = "replace")]
    fn found() -> io::Result<Response<()>> {
        Ok(busy())
    }
    #[retry(max = 1, when = transient, retry_after_mode = "replace")]
    fn found_alone() -> Response<()> {
        busy()
    }
    // The error is not `Retryable`, so the hint has to be named.
    #[retry(max = 1, when = Result::is_ok, retry_after = retry_after, retry_after_mode = "replace")]
    fn named() -> Result<Response<()>, Unknown> {
        Ok(busy())
    }
    #[retry(max = 1, on = |_| true, retry_after = retry_after, retry_after_mode = "replace")]
    fn of_the_error() -> Result<(), Response<()>> {
        Err(busy())
    }
    let delays = [delay(found), delay(found_alone), delay(named), delay(of_the_error)];
    assert_eq!(delays, [Duration::from_secs(7); 4]);
}

/// The other known type without a feature of its own.
#[test]
fn a_timeout_is_found_in_a_chain() {
    #[derive(Debug)]
    struct Layer(retry_runtime::Elapsed);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the call failed")
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[retry(max = 1, base_ms = 1, on = retry_runtime::always, attempt_timeout_ms = 5, timed_out = Layer)]
    async fn never() -> Result<(), Layer> {
        std::future::pending().await
    }

    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let error: Box<dyn Error> = Box::new(runtime.block_on(never()).unwrap_err());
    assert!(in_chain(&error));
}
