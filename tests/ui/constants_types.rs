//! Constants of a wrong type, and what is no constant, each told at its value.

use retry_runtime::{always, retry};
use std::io::Result;

const SECONDS: u64 = 5;
const RETRIES: usize = 3;
const GROWTH: u32 = 2;

fn retries() -> u32 {
    3
}

#[retry(on = always, base = SECONDS)]
fn base() -> Result<()> {
    Ok(())
}

#[retry(on = always, base_ms = RETRIES)]
fn base_ms() -> Result<()> {
    Ok(())
}

#[retry(on = always, cap = RETRIES, base = SECONDS)]
fn both_windows() -> Result<()> {
    Ok(())
}

#[retry(on = always, factor = GROWTH)]
fn factor() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = RETRIES)]
fn max() -> Result<()> {
    Ok(())
}

#[retry(on = always, deadline = SECONDS)]
async fn deadline() -> Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "none", deadline_ms = RETRIES)]
fn deadline_ms() -> Result<()> {
    Ok(())
}

#[retry(on = always, attempt_timeout = SECONDS, deadline = "5s")]
async fn attempt_timeout() -> Result<()> {
    Ok(())
}

#[retry(on = always, reset_after = SECONDS)]
fn reset_after() -> Result<()> {
    Ok(())
}

#[retry(on = always, retry_after_max = SECONDS)]
fn retry_after_max() -> Result<()> {
    Ok(())
}

#[retry(on = always, retry_after_max_ms = RETRIES)]
fn retry_after_max_ms() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = retries())]
fn no_constant() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = RETIRES)]
fn unknown() -> Result<()> {
    Ok(())
}

#[retry(on = always, base_ms = Self::BASE)]
fn no_self() -> Result<()> {
    Ok(())
}

fn main() {}
