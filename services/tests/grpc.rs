//! tonic against a server with scripted codes, details and pushback, and against connections that break.
#![allow(clippy::result_large_err, reason = "it is tonic's error")]

mod support;

use std::time::Duration;

use retry_runtime::tonic::number_attempt;
use retry_runtime::{Retryable, in_chain, retry, unprocessed};
use support::grpc::{Echo, Reply, call, channel};
use support::http::{bare, go_away, reset_after, reset_streams};
use support::{Waits, ms, secs};
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::{ErrorDetails, StatusExt};

#[retry(max = 3, retry_after_mode = "replace", attempt = attempt, sleep = |delay| waits.note(delay))]
async fn echo(channel: &Channel, waits: &Waits) -> Result<String, Status> {
    let mut request = Request::new("echo".to_owned());
    number_attempt(&mut request, attempt);
    call(channel, request).await
}

#[retry(max = 3, on = unprocessed, sleep = |delay| waits.note(delay))]
async fn charge(channel: &Channel, waits: &Waits) -> Result<String, Status> {
    call(channel, Request::new("echo".to_owned())).await
}

#[tokio::test]
async fn each_code() {
    let ((server, url), waits) = (Echo::start().await, Waits::default());
    let channel = channel(&url);
    for code in 1..=16 {
        let code = Code::from(code);
        let retried = matches!(code, Code::Unavailable | Code::Aborted);
        server.plan([Status::new(code, "scripted")]);
        let outcome = echo(&channel, &waits).await;
        assert_eq!(outcome.is_ok(), retried, "{code:?}");
        assert_eq!(
            (server.seen().len(), waits.take().len()),
            (1 + usize::from(retried), usize::from(retried)),
            "{code:?}"
        );
        // It came from the server, so nobody knows what it did.
        server.plan([Status::new(code, "scripted")]);
        assert!(charge(&channel, &waits).await.is_err(), "{code:?}");
        assert!(!Status::new(code, "made here").is_unprocessed());
    }
}

fn pushed(code: Code, pushback: &[&'static str]) -> Status {
    let mut status = Status::new(code, "scripted");
    for value in pushback {
        status.metadata_mut().append("grpc-retry-pushback-ms", value.parse().unwrap());
    }
    status
}

#[tokio::test]
async fn details_and_pushback() {
    let delay = |delay| ErrorDetails::with_retry_info(Some(delay));
    let detailed = |code, details| Status::with_error_details(code, "scripted", details);
    let both = |details, value: &'static str| {
        let mut status = detailed(Code::ResourceExhausted, details);
        status.metadata_mut().insert("grpc-retry-pushback-ms", value.parse().unwrap());
        status
    };
    let mut many = delay(ms(1_250));
    many.set_request_info("id", "data")
        .add_bad_request_violation("field", "why")
        .set_localized_message("de", "später");
    let exhausted = Code::ResourceExhausted;
    // The hint with which it is retried, or `None` where it is not.
    let table: Vec<(Status, Option<Duration>)> = vec![
        (detailed(exhausted, delay(ms(250))), Some(ms(250))),
        (detailed(exhausted, delay(Duration::new(3, 500_000_001))), Some(Duration::new(3, 500_000_001))),
        (detailed(exhausted, many), Some(ms(1_250))),
        (detailed(Code::Unavailable, delay(secs(2))), Some(secs(2))),
        (detailed(Code::InvalidArgument, delay(secs(2))), None),
        (detailed(exhausted, ErrorDetails::with_error_info("why", "domain", [])), None),
        (pushed(exhausted, &["40"]), Some(ms(40))),
        (pushed(Code::Aborted, &["40", "70"]), Some(ms(70))),
        (pushed(exhausted, &["-1"]), None),
        (pushed(Code::Unavailable, &["-1"]), None),
        (pushed(Code::Unavailable, &["soon"]), None),
        (pushed(Code::Unavailable, &["40", "-1"]), None),
        (pushed(Code::Internal, &["40"]), None),
        (both(delay(ms(250)), "40"), Some(ms(250))),
        (both(delay(ms(250)), "400"), Some(ms(400))),
        (both(delay(ms(250)), "-1"), None),
    ];
    let ((server, url), waits) = (Echo::start().await, Waits::default());
    let channel = channel(&url);
    for (status, hint) in table {
        let told = format!("{status:?}");
        server.plan([status]);
        assert_eq!(echo(&channel, &waits).await.is_ok(), hint.is_some(), "{told}");
        assert_eq!(waits.take(), hint.into_iter().collect::<Vec<_>>(), "{told}");
    }
    // Longer than `retry_after_max`.
    server.plan([pushed(Code::Unavailable, &["60001"])]);
    assert!(echo(&channel, &waits).await.is_err());
    server.plan([pushed(Code::Unavailable, &["99999999999999999999999999999999"])]);
    assert!(echo(&channel, &waits).await.is_err());
    assert!(waits.take().is_empty());
}

