//! `set_enabled`: turns all retries of the process off and on. A program of its own, since the process is what it is about.

use std::sync::{Mutex, MutexGuard, PoisonError};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Failure, Policy, Run, Step, StopReason, always, retry, set_enabled};

mod support;
use support::{Log, block_on, secs};

/// One test at a time; each begins and ends with retries on.
struct Alone(#[allow(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Alone {
    fn begin() -> Self {
        static ONE: Mutex<()> = Mutex::new(());
        let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        set_enabled(true);
        Self(guard)
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        set_enabled(true);
    }
}

#[retry(max = 2, on = |fault| *fault != "hard", on_retry = |_| log.add("retry"), on_give_up = |event| log.add(event.reason().to_string()))]
fn load(outcome: Result<(), &'static str>, log: &Log) -> Result<(), &'static str> {
    log.add("attempt");
    outcome
}

#[retry(max = 2, on = always)]
async fn load_later(log: &Log) -> Result<(), &'static str> {
    log.add("attempt");
    Err("busy")
}

#[test]
fn off_means_one_attempt_and_the_reason_off() {
    let _alone = Alone::begin();
    let _time = VirtualTime::start();
    let log = Log::new();
    set_enabled(false);
    assert_eq!(load(Err("busy"), &log), Err("busy"));
    assert_eq!(log.take(), ["attempt", "retries are turned off"]);
    assert_eq!(block_on(load_later(&log)), Err("busy"));
    assert_eq!(log.take(), ["attempt"]);
}

#[test]
fn on_again_means_as_before() {
    let _alone = Alone::begin();
    let _time = VirtualTime::start();
    let log = Log::new();
    set_enabled(false);
    set_enabled(true);
    assert_eq!(load(Err("busy"), &log), Err("busy"));
    assert_eq!(log.take(), ["attempt", "retry", "attempt", "retry", "attempt", "all retries were used"]);
    assert_eq!(block_on(load_later(&log)), Err("busy"));
    assert_eq!(log.count(), 3);
}

#[test]
fn successes_and_hard_errors_do_not_notice() {
    let _alone = Alone::begin();
    let log = Log::new();
    set_enabled(false);
    assert_eq!(load(Ok(()), &log), Ok(()));
    assert_eq!(load(Err("hard"), &log), Err("hard"));
    assert_eq!(log.take(), ["attempt", "attempt"]);
}

#[test]
fn it_is_read_after_each_failure() {
    #[retry(max = 9, on = always, attempt = now)]
    fn until_off() -> Result<(), u32> {
        set_enabled(now.number() < 3);
        Err(now.number())
    }
    #[retry(max = 2, on = always, attempt = now)]
    async fn until_on() -> Result<(), u32> {
        set_enabled(true);
        Err(now.number())
    }

    let _alone = Alone::begin();
    let _time = VirtualTime::start();
    assert_eq!(until_off(), Err(3), "turned off in the third attempt");
    set_enabled(false);
    assert_eq!(block_on(until_on()), Err(3), "turned on in the first attempt");
}

#[test]
fn it_comes_before_every_other_reason() {
    let _alone = Alone::begin();
    let failure = Failure::new().cancelled(true).elapsed(secs(2)).retry_after(Some(secs(61)));
    let step = || Run::start(Policy::new().max(1).deadline(secs(1))).failed(failure);
    assert_eq!(step(), Step::GiveUp(StopReason::Cancelled));
    set_enabled(false);
    assert_eq!(step(), Step::GiveUp(StopReason::Off));
}

#[test]
fn off_in_the_last_attempt_it_is_the_reason_all_the_same() {
    #[retry(max = 1, on = always, attempt = now, on_give_up = |event| log.add(event.reason().to_string()))]
    fn load(log: &Log) -> Result<(), u32> {
        set_enabled(!now.is_retry());
        Err(now.number())
    }

    let _alone = Alone::begin();
    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(load(&log), Err(2));
    assert_eq!(log.take(), ["retries are turned off"], "before the retries that are used up");
}

#[test]
fn it_holds_for_all_threads() {
    let _alone = Alone::begin();
    set_enabled(false);
    let there = std::thread::spawn(|| {
        let log = Log::new();
        assert!(load(Err("busy"), &log).is_err());
        log.count()
    });
    assert_eq!(there.join().ok(), Some(2));
}
