//! `again`. It waits with a timer of its own, so that no paused clock moves it, and shows its delays to nobody.

use std::time::Duration;

use again::RetryPolicy;

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy, sized};

fn policy() -> RetryPolicy {
    RetryPolicy::exponential(BASE).with_jitter(true).with_max_delay(CAP).with_max_retries(MAX as usize)
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    policy().retry_if(|| async { work.attempt_later().await }, is_busy).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    let policy = RetryPolicy::exponential(Duration::ZERO).with_jitter(true).with_max_retries(MANY as usize);
    policy.retry_if(|| async { work.attempt_later().await }, is_busy).await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    policy().retry_if(|| sized::<20>(n), is_busy).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    policy().retry_if(|| sized::<100>(n), is_busy).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    policy().retry_if(|| sized::<1060>(n), is_busy).await
}
