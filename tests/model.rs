//! Calls against the model: the same settings and the same attempts, by attribute and by hand, must go as it says.

#[path = "support/cases.rs"]
mod cases;
#[path = "support/fair.rs"]
mod fair;
#[path = "support/layers.rs"]
mod layers;
#[path = "support/model.rs"]
mod model;
#[path = "support/stage.rs"]
mod stage;
#[path = "support/story.rs"]
mod story;
mod support;

#[path = "model/cut.rs"]
mod cut;
#[path = "model/limits.rs"]
mod limits;

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cases::{policy, script, settings};
use fair::Chances;
use layers::{Layers, layers};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};
use retry_runtime::{Draw, Failure, Policy, RetryAfterMode, Run, Step, Strategy as Named, retry, testing};
use stage::{Fault, Seen, Stage, hint_of, is_soft};
use story::{Attempt, DEFAULTS, Ends, Settings, Story};
use support::{block_on, ms, secs};

const NANO: Duration = Duration::from_nanos(1);

type Outcome = Result<Story, TestCaseError>;

/// The switch that scripts turn is one for the whole process: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static SWITCH: Mutex<()> = Mutex::new(());
    SWITCH.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check<S: Strategy>(cases: u32, drawn: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let _alone = alone();
    let rng_seed = RngSeed::Fixed(1);
    let config = ProptestConfig { rng_seed, failure_persistence: None, cases, ..ProptestConfig::default() };
    TestRunner::new(config).run(drawn, test).unwrap_or_else(|failure| panic!("{failure}"));
}

/// An attribute knows no token here: `cancel` is a key of its own.
fn uncancelled() -> impl Strategy<Value = Vec<Attempt>> {
    script().prop_map(|mut script| {
        for attempt in &mut script {
            attempt.cancelled = false;
        }
        script
    })
}

/// Everything happened that the model tells, in this order.
fn watched_as_told(settings: &Settings, layers: &Layers, script: &[Attempt], seen: &Seen) -> Outcome {
    let told = model::call_in(layers.around(), settings, script, &seen.steps).settle(&seen.events);
    prop_assert_eq!(&seen.events, &told.events);
    prop_assert_eq!(&seen.steps, &told.steps());
    prop_assert_eq!(&seen.waits, &told.waits);
    Ok(told)
}

/// The same, as far as it can be seen from inside the body and outside the call.
fn bare_as_told(settings: &Settings, layers: &Layers, script: &[Attempt], seen: &Seen) -> Outcome {
    let told = model::call_in(layers.around(), settings, script, &seen.steps);
    prop_assert_eq!(&seen.events, &told.outline());
    prop_assert_eq!(&seen.steps, &told.steps());
    Ok(told)
}

/// A blocking and an async function with the same settings, everything watched.
macro_rules! watched {
    ($blocking:ident, $later:ident, [$($settings:tt)*]) => {
        #[retry(
            $($settings)*
            policy = policy,
            on = |fault| stage.asked(fault, now),
            retry_after = hint_of,
            attempt = now,
            on_retry = |event| stage.retrying(event),
            on_give_up = |event| stage.gave_up(event),
        )]
        fn $blocking(policy: &Policy, stage: &Stage<'_>) -> Result<u32, Fault> {
            stage.begin(Some(now))
        }

        #[retry(
            $($settings)*
            policy = policy,
            on = |fault| stage.asked(fault, now),
            retry_after = hint_of,
            attempt = now,
            on_retry = |event| stage.retrying(event),
            on_give_up = |event| stage.gave_up(event),
        )]
        async fn $later(policy: &Policy, stage: &Stage<'_>) -> Result<u32, Fault> {
            stage.begin_later(Some(now)).await
        }
    };
}

watched!(watched, watched_later, []);
watched!(overridden, overridden_later, [base_ms = 300, factor = 3, max = 4,]);

#[test]
fn with_a_policy() {
    let chances = RefCell::new(Chances::default());
    check(2_000, &(settings(), uncancelled(), any::<[u64; 6]>()), |(settings, script, seeds)| {
        let policy = policy(&settings);
        for seed in seeds {
            let seen = Stage::play(seed, &script, |stage| watched(&policy, stage));
            chances.borrow_mut().add(&settings, &watched_as_told(&settings, &Layers::NONE, &script, &seen)?);

            let seen = Stage::play(!seed, &script, |stage| {
                let call = watched_later(&policy, stage);
                // The deadline is measured from the first poll.
                stage.later();
                block_on(call)
            });
            chances.borrow_mut().add(&settings, &watched_as_told(&settings, &Layers::NONE, &script, &seen)?);
        }
        Ok(())
    });
    chances.borrow().assert_fair();
}

