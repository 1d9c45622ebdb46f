//! The key `budget`: a limit on retries that calls share.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Budget, Budgets, Failure, GivenUp, Policy, Run, Step, StopReason, retry};

mod support;
use support::block_on;

#[derive(Debug, PartialEq)]
enum Fault {
    Soft,
    Hard,
}

fn is_soft(fault: &Fault) -> bool {
    *fault == Fault::Soft
}

/// Outcomes in order; the last one stays.
struct Script<'a>(&'a [Result<(), Fault>], Cell<usize>, Cell<Option<StopReason>>);

impl<'a> Script<'a> {
    fn new(outcomes: &'a [Result<(), Fault>]) -> Self {
        Self(outcomes, Cell::new(0), Cell::new(None))
    }

    fn next(&self) -> Result<(), Fault> {
        let at = self.1.replace(self.1.get() + 1);
        match self.0[at.min(self.0.len() - 1)] {
            Ok(()) => Ok(()),
            Err(Fault::Soft) => Err(Fault::Soft),
            Err(Fault::Hard) => Err(Fault::Hard),
        }
    }

    fn stopped(&self, event: &GivenUp<'_, Fault>) {
        self.2.set(Some(event.reason()));
    }

    fn retries(&self) -> usize {
        self.1.get().saturating_sub(1)
    }
}

const SOFT: Result<(), Fault> = Err(Fault::Soft);
const OK: Result<(), Fault> = Ok(());

#[retry(strategy = "none", base_ms = 1, cap_ms = 1, max = 5, on = is_soft, budget = budget, on_give_up = |event| script.stopped(event))]
fn fast(budget: &Budget, script: &Script<'_>) -> Result<(), Fault> {
    script.next()
}

#[retry(strategy = "none", base_ms = 200, cap_ms = 200, max = 5, on = is_soft, budget = budget)]
fn slow(budget: &Budget, script: &Script<'_>) -> Result<(), Fault> {
    script.next()
}

