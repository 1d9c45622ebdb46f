//! Constants that are right. With a file that passes, this folder is built and not only checked.

use retry_runtime::{always, retry};
use std::time::Duration;

const RETRIES: u32 = 3;
const CAP: Duration = Duration::from_secs(1);

#[retry(on = always, max = RETRIES, base_ms = 1, cap = CAP, factor = 1.5 + 0.5, deadline = CAP)]
fn good() -> Result<(), ()> {
    Ok(())
}

fn main() {
    let _ = good();
}