#[test]
fn with_keys_beside_the_policy() {
    check(600, &(settings(), uncancelled(), any::<u64>()), |(settings, script, seed)| {
        let policy = policy(&settings);
        let settings = Settings { base: ms(300), eighths: 3 * 8, max: Some(4), ..settings };
        let seen = Stage::play(seed, &script, |stage| overridden(&policy, stage));
        watched_as_told(&settings, &Layers::NONE, &script, &seen)?;
        let seen = Stage::play(!seed, &script, |stage| block_on(overridden_later(&policy, stage)));
        watched_as_told(&settings, &Layers::NONE, &script, &seen)?;
        Ok(())
    });
}

#[test]
fn with_the_deadline_given_at_run_time() {
    check(
        1_000,
        &(settings(), uncancelled(), any::<u64>(), cases::length()),
        |(settings, script, seed, limit)| {
            // The nearest deadline counts.
            let nearest = settings.deadline.map_or(limit, |deadline| deadline.min(limit));
            let policy = policy(&settings).within(limit);
            let seen = Stage::play(seed, &script, |stage| watched(&policy, stage));
            watched_as_told(
                &Settings { deadline: Some(nearest), ..settings },
                &Layers::NONE,
                &script,
                &seen,
            )?;
            Ok(())
        },
    );
}

#[test]
fn by_hand() {
    let chances = RefCell::new(Chances::default());
    check(2_000, &(settings(), script(), any::<[u64; 12]>()), |(settings, script, seeds)| {
        for seed in seeds {
            let seen = Stage::play(seed, &script, |stage| stage.by_hand(policy(&settings)));
            let drawn: Vec<_> = seen.waits.iter().copied().map(Step::Wait).collect();
            let told = model::call(&settings, &script, &drawn).by_hand().settle(&seen.events);
            prop_assert_eq!(&seen.events, &told.events);
            chances.borrow_mut().add(&settings, &told);
        }
        Ok(())
    });
    chances.borrow().assert_fair();
}

const ENDS: [Duration; 5] = [Duration::ZERO, NANO, secs(1), Duration::new(u64::MAX / 2, 0), Duration::MAX];

#[test]
fn at_the_ends_of_the_types() {
    let lengths = || prop::sample::select(&ENDS[..]);
    let windows = (lengths(), lengths(), prop::sample::select(&[8_u32, 16, 24][..]));
    let limits = (prop::option::of(lengths()), prop::option::of(lengths()), lengths());
    let all = (settings(), windows, limits, (lengths(), prop::option::of(lengths()), any::<u64>()));
    check(1_500, &all, |(settings, (one, other, eighths), limits, (takes, hint, seed))| {
        let base = one.min(other).max(NANO);
        let settings = Settings {
            base,
            cap: one.max(other).max(base),
            eighths,
            deadline: limits.0.map(|deadline| deadline.max(NANO)),
            reset_after: limits.1.map(|reset_after| reset_after.max(NANO)),
            retry_after_max: limits.2,
            ..settings
        };
        testing::seed(seed);
        let failure = Failure::new().elapsed(takes).took(takes).retry_after(hint);
        let step = Run::start(policy(&settings)).failed(failure);
        let attempt = |takes, ends| Attempt { takes, ends, enabled: true, cancelled: false };
        let script = [attempt(takes, Ends::Soft { hint }), attempt(Duration::ZERO, Ends::Ok)];
        prop_assert_eq!(vec![step], model::call(&settings, &script, &[step]).steps());
        Ok(())
    });
}

#[test]
fn a_backoff_is_drawn_only_where_the_mode_uses_it() {
    fn seven(draw: &Draw) -> Duration {
        let expected = if draw.retry() == 1 { ms(200) } else { ms(7) };
        assert_eq!(draw.previous(), expected);
        ms(7)
    }
    fn never(_: &Draw) -> Duration {
        panic!("drawn beside a hint")
    }

    let hinted = Failure::new().retry_after(Some(ms(5)));
    for mode in [RetryAfterMode::Floor, RetryAfterMode::Replace] {
        let policy = Policy::new().retry_after_mode(mode);
        let Step::Wait(_) = Run::start(policy.strategy(Named::Custom(never))).failed(hinted) else {
            panic!("gave up")
        };
        // `previous` is what was drawn, whatever hints came between.
        let mut run = Run::start(policy.strategy(Named::Custom(seven)));
        for failure in [Failure::new(), hinted, Failure::new(), hinted, Failure::new()] {
            assert!(matches!(run.failed(failure), Step::Wait(_)));
        }
    }
    let mut run =
        Run::start(Policy::new().retry_after_mode(RetryAfterMode::Ceiling).strategy(Named::Custom(seven)));
    assert_eq!([(); 5].map(|()| run.failed(hinted)), [Step::Wait(ms(5)); 5]);
}

