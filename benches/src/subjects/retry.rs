//! `retry`. For blocking code alone; it has no cap.

use std::time::Duration;

use retry::OperationResult;
use retry::delay::{Exponential, jitter};

use crate::work::{Error, MANY, MAX, Work, is_busy};

fn judged(outcome: Result<u64, Error>) -> OperationResult<u64, Error> {
    match outcome {
        Ok(value) => OperationResult::Ok(value),
        Err(error) if is_busy(&error) => OperationResult::Retry(error),
        Err(error) => OperationResult::Err(error),
    }
}

pub fn plain() -> impl Iterator<Item = Duration> {
    Exponential::from_millis(100).take(MAX as usize)
}

pub fn jittered() -> impl Iterator<Item = Duration> {
    Exponential::from_millis(100).map(jitter).take(MAX as usize)
}

pub fn blocking(work: &Work) -> Result<u64, Error> {
    retry::retry(jittered(), || judged(work.attempt())).map_err(|failed| failed.error)
}

pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    retry::retry(Exponential::from_millis(0).map(jitter).take(MANY as usize), || judged(work.attempt()))
        .map_err(|failed| failed.error)
}
