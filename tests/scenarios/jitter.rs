//! Where the drawn waits lie: inside the window, all over it, also where it is tiny.

use std::time::Duration;

use retry_runtime::testing::{VirtualTime, seed};
use retry_runtime::{Draw, always, retry, strategy};

use crate::support::ms;
use crate::support::script::{err, ok, play};

/// A call of 40 retries with the cap at 10 s, many times.
macro_rules! never_above_the_cap {
    ($($name:ident: $strategy:literal;)*) => {$(
        #[test]
        fn $name() {
            #[retry(strategy = $strategy, base_ms = 400, cap_ms = 10_000, max = 40, on = always)]
            fn call() -> Result<(), ()> {
                Err(())
            }

            // 20,000 draws: 500 calls of 40 retries.
            for seed in 0..500 {
                let time = VirtualTime::seeded(seed);
                assert!(call().is_err());
                let waits = time.waits();
                assert_eq!(waits.len(), 40);
                assert!(waits.iter().all(|wait| *wait <= ms(10_000)), "{waits:?}");
            }
        }
    )*};
}

never_above_the_cap! {
    no_wait_without_jitter_is_above_the_cap: "none";
    no_wait_of_full_jitter_is_above_the_cap: "full";
    no_wait_of_equal_jitter_is_above_the_cap: "equal";
    no_wait_of_decorrelated_jitter_is_above_the_cap: "decorrelated";
    no_wait_of_plus_minus_jitter_is_above_the_cap: "plus_minus";
    no_wait_of_smooth_jitter_is_above_the_cap: "smooth";
}

/// Least, greatest and mean of 100,000 draws.
fn full_jitter(retry: u32) -> (Duration, Duration, Duration) {
    const DRAWS: u32 = 100_000;
    seed(7);
    let draw = Draw::new(retry, ms(200), ms(30_000));
    let (mut least, mut greatest, mut sum) = (Duration::MAX, Duration::ZERO, Duration::ZERO);
    for _ in 0..DRAWS {
        let delay = strategy::full(&draw);
        (least, greatest, sum) = (least.min(delay), greatest.max(delay), sum + delay);
    }
    (least, greatest, sum / DRAWS)
}

#[test]
fn full_jitter_covers_the_first_window_evenly_and_no_more() {
    let (least, greatest, mean) = full_jitter(1);
    assert!(least <= ms(2) && ms(198) <= greatest && greatest <= ms(200), "{least:?} to {greatest:?}");
    assert!(ms(99) <= mean && mean <= ms(101), "{mean:?}");
}

#[test]
fn full_jitter_covers_the_fourth_window_evenly_and_no_more() {
    let (least, greatest, mean) = full_jitter(4);
    assert!(least <= ms(16) && ms(1_584) <= greatest && greatest <= ms(1_600), "{least:?} to {greatest:?}");
    assert!(ms(792) <= mean && mean <= ms(808), "{mean:?}");
}

#[test]
fn a_tiny_wait_means_try_again_and_is_not_rounded_to_nothing() {
    let acts =
        [err("busy"), err("busy"), err("busy"), err("busy"), err("busy"), err("busy"), err("busy"), ok()];
    let mut waited = Duration::ZERO;
    for seed in 0..2_000 {
        let trace = play!(seed, [strategy = "full", base_ms = 1, cap_ms = 1, max = 7], acts);
        assert_eq!((trace.calls(), trace.result), (8, Ok(())));
        waited += trace.elapsed;
    }
    let mean = waited / (7 * 2_000);
    assert!((400..=600).contains(&mean.as_micros()), "{mean:?}");
}
