//! `tokio-retry`.

use std::time::Duration;

use tokio_retry::RetryIf;
use tokio_retry::strategy::{ExponentialBackoff, jitter};

use crate::work::{CAP, Error, MANY, MAX, Work, is_busy, sized};

/// Powers of two, the first 100 milliseconds.
pub fn plain() -> impl Iterator<Item = Duration> {
    ExponentialBackoff::from_millis(2).factor(50).max_delay(CAP).take(MAX as usize)
}

pub fn jittered() -> impl Iterator<Item = Duration> {
    ExponentialBackoff::from_millis(2).factor(50).max_delay(CAP).map(jitter).take(MAX as usize)
}

fn zero() -> impl Iterator<Item = Duration> {
    ExponentialBackoff::from_millis(2).factor(0).map(jitter).take(MANY as usize)
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    RetryIf::start(jittered(), || async { work.attempt_later().await }, is_busy).await
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    RetryIf::start(plain(), || async { work.attempt_later().await }, is_busy).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    RetryIf::start(zero(), || async { work.attempt_later().await }, is_busy).await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    RetryIf::start(jittered(), || sized::<20>(n), is_busy).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    RetryIf::start(jittered(), || sized::<100>(n), is_busy).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    RetryIf::start(jittered(), || sized::<1060>(n), is_busy).await
}
