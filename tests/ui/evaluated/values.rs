//! Constants that can never be right, each told at its own place.

use retry_runtime::{always, retry};
use std::io::Result;
use std::time::Duration;

mod limits {
    pub const NO_RETRIES: u32 = 0;
}

const NEVER: Duration = Duration::ZERO;
const NONE_MS: u64 = 0;
const SHRINKING: f64 = 0.5;

#[retry(on = always, base = NEVER)]
fn base() -> Result<()> {
    Ok(())
}

#[retry(on = always, base_ms = NONE_MS)]
fn base_ms() -> Result<()> {
    Ok(())
}

#[retry(on = always, cap = Duration::from_millis(NONE_MS))]
fn cap() -> Result<()> {
    Ok(())
}

#[retry(on = always, factor = SHRINKING)]
fn factor() -> Result<()> {
    Ok(())
}

#[retry(on = always, factor = f64::NAN)]
fn no_number() -> Result<()> {
    Ok(())
}

#[retry(on = always, factor = 1.0 / 0.0)]
fn infinite() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = limits::NO_RETRIES)]
fn max() -> Result<()> {
    Ok(())
}

#[retry(on = always, deadline = NEVER)]
fn deadline() -> Result<()> {
    Ok(())
}

#[retry(on = always, reset_after_ms = NONE_MS)]
fn reset_after() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = limits::NO_RETRIES, base_ms = NONE_MS, factor = SHRINKING, deadline = NEVER)]
fn all_at_once() -> Result<()> {
    Ok(())
}

fn main() {
    let _ = (base(), base_ms(), cap(), factor(), no_number(), infinite(), max(), deadline(), reset_after());
    let _ = all_at_once();
}
