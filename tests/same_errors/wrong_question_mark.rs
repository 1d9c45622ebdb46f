//! The error of `?` does not become the function's.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(text: &str) -> Result<u32, Busy> {
    let n = text.parse::<u32>()?;
    Ok(n)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: &str) -> Result<u32, Busy> {
    let n = text.parse::<u32>()?;
    Ok(n)
}

#[retry_runtime::retry(on = is_busy)]
pub fn of_an_option(text: &str) -> Result<u32, Busy> {
    let first = text.chars().next()?;
    Ok(first as u32)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn of_an_option_later(text: &str) -> Result<u32, Busy> {
    let first = text.chars().next()?;
    Ok(first as u32)
}

fn main() {}