/// Functions whose settings are compiled in, alone and watched, against the model under the same settings.
macro_rules! compiled_in {
    ($($name:ident: [$($key:tt)*], $settings:expr;)*) => {$(
        #[test]
        fn $name() {
            #[retry($($key)* on = is_soft, retry_after = hint_of)]
            fn bare(stage: &Stage<'_>) -> Result<u32, Fault> {
                stage.begin(None)
            }

            #[retry($($key)* on = is_soft, retry_after = hint_of)]
            async fn bare_later(stage: &Stage<'_>) -> Result<u32, Fault> {
                stage.begin_later(None).await
            }

            #[retry(
                $($key)*
                on = |fault| stage.asked(fault, now),
                retry_after = hint_of,
                attempt = now,
                on_retry = |event| stage.retrying(event),
                on_give_up = |event| stage.gave_up(event),
            )]
            fn watched(stage: &Stage<'_>) -> Result<u32, Fault> {
                stage.begin(Some(now))
            }

            #[retry($($key)* on = is_soft, retry_after = hint_of, attempt = now)]
            async fn half_watched(stage: &Stage<'_>) -> Result<u32, Fault> {
                stage.begin_later(Some(now)).await
            }

            let settings: Settings = $settings;
            check(200, &(uncancelled(), layers(), any::<u64>()), |(script, layers, seed)| {
                let seen = Stage::play(seed, &script, |stage| layers.within(|| bare(stage)));
                bare_as_told(&settings, &layers, &script, &seen)?;
                let seen =
                    Stage::play(seed, &script, |stage| block_on(layers.within_later(bare_later(stage))));
                bare_as_told(&settings, &layers, &script, &seen)?;
                let seen = Stage::play(seed, &script, |stage| layers.within(|| watched(stage)));
                watched_as_told(&settings, &layers, &script, &seen)?;
                let seen =
                    Stage::play(seed, &script, |stage| block_on(layers.within_later(half_watched(stage))));
                let told = model::call_in(layers.around(), &settings, &script, &seen.steps);
                prop_assert_eq!(&seen.events, &told.inside());
                prop_assert_eq!(&seen.steps, &told.steps());
                Ok(())
            });
        }
    )*};
}

compiled_in! {
    the_defaults: [], DEFAULTS;
    plain: [strategy = "none", base_ms = 100, cap_ms = 1_000, max = 3,],
        Settings { strategy: Named::None, base: ms(100), cap: ms(1_000), max: Some(3), ..DEFAULTS };
    one_retry: [strategy = "equal", base_ms = 100, factor = 1, max = 1,],
        Settings { strategy: Named::Equal, base: ms(100), eighths: 8, max: Some(1), ..DEFAULTS };
    a_deadline: [strategy = "none", base_ms = 100, factor = 1.5, max = unlimited, deadline_ms = 1_000,],
        Settings { strategy: Named::None, base: ms(100), eighths: 12, max: None, deadline: Some(secs(1)), ..DEFAULTS };
    anew: [strategy = "none", base = "150ms", max = 2, reset_after_ms = 600,],
        Settings { strategy: Named::None, base: ms(150), max: Some(2), reset_after: Some(ms(600)), ..DEFAULTS };
    with_memory: [strategy = "decorrelated", cap_ms = 900, retry_after_mode = "ceiling", deadline = "6s",],
        Settings {
            strategy: Named::Decorrelated,
            cap: ms(900),
            mode: RetryAfterMode::Ceiling,
            deadline: Some(secs(6)),
            ..DEFAULTS
        };
    replaced: [
        strategy = "plus_minus", base_ms = 100, cap_ms = 350, factor = 3,
        retry_after_mode = "replace", retry_after_max_ms = 700,
    ],
        Settings {
            strategy: Named::PlusMinus,
            base: ms(100),
            cap: ms(350),
            eighths: 3 * 8,
            mode: RetryAfterMode::Replace,
            retry_after_max: ms(700),
            ..DEFAULTS
        };
    smooth: [strategy = "smooth", base_ms = 100, cap_ms = 2_000, max = 9, retry_after_max_ms = 1_000,],
        Settings {
            strategy: Named::Smooth,
            base: ms(100),
            cap: secs(2),
            max: Some(9),
            retry_after_max: secs(1),
            ..DEFAULTS
        };
}
