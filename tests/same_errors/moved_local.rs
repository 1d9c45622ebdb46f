//! A local is used after it was moved, and something is moved out of what is borrowed.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(text: &str) -> Result<usize, Busy> {
    let owned = text.to_owned();
    drop(owned);
    Ok(owned.len())
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: &str) -> Result<usize, Busy> {
    let owned = text.to_owned();
    drop(owned);
    Ok(owned.len())
}

pub struct Client {
    texts: Vec<String>,
}

impl Client {
    #[retry_runtime::retry(on = is_busy)]
    pub fn now(&self) -> Result<Vec<String>, Busy> {
        Ok(self.texts)
    }

    #[retry_runtime::retry(on = is_busy)]
    pub async fn later(&self) -> Result<Vec<String>, Busy> {
        Ok(self.texts)
    }
}

fn main() {}
