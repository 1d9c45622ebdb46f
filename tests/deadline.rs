//! `deadline`: the limit on the whole call. It is checked before a wait, and interrupts nothing.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{StopReason, always, retry};

mod support;
use support::script::{err, ok, play};
use support::{block_on, ms, secs};

#[test]
fn a_wait_that_would_end_at_the_deadline_is_not_begun() {
    let trace =
        play!([strategy = "none", base_ms = 400, cap_ms = 400, deadline_ms = 800], [err("a"), err("b")]);
    assert_eq!((trace.attempts_at, trace.elapsed), (vec![ms(0), ms(400)], ms(400)));
    assert_eq!((trace.result, trace.reason), (Err("b"), Some(StopReason::Deadline)));
}

#[test]
fn a_wait_that_ends_a_nanosecond_before_the_deadline_is_begun() {
    const LIMIT: Duration = Duration::from_nanos(800_000_001);
    let trace = play!(
        [strategy = "none", base_ms = 400, cap_ms = 400, deadline = LIMIT],
        [err("a"), err("b"), err("c")]
    );
    assert_eq!((trace.attempts_at, trace.elapsed), (vec![ms(0), ms(400), ms(800)], ms(800)));
    assert_eq!((trace.result, trace.reason), (Err("c"), Some(StopReason::Deadline)));
}

#[test]
fn a_wait_that_does_not_fit_is_neither_begun_nor_shortened() {
    let trace = play!([strategy = "none", base_ms = 400, deadline_ms = 1_000], [err("a"), err("b")]);
    assert_eq!(trace.waits, [ms(400)], "the next would be 800 ms; 600 ms were left");
    assert_eq!((trace.elapsed, trace.reason), (ms(400), Some(StopReason::Deadline)));
}

#[test]
fn the_time_that_attempts_take_counts() {
    let acts = [err("a").takes(ms(250)), err("b").takes(ms(350)), ok()];
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, deadline_ms = 800], acts);
    assert_eq!((trace.attempts_at, trace.elapsed), (vec![ms(0), ms(350)], ms(700)));
    assert_eq!((trace.result, trace.reason), (Err("b"), Some(StopReason::Deadline)));
    let acts = [err("a").takes(ms(250)), err("b").takes(ms(350)), ok()];
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, deadline_ms = 801], acts);
    assert_eq!((trace.result, trace.elapsed), (Ok(()), ms(800)));
}

#[test]
fn a_running_attempt_is_not_interrupted_and_a_late_success_is_one() {
    let trace = play!([deadline_ms = 1_000], [ok().takes(ms(2_000))]);
    assert_eq!((trace.result, trace.elapsed, trace.reason), (Ok(()), ms(2_000), None));
    let trace = play!([strategy = "none", deadline_ms = 1_000], [err("a"), ok().takes(ms(2_000))]);
    assert_eq!((trace.result, trace.elapsed, trace.reason), (Ok(()), ms(2_200), None));
}

#[test]
fn a_late_failure_is_judged_once_and_returned_as_it_is() {
    let trace = play!([deadline_ms = 1_000], [err("late").takes(ms(2_000))]);
    assert_eq!((trace.result, trace.elapsed), (Err("late"), ms(2_000)));
    assert_eq!((trace.asked, trace.reason), (vec!["late"], Some(StopReason::Deadline)));
    let trace = play!([deadline_ms = 1_000], [err("hard and late").takes(ms(2_000))]);
    assert_eq!((trace.result, trace.reason), (Err("hard and late"), None));
}

#[test]
fn a_failure_at_the_deadline_itself_is_too_late() {
    #[retry(strategy = at_once, deadline_ms = 1_000, on = always)]
    fn load(time: &VirtualTime, takes: Duration) -> Result<(), Duration> {
        time.advance(takes);
        Err(time.elapsed())
    }
    fn at_once(_: &retry_runtime::Draw) -> Duration {
        Duration::ZERO
    }

    let time = VirtualTime::start();
    assert_eq!(load(&time, ms(1_000)), Err(ms(1_000)), "not even a zero wait fits");
    assert_eq!(time.waits(), []);
    let time = VirtualTime::start();
    assert_eq!(load(&time, ms(999)), Err(ms(1_998)), "one more attempt began at 999 ms");
    assert_eq!(time.waits(), [ms(0)]);
}

#[test]
fn what_the_strategy_drew_decides_not_the_window() {
    // Windows of 1 s from the first retry on, and 600 ms for all of it: about two in five first draws are too long.
    let mut outcomes = [0, 0];
    for seed in 0..100 {
        let trace =
            play!(seed, [base_ms = 1_000, cap_ms = 1_000, max = 1, deadline_ms = 600], [err("a"), err("b")]);
        match trace.waits[..] {
            [] => assert_eq!(trace.reason, Some(StopReason::Deadline)),
            [wait] => {
                assert!(wait < ms(600));
                assert_eq!(trace.reason, Some(StopReason::MaxRetries));
            }
            _ => panic!("{trace:?}"),
        }
        outcomes[trace.waits.len()] += 1;
    }
    assert!(outcomes[0] > 20 && outcomes[1] > 40, "{outcomes:?}");
}

