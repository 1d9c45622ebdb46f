//! The server's hint against backoff, cap, deadline and growth.

use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

use retry_runtime::http::parse_retry_after;
use retry_runtime::testing::VirtualTime;
use retry_runtime::{StopReason, always, retry};

use crate::support::script::{err, ok, play};
use crate::support::{ms, secs};

/// What this text means on 30 November 2026, 23:59:00 GMT.
fn read(text: &str) -> Duration {
    parse_retry_after(text, UNIX_EPOCH + secs(1_796_083_140)).expect("a hint")
}

#[test]
fn a_hint_of_zero_leaves_the_backoff_alone() {
    let acts = [err("busy").hint(read("0")), ok()];
    let trace = play!([strategy = "none", base_ms = 400, cap_ms = 1_000, max = 3], acts);
    assert_eq!((trace.calls(), trace.result, trace.waits), (2, Ok(()), vec![ms(400)]));
}

#[test]
fn a_date_that_has_gone_by_leaves_the_backoff_alone() {
    let acts = [
        err("busy").hint(read("Mon, 30 Nov 2026 23:58:59 GMT")),
        err("busy").hint(read("Wed, 21 Oct 2015 07:28:00 GMT")),
        err("busy").hint(read("Thu, 01 Jan 1970 00:00:00 GMT")),
        ok(),
    ];
    let trace = play!([strategy = "none", base_ms = 300, cap_ms = 300, max = 3], acts);
    assert_eq!((trace.calls(), trace.result, trace.waits), (4, Ok(()), vec![ms(300); 3]));
}

#[test]
fn ten_digits_of_seconds_end_the_call_with_the_error_it_has() {
    let acts = [err("busy").hint(read("9999999999"))];
    let trace =
        play!([strategy = "full", base_ms = 100, cap_ms = 5_000, max = 5, deadline_ms = 30_000], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(0), Err("busy")));
    assert_eq!(trace.reason, Some(StopReason::RetryAfterTooLong));
}

#[test]
fn a_hint_above_the_cap_is_waited_for() {
    for seed in 0..100 {
        let acts = [err("busy").hint(read("10")), ok()];
        let trace = play!(seed, [strategy = "full", base_ms = 100, cap_ms = 2_000, max = 3], acts);
        assert_eq!((trace.calls(), trace.result), (2, Ok(())));
        assert!(secs(10) <= trace.waits[0] && trace.waits[0] <= secs(12), "{:?}", trace.waits);
    }
}

#[test]
fn a_hint_of_a_minute_is_waited_for_by_default() {
    for seed in 0..100 {
        let acts = [err("busy").hint(read("60")), ok()];
        let trace = play!(seed, [strategy = "full", base_ms = 100, cap_ms = 2_000, max = 3], acts);
        assert_eq!((trace.calls(), trace.result), (2, Ok(())));
        assert!(secs(60) <= trace.waits[0] && trace.waits[0] <= secs(62), "{:?}", trace.waits);
    }
}

#[test]
fn a_hint_of_more_than_a_minute_ends_the_call_by_default() {
    let acts = [err("busy").hint(read("61")), ok()];
    let trace = play!([strategy = "full", base_ms = 100, cap_ms = 2_000, max = 3], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(0), Err("busy")));
    assert_eq!(trace.reason, Some(StopReason::RetryAfterTooLong));
}

#[test]
fn a_hint_that_cannot_be_met_in_time_ends_the_call_with_the_last_error() {
    let acts = [err("a").takes(ms(100)), err("b").takes(ms(100)).hint(read("5")), ok()];
    let trace = play!([strategy = "none", base_ms = 10, cap_ms = 1_000, max = 10, deadline_ms = 3_000], acts);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (2, ms(210), Err("b")));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}

