//! `retry_after_max` and `retry_after_max_ms`: no duration, and a limit on nothing.

use retry_runtime::retry;

#[retry(retry_after_max = 60)]
fn without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_max_ms = "1m")]
fn a_text_for_milliseconds() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_max = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after_max = "1m", retry_after_max_ms = 60_000)]
fn in_two_spellings() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = none, retry_after_max = "1m", retry_after_mode = "floor")]
fn of_nothing() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
