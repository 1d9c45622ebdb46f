//! `retry_after`: functions of a wrong type, each told at its path.

use retry_runtime::{always, retry};
use std::time::Duration;

struct Busy;

fn of_a_text(_: &String) -> Option<Duration> {
    None
}

fn without_option(_: &Busy) -> Duration {
    Duration::ZERO
}

fn in_seconds(_: &Busy) -> Option<u64> {
    None
}

fn of_the_error(_: &Busy) -> Option<Duration> {
    None
}

async fn later(_: &Busy) -> Option<Duration> {
    None
}

#[retry(on = always, retry_after = of_a_text)]
fn another_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, retry_after = without_option)]
fn answers_always() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, retry_after = in_seconds)]
fn answers_in_seconds() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, retry_after = later)]
async fn answers_with_a_future() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = Result::is_err, retry_after = of_the_error)]
fn of_the_error_beside_when() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, retry_after = |error| Duration::from_secs(1))]
fn a_closure_that_answers_always() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, retry_after = |error| error.after)]
fn a_closure_with_an_unknown_field() -> Result<(), Busy> {
    Ok(())
}

fn main() {}
