//! `CancellationToken` of the crate `tokio-util` as a token, with the feature `tokio-util`. Time is paused.
#![cfg(all(feature = "macros", feature = "tokio", feature = "tokio-util"))]
#![allow(missing_docs)]

use std::cell::Cell;
use std::time::Duration;

use retry_runtime::retry;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

#[retry(strategy = "none", base_ms = 1_000, cap_ms = 1_000, on = retry_runtime::always, cancel = token)]
async fn ask(token: CancellationToken, calls: &Cell<u32>) -> Result<(), &'static str> {
    calls.set(calls.get() + 1);
    Err("busy")
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_token_ends_the_wait() {
    let (token, calls, start) = (CancellationToken::new(), Cell::new(0), Instant::now());
    let fire = async {
        sleep(Duration::from_millis(1_500)).await;
        token.cancel();
    };
    let (result, ()) = tokio::join!(ask(token.child_token(), &calls), fire);
    assert_eq!((result, calls.get(), start.elapsed()), (Err("busy"), 2, Duration::from_millis(1_500)));
}

#[test]
fn it_wakes_a_blocking_call_too() {
    #[retry(strategy = "none", base = "1h", cap = "1h", on = retry_runtime::always, cancel = token)]
    fn patient(token: &CancellationToken) -> Result<(), &'static str> {
        Err("busy")
    }
    let token = CancellationToken::new();
    std::thread::scope(|scope| {
        scope.spawn(|| token.cancel());
        assert_eq!(patient(&token), Err("busy"));
    });
}
