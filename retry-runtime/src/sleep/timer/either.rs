//! Two timers at once: tokio's where a tokio runtime runs, the other elsewhere. Chosen when a wait begins.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::Duration;

use pin_project_lite::pin_project;

use super::{elsewhere, tokio};

pin_project! {
    /// A running timer.
    #[project = Which]
    #[derive(Debug)]
    pub(in crate::sleep) enum Timer {
        Tokio { #[pin] timer: tokio::Timer },
        Elsewhere { #[pin] timer: elsewhere::Timer },
    }
}

pub(in crate::sleep) fn start(delay: Duration) -> Timer {
    if tokio::is_here() {
        Timer::Tokio { timer: tokio::start(delay) }
    } else {
        Timer::Elsewhere { timer: elsewhere::start(delay) }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.project() {
            Which::Tokio { timer } => timer.poll(cx),
            Which::Elsewhere { timer } => timer.poll(cx),
        }
    }
}
