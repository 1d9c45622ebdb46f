//! What the two notes that this crate began with demand of it, one test for each demand.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use http::{Response, StatusCode};
use retry_runtime::testing::VirtualTime;
use retry_runtime::{Retryable, StopReason, always, retry};
use tokio::time::{Instant, sleep, timeout};

mod support;
use support::script::{err, ok, play};
use support::{Log, block_on, ms, secs};

#[test]
fn the_waits_double_from_the_base_under_the_cap() {
    let trace = play!([strategy = "none", base_ms = 200], [(); 6].map(|()| err("busy")));
    assert_eq!(trace.waits, [200, 400, 800, 1_600, 3_200].map(ms));
    let trace = play!([strategy = "none", base_ms = 200, cap_ms = 1_000], [(); 6].map(|()| err("busy")));
    assert_eq!(trace.waits, [200, 400, 800, 1_000, 1_000].map(ms));
}

#[test]
fn jitter_full_equal_decorrelated_and_plus_minus_stay_in_their_ranges() {
    /// The waits of a hundred calls, those of each retry together.
    fn by_retry(call: fn() -> Result<(), ()>) -> Vec<BTreeSet<Duration>> {
        let calls: Vec<Vec<Duration>> = (0..100)
            .map(|seed| {
                let time = VirtualTime::seeded(seed);
                assert!(call().is_err());
                time.waits()
            })
            .collect();
        (0..5).map(|retry| calls.iter().map(|waits| waits[retry]).collect()).collect()
    }
    fn check(call: fn() -> Result<(), ()>, ranges: [(u64, u64); 5]) {
        for (waits, (from, to)) in by_retry(call).into_iter().zip(ranges) {
            let (first, last) = (waits.first().copied().unwrap(), waits.last().copied().unwrap());
            assert!(ms(from) <= first && last <= ms(to), "{first:?} to {last:?} in {from} to {to} ms");
            assert_eq!(waits.len(), 100, "spread, not piled up");
        }
    }

    #[retry(strategy = "full", base_ms = 200, on = always)]
    fn full() -> Result<(), ()> {
        Err(())
    }
    #[retry(strategy = "equal", base_ms = 200, on = always)]
    fn equal() -> Result<(), ()> {
        Err(())
    }
    #[retry(strategy = "decorrelated", base_ms = 200, on = always)]
    fn decorrelated() -> Result<(), ()> {
        Err(())
    }
    #[retry(strategy = "plus_minus", base_ms = 200, on = always)]
    fn plus_minus() -> Result<(), ()> {
        Err(())
    }

    check(full, [(0, 200), (0, 400), (0, 800), (0, 1_600), (0, 3_200)]);
    check(equal, [(100, 200), (200, 400), (400, 800), (800, 1_600), (1_600, 3_200)]);
    check(decorrelated, [(200, 600), (200, 1_800), (200, 5_400), (200, 10_000), (200, 10_000)]);
    check(plus_minus, [(0, 400), (200, 600), (600, 1_000), (1_400, 1_800), (3_000, 3_400)]);
}

#[test]
fn decorrelated_waits_at_most_three_times_the_wait_before() {
    let acts = [(); 9].map(|()| err("busy"));
    for seed in 0..50 {
        let trace = play!(seed, [strategy = "decorrelated", base_ms = 200, max = 8], acts);
        let mut previous = ms(200);
        for wait in trace.waits {
            assert!(ms(200) <= wait && wait <= (previous * 3).min(secs(10)), "{wait:?} after {previous:?}");
            previous = wait;
        }
    }
}

/// What a client of an HTTP service meets.
#[derive(Debug)]
enum Fault {
    Io(io::Error),
    Answer(Response<()>),
}

