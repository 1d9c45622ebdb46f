//! Panics pass through, and leave nothing wrong behind.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};

mod support;
use support::{Log, Noisy, block_on, ms};

fn caught<T>(call: impl FnOnce() -> T) -> String {
    let panic: Box<dyn Any + Send> = catch_unwind(AssertUnwindSafe(call)).err().expect("a panic");
    panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref().cloned())
        .expect("a text")
}

#[retry(strategy = "none", base_ms = 100, max = 5, on = always, attempt = now)]
fn load(panics_in: u32) -> Result<u32, u32> {
    assert!(now.number() != panics_in, "boom {panics_in}");
    if now.number() < 4 { Err(now.number()) } else { Ok(now.number()) }
}

#[retry(strategy = "none", base_ms = 100, max = 5, on = always, attempt = now)]
async fn load_later(panics_in: u32) -> Result<u32, u32> {
    assert!(now.number() != panics_in, "boom {panics_in}");
    std::future::ready(()).await;
    if now.number() < 4 { Err(now.number()) } else { Ok(now.number()) }
}

#[test]
fn a_panic_of_the_body_reaches_the_caller_at_once_with_its_own_message() {
    let time = VirtualTime::start();
    assert_eq!(caught(|| load(2)), "boom 2");
    assert_eq!(time.waits(), [ms(100)], "no wait and no attempt after it");
    assert_eq!(caught(|| block_on(load_later(2))), "boom 2");
    assert_eq!(time.waits(), [ms(100), ms(100)]);
}

#[test]
fn a_panic_on_the_first_attempt_is_no_failure_to_retry() {
    let time = VirtualTime::start();
    assert_eq!(caught(|| load(1)), "boom 1");
    assert_eq!(caught(|| block_on(load_later(1))), "boom 1");
    assert!(time.waits().is_empty());
}

#[test]
fn the_next_call_works_and_counts_from_one() {
    let time = VirtualTime::start();
    assert_eq!(caught(|| load(3)), "boom 3");
    assert_eq!(load(0), Ok(4));
    assert_eq!(time.waits()[2..], [ms(100), ms(200), ms(400)]);
    assert_eq!(caught(|| block_on(load_later(3))), "boom 3");
    assert_eq!(block_on(load_later(0)), Ok(4));
    assert_eq!(time.waits()[7..], [ms(100), ms(200), ms(400)]);
}

#[test]
fn a_panic_of_the_predicate_passes_through() {
    #[retry(max = 2, on = |fault| { assert!(*fault != 2, "odd"); true }, attempt = now)]
    fn judged(last: &Cell<u32>) -> Result<(), u32> {
        last.set(now.number());
        Err(now.number())
    }

    let time = VirtualTime::start();
    let last = Cell::new(0);
    assert_eq!(caught(|| judged(&last)), "odd");
    assert_eq!((last.get(), time.waits().len()), (2, 1));
    assert_eq!(caught(|| judged(&last)), "odd");
    assert_eq!((last.get(), time.waits().len()), (2, 2), "the second call counted from one again");
}

#[test]
fn a_panic_of_a_hook_passes_through() {
    #[retry(max = 2, on = always, on_retry = |event| assert!(event.attempt() < broken, "bell"), attempt = now)]
    fn ringing(broken: u32) -> Result<(), u32> {
        Err(now.number())
    }
    #[retry(max = 2, on = always, on_give_up = |_| panic!("alarm"))]
    async fn alarming() -> Result<(), u32> {
        Err(1)
    }

    let time = VirtualTime::start();
    assert_eq!(caught(|| ringing(2)), "bell");
    assert_eq!(time.waits().len(), 1, "the hook comes before the wait");
    assert_eq!(ringing(9), Err(3));
    assert_eq!(caught(|| block_on(alarming())), "alarm");
    assert_eq!(time.waits().len(), 5);
}

#[test]
fn a_panic_of_once_or_of_a_hint_passes_through() {
    #[retry(max = 2, on = always, once(key = parts.first().expect("no key")))]
    fn keyed(parts: &[u32]) -> Result<(), u32> {
        Err(*key)
    }
    #[retry(max = 2, on = always, retry_after = |()| panic!("no hint"))]
    fn hinted() -> Result<(), ()> {
        Err(())
    }

    let time = VirtualTime::start();
    assert_eq!(caught(|| keyed(&[])), "no key");
    assert_eq!(caught(hinted), "no hint");
    assert!(time.waits().is_empty());
}

#[test]
fn values_are_dropped_once_on_the_way() {
    #[retry(max = 2, on = always, clone(order), attempt = now)]
    fn pay(order: Noisy<'_>, log: &Log) -> Result<(), ()> {
        log.add("attempt");
        drop(order);
        assert!(now.number() < 2, "boom");
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(caught(|| pay(Noisy { name: "original", log: &log }, &log)), "boom");
    assert_eq!(log.take(), ["attempt", "drop clone", "attempt", "drop clone", "drop original"]);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_panicked_says_so_and_other_tasks_go_on() {
    let broken = tokio::spawn(load_later(2));
    let whole = tokio::spawn(load_later(0));
    assert!(broken.await.is_err_and(|error| error.is_panic()));
    assert_eq!(whole.await.unwrap(), Ok(4));
}
