//! `strategy`: functions of a wrong type, told with the type that they should have.

use retry_runtime::{Draw, retry};
use std::time::Duration;

const NAME: &str = "full";

fn of_a_number(_: u32) -> Duration {
    Duration::ZERO
}

fn of_an_owned_draw(_: Draw) -> Duration {
    Duration::ZERO
}

fn in_milliseconds(_: &Draw) -> u64 {
    0
}

#[retry(strategy = of_a_number)]
fn another_argument() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = of_an_owned_draw)]
fn an_owned_argument() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = in_milliseconds)]
fn another_answer() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = NAME)]
fn a_text_in_a_constant() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = fulll)]
async fn unknown() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = retry_runtime::strategy::exponential)]
async fn unknown_in_the_runtime() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
