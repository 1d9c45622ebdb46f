//! `cancel`: words where they do not hold.

use retry_runtime::retry;

#[retry(cancel = dropped)]
fn blocking() -> std::io::Result<()> {
    Ok(())
}

#[retry(cancel)]
async fn without_a_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = unlimited, cancel = none)]
async fn without_end() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
