//! `Policy`: what builder and setters refuse, deadlines given at run time, keys beside a policy, `max = 0`.

mod support;

use std::panic::{UnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use retry_runtime::StopReason::{Deadline, MaxRetries, Off};
use retry_runtime::testing::VirtualTime;
use retry_runtime::{
    Failure, Policy, PolicyBuilder, RetryAfterMode, Run, Step, Strategy as Named, always, retry,
};
use support::{block_on, ms, secs};

type Busy = Result<(), &'static str>;

const HOUR: Duration = secs(3_600);
/// Waits of 200, 400, 800, 1,600 and 3,200 ms.
const PLAIN: Policy = Policy::new().strategy(Named::None);
const SHORTEST: Policy = PLAIN.within(Duration::ZERO);
const NAMED: [Named; 6] =
    [Named::None, Named::Full, Named::Equal, Named::Decorrelated, Named::PlusMinus, Named::Smooth];

#[retry(policy = policy, on = always)]
fn busy(policy: Policy) -> Busy {
    Err("busy")
}

#[retry(policy = policy, on = always)]
async fn busy_later(policy: Policy) -> Busy {
    std::future::ready(Err("busy")).await
}

fn run(policy: Policy) -> Vec<Step> {
    let (mut run, mut elapsed, mut steps) = (Run::start(policy), Duration::ZERO, Vec::new());
    loop {
        let step = run.failed(Failure::new().elapsed(elapsed));
        steps.push(step);
        match step {
            Step::Wait(delay) => elapsed += delay,
            Step::GiveUp(_) => return steps,
        }
    }
}

fn steps_of(call: impl FnOnce() -> Busy) -> Vec<Step> {
    let time = VirtualTime::seeded(1);
    assert_eq!(call(), Err("busy"));
    time.steps()
}

/// What a call does that always fails; the same by attribute, blocking and async, and by hand.
fn steps(policy: Policy) -> Vec<Step> {
    let steps = steps_of(|| busy(policy));
    assert_eq!(steps_of(|| block_on(busy_later(policy))), steps, "async");
    retry_runtime::testing::seed(1);
    assert_eq!(run(policy), steps, "by hand");
    steps
}

fn waits(millis: &[u64], reason: retry_runtime::StopReason) -> Vec<Step> {
    let waits = millis.iter().map(|millis| Step::Wait(ms(*millis)));
    waits.chain([Step::GiveUp(reason)]).collect()
}

// What is refused.

fn lengths() -> impl Strategy<Value = Duration> {
    prop_oneof![
        1 => Just(Duration::ZERO),
        1 => Just(Duration::from_nanos(1)),
        1 => Just(Duration::MAX),
        4 => (0..u64::MAX).prop_map(Duration::from_nanos),
        2 => (0..4_u64).prop_map(secs),
    ]
}

fn factors() -> impl Strategy<Value = f64> {
    const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
    const ODD: [f64; 9] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -2.0, 0.0, BELOW_ONE, 1.0, 1.5];
    prop_oneof![prop::sample::select(&ODD[..]), any::<f64>(), 1.0..10.0_f64]
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 2_000, ..ProptestConfig::default()
    })]

    #[test]
    fn the_builder_names_every_setting_that_cannot_be(
        base in lengths(), cap in lengths(), factor in factors(), max in option::of(0..3_u32),
        deadline in option::of(lengths()), reset_after in option::of(lengths()), longest in lengths(),
        strategy in prop::sample::select(&NAMED[..]),
    ) {
        let mut builder = Policy::builder().strategy(strategy).base(base).cap(cap).factor(factor);
        builder = max.map_or(builder.unlimited(), |max| builder.max(max));
        builder = deadline.map_or(builder, |deadline| builder.deadline(deadline));
        builder = reset_after.map_or(builder, |reset_after| builder.reset_after(reset_after));
        builder = builder.retry_after_max(longest).retry_after_mode(RetryAfterMode::Replace);
        let wrong = [
            (base.is_zero(), "`base` must be above zero"),
            (cap.is_zero(), "`cap` must be above zero"),
            // Of a cap of zero nothing more need be said.
            (base > cap && !cap.is_zero(), "`base` is above `cap`"),
            (!factor.is_finite() || factor < 1.0, "`factor` must be a finite number of at least 1"),
            (deadline == Some(Duration::ZERO), "`deadline` must be above zero"),
            (reset_after == Some(Duration::ZERO), "`reset_after` must be above zero"),
        ];
        let wrong: Vec<_> = wrong.iter().filter(|(wrong, _)| *wrong).map(|(_, sentence)| *sentence).collect();
        match builder.build() {
            Ok(policy) => {
                prop_assert_eq!(wrong, Vec::<&str>::new());
                prop_assert_eq!(policy.get_max(), max);
            }
            Err(refused) => {
                let told: Vec<_> = refused.sentences().collect();
                let related = |told: &&&str| !cap.is_zero() || !told.starts_with("`base` is above `cap`");
                let kept: Vec<_> = told.iter().filter(related).collect();
                prop_assert_eq!(kept.len(), wrong.len(), "{:?} for {:?}", told, wrong);
                prop_assert!(kept.iter().zip(&wrong).all(|(told, wrong)| told.starts_with(wrong)), "{:?}", told);
                prop_assert_eq!(refused.to_string(), told.join("; "));
                prop_assert_eq!(format!("{refused:?}"), format!("{told:?}"));
            }
        }
    }
}

