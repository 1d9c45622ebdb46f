//! `backon-macros`.

use backon_macros::backon;

use super::backon::{jittered_builder, plain_builder, zero_builder};
use crate::work::{Error, Work, is_busy};

#[backon(backoff = jittered_builder, when = is_busy)]
pub fn blocking(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[backon(backoff = zero_builder, when = is_busy)]
pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

#[backon(backoff = jittered_builder, when = is_busy)]
pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[backon(backoff = plain_builder, when = is_busy)]
pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

#[backon(backoff = zero_builder, when = is_busy)]
pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

macro_rules! sized {
    ($name:ident, $bytes:literal) => {
        #[backon(backoff = jittered_builder, when = is_busy)]
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
