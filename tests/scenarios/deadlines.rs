//! What no longer fits before the deadline is not begun.

use retry_runtime::StopReason;

use crate::support::ms;
use crate::support::script::{err, ok, play};

#[test]
fn a_backoff_that_would_end_after_the_deadline_is_not_begun() {
    let acts = [err("a"), err("b"), err("c")];
    let trace =
        play!([strategy = "none", base_ms = 400, cap_ms = 10_000, max = 10, deadline_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (2, ms(400), Err("b")));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}

#[test]
fn a_success_that_comes_after_the_deadline_is_a_success() {
    let acts = [ok().takes(ms(2_000))];
    let trace = play!([strategy = "none", base_ms = 10, cap_ms = 10, max = 5, deadline_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(2_000), Ok(())));
}

#[test]
fn a_failure_that_comes_after_the_deadline_is_judged_once_and_returned() {
    let acts = [err("late").takes(ms(2_000)), ok()];
    let trace = play!([strategy = "none", base_ms = 10, cap_ms = 10, max = 5, deadline_ms = 1_000], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(2_000), Err("late")));
    assert_eq!((trace.asked, trace.reason), (vec!["late"], Some(StopReason::Deadline)));
}
