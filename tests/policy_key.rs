//! `policy`: settings made elsewhere, and the keys beside it. And `Policy` itself: what it refuses.

use std::cell::Cell;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Draw, Policy, RetryAfterMode, StopReason, Strategy, always, retry};

mod support;
use support::{Log, block_on, ms, secs};

const STEADY: Policy = Policy::new().strategy(Strategy::None).base(ms(10)).factor(1.0).max(3);

fn waits(call: impl FnOnce()) -> Vec<Duration> {
    let time = VirtualTime::start();
    call();
    time.waits()
}

#[test]
fn a_constant_policy_is_followed_by_value_and_by_reference() {
    #[retry(policy = STEADY, on = always)]
    fn value() -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = &STEADY, on = always)]
    async fn reference() -> Result<(), ()> {
        Err(())
    }

    assert_eq!(waits(|| assert!(value().is_err())), [ms(10); 3]);
    assert_eq!(waits(|| assert!(block_on(reference()).is_err())), [ms(10); 3]);
}

struct Client {
    policy: Policy,
    shared: Arc<Policy>,
}

impl Client {
    fn new(policy: Policy) -> Self {
        Self { policy, shared: Arc::new(policy) }
    }

    fn patient(&self, factor: u32) -> Policy {
        self.policy.max(factor)
    }

    #[retry(policy = self.policy, on = always)]
    fn field(&self) -> Result<(), ()> {
        Err(())
    }

    #[retry(policy = &self.policy, on = always)]
    async fn lent(&mut self) -> Result<(), ()> {
        Err(())
    }

    #[retry(policy = &*self.shared, on = always)]
    fn behind_a_pointer(&self) -> Result<(), ()> {
        Err(())
    }

    #[retry(policy = self.patient(retries), on = always)]
    async fn made(&self, retries: u32) -> Result<(), ()> {
        Err(())
    }
}

#[test]
fn it_is_an_expression_that_sees_self_and_the_parameters() {
    let mut client = Client::new(STEADY);
    assert_eq!(waits(|| assert!(client.field().is_err())), [ms(10); 3]);
    assert_eq!(waits(|| assert!(block_on(client.lent()).is_err())), [ms(10); 3]);
    assert_eq!(waits(|| assert!(client.behind_a_pointer().is_err())), [ms(10); 3]);
    assert_eq!(waits(|| assert!(block_on(client.made(7)).is_err())), [ms(10); 7]);
}

#[test]
fn keys_beside_it_override_it() {
    #[retry(policy = policy, max = 2, on = always)]
    fn fewer(policy: Policy) -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = policy, factor = 3, base_ms = 20, on = always)]
    fn steeper(policy: Policy) -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = policy, cap_ms = 40, on = always)]
    fn flatter(policy: Policy) -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = policy, strategy = "none", on = always)]
    fn unjittered(policy: Policy) -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = policy, max = unlimited, deadline_ms = 55, on = always)]
    fn endless(policy: Policy) -> Result<(), ()> {
        Err(())
    }

    let call = |call: fn(Policy) -> Result<(), ()>, policy| waits(|| assert!(call(policy).is_err()));
    assert_eq!(call(fewer, STEADY), [ms(10); 2]);
    assert_eq!(call(steeper, STEADY), [ms(20), ms(60), ms(180)]);
    assert_eq!(call(flatter, STEADY.factor(4.0)), [ms(10), ms(40), ms(40)]);
    assert_eq!(call(unjittered, STEADY.strategy(Strategy::Full)), [ms(10); 3]);
    assert_eq!(call(endless, STEADY), [ms(10); 5]);
}

