//! `sleep`: functions of a wrong type, each told at its path.

use retry_runtime::{Elapsed, always, retry};
use std::io::{Error, Result};
use std::time::Duration;

async fn later(_: Duration) {}

fn in_milliseconds(_: u64) {}

async fn in_milliseconds_later(_: u64) {}

fn with_an_answer(_: Duration) -> bool {
    true
}

#[retry(on = always, sleep = std::thread::sleep)]
async fn blocks_an_async_function() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = later)]
fn never_awaited() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = in_milliseconds)]
fn another_argument() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = in_milliseconds_later)]
async fn another_argument_later() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = with_an_answer)]
fn answers() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = |wait| later(wait))]
fn a_closure_never_awaited() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = |wait| std::thread::sleep(wait))]
async fn a_closure_that_blocks() -> Result<()> {
    Ok(())
}

#[retry(on = always, sleep = std::thread::sleep, attempt_timeout = "1s", timed_out = |_: Elapsed| Error::other("late"))]
async fn blocks_an_attempt_with_a_limit() -> Result<()> {
    Ok(())
}

fn main() {}
