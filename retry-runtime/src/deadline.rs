//! Deadlines through layers: the nearest deadline of the current task or thread, and the wish for a single attempt.

use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;

use crate::clock::Clock;
use crate::switch;

/// A point in time, on the clock of the call that set it.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    clock: Clock,
    at: Instant,
}

impl Deadline {
    /// `limit` after `start`; `None` where that lies beyond all time.
    pub(crate) fn after(clock: Clock, start: Instant, limit: Duration) -> Option<Self> {
        start.checked_add(limit).map(|at| Self { clock, at })
    }

    pub(crate) fn left(self) -> Duration {
        self.at.saturating_duration_since(self.clock.now())
    }

    /// The nearer of two, where there are two.
    #[inline]
    pub(crate) fn nearer(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.or_nearer(other)),
            (one, other) => one.or(other),
        }
    }

    fn or_nearer(self, other: Self) -> Self {
        let is_nearer =
            if self.clock == other.clock { self.at <= other.at } else { self.left() <= other.left() };
        if is_nearer { self } else { other }
    }
}

/// What everything annotated on this thread is bound to at this moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) nearest: Option<Deadline>,
    pub(crate) single: bool,
}

thread_local! {
    static BOUNDS: Cell<Bounds> = const { Cell::new(Bounds { nearest: None, single: false }) };
}

#[inline]
pub(crate) fn bounds() -> Bounds {
    BOUNDS.try_with(Cell::get).unwrap_or(Bounds { nearest: None, single: false })
}

pub(crate) fn nearest() -> Option<Deadline> {
    bounds().nearest
}

/// Sets bounds, and the earlier ones back when dropped, also by a panic.
struct Within(Bounds);

impl Within {
    fn set(new: impl FnOnce(Bounds) -> Bounds) -> Self {
        switch::touch();
        let before = bounds();
        let _: Result<(), _> = BOUNDS.try_with(|cell| cell.set(new(before)));
        Self(before)
    }

    fn deadline(deadline: Option<Deadline>) -> Self {
        Self::set(|before| Bounds { nearest: Deadline::nearer(before.nearest, deadline), ..before })
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        let _: Result<(), _> = BOUNDS.try_with(|cell| cell.set(self.0));
    }
}

/// What the nearest deadline of this task or thread leaves; `None` without one. For the timeout of a client that knows
/// nothing of deadlines.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(retry_runtime::time_left(), None);
/// retry_runtime::with_deadline_blocking(Duration::from_secs(3), || {
///     assert!(retry_runtime::time_left() <= Some(Duration::from_secs(3)));
/// });
/// ```
#[must_use]
pub fn time_left() -> Option<Duration> {
    nearest().map(Deadline::left)
}

/// Runs a closure in which every annotated call ends its retries within `limit` from now.
///
/// A deadline that an enclosing call or `with_deadline` set stays where it is nearer. Nothing is interrupted; see
/// [`with_deadline`] for async code: a future made in the closure and polled elsewhere is not bound.
pub fn with_deadline_blocking<R>(limit: Duration, closure: impl FnOnce() -> R) -> R {
    let clock = Clock::Blocking;
    let _within = Within::deadline(Deadline::after(clock, clock.now(), limit));
    closure()
}

/// A future in which every annotated call ends its retries within `limit` from its first poll.
///
/// For a middleware that gives each request its time. Holds for the same task, not across a spawn.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use std::time::Duration;
///
/// let left = retry_runtime::with_deadline(Duration::from_secs(2), async { retry_runtime::time_left() }).await;
/// assert!(left <= Some(Duration::from_secs(2)));
/// # });
/// ```
pub fn with_deadline<F: Future>(limit: Duration, future: F) -> WithDeadline<F> {
    WithDeadline { limit, deadline: None, future }
}

/// Runs a closure in which everything annotated makes a single attempt: where an outer layer retries already.
pub fn without_retries_blocking<R>(closure: impl FnOnce() -> R) -> R {
    let _within = Within::set(|before| Bounds { single: true, ..before });
    closure()
}

/// A future in which everything annotated makes a single attempt: where an outer layer retries already.
///
/// Three layers of three retries each would make 64 attempts of one failing request. Holds for the same task, not
/// across a spawn; such a call gives up with [`StopReason::Off`](crate::StopReason::Off).
pub fn without_retries<F: Future>(future: F) -> WithoutRetries<F> {
    WithoutRetries { future }
}

pin_project! {
    /// What [`with_deadline`] returns.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct WithDeadline<F> {
        limit: Duration,
        deadline: Option<Deadline>,
        #[pin] future: F,
    }
}

impl<F: Future> Future for WithDeadline<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        if this.deadline.is_none() {
            *this.deadline = Deadline::after(Clock::Async, Clock::Async.now(), *this.limit);
        }
        let _within = Within::deadline(*this.deadline);
        this.future.poll(cx)
    }
}

pin_project! {
    /// What [`without_retries`] returns.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct WithoutRetries<F> {
        #[pin] future: F,
    }
}

impl<F: Future> Future for WithoutRetries<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let _within = Within::set(|before| Bounds { single: true, ..before });
        self.project().future.poll(cx)
    }
}

/// Runs a blocking attempt under its call's deadline.
#[inline]
pub fn attempt_within<O>(deadline: Option<Deadline>, body: impl FnOnce() -> O) -> O {
    let _within = deadline.map(|deadline| Within::deadline(Some(deadline)));
    body()
}

pub(crate) fn poll_within<F: Future>(
    deadline: Option<Deadline>,
    future: Pin<&mut F>,
    cx: &mut Context<'_>,
) -> Poll<F::Output> {
    let _within = deadline.map(|deadline| Within::deadline(Some(deadline)));
    future.poll(cx)
}

/// Polls an attempt under its call's deadline. Takes the pinned future by reference: by value it would be held twice.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct Inside<'a, F> {
    deadline: Option<Deadline>,
    future: Pin<&'a mut F>,
}

/// An attempt under its call's deadline.
#[inline]
pub fn inside<F: Future>(deadline: Option<Deadline>, future: Pin<&mut F>) -> Inside<'_, F> {
    Inside { deadline, future }
}

impl<F: Future> Future for Inside<'_, F> {
    type Output = F::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        poll_within(self.deadline, self.future.as_mut(), cx)
    }
}
