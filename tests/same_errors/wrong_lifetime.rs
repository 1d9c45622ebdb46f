//! What is returned does not live as long as the signature says.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now<'a, 'b>(_first: &'a str, second: &'b str) -> Result<&'a str, Busy> {
    Ok(second)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later<'a, 'b>(_first: &'a str, second: &'b str) -> Result<&'a str, Busy> {
    Ok(second)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn early<'a, 'b>(first: &'a str, second: &'b str) -> Result<&'a str, Busy> {
    if first.is_empty() {
        return Ok(second);
    }
    Ok(first)
}

fn main() {}
