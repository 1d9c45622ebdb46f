//! Whose time a call lives by: the runtime's clock in async code, the monotonic one in blocking code, never the wall's.

use std::fs;
use std::path::Path;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Attempt, GivenUp, Policy, StopReason, Strategy, always, retry};
use tokio::time::{Instant, advance, sleep};

mod support;
use support::{Log, block_on, ms, secs};

fn since(start: Instant) -> u128 {
    start.elapsed().as_millis()
}

#[tokio::test(start_paused = true)]
async fn a_paused_clock_drives_the_waits() {
    #[retry(strategy = "none", base_ms = 10_000, cap_ms = 60_000, max = 3, on = always)]
    async fn load(start: Instant, log: &Log) -> Result<(), ()> {
        log.add(since(start).to_string());
        Err(())
    }

    let (start, log) = (Instant::now(), Log::new());
    assert!(load(start, &log).await.is_err());
    assert_eq!(log.take(), ["0", "10000", "30000", "70000"]);
    assert_eq!(since(start), 70_000);
}

#[tokio::test(start_paused = true)]
async fn the_same_clock_drives_the_deadline() {
    #[retry(strategy = "none", base_ms = 1_000, cap_ms = 1_000, deadline_ms = 5_000, on = always)]
    async fn load(start: Instant, log: &Log) -> Result<(), ()> {
        log.add(since(start).to_string());
        sleep(ms(600)).await;
        Err(())
    }

    let (start, log) = (Instant::now(), Log::new());
    assert!(load(start, &log).await.is_err());
    assert_eq!(log.take(), ["0", "1600", "3200", "4800"], "the next would begin at 6400");
}

#[tokio::test(start_paused = true)]
async fn the_same_clock_tells_hooks_and_attempts_the_time() {
    #[retry(strategy = "none", max = 2, deadline_ms = 5_000, on = always, attempt = now, on_give_up = |event| log.add(shown(event, now)))]
    async fn load(log: &Log) -> Result<(), ()> {
        sleep(ms(100)).await;
        Err(())
    }
    fn shown(event: &GivenUp<'_, ()>, now: Attempt) -> String {
        format!("{:?} {:?}", event.elapsed(), now.time_left())
    }

    let log = Log::new();
    assert!(load(&log).await.is_err());
    assert_eq!(log.take(), ["900ms Some(4.1s)"]);
}

#[tokio::test(start_paused = true)]
async fn the_same_clock_measures_attempts_for_reset_after() {
    #[retry(strategy = "none", max = 1, reset_after_ms = 1_000, deadline = "1m", on = always, once(mut attempts = 0))]
    async fn load() -> Result<(), u32> {
        attempts += 1;
        sleep(ms(if attempts < 4 { 1_000 } else { 998 })).await;
        Err(attempts)
    }

    let start = Instant::now();
    assert_eq!(load().await, Err(4));
    assert_eq!(since(start), 3 * 1_200 + 998);
}

#[tokio::test(start_paused = true)]
async fn the_wait_runs_from_the_failure_to_the_next_attempt() {
    #[retry(strategy = "none", base_ms = 100, cap_ms = 100, max = 2, on = always, attempt = now)]
    async fn load(start: Instant, log: &Log) -> Result<(), ()> {
        log.add(since(start).to_string());
        sleep(ms([250, 40, 5][now.number() as usize - 1])).await;
        if now.number() < 3 { Err(()) } else { Ok(()) }
    }

    let (start, log) = (Instant::now(), Log::new());
    assert!(load(start, &log).await.is_ok());
    assert_eq!(log.take(), ["0", "350", "490"]);
    assert_eq!(since(start), 495);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_counts_from_the_first_poll() {
    #[retry(strategy = "none", base_ms = 1_000, cap_ms = 1_000, deadline_ms = 2_500, on = always, attempt = now)]
    async fn load() -> Result<(), u32> {
        Err(now.number())
    }

    let future = load();
    advance(secs(60)).await;
    assert_eq!(future.await, Err(3));
}

#[tokio::test(start_paused = true)]
async fn tasks_wait_side_by_side_each_on_its_own() {
    #[retry(strategy = "none", base = "1s", cap = "1m", max = 3, on = always)]
    async fn load(name: char, start: Instant, log: &Log) -> Result<(), ()> {
        log.add(format!("{name} {}", since(start)));
        Err(())
    }

    let (start, log) = (Instant::now(), Log::new());
    let later = async {
        sleep(ms(500)).await;
        load('b', start, &log).await
    };
    assert_eq!(tokio::join!(load('a', start, &log), later), (Err(()), Err(())));
    assert_eq!(log.take(), ["a 0", "b 500", "a 1000", "b 1500", "a 3000", "b 3500", "a 7000", "b 7500"]);
}

#[tokio::test(start_paused = true)]
async fn a_point_in_time_of_the_paused_clock_is_a_deadline_on_it() {
    #[retry(policy = policy, on = always, attempt = now)]
    async fn load(policy: Policy) -> Result<(), u32> {
        Err(now.number())
    }

    let steady = Policy::new().strategy(Strategy::None).base(ms(400)).factor(1.0).max(99);
    advance(secs(3_600)).await;
    let deadline = Instant::now() + ms(1_000);
    assert_eq!(load(steady.until(deadline.into_std())).await, Err(3), "attempts at 0, 400 and 800 ms");
}

#[test]
fn a_blocking_call_can_be_driven_by_virtual_time() {
    #[retry(strategy = "none", base_ms = 10_000, cap_ms = 60_000, max = 5, deadline_ms = 40_000, on = always, attempt = now,
        on_give_up = |event| log.add(format!("{:?} {:?}", event.reason(), event.elapsed())))]
    fn load(time: &VirtualTime, log: &Log) -> Result<(), Option<Duration>> {
        time.advance(ms(500));
        Err(now.time_left())
    }

    let (time, log) = (VirtualTime::start(), Log::new());
    assert_eq!(load(&time, &log), Err(Some(ms(8_500))));
    assert_eq!(time.waits(), [secs(10), secs(20)]);
    assert_eq!(time.elapsed(), ms(31_500));
    assert_eq!(log.take(), [format!("{:?} 31.5s", StopReason::Deadline)]);
}

#[test]
fn an_async_call_can_be_driven_by_virtual_time_without_a_runtime() {
    #[retry(strategy = "none", base_ms = 10_000, cap_ms = 60_000, max = 5, deadline_ms = 40_000, on = always)]
    async fn load(time: &VirtualTime) -> Result<(), Duration> {
        time.advance(ms(500));
        Err(time.elapsed())
    }

    let time = VirtualTime::start();
    assert_eq!(block_on(load(&time)), Err(ms(31_500)));
    assert_eq!(time.waits(), [secs(10), secs(20)]);
}

#[test]
fn the_wall_clock_is_read_for_http_dates_alone() {
    fn readers(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                readers(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs")
                && fs::read_to_string(&path).unwrap().contains("SystemTime")
            {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }

    let mut found = Vec::new();
    for source in ["retry-runtime/src", "retry-macros/src"] {
        readers(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &mut found);
    }
    assert_eq!(found, ["http.rs"]);
}
