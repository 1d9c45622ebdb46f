//! `attempt_timeout` and `attempt_timeout_ms`: no duration, and limits that are none.

use retry_runtime::{Elapsed, retry};
use std::io::{Error, Result};

fn late(_: Elapsed) -> Error {
    Error::other("late")
}

#[retry(attempt_timeout_ms = 0)]
async fn zero() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = 5)]
async fn without_a_unit() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = "5s", attempt_timeout_ms = 5_000)]
async fn in_two_spellings() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = deadline)]
async fn all_of_nothing() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = "5s", deadline = "5s")]
async fn as_long_as_the_deadline() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout_ms = 2_500, deadline_ms = 1_000)]
async fn longer_than_the_deadline() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = "1s")]
fn blocking() -> Result<()> {
    Ok(())
}

#[retry(timed_out = late)]
async fn an_error_of_nothing() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = 5, timed_out = late)]
async fn one_mistake_alone() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = "1s", timed_out = late())]
async fn called() -> Result<()> {
    Ok(())
}

fn main() {}
