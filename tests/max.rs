//! `max`: how many retries may follow the first attempt.

use std::cell::Cell;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{StopReason, always, retry};

mod support;
use support::script::{err, ok, play};
use support::{block_on, ms};

#[test]
fn n_retries_are_n_plus_one_attempts_and_n_waits() {
    macro_rules! check {
        ($($max:literal)*) => {$(
            let trace = play!([max = $max], [(); $max + 1].map(|()| err("a")));
            assert_eq!((trace.calls(), trace.waits.len()), ($max + 1, $max));
            assert_eq!((trace.result, trace.reason), (Err("a"), Some(StopReason::MaxRetries)));
        )*};
    }
    check!(1 2 3 5 17);
}

#[test]
fn without_it_there_are_five() {
    let trace = play!([], [(); 6].map(|()| err("a")));
    assert_eq!((trace.calls(), trace.reason), (6, Some(StopReason::MaxRetries)));
}

#[test]
fn no_wait_follows_the_last_attempt() {
    let trace = play!([strategy = "none", max = 2], [err("a"), err("b"), err("c").takes(ms(7))]);
    assert_eq!(trace.waits, [ms(200), ms(400)]);
    assert_eq!(trace.elapsed, ms(607));
}

#[test]
fn the_last_attempt_may_succeed() {
    let trace = play!([max = 2], [err("a"), err("b"), ok()]);
    assert_eq!((trace.result, trace.reason), (Ok(()), None));
}

#[test]
fn the_last_error_is_returned_not_the_first() {
    let trace = play!([max = 2], [err("a"), err("b"), err("c")]);
    assert_eq!(trace.result, Err("c"));
}

fn count(attempts: &Cell<u32>) -> Result<(), ()> {
    attempts.set(attempts.get() + 1);
    Err(())
}

fn attempts(call: impl FnOnce(&Cell<u32>) -> Result<(), ()>) -> u32 {
    let attempts = Cell::new(0);
    assert_eq!(call(&attempts), Err(()));
    attempts.get()
}

#[test]
fn it_may_be_a_constant_of_any_kind() {
    const RETRIES: u32 = 2;

    struct Limits<const N: u32>;

    impl<const N: u32> Limits<N> {
        const TWICE: u32 = N * 2;

        #[retry(max = N, on = always)]
        fn parameter(attempts: &Cell<u32>) -> Result<(), ()> {
            count(attempts)
        }

        #[retry(max = Self::TWICE, on = always)]
        async fn associated(attempts: &Cell<u32>) -> Result<(), ()> {
            count(attempts)
        }
    }

    #[retry(max = RETRIES, on = always)]
    fn item(attempts: &Cell<u32>) -> Result<(), ()> {
        count(attempts)
    }
    #[retry(max = RETRIES + 1, on = always)]
    async fn sum(attempts: &Cell<u32>) -> Result<(), ()> {
        count(attempts)
    }

    let _time = VirtualTime::start();
    assert_eq!(attempts(item), 3);
    assert_eq!(attempts(|n| block_on(sum(n))), 4);
    assert_eq!(attempts(Limits::<1>::parameter), 2);
    assert_eq!(attempts(|n| block_on(Limits::<3>::associated(n))), 7);
}

#[test]
fn unlimited_goes_on_until_the_deadline() {
    let acts = [(); 100].map(|()| err("a"));
    let trace =
        play!([strategy = "none", base_ms = 10, cap_ms = 10, max = unlimited, deadline_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.elapsed), (100, ms(990)));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}

#[test]
fn it_counts_retries_with_a_hint_like_others() {
    let acts = [err("a").hint(ms(300)), err("b"), err("c").hint(ms(300))];
    let trace = play!([strategy = "none", max = 2, retry_after_mode = "replace"], acts);
    assert_eq!(trace.waits, [ms(300), ms(400)]);
    assert_eq!(trace.reason, Some(StopReason::MaxRetries));
}

#[test]
fn it_comes_before_a_hint_that_is_too_long_and_before_the_deadline() {
    let too_long = err("c").hint(ms(61_000));
    let trace = play!([strategy = "none", max = 2, deadline_ms = 1_000], [err("a"), err("b"), too_long]);
    assert_eq!(trace.reason, Some(StopReason::MaxRetries));
    let late = err("c").takes(ms(2_000));
    let trace = play!([strategy = "none", max = 2, deadline_ms = 1_000], [err("a"), err("b"), late]);
    assert_eq!(trace.reason, Some(StopReason::MaxRetries));
}
