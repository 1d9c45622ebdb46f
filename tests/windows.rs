//! The window of a retry: exact, for every number of a retry and every setting.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use retry_runtime::Draw;

const BASE: Duration = Duration::from_millis(200);
const CAP: Duration = Duration::from_secs(10);

fn window(base: Duration, cap: Duration, factor: f64, retry: u32) -> Duration {
    Draw::new(retry, base, cap).factor(factor).window()
}

#[test]
fn windows_of_the_first_retries() {
    // base and cap in milliseconds, factor, windows in microseconds
    let table: [(u64, u64, f64, &[u64]); 8] = [
        (
            200,
            10_000,
            2.0,
            &[200_000, 400_000, 800_000, 1_600_000, 3_200_000, 6_400_000, 10_000_000, 10_000_000],
        ),
        (3_000, 10_000, 2.0, &[3_000_000, 6_000_000, 10_000_000, 10_000_000]),
        (200, 10_000, 1.0, &[200_000, 200_000, 200_000, 200_000]),
        (200, 10_000, 1.5, &[200_000, 300_000, 450_000, 675_000, 1_012_500, 1_518_750]),
        (200, 10_000, 1.1, &[200_000, 220_000, 242_000, 266_200, 292_820, 322_102]),
        (200, 10_000, 3.0, &[200_000, 600_000, 1_800_000, 5_400_000, 10_000_000]),
        (1, 5, 10.0, &[1_000, 5_000, 5_000]),
        (7, 500, 2.0, &[7_000, 14_000, 28_000, 56_000, 112_000, 224_000, 448_000, 500_000, 500_000]),
    ];
    for (base, cap, factor, expected) in table {
        let (base, cap) = (Duration::from_millis(base), Duration::from_millis(cap));
        for (retry, micros) in (1..).zip(expected) {
            let found = window(base, cap, factor, retry);
            assert_eq!(
                found,
                Duration::from_micros(*micros),
                "base {base:?}, factor {factor}, retry {retry}"
            );
        }
    }
}

#[test]
fn windows_below_a_millisecond_grow_like_others() {
    let tiny = |retry| window(Duration::from_nanos(1), Duration::from_micros(1), 2.0, retry).as_nanos();
    assert_eq!((1..=11).map(tiny).collect::<Vec<_>>(), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]);
    let slow = |retry| window(Duration::from_nanos(10), CAP, 1.5, retry).as_nanos();
    assert_eq!((1..=5).map(slow).collect::<Vec<_>>(), [10, 15, 23, 34, 51]); // 22.5, 33.75, 50.625
}

// Were they computed by a loop over the retries, the compiler would refuse to evaluate them.
const LATE: [Duration; 4] = [
    Draw::new(u32::MAX, BASE, CAP).window(),
    Draw::new(u32::MAX, BASE, CAP).factor(1.000_000_1).window(),
    Draw::new(u32::MAX, BASE, CAP).factor(1.0).window(),
    Draw::new(u32::MAX, BASE, Duration::MAX).factor(f64::INFINITY).window(),
];

#[test]
fn the_last_retry_has_a_window_too() {
    assert_eq!(LATE, [CAP, CAP, BASE, Duration::MAX]);
    // 200 ms · (1 + 2⁻³⁰)^(2³² − 2) is 10.9 s; the others were computed with 60 digits.
    for (exponent, nanos) in [(-30, 10_000_000_000), (-31, 1_477_811_218), (-32, 543_656_365)] {
        let slow = window(BASE, CAP, 1.0 + 2_f64.powi(exponent), u32::MAX);
        assert_eq!(slow, Duration::from_nanos(nanos), "{exponent}");
    }
}

#[test]
fn windows_at_the_ends_of_the_types() {
    for retry in [1, 2, 9, 31, 32, 33, 63, 64, 65, 128, 1_000, u32::MAX] {
        for factor in [1.0, 1.5, 2.0, 3.0, 1e300] {
            assert_eq!(window(Duration::MAX, Duration::MAX, factor, retry), Duration::MAX);
            assert_eq!(window(Duration::ZERO, CAP, factor, retry), Duration::ZERO);
            assert_eq!(window(BASE, Duration::ZERO, factor, retry), Duration::ZERO);
        }
        for factor in [f64::NAN, 0.5, -2.0, f64::NEG_INFINITY] {
            assert_eq!(window(BASE, CAP, factor, retry), BASE);
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn windows_never_shrink(base in 1..1_000_000_000_000_u64, small in 0..52_i32, retry in any::<u32>(), seconds in any::<u32>()) {
        let (base, cap) = (Duration::from_nanos(base), Duration::from_secs(u64::from(seconds)));
        let window = |retry| window(base, cap, 1.0 + 2_f64.powi(-small), retry);
        prop_assert!(window(retry) <= window(retry.saturating_add(1)));
        prop_assert!(window(retry >> 24) <= window((retry >> 24) + 1));
    }

    #[test]
    fn whole_factors_are_exact(
        base in 1..u64::MAX, cap in 1..u64::MAX, factor in 1..1_000_u32, retry in 1..70_u32,
    ) {
        let exact = u128::from(factor).checked_pow(retry - 1).and_then(|power| power.checked_mul(base.into()));
        let exact = exact.map_or(cap.into(), |exact| exact.min(cap.into()));
        let found = window(Duration::from_nanos(base), Duration::from_nanos(cap), factor.into(), retry);
        prop_assert_eq!(found.as_nanos(), exact);
    }

    #[test]
    fn broken_factors_are_rounded_to_the_nanosecond(base in 1..1_000_000_000_u64, eighths in 9..32_u32, retry in 1..20_u32) {
        let power = u128::from(eighths).pow(retry - 1) * u128::from(base);
        let unit = 8_u128.pow(retry - 1);
        let cap = Duration::from_secs(u64::from(u32::MAX));
        let exact = ((power + unit / 2) / unit).min(cap.as_nanos());
        let found = window(Duration::from_nanos(base), cap, f64::from(eighths) / 8.0, retry);
        prop_assert_eq!(found.as_nanos(), exact);
    }
}
