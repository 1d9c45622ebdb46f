//! Deadlines and single attempts through layers of annotated calls.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{
    StopReason, retry, time_left, with_deadline, with_deadline_blocking, without_retries,
    without_retries_blocking,
};
use tokio::time::{Instant, sleep};

mod support;
use support::{block_on, ms};

#[derive(Debug, PartialEq)]
struct Busy;

#[derive(Default)]
struct Seen {
    outer: Cell<u32>,
    inner: Cell<u32>,
    reasons: RefCell<Vec<StopReason>>,
    left: RefCell<Vec<Option<Duration>>>,
}

#[retry(
    strategy = "none", base_ms = 100, cap_ms = 100, max = 50, on = |_| true,
    on_give_up = |event| seen.reasons.borrow_mut().push(event.reason())
)]
fn inner(seen: &Seen) -> Result<(), Busy> {
    seen.inner.set(seen.inner.get() + 1);
    seen.left.borrow_mut().push(time_left());
    Err(Busy)
}

#[retry(
    strategy = "none", base_ms = 100, cap_ms = 100, max = 50, on = |_| true,
    on_give_up = |event| seen.reasons.borrow_mut().push(event.reason())
)]
async fn inner_later(seen: &Seen) -> Result<(), Busy> {
    seen.inner.set(seen.inner.get() + 1);
    seen.left.borrow_mut().push(time_left());
    Err(Busy)
}

#[test]
fn a_closure_with_a_deadline_bounds_every_annotated_call_inside() {
    let time = VirtualTime::start();
    let seen = Seen::default();
    assert_eq!(with_deadline_blocking(ms(350), || inner(&seen)), Err(Busy));
    assert_eq!((seen.inner.get(), time.elapsed()), (4, ms(300)));
    assert_eq!(*seen.reasons.borrow(), [StopReason::Deadline]);
    assert_eq!(*seen.left.borrow(), [350, 250, 150, 50].map(|left| Some(ms(left))));
    assert_eq!(time_left(), None, "and nothing outside");
}

#[test]
fn a_future_with_a_deadline_bounds_every_annotated_call_inside() {
    let time = VirtualTime::start();
    let seen = Seen::default();
    assert_eq!(block_on(with_deadline(ms(350), inner_later(&seen))), Err(Busy));
    assert_eq!((seen.inner.get(), time.elapsed()), (4, ms(300)));
    assert_eq!(*seen.reasons.borrow(), [StopReason::Deadline]);
    assert_eq!(time_left(), None);
}

#[test]
fn a_deadline_counts_from_the_first_poll() {
    let time = VirtualTime::start();
    let seen = Seen::default();
    let call = with_deadline(ms(350), inner_later(&seen));
    time.advance(ms(5_000));
    assert_eq!(block_on(call), Err(Busy));
    assert_eq!(seen.inner.get(), 4);
}

#[test]
fn an_annotated_call_hands_its_deadline_down() {
    #[retry(strategy = "none", base_ms = 100, max = 50, deadline_ms = 350, on = |_| true)]
    fn outer(seen: &Seen) -> Result<(), Busy> {
        seen.outer.set(seen.outer.get() + 1);
        inner(seen)
    }
    #[retry(strategy = "none", base_ms = 100, max = 50, deadline_ms = 350, on = |_| true)]
    async fn outer_later(seen: &Seen) -> Result<(), Busy> {
        seen.outer.set(seen.outer.get() + 1);
        inner_later(seen).await
    }
    for call in [outer, |seen: &Seen| block_on(outer_later(seen))] {
        let time = VirtualTime::start();
        let seen = Seen::default();
        assert_eq!(call(&seen), Err(Busy));
        assert_eq!((seen.outer.get(), seen.inner.get(), time.elapsed()), (1, 4, ms(300)));
    }
}

#[test]
fn the_nearest_deadline_counts() {
    let time = VirtualTime::start();
    let seen = Seen::default();
    let nearer = with_deadline_blocking(ms(1_000), || with_deadline_blocking(ms(150), || inner(&seen)));
    assert_eq!((nearer, seen.inner.get()), (Err(Busy), 2));
    let seen = Seen::default();
    let farther = with_deadline_blocking(ms(150), || with_deadline_blocking(ms(1_000), || inner(&seen)));
    assert_eq!((farther, seen.inner.get()), (Err(Busy), 2));
    drop(time);
}

#[test]
fn the_attempt_tells_what_the_nearest_deadline_leaves() {
    #[retry(strategy = "none", base_ms = 100, max = 1, deadline_ms = 5_000, attempt = now, on = |_| true)]
    fn noted(left: &RefCell<Vec<Option<Duration>>>) -> Result<(), Busy> {
        left.borrow_mut().push(now.time_left());
        Err(Busy)
    }
    let _time = VirtualTime::start();
    let left = RefCell::default();
    assert!(noted(&left).is_err());
    assert!(with_deadline_blocking(ms(400), || noted(&left)).is_err());
    assert_eq!(left.into_inner(), [5_000, 4_900, 400, 300].map(|left| Some(ms(left))));
}

