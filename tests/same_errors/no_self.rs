//! `self` where there is none, and a `continue` without a loop.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now() -> Result<u32, Busy> {
    Ok(self.n)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later() -> Result<u32, Busy> {
    Ok(self.n)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn stray(n: u32) -> Result<u32, Busy> {
    if n == 0 {
        continue;
    }
    Ok(n)
}

fn main() {}
