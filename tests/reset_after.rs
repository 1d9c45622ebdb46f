//! `reset_after`: an attempt that ran long enough before it failed starts the counting of retries anew.

use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Draw, Policy, StopReason, always, retry};

mod support;
use support::script::{err, ok, play};
use support::{Log, block_on, ms, secs};

#[test]
fn the_window_and_the_retries_count_from_one_again() {
    let acts = [err("a"), err("b"), err("c").takes(secs(1)), err("d"), err("e")];
    let trace = play!([strategy = "none", base_ms = 100, max = 2, reset_after_ms = 1_000], acts);
    assert_eq!(trace.waits, [ms(100), ms(200), ms(100), ms(200)]);
    assert_eq!((trace.result, trace.reason), (Err("e"), Some(StopReason::MaxRetries)));
}

#[test]
fn it_happens_at_exactly_that_length_and_not_a_nanosecond_below() {
    for (takes, again) in
        [(Duration::new(0, 999_999_999), false), (secs(1), true), (Duration::new(1, 1), true)]
    {
        let acts = [err("a"), err("b").takes(takes), ok()];
        let trace = play!([strategy = "none", max = 1, reset_after = "1s"], acts);
        assert_eq!(trace.result.is_ok(), again, "{takes:?}");
        assert_eq!(trace.waits, vec![ms(200); 1 + usize::from(again)], "{takes:?}");
    }
}

#[test]
fn the_first_attempt_may_be_the_long_one() {
    let acts = [err("a").takes(secs(2)), err("b"), err("c")];
    let trace = play!([strategy = "none", max = 2, reset_after_ms = 1_000], acts);
    assert_eq!((trace.waits, trace.reason), (vec![ms(200), ms(400)], Some(StopReason::MaxRetries)));
}

#[test]
fn only_the_attempt_counts_not_the_wait_before_it() {
    let acts = [err("a").takes(ms(999)), err("b").takes(ms(999)), err("c").takes(ms(999))];
    let trace = play!([strategy = "none", base_ms = 5_000, max = 2, reset_after_ms = 1_000], acts);
    assert_eq!((trace.waits, trace.reason), (vec![secs(5), secs(10)], Some(StopReason::MaxRetries)));
}

#[test]
fn the_deadline_is_never_reset() {
    let acts = [err("a"), err("b").takes(secs(1)), err("c").takes(secs(1)), err("d")];
    let trace = play!([strategy = "none", max = 1, reset_after_ms = 1_000, deadline_ms = 2_600], acts);
    assert_eq!(trace.attempts_at, [ms(0), ms(200), ms(1_400)]);
    assert_eq!((trace.result, trace.reason), (Err("c"), Some(StopReason::Deadline)));
}

#[test]
fn a_long_failure_that_deserves_no_retry_is_returned_at_once() {
    let trace = play!([max = 1, reset_after_ms = 1_000], [err("hard").takes(secs(1))]);
    assert_eq!((trace.result, trace.reason), (Err("hard"), None));
}

#[test]
fn what_was_drawn_before_is_forgotten() {
    fn twice_the_previous(draw: &Draw) -> Duration {
        draw.previous() * 2
    }
    let acts = [err("a"), err("b"), err("c").takes(secs(1)), err("d"), ok()];
    let trace = play!([strategy = twice_the_previous, base_ms = 10, reset_after_ms = 1_000], acts);
    assert_eq!(trace.waits, [ms(20), ms(40), ms(20), ms(40)]);
}

#[test]
fn decorrelated_begins_at_its_base_again() {
    let acts = [err("a"), err("b"), err("c"), err("d").takes(secs(1)), ok()];
    for seed in 0..200 {
        let trace = play!(seed, [strategy = "decorrelated", base_ms = 100, reset_after_ms = 1_000], acts);
        assert!(ms(100) <= trace.waits[3] && trace.waits[3] <= ms(300), "{:?}", trace.waits);
    }
}

#[test]
fn attempts_are_numbered_on_and_the_retries_left_are_all_there_again() {
    #[retry(strategy = "none", max = 2, reset_after_ms = 1_000, on = always, attempt = now,
        on_give_up = |event| log.add(format!("{} attempts", event.attempts())))]
    async fn load(time: &VirtualTime, log: &Log) -> Result<(), ()> {
        log.add(format!("{} {}", now.number(), now.retries_left()));
        time.advance(if now.number() == 3 { secs(1) } else { ms(0) });
        Err(())
    }

    let time = VirtualTime::start();
    let log = Log::new();
    assert!(block_on(load(&time, &log)).is_err());
    assert_eq!(log.take(), ["1 2", "2 1", "3 0", "4 1", "5 0", "5 attempts"]);
}

#[test]
fn it_may_come_from_a_policy_made_at_run_time() {
    #[retry(policy = policy, on = always)]
    fn load(policy: &Policy, time: &VirtualTime, lengths: &mut Vec<u64>) -> Result<(), usize> {
        time.advance(ms(lengths.pop().unwrap_or_default()));
        Err(lengths.len())
    }

    let policy = Policy::new().max(1).strategy(retry_runtime::Strategy::None).reset_after(secs(1));
    let time = VirtualTime::start();
    assert_eq!(load(&policy, &time, &mut vec![0, 999, 1_000, 0]), Err(1));
    assert_eq!(time.waits(), [ms(200), ms(200)], "the second was long enough, the third a millisecond short");
}
