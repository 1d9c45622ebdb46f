//! What every shape shares: a body that fails twice, and the count of its runs.

use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use retry_runtime::Retryable;
use retry_runtime::testing::VirtualTime;

use crate::support::block_on;

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// The failure of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("busy")
    }
}

impl std::error::Error for Busy {}

impl Retryable for Busy {
    fn is_retryable(&self) -> bool {
        true
    }
}

/// The predicate of most shapes.
pub const fn is_busy(_: &Busy) -> bool {
    true
}

/// One run of a body: the third in a row succeeds.
pub fn third() -> Result<u32, Busy> {
    let run = RUNS.get() + 1;
    RUNS.set(run);
    if run < 3 { Err(Busy) } else { Ok(run) }
}

/// The same, on an executor that has to ask twice.
pub async fn third_later() -> Result<u32, Busy> {
    OnceMore(false).await;
    third()
}

struct OnceMore(bool);

impl Future for OnceMore {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Makes a call whose body must run exactly `runs` times, with a wait between two runs.
#[track_caller]
pub fn runs<T>(runs: u32, call: impl FnOnce() -> T) -> T {
    let time = VirtualTime::start();
    RUNS.set(0);
    let value = call();
    assert_eq!(RUNS.get(), runs, "runs of the body");
    assert_eq!(time.waits().len(), runs.saturating_sub(1) as usize, "waits");
    value
}

/// Makes a call whose body must run exactly three times.
#[track_caller]
pub fn thrice<T>(call: impl FnOnce() -> T) -> T {
    runs(3, call)
}

/// The same for a future.
#[track_caller]
pub fn thrice_later<F: Future>(future: F) -> F::Output {
    runs(3, || block_on(future))
}

/// Holds only for futures that may move between threads.
pub const fn send<F: Future + Send>(future: F) -> F {
    future
}