impl Retryable for Fault {
    fn is_retryable(&self) -> bool {
        match self {
            Self::Io(error) => error.is_retryable(),
            Self::Answer(answer) => answer.is_retryable(),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        if let Self::Answer(answer) = self { answer.retry_after() } else { None }
    }
}

fn answer(status: u16) -> Fault {
    Fault::Answer(Response::builder().status(status).body(()).unwrap())
}

/// Fails once with what `make` makes, then succeeds.
#[retry(strategy = "none")]
fn once_more(make: &dyn Fn() -> Fault, attempts: &mut u32) -> Result<(), Fault> {
    *attempts += 1;
    if *attempts == 1 { Err(make()) } else { Ok(()) }
}

#[test]
fn only_transient_errors_are_tried_again_the_rest_is_returned_at_once() {
    let time = VirtualTime::start();
    for kind in [ErrorKind::ConnectionReset, ErrorKind::TimedOut] {
        let mut attempts = 0;
        assert!(once_more(&|| Fault::Io(kind.into()), &mut attempts).is_ok(), "{kind}");
        assert_eq!(attempts, 2, "{kind}");
    }
    for status in [429, 502, 503, 504] {
        let mut attempts = 0;
        assert!(once_more(&|| answer(status), &mut attempts).is_ok(), "{status}");
        assert_eq!(attempts, 2, "{status}");
    }
    let waits = time.waits().len();
    for kind in
        [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::InvalidData, ErrorKind::AddrInUse]
    {
        let mut attempts = 0;
        assert!(once_more(&|| Fault::Io(kind.into()), &mut attempts).is_err(), "{kind}");
        assert_eq!(attempts, 1, "{kind}");
    }
    for status in [400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 500, 501, 505] {
        let mut attempts = 0;
        assert!(once_more(&|| answer(status), &mut attempts).is_err(), "{status}");
        assert_eq!(attempts, 1, "{status}");
    }
    assert_eq!(time.waits().len(), waits, "no wait for those");
}

#[test]
fn retry_after_takes_the_place_of_the_computed_delay() {
    let acts = [err("busy").hint(secs(7)), err("busy").hint(ms(20)), ok()];
    assert_eq!(play!([base_ms = 200, retry_after_mode = "replace"], acts).waits, [secs(7), ms(20)]);
}

#[test]
fn retry_after_is_the_upper_bound_of_the_delay() {
    let acts = [err("busy").hint(secs(7)), err("busy").hint(ms(20)), ok()];
    let trace = play!([strategy = "none", base_ms = 200, retry_after_mode = "ceiling"], acts);
    assert_eq!(trace.waits, [ms(200), ms(20)]);
}

#[test]
fn retry_after_is_the_floor_of_the_delay_with_a_spread_above_it() {
    let acts = [err("busy").hint(secs(4)), ok()];
    let waits: BTreeSet<_> = (0..100).map(|seed| play!(seed, [base_ms = 200], acts).waits[0]).collect();
    assert!(
        *waits.first().unwrap() >= secs(4) && *waits.last().unwrap() <= secs(6),
        "never before the server's time"
    );
    assert_eq!(waits.len(), 100, "and not all together");
}

#[test]
fn the_total_time_is_bounded_by_a_deadline_that_is_checked_before_waiting() {
    let acts = [err("a").takes(ms(100)), err("b").takes(ms(100)), err("c").takes(ms(100))];
    let trace = play!([strategy = "none", base_ms = 200, deadline_ms = 1_000], acts);
    assert_eq!(trace.waits, [ms(200), ms(400)]);
    assert_eq!(trace.elapsed, ms(900), "the next wait, of 800 ms, is not begun");
    assert_eq!((trace.result, trace.reason), (Err("c"), Some(StopReason::Deadline)));
}

#[tokio::test(start_paused = true)]
async fn waiting_stops_when_the_caller_goes_away() {
    #[retry(strategy = "none", base_ms = 10_000, on = always)]
    async fn load(log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }

    let (start, log) = (Instant::now(), Log::new());
    assert!(timeout(secs(3), load(&log)).await.is_err());
    assert_eq!(start.elapsed(), secs(3));
    sleep(secs(60)).await;
    assert_eq!(log.count(), 1);
}

/// The service's own error, of which nothing is asked.
struct PaymentError {
    code: StatusCode,
    attempt: u32,
}

impl fmt::Display for PaymentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at attempt {}", self.code.as_u16(), self.attempt)
    }
}

#[test]
fn the_last_error_comes_back_with_its_own_type() {
    #[retry(max = 2, on = |error| error.code.is_server_error(), attempt = now)]
    async fn charge() -> Result<(), PaymentError> {
        Err(PaymentError { code: StatusCode::BAD_GATEWAY, attempt: now.number() })
    }

    let _time = VirtualTime::start();
    let error: PaymentError = block_on(charge()).unwrap_err();
    assert_eq!((error.code, error.attempt), (StatusCode::BAD_GATEWAY, 3));
}

#[test]
fn a_hook_raises_the_alarm_when_the_call_gives_up() {
    struct PaymentService {
        alarms: RefCell<Vec<String>>,
    }

    impl PaymentService {
        #[retry(
            max = 2,
            on = |error| error.code.is_server_error(),
            attempt = now,
            on_give_up = |end| self.alarms.borrow_mut().push(format!("{}: {} after {} attempts", end.reason(), end.error(), end.attempts()))
        )]
        async fn charge(&self, code: StatusCode) -> Result<(), PaymentError> {
            Err(PaymentError { code, attempt: now.number() })
        }
    }

    let _time = VirtualTime::start();
    let service = PaymentService { alarms: RefCell::default() };
    assert!(block_on(service.charge(StatusCode::BAD_REQUEST)).is_err());
    assert!(service.alarms.borrow().is_empty(), "no alarm for what no retry could mend");
    assert!(block_on(service.charge(StatusCode::BAD_GATEWAY)).is_err());
    assert_eq!(service.alarms.take(), ["all retries were used: 502 at attempt 3 after 3 attempts"]);
}
