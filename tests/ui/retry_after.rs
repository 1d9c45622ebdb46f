//! `retry_after`: what is no function.

use retry_runtime::retry;
use std::time::Duration;

struct Client;

fn hint_of(_: &std::io::Error) -> Option<Duration> {
    None
}

#[retry(retry_after = "none")]
fn none_as_a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = 5)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = false)]
fn an_answer() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = hint_of(&error))]
fn called() -> std::io::Result<()> {
    Ok(())
}

#[retry(retry_after = hint_of, retry_after = none)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

impl Client {
    #[retry(retry_after = self.hint)]
    fn a_method(&self) -> std::io::Result<()> {
        Ok(())
    }
}

fn main() {}
