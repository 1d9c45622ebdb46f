//! Names that nobody uses, and code that is never reached: warnings.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(text: &str, unused: u32) -> Result<u32, Busy> {
    let mut local = 4;
    fn inner() {}
    return Ok(1);
    Ok(2)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: &str, unused: u32) -> Result<u32, Busy> {
    let mut local = 4;
    use std::fmt::Debug;
    return Ok(1);
    Ok(2)
}

struct Client {
    field: u32,
}

impl Client {
    #[retry_runtime::retry(on = is_busy)]
    fn now(&self) -> Result<u32, Busy> {
        Ok(1)
    }

    #[retry_runtime::retry(on = is_busy)]
    async fn later(&mut self, (a, b): (u32, u32)) -> Result<u32, Busy> {
        Ok(a)
    }
}

#[retry_runtime::retry(on = is_busy)]
fn nobody_calls_it() -> Result<u32, Busy> {
    Ok((1))
}

fn main() {}