#[test]
fn keys_about_hints_override_it_too() {
    #[retry(policy = policy, retry_after_max_ms = 500, on = always, retry_after = |hint| Some(*hint))]
    fn shorter(policy: Policy, hint: Duration) -> Result<(), Duration> {
        Err(hint)
    }
    #[retry(policy = policy, retry_after_mode = "ceiling", on = always, retry_after = |hint| Some(*hint))]
    fn ceiling(policy: Policy, hint: Duration) -> Result<(), Duration> {
        Err(hint)
    }
    #[retry(policy = policy, on = always, retry_after = |hint| Some(*hint))]
    fn as_it_is(policy: Policy, hint: Duration) -> Result<(), Duration> {
        Err(hint)
    }

    let policy = STEADY.retry_after_mode(RetryAfterMode::Replace).retry_after_max(secs(90));
    assert_eq!(waits(|| assert!(as_it_is(policy, secs(90)).is_err())), [secs(90); 3]);
    assert_eq!(waits(|| assert!(as_it_is(policy, secs(91)).is_err())), []);
    assert_eq!(waits(|| assert!(shorter(policy, ms(501)).is_err())), []);
    assert_eq!(waits(|| assert!(shorter(policy, ms(500)).is_err())), [ms(500); 3]);
    assert_eq!(waits(|| assert!(ceiling(policy, secs(90)).is_err())), [ms(10); 3]);
}

#[test]
fn a_contradiction_is_settled_by_the_smaller_limit() {
    #[retry(policy = policy, base_ms = 500, on = always)]
    fn base(policy: Policy) -> Result<(), ()> {
        Err(())
    }
    #[retry(policy = policy, cap_ms = 50, on = always)]
    fn cap(policy: Policy) -> Result<(), ()> {
        Err(())
    }

    assert_eq!(
        waits(|| assert!(base(STEADY.cap(ms(100))).is_err())),
        [ms(100); 3],
        "a base above the policy's cap"
    );
    assert_eq!(
        waits(|| assert!(cap(STEADY.base(ms(200))).is_err())),
        [ms(50); 3],
        "a cap below the policy's base"
    );
}

#[test]
fn a_strategy_of_ones_own_sees_the_settled_base() {
    fn half_the_base(draw: &Draw) -> Duration {
        draw.base() / 2
    }
    #[retry(policy = policy, strategy = half_the_base, base_ms = 500, on = always)]
    fn load(policy: Policy) -> Result<(), ()> {
        Err(())
    }

    assert_eq!(waits(|| assert!(load(STEADY.cap(ms(100))).is_err())), [ms(50); 3]);
}

#[test]
fn it_is_read_once_per_call_and_copied() {
    #[retry(policy = { log.add("policy"); policy.get() }, on = always)]
    fn load(policy: &Cell<Policy>, log: &Log) -> Result<(), ()> {
        log.add("attempt");
        policy.set(policy.get().max(9));
        Err(())
    }

    let log = Log::new();
    let policy = Cell::new(STEADY.max(1));
    waits(|| assert!(load(&policy, &log).is_err()));
    assert_eq!(log.take(), ["policy", "attempt", "attempt"]);
    waits(|| assert!(load(&policy, &log).is_err()));
    assert_eq!(log.count(), 11, "the next call sees what was set");
}

struct Service {
    config: Mutex<Policy>,
    shared: RwLock<Policy>,
}

impl Service {
    #[retry(policy = *self.config.lock().unwrap(), on = always)]
    fn locked(&self) -> Result<(), u32> {
        let mut config = self.config.try_lock().expect("the guard of the expression is gone");
        *config = config.max(9);
        Err(7)
    }

    #[retry(policy = *self.config.lock().unwrap(), on = always)]
    async fn locked_later(&self) -> Result<(), u32> {
        let config = self.config.try_lock().map_err(|_| 0_u32)?;
        drop(config);
        std::future::ready(Err(7)).await
    }

    #[retry(policy = &*self.shared.read().unwrap(), on = always)]
    async fn read_later(&self) -> Result<(), u32> {
        *self.shared.try_write().map_err(|_| 0_u32)? = STEADY;
        std::future::ready(Err(7)).await
    }
}

