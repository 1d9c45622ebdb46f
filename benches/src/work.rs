//! The operation that is repeated: it fails as often as it is told to, and counts.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

/// Retries that every policy whose delays are not waited for allows.
pub const MANY: u32 = 2_000_000;
/// Retries that every policy with delays allows.
pub const MAX: u32 = 5;
/// The first window.
pub const BASE: Duration = Duration::from_millis(100);
/// The largest window.
pub const CAP: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    Busy(u32),
    Gone,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an error")
    }
}

impl std::error::Error for Error {}

/// What is worth a retry.
#[must_use]
pub fn is_busy(error: &Error) -> bool {
    matches!(error, Error::Busy(_))
}

/// The same for those that judge the whole result.
#[must_use]
pub fn is_busy_result(result: &Result<u64, Error>) -> bool {
    matches!(result, Err(Error::Busy(_)))
}

/// What the attempts share.
#[derive(Debug, Default)]
pub struct Work {
    attempts: AtomicU64,
    failures: AtomicU32,
}

impl Work {
    /// The next call fails so often before it succeeds.
    pub fn fail(&self, times: u32) {
        self.failures.store(times, Relaxed);
    }

    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.attempts.load(Relaxed)
    }

    /// One attempt.
    ///
    /// # Errors
    /// As often as it was told to fail.
    #[inline(never)]
    pub fn attempt(&self) -> Result<u64, Error> {
        // One thread at a time: no need for instructions that lock.
        let number = self.attempts.load(Relaxed) + 1;
        self.attempts.store(number, Relaxed);
        let left = self.failures.load(Relaxed);
        if left == 0 {
            return Ok(number);
        }
        self.failures.store(left - 1, Relaxed);
        Err(if left == u32::MAX { Error::Gone } else { Error::Busy(left) })
    }
}

/// One attempt as a future of its own, so that its poll is a call everywhere.
#[derive(Debug)]
pub struct Attempt<'a>(&'a Work);

impl Work {
    /// One async attempt.
    #[must_use]
    pub fn attempt_later(&self) -> Attempt<'_> {
        Attempt(self)
    }
}

impl Future for Attempt<'_> {
    type Output = Result<u64, Error>;

    #[inline(never)]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(self.0.attempt())
    }
}

/// A body of a known size: four bytes more than `N`.
///
/// # Errors
/// Where the number is zero.
pub async fn sized<const N: usize>(n: u8) -> Result<u64, Error> {
    let bytes = [n; N];
    std::future::ready(()).await;
    if bytes[0] == 0 { Err(Error::Busy(0)) } else { Ok(bytes[usize::from(n) % N].into()) }
}
