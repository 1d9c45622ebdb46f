//! A future that is dropped at any of its await points leaves timers, budget, tokens, deadlines and values as they
//! should be.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};

use retry_runtime::{
    Budget, CancelToken, Elapsed, GivenUp, retry, time_left, with_deadline, without_retries,
};
use tokio::task::yield_now;
use tokio::time::{advance, sleep};

mod support;
use support::{Log, ms, secs};

/// What the calls share, and what they leave.
struct Scene {
    log: Log,
    budget: Budget,
    token: CancelToken,
    alive: Cell<u32>,
}

impl Scene {
    fn new() -> Self {
        let budget = Budget::new().starting_with(20.0).ratio(0.5).per_second(0.0);
        Self { log: Log::new(), budget, token: CancelToken::new(), alive: Cell::new(0) }
    }

    /// What a call keeps from its entry on.
    fn key(&self) -> Value<'_> {
        self.log.add("begun");
        Value::new(self)
    }

    fn judge(&self) -> bool {
        self.log.add("judged");
        true
    }

    fn gave_up(&self, event: &GivenUp<'_, Fault<'_>>) {
        self.log.add(format!("end: {}", event.reason()));
    }
}

/// A value that is counted while it lives.
struct Value<'a>(&'a Scene);

impl<'a> Value<'a> {
    fn new(scene: &'a Scene) -> Self {
        scene.alive.set(scene.alive.get() + 1);
        Self(scene)
    }
}

impl Clone for Value<'_> {
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}

impl Drop for Value<'_> {
    fn drop(&mut self) {
        self.0.alive.set(self.0.alive.get() - 1);
    }
}

/// The value in it has to be dropped with it.
enum Fault<'a> {
    Busy { _held: Value<'a> },
    Slow,
}

fn slow<'a>(_: Elapsed) -> Fault<'a> {
    Fault::Slow
}

/// Several await points, with values alive across them.
async fn body<'a>(order: Value<'a>, count: &mut Option<Value<'a>>, scene: &'a Scene) {
    scene.log.add("attempt");
    let _inside = Value::new(scene);
    yield_now().await;
    drop(order);
    sleep(ms(10)).await;
    *count = Some(Value::new(scene));
    yield_now().await;
    scene.log.add("done");
}

struct Quiet;

impl Wake for Quiet {
    fn wake(self: Arc<Self>) {}
}

/// What was seen of a call on its way.
#[derive(Default)]
struct Way {
    polls: usize,
    /// Whether a timer or a token has held its waker between two polls.
    registered: bool,
    /// Whether its token has known of it.
    waited: bool,
    log: Vec<String>,
}

type Call = for<'a> fn(&'a Scene) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Polls `times` times, in steps of half a wait; `None` when the call has ended by then. `shares`: all of it uses the
/// budget.
async fn polled(call: Call, times: usize, shares: bool) -> Option<Way> {
    let (scene, quiet) = (Scene::new(), Arc::new(Quiet));
    let waker = Waker::from(quiet.clone());
    let mut way = Way { polls: times, ..Way::default() };
    let mut future = call(&scene);
    let mut ended = false;
    for _ in 0..times {
        ended = future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        assert_eq!(time_left(), None, "between polls nobody is bound");
        if ended {
            break;
        }
        way.registered |= Arc::strong_count(&quiet) > 2;
        way.waited |= scene.token.waiting() == 1;
        advance(ms(5)).await;
    }
    let before = scene.log.count();
    drop(future);
    assert_eq!(time_left(), None, "no deadline is left behind");
    assert_eq!(scene.token.waiting(), 0, "no token remembers it");
    assert_eq!(Arc::strong_count(&quiet), 2, "only the waker here is left: no timer knows whom to wake");
    assert_eq!(scene.alive.get(), 0, "every value is dropped, and once");
    // Nothing goes on behind the scenes.
    sleep(secs(60)).await;
    assert_eq!(scene.log.count(), before, "no attempt and no hook after the drop");
    way.log = scene.log.take();
    // A deposit by each call that has begun, a token for each retry that was granted, whether it was made or not.
    let tokens = way.log.iter().filter(|_| shares).map(|entry| match entry.as_str() {
        "begun" => 0.5,
        "retry" => -1.0,
        _ => 0.0,
    });
    let must = 20.0 + tokens.sum::<f64>();
    assert!((scene.budget.available() - must).abs() < 1e-9, "not {must}: {:?}", way.log);
    (!ended).then_some(way)
}

/// Drops the call after each number of polls, until it ends: what was seen on the longest way.
async fn dropped_everywhere(call: Call, shares: bool) -> Way {
    let mut longest: Option<Way> = None;
    for times in 0.. {
        let Some(way) = polled(call, times, shares).await else { break };
        if let Some(before) = longest {
            assert_eq!(way.log[..before.log.len()], before.log, "one more poll only adds to what happened");
        }
        longest = Some(way);
    }
    longest.expect("a call that waits")
}

