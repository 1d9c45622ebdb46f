//! A reference to a local is returned.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(text: &str) -> Result<&str, Busy> {
    let owned = text.to_owned();
    Ok(&owned)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: &str) -> Result<&str, Busy> {
    let owned = text.to_owned();
    Ok(&owned)
}

fn main() {}
