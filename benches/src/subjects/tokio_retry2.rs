//! `tokio-retry2`. Its errors say for themselves whether they are worth a retry.

use std::time::Duration;

use tokio_retry2::strategy::{ExponentialFactorBackoff, jitter};
use tokio_retry2::{Retry, RetryError};

use crate::work::{CAP, Error, MANY, MAX, Work, is_busy, sized};

fn judged(outcome: Result<u64, Error>) -> Result<u64, RetryError<Error>> {
    outcome.map_err(
        |error| {
            if is_busy(&error) { RetryError::transient(error) } else { RetryError::permanent(error) }
        },
    )
}

pub fn plain() -> impl Iterator<Item = Duration> {
    ExponentialFactorBackoff::from_millis(100, 2.0).max_delay(CAP).take(MAX as usize)
}

pub fn jittered() -> impl Iterator<Item = Duration> {
    ExponentialFactorBackoff::from_millis(100, 2.0).max_delay(CAP).map(jitter).take(MAX as usize)
}

fn zero() -> impl Iterator<Item = Duration> {
    ExponentialFactorBackoff::from_millis(0, 2.0).map(jitter).take(MANY as usize)
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    Retry::spawn(jittered(), || async { judged(work.attempt_later().await) }).await
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    Retry::spawn(plain(), || async { judged(work.attempt_later().await) }).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    Retry::spawn(zero(), || async { judged(work.attempt_later().await) }).await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    Retry::spawn(jittered(), || async move { judged(sized::<20>(n).await) }).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    Retry::spawn(jittered(), || async move { judged(sized::<100>(n).await) }).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    Retry::spawn(jittered(), || async move { judged(sized::<1060>(n).await) }).await
}