#[test]
fn temporaries_of_the_expression_end_before_the_first_attempt() {
    let service = Service { config: Mutex::new(STEADY), shared: RwLock::new(STEADY) };
    assert_eq!(waits(|| assert_eq!(service.locked(), Err(7))), [ms(10); 3]);
    *service.config.lock().unwrap() = STEADY;
    assert_eq!(waits(|| assert_eq!(block_on(service.locked_later()), Err(7))), [ms(10); 3]);
    assert_eq!(waits(|| assert_eq!(block_on(service.read_later()), Err(7))), [ms(10); 3]);
}

#[test]
fn a_guard_in_the_expression_leaves_the_future_send() {
    fn check(_: &impl Send) {}
    let service = Service { config: Mutex::new(STEADY), shared: RwLock::new(STEADY) };
    check(&service.locked_later());
    check(&service.read_later());
}

#[retry(policy = policy, on = always, on_give_up = |event| *reason = Some(event.reason()))]
fn load(policy: Policy, reason: &mut Option<StopReason>) -> Result<(), ()> {
    Err(())
}

/// How often a call under this policy waits, and why it gives up.
fn outcome(policy: Policy) -> (usize, StopReason) {
    let mut reason = None;
    let waits = waits(|| assert!(load(policy, &mut reason).is_err()));
    (waits.len(), reason.expect("it gave up"))
}

#[test]
fn at_run_time_no_retries_are_a_single_attempt() {
    assert_eq!(outcome(Policy::builder().max(0).build().unwrap()), (0, StopReason::Off));
}

#[test]
fn a_key_overrides_a_run_time_maximum_of_zero_too() {
    #[retry(policy = policy, max = 2, on = always)]
    fn twice(policy: Policy) -> Result<(), ()> {
        Err(())
    }

    let none = Policy::builder().max(0).build().unwrap();
    assert_eq!(waits(|| assert!(twice(none).is_err())).len(), 2);
}

#[test]
fn within_shortens_the_deadline_and_never_lengthens_it() {
    let steady = STEADY.unlimited();
    assert_eq!(outcome(steady.within(ms(35))), (3, StopReason::Deadline));
    assert_eq!(outcome(steady.deadline(ms(35)).within(ms(100))), (3, StopReason::Deadline));
    assert_eq!(outcome(steady.deadline(ms(100)).within(ms(35))), (3, StopReason::Deadline));
    assert_eq!(outcome(steady.within(ms(35)).within(ms(100))), (3, StopReason::Deadline));
    assert_eq!(
        outcome(steady.within(Duration::ZERO)),
        (0, StopReason::Deadline),
        "the first attempt still runs"
    );
    assert_eq!(outcome(STEADY.within(Duration::MAX)), (3, StopReason::MaxRetries));
}

#[test]
fn until_shortens_the_deadline_to_a_point_in_time() {
    // Waits of a quarter of an hour, so that what the test itself takes does not matter.
    let quarters = Policy::new().strategy(Strategy::None).cap(secs(900)).base(secs(900)).unlimited();
    let now = Instant::now();
    let soon = now + secs(3_000);
    assert_eq!(outcome(quarters.until(soon)), (3, StopReason::Deadline));
    assert_eq!(outcome(quarters.until(soon).until(now + secs(9_000))), (3, StopReason::Deadline));
    assert_eq!(outcome(quarters.until(now + secs(9_000)).until(soon)), (3, StopReason::Deadline));
    assert_eq!(outcome(quarters.deadline(secs(2_000)).until(soon)), (2, StopReason::Deadline));
    assert_eq!(outcome(quarters.within(secs(2_000)).until(soon)), (2, StopReason::Deadline));
    assert_eq!(outcome(quarters.deadline(secs(9_000)).until(soon)), (3, StopReason::Deadline));
    assert_eq!(outcome(quarters.until(now)), (0, StopReason::Deadline), "the first attempt still runs");
}

#[test]
fn the_nearest_deadline_counts_beside_a_key() {
    #[retry(policy = policy, deadline_ms = 5_000_000, on = always)]
    fn late(policy: Policy) -> Result<(), ()> {
        Err(())
    }

    let quarters = Policy::new().strategy(Strategy::None).cap(secs(900)).base(secs(900)).unlimited();
    let until = quarters.until(Instant::now() + secs(3_000));
    assert_eq!(waits(|| assert!(late(until).is_err())).len(), 3);
    assert_eq!(waits(|| assert!(late(quarters).is_err())).len(), 5);
}

