//! `budget`: no expression, and no end after all.

use retry_runtime::retry;

#[retry(budget =)]
fn without_a_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = unlimited, budget = none)]
fn without_end() -> std::io::Result<()> {
    Ok(())
}

#[retry(budget = none, budget = none)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