fn message(set: impl FnOnce() -> Policy + UnwindSafe) -> String {
    let panic = catch_unwind(set).expect_err("accepted");
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref().cloned()).expect("a sentence")
}

#[test]
fn setters_panic_with_the_sentences_of_the_builder() {
    type Setter<P> = fn(P) -> P;
    let refused: [(Setter<Policy>, Setter<PolicyBuilder>); 10] = [
        (|policy| policy.base(Duration::ZERO), |builder| builder.base(Duration::ZERO)),
        (|policy| policy.base(secs(11)), |builder| builder.base(secs(11))),
        (|policy| policy.cap(ms(199)), |builder| builder.cap(ms(199))),
        (|policy| policy.factor(0.99), |builder| builder.factor(0.99)),
        (|policy| policy.factor(-2.0), |builder| builder.factor(-2.0)),
        (|policy| policy.factor(f64::NAN), |builder| builder.factor(f64::NAN)),
        (|policy| policy.factor(f64::INFINITY), |builder| builder.factor(f64::INFINITY)),
        (|policy| policy.deadline(Duration::ZERO), |builder| builder.deadline(Duration::ZERO)),
        (|policy| policy.reset_after(Duration::ZERO), |builder| builder.reset_after(Duration::ZERO)),
        (|policy| policy.cap(secs(20)).base(secs(21)), |builder| builder.cap(secs(20)).base(secs(21))),
    ];
    for (nth, (setter, built)) in refused.into_iter().enumerate() {
        let sentence = built(Policy::builder()).build().expect_err("accepted").to_string();
        assert_eq!(message(move || setter(Policy::new())), sentence, "number {nth}");
    }
    assert!(message(|| Policy::new().cap(Duration::ZERO)).starts_with("`cap` must be above zero"));
    assert!(message(|| Policy::new().max(0)).starts_with("`max` must be at least 1"));
}

#[test]
fn setters_check_nothing_but_what_they_set() {
    let off = Policy::builder().max(0).build().unwrap().within(Duration::ZERO);
    let set =
        off.base(ms(1)).cap(ms(1)).factor(1.0).reset_after(ms(1)).unlimited().retry_after_max(Duration::ZERO);
    assert_eq!(set.get_max(), None);
}

