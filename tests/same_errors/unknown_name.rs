//! A name, a method and a field that are not there.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(text: &str) -> Result<usize, Busy> {
    Ok(txt.len())
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: &str) -> Result<usize, Busy> {
    Ok(text.len() + missing(text))
}

fn main() {}
