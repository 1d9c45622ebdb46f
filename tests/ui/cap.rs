//! `cap` and `cap_ms`: the same values as for `base`, and what only a cap can do.

use retry_runtime::retry;

#[retry(cap_ms = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(cap = 4)]
fn without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(cap = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(cap_ms = 150)]
fn below_the_default_base() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "0.5ms", cap = "250us")]
fn below_the_base() -> std::io::Result<()> {
    Ok(())
}

#[retry(cap_ms = "10s")]
fn a_text_for_milliseconds() -> std::io::Result<()> {
    Ok(())
}

#[retry(cap = "10s", cap_ms = 10_000)]
fn in_two_spellings() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
