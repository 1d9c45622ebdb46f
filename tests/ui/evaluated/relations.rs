//! Constants that cannot stand together, with each other or with a literal: told with their values.

use retry_runtime::{always, retry};
use std::io::Result;
use std::time::Duration;

const SHORT: Duration = Duration::from_micros(1_500);
const LONG: Duration = Duration::from_secs(30);
const SHORT_MS: u64 = 50;

#[retry(on = always, base = LONG)]
fn base_above_the_default_cap() -> Result<()> {
    Ok(())
}

#[retry(on = always, cap_ms = SHORT_MS)]
fn cap_below_the_default_base() -> Result<()> {
    Ok(())
}

#[retry(on = always, base = LONG, cap = SHORT)]
fn two_constants() -> Result<()> {
    Ok(())
}

#[retry(on = always, base_ms = 100, cap = SHORT)]
fn a_literal_and_a_constant() -> Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "none", deadline_ms = SHORT_MS)]
fn a_deadline_that_no_retry_meets() -> Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "equal", base = LONG, cap = LONG, deadline = "15s")]
fn a_deadline_that_no_half_meets() -> Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "decorrelated", base_ms = SHORT_MS, deadline = SHORT)]
fn a_deadline_below_the_base() -> Result<()> {
    Ok(())
}

fn main() {
    let _ = (base_above_the_default_cap(), cap_below_the_default_base(), two_constants());
    let _ = (a_literal_and_a_constant(), a_deadline_that_no_retry_meets(), a_deadline_that_no_half_meets());
    let _ = a_deadline_below_the_base();
}
