//! `backon`.

use std::time::Duration;

use backon::{BackoffBuilder, BlockingRetryable, ExponentialBuilder, Retryable};

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy, sized};

pub(super) fn jittered_builder() -> ExponentialBuilder {
    plain_builder().with_jitter()
}

pub(super) fn plain_builder() -> ExponentialBuilder {
    ExponentialBuilder::new().with_min_delay(BASE).with_max_delay(CAP).with_max_times(MAX as usize)
}

pub(super) fn zero_builder() -> ExponentialBuilder {
    jittered_builder().with_min_delay(Duration::ZERO).with_max_times(MANY as usize)
}

pub fn blocking(work: &Work) -> Result<u64, Error> {
    (|| work.attempt()).retry(jittered_builder()).when(is_busy).call()
}

pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    (|| work.attempt()).retry(zero_builder()).when(is_busy).call()
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    (|| async { work.attempt_later().await }).retry(jittered_builder()).when(is_busy).await
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    (|| async { work.attempt_later().await }).retry(plain_builder()).when(is_busy).await
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    (|| async { work.attempt_later().await }).retry(zero_builder()).when(is_busy).await
}

/// Its jitter is `w + U[0, w]`: it has no full jitter.
pub fn jittered() -> impl Iterator<Item = Duration> {
    jittered_builder().build()
}

pub fn plain() -> impl Iterator<Item = Duration> {
    plain_builder().build()
}

pub async fn small(n: u8) -> Result<u64, Error> {
    (|| sized::<20>(n)).retry(jittered_builder()).when(is_busy).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    (|| sized::<100>(n)).retry(jittered_builder()).when(is_busy).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    (|| sized::<1060>(n)).retry(jittered_builder()).when(is_busy).await
}
