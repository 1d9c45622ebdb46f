//! `when`: functions of a wrong type. One of the error is told that it is one.

use retry_runtime::{Retryable, retry};

struct Busy;

struct Late;

impl Retryable for Late {
    fn is_retryable(&self) -> bool {
        true
    }
}

mod errors {
    pub fn is_busy(_: &super::Busy) -> bool {
        true
    }
}

fn of_a_text(_: &str) -> bool {
    true
}

fn with_a_number(_: &Result<(), Busy>) -> u32 {
    1
}

#[retry(when = errors::is_busy)]
fn a_function_of_the_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = Retryable::is_retryable)]
async fn the_trait_of_the_error() -> Result<(), Late> {
    Ok(())
}

#[retry(when = of_a_text)]
fn a_function_of_something_else() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = Option::is_none)]
fn a_method_of_another_type() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = with_a_number)]
fn answers_with_a_number() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = retry_runtime::pending)]
fn not_retryable() -> Result<Option<()>, Busy> {
    Ok(None)
}

#[retry(when = is_empty)]
fn unknown() -> Option<u32> {
    None
}

#[retry(when = |error: &Busy| true)]
fn a_closure_of_the_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = |output| output.is_none())]
fn a_closure_with_an_unknown_method() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = |output| output)]
async fn a_closure_without_an_answer() -> Option<u32> {
    None
}

#[retry(when = None)]
fn no_function() -> Option<u32> {
    None
}

fn main() {}
