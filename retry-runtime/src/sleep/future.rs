//! The wait between two attempts of async code, whatever timer it uses.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::Duration;

use pin_project_lite::pin_project;

use super::timer::{self, Timer};

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
