//! `policy`: values of a wrong type, each told at its place.

use retry_runtime::{Policy, retry};

#[retry(policy = 5)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = "patient")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = Policy::builder().max(3))]
fn a_builder() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = Policy::builder().max(3).build())]
async fn a_result() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = PATIENT)]
fn unknown() -> std::io::Result<()> {
    Ok(())
}

#[retry(policy = |error| Policy::new())]
fn a_closure() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