/// Ten thousand clients get the same hint of 5 s.
macro_rules! clients {
    ($($name:ident: $strategy:literal;)*) => {$(
        #[test]
        fn $name() {
            #[retry(strategy = $strategy, base_ms = 100, cap_ms = 8_000, max = 1, on = always, retry_after = |()| Some(secs(5)))]
            fn call(attempts: &mut u32) -> Result<(), ()> {
                *attempts += 1;
                if *attempts == 1 { Err(()) } else { Ok(()) }
            }

            let waits: Vec<Duration> = (0..10_000)
                .map(|seed| {
                    let time = VirtualTime::seeded(seed);
                    assert!(call(&mut 0).is_ok());
                    time.elapsed()
                })
                .collect();
            let different: BTreeSet<_> = waits.iter().copied().collect();
            let (first, last) = (different.first().copied().unwrap(), different.last().copied().unwrap());
            assert!(ms(5_000) <= first && first <= ms(5_010), "the first returns after {first:?}");
            assert!(ms(7_490) <= last && last <= ms(7_500), "the last returns after {last:?}");
            assert!(different.len() >= 1_000, "{} different waits", different.len());
            let mean = waits.iter().sum::<Duration>() / 10_000;
            assert!(ms(6_210) <= mean && mean <= ms(6_290), "{mean:?} in the mean");
        }
    )*};
}

clients! {
    clients_with_the_same_hint_and_no_jitter_return_apart: "none";
    clients_with_the_same_hint_and_full_jitter_return_apart: "full";
    clients_with_the_same_hint_and_equal_jitter_return_apart: "equal";
    clients_with_the_same_hint_and_decorrelated_jitter_return_apart: "decorrelated";
    clients_with_the_same_hint_and_plus_minus_jitter_return_apart: "plus_minus";
    clients_with_the_same_hint_and_smooth_jitter_return_apart: "smooth";
}

/// The only wait of a call that is given this hint once, under a hundred seeds, without jitter and with full jitter.
macro_rules! waits {
    ([$($settings:tt)*], $hint:literal) => {{
        let mut waits = Vec::new();
        for seed in 0..100 {
            let acts = [err("busy").hint(read($hint)), ok()];
            for trace in [
                play!(seed, [strategy = "none", max = 3, $($settings)*], acts),
                play!(seed, [strategy = "full", max = 3, $($settings)*], acts),
            ] {
                assert_eq!((trace.calls(), trace.result), (2, Ok(())));
                assert_eq!(trace.attempts_at, [ms(0), trace.waits[0]]);
                waits.extend(trace.waits);
            }
        }
        waits
    }};
}

#[test]
fn the_cap_bounds_the_spread_above_a_hint() {
    let waits = waits!([base_ms = 100, cap_ms = 200], "5");
    assert!(waits.iter().all(|wait| ms(5_000) <= *wait && *wait <= ms(5_200)), "{waits:?}");
}

#[test]
fn a_window_wider_than_half_the_hint_is_the_spread() {
    let waits = waits!([base_ms = 4_000, cap_ms = 8_000], "1");
    assert!(waits.iter().all(|wait| ms(1_000) <= *wait && *wait <= ms(5_000)), "{waits:?}");
    assert!(waits.iter().any(|wait| *wait > ms(2_000)), "wider than the hint alone would make it");
}

#[test]
fn a_spread_that_would_pass_the_deadline_is_drawn_from_what_it_leaves() {
    let waits = waits!([base_ms = 100, cap_ms = 8_000, deadline_ms = 5_100], "5");
    assert!(waits.iter().all(|wait| ms(5_000) <= *wait && *wait < ms(5_100)), "{waits:?}");
}

#[test]
fn in_place_of_the_backoff_a_hint_has_no_spread() {
    let waits = waits!([base_ms = 100, cap_ms = 8_000, retry_after_mode = "replace"], "5");
    assert!(waits.iter().all(|wait| *wait == secs(5)), "{waits:?}");
}

#[test]
fn as_a_ceiling_a_longer_hint_leaves_the_backoff_alone() {
    let waits = waits!([base_ms = 100, cap_ms = 8_000, retry_after_mode = "ceiling"], "5");
    assert!(waits.iter().all(|wait| *wait <= ms(100)), "{waits:?}");
}

#[test]
fn as_a_ceiling_a_shorter_hint_cuts_the_backoff() {
    let acts = [err("busy").hint(read("5")), ok()];
    let trace = play!(
        [strategy = "none", base_ms = 7_000, cap_ms = 8_000, max = 3, retry_after_mode = "ceiling"],
        acts
    );
    assert_eq!(trace.waits, [secs(5)]);
}
