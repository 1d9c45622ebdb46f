//! `break`, `continue`, `await` and `self` where there is none.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<u32, Busy> {
    if n == 0 {
        break;
    }
    Ok(n)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<u32, Busy> {
    if n == 0 {
        continue;
    }
    Ok(n)
}

#[retry_runtime::retry(on = is_busy)]
pub fn no_self() -> Result<u32, Busy> {
    Ok(self.n)
}

fn main() {}
