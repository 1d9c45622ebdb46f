//! `retry-if`. For async code alone; it has no jitter.
#![allow(unexpected_cfgs, reason = "its expansion asks for a feature of the crate that uses it")]

use std::time::Duration;

use retry_if::{ExponentialBackoffConfig, retry};

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy_result};

const POLICY: ExponentialBackoffConfig = ExponentialBackoffConfig {
    max_retries: MAX,
    t_wait: BASE,
    backoff: 2.0,
    t_wait_max: None,
    backoff_max: Some(CAP),
};

const ZERO: ExponentialBackoffConfig = ExponentialBackoffConfig {
    max_retries: MANY,
    t_wait: Duration::ZERO,
    backoff: 2.0,
    t_wait_max: None,
    backoff_max: None,
};

pub fn plain() -> impl Iterator<Item = Duration> {
    (0..MAX).map(|attempt| POLICY.get_backoff_duration(attempt))
}

#[retry(POLICY, is_busy_result)]
pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[retry(POLICY, is_busy_result)]
pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[retry(ZERO, is_busy_result)]
pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

macro_rules! sized {
    ($name:ident, $bytes:literal) => {
        #[retry(POLICY, is_busy_result)]
        pub async fn $name(n: u8) -> Result<u64, Error> {
            let bytes = [n; $bytes];
            std::future::ready(()).await;
            if bytes[0] == 0 { Err(Error::Busy(0)) } else { Ok(bytes[usize::from(n) % $bytes].into()) }
        }
    };
}
sized!(small, 20);
sized!(middle, 100);
sized!(large, 1060);
