//! The laws of the strategies: means, variances, ranges, and that no delay is ever above the cap.
//!
//! Every draw is seeded. The tolerances are five standard errors.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "samples are whole nanoseconds, held exactly in an f64"
)]

use std::f64::consts::LN_2;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use retry_runtime::strategy::{decorrelated, equal, full, none, plus_minus, smooth};
use retry_runtime::{Draw, Failure, Policy, Run, Step, Strategy as Named, testing};

type Function = fn(&Draw) -> Duration;

const BASE: Duration = Duration::from_millis(200);
const CAP: Duration = Duration::from_secs(10);
const ALL: [Function; 6] = [none, full, equal, decorrelated, plus_minus, smooth];
const RETRIES: [u32; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 64, 65, 99, 1_000, u32::MAX];
const DRAWS: u32 = 20_000;

fn nanos(duration: Duration) -> f64 {
    duration.as_nanos() as f64
}

/// Size, mean, variance and kurtosis.
struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
    kurtosis: f64,
}

impl Moments {
    fn of(sample: &[f64]) -> Self {
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        let power = |exponent| sample.iter().map(|x| (x - mean).powi(exponent)).sum::<f64>() / count;
        let variance = power(2);
        Self { count, mean, variance, kurtosis: power(4) / variance.powi(2) }
    }

    /// `rounding` is what the expected figures themselves may be off by.
    fn assert_law(&self, mean: f64, sd: f64, rounding: f64, what: &str) {
        let off = (self.mean - mean).abs();
        assert!(off <= 5.0 * sd / self.count.sqrt() + rounding, "{what}: mean {} for {mean}", self.mean);
        let tolerance = 5.0 * sd.powi(2) * ((self.kurtosis - 1.0) / self.count).sqrt() + 2.0 * sd * rounding;
        let off = (self.variance - sd.powi(2)).abs();
        assert!(off <= tolerance, "{what}: variance {} for {}", self.variance, sd.powi(2));
    }
}

fn sample(function: Function, draw: &Draw, count: u32) -> Vec<f64> {
    testing::seed(u64::from(draw.retry()));
    (0..count).map(|_| nanos(function(draw))).collect()
}

/// Range, mean, variance, Kolmogorov–Smirnov distance, and no value that collects probability.
fn assert_uniform(mut sample: Vec<f64>, low: f64, high: f64, what: &str) {
    let width = high - low;
    Moments::of(&sample).assert_law(f64::midpoint(low, high), width / 12_f64.sqrt(), 1.0, what);
    sample.sort_by(f64::total_cmp);
    let count = sample.len() as f64;
    assert!(low <= sample[0] && sample[sample.len() - 1] <= high, "{what}: outside the range");
    let distance = sample.iter().enumerate().map(|(below, x)| {
        let share = (x - low) / width;
        (share - below as f64 / count).max((below as f64 + 1.0) / count - share)
    });
    let distance = distance.fold(0.0, f64::max);
    assert!(distance <= 2.76 / count.sqrt(), "{what}: Kolmogorov-Smirnov distance {distance}");
    let most = sample.chunk_by(|a, b| a == b).map(<[f64]>::len).max();
    assert!(most <= Some(3), "{what}: {most:?} equal delays");
}

fn for_each_retry(check: impl Fn(Draw, f64)) {
    for retry in RETRIES {
        let draw = Draw::new(retry, BASE, CAP);
        check(draw, (0.2e9 * 2_f64.powf(f64::from(retry - 1))).min(10e9));
    }
}

#[test]
fn none_is_the_window() {
    for_each_retry(|draw, w| assert!((nanos(none(&draw)) - w).abs() < 0.5));
}

#[test]
fn full_is_uniform_from_zero_to_the_window() {
    for_each_retry(|draw, w| {
        assert_uniform(sample(full, &draw, DRAWS), 0.0, w, &format!("full, retry {}", draw.retry()));
    });
}

#[test]
fn equal_is_uniform_over_the_upper_half() {
    for_each_retry(|draw, w| {
        assert_uniform(sample(equal, &draw, DRAWS), w / 2.0, w, &format!("equal, retry {}", draw.retry()));
    });
}

