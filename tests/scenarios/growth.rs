//! How the windows grow: never beyond the cap, never back, never overflowing.

use retry_runtime::{Draw, StopReason, strategy, testing};

use crate::support::script::{err, ok, play};
use crate::support::{ms, secs};

/// After these failures: below, at and beyond every width that an exponent could overflow.
const LATE: [usize; 4] = [33, 64, 65, 99];

#[test]
fn a_window_that_has_reached_the_cap_stays_there() {
    let acts = [(); 100].map(|()| err("busy"));
    let trace = play!([strategy = "none", base_ms = 200, cap_ms = 30_000, max = 99], acts);
    for failures in [9, 31, 32, 33, 40, 63, 64, 65, 99] {
        assert_eq!(trace.waits[failures - 1], secs(30), "after {failures} failures");
    }
    assert_eq!((trace.calls(), trace.reason), (100, Some(StopReason::MaxRetries)));
}

#[test]
fn late_retries_are_drawn_from_the_capped_window() {
    let acts = [(); 100].map(|()| err("busy"));
    macro_rules! check {
        ($($strategy:literal from $from:literal to $to:literal;)*) => {$(
            let trace = play!([strategy = $strategy, base_ms = 200, cap_ms = 30_000, max = 99], acts);
            for failures in LATE {
                let wait = trace.waits[failures - 1];
                assert!(ms($from) <= wait && wait <= ms($to), "{}: {wait:?}", $strategy);
            }
        )*};
    }
    check! {
        "full" from 0 to 30_000;
        "equal" from 15_000 to 30_000;
        "plus_minus" from 29_600 to 30_000;
        "decorrelated" from 0 to 30_000;
        "smooth" from 0 to 30_000;
    }
}

#[test]
fn full_jitter_of_late_retries_has_the_mean_of_the_capped_window() {
    testing::seed(1);
    for retry in [33, 64, 65, 99] {
        let draw = Draw::new(retry, ms(200), secs(30));
        let mean = (0..1_000).map(|_| strategy::full(&draw)).sum::<std::time::Duration>() / 1_000;
        assert!(ms(13_500) <= mean && mean <= ms(16_500), "retry {retry}: {mean:?}");
    }
}

#[test]
fn without_jitter_the_waits_never_shrink() {
    let acts = vec![err("busy"); 1_000];
    let trace = play!([strategy = "none", base_ms = 7, cap_ms = 60_000, max = 999], acts);
    let first =
        [7, 14, 28, 56, 112, 224, 448, 896, 1_792, 3_584, 7_168, 14_336, 28_672, 57_344, 60_000, 60_000];
    assert_eq!(trace.waits[..16], first.map(ms));
    assert_eq!(trace.waits.len(), 999);
    assert!(trace.waits.is_sorted());
}

#[test]
fn with_a_cap_that_bounds_nothing_the_deadline_still_ends_the_call() {
    let trace = play!(
        [
            strategy = "full",
            base_ms = 18_446_744_073_709_551,
            cap_ms = 18_446_744_073_709_551,
            max = 200,
            deadline_ms = 1_000
        ],
        [err("busy")]
    );
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(0), Err("busy")));
    assert_eq!(trace.reason, Some(StopReason::Deadline));
}

#[test]
fn the_longest_waits_there_are_do_not_overflow() {
    let acts = [err("a"), err("b"), err("c"), ok()];
    let trace = play!(
        [strategy = "none", base_ms = 18_446_744_073_709_551_615, cap_ms = 18_446_744_073_709_551_615],
        acts
    );
    assert_eq!(trace.waits, [ms(u64::MAX); 3]);
}

#[test]
fn the_default_cap_is_ten_seconds() {
    let acts = [(); 7].map(|()| err("busy"));
    let trace = play!([strategy = "none", base_ms = 3_000, max = 6], acts);
    assert_eq!(trace.waits, [3_000, 6_000, 10_000, 10_000, 10_000, 10_000].map(ms));
}

#[test]
fn the_default_base_is_two_hundred_milliseconds() {
    let acts = [(); 9].map(|()| err("busy"));
    let trace = play!([strategy = "none", max = 8], acts);
    assert_eq!(trace.waits, [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000].map(ms));
}

#[test]
fn a_factor_of_one_keeps_the_window_constant() {
    let trace = play!([strategy = "none", max = 4, factor = 1], [(); 5].map(|()| err("busy")));
    assert_eq!(trace.waits, [200; 4].map(ms));
}

#[test]
fn a_broken_factor_grows_by_it() {
    let trace = play!([strategy = "none", max = 4, factor = 1.5], [(); 5].map(|()| err("busy")));
    assert_eq!(trace.waits, [200, 300, 450, 675].map(ms));
}
