//! `Cancel`: what ends a wait from outside, and a token of our own. Knows no policy.

use core::future::{Future, poll_fn};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};
use std::sync::{Arc, PoisonError};
use std::task::Wake;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;

use crate::sync::{Mutex, MutexGuard};

/// Something that calls a call off: its wait ends at once, and it gives up with
/// [`StopReason::Cancelled`](crate::StopReason::Cancelled) and its last outcome. A running attempt is not interrupted.
///
/// Given for [`CancelToken`], references and `Arc`s, with the feature `tokio` for `tokio::sync::watch::Receiver<bool>`
/// and with `tokio-util` for its `CancellationToken`.
#[diagnostic::on_unimplemented(
    message = "`cancel` takes a token, and `{Self}` does not implement `Cancel`",
    label = "not a `Cancel`",
    note = "a `retry_runtime::CancelToken` is one, with the feature `tokio-util` its `CancellationToken`; `cancel = dropped` leaves it to the owner of the future"
)]
pub trait Cancel {
    /// Whether it has fired.
    fn is_cancelled(&self) -> bool;

    /// Ready once it has fired. Dropping the future leaves nothing behind.
    fn cancelled(&self) -> impl Future<Output = ()>;
}

#[diagnostic::do_not_recommend]
impl<C: Cancel + ?Sized> Cancel for &C {
    fn is_cancelled(&self) -> bool {
        (**self).is_cancelled()
    }

    fn cancelled(&self) -> impl Future<Output = ()> {
        (**self).cancelled()
    }
}

#[diagnostic::do_not_recommend]
impl<C: Cancel + ?Sized> Cancel for Arc<C> {
    fn is_cancelled(&self) -> bool {
        (**self).is_cancelled()
    }

    fn cancelled(&self) -> impl Future<Output = ()> {
        (**self).cancelled()
    }
}

#[cfg(feature = "tokio-util")]
#[diagnostic::do_not_recommend]
impl Cancel for tokio_util::sync::CancellationToken {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled()
    }

    fn cancelled(&self) -> impl Future<Output = ()> {
        self.cancelled()
    }
}

/// Fires when the value becomes `true`; a sender that is gone can never fire.
#[cfg(feature = "tokio")]
#[diagnostic::do_not_recommend]
impl Cancel for tokio::sync::watch::Receiver<bool> {
    fn is_cancelled(&self) -> bool {
        *self.borrow()
    }

    fn cancelled(&self) -> impl Future<Output = ()> {
        let mut receiver = self.clone();
        async move {
            if receiver.wait_for(|fired| *fired).await.is_err() {
                core::future::pending::<()>().await;
            }
        }
    }
}

/// A token for blocking and async code alike: [`cancel`](CancelToken::cancel) wakes every sleeping thread and task at
/// once. Clones are the same token: where the body of a `&mut self` method uses all of `self`, write
/// `cancel = self.token.clone()`.
///
/// ```
/// use retry_runtime::{CancelToken, retry};
///
/// #[retry(cancel = token, max = unlimited, on = retry_runtime::always)]
/// fn poll(token: &CancelToken) -> Result<(), &'static str> {
///     Err("not yet")
/// }
///
/// let token = CancelToken::new();
/// token.cancel();
/// assert_eq!(poll(&token), Err("not yet"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    fired: bool,
    next: u64,
    /// Who waits, in the order of arrival.
    waiting: Vec<(u64, Waker)>,
}

impl CancelToken {
    /// A token that has not fired.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fires; it stays fired.
    pub fn cancel(&self) {
        let waiting = {
            let mut state = self.state();
            state.fired = true;
            core::mem::take(&mut state.waiting)
        };
        for (_, waker) in waiting {
            waker.wake();
        }
    }

    /// How many waits it would end now.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[diagnostic::do_not_recommend]
impl Cancel for CancelToken {
    fn is_cancelled(&self) -> bool {
        self.state().fired
    }

    fn cancelled(&self) -> impl Future<Output = ()> {
        let mut registered = Registered { token: self, id: None };
        poll_fn(move |cx| registered.poll(cx))
    }
}

/// A place among those who wait, given up when dropped.
struct Registered<'a> {
    token: &'a CancelToken,
    id: Option<u64>,
}

impl Registered<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.token.state();
        if state.fired {
            return Poll::Ready(());
        }
        let id = self.id.unwrap_or(state.next);
        if let Some((_, waker)) = state.waiting.iter_mut().find(|(known, _)| *known == id) {
            waker.clone_from(cx.waker());
        } else {
            state.next += 1;
            state.waiting.push((id, cx.waker().clone()));
            self.id = Some(id);
        }
        Poll::Pending
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.token.state().waiting.retain(|(known, _)| *known != id);
        }
    }
}

/// Blocks the thread for `delay`, or until the token fires; `true` if it has.
pub fn block_unless<C: Cancel + ?Sized>(delay: Duration, token: &C) -> bool {
    #[cfg(feature = "test-util")]
    if crate::testing::pass_until(delay, || token.is_cancelled()) {
        return token.is_cancelled();
    }
    let Some(until) = Instant::now().checked_add(delay) else { return park(token, None) };
    park(token, Some(until))
}

fn park<C: Cancel + ?Sized>(token: &C, until: Option<Instant>) -> bool {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut fired = pin!(token.cancelled());
    loop {
        if fired.as_mut().poll(&mut cx).is_ready() {
            return true;
        }
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(Duration::ZERO) => return false,
            Some(left) => thread::park_timeout(left),
            None => thread::park(),
        }
    }
}

pin_project! {
    /// A wait that a token can end; `true` if it has.
    #[must_use = "a wait does nothing unless it is awaited"]
    pub struct Unless<S, F> {
        #[pin] sleep: S,
        #[pin] fired: F,
    }
}

/// Waits for `sleep`, or until the token fires.
pub fn unless<S, C>(sleep: S, token: &C) -> Unless<S, impl Future<Output = ()>>
where
    S: Future,
    C: Cancel + ?Sized,
{
    Unless { sleep, fired: token.cancelled() }
}

impl<S: Future, F: Future<Output = ()>> Future for Unless<S, F> {
    type Output = bool;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<bool> {
        let this = self.project();
        let mut fired = this.fired;
        if fired.as_mut().poll(cx).is_ready() {
            return Poll::Ready(true);
        }
        // It may fire while the wait ends.
        this.sleep.poll(cx).map(|_| fired.poll(cx).is_ready())
    }
}

#[cfg(all(test, retry_loom))]
mod model {
    use super::*;

    /// Whatever the order of steps: a wait that begins while the token fires ends, and leaves no registration.
    #[test]
    fn no_wake_is_lost() {
        loom::model(|| {
            let token = CancelToken::new();
            let firing = token.clone();
            let thread = loom::thread::spawn(move || firing.cancel());
            loom::future::block_on(token.cancelled());
            thread.join().expect("no panic");
            assert!(token.is_cancelled());
            assert_eq!(token.waiting(), 0);
        });
    }

    #[test]
    fn a_dropped_wait_is_forgotten_while_the_token_fires() {
        loom::model(|| {
            let token = CancelToken::new();
            let firing = token.clone();
            let thread = loom::thread::spawn(move || firing.cancel());
            {
                let mut waiting = pin!(token.cancelled());
                let _ = waiting.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            }
            thread.join().expect("no panic");
            assert_eq!(token.waiting(), 0);
        });
    }
}
