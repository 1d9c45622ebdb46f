//! `backoff`. It limits the time of a call, not the number of attempts.

use std::time::Duration;

use backoff::backoff::Backoff;
use backoff::{ExponentialBackoff, ExponentialBackoffBuilder};

use crate::work::{BASE, CAP, Error, Work, is_busy, sized};

fn judged(outcome: Result<u64, Error>) -> Result<u64, backoff::Error<Error>> {
    outcome.map_err(|error| {
        if is_busy(&error) { backoff::Error::transient(error) } else { backoff::Error::permanent(error) }
    })
}

fn unwrapped(error: backoff::Error<Error>) -> Error {
    match error {
        backoff::Error::Permanent(error) | backoff::Error::Transient { err: error, .. } => error,
    }
}

fn policy(randomization: f64) -> ExponentialBackoff {
    ExponentialBackoffBuilder::new()
        .with_initial_interval(BASE)
        .with_max_interval(CAP)
        .with_multiplier(2.0)
        .with_randomization_factor(randomization)
        .with_max_elapsed_time(None)
        .build()
}

fn zero() -> ExponentialBackoff {
    ExponentialBackoff { initial_interval: Duration::ZERO, current_interval: Duration::ZERO, ..policy(1.0) }
}

struct Delays(ExponentialBackoff);

impl Iterator for Delays {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        self.0.next_backoff()
    }
}

pub fn plain() -> impl Iterator<Item = Duration> {
    Delays(policy(0.0))
}

/// Its jitter is a spread of `±w` at most.
pub fn jittered() -> impl Iterator<Item = Duration> {
    Delays(policy(1.0))
}

pub fn blocking(work: &Work) -> Result<u64, Error> {
    backoff::retry(policy(1.0), || judged(work.attempt())).map_err(unwrapped)
}

pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    backoff::retry(zero(), || judged(work.attempt())).map_err(unwrapped)
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    backoff::future::retry(policy(1.0), || async { judged(work.attempt_later().await) }).await
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    backoff::future::retry(policy(0.0), || async { judged(work.attempt_later().await) }).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    backoff::future::retry(zero(), || async { judged(work.attempt_later().await) }).await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    backoff::future::retry(policy(1.0), || async move { judged(sized::<20>(n).await) }).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    backoff::future::retry(policy(1.0), || async move { judged(sized::<100>(n).await) }).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    backoff::future::retry(policy(1.0), || async move { judged(sized::<1060>(n).await) }).await
}
