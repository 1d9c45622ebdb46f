//! Dropping the future ends a call: no further attempt, no hook, no timer that outlives it.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use retry_runtime::{always, retry};
use tokio::time::{Instant, sleep, timeout};

mod support;
use support::{Log, Noisy, ms, secs};

#[retry(
    strategy = "none",
    base_ms = 10_000,
    max = 9,
    on = |()| { log.add("on"); true },
    on_retry = |_| log.add("retry"),
    on_give_up = |_| log.add("end")
)]
async fn busy(takes: Duration, log: &Log) -> Result<(), ()> {
    log.add("attempt");
    let _inside = Noisy { name: "body", log };
    if !takes.is_zero() {
        sleep(takes).await;
    }
    Err(())
}

#[tokio::test(start_paused = true)]
async fn an_outer_timeout_ends_the_wait_then_and_there() {
    let (start, log) = (Instant::now(), Log::new());
    assert!(timeout(secs(1), busy(Duration::ZERO, &log)).await.is_err());
    assert_eq!(start.elapsed(), secs(1));
    assert_eq!(log.take(), ["attempt", "drop body", "on", "retry"]);
    sleep(secs(60)).await;
    assert_eq!(log.count(), 0, "nothing goes on behind the scenes");
}

#[tokio::test(start_paused = true)]
async fn an_outer_timeout_ends_an_attempt_too() {
    let (start, log) = (Instant::now(), Log::new());
    assert!(timeout(secs(1), busy(secs(5), &log)).await.is_err());
    assert_eq!(start.elapsed(), secs(1));
    assert_eq!(
        log.take(),
        ["attempt", "drop body"],
        "it is no failure: nobody is asked and no hook is called"
    );
    sleep(secs(60)).await;
    assert_eq!(log.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_later_attempt_ends_like_the_first() {
    let log = Log::new();
    assert!(timeout(secs(16), busy(secs(5), &log)).await.is_err());
    assert_eq!(log.take(), ["attempt", "drop body", "on", "retry", "attempt", "drop body"]);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_aborted_makes_no_further_attempt() {
    let log = Arc::new(Log::new());
    let task = tokio::spawn({
        let log = log.clone();
        async move { busy(Duration::ZERO, &log).await }
    });
    sleep(secs(5)).await;
    task.abort();
    assert!(task.await.is_err_and(|error| error.is_cancelled()));
    sleep(secs(60)).await;
    assert_eq!(log.take(), ["attempt", "drop body", "on", "retry"]);
    assert_eq!(Arc::strong_count(&log), 1);
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_race_that_is_lost_ends_the_call() {
    let log = Log::new();
    tokio::select! {
        _ = busy(Duration::ZERO, &log) => unreachable!("it waits for ten seconds"),
        () = sleep(ms(10)) => {}
    }
    assert_eq!(log.take(), ["attempt", "drop body", "on", "retry"]);
}

#[retry(strategy = "none", max = 1, on = always, clone(order), keep(count), once(key = Noisy { name: "key", log }))]
async fn pay(order: Noisy<'_>, mut count: Option<Noisy<'_>>, log: &Log) -> Result<(), ()> {
    log.add(format!("attempt with {}", key.name));
    drop(order);
    count.take();
    Err(())
}

fn noisy<'l>(name: &'static str, log: &'l Log) -> Noisy<'l> {
    Noisy { name, log }
}

#[tokio::test(start_paused = true)]
async fn arguments_and_once_values_are_dropped_with_the_future() {
    let log = Log::new();
    let call = pay(noisy("order", &log), Some(noisy("count", &log)), &log);
    assert!(timeout(ms(100), call).await.is_err());
    let entries = log.take();
    assert_eq!(entries[..3], ["attempt with key", "drop clone", "drop count"]);
    let mut dropped = entries[3..].to_vec();
    dropped.sort();
    assert_eq!(dropped, ["drop key", "drop order"], "each once");
}

#[tokio::test(start_paused = true)]
async fn a_future_that_is_never_polled_does_nothing() {
    let log = Log::new();
    drop(pay(noisy("order", &log), None, &log));
    assert_eq!(log.take(), ["drop order"], "not even `once` was evaluated");
}

#[tokio::test(start_paused = true)]
async fn the_next_call_counts_from_one() {
    #[retry(strategy = "none", max = 2, on = always, attempt = now)]
    async fn load() -> Result<(), u32> {
        Err(now.number())
    }

    assert!(timeout(ms(300), load()).await.is_err());
    let start = Instant::now();
    assert_eq!(load().await, Err(3));
    assert_eq!(start.elapsed(), ms(600));
}

#[tokio::test(start_paused = true)]
async fn an_inner_call_ends_with_the_outer_one() {
    #[retry(strategy = "none", base_ms = 10_000, on = always)]
    async fn outer(log: &Log) -> Result<(), ()> {
        busy(Duration::ZERO, log).await
    }

    let log = Log::new();
    assert!(timeout(secs(15), outer(&log)).await.is_err());
    assert_eq!(log.take(), ["attempt", "drop body", "on", "retry"].repeat(2));
    sleep(secs(60)).await;
    assert_eq!(log.count(), 0);
}

struct Quiet;

impl Wake for Quiet {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn no_registration_outlives_the_future() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _inside = runtime.enter();
    let log = Log::new();
    let quiet = Arc::new(Quiet);
    let waker = Waker::from(quiet.clone());
    {
        let mut future = pin!(busy(Duration::ZERO, &log));
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(Arc::strong_count(&quiet) > 2, "the timer knows whom to wake");
    }
    assert_eq!(Arc::strong_count(&quiet), 2, "only the waker here is left");
}