/// What a peer may send in place of details. Nothing of it may be a panic, or a hint that was not meant.
#[test]
fn details_that_cannot_be_read() {
    let whole =
        Status::with_error_details(Code::ResourceExhausted, "", ErrorDetails::with_retry_info(Some(secs(5))));
    let bytes = whole.details().to_vec();
    let read =
        |details: Vec<u8>| Status::with_details(Code::ResourceExhausted, "", details.into()).retry_after();
    assert_eq!(read(bytes.clone()), Some(secs(5)));
    for end in 0..bytes.len() {
        assert_eq!(read(bytes[..end].to_vec()), None, "cut at {end}");
    }
    for place in 0..bytes.len() {
        for byte in 0..=u8::MAX {
            let mut broken = bytes.clone();
            broken[place] = byte;
            let _ = read(broken);
        }
    }
    let _ = (
        read(vec![0xff; 1 << 20]),
        read(vec![0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    );
}

#[tokio::test]
async fn the_server_is_told_how_many_attempts_were_made() {
    let ((server, url), waits) = (Echo::start().await, Waits::default());
    server.plan([Status::unavailable("one"), Status::aborted("two")]);
    assert_eq!(echo(&channel(&url), &waits).await.unwrap(), "echo");
    let numbers: Vec<_> =
        server.seen().iter().map(|seen| seen.get("grpc-previous-rpc-attempts").cloned()).collect();
    assert_eq!(numbers, [None, Some("1".parse().unwrap()), Some("2".parse().unwrap())]);
}

#[tokio::test]
async fn an_attempt_that_was_cut() {
    #[retry(max = 1, base_ms = 1, attempt_timeout_ms = 60)]
    async fn impatient(channel: &Channel) -> Result<String, Status> {
        call(channel, Request::new("echo".to_owned())).await
    }

    let (server, url) = Echo::start().await;
    let channel = channel(&url);
    server.plan([Reply::Silence]);
    assert_eq!(impatient(&channel).await.unwrap(), "echo");
    server.plan([Reply::Silence, Reply::Silence]);
    let status = impatient(&channel).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(status.is_retryable() && !status.is_unprocessed());
    assert!(!Status::deadline_exceeded("by the server").is_retryable());
    assert!(in_chain(&(Box::new(status) as Box<dyn std::error::Error>)));
}

#[tokio::test]
async fn nobody_listens() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let waits = Waits::default();
    let status = charge(&channel(&url), &waits).await.unwrap_err();
    assert!(status.is_unprocessed(), "{status:?}");
    assert_eq!(waits.take().len(), 3);
}

#[tokio::test]
async fn connections_and_streams_that_break() {
    let one =
        |url: String| async move { call(&channel(&url), Request::new("echo".to_owned())).await.unwrap_err() };

    let (address, _) = bare(|stream, _| reset_streams(stream, h2::Reason::REFUSED_STREAM)).await;
    let refused = one(format!("http://{address}")).await;
    assert!(refused.is_unprocessed(), "{refused:?}");

    // The server has had the request, and gRPC calls this INTERNAL.
    let (address, _) = bare(|stream, _| reset_streams(stream, h2::Reason::INTERNAL_ERROR)).await;
    let internal = one(format!("http://{address}")).await;
    assert!(!internal.is_retryable(), "{internal:?}");

    let (address, _) = bare(|stream, _| reset_after(stream, "")).await;
    let reset = one(format!("http://{address}")).await;
    assert!(reset.is_retryable() && !reset.is_unprocessed(), "{reset:?}");

    let (address, _) = bare(|stream, _| go_away(stream)).await;
    let goodbye = one(format!("http://{address}")).await;
    assert!(goodbye.is_retryable() || goodbye.code() == Code::Internal, "{goodbye:?}");
}
