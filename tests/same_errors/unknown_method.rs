//! A method and a field that are not there.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

pub struct Pair {
    pub first: u32,
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(pair: &Pair) -> Result<u32, Busy> {
    Ok(pair.second)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(text: String) -> Result<usize, Busy> {
    Ok(text.length())
}

fn main() {}
