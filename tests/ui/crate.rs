//! `crate`: what is no path.

use retry_runtime::retry;

#[retry(crate = "retry_runtime")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(crate)]
fn without_a_path() -> std::io::Result<()> {
    Ok(())
}

#[retry(crate = retry_runtime::<u8>)]
fn with_arguments() -> std::io::Result<()> {
    Ok(())
}

#[retry(crate = retry_runtime, crate = ::retry_runtime)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