#[test]
fn it_may_be_written_in_every_way_a_duration_may() {
    const LIMIT: Duration = secs(1);
    const LIMIT_MS: u64 = 1_000;

    macro_rules! check {
        ($(($($deadline:tt)*))*) => {$(
            let trace = play!([strategy = "none", base_ms = 500, cap_ms = 500, $($deadline)*], [err("a"), err("b")]);
            assert_eq!((trace.calls(), trace.reason), (2, Some(StopReason::Deadline)), stringify!($($deadline)*));
        )*};
    }
    check! {
        (deadline_ms = 1_000)
        (deadline_ms = LIMIT_MS)
        (deadline = "1s")
        (deadline = "1000ms")
        (deadline = LIMIT)
        (deadline = Duration::from_secs(1))
    }
}

#[test]
fn it_counts_from_the_first_poll_of_a_future() {
    #[retry(strategy = "none", base_ms = 400, cap_ms = 400, deadline_ms = 1_000, on = always)]
    async fn load(time: &VirtualTime) -> Result<(), Duration> {
        Err(time.elapsed())
    }

    let time = VirtualTime::start();
    let future = load(&time);
    time.advance(secs(60));
    assert_eq!(block_on(future), Err(secs(60) + ms(800)), "three attempts");
}

#[test]
fn time_in_which_nobody_polls_counts() {
    #[retry(strategy = "none", base_ms = 400, cap_ms = 400, deadline_ms = 1_000, on = always)]
    async fn load(time: &VirtualTime) -> Result<(), Duration> {
        Err(time.elapsed())
    }

    let time = VirtualTime::start();
    let mut future = pin!(load(&time));
    let mut context = Context::from_waker(Waker::noop());
    assert!(future.as_mut().poll(&mut context).is_pending(), "the first wait yields");
    time.advance(secs(60));
    assert_eq!(future.poll(&mut context), Poll::Ready(Err(secs(60) + ms(400))));
}

#[test]
fn it_counts_from_the_entry_of_the_call_so_what_once_takes_counts_too() {
    #[retry(
        strategy = "none",
        base_ms = 400,
        cap_ms = 400,
        deadline_ms = 1_000,
        on = always,
        once(_token = time.advance(ms(300)))
    )]
    fn load(time: &VirtualTime) -> Result<(), Duration> {
        Err(time.elapsed())
    }

    let time = VirtualTime::start();
    assert_eq!(load(&time), Err(ms(700)), "attempts at 300 and 700 ms; a third would begin at 1100 ms");
}

#[test]
fn every_call_has_all_of_it() {
    #[retry(strategy = "none", base_ms = 400, cap_ms = 400, deadline_ms = 1_000, on = always)]
    fn load(time: &VirtualTime) -> Result<(), Duration> {
        Err(time.elapsed())
    }

    let time = VirtualTime::start();
    assert_eq!(load(&time), Err(ms(800)));
    assert_eq!(load(&time), Err(ms(1_600)));
}

#[test]
fn with_a_hint_that_reaches_it_the_call_ends_at_once() {
    let trace = play!([deadline_ms = 3_000], [err("a").takes(ms(100)).hint(ms(2_900))]);
    assert_eq!((trace.calls(), trace.elapsed, trace.reason), (1, ms(100), Some(StopReason::Deadline)));
    let trace = play!([deadline_ms = 3_000], [err("a").takes(ms(100)).hint(ms(2_899)), ok()]);
    assert_eq!((trace.calls(), trace.result), (2, Ok(())));
    assert!(trace.elapsed < ms(3_000), "the spread ends before the deadline: {:?}", trace.elapsed);
}

#[test]
fn a_hint_that_is_too_long_is_the_reason_before_it() {
    let trace = play!([deadline_ms = 3_000], [err("a").hint(secs(61))]);
    assert_eq!(trace.reason, Some(StopReason::RetryAfterTooLong));
}

#[test]
fn the_time_of_once_counts() {
    #[retry(strategy = "none", base_ms = 200, max = 9, deadline_ms = 1_000, on = |_| true, once(_key = time.advance(ms(700))))]
    fn slow_key(time: &VirtualTime) -> Result<(), &'static str> {
        let _ = time;
        Err("busy")
    }
    #[retry(strategy = "none", base_ms = 200, max = 9, deadline_ms = 1_000, on = |_| true, once(_key = time.advance(ms(700))))]
    async fn slow_key_later(time: &VirtualTime) -> Result<(), &'static str> {
        let _ = time;
        Err("busy")
    }
    let time = VirtualTime::start();
    assert!(slow_key(&time).is_err());
    assert_eq!(time.waits(), [ms(200)]);
    let time = VirtualTime::start();
    assert!(block_on(slow_key_later(&time)).is_err());
    assert_eq!(time.waits(), [ms(200)]);
}
