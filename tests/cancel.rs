//! The key `cancel`: a token ends the wait at once and never an attempt.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Cancel, CancelToken, StopReason, retry};

mod support;
use support::{block_on, ms};

#[derive(Debug, PartialEq)]
struct Busy(u32);

#[derive(Default)]
struct Seen {
    calls: Cell<u32>,
    retried: Cell<u32>,
    gave_up: RefCell<Vec<(StopReason, u32)>>,
}

/// What an attempt does: takes time, and fails until `good`.
struct Plan<'a> {
    time: &'a VirtualTime,
    takes: Duration,
    good: u32,
}

impl Seen {
    fn attempt(&self, plan: &Plan<'_>) -> Result<u32, Busy> {
        self.calls.set(self.calls.get() + 1);
        plan.time.advance(plan.takes);
        if self.calls.get() < plan.good { Err(Busy(self.calls.get())) } else { Ok(self.calls.get()) }
    }
}

#[retry(
    strategy = "none", base_ms = 1_000, cap_ms = 1_000, max = 5, on = |_| true, cancel = token,
    on_retry = |_| seen.retried.set(seen.retried.get() + 1),
    on_give_up = |event| seen.gave_up.borrow_mut().push((event.reason(), event.attempts()))
)]
fn blocking(token: &CancelToken, seen: &Seen, plan: &Plan<'_>) -> Result<u32, Busy> {
    seen.attempt(plan)
}

#[retry(
    strategy = "none", base_ms = 1_000, cap_ms = 1_000, max = 5, on = |_| true, cancel = token,
    on_retry = |_| seen.retried.set(seen.retried.get() + 1),
    on_give_up = |event| seen.gave_up.borrow_mut().push((event.reason(), event.attempts()))
)]
async fn waiting(token: &CancelToken, seen: &Seen, plan: &Plan<'_>) -> Result<u32, Busy> {
    seen.attempt(plan)
}

