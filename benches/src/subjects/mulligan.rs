//! `mulligan`. Its future cannot be seen to be `Send`, so it is not spawned.

use std::time::Duration;

use mulligan::{Backoff, Exponential, Full, Jitter};

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy_result, sized};

macro_rules! policy {
    () => {
        mulligan::until(|outcome| !is_busy_result(outcome))
            .stop_after(MAX)
            .max_delay(CAP)
            .exponential(BASE)
            .full_jitter()
    };
}

macro_rules! zero {
    () => {
        mulligan::until(|outcome| !is_busy_result(outcome))
            .stop_after(MANY)
            .exponential(Duration::ZERO)
            .full_jitter()
    };
}

pub fn plain() -> impl Iterator<Item = Duration> {
    let delays = Exponential::base(BASE);
    (0..MAX).map(move |attempt| delays.delay(attempt).min(CAP))
}

pub fn jittered() -> impl Iterator<Item = Duration> {
    let (delays, mut jitter) = (Exponential::base(BASE), Full);
    (0..MAX).map(move |attempt| jitter.jitter(delays.delay(attempt).min(CAP), Some(CAP)))
}

pub fn blocking(work: &Work) -> Result<u64, Error> {
    policy!().execute_sync(|| work.attempt())
}

pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    zero!().execute_sync(|| work.attempt())
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    policy!().execute(async || work.attempt_later().await).await
}

pub async fn small(n: u8) -> Result<u64, Error> {
    policy!().execute(|| sized::<20>(n)).await
}

pub async fn middle(n: u8) -> Result<u64, Error> {
    policy!().execute(|| sized::<100>(n)).await
}

pub async fn large(n: u8) -> Result<u64, Error> {
    policy!().execute(|| sized::<1060>(n)).await
}
