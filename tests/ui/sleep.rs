//! `sleep`: what is no function.

use retry_runtime::retry;
use std::time::Duration;

#[retry(sleep = 5)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(sleep = "tokio")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(sleep = Duration::from_secs(1))]
fn called() -> std::io::Result<()> {
    Ok(())
}

#[retry(sleep = none)]
async fn switched_off() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
