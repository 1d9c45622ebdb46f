//! Mistakes inside a closure and an async block of the body.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(n: u32) -> Result<u32, Busy> {
    let double = |n: u32| -> String { n * 2 };
    Ok(double(n).len() as u32)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(n: u32) -> Result<u32, Busy> {
    let double = async { Ok::<u32, Busy>(n.parse()?) };
    double.await
}

#[retry_runtime::retry(on = is_busy)]
pub fn spawned(text: &str) -> Result<usize, Busy> {
    let thread = std::thread::spawn(|| text.len());
    thread.join().map_err(|_| Busy)
}

fn main() {}
