//! An early return has another type, and so has a number.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Ok(n);
    }
    let text: String = n;
    Ok(text)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Ok(n);
    }
    let text: String = n;
    Ok(text)
}

fn main() {}
