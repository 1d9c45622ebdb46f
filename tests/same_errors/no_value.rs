//! A branch has no value.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<u32, Busy> {
    if n == 0 {
        Err(Busy)
    }
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<u32, Busy> {
    let _ = n + 1;
}

#[retry_runtime::retry(on = is_busy)]
pub fn at_all() -> Result<u32, Busy> {}

fn main() {}
