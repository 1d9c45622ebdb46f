//! `reqwest` against servers that misbehave: HTTP/1.1 and HTTP/2, statuses with each form of hint, resets, answers cut
//! short, slow headers.

mod support;

use std::error::Error as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use reqwest::{Client, Response};
use retry_runtime::reqwest::{CheckStatus, Error, transient};
use retry_runtime::{Retryable, in_chain, retry, unprocessed};
use support::http::{Reply, Server, answer, bare, close_after, go_away, reset_after, reset_streams};
use support::{Waits, ms, secs};

/// The client of each version. Both leave every decision to the attribute.
fn clients() -> [(&'static str, Client); 2] {
    let builder = || Client::builder().no_proxy().timeout(secs(5)).retry(reqwest::retry::never());
    let built = |builder: reqwest::ClientBuilder| builder.build().unwrap();
    [("HTTP/1.1", built(builder())), ("HTTP/2", built(builder().http2_prior_knowledge()))]
}

fn http1() -> Client {
    let [(_, client), _] = clients();
    client
}

fn http2() -> Client {
    let [_, (_, client)] = clients();
    client
}

#[retry(when = transient, max = 3, retry_after_mode = "replace", sleep = |delay| waits.note(delay))]
async fn fetch(client: &Client, url: &str, waits: &Waits) -> reqwest::Result<Response> {
    client.get(url).send().await
}

#[retry(max = 3, retry_after_mode = "replace", sleep = |delay| waits.note(delay))]
async fn text(client: &Client, url: &str, waits: &Waits) -> Result<String, Error> {
    Ok(client.get(url).send().await?.check_status()?.text().await?)
}

/// Only what was certainly not processed.
#[retry(max = 3, on = unprocessed, sleep = |delay| waits.note(delay))]
async fn charge(client: &Client, url: &str, waits: &Waits) -> Result<String, Error> {
    Ok(client.post(url).send().await?.check_status()?.text().await?)
}

#[tokio::test]
async fn each_form_of_retry_after_with_429_and_503() {
    let here = SystemTime::now();
    let date = |seconds| httpdate::fmt_http_date(here + secs(seconds));
    let (now, later) = (date(0), date(30));
    let forms: [(Vec<(&'static str, &str)>, Duration); 8] = [
        (vec![("retry-after", "7")], secs(7)),
        (vec![("retry-after", "1.5")], ms(1_500)),
        (vec![("retry-after-ms", "40"), ("retry-after", "7")], ms(40)),
        (vec![("x-ms-retry-after-ms", "60")], ms(60)),
        (vec![("date", &now), ("retry-after", &later)], secs(30)),
        // A clock that is a day behind ours.
        (
            vec![
                ("date", "Mon, 30 Nov 2026 23:58:00 GMT"),
                ("retry-after", "Tue, 01 Dec 2026 00:00:00 GMT"),
                ("x", "1"),
            ],
            secs(120),
        ),
        (
            vec![
                ("date", "Mon, 30 Nov 2026 23:59:30 GMT"),
                ("retry-after", "Tuesday, 01-Dec-26 00:00:00 GMT"),
            ],
            secs(30),
        ),
        (
            vec![("date", "Mon, 30 Nov 2026 23:59:30 GMT"), ("retry-after", "Tue Dec  1 00:00:00 2026")],
            secs(30),
        ),
    ];
    let (server, waits) = (Server::start().await, Waits::default());
    for (version, client) in clients() {
        for (headers, hint) in &forms {
            for status in [429, 503] {
                let told = format!("{version} {status} {headers:?}");
                server.plan([answer(status, headers), answer(status, headers)]);
                let outcome = fetch(&client, &server.url, &waits).await.unwrap();
                if *hint > secs(60) {
                    // Longer than `retry_after_max`: the last outcome, untouched.
                    assert_eq!((outcome.status().as_u16(), server.requests()), (status, 1), "{told}");
                    assert!(waits.take().is_empty(), "{told}");
                    continue;
                }
                assert_eq!((outcome.status().as_u16(), server.requests()), (200, 3), "{told}");
                assert_eq!(waits.take(), [*hint; 2], "{told}");

                server.plan([answer(status, headers)]);
                assert_eq!(text(&client, &server.url, &waits).await.unwrap(), "body", "{told}");
                assert_eq!(waits.take(), [*hint], "{told}: the error keeps the hint");
            }
        }
    }
}

#[tokio::test]
async fn statuses_and_the_word_of_the_server() {
    let (server, waits) = (Server::start().await, Waits::default());
    for (version, client) in clients() {
        for (status, headers, requests) in [
            (200, &[][..], 1),
            (204, &[], 1),
            (304, &[], 1),
            (400, &[], 1),
            (408, &[], 2),
            (409, &[], 1),
            (425, &[], 2),
            (500, &[], 1),
            (501, &[], 1),
            (502, &[], 2),
            (504, &[], 2),
            (500, &[("x-should-retry", "true")], 2),
            (409, &[("x-should-retry", "True")], 2),
            (503, &[("x-should-retry", "false"), ("retry-after", "1")], 1),
            (503, &[("x-should-retry", "maybe")], 2),
            (200, &[("x-should-retry", "true")], 1),
        ] {
            server.plan([answer(status, headers)]);
            fetch(&client, &server.url, &waits).await.unwrap();
            assert_eq!(server.requests(), requests, "{version} {status} {headers:?}");
            server.plan([answer(status, headers)]);
            let _ = text(&client, &server.url, &waits).await;
            assert_eq!(server.requests(), requests, "{version} {status} {headers:?}");
        }
    }
}

#[tokio::test]
async fn a_status_as_an_error_with_and_without_its_hint() {
    let (server, client) = (Server::start().await, http1());
    server.plan(vec![answer(429, &[("retry-after", "7")]); 2]);
    let kept = client.get(&server.url).send().await.unwrap().check_status().unwrap_err();
    let lost = client.get(&server.url).send().await.unwrap().error_for_status().unwrap_err();
    assert!(kept.is_retryable() && lost.is_retryable());
    assert_eq!((kept.retry_after(), lost.retry_after()), (Some(secs(7)), None));
    assert_eq!(kept.to_string(), format!("status 429 Too Many Requests from {}/", server.url));
    assert!(in_chain(&(Box::new(Error::from(kept)) as Box<dyn std::error::Error>)));
    assert!(in_chain(&(Box::new(lost) as Box<dyn std::error::Error>)));
}

#[tokio::test]
async fn slow_headers_are_a_timeout() {
    let (server, waits) = (Server::start().await, Waits::default());
    let builders = [Client::builder(), Client::builder().http2_prior_knowledge()];
    for builder in builders {
        let client = builder.no_proxy().timeout(ms(60)).build().unwrap();
        server.plan([Reply::Silence, Reply::Silence]);
        assert_eq!(text(&client, &server.url, &waits).await.unwrap(), "body");
        assert_eq!((server.requests(), waits.take().len()), (3, 2));

        server.plan([Reply::Silence]);
        let error = charge(&client, &server.url, &waits).await.unwrap_err();
        assert!(matches!(&error, Error::Transport(error) if error.is_timeout()), "{error:?}");
        assert!(error.is_retryable() && !error.is_unprocessed());
    }
}

#[tokio::test]
async fn attempt_timeout_becomes_an_error_of_its_own() {
    #[retry(base_ms = 1, max = 2, attempt_timeout_ms = 60)]
    async fn impatient(client: &Client, url: &str) -> Result<String, Error> {
        Ok(client.get(url).send().await?.check_status()?.text().await?)
    }

    let server = Server::start().await;
    server.plan([Reply::Silence]);
    assert_eq!(impatient(&http1(), &server.url).await.unwrap(), "body");
    server.plan(vec![Reply::Silence; 3]);
    let error = impatient(&http1(), &server.url).await.unwrap_err();
    assert!(matches!(&error, Error::TimedOut(elapsed) if elapsed.limit() == ms(60)), "{error:?}");
}

#[tokio::test]
async fn a_body_that_breaks_off() {
    let (server, waits) = (Server::start().await, Waits::default());
    for (version, client) in clients() {
        server.plan([Reply::CutShort, Reply::CutShort]);
        assert_eq!(text(&client, &server.url, &waits).await.unwrap(), "body", "{version}");
        assert_eq!(server.requests(), 3, "{version}");

        // Read outside the annotated function: nobody repeats it.
        server.plan([Reply::CutShort]);
        let error = fetch(&client, &server.url, &waits).await.unwrap().text().await.unwrap_err();
        assert!(error.is_retryable() && !error.is_unprocessed(), "{version}: {error:?}");
        assert_eq!(server.requests(), 1, "{version}");
    }
}

#[tokio::test]
async fn connections_that_are_reset_or_closed() {
    const PART: &str = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbo";
    const CHUNK: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbo";
    const ALL: &str = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody";
    let waits = Waits::default();
    for first in ["", "HTTP/1.1 200 OK\r\ncont", PART, CHUNK] {
        for reset in [true, false] {
            let (address, connections) = bare(move |stream, number| async move {
                match number {
                    1 | 2 if reset => reset_after(stream, first).await,
                    1 | 2 => close_after(stream, first).await,
                    _ => close_after(stream, ALL).await,
                }
            })
            .await;
            let url = format!("http://{address}");
            assert_eq!(text(&http1(), &url, &waits).await.unwrap(), "body", "{first:?}, {reset}");
            assert_eq!(connections.load(Ordering::Relaxed), 3, "{first:?}, {reset}");

            connections.store(0, Ordering::Relaxed);
            let error = charge(&http1(), &url, &waits).await.unwrap_err();
            assert!(error.is_retryable() && !error.is_unprocessed(), "{first:?}, {reset}: {error:?}");
            assert_eq!(connections.load(Ordering::Relaxed), 1, "{first:?}, {reset}");
        }
    }
}

#[tokio::test]
async fn nobody_listens() {
    let waits = Waits::default();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (version, client) in clients() {
        let error = charge(&client, &url, &waits).await.unwrap_err();
        assert!(error.is_unprocessed(), "{version}: {error:?}");
        assert_eq!(waits.take().len(), 3, "{version}");
    }
}

#[tokio::test]
async fn streams_that_are_reset() {
    for (reason, retryable, unprocessed) in [
        (h2::Reason::REFUSED_STREAM, true, true),
        (h2::Reason::INTERNAL_ERROR, true, false),
        (h2::Reason::ENHANCE_YOUR_CALM, true, false),
        (h2::Reason::CANCEL, true, false),
        (h2::Reason::PROTOCOL_ERROR, false, false),
        (h2::Reason::HTTP_1_1_REQUIRED, false, false),
    ] {
        let (address, _) = bare(move |stream, _| reset_streams(stream, reason)).await;
        let error = http2().get(format!("http://{address}")).send().await.unwrap_err();
        assert_eq!((error.is_retryable(), error.is_unprocessed()), (retryable, unprocessed), "{error:?}");
    }
}

#[tokio::test]
async fn a_goodbye_before_the_stream_was_looked_at() {
    let (address, _) = bare(|stream, _| go_away(stream)).await;
    let error = http2().get(format!("http://{address}")).send().await.unwrap_err();
    assert!(error.is_retryable(), "{error:?}");
}

#[tokio::test]
async fn mistakes_of_our_own() {
    let (server, waits) = (Server::start().await, Waits::default());
    let builder = text(&http1(), "no address", &waits).await.unwrap_err();
    assert!(matches!(&builder, Error::Transport(error) if error.is_builder()), "{builder:?}");

    server.plan(vec![answer(302, &[("location", "/")]); 30]);
    let redirect = text(&http1(), &server.url, &waits).await.unwrap_err();
    assert!(matches!(&redirect, Error::Transport(error) if error.is_redirect()), "{redirect:?}");
    assert_eq!(server.requests(), 11, "ten redirects, no retry");

    server.plan([]);
    let decode = http1().get(&server.url).send().await.unwrap().json::<u32>().await.unwrap_err();
    assert!(decode.is_decode() && !decode.is_retryable(), "{decode:?}");
    assert!(decode.source().is_some());

    for error in [builder, redirect] {
        assert!(!error.is_retryable() && !error.is_unprocessed());
    }
    assert!(waits.take().is_empty());
}

#[tokio::test]
async fn what_is_behind_a_boxed_error() {
    #[retry(base_ms = 1, max = 2, on = in_chain)]
    async fn boxed(client: &Client, url: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        Ok(client.get(url).send().await?.check_status()?.text().await?)
    }

    let server = Server::start().await;
    server.plan([answer(503, &[]), Reply::CutShort]);
    assert_eq!(boxed(&http1(), &server.url).await.unwrap(), "body");
    assert_eq!(server.requests(), 3);
    server.plan([answer(404, &[])]);
    assert!(boxed(&http1(), &server.url).await.is_err());
    assert_eq!(server.requests(), 1);
}
