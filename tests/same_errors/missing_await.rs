//! A future is taken for its value.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

async fn ask() -> Result<u32, Busy> {
    Ok(1)
}

#[retry_runtime::retry(on = is_busy)]
pub fn now() -> Result<u32, Busy> {
    ask()
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later() -> Result<u32, Busy> {
    let n = ask()?;
    Ok(n)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn at_the_end() -> Result<u32, Busy> {
    ask()
}

#[retry_runtime::retry(on = is_busy)]
pub fn awaited() -> Result<u32, Busy> {
    ask().await
}

fn main() {}