#[test]
fn setters_and_builder_make_the_same_policy() {
    // By setters it can be a constant.
    const SET: Policy = Policy::new()
        .strategy(Named::Equal)
        .cap(secs(40))
        .base(secs(20))
        .factor(1.5)
        .max(7)
        .deadline(HOUR)
        .reset_after(secs(3))
        .retry_after_mode(RetryAfterMode::Ceiling)
        .retry_after_max(secs(4));
    let built = Policy::builder()
        .strategy(Named::Equal)
        .base(secs(20))
        .cap(secs(40))
        .factor(1.5)
        .max(7)
        .deadline(HOUR)
        .reset_after(secs(3))
        .retry_after_mode(RetryAfterMode::Ceiling)
        .retry_after_max(secs(4));
    assert_eq!(format!("{SET:?}"), format!("{:?}", built.build().unwrap()));
    let defaults = [Policy::new(), Policy::default(), Policy::builder().build().unwrap()];
    assert!(defaults.iter().all(|policy| format!("{policy:?}") == format!("{:?}", Policy::new())));
    assert_eq!((Policy::new().get_max(), SET.get_max(), SET.unlimited().get_max()), (Some(5), Some(7), None));
}

// Deadlines given at run time.

#[test]
fn within_shortens_the_deadline() {
    const SHORT: Policy = PLAIN.within(ms(500));
    assert_eq!(steps(SHORT), waits(&[200], Deadline));
    // Reached is passed.
    assert_eq!(steps(PLAIN.within(ms(600))), waits(&[200], Deadline));
    assert_eq!(steps(PLAIN.within(ms(601))), waits(&[200, 400], Deadline));
    assert_eq!(steps(PLAIN.deadline(HOUR).within(ms(601))), waits(&[200, 400], Deadline));
    assert_eq!(steps(PLAIN.within(ms(601)).within(ms(201))), waits(&[200], Deadline));
    assert_eq!(steps(PLAIN.within(HOUR)), steps(PLAIN));
}

#[test]
fn within_never_lengthens_it() {
    assert_eq!(steps(PLAIN.deadline(ms(601)).within(HOUR)), waits(&[200, 400], Deadline));
    assert_eq!(steps(SHORTEST.within(HOUR)), waits(&[], Deadline));
}

#[test]
fn within_nothing_there_is_one_attempt() {
    assert_eq!(steps(SHORTEST), waits(&[], Deadline));
    assert_eq!(steps(PLAIN.deadline(HOUR).within(Duration::ZERO)), waits(&[], Deadline));
}

#[test]
fn until_a_time_that_has_passed_there_is_one_attempt() {
    let passed = Instant::now();
    assert_eq!(steps(PLAIN.until(passed)), waits(&[], Deadline));
    assert_eq!(steps(Policy::new().unlimited().until(passed)), waits(&[], Deadline));
    assert_eq!(steps(PLAIN.deadline(HOUR).until(passed).within(HOUR)), waits(&[], Deadline));
}

#[test]
fn until_a_far_time_nothing_changes() {
    let far = Instant::now() + HOUR;
    for strategy in NAMED {
        let policy = Policy::new().strategy(strategy);
        assert_eq!(steps(policy.until(far)), steps(policy), "{strategy:?}");
        assert_eq!(
            steps(policy.deadline(ms(700)).until(far)),
            steps(policy.deadline(ms(700))),
            "{strategy:?}"
        );
    }
    assert_eq!(steps(PLAIN.until(far)), waits(&[200, 400, 800, 1_600, 3_200], MaxRetries));
}

#[test]
fn until_is_a_length_from_the_start_of_the_call() {
    let policy = PLAIN.cap(HOUR).base(secs(600)).until(Instant::now() + secs(1_000));
    assert_eq!(steps(policy), waits(&[600_000], Deadline));
}

#[test]
fn the_earlier_of_two_times_holds() {
    let (passed, far) = (Instant::now(), Instant::now() + HOUR);
    assert_eq!(steps(PLAIN.until(passed).until(far)), waits(&[], Deadline));
    assert_eq!(steps(PLAIN.until(far).until(passed)), waits(&[], Deadline));
    assert_eq!(steps(PLAIN.until(far).within(ms(201))), waits(&[200], Deadline));
}

// Keys beside a policy.

#[retry(policy = policy, on = always, base_ms = 1_000)]
fn base_of_a_second(policy: Policy) -> Busy {
    Err("busy")
}

#[retry(policy = policy, on = always, cap_ms = 150)]
async fn cap_of_150_ms(policy: &Policy) -> Busy {
    Err("busy")
}

#[retry(policy = policy, on = always, strategy = "none", factor = 3, max = 2)]
fn three_attempts(policy: &Policy) -> Busy {
    Err("busy")
}

