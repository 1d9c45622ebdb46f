//! Results and futures that nobody looks at: warnings.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

fn ask() -> Result<u32, Busy> {
    Ok(1)
}

async fn ask_later() -> Result<u32, Busy> {
    Ok(1)
}

#[retry_runtime::retry(on = is_busy)]
pub fn now() -> Result<u32, Busy> {
    ask();
    ask()
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later() -> Result<u32, Busy> {
    ask_later();
    ask();
    ask_later().await
}

fn main() {}
