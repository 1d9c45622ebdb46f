//! Each timer on its own executor, two at once, and tokio's without a runtime. Which of these tests there are depends on
//! the features; `.ci/run` goes through the combinations. The waits are real, and a few milliseconds long.
#![cfg(all(feature = "macros", any(feature = "tokio", feature = "async-io", feature = "futures-timer")))]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;
#[cfg(any(feature = "async-io", feature = "futures-timer"))]
use std::time::Instant;

use retry_runtime::retry;

const WAITS: Duration = Duration::from_millis(2 + 4);

#[retry(strategy = "none", base_ms = 2, max = 2, on = retry_runtime::always)]
async fn third_time(calls: &AtomicU32) -> Result<u32, &'static str> {
    let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
    if call < 3 { Err("busy") } else { Ok(call) }
}

fn no_wait(_: &retry_runtime::Draw) -> Duration {
    Duration::ZERO
}

#[retry(strategy = no_wait, max = 2, on = retry_runtime::always)]
async fn at_once(calls: &AtomicU32) -> Result<u32, &'static str> {
    let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
    if call < 3 { Err("busy") } else { Ok(call) }
}

/// An executor that knows no runtime: it parks the thread until somebody wakes it.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

#[cfg(any(feature = "async-io", feature = "futures-timer"))]
#[test]
fn waits_on_an_executor_without_runtime() {
    let started = Instant::now();
    assert_eq!(block_on(third_time(&AtomicU32::new(0))), Ok(3));
    assert!(started.elapsed() >= WAITS);
}

#[cfg(feature = "async-io")]
#[test]
fn waits_on_the_executor_of_async_io() {
    let started = Instant::now();
    assert_eq!(async_io::block_on(third_time(&AtomicU32::new(0))), Ok(3));
    assert!(started.elapsed() >= WAITS);
}

#[cfg(feature = "tokio")]
#[test]
fn waits_on_tokio_whose_paused_clock_it_obeys() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let started = tokio::time::Instant::now();
        assert_eq!(third_time(&AtomicU32::new(0)).await, Ok(3));
        // The paused clock moves in whole milliseconds, and by nothing else than these waits.
        assert_eq!(started.elapsed(), WAITS, "tokio's clock did not drive the waits");
    });
}

#[cfg(all(feature = "tokio", not(any(feature = "async-io", feature = "futures-timer"))))]
#[test]
fn without_a_tokio_runtime_the_panic_names_the_features() {
    let panic = std::panic::catch_unwind(|| block_on(third_time(&AtomicU32::new(0)))).expect_err("no timer");
    let text =
        panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(ToString::to_string));
    let text = text.unwrap_or_default();
    assert!(
        text.contains("no tokio runtime") && text.contains("`async-io`") && text.contains("`futures-timer`"),
        "{text}"
    );
}

#[test]
fn a_zero_delay_needs_no_timer() {
    assert_eq!(block_on(at_once(&AtomicU32::new(0))), Ok(3));
}
