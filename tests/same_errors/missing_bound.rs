//! A type parameter promises too little, and a type cannot be told.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now<T>(value: T) -> Result<String, Busy> {
    Ok(value.to_string())
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later<T>(value: &T) -> Result<T, Busy> {
    let copy: T = value.clone();
    Ok(copy)
}

#[retry_runtime::retry(on = is_busy)]
pub fn unclear(text: &str) -> Result<usize, Busy> {
    let parsed = text.parse().map_err(|_| Busy)?;
    let _ = parsed;
    Ok(1)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn unclear_later(text: &str) -> Result<usize, Busy> {
    let list = text.chars().collect();
    Ok(list.len())
}

fn main() {}
