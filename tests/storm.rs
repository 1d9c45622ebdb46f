//! Many clients of one service, on tokio's paused clock: an outage under load with and without a budget, and a
//! Retry-After that a hundred clients were given at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use retry_runtime::{Budget, retry, testing};
use tokio::time::{Instant, sleep};

mod support;
use support::{ms, secs};

#[derive(Debug)]
enum Refused {
    Overloaded,
    Throttled(Duration),
}

fn is_transient(_: &Refused) -> bool {
    true
}

fn hint(refused: &Refused) -> Option<Duration> {
    match refused {
        Refused::Overloaded => None,
        Refused::Throttled(after) => Some(*after),
    }
}

/// A bucket of work that fills at a fixed rate: what the service can do.
struct Service {
    start: Instant,
    /// Requests in a second.
    capacity: f64,
    burst: f64,
    /// What a refusal costs, in served requests.
    refusal: f64,
    down: (Duration, Duration),
    bucket: Cell<(Duration, f64)>,
    /// When attempts came, and whether they were served.
    seen: RefCell<Vec<(Duration, bool)>>,
}

impl Service {
    fn new(capacity: f64, burst: f64, refusal: f64, down: (Duration, Duration)) -> Self {
        let (start, bucket, seen) = (Instant::now(), Cell::new((Duration::ZERO, burst)), RefCell::default());
        Self { start, capacity, burst, refusal, down, bucket, seen }
    }

    fn request(&self) -> bool {
        let now = self.start.elapsed();
        let (before, held) = self.bucket.get();
        let mut held = (held + now.saturating_sub(before).as_secs_f64() * self.capacity).min(self.burst);
        let is_up = !(self.down.0..self.down.1).contains(&now);
        let served = is_up && held >= 1.0;
        held -= if served { 1.0 } else { self.refusal };
        // Work that was promised to nobody does not pile up without end.
        self.bucket.set((now, held.max(-self.burst)));
        self.seen.borrow_mut().push((now, served));
        served
    }

    /// The most attempts in any stretch of this length, after `from`.
    fn peak(&self, from: Duration, stretch: Duration) -> usize {
        let seen: Vec<Duration> =
            self.seen.borrow().iter().map(|(at, _)| *at).filter(|at| *at >= from).collect();
        let within =
            |first: usize| seen[first..].iter().take_while(|at| **at < seen[first] + stretch).count();
        (0..seen.len()).map(within).max().unwrap_or(0)
    }

    /// Of the attempts in this stretch of time, the part that was served.
    fn served(&self, from: Duration, to: Duration) -> f64 {
        let seen = self.seen.borrow();
        let stretch = || seen.iter().filter(|(at, _)| (from..to).contains(at));
        #[allow(clippy::cast_precision_loss)]
        let part = stretch().filter(|(_, served)| *served).count() as f64 / stretch().count() as f64;
        part
    }
}

async fn answer(service: &Service) -> Result<(), Refused> {
    sleep(ms(5)).await;
    if service.request() { Ok(()) } else { Err(Refused::Overloaded) }
}

#[retry(on = is_transient)]
async fn unbounded(service: &Service, _budget: &Budget) -> Result<(), Refused> {
    answer(service).await
}

#[retry(on = is_transient, budget = budget)]
async fn bounded(service: &Service, budget: &Budget) -> Result<(), Refused> {
    answer(service).await
}

struct Ending {
    operations: usize,
    lost: usize,
    service: Rc<Service>,
}

/// 800 operations a second for twenty seconds on a capacity of 1,000, down from 2 s to 4 s; a refusal costs a quarter.
macro_rules! storm {
    ($call:ident, $refusal:literal) => {{
        testing::seed(7);
        let service = Rc::new(Service::new(1_000.0, 50.0, $refusal, (secs(2), secs(4))));
        let budget = Rc::new(Budget::new());
        let lost = Rc::new(Cell::new(0));
        let local = tokio::task::LocalSet::new();
        local
            .run_until(async {
                let mut calls = Vec::new();
                for _ in 0..20_000 / 5 {
                    // Four operations every five milliseconds.
                    for _ in 0..4 {
                        let (service, budget, lost) =
                            (Rc::clone(&service), Rc::clone(&budget), Rc::clone(&lost));
                        calls.push(tokio::task::spawn_local(async move {
                            if $call(&service, &budget).await.is_err() {
                                lost.set(lost.get() + 1);
                            }
                        }));
                    }
                    sleep(ms(5)).await;
                }
                for call in calls {
                    call.await.expect("no call panics");
                }
            })
            .await;
        Ending { operations: 16_000, lost: lost.get(), service }
    }};
}

#[tokio::test(start_paused = true)]
async fn without_a_budget_an_outage_outlives_its_cause() {
    let end = storm!(unbounded, 0.25);
    assert!(end.lost > end.operations / 4, "{} of {} lost", end.lost, end.operations);
    let late = end.service.served(secs(16), secs(20));
    assert!(late < 0.5, "a long time after the outage {late} of the attempts are served");
}

#[tokio::test(start_paused = true)]
async fn with_a_budget_the_service_recovers_at_once() {
    let end = storm!(bounded, 0.25);
    // Two seconds of 800 operations, less what the budget's tokens have saved.
    assert!((1_300..1_700).contains(&end.lost), "{} of {} lost", end.lost, end.operations);
    let after = end.service.served(secs(6), secs(20));
    assert!(after > 0.99, "after the outage {after} of the attempts are served");
    let peak = end.service.peak(secs(2), ms(1_000));
    assert!(peak < 1_100, "{peak} attempts in a second");
}

#[tokio::test(start_paused = true)]
async fn where_refusals_are_free_jitter_alone_is_enough() {
    let end = storm!(unbounded, 0.0);
    assert!(end.lost < end.operations / 20, "{} of {} lost", end.lost, end.operations);
}

#[tokio::test(start_paused = true)]
async fn a_hundred_clients_with_one_hint_return_spread_and_never_early() {
    #[retry(on = is_transient, retry_after = hint)]
    async fn call(service: &Service) -> Result<(), Refused> {
        if service.request() {
            Ok(())
        } else {
            Err(Refused::Throttled(secs(5).saturating_sub(service.start.elapsed())))
        }
    }
    let mut peaks = Vec::new();
    for seed in 0..20 {
        testing::seed(seed);
        let service = Rc::new(Service::new(100.0, 10.0, 0.0, (Duration::ZERO, secs(5))));
        let local = tokio::task::LocalSet::new();
        local
            .run_until(async {
                let calls: Vec<_> = (0..100)
                    .map(|_| {
                        let service = Rc::clone(&service);
                        tokio::task::spawn_local(async move { call(&service).await })
                    })
                    .collect();
                for call in calls {
                    assert!(call.await.expect("no call panics").is_ok());
                }
            })
            .await;
        let seen = service.seen.borrow();
        assert_eq!(
            seen.iter().filter(|(at, _)| *at < secs(5)).count(),
            100,
            "only the first attempts are early"
        );
        assert_eq!(
            seen.iter().filter(|(at, served)| *at >= secs(5) && !served).count(),
            0,
            "none is refused again"
        );
        drop(seen);
        peaks.push(service.peak(secs(5), ms(100)));
        assert!(service.start.elapsed() < secs(8), "all are served");
    }
    // The limit is ten in a hundred milliseconds.
    peaks.sort_unstable();
    assert!(peaks[10] <= 10 && peaks[19] <= 13, "{peaks:?}");
}
