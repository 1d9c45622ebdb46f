//! The same in async functions: evaluated where a program drives their futures.

use retry_runtime::{always, retry};
use std::io::Result;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

const NEVER: Duration = Duration::ZERO;
const SHORT: Duration = Duration::from_micros(1_500);
const SHORT_MS: u64 = 50;
const NO_RETRIES: u32 = 0;

#[retry(attempt_timeout = NEVER)]
async fn attempt_timeout() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout_ms = SHORT_MS, deadline = SHORT)]
async fn a_timeout_above_the_deadline() -> Result<()> {
    Ok(())
}

#[retry(attempt_timeout = "1s", deadline = SHORT)]
async fn a_literal_timeout_above_the_deadline() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = NO_RETRIES)]
async fn max() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = NO_RETRIES)]
fn a_future() -> impl Future<Output = Result<()>> {
    async { Ok(()) }
}

fn drive(future: impl Future) {
    let _ = pin!(future).as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

fn main() {
    drive(attempt_timeout());
    drive(a_timeout_above_the_deadline());
    drive(a_literal_timeout_above_the_deadline());
    drive(max());
    drive(a_future());
}
