//! `attempt`: wrong uses of the binding stay on the user's line.

use retry_runtime::{always, retry};

#[retry(on = always, attempt = now)]
fn an_unknown_method() -> std::io::Result<()> {
    assert!(now.count() > 0);
    Ok(())
}

#[retry(on = always, attempt = now)]
async fn another_type() -> std::io::Result<u32> {
    Ok(now)
}

#[retry(on = always, attempt = now)]
fn changed() -> std::io::Result<()> {
    now = now;
    Ok(())
}

fn main() {}