#[test]
fn layers_multiply_unless_the_inner_ones_are_held_to_one_attempt() {
    #[retry(strategy = "none", base_ms = 1, max = 2, on = |_| true)]
    fn lowest(calls: &Cell<u32>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        Err(Busy)
    }
    #[retry(strategy = "none", base_ms = 1, max = 2, on = |_| true)]
    fn middle(calls: &Cell<u32>) -> Result<(), Busy> {
        lowest(calls)
    }
    #[retry(strategy = "none", base_ms = 1, max = 2, on = |_| true)]
    fn held(calls: &Cell<u32>) -> Result<(), Busy> {
        without_retries_blocking(|| lowest(calls))
    }
    #[retry(strategy = "none", base_ms = 1, max = 2, on = |_| true)]
    async fn held_later(calls: &Cell<u32>) -> Result<(), Busy> {
        #[retry(strategy = "none", base_ms = 1, max = 2, on = |_| true)]
        async fn lowest(calls: &Cell<u32>) -> Result<(), Busy> {
            calls.set(calls.get() + 1);
            Err(Busy)
        }
        without_retries(lowest(calls)).await
    }
    let _time = VirtualTime::start();
    let calls: [Cell<u32>; 3] = Default::default();
    assert!(middle(&calls[0]).is_err());
    assert!(held(&calls[1]).is_err());
    assert!(block_on(held_later(&calls[2])).is_err());
    assert_eq!(calls.each_ref().map(Cell::get), [9, 3, 3]);
}

#[test]
fn a_single_attempt_gives_up_as_turned_off_and_only_inside() {
    let _time = VirtualTime::start();
    let seen = Seen::default();
    assert!(without_retries_blocking(|| inner(&seen)).is_err());
    assert_eq!((seen.inner.get(), seen.reasons.take()), (1, vec![StopReason::Off]));
    assert!(inner(&seen).is_err());
    assert_eq!(seen.reasons.take(), [StopReason::MaxRetries]);
}

#[tokio::test(start_paused = true)]
async fn a_middleware_bounds_each_request_on_its_own() {
    #[retry(strategy = "none", base_ms = 100, cap_ms = 100, max = 50, on = |_| true)]
    async fn handler(calls: &Cell<u32>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        sleep(ms(10)).await;
        Err(Busy)
    }
    let (short, long, free) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let start = Instant::now();
    // One task, three requests that take turns: each poll brings its own deadline along.
    let _ = tokio::join!(
        with_deadline(ms(250), handler(&short)),
        with_deadline(ms(450), handler(&long)),
        tokio::time::timeout(ms(995), handler(&free)),
    );
    assert_eq!((short.get(), long.get(), free.get()), (3, 5, 10));
    assert_eq!(start.elapsed(), ms(995));
}

#[tokio::test(start_paused = true)]
async fn a_spawned_task_is_not_bound() {
    let left = with_deadline(ms(250), async { tokio::spawn(async { time_left() }).await }).await;
    assert_eq!(left.expect("the task ends"), None);
}

#[test]
fn a_panic_leaves_no_deadline_behind() {
    let panicked = std::panic::catch_unwind(|| with_deadline_blocking(ms(250), || panic!("boom")));
    assert!(panicked.is_err());
    assert_eq!(time_left(), None);
    #[retry(deadline_ms = 500, on = |_: &Busy| true)]
    fn panics() -> Result<(), Busy> {
        panic!("boom")
    }
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(time_left(), None);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_a_blocking_call_set_is_read_on_its_own_clock() {
    // The blocking clock stands still for a paused runtime, so the deadline never comes nearer; but it is there.
    let seen = Seen::default();
    let left = with_deadline_blocking(Duration::from_secs(3_600), || {
        let _: Option<Result<(), Busy>> = support::poll_once(std::pin::pin!(inner_later(&seen)));
        time_left()
    });
    assert!(left.is_some_and(|left| left > Duration::from_secs(3_500)));
    assert_eq!(seen.inner.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn of_deadlines_on_two_clocks_the_one_that_leaves_less_is_the_nearest() {
    #[retry(deadline_ms = 2_000, on = |()| true)]
    async fn bounded() -> Result<Option<Duration>, ()> {
        Ok(time_left())
    }
    // The runtime's clock is an hour ahead of the system's from here on.
    tokio::time::advance(Duration::from_secs(3_600)).await;
    let far = with_deadline_blocking(Duration::from_secs(1_000), || {
        assert!(time_left().is_some_and(|left| left > Duration::from_secs(900)), "read on its own clock");
        block_on(bounded())
    });
    assert_eq!(far, Ok(Some(ms(2_000))));
    let near = with_deadline_blocking(ms(1_000), || block_on(bounded()));
    assert!(near.is_ok_and(|left| left.is_some_and(|left| left <= ms(1_000))));
}

#[test]
fn layers_of_both_kinds_go_together_in_any_order() {
    let time = VirtualTime::start();
    let bound = || (time_left(), inner(&Seen::default()).is_err(), time.elapsed());
    let one = with_deadline_blocking(ms(350), || without_retries_blocking(bound));
    let other = without_retries_blocking(|| with_deadline_blocking(ms(350), bound));
    assert_eq!([one, other], [(Some(ms(350)), true, ms(0)); 2]);
    let bound = async || (time_left(), inner_later(&Seen::default()).await.is_err(), time.elapsed());
    let one = block_on(with_deadline(ms(350), without_retries(bound())));
    let other = block_on(without_retries(with_deadline(ms(350), bound())));
    assert_eq!([one, other], [(Some(ms(350)), true, ms(0)); 2]);
}

#[test]
fn the_first_attempt_runs_though_the_deadline_has_passed() {
    let _time = VirtualTime::start();
    let seen = Seen::default();
    assert!(with_deadline_blocking(Duration::ZERO, || inner(&seen)).is_err());
    assert_eq!((seen.inner.get(), seen.reasons.take()), (1, vec![StopReason::Deadline]));
}
