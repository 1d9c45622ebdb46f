//! `when`: what is no function.

use retry_runtime::retry;

#[retry(when = Option::is_none())]
fn called() -> Option<u32> {
    None
}

#[retry(when = "Option::is_none")]
fn as_a_text() -> Option<u32> {
    None
}

#[retry(when = none)]
fn switched_off() -> Option<u32> {
    None
}

#[retry(when = _)]
fn a_wildcard() -> Option<u32> {
    None
}

#[retry(when = Option::is_none, when = Option::is_none)]
fn twice() -> Option<u32> {
    None
}

fn main() {}
