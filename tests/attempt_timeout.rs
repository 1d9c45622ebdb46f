//! The keys `attempt_timeout` and `timed_out`: a limit on one attempt. On tokio's paused clock.

use std::cell::{Cell, RefCell};
use std::future::pending;
use std::io;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Elapsed, GivenUp, Retryable, StopReason, retry};
use tokio::time::{Instant, sleep};

mod support;
use support::ms;

#[derive(Debug, PartialEq)]
enum Fault {
    Busy,
    Elapsed(Elapsed),
    Slow,
}

impl From<Elapsed> for Fault {
    fn from(elapsed: Elapsed) -> Self {
        Self::Elapsed(elapsed)
    }
}

/// Counts itself when it is dropped.
struct Held<'a>(&'a Cell<u32>);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[derive(Default)]
struct Seen {
    calls: Cell<u32>,
    dropped: Cell<u32>,
    judged: RefCell<Vec<String>>,
    reason: Cell<Option<StopReason>>,
}

impl Seen {
    fn judge(&self, fault: &Fault) -> bool {
        self.judged.borrow_mut().push(match fault {
            Fault::Elapsed(_) => "elapsed".to_owned(),
            other => format!("{other:?}"),
        });
        true
    }

    fn stopped(&self, event: &GivenUp<'_, Fault>) {
        self.reason.set(Some(event.reason()));
    }

    /// Hangs until the `good`th attempt.
    async fn hang(&self, good: u32) -> Result<u32, Fault> {
        self.calls.set(self.calls.get() + 1);
        let _held = Held(&self.dropped);
        if self.calls.get() < good {
            pending::<()>().await;
        }
        sleep(ms(10)).await;
        Ok(self.calls.get())
    }
}

#[retry(
    strategy = "none", base_ms = 50, cap_ms = 50, max = 2, attempt_timeout_ms = 100,
    on = |fault| seen.judge(fault), on_give_up = |event| seen.stopped(event)
)]
async fn limited(seen: &Seen, good: u32) -> Result<u32, Fault> {
    seen.hang(good).await
}

#[tokio::test(start_paused = true)]
async fn a_hung_attempt_is_cut_counted_judged_and_dropped() {
    let (seen, start) = (Seen::default(), Instant::now());
    assert_eq!(limited(&seen, 3).await, Ok(3));
    assert_eq!(start.elapsed(), ms(310));
    assert_eq!(*seen.judged.borrow(), ["elapsed", "elapsed"]);
    assert_eq!(seen.dropped.get(), 3, "two that were cut, one that ended");
}

