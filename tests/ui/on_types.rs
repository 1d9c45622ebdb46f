//! `on`: functions of a wrong type, each told at its path.

use retry_runtime::{always, in_chain, pending, retry, unprocessed};

struct Busy;

mod errors {
    pub fn of_a_text(_: &String) -> bool {
        true
    }
}

const YES: bool = true;

fn by_value(_: Busy) -> bool {
    true
}

fn of_nothing() -> bool {
    true
}

fn of_the_output(_: &Result<(), Busy>) -> bool {
    true
}

fn with_a_code(_: &Busy) -> u32 {
    503
}

fn without_an_answer(_: &Busy) {}

async fn later(_: &Busy) -> bool {
    true
}

#[retry(on = errors::of_a_text)]
fn another_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = by_value)]
fn an_owned_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = of_nothing)]
fn no_argument() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = of_the_output)]
fn the_whole_output() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = pending)]
fn pending_is_for_when() -> Result<Option<()>, Busy> {
    Ok(None)
}

#[retry(on = with_a_code)]
fn answers_with_a_number() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = without_an_answer)]
async fn answers_with_nothing() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = later)]
async fn answers_with_a_future() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = YES)]
fn a_constant() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = is_bsuy)]
fn unknown() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = unprocessed)]
fn not_retryable() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = in_chain)]
fn not_boxed() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = |error: &String| error.is_empty())]
fn a_closure_of_another_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = |error, number| true)]
fn a_closure_of_two() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = || true)]
fn a_closure_of_nothing() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = |error| 503)]
fn a_closure_with_a_number() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = |error| error.is_timeout())]
async fn a_closure_with_an_unknown_method() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always)]
fn no_result() -> Option<u32> {
    None
}

#[retry(on = always)]
async fn no_result_later() -> Option<u32> {
    None
}

#[retry(on = always)]
fn no_output() {}

fn main() {}