#[test]
fn plus_minus_keeps_its_width() {
    let base = nanos(BASE);
    for_each_retry(|draw, w| {
        let centre = w.min(nanos(CAP) - base);
        let what = format!("plus_minus, retry {}", draw.retry());
        assert_uniform(sample(plus_minus, &draw, DRAWS), centre - base, centre + base, &what);
    });
    // Where the spread does not fit below the cap: the whole range.
    for (cap, low, high) in [(399, 0.0, 399e6), (400, 0.0, 400e6), (401, 1e6, 401e6)] {
        let draw = Draw::new(9, BASE, Duration::from_millis(cap));
        assert_uniform(sample(plus_minus, &draw, DRAWS), low, high, &format!("plus_minus, cap {cap}"));
    }
}

#[test]
fn one_step_of_decorrelated_depends_on_the_one_before() {
    for (previous, high) in [(200, 600e6), (500, 1_500e6), (3_333, 9_999e6), (4_000, 10e9), (10_000, 10e9)] {
        let draw = Draw::new(7, BASE, CAP).after(Duration::from_millis(previous));
        assert_uniform(sample(decorrelated, &draw, DRAWS), 200e6, high, &format!("previous {previous}"));
    }
    let draw = Draw::new(7, BASE, CAP).after(Duration::ZERO);
    assert_eq!(decorrelated(&draw), BASE);
}

#[test]
fn a_chain_of_decorrelated_delays() {
    testing::seed(1);
    let mut columns = [const { Vec::new() }; 9];
    for _ in 0..DRAWS {
        let mut previous = BASE;
        for (retry, column) in (1..).zip(&mut columns) {
            previous = decorrelated(&Draw::new(retry, BASE, CAP).after(previous));
            column.push(nanos(previous) / 1e6);
        }
    }
    let expected = [
        (0, 400.0, 0.2887),
        (1, 700.0, 0.5017),
        (2, 1150.0, 0.7122),
        (3, 1808.0, 0.9098),
        (4, 2432.0, 0.9173),
        (5, 2852.0, 0.8764),
        (8, 3351.0, 0.8082),
    ];
    for (n, mean, ratio) in expected {
        Moments::of(&columns[n]).assert_law(mean, mean * ratio, 0.5, &format!("decorrelated, n = {n}"));
    }
}

const SMOOTH: [(u32, f64, f64); 7] = [
    (0, 174.2, 0.3590),
    (1, 231.6, 0.4516),
    (2, 415.6, 0.4449),
    (3, 825.5, 0.4455),
    (4, 1649.3, 0.4456),
    (5, 3297.8, 0.4456),
    (8, 26380.7, 0.4456),
];

#[test]
fn smooth_without_a_cap() {
    for (n, mean, ratio) in SMOOTH {
        let sample = sample(smooth, &Draw::new(n + 1, BASE, Duration::MAX), DRAWS);
        let (mean, sd) = (mean * 1e6, mean * ratio * 1e6);
        Moments::of(&sample).assert_law(mean, sd, mean * 3e-4, &format!("smooth, n = {n}"));
    }
}