#[test]
fn what_within_has_shortened_a_key_does_not_lengthen() {
    #[retry(policy = policy.within(left), deadline_ms = 5_000, on = always)]
    fn load(policy: Policy, left: Duration) -> Result<(), ()> {
        Err(())
    }

    assert_eq!(waits(|| assert!(load(STEADY.unlimited(), ms(35)).is_err())).len(), 3);
}

#[test]
fn setters_panic_on_what_can_never_be_right() {
    type Setter = fn() -> Policy;
    let sentences: [(Setter, &str); 9] = [
        (|| Policy::new().base(Duration::ZERO), "`base` must be above zero"),
        (|| Policy::new().cap(Duration::ZERO), "`cap` must be above zero"),
        (|| Policy::new().base(secs(11)), "`base` is above `cap`"),
        (|| Policy::new().cap(ms(199)), "`base` is above `cap`"),
        (|| Policy::new().factor(0.999), "`factor` must be a finite number of at least 1"),
        (|| Policy::new().factor(f64::NAN), "`factor` must be a finite number of at least 1"),
        (|| Policy::new().max(0), "`max` must be at least 1"),
        (|| Policy::new().deadline(Duration::ZERO), "`deadline` must be above zero"),
        (|| Policy::new().reset_after(Duration::ZERO), "`reset_after` must be above zero"),
    ];
    for (setter, sentence) in sentences {
        let panic = catch_unwind(setter).expect_err(sentence);
        let said =
            panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
        assert!(said.is_some_and(|said| said.starts_with(sentence)), "{said:?}");
    }
}

#[test]
fn setters_accept_what_is_barely_right() {
    let edge =
        Policy::new().base(secs(10)).factor(1.0).max(1).deadline(Duration::from_nanos(1)).cap(secs(10));
    assert_eq!(edge.get_max(), Some(1));
    assert_eq!(Policy::new().max(u32::MAX).unlimited().get_max(), None);
}

#[test]
fn the_builder_returns_every_fault_at_once() {
    let faults = Policy::builder()
        .base(secs(20))
        .factor(f64::INFINITY)
        .deadline(Duration::ZERO)
        .reset_after(Duration::ZERO)
        .build()
        .unwrap_err();
    let sentences: Vec<_> =
        faults.sentences().map(|said| said.split([':', ';']).next().unwrap_or(said)).collect();
    assert_eq!(
        sentences,
        [
            "`base` is above `cap`",
            "`factor` must be a finite number of at least 1",
            "`deadline` must be above zero",
            "`reset_after` must be above zero",
        ]
    );
    let text = faults.to_string();
    assert!(faults.sentences().all(|sentence| text.contains(sentence)), "{text}");
}

#[test]
fn the_builder_takes_the_settings_in_any_order() {
    let policy =
        Policy::builder().base(secs(20)).cap(secs(30)).strategy(Strategy::None).max(2).build().unwrap();
    let mut reason = None;
    assert_eq!(waits(|| assert!(load(policy, &mut reason).is_err())), [secs(20), secs(30)]);
}

#[tokio::test(start_paused = true)]
async fn until_is_compared_with_the_clock_of_the_call() {
    #[retry(policy = policy, on = retry_runtime::always)]
    async fn bounded(policy: &Policy) -> Result<(), &'static str> {
        Err("busy")
    }
    let start = tokio::time::Instant::now();
    let policy = Policy::new().strategy(retry_runtime::Strategy::None).max(20);
    tokio::time::advance(Duration::from_secs(3)).await;
    let until = (tokio::time::Instant::now() + Duration::from_millis(700)).into_std();
    assert!(bounded(&policy.until(until)).await.is_err());
    // 200 and 400; the next one, of 800, would pass it.
    assert_eq!(start.elapsed(), Duration::from_millis(3_600));
}
