//! Every call starts over, also when calls overlap and after a panic.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};
use tokio::time::Instant;

use crate::support::{Log, block_on, ms};

/// The outcomes of the attempts to come, first to last.
type Outcomes = RefCell<Vec<Result<(), &'static str>>>;

fn outcomes<const N: usize>(mut list: [Result<(), &'static str>; N]) -> Outcomes {
    list.reverse();
    RefCell::new(list.into())
}

fn next(outcomes: &Outcomes) -> Result<(), &'static str> {
    match outcomes.borrow_mut().pop().expect("an attempt too many") {
        Err("boom") => panic!("boom"),
        outcome => outcome,
    }
}

#[retry(strategy = "none", base_ms = 100, cap_ms = 10_000, max = 5, on = always)]
fn call(outcomes: &Outcomes) -> Result<(), &'static str> {
    next(outcomes)
}

#[retry(strategy = "none", base_ms = 100, cap_ms = 10_000, max = 5, on = always)]
async fn call_later(outcomes: &Outcomes) -> Result<(), &'static str> {
    next(outcomes)
}

#[test]
fn a_second_call_begins_at_the_first_window() {
    let time = VirtualTime::start();
    assert_eq!(call(&outcomes([Err("a"), Err("b"), Err("c"), Err("d"), Ok(())])), Ok(()));
    assert_eq!(time.waits(), [100, 200, 400, 800].map(ms));
    assert_eq!(call(&outcomes([Err("e"), Ok(())])), Ok(()));
    assert_eq!(time.waits()[4..], [ms(100)]);
}

#[tokio::test(start_paused = true)]
async fn overlapping_calls_have_counts_and_waits_of_their_own() {
    #[retry(strategy = "none", base_ms = 100, cap_ms = 10_000, max = 5, on = always)]
    async fn timed(start: Instant, log: &Log) -> Result<(), usize> {
        log.add(start.elapsed().as_millis().to_string());
        if log.count() < 3 { Err(log.count()) } else { Ok(()) }
    }

    let (start, first, second) = (Instant::now(), Log::new(), Log::new());
    assert_eq!(tokio::join!(timed(start, &first), timed(start, &second)), (Ok(()), Ok(())));
    assert_eq!(first.take(), ["0", "100", "300"]);
    assert_eq!(second.take(), ["0", "100", "300"]);
}

#[test]
fn a_second_call_does_not_know_what_the_first_one_drew() {
    #[retry(strategy = "decorrelated", base_ms = 100, cap_ms = 10_000, max = 5, on = always)]
    fn decorrelated(outcomes: &Outcomes) -> Result<(), &'static str> {
        next(outcomes)
    }

    for seed in 0..200 {
        let time = VirtualTime::seeded(seed);
        let failures = [Err("busy"), Err("busy"), Err("busy"), Err("busy"), Err("busy"), Ok(())];
        assert_eq!(decorrelated(&outcomes(failures)), Ok(()));
        assert_eq!(decorrelated(&outcomes([Err("busy"), Ok(())])), Ok(()));
        let wait = time.waits()[5];
        assert!(ms(100) <= wait && wait <= ms(300), "{wait:?}");
    }
}

fn assert_panic_passes(call: fn(&Outcomes) -> Result<(), &'static str>) {
    let time = VirtualTime::start();
    let script = outcomes([Err("a"), Err("boom"), Ok(())]);
    let panic = catch_unwind(AssertUnwindSafe(|| call(&script))).expect_err("a panic");
    assert_eq!(panic.downcast_ref(), Some(&"boom"));
    assert_eq!((script.borrow().len(), time.elapsed()), (1, ms(100)), "two calls, one wait");
    assert_eq!(call(&outcomes([Err("b"), Err("c"), Ok(())])), Ok(()));
    assert_eq!(time.waits()[1..], [100, 200].map(ms), "the next call begins at the first window");
}

#[test]
fn a_panic_of_the_body_is_no_failure_to_retry() {
    assert_panic_passes(call);
}

#[test]
fn a_panic_of_an_async_body_is_no_failure_to_retry() {
    assert_panic_passes(|outcomes| block_on(call_later(outcomes)));
}