#[tokio::test(start_paused = true)]
async fn the_last_timeout_is_what_comes_back() {
    let (seen, start) = (Seen::default(), Instant::now());
    let error = limited(&seen, 9).await.expect_err("every attempt hangs");
    let Fault::Elapsed(elapsed) = error else { panic!("{error:?}") };
    assert_eq!((elapsed.limit(), elapsed.by_deadline()), (ms(100), false));
    assert_eq!(elapsed.to_string(), "the attempt ran longer than 100ms");
    assert_eq!(start.elapsed(), ms(400));
    assert_eq!((seen.calls.get(), seen.reason.get()), (3, Some(StopReason::MaxRetries)));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_that_is_not_retryable_comes_back_at_once() {
    #[retry(max = 2, attempt_timeout_ms = 100, on = |_| false, on_give_up = |event| seen.stopped(event))]
    async fn strict(seen: &Seen) -> Result<u32, Fault> {
        seen.hang(2).await
    }
    let (seen, start) = (Seen::default(), Instant::now());
    assert!(matches!(strict(&seen).await, Err(Fault::Elapsed(_))));
    assert_eq!((seen.calls.get(), start.elapsed(), seen.reason.get()), (1, ms(100), None));
}

#[tokio::test(start_paused = true)]
async fn timed_out_makes_the_error_by_path_and_by_closure() {
    fn slow(_: Elapsed) -> Fault {
        Fault::Slow
    }
    #[retry(strategy = "none", base_ms = 50, cap_ms = 50, max = 2, attempt_timeout = "100ms", timed_out = slow, on = |fault| seen.judge(fault))]
    async fn by_path(seen: &Seen) -> Result<u32, Fault> {
        seen.hang(9).await
    }
    #[retry(strategy = "none", base_ms = 50, cap_ms = 50, max = 1, attempt_timeout = ms(100), timed_out = |elapsed| {
        assert_eq!(elapsed.limit(), ms(100));
        Fault::Slow
    }, on = |fault| seen.judge(fault))]
    async fn by_closure(seen: &Seen) -> Result<u32, Fault> {
        seen.hang(9).await
    }
    let seen = Seen::default();
    assert_eq!(by_path(&seen).await, Err(Fault::Slow));
    assert_eq!(*seen.judged.borrow(), ["Slow", "Slow", "Slow"]);
    assert_eq!(by_closure(&Seen::default()).await, Err(Fault::Slow));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_clipped_to_what_the_deadline_leaves() {
    #[retry(strategy = "none", base_ms = 50, cap_ms = 50, max = 9, attempt_timeout_ms = 100, deadline_ms = 220, on = |_| true, on_give_up = |event| seen.stopped(event))]
    async fn both(seen: &Seen) -> Result<u32, Fault> {
        seen.hang(9).await
    }
    let (seen, start) = (Seen::default(), Instant::now());
    let Err(Fault::Elapsed(elapsed)) = both(&seen).await else { panic!("every attempt hangs") };
    // 100, a wait of 50, and the 70 that are left.
    assert_eq!((elapsed.limit(), elapsed.by_deadline()), (ms(70), true));
    assert_eq!(elapsed.to_string(), "the attempt ran longer than 70ms, all that the deadline left");
    assert_eq!((seen.calls.get(), start.elapsed()), (2, ms(220)), "the deadline is never overrun");
    assert_eq!(seen.reason.get(), Some(StopReason::Deadline));
}

#[tokio::test(start_paused = true)]
async fn with_the_word_deadline_the_whole_call_is_bounded() {
    #[retry(strategy = "none", base_ms = 50, cap_ms = 50, max = 9, attempt_timeout = deadline, deadline_ms = 1_000, on = |_| true)]
    async fn bounded(calls: &Cell<u32>) -> Result<u32, Fault> {
        calls.set(calls.get() + 1);
        if calls.get() < 3 { Err(Fault::Busy) } else { pending().await }
    }
    let (calls, start) = (Cell::new(0), Instant::now());
    let Err(Fault::Elapsed(elapsed)) = bounded(&calls).await else { panic!("the third attempt hangs") };
    assert_eq!((elapsed.limit(), start.elapsed(), calls.get()), (ms(900), ms(1_000), 3));
}

