//! The operation alone.

use crate::work::{Error, Work};

pub fn blocking(work: &Work) -> Result<u64, Error> {
    work.attempt()
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    work.attempt_later().await
}