/// Both kinds of functions under a token that fires at `at`, or before the call: what they did, and how long it took.
fn cancelled(
    at: Option<Duration>,
    takes: Duration,
    good: u32,
    check: impl Fn(&Seen, Result<u32, Busy>, Duration),
) {
    type Call = fn(&CancelToken, &Seen, &Plan<'_>) -> Result<u32, Busy>;
    let kinds: [Call; 2] = [blocking, |token, seen, plan| block_on(waiting(token, seen, plan))];
    for call in kinds {
        let time = VirtualTime::start();
        let token = CancelToken::new();
        match at {
            None => token.cancel(),
            Some(at) => {
                let token = token.clone();
                time.at(at, move || token.cancel());
            }
        }
        let seen = Seen::default();
        let result = call(&token, &seen, &Plan { time: &time, takes, good });
        check(&seen, result, time.elapsed());
        assert_eq!(token.waiting(), 0, "no registration outlives the wait");
    }
}

#[test]
fn a_wait_ends_at_once_with_the_last_outcome() {
    cancelled(Some(ms(1_500)), Duration::ZERO, 9, |seen, result, elapsed| {
        assert_eq!((result, elapsed), (Err(Busy(2)), ms(1_500)));
        assert_eq!((seen.calls.get(), seen.retried.get()), (2, 2));
        assert_eq!(*seen.gave_up.borrow(), [(StopReason::Cancelled, 2)]);
    });
}

#[test]
fn a_running_attempt_is_not_interrupted() {
    cancelled(Some(ms(200)), ms(500), 2, |seen, result, elapsed| {
        assert_eq!((result, elapsed), (Err(Busy(1)), ms(500)));
        assert_eq!((seen.calls.get(), seen.retried.get()), (1, 0));
        assert_eq!(*seen.gave_up.borrow(), [(StopReason::Cancelled, 1)]);
    });
}

#[test]
fn the_first_attempt_runs_even_if_the_token_had_fired() {
    cancelled(None, ms(500), 2, |seen, result, elapsed| {
        assert_eq!((result, elapsed, seen.calls.get()), (Err(Busy(1)), ms(500), 1));
        assert_eq!(*seen.gave_up.borrow(), [(StopReason::Cancelled, 1)]);
    });
    cancelled(None, ms(500), 1, |seen, result, _| {
        assert_eq!((result, seen.calls.get()), (Ok(1), 1));
        assert!(seen.gave_up.borrow().is_empty(), "a success is a success");
    });
}

#[test]
fn a_token_that_never_fires_changes_nothing() {
    cancelled(Some(ms(60_000)), Duration::ZERO, 3, |seen, result, elapsed| {
        assert_eq!((result, elapsed, seen.retried.get()), (Ok(3), ms(2_000), 2));
        assert!(seen.gave_up.borrow().is_empty());
    });
}

#[tokio::test(start_paused = true)]
async fn on_a_runtime_the_token_wakes_the_task() {
    #[retry(strategy = "none", base_ms = 10_000, on = |_| true, cancel = token)]
    async fn call(token: CancelToken, calls: &Cell<u32>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        Err(Busy(calls.get()))
    }
    let (token, calls, start) = (CancelToken::new(), Cell::new(0), tokio::time::Instant::now());
    let fire = async {
        tokio::time::sleep(ms(2_500)).await;
        token.cancel();
    };
    let (result, ()) = tokio::join!(call(token.clone(), &calls), fire);
    assert_eq!((result, calls.get(), start.elapsed()), (Err(Busy(1)), 1, ms(2_500)));
    assert_eq!(token.waiting(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_watch_channel_is_a_token() {
    use tokio::sync::watch;
    #[retry(strategy = "none", base_ms = 1_000, cap_ms = 1_000, max = 3, on = |_| true, cancel = stop)]
    async fn call(stop: &watch::Receiver<bool>, calls: &Cell<u32>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        Err(Busy(calls.get()))
    }
    let (sender, receiver) = watch::channel(false);
    let (calls, start) = (Cell::new(0), tokio::time::Instant::now());
    let fire = async {
        tokio::time::sleep(ms(1_500)).await;
        sender.send(true).expect("the receiver lives");
    };
    let (result, ()) = tokio::join!(call(&receiver, &calls), fire);
    assert_eq!((result, start.elapsed()), (Err(Busy(2)), ms(1_500)));

    drop(sender);
    let (_, receiver) = watch::channel(false);
    let calls = Cell::new(0);
    assert_eq!(call(&receiver, &calls).await, Err(Busy(4)), "a sender that is gone never fires");
}

#[test]
fn references_and_arcs_of_a_token_are_tokens_and_so_are_the_users_own() {
    struct Flag(AtomicBool);
    impl Cancel for Flag {
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
        fn cancelled(&self) -> impl Future<Output = ()> {
            std::future::pending()
        }
    }
    struct Client {
        flag: Arc<Flag>,
        calls: Cell<u32>,
    }
    impl Client {
        #[retry(base_ms = 1, cap_ms = 1, max = unlimited, on = |_| true, cancel = self.flag)]
        fn send(&self) -> Result<(), Busy> {
            self.calls.set(self.calls.get() + 1);
            if self.calls.get() == 3 {
                self.flag.0.store(true, Ordering::Relaxed);
            }
            Err(Busy(self.calls.get()))
        }
    }
    let _time = VirtualTime::start();
    let client = Client { flag: Arc::new(Flag(AtomicBool::new(false))), calls: Cell::new(0) };
    assert_eq!(client.send(), Err(Busy(3)));
}

#[test]
fn dropping_is_enough_for_a_call_without_limit() {
    #[retry(base_ms = 1, cap_ms = 1, max = unlimited, on = |_| true, cancel = dropped)]
    async fn forever(calls: &Rc<Cell<u32>>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        Err(Busy(calls.get()))
    }
    let _time = VirtualTime::start();
    let calls = Rc::new(Cell::new(0));
    {
        let mut call = std::pin::pin!(forever(&calls));
        for _ in 0..10 {
            assert!(support::poll_once(call.as_mut()).is_none());
        }
    }
    assert_eq!(calls.get(), 10, "one attempt for each poll, and none after the drop");
}

#[test]
fn a_token_that_lives_through_many_retries_stays_flat() {
    #[retry(strategy = "none", base_ms = 1, cap_ms = 1, max = unlimited, on = |_| true, cancel = token)]
    async fn many(token: &CancelToken, calls: &Cell<u32>) -> Result<u32, Busy> {
        calls.set(calls.get() + 1);
        if calls.get() < 100_000 { Err(Busy(0)) } else { Ok(calls.get()) }
    }
    let _time = VirtualTime::start();
    let token = CancelToken::new();
    assert_eq!(block_on(many(&token, &Cell::new(0))), Ok(100_000));
    assert_eq!(token.waiting(), 0);
}

#[test]
fn a_sleeping_thread_wakes_when_the_token_fires() {
    // The one real wait: as long as the other thread takes to see that this one sleeps.
    #[retry(strategy = "none", base = "1h", cap = "1h", on = |_| true, cancel = token)]
    fn patient(token: &CancelToken) -> Result<(), Busy> {
        Err(Busy(1))
    }
    let token = CancelToken::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while token.waiting() == 0 {
                std::thread::yield_now();
            }
            token.cancel();
        });
        assert_eq!(patient(&token), Err(Busy(1)));
    });
    assert_eq!(token.waiting(), 0);
}

#[test]
fn the_future_is_send_with_a_token_when_the_output_is() {
    #[retry(base_ms = 1, on = |_| true, cancel = token)]
    async fn call(token: &CancelToken) -> Result<(), Busy> {
        Err(Busy(0))
    }
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let token = CancelToken::new();
    token.cancel();
    let _time = VirtualTime::start();
    assert_eq!(block_on(is_send(call(&token))), Err(Busy(0)));
}

