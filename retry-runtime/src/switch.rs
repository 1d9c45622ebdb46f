//! The switch that turns all retries of the process off and on.

use core::sync::atomic::{AtomicBool, Ordering};

static ENABLED: AtomicBool = AtomicBool::new(true);

/// Whether nothing has ever been set outside a function that its retries depend on: in most programs one look is enough.
static UNTOUCHED: AtomicBool = AtomicBool::new(true);

/// Turns the retries of the whole process off (every call makes one attempt and gives up with
/// [`StopReason::Off`](crate::StopReason::Off)) or back on.
///
/// The switch is read only after an attempt has failed. It is meant for an operator in an incident, and for tests.
///
/// ```
/// use retry_runtime::{Failure, Policy, Run, Step, StopReason, set_enabled};
///
/// set_enabled(false);
/// assert_eq!(Run::start(Policy::new()).failed(Failure::new()), Step::GiveUp(StopReason::Off));
/// set_enabled(true);
/// ```
pub fn set_enabled(enabled: bool) {
    ENABLED.store(enabled, Ordering::Relaxed);
    touch();
}

pub(crate) fn enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}

/// From here on every retry looks at the switch and at what binds its thread.
pub(crate) fn touch() {
    // Written once: threads that poll under a deadline would take the cache line from each other.
    if UNTOUCHED.load(Ordering::Relaxed) {
        UNTOUCHED.store(false, Ordering::Relaxed);
    }
}

/// Whether that can be left out. What binds a thread is set by the thread itself, so it sees this as well.
#[inline]
pub(crate) fn is_untouched() -> bool {
    UNTOUCHED.load(Ordering::Relaxed)
}
