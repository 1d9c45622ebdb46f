//! tokio's timer.

use std::time::Duration;

pub(in crate::sleep) use tokio::time::Sleep as Timer;

/// Whether a tokio runtime is there to drive it.
pub(super) fn is_here() -> bool {
    // The first is cheap, and none outside a spawned task.
    tokio::task::try_id().is_some() || tokio::runtime::Handle::try_current().is_ok()
}

#[allow(dead_code, reason = "with a second timer the choice is made elsewhere")]
pub(in crate::sleep) fn start(delay: Duration) -> Timer {
    assert!(
        is_here(),
        "an annotated async function waits with tokio's timer, but no tokio runtime is running here: \
         run it inside one, or enable the feature `async-io` or `futures-timer` of `retry-runtime`"
    );
    tokio::time::sleep(delay)
}