/// Calls in a row, each failing once where it is let: how many were retried, how many gave up.
fn storm(
    budget: &Budget,
    calls: usize,
    call: fn(&Budget, &Script<'_>) -> Result<(), Fault>,
) -> (usize, usize) {
    let mut retried = 0;
    for _ in 0..calls {
        let script = Script::new(&[SOFT, OK]);
        retried += usize::from(call(budget, &script).is_ok());
    }
    (retried, calls - retried)
}

#[test]
fn ten_at_the_start_and_a_tenth_for_each_call() {
    let _time = VirtualTime::start();
    let (retried, gave_up) = storm(&Budget::new(), 100, fast);
    assert!((19..=21).contains(&retried) && (79..=81).contains(&gave_up), "{retried} {gave_up}");
}

#[test]
fn each_retry_takes_a_token_and_an_empty_budget_says_so() {
    let _time = VirtualTime::start();
    let budget = Budget::new();
    let script = [SOFT, SOFT, SOFT, SOFT, SOFT, OK];
    let results: Vec<_> = (0..3)
        .map(|_| {
            let script = Script::new(&script);
            (fast(&budget, &script).is_ok(), script.2.get())
        })
        .collect();
    assert_eq!(results, [(true, None), (true, None), (false, Some(StopReason::Budget))]);
}

#[test]
fn the_trickle_keeps_up_with_slow_calls() {
    let _time = VirtualTime::start();
    assert_eq!(storm(&Budget::new(), 100, slow), (100, 0));
}

#[test]
fn errors_that_are_not_retried_and_panics_lose_nothing() {
    let _time = VirtualTime::start();
    let budget = Budget::new();
    for _ in 0..100 {
        assert_eq!(fast(&budget, &Script::new(&[Err(Fault::Hard)])), Err(Fault::Hard));
    }
    assert_eq!(storm(&budget, 10, fast), (10, 0));

    #[retry(base_ms = 1, on = is_soft, budget = budget)]
    fn panics(budget: &Budget) -> Result<(), Fault> {
        panic!("boom")
    }
    let budget = Budget::new();
    for _ in 0..100 {
        assert!(catch_unwind(AssertUnwindSafe(|| panics(&budget))).is_err());
    }
    assert_eq!(storm(&budget, 10, fast), (10, 0));
}

#[test]
fn a_wait_that_is_dropped_gives_its_token_not_back() {
    async fn forever(_: Duration) {
        std::future::pending::<()>().await;
    }
    #[retry(strategy = "none", base_ms = 1, cap_ms = 1, max = 5, on = is_soft, budget = budget, sleep = forever)]
    async fn dropped(budget: &Budget) -> Result<(), Fault> {
        SOFT
    }
    let drop_ten = |budget: &Budget| {
        for _ in 0..10 {
            let mut call = std::pin::pin!(dropped(budget));
            assert!(support::poll_once(call.as_mut()).is_none(), "it waits");
        }
    };
    let time = VirtualTime::start();
    let budget = Budget::new();
    drop_ten(&budget);
    // Ten at the start and one by the calls, ten of them paid; a tenth comes with each further call.
    let (mut retried, mut reasons) = (0, Vec::new());
    for _ in 0..9 {
        let script = Script::new(&[SOFT, OK]);
        let _ = fast(&budget, &script);
        retried += script.retries();
        reasons.extend(script.2.get());
    }
    assert_eq!((retried, reasons.len()), (1, 8));
    assert!(reasons.iter().all(|reason| *reason == StopReason::Budget));

    let budget = Budget::new();
    drop_ten(&budget);
    time.advance(Duration::from_secs(2));
    assert_eq!(storm(&budget, 10, fast), (10, 0));
}

#[test]
fn calls_that_succeed_fill_it_again() {
    let _time = VirtualTime::start();
    let budget = Budget::new();
    assert!(storm(&budget, 40, fast).1 > 0, "drained");
    for _ in 0..50 {
        assert!(fast(&budget, &Script::new(&[OK])).is_ok());
    }
    assert_eq!(storm(&budget, 1, fast), (1, 0));
}

#[test]
fn never_more_than_the_capacity_however_long_nothing_happens() {
    let time = VirtualTime::start();
    let budget = Budget::new();
    assert!(fast(&budget, &Script::new(&[OK])).is_ok());
    time.advance(Duration::from_secs(3_600));
    assert!((budget.available() - 100.0).abs() < 1e-9);
    let (retried, _) = storm(&budget, 200, fast);
    assert!((119..=124).contains(&retried), "{retried}");
}

#[test]
fn before_the_first_call_nothing_trickles_in() {
    let time = VirtualTime::start();
    let budget = Budget::new();
    time.advance(Duration::from_secs(3_600));
    assert!((budget.available() - 10.0).abs() < 1e-9);
    let (retried, _) = storm(&budget, 30, fast);
    assert!((12..=14).contains(&retried), "{retried}");
}

#[test]
fn statics_references_and_arcs_are_budgets() {
    static SHARED: Budget = Budget::new().starting_with(1.0).ratio(0.0).per_second(0.0);
    struct Client {
        budget: Arc<Budget>,
    }
    impl Client {
        #[retry(base_ms = 1, cap_ms = 1, on = is_soft, budget = self.budget)]
        async fn by_field(&self, calls: &Cell<u32>) -> Result<(), Fault> {
            calls.set(calls.get() + 1);
            SOFT
        }
    }
    #[retry(base_ms = 1, cap_ms = 1, on = is_soft, budget = SHARED)]
    fn by_static(calls: &Cell<u32>) -> Result<(), Fault> {
        calls.set(calls.get() + 1);
        SOFT
    }
    let _time = VirtualTime::start();
    let calls = Cell::new(0);
    assert!(by_static(&calls).is_err() && by_static(&calls).is_err());
    assert_eq!(calls.get(), 3, "one retry was paid for");
    let one = Budget::new().starting_with(1.0).ratio(0.0).per_second(0.0);
    let client = Client { budget: Arc::new(one) };
    let calls = Cell::new(0);
    assert!(block_on(client.by_field(&calls)).is_err());
    assert_eq!(calls.get(), 2);
}

#[test]
fn one_budget_for_each_key_bounded_and_idle_ones_go() {
    struct Gateway {
        budgets: Budgets<String>,
    }
    impl Gateway {
        #[retry(base_ms = 1, cap_ms = 1, max = 20, on = is_soft, budget = self.budgets.get(tenant))]
        fn forward(&self, tenant: &str, calls: &Cell<u32>) -> Result<(), Fault> {
            calls.set(calls.get() + 1);
            SOFT
        }
    }
    fn two() -> Budget {
        Budget::new().starting_with(2.0).capacity(2.0).ratio(0.0).per_second(1.0)
    }
    let time = VirtualTime::start();
    let gateway = Gateway { budgets: Budgets::new(2, two) };
    let called = |tenant: &str| {
        let calls = Cell::new(0);
        assert!(gateway.forward(tenant, &calls).is_err());
        calls.get()
    };
    assert_eq!((called("a"), called("a"), called("b")), (3, 1, 3), "each tenant has its own tokens");
    assert_eq!(gateway.budgets.len(), 2);
    assert_eq!((called("c"), called("c"), gateway.budgets.len()), (3, 3, 2), "none is idle: c's is not kept");
    time.advance(Duration::from_secs(10));
    assert_eq!((called("c"), called("c"), gateway.budgets.len()), (3, 1, 1), "the idle ones have gone");
    assert!(!gateway.budgets.is_empty());
}

#[test]
fn the_budget_is_the_last_to_be_asked() {
    let _time = VirtualTime::start();
    let empty = Budget::new().starting_with(0.0).ratio(0.0).per_second(0.0);
    let mut run =
        Run::start(Policy::new().deadline(Duration::from_millis(1)).strategy(retry_runtime::Strategy::None));
    assert_eq!(run.failed_within(Failure::new(), &empty), Step::GiveUp(StopReason::Deadline));
    let mut run = Run::start(Policy::new());
    assert_eq!(run.failed_within(Failure::new(), &empty), Step::GiveUp(StopReason::Budget));
}

#[test]
fn a_call_by_hand_deposits_and_takes_as_an_annotated_one_does() {
    let time = VirtualTime::start();
    let budget = Budget::new().starting_with(0.0).ratio(1.0).per_second(1.0);
    let mut run = Run::start(Policy::new());
    assert!(matches!(run.failed_within(Failure::new(), &budget), Step::Wait(_)), "by its own deposit");
    assert_eq!(
        run.failed_within(Failure::new(), &budget),
        Step::GiveUp(StopReason::Budget),
        "one for each call"
    );
    time.advance(Duration::from_secs(1));
    assert!(matches!(run.failed_within(Failure::new(), &budget), Step::Wait(_)), "the trickle has begun");
    assert!(budget.available().abs() < 1e-9);
}

#[test]
fn sixteen_threads_neither_lose_nor_invent_a_token() {
    // No trickle: what is taken must be what was there and what was paid.
    let budget = Budget::new().per_second(0.0).ratio(0.5).starting_with(1_000.0).capacity(1_000_000.0);
    let retries: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|_| {
                scope.spawn(|| {
                    let _time = VirtualTime::start();
                    (0..1_000)
                        .map(|_| {
                            let script = Script::new(&[SOFT, SOFT, SOFT, OK]);
                            let _ = fast(&budget, &script);
                            script.retries()
                        })
                        .sum::<usize>()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
    });
    let left = budget.available();
    #[allow(clippy::cast_precision_loss)]
    let balance = 1_000.0 + 0.5 * 16_000.0 - retries as f64 - left;
    assert!(balance.abs() < 1e-6, "{retries} retries, {left} left");
    assert!(left < 1.0);
}

#[test]
fn the_presets_hold_the_published_numbers() {
    let _time = VirtualTime::start();
    for (budget, start) in
        [(Budget::finagle(), 10.0), (Budget::grpc(), 10.0), (Budget::aws(), 100.0), (Budget::default(), 10.0)]
    {
        assert!((budget.available() - start).abs() < 1e-9);
    }
    assert!(catch_unwind(|| Budget::new().ratio(-0.1)).is_err());
    assert!(catch_unwind(|| Budget::new().capacity(f64::NAN)).is_err());
}
