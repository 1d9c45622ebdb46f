//! `policy`: what is no expression.

use retry_runtime::retry;

#[retry(policy)]
fn without_a_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = )]
fn with_an_empty_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = let)]
fn with_a_keyword() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy(max = 3))]
fn as_a_list() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
