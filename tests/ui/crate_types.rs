//! `crate`: paths that do not lead to the runtime: one error, however often the expansion names it.

use retry_runtime::{always, retry};

struct Error;

#[retry(on = always, crate = ::retry_rutnime)]
fn unknown() -> Result<(), Error> {
    Ok(())
}

#[retry(on = |error| always(error), crate = ::facade::retry_runtime, attempt = now, deadline = "5s")]
async fn unknown_facade() -> Result<u32, Error> {
    Ok(now.number())
}

#[retry(on = always, crate = std)]
fn another_crate() -> Result<(), Error> {
    Ok(())
}

#[retry(when = Result::is_err, crate = crate::runtime)]
async fn unknown_module() -> Result<(), Error> {
    Ok(())
}

fn main() {}
