//! `docs`: anything but `true` and `false`.

use retry_runtime::retry;

#[retry(docs = "false")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(docs = 0)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(docs = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(docs)]
fn without_a_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(docs = true, docs = false)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
