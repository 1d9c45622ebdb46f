//! `attempt_timeout` and `timed_out`: errors that nothing makes of an `Elapsed`, and functions of a wrong type.

use retry_runtime::{Elapsed, always, retry};

struct Busy;

fn of_a_number(_: u32) -> Busy {
    Busy
}

fn of_a_reference(_: &Elapsed) -> Busy {
    Busy
}

fn another_error(_: Elapsed) -> String {
    String::new()
}

fn late(_: Elapsed) -> Busy {
    Busy
}

#[retry(on = always, attempt_timeout = "1s")]
async fn nothing_makes_the_error() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, attempt_timeout = deadline, deadline = "1s")]
async fn nothing_makes_the_error_either() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, attempt_timeout = "1s", timed_out = of_a_number)]
async fn another_argument() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, attempt_timeout = "1s", timed_out = of_a_reference)]
async fn a_reference() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, attempt_timeout = "1s", timed_out = another_error)]
async fn another_answer() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = always, attempt_timeout = "1s", timed_out = |elapsed| elapsed)]
async fn a_closure_with_another_answer() -> Result<(), Busy> {
    Ok(())
}

#[retry(when = Option::is_none, attempt_timeout = "1s", timed_out = late)]
async fn an_output_without_an_error() -> Option<u32> {
    None
}

#[retry(on = always, attempt_timeout = "1s", timed_out = late)]
async fn no_result() -> Option<u32> {
    None
}

struct Client;

#[retry(attempt_timeout = "1s", timed_out = late)]
impl Client {
    #[retry(when = Option::is_none)]
    async fn an_output_that_the_default_is_not_for(&self) -> Option<u32> {
        None
    }
}

fn main() {}
