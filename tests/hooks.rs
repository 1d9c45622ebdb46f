//! `on_retry`, `on_give_up`: when they are called, what they are told, what they see.

use std::cell::RefCell;
use std::fmt::Debug;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{DelaySource, GivenUp, Policy, Retrying, StopReason, always, retry};

mod support;
use support::{Log, block_on, ms, secs};

/// Fails with the numbers in the list, then succeeds.
fn pop(faults: &RefCell<Vec<u32>>, log: &Log) -> Result<(), u32> {
    log.add("attempt");
    faults.borrow_mut().pop().map_or(Ok(()), Err)
}

fn faults<const N: usize>(mut list: [u32; N]) -> RefCell<Vec<u32>> {
    list.reverse();
    RefCell::new(list.into())
}

fn is_soft(fault: u32, log: &Log) -> bool {
    log.add(format!("on {fault}"));
    fault < 400
}

macro_rules! observed {
    ($name:ident, $later:ident, [$($settings:tt)*]) => {
        #[retry(
            on = |fault| is_soft(*fault, log),
            on_retry = |event| log.add(format!("retry after {}", event.error())),
            on_give_up = |event| log.add(format!("end with {}", event.error())),
            sleep = |_| log.add("wait"),
            $($settings)*
        )]
        fn $name(faults: &RefCell<Vec<u32>>, log: &Log) -> Result<(), u32> {
            pop(faults, log)
        }

        #[retry(
            on = |fault| is_soft(*fault, log),
            on_retry = |event| log.add(format!("retry after {}", event.error())),
            on_give_up = |event| log.add(format!("end with {}", event.error())),
            sleep = async |_| log.add("wait"),
            $($settings)*
        )]
        async fn $later(faults: &RefCell<Vec<u32>>, log: &Log) -> Result<(), u32> {
            pop(faults, log)
        }
    };
}

observed!(call, call_later, [max = 2]);
observed!(short, short_later, [strategy = "none", deadline_ms = 300, max = 1]);

/// What both kinds log.
fn logged<const N: usize>(list: [u32; N]) -> Vec<String> {
    let log = Log::new();
    let first = call(&faults(list), &log);
    let entries = log.take();
    assert_eq!(block_on(call_later(&faults(list), &log)), first);
    assert_eq!(log.take(), entries);
    entries
}

#[test]
fn on_retry_comes_before_each_wait_and_on_give_up_once_at_the_end() {
    assert_eq!(
        logged([301, 302, 303]),
        [
            "attempt",
            "on 301",
            "retry after 301",
            "wait",
            "attempt",
            "on 302",
            "retry after 302",
            "wait",
            "attempt",
            "on 303",
            "end with 303",
        ]
    );
}

#[test]
fn no_hook_is_called_for_a_success() {
    assert_eq!(logged([]), ["attempt"]);
    assert_eq!(logged([301]), ["attempt", "on 301", "retry after 301", "wait", "attempt"]);
}

#[test]
fn no_hook_is_called_for_an_error_not_worth_a_retry() {
    assert_eq!(logged([404]), ["attempt", "on 404"]);
    assert_eq!(
        logged([301, 302, 404]),
        [
            "attempt",
            "on 301",
            "retry after 301",
            "wait",
            "attempt",
            "on 302",
            "retry after 302",
            "wait",
            "attempt",
            "on 404",
        ],
        "not on the last attempt either"
    );
}

#[test]
fn without_a_wait_on_retry_is_not_called() {
    #[retry(
        strategy = "none",
        deadline_ms = 200,
        on = always,
        retry_after = |()| None,
        on_retry = |_| log.add("retry"),
        on_give_up = |event| log.add(event.reason().to_string())
    )]
    fn load(log: &Log) -> Result<(), ()> {
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    assert_eq!(log.take(), ["the next attempt would begin after the deadline"]);
    assert!(short(&faults([301, 302]), &log).is_err());
    assert!(block_on(short_later(&faults([301, 302]), &log)).is_err());
}

#[test]
fn retrying_tells_the_error_the_attempt_the_delay_its_source_and_the_time() {
    #[retry(
        strategy = "none",
        retry_after_mode = "replace",
        on = always,
        retry_after = |fault: &u32| (*fault == 7).then_some(secs(3)),
        on_retry = |event: &Retrying<'_, u32>| log.add(shown(event))
    )]
    fn load(time: &VirtualTime, faults: &RefCell<Vec<u32>>, log: &Log) -> Result<(), u32> {
        time.advance(ms(50));
        faults.borrow_mut().pop().map_or(Ok(()), Err)
    }
    fn shown(event: &Retrying<'_, u32>) -> String {
        let (error, attempt, delay) = (*event.error(), event.attempt(), event.delay());
        format!("{error} {attempt} {delay:?} {:?} {:?}", event.source(), event.elapsed())
    }

    let time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&time, &faults([5, 7, 6]), &log).is_ok());
    let (backoff, hint) = (DelaySource::Backoff, DelaySource::Hint);
    assert_eq!(
        log.take(),
        [
            format!("5 1 200ms {backoff:?} 50ms"),
            format!("7 2 3s {hint:?} 300ms"),
            format!("6 3 800ms {backoff:?} 3.35s"),
        ]
    );
}

