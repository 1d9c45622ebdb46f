//! A case is forgotten.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: Option<u32>) -> Result<u32, Busy> {
    match n {
        Some(n) => Ok(n),
    }
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: Result<u32, Busy>) -> Result<u32, Busy> {
    let Ok(n) = n;
    Ok(n)
}

fn main() {}