#[tokio::test(start_paused = true)]
async fn the_nearest_deadline_clips_too() {
    #[retry(max = 9, attempt_timeout_ms = 500, on = |_| true)]
    async fn inner(seen: &Seen) -> Result<u32, Fault> {
        seen.hang(9).await
    }
    let (seen, start) = (Seen::default(), Instant::now());
    let result = retry_runtime::with_deadline(ms(200), inner(&seen)).await;
    assert!(matches!(result, Err(Fault::Elapsed(elapsed)) if elapsed.by_deadline()), "{result:?}");
    assert_eq!((start.elapsed(), seen.calls.get()), (ms(200), 1));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_is_fast_enough_is_not_touched() {
    let (seen, start) = (Seen::default(), Instant::now());
    assert_eq!(limited(&seen, 1).await, Ok(1));
    assert_eq!((start.elapsed(), seen.dropped.get()), (ms(10), 1));
}

#[tokio::test(start_paused = true)]
async fn an_outcome_at_the_very_limit_counts() {
    #[retry(max = 1, attempt_timeout_ms = 100, on = |_: &Fault| true)]
    async fn just_in_time() -> Result<u32, Fault> {
        sleep(ms(100)).await;
        Ok(1)
    }
    assert_eq!(just_in_time().await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn an_io_error_takes_a_timeout_in() {
    #[retry(strategy = "none", base_ms = 1, max = 1, attempt_timeout_ms = 100)]
    async fn read(calls: &Cell<u32>) -> io::Result<u32> {
        calls.set(calls.get() + 1);
        pending().await
    }
    let calls = Cell::new(0);
    let error = read(&calls).await.expect_err("it hangs");
    assert_eq!((error.kind(), calls.get()), (io::ErrorKind::TimedOut, 2));
    assert!(error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Elapsed>));
}

#[tokio::test(start_paused = true)]
async fn under_async_trait_and_in_boxed_futures() {
    use std::pin::Pin;
    #[async_trait::async_trait]
    trait Source {
        async fn take(&mut self) -> Result<u32, Fault>;
    }
    struct Slow(u32);
    #[async_trait::async_trait]
    impl Source for Slow {
        #[retry(strategy = "none", base_ms = 10, max = 2, attempt_timeout_ms = 100, on = |_| self.0 < 9)]
        async fn take(&mut self) -> Result<u32, Fault> {
            self.0 += 1;
            if self.0 < 3 { pending().await } else { Ok(self.0) }
        }
    }
    let mut slow = Slow(0);
    assert_eq!(slow.take().await, Ok(3));

    #[retry(strategy = "none", base_ms = 10, max = 2, attempt_timeout_ms = 100, on = |_| true)]
    fn boxed(calls: &Cell<u32>) -> Pin<Box<dyn Future<Output = Result<u32, Fault>> + '_>> {
        Box::pin(async move {
            calls.set(calls.get() + 1);
            if calls.get() < 3 { pending().await } else { Ok(calls.get()) }
        })
    }
    assert_eq!(boxed(&Cell::new(0)).await, Ok(3));
}

#[test]
fn elapsed_is_an_error_to_retry_that_goes_anywhere() {
    fn anywhere<T: std::error::Error + Retryable + Copy + Send + Sync + 'static>(error: T) -> bool {
        error.is_retryable() && !error.is_unprocessed() && error.retry_after().is_none()
    }
    let caught: RefCell<Option<Elapsed>> = RefCell::new(None);
    #[retry(max = 1, attempt_timeout_ms = 1, timed_out = |elapsed| *caught.borrow_mut() = Some(elapsed), on = |()| false)]
    async fn hang(caught: &RefCell<Option<Elapsed>>) -> Result<(), ()> {
        pending().await
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    assert!(runtime.expect("a runtime").block_on(hang(&caught)).is_err());
    assert!(caught.into_inner().is_some_and(anywhere));
}

#[test]
fn in_virtual_time_an_attempt_is_cut_where_it_waits_beyond_its_limit() {
    #[retry(strategy = "none", base_ms = 50, max = 3, attempt_timeout_ms = 100, on = |fault| seen.judge(fault))]
    async fn slower(time: &VirtualTime, seen: &Seen) -> Result<u32, Fault> {
        let number = seen.calls.get();
        seen.calls.set(number + 1);
        let _held = Held(&seen.dropped);
        time.advance(ms([100, 99, 300][number as usize]));
        if number < 2 {
            tokio::task::yield_now().await;
            return Err(Fault::Busy);
        }
        // It never waits: nobody looks at the clock.
        Ok(number)
    }
    let (time, seen) = (VirtualTime::start(), Seen::default());
    assert_eq!(support::block_on(slower(&time, &seen)), Ok(2));
    assert_eq!(*seen.judged.borrow(), ["elapsed", "Busy"]);
    assert_eq!((time.elapsed(), seen.dropped.get()), (ms(100 + 50 + 99 + 100 + 300), 3));
}

#[test]
fn the_body_is_held_once() {
    #[retry(attempt_timeout_ms = 100, on = |_| true)]
    async fn timed(n: u8) -> Result<u8, Fault> {
        let bytes = [n; 4_096];
        sleep(Duration::ZERO).await;
        Ok(bytes[usize::from(n)])
    }
    let size = size_of_val(&timed(1));
    assert!(size < 4_096 + 700, "{size}");
}