#[test]
fn given_up_tells_the_error_the_attempts_the_reason_and_the_time() {
    #[retry(strategy = "none", max = 2, on = always, on_give_up = |event| log.add(shown(event)))]
    async fn load(time: &VirtualTime, faults: &RefCell<Vec<u32>>, log: &Log) -> Result<(), u32> {
        time.advance(ms(50));
        faults.borrow_mut().pop().map_or(Ok(()), Err)
    }
    fn shown(event: &GivenUp<'_, u32>) -> String {
        format!("{} {} {:?} {:?}", event.error(), event.attempts(), event.reason(), event.elapsed())
    }

    let time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(block_on(load(&time, &faults([5, 6, 7]), &log)), Err(7));
    assert_eq!(log.take(), ["7 3 MaxRetries 750ms"]);
}

fn reason_of(policy: Policy, takes_ms: u64, hint: Option<u64>) -> StopReason {
    #[retry(policy = policy, on = always, retry_after = |hint| hint.map(ms), on_give_up = |event| *reason = Some(event.reason()))]
    fn load(
        policy: Policy,
        time: &VirtualTime,
        (takes_ms, hint): (u64, Option<u64>),
        reason: &mut Option<StopReason>,
    ) -> Result<(), Option<u64>> {
        time.advance(ms(takes_ms));
        Err(hint)
    }

    let time = VirtualTime::start();
    let mut reason = None;
    assert_eq!(load(policy, &time, (takes_ms, hint), &mut reason), Err(hint));
    reason.expect("it gave up")
}

#[test]
fn the_first_reason_that_says_no_is_told() {
    let off = Policy::builder().max(0).deadline(secs(1)).build().unwrap();
    let one = Policy::new().max(1).deadline(secs(1)).base(ms(1));
    let many = one.unlimited();
    let too_long = Some(61_000);
    assert_eq!(reason_of(off, 2_000, too_long), StopReason::Off);
    // The second attempt ends after the deadline.
    assert_eq!(reason_of(one, 600, None), StopReason::MaxRetries);
    assert_eq!(reason_of(many, 2_000, too_long), StopReason::RetryAfterTooLong);
    assert_eq!(reason_of(many, 2_000, Some(1)), StopReason::Deadline);
    assert_eq!(reason_of(many, 0, Some(1_000)), StopReason::Deadline);
}

#[test]
fn a_hook_given_by_path_is_called_with_the_event() {
    fn count<E: Debug>(event: &Retrying<'_, E>) {
        assert_eq!(format!("{:?}", event.error()), event.attempt().to_string());
    }
    fn alert<E: Debug>(event: &GivenUp<'_, E>) {
        assert_eq!(format!("{:?}", event.error()), "3");
        panic!("alert");
    }
    #[retry(max = 2, on = always, attempt = now, on_retry = count, on_give_up = alert)]
    fn load() -> Result<(), u32> {
        Err(now.number())
    }

    let _time = VirtualTime::start();
    let panic = std::panic::catch_unwind(load).expect_err("the alert was raised");
    assert_eq!(panic.downcast_ref(), Some(&"alert"));
}

struct Client {
    name: &'static str,
    alerts: Vec<String>,
}

impl Client {
    fn alert(&mut self, alert: String) {
        self.alerts.push(alert);
    }

    #[retry(
        max = 1,
        on = always,
        attempt = now,
        once(key = order * 10),
        on_retry = |event| self.alert(format!("retry {} {order} {key} {} {}", self.name, now.number(), event.error())),
        on_give_up = |event| self.alert(format!("end {} {order} {key} {} {}", self.name, now.number(), event.error()))
    )]
    async fn pay(&mut self, order: u32) -> Result<(), u32> {
        Err(order + now.number())
    }
}

#[test]
fn a_closure_sees_self_the_parameters_once_and_the_attempt() {
    let _time = VirtualTime::start();
    let mut client = Client { name: "bank", alerts: Vec::new() };
    assert_eq!(block_on(client.pay(7)), Err(9));
    assert_eq!(client.alerts, ["retry bank 7 70 1 8", "end bank 7 70 2 9"]);
}

#[test]
fn the_error_that_a_hook_sees_is_the_one_the_caller_gets() {
    #[retry(max = 1, on = always, on_give_up = |event| *seen = &raw const **event.error())]
    fn load(seen: &mut *const [u8; 64]) -> Result<(), Box<[u8; 64]>> {
        Err(Box::new([7; 64]))
    }

    let _time = VirtualTime::start();
    let mut seen = std::ptr::null();
    let error = load(&mut seen).unwrap_err();
    assert_eq!(&raw const *error, seen);
}

#[test]
fn an_error_needs_no_debug_no_display_and_no_clone() {
    struct Bare(u32);

    #[retry(max = 1, on = |bare| bare.0 == 7, on_retry = |_| *hooks += 1, on_give_up = |_| *hooks += 10)]
    fn load(hooks: &mut u32) -> Result<(), Bare> {
        Err(Bare(7))
    }

    let _time = VirtualTime::start();
    let mut hooks = 0;
    assert!(load(&mut hooks).is_err_and(|bare| bare.0 == 7));
    assert_eq!(hooks, 11);
}

#[test]
fn none_is_no_hook() {
    #[retry(max = 1, on = always, on_retry = none, on_give_up = none)]
    fn load() -> Result<(), u32> {
        Err(7)
    }

    let _time = VirtualTime::start();
    assert_eq!(load(), Err(7));
}

#[test]
fn every_reason_says_in_words_what_stopped_the_call() {
    let words =
        [StopReason::Off, StopReason::MaxRetries, StopReason::RetryAfterTooLong, StopReason::Deadline]
            .map(|reason| reason.to_string());
    assert_eq!(
        words,
        [
            "retries are turned off",
            "all retries were used",
            "the server asked for too long a wait",
            "the next attempt would begin after the deadline",
        ]
    );
}
