//! `strategy`: names that are none, and names without quotes.

use retry_runtime::{Strategy, retry};

#[retry(strategy = "fulll")]
fn a_slip() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "Decorrelated")]
fn in_capitals() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "plus-minus")]
fn with_a_dash() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "gaussian")]
fn unknown() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "")]
fn empty() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = full)]
fn without_quotes() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = Strategy::Equal)]
fn a_variant() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = 2)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = |draw| draw.window())]
fn a_closure() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = exponential(100))]
fn called() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "exponential")]
fn exponential() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "fixed")]
fn fixed() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "constant")]
fn constant() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "fibonacci")]
fn fibonacci() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "linear")]
fn linear() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "full_jitter")]
fn full_jitter() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "equal_jitter")]
fn equal_jitter() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "decorrelated_jitter")]
fn decorrelated_jitter() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "full", strategy = "equal")]
fn twice() -> std::io::Result<()> {
    Ok(())
}

fn main() {
    let _ = Strategy::Full;
}
