//! `retry_after_mode`: names that are none, and modes of nothing.

use retry_runtime::{RetryAfterMode, retry};

#[retry(retry_after_mode = "flor")]
fn a_slip() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = "median")]
fn unknown() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = floor)]
fn without_quotes() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = RetryAfterMode::Ceiling)]
fn a_variant() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = 1)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = "min")]
fn minimum() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = "exact")]
fn exact() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = "at_most")]
fn at_most() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_mode = "none")]
fn none() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = none, retry_after_mode = "replace")]
fn of_nothing() -> std::io::Result<()> {
    Ok(())
}

fn main() {
    let _ = RetryAfterMode::Floor;
}
