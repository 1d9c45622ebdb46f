//! The attribute.

use std::time::Duration;

use retry_runtime::{Draw, retry, strategy};

use crate::work::{Error, MANY, Work, is_busy};

fn zero(_: &Draw) -> Duration {
    std::hint::black_box(Duration::ZERO)
}

#[retry(base_ms = 100, max = 5, on = is_busy)]
pub fn blocking(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[retry(strategy = zero, max = MANY, on = is_busy)]
pub fn blocking_zero(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[retry(base_ms = 100, max = 5, on = is_busy)]
pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[retry(strategy = zero, max = MANY, on = is_busy)]
pub async fn later_zero(work: &Work) -> Result<u64, Error> {
    work.attempt()
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
sized!(small, 8);
sized!(middle, 88);
sized!(large, 1048);
