//! `factor`: numbers below 1, and what is no number.

use retry_runtime::retry;

#[retry(factor = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = 0.5)]
fn shrinking() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = -2)]
fn negative() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = 1e999)]
fn infinite() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = "2")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = true)]
fn an_answer() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = (1, 2))]
fn two_numbers() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(factor = growth)]
fn from_a_parameter(growth: f64) -> std::io::Result<()> {
    assert!(growth > 1.0);
    Ok(())
}

fn main() {}
