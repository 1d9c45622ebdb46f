//! What can be run n times, by row and subject; the attempts are counted, inputs and results are opaque to the compiler.

use std::future::Future;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::subjects::{
    again, backoff, backon, backon_macros, bare, hand, mulligan, ours, retry, retry_if, tokio_retry,
    tokio_retry2, tryhard,
};
use crate::work::{BASE, CAP, Error, Work};

/// A row of the table that is run n times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A blocking call that succeeds at once.
    Success,
    /// An async one, polled once.
    SuccessLater,
    /// A blocking call that fails three times; the delays are computed and not waited for.
    Three,
    /// A thousand times.
    Thousand,
    /// A million times: the growth.
    Million,
    /// An async call that fails three times; the delays are computed, and not waited for where that can be had.
    ThreeLater,
    /// Three delays of zero, which yield to the executor.
    Yields,
    /// Three delays on tokio's paused clock.
    Delays,
    /// One delay with jitter.
    Jittered,
    /// One delay without.
    Plain,
}

impl Row {
    pub const ALL: [Self; 10] = [
        Self::Success,
        Self::SuccessLater,
        Self::Three,
        Self::Thousand,
        Self::Million,
        Self::ThreeLater,
        Self::Yields,
        Self::Delays,
        Self::Jittered,
        Self::Plain,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::SuccessLater => "success-later",
            Self::Three => "three",
            Self::Thousand => "thousand",
            Self::Million => "million",
            Self::ThreeLater => "three-later",
            Self::Yields => "yields",
            Self::Delays => "delays",
            Self::Jittered => "jittered",
            Self::Plain => "plain",
        }
    }
}

/// One subject in one row.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub row: Row,
    pub subject: &'static str,
    /// Runs it n times.
    pub run: fn(u64),
}

fn blocking(n: u64, failures: u32, call: impl Fn(&Work) -> Result<u64, Error>) {
    let work = Work::default();
    for _ in 0..n {
        work.fail(failures);
        assert!(black_box(call(black_box(&work))).is_ok());
    }
    assert_eq!(work.attempts(), n * (u64::from(failures) + 1));
}

// As an executor does it: through a vtable.
#[inline(never)]
fn poll_once(future: Pin<&mut dyn Future<Output = Result<u64, Error>>>) -> Poll<Result<u64, Error>> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn polled<F: Future<Output = Result<u64, Error>>>(n: u64, call: impl Fn(&'static Work) -> F) {
    let work: &'static Work = Box::leak(Box::default());
    for _ in 0..n {
        let future = pin!(call(black_box(work)));
        assert!(matches!(black_box(poll_once(future)), Poll::Ready(Ok(_))));
    }
    assert_eq!(work.attempts(), n);
}

/// In a task of tokio's.
fn driven<F>(n: u64, failures: u32, paused: bool, call: impl Fn(&'static Work) -> F + Send + 'static)
where
    F: Future<Output = Result<u64, Error>> + Send + 'static,
{
    let runtime = runtime(paused);
    let task = runtime.spawn(repeated(n, failures, call));
    runtime.block_on(task).expect("no attempt panics");
}

fn runtime(paused: bool) -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(paused).build().expect("a runtime can be built")
}

async fn repeated<F>(n: u64, failures: u32, call: impl Fn(&'static Work) -> F)
where
    F: Future<Output = Result<u64, Error>>,
{
    let work: &'static Work = Box::leak(Box::default());
    for _ in 0..n {
        work.fail(failures);
        assert!(black_box(call(black_box(work)).await).is_ok());
    }
    assert_eq!(work.attempts(), n * (u64::from(failures) + 1));
}

/// Five delays of a strategy that counts for itself.
fn five<I: Iterator<Item = Duration>>(n: u64, delays: impl Fn() -> I) {
    for _ in 0..n {
        let mut delays = delays();
        for _ in 0..5 {
            assert!(black_box(black_box(&mut delays).next()).is_some());
        }
    }
}

/// Five delays of a strategy that is told the number of the retry.
fn told(n: u64, delay: impl Fn(u32, Duration, Duration) -> Duration) {
    for _ in 0..n {
        for retry in 1..=5 {
            black_box(delay(black_box(retry), BASE, CAP));
        }
    }
}

macro_rules! cases {
    ($($subject:ident: $($row:ident)*;)*) => {
        /// Every subject in every row in which it can stand.
        pub const CASES: &[Case] = &[$($(Case {
            row: Row::$row,
            subject: stringify!($subject),
            run: |n| cases!(@ $row, $subject, n),
        },)*)*];
    };
    (@ Success, $subject:ident, $n:ident) => { blocking($n, 0, $subject::blocking) };
    (@ Three, $subject:ident, $n:ident) => { blocking($n, 3, $subject::blocking_unwaited) };
    (@ Thousand, $subject:ident, $n:ident) => { blocking($n, 1_000, $subject::blocking_unwaited) };
    (@ Million, $subject:ident, $n:ident) => { blocking($n, 1_000_000, $subject::blocking_unwaited) };
    (@ SuccessLater, $subject:ident, $n:ident) => { polled($n, $subject::later) };
    (@ ThreeLater, $subject:ident, $n:ident) => { driven($n, 3, false, $subject::later_unwaited) };
    (@ Yields, $subject:ident, $n:ident) => { driven($n, 3, false, $subject::later_yielding) };
    (@ Delays, $subject:ident, $n:ident) => { driven($n, 3, true, $subject::later_waiting) };
    (@ Jittered, bare, $n:ident) => { told($n, bare::jittered) };
    (@ Jittered, hand, $n:ident) => { told($n, hand::jittered) };
    (@ Jittered, ours, $n:ident) => { told($n, ours::jittered) };
    (@ Jittered, $subject:ident, $n:ident) => { five($n, $subject::jittered) };
    (@ Plain, bare, $n:ident) => { told($n, bare::plain) };
    (@ Plain, hand, $n:ident) => { told($n, hand::plain) };
    (@ Plain, ours, $n:ident) => { told($n, ours::plain) };
    (@ Plain, $subject:ident, $n:ident) => { five($n, $subject::plain) };
}

cases! {
    bare: Success SuccessLater Jittered Plain;
    hand: Success Three Thousand Million SuccessLater ThreeLater Yields Delays Jittered Plain;
    ours: Success Three Thousand Million SuccessLater ThreeLater Yields Delays Jittered Plain;
    backon: Success Three Thousand SuccessLater ThreeLater Delays Jittered Plain;
    backon_macros: Success Three Thousand SuccessLater ThreeLater Delays;
    tokio_retry: SuccessLater ThreeLater Delays Jittered Plain;
    tokio_retry2: SuccessLater ThreeLater Delays Jittered Plain;
    backoff: Success Three Thousand SuccessLater ThreeLater Delays Jittered Plain;
    again: SuccessLater ThreeLater;
    retry: Success Three Thousand Jittered Plain;
    tryhard: SuccessLater ThreeLater Delays Plain;
    mulligan: Success Three Thousand SuccessLater Jittered Plain;
    retry_if: SuccessLater ThreeLater Delays Plain;
}
