//! `After`: what a field named by `#[retryable(after = …)]` may be.

use std::time::Duration;

/// A hint that an error carries.
#[diagnostic::on_unimplemented(
    message = "`after` names a field with the server's hint, and `{Self}` is none",
    label = "neither a `Duration` nor an `Option<Duration>`",
    note = "keep the hint as a `Duration`, or as an `Option<Duration>` where the server may not have given one"
)]
pub trait After {
    /// How long the other side asked to wait.
    fn after(&self) -> Option<Duration>;
}

impl After for Duration {
    fn after(&self) -> Option<Duration> {
        Some(*self)
    }
}

#[diagnostic::do_not_recommend]
impl After for Option<Duration> {
    fn after(&self) -> Self {
        *self
    }
}
