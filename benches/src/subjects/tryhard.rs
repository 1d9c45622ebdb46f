//! `tryhard`. For async code alone; it has no jitter.

use std::time::Duration;

use tryhard::RetryPolicy;
use tryhard::backoff_strategies::{BackoffStrategy, ExponentialBackoff};

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy, sized};

pub fn plain() -> impl Iterator<Item = Duration> {
    let mut delays = ExponentialBackoff::new(BASE);
    (1..=MAX).map(move |attempt| delays.delay(attempt, &Error::Gone).min(CAP))
}

macro_rules! retrying {
    ($attempt:expr) => {
        tryhard::retry_fn($attempt)
            .retries(MAX)
            .custom_backoff(|attempt: u32, error: &Error| {
                if is_busy(error) {
                    // What its own exponential strategy makes, which cannot be combined with a judgement.
                    RetryPolicy::Delay(BASE.saturating_mul(1 << (attempt - 1)))
                } else {
                    RetryPolicy::Break
                }
            })
            .max_delay(CAP)
    };
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    retrying!(|| async { work.attempt_later().await }).await
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    retrying!(|| async { work.attempt_later().await }).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    tryhard::retry_fn(|| async { work.attempt_later().await })
        .retries(MANY)
        .custom_backoff(
            |_: u32, error: &Error| {
                if is_busy(error) { RetryPolicy::Delay(Duration::ZERO) } else { RetryPolicy::Break }
            },
        )
        .await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    retrying!(|| sized::<20>(n)).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    retrying!(|| sized::<100>(n)).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    retrying!(|| sized::<1060>(n)).await
}
