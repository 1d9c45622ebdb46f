//! The last expression has another type.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Err(Busy);
    }
    Ok("ready")
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Err(Busy);
    }
    Ok("ready")
}

fn main() {}
