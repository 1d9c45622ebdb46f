//! The timer of `futures-timer`, which runs on a thread of its own and needs no runtime.

use std::time::Duration;

pub(in crate::sleep) use futures_timer::Delay as Timer;

pub(in crate::sleep) fn start(delay: Duration) -> Timer {
    Timer::new(delay)
}
