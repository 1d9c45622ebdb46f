//! Something is changed that must not be.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

pub struct Client {
    count: u32,
}

impl Client {
    #[retry_runtime::retry(on = is_busy)]
    pub fn now(&self) -> Result<u32, Busy> {
        self.count += 1;
        Ok(self.count)
    }

    #[retry_runtime::retry(on = is_busy)]
    pub async fn later(&self) -> Result<u32, Busy> {
        self.count += 1;
        Ok(self.count)
    }
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: &u32) -> Result<u32, Busy> {
    let sum = 0;
    sum += *n;
    *n += 1;
    Ok(sum)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: &u32) -> Result<u32, Busy> {
    let sum = 0;
    sum += *n;
    *n += 1;
    Ok(sum)
}

fn main() {}
