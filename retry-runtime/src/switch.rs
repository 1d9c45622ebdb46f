//! The switch that turns all retries of the process off and on.

use core::sync::atomic::{AtomicBool, Ordering};

static ENABLED: AtomicBool = AtomicBool::new(true);

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
}

pub(crate) fn enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}
