//! The settings and scripts that are drawn for a call, and what is drawn around it.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use retry_runtime::{Budget, Policy, RetryAfterMode, Strategy as Named};

use crate::layers::{Layers, layers};
use crate::model::bucket::Bucket;
use crate::story::{Attempt, Ends, Settings};
use crate::support::ms;

const NANO: Duration = Duration::from_nanos(1);

/// Mostly on a grid, some a nanosecond beside it, so that limits are met exactly.
pub(crate) fn length() -> impl Strategy<Value = Duration> {
    let nudged = (0..=24_u64, prop_oneof![6 => Just(1), 1 => Just(0), 1 => Just(2)])
        .prop_map(|(step, nudge)| (ms(50 * step) + NANO * nudge).saturating_sub(NANO));
    prop_oneof![9 => nudged, 1 => (0..2_000_000_000_u64).prop_map(Duration::from_nanos)]
}

fn limit() -> impl Strategy<Value = Duration> {
    length().prop_map(|length| length.max(NANO))
}

pub(crate) fn settings() -> impl Strategy<Value = Settings> {
    let strategy = prop_oneof![
        4 => Just(Named::None),
        1 => Just(Named::Full),
        1 => Just(Named::Equal),
        2 => Just(Named::Decorrelated),
        1 => Just(Named::PlusMinus),
        1 => Just(Named::Smooth),
    ];
    let mode = prop_oneof![
        Just(RetryAfterMode::Floor),
        Just(RetryAfterMode::Replace),
        Just(RetryAfterMode::Ceiling),
    ];
    let eighths = prop_oneof![2 => Just(16), 1 => Just(8), 1 => Just(24), 1 => 8..=32_u32, 1 => Just(80)];
    let max = option::weighted(0.8, 0..=7_u32);
    let windows = (limit(), (0..=8_u32, limit()), eighths);
    let limits = (max, option::of((1..=6_u32, limit())), option::weighted(0.4, limit()));
    (strategy, windows, limits, mode, (1..=2_u32, length())).prop_map(
        |(strategy, (base, (times, more), eighths), (max, deadline, reset_after), mode, (twice, longest))| {
            Settings {
                strategy,
                base,
                cap: base + more * times,
                eighths,
                max,
                deadline: deadline.map(|(times, length)| length * times),
                reset_after,
                mode,
                retry_after_max: longest * twice,
                attempt_timeout: None,
            }
        },
    )
}

pub(crate) fn script() -> impl Strategy<Value = Vec<Attempt>> {
    let soft = option::weighted(0.4, length()).prop_map(|hint| Ends::Soft { hint });
    let ends = prop_oneof![18 => soft, 1 => Just(Ends::Hard), 1 => Just(Ends::Ok)];
    let takes = prop_oneof![2 => Just(Duration::ZERO), 1 => length()];
    let attempt = (takes, ends, prop::bool::weighted(0.97), prop::bool::weighted(0.05))
        .prop_map(|(takes, ends, enabled, cancelled)| Attempt { takes, ends, enabled, cancelled });
    vec(attempt, 0..10).prop_map(|mut script| {
        script.push(Attempt { takes: ms(3), ends: Ends::Ok, enabled: true, cancelled: false });
        script
    })
}

pub(crate) fn policy(settings: &Settings) -> Policy {
    let mut builder = Policy::builder()
        .strategy(settings.strategy)
        .base(settings.base)
        .cap(settings.cap)
        .factor(f64::from(settings.eighths) / 8.0)
        .retry_after_mode(settings.mode)
        .retry_after_max(settings.retry_after_max);
    builder = match settings.max {
        Some(max) => builder.max(max),
        None => builder.unlimited(),
    };
    if let Some(deadline) = settings.deadline {
        builder = builder.deadline(deadline);
    }
    if let Some(reset_after) = settings.reset_after {
        builder = builder.reset_after(reset_after);
    }
    builder.build().expect("settings that can be")
}

/// A call among others.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Time without a call before it.
    pub(crate) gap: Duration,
    pub(crate) script: Vec<Attempt>,
    /// When its token fires, from the call's start; zero: before.
    pub(crate) fires: Option<Duration>,
    pub(crate) layers: Layers,
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let gap = prop_oneof![2 => Just(Duration::ZERO), 1 => length(), 1 => length().prop_map(|gap| gap * 100)];
    let fires = option::weighted(0.5, (0..=6_u32, length()).prop_map(|(times, length)| length * times));
    let turn = (gap, script(), fires, layers()).prop_map(|(gap, mut script, fires, layers)| {
        for attempt in &mut script {
            attempt.cancelled = false;
        }
        Turn { gap, script, fires, layers }
    });
    vec(turn, 1..6)
}

/// A budget that is often empty, and what it must hold.
pub(crate) fn bucket() -> impl Strategy<Value = Bucket> {
    let start = prop_oneof![3 => (0..=6_u32).prop_map(|tokens| tokens * 1_000), 1 => 0..=12_000_u32];
    let ratio = prop_oneof![1 => Just(0), 2 => Just(100), 2 => Just(500), 1 => 0..=2_500_u32];
    let per_second = prop_oneof![2 => Just(0), 1 => Just(1_000), 1 => Just(10_000), 1 => 0..=4_000_u32];
    let capacity = prop_oneof![2 => Just(100_000), 2 => (1..=5_u32).prop_map(|tokens| tokens * 1_000), 1 => 0..=7_000_u32];
    (start, ratio, per_second, capacity)
        .prop_map(|(start, ratio, per_second, capacity)| Bucket::new(start, ratio, per_second, capacity))
}

pub(crate) fn budget(bucket: &Bucket) -> Budget {
    let tokens = |thousandths| f64::from(thousandths) / 1_000.0;
    Budget::new()
        .starting_with(tokens(bucket.start))
        .ratio(tokens(bucket.ratio))
        .per_second(tokens(bucket.per_second))
        .capacity(tokens(bucket.capacity))
}