#[test]
fn one_token_ends_many_waits() {
    #[retry(base_ms = 1, max = 2, on = |_| true, cancel = token, sleep = forever)]
    async fn call(token: &CancelToken) -> Result<(), Busy> {
        Err(Busy(7))
    }
    async fn forever(_: Duration) {
        std::future::pending::<()>().await;
    }
    let token = CancelToken::new();
    let mut first = Box::pin(call(&token));
    let mut second = Box::pin(call(&token));
    assert!(support::poll_once(first.as_mut()).is_none() && support::poll_once(second.as_mut()).is_none());
    assert_eq!(token.waiting(), 2);
    drop(second);
    assert_eq!(token.waiting(), 1, "a dropped call leaves nothing behind");
    token.cancel();
    assert_eq!(support::poll_once(first.as_mut()), Some(Err(Busy(7))));
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A call that waits until its token fires.
#[retry(base_ms = 1, max = 2, on = |_| true, cancel = token, sleep = |_| std::future::pending::<()>())]
async fn waits_for_ever(token: &CancelToken) -> Result<(), Busy> {
    Err(Busy(7))
}

#[test]
fn every_task_that_waits_is_woken_once_and_then_forgotten() {
    let token = CancelToken::new();
    let woken: [Arc<Woken>; 3] = Default::default();
    let mut calls: Vec<_> = woken.iter().map(|_| Box::pin(waits_for_ever(&token))).collect();
    for (call, woken) in calls.iter_mut().zip(&woken) {
        let waker = Waker::from(woken.clone());
        // A task may be polled without reason.
        for _ in 0..3 {
            assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        }
    }
    assert_eq!(token.waiting(), 3);
    token.cancel();
    assert_eq!(woken.each_ref().map(|woken| woken.0.load(Ordering::Relaxed)), [1; 3]);
    assert_eq!(token.waiting(), 0, "nobody is left to be woken");
    token.cancel();
    assert_eq!(woken.each_ref().map(|woken| woken.0.load(Ordering::Relaxed)), [1; 3], "once");
    for call in &mut calls {
        assert_eq!(support::poll_once(call.as_mut()), Some(Err(Busy(7))));
    }
}

#[test]
fn a_call_that_moved_to_another_task_is_woken_there() {
    let token = CancelToken::new();
    let mut call = std::pin::pin!(waits_for_ever(&token));
    let woken: [Arc<Woken>; 2] = Default::default();
    for woken in &woken {
        let waker = Waker::from(woken.clone());
        assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    token.cancel();
    assert_eq!(woken.each_ref().map(|woken| woken.0.load(Ordering::Relaxed)), [0, 1]);
}

#[test]
fn a_token_that_fires_as_the_wait_ends_is_heard() {
    async fn nap(_: Duration) {
        let mut slept = false;
        let once = std::future::poll_fn(|_| {
            if std::mem::replace(&mut slept, true) { Poll::Ready(()) } else { Poll::Pending }
        });
        once.await;
    }
    #[retry(base_ms = 1, on = |_| true, cancel = token, sleep = nap)]
    async fn call(token: &CancelToken, calls: &Cell<u32>) -> Result<(), Busy> {
        calls.set(calls.get() + 1);
        Err(Busy(calls.get()))
    }
    let (token, calls) = (CancelToken::new(), Cell::new(0));
    let mut call = std::pin::pin!(call(&token, &calls));
    assert!(support::poll_once(call.as_mut()).is_none());
    token.cancel();
    assert_eq!(support::poll_once(call.as_mut()), Some(Err(Busy(1))), "both are ready: the token counts");
}

#[test]
fn a_token_that_fires_in_a_timer_of_the_users_own_is_heard() {
    #[retry(base_ms = 1, on = |_| true, cancel = token, sleep = |_| token.cancel(), on_give_up = |event| {
        seen.gave_up.borrow_mut().push((event.reason(), event.attempts()));
    })]
    fn call(token: &CancelToken, seen: &Seen) -> Result<(), Busy> {
        seen.calls.set(seen.calls.get() + 1);
        Err(Busy(seen.calls.get()))
    }
    #[retry(base_ms = 1, on = |_| true, cancel = token, sleep = |_| async { token.cancel() }, on_give_up = |event| {
        seen.gave_up.borrow_mut().push((event.reason(), event.attempts()));
    })]
    async fn later(token: &CancelToken, seen: &Seen) -> Result<(), Busy> {
        seen.calls.set(seen.calls.get() + 1);
        Err(Busy(seen.calls.get()))
    }
    for call in [call, |token: &CancelToken, seen: &Seen| block_on(later(token, seen))] {
        let seen = Seen::default();
        assert_eq!(call(&CancelToken::new(), &seen), Err(Busy(1)));
        assert_eq!(*seen.gave_up.borrow(), [(StopReason::Cancelled, 1)]);
    }
}
