//! `deadline` and `deadline_ms`: zero, no duration, and deadlines that no first retry can meet.

use retry_runtime::{always, retry};

#[retry(deadline_ms = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(deadline = 5)]
fn without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(deadline = "5sec")]
fn an_unknown_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(deadline = "5s", deadline_ms = 5_000)]
fn in_two_spellings() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "none", deadline_ms = 150)]
fn shorter_than_the_first_window() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "none", base_ms = 300, deadline_ms = 300)]
fn as_long_as_the_first_window() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "equal", base = "1s", deadline = "0.4s")]
fn shorter_than_half_of_it() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always, strategy = "decorrelated", deadline_ms = 200)]
async fn shorter_than_the_base() -> std::io::Result<()> {
    Ok(())
}

#[retry(strategy = "none", retry_after = none, deadline_ms = 100)]
fn where_no_hint_can_help() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
