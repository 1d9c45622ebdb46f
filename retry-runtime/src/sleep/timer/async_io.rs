//! The timer of `async-io`, which runs on a thread of its own and needs no runtime.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::Duration;

/// A running timer.
#[derive(Debug)]
pub(in crate::sleep) struct Timer(async_io::Timer);

pub(in crate::sleep) fn start(delay: Duration) -> Timer {
    Timer(async_io::Timer::after(delay))
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx).map(|_| ())
    }
}
