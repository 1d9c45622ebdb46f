//! `on_give_up`: functions of a wrong type, each told at its path.

use retry_runtime::{GivenUp, Retrying, always, retry};

struct Busy;

fn of_the_other_event(_: &Retrying<'_, Busy>) {}

fn of_the_error(_: &Busy) {}

fn of_another_error(_: &GivenUp<'_, String>) {}

fn of_nothing() {}

fn with_an_answer(_: &GivenUp<'_, Busy>) -> bool {
    true
}

async fn later(_: &GivenUp<'_, Busy>) {}

#[retry(on = always, on_give_up = of_the_other_event)]
fn another_event() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = of_the_error)]
fn the_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = of_another_error)]
async fn another_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = of_nothing)]
fn no_argument() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = with_an_answer)]
fn answers() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = later)]
async fn never_awaited() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = |event| event.number())]
fn a_closure_with_an_unknown_method() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = |event| event.elapsed())]
fn a_closure_that_answers() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = |event| async { drop(event) })]
async fn a_closure_never_awaited() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, on_give_up = |error: &Busy| {})]
fn a_closure_of_the_error() -> Result<(), Busy> {
    Ok(())
}

fn main() {}