#[retry(policy = policy, on = always, max = unlimited, deadline_ms = 601)]
async fn within_601_ms(policy: Policy) -> Busy {
    Err("busy")
}

#[test]
fn keys_override_the_policy() {
    assert_eq!(steps_of(|| base_of_a_second(PLAIN.max(2))), waits(&[1_000, 2_000], MaxRetries));
    for policy in [Policy::new(), Policy::new().max(9), Policy::new().max(1), PLAIN.unlimited().factor(5.0)] {
        assert_eq!(steps_of(|| three_attempts(&policy)), waits(&[200, 600], MaxRetries));
    }
    for policy in [PLAIN.max(1), PLAIN.deadline(HOUR)] {
        assert_eq!(steps_of(|| block_on(within_601_ms(policy))), waits(&[200, 400], Deadline));
    }
}

#[test]
fn of_two_windows_that_contradict_each_other_the_smaller_holds() {
    let small = Policy::builder().strategy(Named::None).cap(ms(300)).max(2).build().unwrap();
    assert_eq!(steps_of(|| base_of_a_second(small)), waits(&[300, 300], MaxRetries));
    assert_eq!(steps_of(|| block_on(cap_of_150_ms(&PLAIN.max(2)))), waits(&[150, 150], MaxRetries));
    for strategy in NAMED {
        let short = |limit: Duration, steps: Vec<Step>| {
            let waits = steps
                .iter()
                .filter_map(|step| if let Step::Wait(delay) = step { Some(*delay) } else { None });
            assert!(waits.clone().count() == 40 && waits.max() <= Some(limit), "{strategy:?}: {steps:?}");
        };
        let many = small.strategy(strategy).max(40);
        short(ms(300), steps_of(|| base_of_a_second(many)));
        short(ms(150), steps_of(|| block_on(cap_of_150_ms(&many))));
    }
}

#[test]
fn until_holds_also_beside_a_deadline() {
    let passed = Instant::now();
    assert_eq!(steps_of(|| block_on(within_601_ms(PLAIN.until(passed)))), waits(&[], Deadline));
    let far = passed + HOUR;
    assert_eq!(steps_of(|| block_on(within_601_ms(PLAIN.until(far)))), waits(&[200, 400], Deadline));
}

#[test]
fn within_holds_also_beside_a_deadline() {
    assert_eq!(steps_of(|| block_on(within_601_ms(PLAIN.within(HOUR)))), waits(&[200, 400], Deadline));
    assert_eq!(steps_of(|| block_on(within_601_ms(PLAIN.within(ms(201))))), waits(&[200], Deadline));
    assert_eq!(steps_of(|| block_on(within_601_ms(SHORTEST))), waits(&[], Deadline));
}

// `max = 0`.

#[test]
fn at_run_time_no_retries_is_a_number_of_retries() {
    let none = Policy::builder().max(0).build().unwrap();
    assert_eq!(none.get_max(), Some(0));
    assert_eq!(steps(none), waits(&[], Off));
    // The first reason that applies, and not that the deadline has passed too.
    assert_eq!(steps(none.within(Duration::ZERO)), waits(&[], Off));
    let hinted = Failure::new().retry_after(Some(HOUR)).cancelled(true);
    assert_eq!(Run::start(none).failed(hinted), Step::GiveUp(Off));
    // A key beside it holds.
    assert_eq!(steps_of(|| three_attempts(&none)), waits(&[200, 600], MaxRetries));
}

#[test]
fn without_retries_the_outcome_is_untouched() {
    #[retry(policy = policy, when = Option::is_none, on_give_up = |event| reasons.push(event.reason()))]
    fn find(policy: Policy, reasons: &mut Vec<retry_runtime::StopReason>, found: Option<u32>) -> Option<u32> {
        found
    }

    let none = Policy::builder().max(0).build().unwrap();
    let mut reasons = Vec::new();
    assert_eq!(find(none, &mut reasons, Some(7)), Some(7));
    assert_eq!(find(none, &mut reasons, None), None);
    assert_eq!(reasons, [Off]);
}
