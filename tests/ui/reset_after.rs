//! `reset_after` and `reset_after_ms`.

use retry_runtime::retry;

#[retry(reset_after_ms = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(reset_after = 60)]
fn without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(reset_after = "a minute")]
fn in_words() -> std::io::Result<()> {
    Ok(())
}

#[retry(reset_after_ms = 1_000, reset_after = none)]
fn on_and_off() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
