//! `cancel` and `budget`: values of a wrong type, each told once although each is used more than once.

use retry_runtime::{Policy, always, retry};
use std::io::Result;

#[retry(on = always, cancel = 5)]
async fn a_number() -> Result<()> {
    Ok(())
}

#[retry(on = always, cancel = stop, sleep = |wait| std::thread::sleep(wait))]
fn a_flag(stop: bool) -> Result<()> {
    assert!(!stop);
    Ok(())
}

#[retry(on = always, cancel = TOKEN)]
async fn an_unknown_token() -> Result<()> {
    Ok(())
}

#[retry(on = always, budget = 10)]
fn a_budget_of_a_number() -> Result<()> {
    Ok(())
}

#[retry(on = always, budget = Policy::new())]
async fn a_policy_for_a_budget() -> Result<()> {
    Ok(())
}

fn main() {}
