//! The operation alone, and a delay that is known.

use std::time::Duration;

use crate::work::{Error, Work};

pub fn blocking(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}

pub fn jittered(_: u32, base: Duration, _: Duration) -> Duration {
    base
}

pub fn plain(_: u32, base: Duration, _: Duration) -> Duration {
    base
}
