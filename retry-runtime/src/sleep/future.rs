//! The wait between two attempts of async code, whatever timer it uses.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;

use super::timer::{self, Timer};
use crate::cancel::{Cancel, Unless, unless};
use crate::clock::Clock;

pin_project! {
    /// The wait between two attempts.
    // The timer lies inline, not in a box: a wait allocates nothing.
    #[project = Stage]
    #[derive(Debug)]
    #[must_use = "a wait does nothing unless it is awaited"]
    pub enum Sleep {
        Yield { yielded: bool },
        Timer { #[pin] timer: Timer },
    }
}

/// Waits for `delay` without blocking the thread; a zero delay yields to the executor and touches no timer.
///
/// # Panics
/// When tokio's is the only timer and no tokio runtime is there to drive it.
#[inline]
pub fn sleep(delay: Duration) -> Sleep {
    #[cfg(feature = "test-util")]
    if crate::testing::pass(delay) {
        return Sleep::Yield { yielded: false };
    }
    if delay.is_zero() {
        Sleep::Yield { yielded: false }
    } else {
        Sleep::Timer { timer: timer::start(delay) }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.project() {
            Stage::Timer { timer } => timer.poll(cx),
            Stage::Yield { yielded } if *yielded => Poll::Ready(()),
            Stage::Yield { yielded } => {
                *yielded = true;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

/// The same wait, or until the token fires; `true` if it has.
pub fn sleep_unless<C>(delay: Duration, token: &C) -> Unless<Sleep, impl Future<Output = ()>>
where
    C: Cancel + ?Sized,
{
    #[cfg(feature = "test-util")]
    if crate::testing::pass_until(delay, || token.is_cancelled()) {
        return unless(Sleep::Yield { yielded: false }, token);
    }
    unless(sleep(delay), token)
}

pin_project! {
    /// The time that an attempt may take.
    #[project = Which]
    #[derive(Debug)]
    #[must_use = "a limit does nothing unless it is awaited"]
    pub enum Limit {
        None,
        // Virtual time is moved by the attempt itself.
        Virtual { until: Instant },
        Real { #[pin] sleep: Sleep },
    }
}

/// Ready when an attempt that begins now has run for `limit`; never, where that lies beyond all time.
pub fn limit(limit: Duration) -> Limit {
    if limit == Duration::MAX {
        return Limit::None;
    }
    #[cfg(feature = "test-util")]
    if let Some(until) = crate::testing::now().and_then(|now| now.checked_add(limit)) {
        return Limit::Virtual { until };
    }
    let sleep = if limit.is_zero() {
        Sleep::Yield { yielded: false }
    } else {
        Sleep::Timer { timer: timer::start(limit) }
    };
    Limit::Real { sleep }
}

impl Future for Limit {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.project() {
            Which::Virtual { until } if Clock::Async.now() >= *until => Poll::Ready(()),
            Which::None | Which::Virtual { .. } => Poll::Pending,
            Which::Real { sleep } => sleep.poll(cx),
        }
    }
}
