//! `Elapsed`: an attempt that ran out of time, and how generated code cuts it. Knows no policy.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::Duration;

use crate::deadline::{self, Deadline};
use crate::judge::Fallible;
use crate::retryable::Retryable;

/// An attempt was cut by `attempt_timeout`.
///
/// An error type takes it in with `From<Elapsed>`, or the attribute turns it into one with `timed_out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed {
    limit: Duration,
    by_deadline: bool,
}

impl Elapsed {
    pub(crate) const fn new(limit: Duration, by_deadline: bool) -> Self {
        Self { limit, by_deadline }
    }

    /// How long the attempt was allowed to run.
    #[must_use]
    pub const fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether the deadline left it less than `attempt_timeout`.
    #[must_use]
    pub const fn by_deadline(&self) -> bool {
        self.by_deadline
    }
}

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = if self.by_deadline { ", all that the deadline left" } else { "" };
        write!(f, "the attempt ran longer than {:?}{cut}", self.limit)
    }
}

impl core::error::Error for Elapsed {}

/// Another attempt may be faster.
#[diagnostic::do_not_recommend]
impl Retryable for Elapsed {
    fn is_retryable(&self) -> bool {
        true
    }
}

impl From<Elapsed> for std::io::Error {
    fn from(elapsed: Elapsed) -> Self {
        Self::new(std::io::ErrorKind::TimedOut, elapsed)
    }
}

/// An attempt with a timer beside it. Both by reference: by value they would be held twice.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct Timed<'a, F, S> {
    deadline: Option<Deadline>,
    attempt: Pin<&'a mut F>,
    timer: Pin<&'a mut S>,
}

/// The outcome of an attempt under its call's deadline; `None` when the timer was first.
#[inline]
pub fn timed<'a, F, S>(
    deadline: Option<Deadline>,
    attempt: Pin<&'a mut F>,
    timer: Pin<&'a mut S>,
) -> Timed<'a, F, S>
where
    F: Future,
    S: Future,
{
    Timed { deadline, attempt, timer }
}

impl<F: Future, S: Future> Future for Timed<'_, F, S> {
    type Output = Option<F::Output>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let deadline = self.deadline;
        if let Poll::Ready(output) = deadline::poll_within(deadline, self.attempt.as_mut(), cx) {
            return Poll::Ready(Some(output));
        }
        self.timer.as_mut().poll(cx).map(|_| None)
    }
}

/// An outcome that `when` judges and that a timed-out attempt can have: a `Result`.
#[diagnostic::on_unimplemented(
    message = "an attempt that runs out of time becomes an error, but `{Self}` is no `Result`",
    label = "not a `Result`",
    note = "return a `Result`, or leave out `attempt_timeout`; where it is a default of the block, write `attempt_timeout = none`"
)]
pub trait Cut {
    /// What the timeout becomes.
    type Error;
    /// The outcome of an attempt that may have run out of time.
    fn settled(
        outcome: &mut Option<Self>,
        elapsed: Elapsed,
        timed_out: impl FnOnce(Elapsed) -> Self::Error,
    ) -> Self
    where
        Self: Sized;
}

#[diagnostic::do_not_recommend]
impl<T, E> Cut for Result<T, E> {
    type Error = E;

    #[inline]
    fn settled(outcome: &mut Option<Self>, elapsed: Elapsed, timed_out: impl FnOnce(Elapsed) -> E) -> Self {
        Fallible::settled(outcome, elapsed, timed_out)
    }
}

/// What an attempt that ran out of time becomes without `timed_out`.
#[diagnostic::on_unimplemented(
    message = "an attempt that runs out of time becomes an error, and `{Self}` has no `From<Elapsed>`",
    label = "what makes a `{Self}` of an `Elapsed`?",
    note = "write `timed_out = a_function`, with `fn a_function(elapsed: Elapsed) -> {Self}`, or implement `From<retry_runtime::Elapsed>` for `{Self}`"
)]
pub trait OfElapsed {
    /// The error.
    fn of_elapsed(elapsed: Elapsed) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Elapsed>> OfElapsed for E {
    #[inline]
    fn of_elapsed(elapsed: Elapsed) -> Self {
        elapsed.into()
    }
}