#[test]
fn smooth_below_a_cap_is_the_same_shape_scaled() {
    // At n = 5 the largest value is 200/1.4 · (F(6) − F(4)) = 6855.8 ms.
    let largest = 200e6 / 1.4 * (64.0 * 24_f64.sqrt().tanh() - 16.0 * 4_f64.tanh());
    let free = sample(smooth, &Draw::new(6, BASE, Duration::MAX), DRAWS);
    let capped = sample(smooth, &Draw::new(6, BASE, Duration::from_secs(2)), DRAWS);
    for (free, capped) in free.iter().zip(&capped) {
        assert!((free * 2e9 / largest - capped).abs() <= 1.0, "{free} became {capped}");
    }
    let just = Duration::from_nanos(largest as u64 + 1);
    assert_eq!(sample(smooth, &Draw::new(6, BASE, just), DRAWS), free, "scaled before it had to be");

    for retry in [31, 64, 65, 1_024, 1_025, u32::MAX] {
        let draw = Draw::new(retry, BASE, CAP);
        let mut sample = sample(smooth, &draw, DRAWS);
        sample.sort_by(f64::total_cmp);
        // The tanh is 1 here: (2^U − 2^V/2) / 1.5 of the cap.
        let mean_of_power = LN_2.recip();
        let variance_of_power = 1.5 / LN_2 - mean_of_power.powi(2);
        let (mean, sd) = (10e9 / 1.5 * mean_of_power / 2.0, 10e9 / 1.5 * (1.25 * variance_of_power).sqrt());
        Moments::of(&sample).assert_law(mean, sd, 1.0, &format!("smooth, retry {}", draw.retry()));
        assert!(sample.iter().all(|delay| *delay <= 10e9));
        let most = sample.chunk_by(|a, b| a == b).map(<[f64]>::len).max();
        assert!(most <= Some(3), "smooth: {most:?} equal delays");
    }
}

#[test]
fn full_reaches_both_ends() {
    let cap = Duration::from_secs(30);
    for (retry, least, greatest, mean) in [(1, 2e6, 198e6, 100e6), (4, 16e6, 1_584e6, 800e6)] {
        let sample = sample(full, &Draw::new(retry, BASE, cap), 100_000);
        assert!(sample.iter().copied().fold(f64::MAX, f64::min) <= least);
        assert!(sample.iter().copied().fold(0.0, f64::max) >= greatest);
        assert!((Moments::of(&sample).mean - mean).abs() <= mean / 100.0);
    }
}

#[test]
fn the_range_of_a_nanosecond_has_two_values() {
    let draw = Draw::new(1, Duration::from_nanos(1), Duration::from_nanos(1));
    let zeros = sample(full, &draw, DRAWS).iter().filter(|delay| **delay == 0.0).count();
    assert!(zeros.abs_diff(DRAWS as usize / 2) < 354, "{zeros}"); // 5 · √(N/4)
}

#[test]
fn ranges_beyond_584_years_are_uniform_too() {
    testing::seed(1);
    let draw = Draw::new(1, BASE, CAP);
    let (low, high) = (Duration::from_secs(u64::MAX / 4), Duration::MAX);
    let sample = (0..DRAWS).map(|_| nanos(draw.between(low, high))).collect();
    assert_uniform(sample, nanos(low), nanos(high), "between");
    assert_eq!(draw.between(high, low), high);
}

#[test]
fn random_is_uniform_below_one() {
    testing::seed(1);
    let draw = Draw::new(1, BASE, CAP);
    let sample: Vec<f64> = (0..DRAWS).map(|_| draw.random()).collect();
    assert!(sample.iter().all(|x| (0.0..1.0).contains(x)));
    // Down to the last of its 53 bits.
    let odd = sample.iter().filter(|x| (*x * 2_f64.powi(53)) % 2.0 == 1.0).count();
    assert!(odd.abs_diff(DRAWS as usize / 2) < 354, "{odd}"); // 5 · √(N/4)
    let scaled = sample.iter().map(|x| x * 1e9).collect();
    assert_uniform(scaled, 0.0, 1e9, "random");
}

#[test]
fn a_seed_decides_every_draw_and_threads_share_none() {
    let few = || (0..8).map(|_| full(&Draw::new(9, BASE, CAP))).collect::<Vec<_>>();
    let seeded = |seed| {
        testing::seed(seed);
        few()
    };
    assert_eq!(seeded(7), seeded(7));
    assert_ne!(seeded(7), seeded(8));
    let other = || std::thread::spawn(few).join();
    assert_ne!(other().unwrap(), other().unwrap());
}

#[test]
fn drawing_while_the_thread_ends_does_not_panic() {
    struct Last;
    impl Drop for Last {
        fn drop(&mut self) {
            assert!(full(&Draw::new(1, BASE, CAP)) <= BASE);
        }
    }
    thread_local!(static LAST: Last = const { Last });
    let thread = std::thread::spawn(|| {
        LAST.with(|_| {});
        full(&Draw::new(1, BASE, CAP))
    });
    assert!(thread.join().is_ok());
}

