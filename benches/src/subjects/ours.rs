//! The attribute.

use std::hint::black_box;
use std::time::Duration;

use retry_runtime::{Draw, retry, strategy};

use crate::work::{Error, MANY, Work, is_busy};

fn zero(_: &Draw) -> Duration {
    black_box(Duration::ZERO)
}

fn unwaited(delay: Duration) {
    black_box(delay);
}

async fn unwaited_later(delay: Duration) {
    black_box(delay);
}

#[retry(base_ms = 100, max = 5, on = is_busy)]
pub fn blocking(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[retry(strategy = "none", base_ms = 100, max = MANY, on = is_busy, sleep = unwaited)]
pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[retry(base_ms = 100, max = 5, on = is_busy)]
pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[retry(strategy = "none", base_ms = 100, max = 5, on = is_busy)]
pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[retry(strategy = "none", base_ms = 100, max = MANY, on = is_busy, sleep = unwaited_later)]
pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[retry(strategy = zero, max = MANY, on = is_busy)]
pub async fn later_yielding(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

pub fn jittered(retry: u32, base: Duration, cap: Duration) -> Duration {
    strategy::full(&Draw::new(retry, base, cap))
}

pub fn plain(retry: u32, base: Duration, cap: Duration) -> Duration {
    strategy::none(&Draw::new(retry, base, cap))
}

macro_rules! sized {
    ($name:ident, $bytes:literal) => {
        #[retry(base_ms = 100, max = 5, on = is_busy)]
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
