//! `attempt`: what the body, the predicates and the hooks know of the attempt they belong to.

use std::cell::RefCell;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Attempt, Policy, always, retry};

mod support;
use support::{Log, block_on, ms};

#[test]
fn attempts_are_numbered_from_one() {
    #[retry(max = 2, on = always, attempt = now)]
    fn load(log: &Log) -> Result<(), ()> {
        log.add(format!("{} {}", now.number(), now.is_retry()));
        Err(())
    }
    #[retry(max = 2, on = always, attempt = now)]
    async fn load_later(log: &Log) -> Result<(), ()> {
        log.add(format!("{} {}", now.number(), now.is_retry()));
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    assert_eq!(log.take(), ["1 false", "2 true", "3 true"]);
    assert!(block_on(load_later(&log)).is_err());
    assert_eq!(log.take(), ["1 false", "2 true", "3 true"], "and each call begins anew");
}

#[test]
fn it_knows_how_many_retries_are_left() {
    #[retry(max = 2, on = always, attempt = now)]
    fn limited(log: &Log) -> Result<(), ()> {
        log.add(now.retries_left().to_string());
        Err(())
    }
    #[retry(max = unlimited, strategy = "none", deadline_ms = 500, on = always, attempt = now)]
    fn unlimited(log: &Log) -> Result<(), ()> {
        log.add(now.retries_left().to_string());
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(limited(&log).is_err());
    assert_eq!(log.take(), ["2", "1", "0"]);
    assert!(unlimited(&log).is_err());
    assert_eq!(log.take(), [u32::MAX.to_string(), u32::MAX.to_string()]);
}

#[test]
fn a_single_attempt_has_none_left() {
    #[retry(policy = policy, on = always, attempt = now)]
    fn load(policy: Policy) -> Result<(), u32> {
        Err(now.retries_left())
    }

    assert_eq!(load(Policy::builder().max(0).build().unwrap()), Err(0));
}

#[test]
fn it_knows_the_delay_before_it() {
    #[retry(
        strategy = "none",
        max = 2,
        on = always,
        retry_after_mode = "replace",
        retry_after = |()| now.is_retry().then_some(ms(70)),
        attempt = now
    )]
    fn load(log: &RefCell<Vec<Option<Duration>>>) -> Result<(), ()> {
        log.borrow_mut().push(now.last_delay());
        Err(())
    }

    let _time = VirtualTime::start();
    let log = RefCell::default();
    assert!(load(&log).is_err());
    assert_eq!(log.take(), [None, Some(ms(200)), Some(ms(70))]);
}

#[test]
fn it_knows_what_the_deadline_leaves() {
    #[retry(strategy = "none", deadline_ms = 1_000, on = always, attempt = now)]
    async fn load(time: &VirtualTime, log: &RefCell<Vec<Option<Duration>>>) -> Result<(), ()> {
        log.borrow_mut().push(now.time_left());
        time.advance(ms(150));
        log.borrow_mut().push(now.time_left());
        time.advance(ms(200) * now.number());
        Err(())
    }

    let time = VirtualTime::start();
    let log = RefCell::default();
    assert!(block_on(load(&time, &log)).is_err());
    assert_eq!(log.take(), [1_000, 850, 450, 300].map(|left| Some(ms(left))));
}

#[test]
fn past_the_deadline_no_time_is_left_and_without_one_there_is_no_answer() {
    #[retry(deadline_ms = 1_000, on = always, attempt = now)]
    fn limited(time: &VirtualTime) -> Result<(), Option<Duration>> {
        time.advance(ms(2_000));
        Err(now.time_left())
    }
    #[retry(max = 1, on = always, attempt = now)]
    fn endless() -> Result<(), Option<Duration>> {
        Err(now.time_left())
    }

    let time = VirtualTime::start();
    assert_eq!(limited(&time), Err(Some(ms(0))));
    assert_eq!(endless(), Err(None));
}

#[test]
fn it_is_copy_send_and_static() {
    fn check(_: impl Copy + Send + 'static) {}
    #[retry(max = 1, on = always, attempt = now)]
    fn load(kept: &mut Vec<Attempt>) -> Result<(), ()> {
        check(now);
        kept.push(now);
        let there = std::thread::spawn(move || now.number()).join();
        kept.push(now);
        assert_eq!(there.ok(), Some(now.number()));
        Err(())
    }

    let _time = VirtualTime::start();
    let mut kept = Vec::new();
    assert!(load(&mut kept).is_err());
    assert_eq!(kept.iter().map(Attempt::number).collect::<Vec<_>>(), [1, 1, 2, 2]);
}

#[test]
fn predicates_and_hooks_see_the_attempt_that_just_ended() {
    #[retry(
        max = 1,
        attempt = now,
        on = |()| { log.add(format!("on {}", now.number())); true },
        retry_after = |()| { log.add(format!("hint {}", now.number())); None },
        on_retry = |event| log.add(format!("retry {} {}", now.number(), event.attempt())),
        on_give_up = |event| log.add(format!("end {} {}", now.number(), event.attempts()))
    )]
    fn load(log: &Log) -> Result<(), ()> {
        Err(())
    }
    #[retry(max = 2, attempt = now, when = |_| now.number() < 3)]
    async fn poll() -> u32 {
        now.number()
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    let mut entries = log.take();
    entries.retain(|entry| entry != "hint 2");
    assert_eq!(entries, ["on 1", "hint 1", "retry 1 1", "on 2", "end 2 2"]);
    assert_eq!(block_on(poll()), 3);
}

#[test]
fn an_inner_function_has_one_of_its_own() {
    #[retry(max = 1, on = always, attempt = now)]
    fn inner(log: &Log, outer: u32) -> Result<(), ()> {
        log.add(format!("{outer}.{}", now.number()));
        Err(())
    }
    #[retry(max = 1, on = always, attempt = now)]
    fn outer(log: &Log) -> Result<(), ()> {
        inner(log, now.number())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(outer(&log).is_err());
    assert_eq!(log.take(), ["1.1", "1.2", "2.1", "2.2"]);
}
