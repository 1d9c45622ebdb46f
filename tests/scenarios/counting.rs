//! How many attempts a call makes, when they begin, and what it returns.

use retry_runtime::testing::VirtualTime;
use retry_runtime::{StopReason, always, retry};

use crate::support::script::{err, ok, play};
use crate::support::{Log, Noisy, ms};

macro_rules! retries {
    ($([$($max:tt)*] makes $calls:literal calls in $elapsed:literal ms;)*) => {$(
        let acts = [(); $calls].map(|()| err("busy"));
        let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, $($max)*], acts);
        assert_eq!((trace.calls(), trace.elapsed, trace.result), ($calls, ms($elapsed), Err("busy")));
        assert_eq!(trace.reason, Some(StopReason::MaxRetries));
    )*};
}

#[test]
fn n_retries_are_n_and_one_calls_and_n_waits() {
    retries! {
        [max = 1] makes 2 calls in 100 ms;
        [max = 2] makes 3 calls in 200 ms;
        [max = 5] makes 6 calls in 500 ms;
    }
}

#[test]
fn left_out_there_are_five_retries() {
    retries! {
        [] makes 6 calls in 500 ms;
    }
}

#[test]
fn a_failure_that_the_predicate_rejects_ends_the_call_at_the_first_attempt() {
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, max = 5], [err("hard"), ok()]);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(0), Err("hard")));
    assert_eq!(trace.asked, ["hard"]);
}

#[test]
fn a_failure_that_the_predicate_rejects_ends_the_call_at_a_later_attempt() {
    let acts = [err("soft"), err("soft"), err("hard"), ok()];
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, max = 5], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (3, ms(200), Err("hard")));
    assert_eq!(trace.asked, ["soft", "soft", "hard"], "each once, in order");
}

#[test]
fn the_predicate_sees_no_success() {
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, max = 5], [ok()]);
    assert_eq!((trace.calls(), trace.result), (1, Ok(())));
    assert!(trace.asked.is_empty());
}

#[test]
fn the_last_failure_is_returned_and_earlier_ones_are_gone_before_their_wait() {
    #[retry(
        strategy = "none",
        base_ms = 10,
        cap_ms = 10,
        max = 2,
        on = always,
        once(mut names = vec!["c", "b", "a"]),
        sleep = |delay: std::time::Duration| log.add(format!("wait {}", delay.as_millis()))
    )]
    fn call(log: &Log) -> Result<(), Noisy<'_>> {
        log.add(format!("call {}", 4 - names.len()));
        Err(Noisy { name: names.pop().unwrap_or_default(), log })
    }

    let log = Log::new();
    let error = call(&log).unwrap_err();
    log.add(format!("return {}", error.name));
    let expected = ["call 1", "drop a", "wait 10", "call 2", "drop b", "wait 10", "call 3", "return c"];
    assert_eq!(log.take(), expected);
}

#[test]
fn in_nested_calls_attempts_multiply_and_waits_add_up() {
    #[retry(strategy = "none", base_ms = 10, cap_ms = 10, max = 2, on = always)]
    fn inner(log: &Log) -> Result<(), &'static str> {
        log.add("inner");
        Err("down")
    }
    #[retry(strategy = "none", base_ms = 100, cap_ms = 100, max = 1, on = |error| { log.add(*error); true })]
    fn outer(log: &Log) -> Result<(), &'static str> {
        log.add("outer");
        inner(log)
    }

    let (time, log) = (VirtualTime::start(), Log::new());
    assert_eq!(outer(&log), Err("down"));
    assert_eq!(time.elapsed(), ms(140));
    assert_eq!(log.take(), ["outer", "inner", "inner", "inner", "down"].repeat(2));
}

#[test]
fn a_wait_runs_from_the_end_of_an_attempt_to_the_start_of_the_next() {
    let acts = [err("a").takes(ms(250)), err("b").takes(ms(40)), ok().takes(ms(5))];
    let trace = play!([strategy = "none", base_ms = 100, cap_ms = 100, max = 2], acts);
    assert_eq!(trace.attempts_at, [0, 350, 490].map(ms));
    assert_eq!((trace.elapsed, trace.result), (ms(495), Ok(())));
}

#[test]
fn a_long_attempt_starts_the_counting_anew() {
    let acts = [err("a"), err("b"), err("c").takes(ms(1_000)), err("d"), err("e"), ok()];
    let trace =
        play!([strategy = "none", base_ms = 100, cap_ms = 10_000, max = 2, reset_after_ms = 1_000], acts);
    assert_eq!(trace.attempts_at, [0, 100, 300, 1_400, 1_600].map(ms));
    assert_eq!(trace.waits, [100, 200, 100, 200].map(ms));
    assert_eq!((trace.result, trace.elapsed), (Err("e"), ms(1_600)));
    assert_eq!(trace.reason, Some(StopReason::MaxRetries));
}

#[test]
fn an_attempt_a_millisecond_short_does_not() {
    let acts = [err("a"), err("b"), err("c").takes(ms(999)), ok()];
    let trace =
        play!([strategy = "none", base_ms = 100, cap_ms = 10_000, max = 2, reset_after_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.result, trace.elapsed), (3, Err("c"), ms(1_299)));
    assert_eq!(trace.reason, Some(StopReason::MaxRetries));
}

#[test]
fn the_deadline_goes_on_when_the_counting_starts_anew() {
    let acts = [err("a"), err("b"), err("c").takes(ms(1_000)), err("d"), err("e"), ok()];
    let trace = play!(
        [
            strategy = "none",
            base_ms = 100,
            cap_ms = 10_000,
            max = 2,
            reset_after_ms = 1_000,
            deadline_ms = 1_500
        ],
        acts
    );
    assert_eq!(trace.attempts_at, [0, 100, 300, 1_400].map(ms));
    assert_eq!((trace.result, trace.elapsed), (Err("d"), ms(1_400)));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}
