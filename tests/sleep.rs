//! Waiting: the timer that comes with the runtime, one of your own by `sleep`, and what a zero delay does.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use retry_runtime::{Draw, always, retry};

mod support;
use support::{Log, block_on, ms, secs};

thread_local! {
    static WAITED: RefCell<Vec<Duration>> = const { RefCell::new(Vec::new()) };
}

fn note(delay: Duration) {
    WAITED.with_borrow_mut(|waited| waited.push(delay));
}

async fn note_later(delay: Duration) {
    std::future::ready(()).await;
    note(delay);
}

fn waited() -> Vec<Duration> {
    WAITED.take()
}

#[test]
fn a_blocking_sleeper_by_path_waits_instead() {
    #[retry(strategy = "none", max = 2, on = always, sleep = note)]
    fn load() -> Result<(), ()> {
        Err(())
    }

    assert!(load().is_err());
    assert_eq!(waited(), [ms(200), ms(400)]);
}

#[test]
fn an_async_sleeper_by_path_waits_instead_and_needs_no_runtime() {
    #[retry(strategy = "none", max = 2, on = always, sleep = note_later)]
    async fn load() -> Result<(), ()> {
        Err(())
    }

    assert!(block_on(load()).is_err());
    assert_eq!(waited(), [ms(200), ms(400)]);
}

#[test]
fn closures_wait_too_and_see_what_the_body_sees() {
    struct Timer {
        log: Log,
    }

    impl Timer {
        async fn wait(&self, delay: Duration) {
            std::future::ready(()).await;
            self.log.add(format!("{delay:?}"));
        }

        #[retry(strategy = "none", max = 1, on = always, sleep = |delay| self.log.add(format!("{name} {delay:?}")))]
        fn load(&self, name: &str) -> Result<(), ()> {
            Err(())
        }

        #[retry(strategy = "none", max = 1, on = always, sleep = |delay| self.wait(delay * times))]
        async fn load_later(&self, times: u32) -> Result<(), ()> {
            Err(())
        }

        #[retry(strategy = "none", max = 1, on = always, sleep = async |delay: Duration| self.wait(delay).await)]
        async fn load_async(&self) -> Result<(), ()> {
            Err(())
        }
    }

    let timer = Timer { log: Log::new() };
    assert!(timer.load("t").is_err());
    assert!(block_on(timer.load_later(3)).is_err());
    assert!(block_on(timer.load_async()).is_err());
    assert_eq!(timer.log.take(), ["t 200ms", "600ms", "200ms"]);
}

#[test]
fn it_is_asked_for_hints_as_well_and_not_after_the_last_attempt() {
    #[retry(max = 2, retry_after_mode = "replace", on = always, retry_after = |()| Some(secs(3)), sleep = note)]
    fn load() -> Result<(), ()> {
        Err(())
    }

    assert!(load().is_err());
    assert_eq!(waited(), [secs(3), secs(3)]);
}

/// A waker that counts.
#[derive(Default)]
struct Woken(AtomicU32);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn at_once(_: &Draw) -> Duration {
    Duration::ZERO
}

#[retry(strategy = at_once, max = 3, on = always)]
async fn eager(log: &Log) -> Result<(), ()> {
    log.add("attempt");
    Err(())
}

#[test]
fn a_zero_delay_yields_to_the_executor_once_and_asks_to_be_polled_again() {
    let (log, woken) = (Log::new(), Arc::new(Woken::default()));
    let waker = Waker::from(woken.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(eager(&log));
    for attempt in 1..=3 {
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert_eq!(log.count(), attempt);
        assert_eq!(woken.0.load(Ordering::Relaxed), u32::try_from(attempt).unwrap());
    }
    assert_eq!(future.poll(&mut context), Poll::Ready(Err(())));
    assert_eq!(log.count(), 4);
}

/// As a zero delay does; tokio's own would wait until nothing else is to be done.
async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[test]
fn with_zero_delays_another_task_of_the_thread_runs_in_between() {
    // No timer at all: a zero delay must not touch it.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let log = Rc::new(Log::new());
    let tasks = tokio::task::LocalSet::new();
    let first = tasks.spawn_local({
        let log = log.clone();
        async move { eager(&log).await }
    });
    tasks.spawn_local({
        let log = log.clone();
        async move {
            for _ in 0..3 {
                log.add("other");
                yield_once().await;
            }
        }
    });
    runtime.block_on(tasks.run_until(async { assert_eq!(first.await.unwrap(), Err(())) }));
    assert_eq!(log.take(), ["attempt", "other", "attempt", "other", "attempt", "other", "attempt"]);
}

#[test]
fn a_zero_delay_lets_a_blocking_call_go_on() {
    #[retry(strategy = at_once, max = 3, on = always, attempt = now)]
    fn load() -> Result<(), u32> {
        Err(now.number())
    }

    assert_eq!(load(), Err(4), "a zero delay is no reason to stop");
}

#[tokio::test(start_paused = true)]
async fn the_wait_of_an_async_function_does_not_block_the_thread() {
    #[retry(strategy = "none", max = 1, on = always)]
    async fn load() -> Result<(), ()> {
        Err(())
    }

    let started = tokio::time::Instant::now();
    let both = tokio::join!(load(), async {
        tokio::time::sleep(ms(150)).await;
        started.elapsed()
    });
    assert_eq!(both, (Err(()), ms(150)));
    assert_eq!(started.elapsed(), ms(200));
}

#[test]
#[should_panic(expected = "no tokio runtime is running here")]
fn without_a_tokio_runtime_its_timer_says_what_is_missing() {
    #[retry(max = 1, strategy = "none", on = always)]
    async fn load() -> Result<(), ()> {
        Err(())
    }

    let _ = block_on(load());
}
