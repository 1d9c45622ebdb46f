//! Waiting by blocking the thread.

use std::time::Duration;

/// Blocks the thread for `delay`; a zero delay lets other threads go first.
pub fn block(delay: Duration) {
    #[cfg(feature = "test-util")]
    if crate::testing::pass(delay) {
        return;
    }
    if delay.is_zero() {
        std::thread::yield_now();
    } else {
        std::thread::sleep(delay);
    }
}
