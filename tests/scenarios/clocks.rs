//! A paused clock, an outer timeout, and a wall clock that steps.

use std::time::UNIX_EPOCH;

use retry_runtime::http::parse_retry_after;
use retry_runtime::{StopReason, always, retry};
use tokio::time::{Instant, sleep, timeout};

use crate::support::script::{err, ok, play};
use crate::support::{Log, ms, secs};

#[tokio::test(start_paused = true)]
async fn an_outer_timeout_ends_a_call_in_the_middle_of_its_wait() {
    #[retry(strategy = "none", base_ms = 10_000, cap_ms = 10_000, max = 10, on = always)]
    async fn call(log: &Log) -> Result<(), &'static str> {
        log.add("call");
        Err("busy")
    }

    let (start, log) = (Instant::now(), Log::new());
    assert!(timeout(ms(1_000), call(&log)).await.is_err());
    assert_eq!((start.elapsed(), log.count()), (ms(1_000), 1));
    sleep(ms(60_000)).await;
    assert_eq!(log.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn long_waits_take_exactly_their_sum_of_paused_time() {
    #[retry(strategy = "none", base_ms = 10_000, cap_ms = 60_000, max = 3, on = always, once(mut calls = 0))]
    async fn call() -> Result<u32, ()> {
        calls += 1;
        if calls < 4 { Err(()) } else { Ok(calls) }
    }

    let start = Instant::now();
    assert_eq!(call().await, Ok(4));
    assert_eq!(start.elapsed(), ms(70_000));
}

#[test]
fn waits_and_deadline_run_on_the_monotonic_clock() {
    // No step of the wall clock could show: nothing here reads it.
    let acts = [(); 10].map(|()| err("busy"));
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, max = 100, deadline_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.elapsed), (10, ms(900)));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}

#[test]
fn a_date_is_turned_into_a_length_when_it_is_read() {
    let now = UNIX_EPOCH + secs(1_796_083_140);
    let hint = parse_retry_after("Mon, 30 Nov 2026 23:59:05 GMT", now).expect("a date five seconds ahead");
    assert_eq!(hint, secs(5));
    let acts = [err("busy").hint(hint), ok()];
    for seed in 0..100 {
        let trace = play!(
            seed,
            [strategy = "none", base_ms = 100, cap_ms = 100, max = 100, deadline_ms = 60_000],
            acts
        );
        assert_eq!((trace.calls(), trace.result), (2, Ok(())));
        assert!(secs(5) <= trace.elapsed && trace.elapsed <= ms(5_100), "{:?}", trace.elapsed);
    }
}