/// A function with these settings that fails four times.
macro_rules! call {
    ([$($key:ident = $value:tt),*], [$($shared:ident),*]) => {{
        #[retry(
            strategy = "none", base_ms = 10, cap_ms = 10, max = 3,
            $($key = $value,)*
            $($shared = call!(@shared scene $shared),)*
            on = |_| scene.judge(),
            clone(order), keep(count), once(key = scene.key()),
            on_retry = |_| scene.log.add("retry"),
            on_give_up = |event| scene.gave_up(event),
        )]
        async fn call<'a>(order: Value<'a>, mut count: Option<Value<'a>>, scene: &'a Scene) -> Result<(), Fault<'a>> {
            body(order, &mut count, scene).await;
            Err(Fault::Busy { _held: key.clone() })
        }
        let boxed: Call = |scene| Box::pin(async { drop(call(Value::new(scene), None, scene).await) });
        boxed
    }};
    (@shared $scene:ident budget) => { $scene.budget };
    (@shared $scene:ident cancel) => { $scene.token };
}

fn attempts(way: &Way) -> usize {
    way.log.iter().filter(|entry| *entry == "attempt").count()
}

#[tokio::test(start_paused = true)]
async fn on_its_own() {
    let way = dropped_everywhere(call!([], []), false).await;
    assert!(way.polls > 12 && way.registered && attempts(&way) == 4, "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_a_budget() {
    let way = dropped_everywhere(call!([], [budget]), true).await;
    assert!(way.registered && attempts(&way) == 4, "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_a_token() {
    let way = dropped_everywhere(call!([], [cancel]), false).await;
    assert!(way.registered && way.waited && attempts(&way) == 4, "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_a_limit_that_holds() {
    let way = dropped_everywhere(call!([attempt_timeout_ms = 80, timed_out = slow], []), false).await;
    assert!(way.registered && attempts(&way) == 4 && way.log.contains(&"done".to_owned()), "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_a_limit_that_cuts() {
    let way = dropped_everywhere(call!([attempt_timeout_ms = 7, timed_out = slow], [budget]), true).await;
    assert!(way.registered && attempts(&way) == 4 && !way.log.contains(&"done".to_owned()), "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_a_deadline() {
    let way = dropped_everywhere(call!([deadline_ms = 70], [budget, cancel]), true).await;
    assert!(way.registered && way.waited && (2..4).contains(&attempts(&way)), "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn with_all_of_it() {
    let all = call!([attempt_timeout = deadline, deadline_ms = 70, timed_out = slow], [budget, cancel]);
    let way = dropped_everywhere(all, true).await;
    assert!(way.registered && way.waited && (2..4).contains(&attempts(&way)), "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn inside_of_layers() {
    let bounded: Call = |scene| {
        let call = call!([attempt_timeout_ms = 50, timed_out = slow], [budget, cancel]);
        Box::pin(with_deadline(ms(70), call(scene)))
    };
    let way = dropped_everywhere(bounded, true).await;
    assert!(way.waited && (2..4).contains(&attempts(&way)), "{:?}", way.log);
    let single: Call = |scene| {
        let call = call!([deadline_ms = 1_000], [budget, cancel]);
        Box::pin(without_retries(call(scene)))
    };
    let way = dropped_everywhere(single, true).await;
    assert_eq!((attempts(&way), way.waited), (1, false));
}

#[tokio::test(start_paused = true)]
async fn with_a_call_inside() {
    #[retry(
        strategy = "none", base_ms = 10, cap_ms = 10, max = 1, deadline_ms = 500, attempt_timeout_ms = 300,
        timed_out = slow, budget = scene.budget, cancel = scene.token, on = |_| scene.judge(),
        once(_key = scene.key()), on_retry = |_| scene.log.add("retry"), on_give_up = |event| scene.gave_up(event),
    )]
    async fn outer(scene: &Scene) -> Result<(), Fault<'_>> {
        let _inside = Value::new(scene);
        call!([deadline_ms = 400], [budget, cancel])(scene).await;
        Err(Fault::Slow)
    }
    let nested: Call = |scene| Box::pin(async { drop(outer(scene).await) });
    let way = dropped_everywhere(nested, true).await;
    assert!(way.waited && attempts(&way) == 8, "{:?}", way.log);
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_inside_of_another_leaves_the_others_deadline() {
    #[retry(deadline_ms = 1_000, on = |()| true)]
    async fn outer(scene: &Scene) -> Result<(), ()> {
        for polls in 0..8 {
            let mut call =
                call!([attempt_timeout_ms = 50, deadline_ms = 200, timed_out = slow], [cancel])(scene);
            for _ in 0..polls {
                assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
                assert_eq!(time_left(), Some(ms(1_000)));
            }
            drop(call);
            assert_eq!(time_left(), Some(ms(1_000)));
        }
        Ok(())
    }
    assert!(outer(&Scene::new()).await.is_ok());
    assert_eq!(time_left(), None);
}
