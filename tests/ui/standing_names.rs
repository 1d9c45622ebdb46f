//! Names that nobody knows, in an attribute with another mistake: told at the name.

use retry_runtime::retry;

#[retry(max = 0, on = unknown)]
fn an_unknown_predicate() -> Result<(), ()> {
    Ok(())
}

#[retry(on = unknown())]
fn an_unknown_predicate_that_is_called() -> Result<(), ()> {
    Ok(())
}

#[retry(max = 0, on = std::unknown)]
fn an_unknown_predicate_of_another_crate() -> Result<(), ()> {
    Ok(())
}

fn main() {}