#[test]
fn every_name_is_its_function() {
    fn twice_the_cap(draw: &Draw) -> Duration {
        draw.cap() * 2
    }
    fn looks_at_everything(draw: &Draw) -> Duration {
        assert_eq!((draw.retry(), draw.base(), draw.cap(), draw.window()), (2, BASE, CAP, BASE * 3));
        assert_eq!(draw.previous(), Duration::from_millis(7));
        draw.between(Duration::from_millis(3), Duration::from_millis(3))
    }
    let second = |named: Named| {
        let mut run = Run::start(Policy::new().strategy(named).factor(3.0));
        let first = run.failed(Failure::new());
        testing::seed(3);
        (first, run.failed(Failure::new()))
    };
    // `smooth` goes on from a number that only its call knows: its first delay is compared.
    let named = [Named::None, Named::Full, Named::Equal, Named::Decorrelated, Named::PlusMinus];
    testing::seed(3);
    let first = Run::start(Policy::new().strategy(Named::Smooth)).failed(Failure::new());
    testing::seed(3);
    assert_eq!(first, Step::Wait(smooth(&Draw::new(1, BASE, CAP))));
    for (named, function) in named.into_iter().zip(ALL) {
        let (Step::Wait(first), found) = second(named) else { panic!("gave up") };
        testing::seed(3);
        let expected = function(&Draw::new(2, BASE, CAP).factor(3.0).after(first));
        assert_eq!(found, Step::Wait(expected), "{named:?}");
    }
    assert_eq!(second(Named::Custom(twice_the_cap)).1, Step::Wait(CAP));
    let seven = |draw: &Draw| {
        if draw.retry() == 1 { Duration::from_millis(7) } else { looks_at_everything(draw) }
    };
    assert_eq!(second(Named::Custom(seven)).1, Step::Wait(Duration::from_millis(3)));
    assert!(matches!(Named::default(), Named::Full));
}

fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::MAX),
        (0..64_u32, any::<u64>()).prop_map(|(shift, nanos)| Duration::from_nanos(nanos >> shift)),
        (0..64_u32, any::<u64>(), 0..1_000_000_000_u32)
            .prop_map(|(shift, seconds, nanos)| Duration::new(seconds >> shift, nanos)),
    ]
}

fn retries() -> impl Strategy<Value = u32> {
    prop_oneof![0..100_u32, any::<u32>(), Just(u32::MAX)]
}

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 500,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_settings_lead_above_the_cap(
        base in durations(), cap in durations(), previous in durations(), retry in retries(),
        factor in prop_oneof![1.0..4.0_f64, any::<f64>()],
    ) {
        let draw = Draw::new(retry, base, cap).factor(factor).after(previous);
        for function in ALL {
            prop_assert!(function(&draw) <= cap);
        }
        prop_assert!(full(&draw) <= draw.window());
        prop_assert!(equal(&draw) >= draw.window() / 2);
        prop_assert!(decorrelated(&draw) >= base.min(cap));
    }
}

#[test]
fn the_delays_of_smooth_add_up_so_that_the_times_of_the_retries_double() {
    let policy = Policy::new().strategy(Named::Smooth).cap(Duration::from_secs(100_000)).max(9);
    let time_of = |t: f64| 0.2 / 1.4 * t.exp2() * (4.0 * t).sqrt().tanh();
    testing::seed(11);
    for _ in 0..1_000 {
        let (mut run, mut total) = (Run::start(policy), 0.0);
        for retry in 1..=9_u32 {
            let Step::Wait(delay) = run.failed(Failure::new()) else { panic!("nine retries are allowed") };
            total += delay.as_secs_f64();
            let (low, high) = (time_of(f64::from(retry - 1)), time_of(f64::from(retry)));
            assert!(
                (low - 1e-6..=high + 1e-6).contains(&total),
                "retry {retry}: {total} is not in {low}..{high}"
            );
        }
    }
}
