//! A call with too many or too few arguments, or with one of another type.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<u32, Busy> {
    Ok(add(n))
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<u32, Busy> {
    Ok(add(n, n, n))
}

#[retry_runtime::retry(on = is_busy)]
pub async fn of_another_type(n: u32) -> Result<u32, Busy> {
    Ok(add(n, "n"))
}

fn main() {}
