//! Calls inside calls, beside each other and inside themselves: nothing is shared between them.

use std::cell::Cell;
use std::pin::Pin;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};
use tokio::time::Instant;

mod support;
use support::{Log, block_on, ms};

fn inner_body(log: &Log, n: u32) -> Result<(), String> {
    log.add("inner");
    Err(format!("down {n}"))
}

#[retry(strategy = "none", base_ms = 10, cap_ms = 10, max = 2, on = always, attempt = now)]
fn inner(log: &Log) -> Result<(), String> {
    inner_body(log, now.number())
}

#[retry(strategy = "none", base_ms = 10, cap_ms = 10, max = 2, on = always, attempt = now)]
async fn inner_later(log: &Log) -> Result<(), String> {
    inner_body(log, now.number())
}

#[retry(strategy = "none", base_ms = 100, cap_ms = 100, max = 1, on = |error| { log.add(format!("outer sees {error}")); true })]
fn outer(log: &Log) -> Result<(), String> {
    inner(log)
}

#[retry(strategy = "none", base_ms = 100, cap_ms = 100, max = 1, on = |error| { log.add(format!("outer sees {error}")); true })]
async fn outer_later(log: &Log) -> Result<(), String> {
    inner_later(log).await
}

#[test]
fn attempts_multiply_and_the_outer_call_sees_the_last_inner_error() {
    let expected = ["inner", "inner", "inner", "outer sees down 3"].repeat(2);
    let (time, log) = (VirtualTime::start(), Log::new());
    assert_eq!(outer(&log), Err("down 3".to_owned()));
    assert_eq!(log.take(), expected);
    assert_eq!(time.waits(), [ms(10), ms(10), ms(100), ms(10), ms(10)]);
    assert_eq!(time.elapsed(), ms(140));
    assert_eq!(block_on(outer_later(&log)), Err("down 3".to_owned()));
    assert_eq!(log.take(), expected);
    assert_eq!(time.elapsed(), ms(280));
}

#[test]
fn an_inner_success_is_a_success_of_the_outer_attempt() {
    #[retry(strategy = "none", max = 2, on = always)]
    fn flaky(left: &Cell<u32>) -> Result<u32, ()> {
        left.set(left.get() - 1);
        if left.get() > 0 { Err(()) } else { Ok(7) }
    }
    #[retry(strategy = "none", max = 1, on = always, attempt = now)]
    fn around(left: &Cell<u32>) -> Result<(u32, u32), ()> {
        Ok((flaky(left)?, now.number()))
    }

    let time = VirtualTime::start();
    assert_eq!(around(&Cell::new(3)), Ok((7, 1)));
    assert_eq!(around(&Cell::new(5)), Ok((7, 2)), "the inner call counted from one again");
    assert_eq!(time.waits()[2..], [ms(200), ms(400), ms(200), ms(200)]);
}

#[retry(strategy = "none", base_ms = 100, max = 5, on = always, attempt = now)]
async fn overlapping(succeeds_in: u32, start: Instant, log: &Log) -> Result<(), u32> {
    log.add(format!("{} at {}", now.number(), start.elapsed().as_millis()));
    if now.number() < succeeds_in { Err(now.number()) } else { Ok(()) }
}

#[tokio::test(start_paused = true)]
async fn overlapping_calls_of_one_function_keep_their_own_state() {
    let (start, first, second) = (Instant::now(), Log::new(), Log::new());
    let both = tokio::join!(overlapping(3, start, &first), overlapping(4, start, &second));
    assert_eq!(both, (Ok(()), Ok(())));
    assert_eq!(first.take(), ["1 at 0", "2 at 100", "3 at 300"]);
    assert_eq!(second.take(), ["1 at 0", "2 at 100", "3 at 300", "4 at 700"]);
}

#[test]
fn a_call_after_another_starts_over() {
    #[retry(strategy = "none", base_ms = 100, max = 5, on = always, attempt = now)]
    fn load(succeeds_in: u32) -> Result<u32, u32> {
        if now.number() < succeeds_in { Err(now.number()) } else { Ok(now.number()) }
    }

    let time = VirtualTime::start();
    assert_eq!((load(5), load(2)), (Ok(5), Ok(2)));
    assert_eq!(time.waits(), [ms(100), ms(200), ms(400), ms(800), ms(100)]);
}

#[test]
fn a_function_may_call_itself() {
    #[retry(strategy = "none", base_ms = 10, max = 1, on = always)]
    fn deep(level: u32, log: &Log) -> Result<(), u32> {
        log.add(level.to_string());
        if level == 0 { Err(0) } else { deep(level - 1, log).map_err(|error| error + 1) }
    }
    #[retry(strategy = "none", base_ms = 10, max = 1, on = always)]
    async fn deep_later(level: u32, log: &Log) -> Result<(), u32> {
        log.add(level.to_string());
        if level == 0 {
            return Err(0);
        }
        let next: Pin<Box<dyn Future<Output = Result<(), u32>> + '_>> = Box::pin(deep_later(level - 1, log));
        next.await.map_err(|error| error + 1)
    }

    let expected = ["2", "1", "0", "0", "1", "0", "0", "2", "1", "0", "0", "1", "0", "0"];
    let (time, log) = (VirtualTime::start(), Log::new());
    assert_eq!(deep(2, &log), Err(2));
    assert_eq!(log.take(), expected);
    assert_eq!(block_on(deep_later(2, &log)), Err(2));
    assert_eq!(log.take(), expected);
    assert_eq!(time.waits(), vec![ms(10); 14]);
}

#[test]
fn threads_share_nothing() {
    let there = || {
        std::thread::spawn(|| {
            let (time, log) = (VirtualTime::start(), Log::new());
            assert!(outer(&log).is_err());
            (log.count(), time.waits().len())
        })
    };
    for thread in [there(), there(), there()] {
        assert_eq!(thread.join().unwrap(), (8, 5));
    }
}
