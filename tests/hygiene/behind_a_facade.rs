//! The runtime behind a crate that hands it on.
#![deny(warnings)]
#![allow(clippy::unused_async, reason = "a wait that takes no time")]

use again::testing::VirtualTime;
use facade::retry;

mod attempts;
use attempts::{Attempts, Busy, block_on};

const fn is_busy(_: &Busy) -> bool {
    true
}

#[retry(crate = ::facade::retry_runtime, on = is_busy)]
fn now(attempts: &Attempts) -> Result<u32, Busy> {
    attempts.third()
}

#[retry(crate = facade::deeper::runtime, on = is_busy, clone(text), sleep = no_wait)]
async fn later(attempts: &Attempts, text: String) -> Result<usize, Busy> {
    let eaten = text;
    attempts.third()?;
    Ok(eaten.len())
}

async fn no_wait(_: std::time::Duration) {}

mod inside {
    pub(super) use facade::retry_runtime as again;
}

#[facade::retry(crate = crate::inside::again, on = is_busy, deadline = "1h", attempt = attempt)]
fn through_a_module(attempts: &Attempts) -> Result<u32, Busy> {
    attempts.third().map(|n| n + attempt.number())
}

facade::retried!(written, Result<u32, Busy>, {
    thread_local! {
        static ATTEMPTS: Attempts = const { Attempts::new() };
    }
    ATTEMPTS.with(Attempts::third)
});

#[test]
fn calls() {
    let _time = VirtualTime::start();
    assert_eq!(now(&Attempts::new()), Ok(3));
    assert_eq!(block_on(later(&Attempts::new(), "four".to_owned())), Ok(4));
    assert_eq!(through_a_module(&Attempts::new()), Ok(6));
}

#[test]
fn written_by_a_macro_of_the_facade() {
    let _time = VirtualTime::start();
    assert_eq!(written(), Ok(3));
}
