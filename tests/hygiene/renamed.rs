//! The runtime under another name, beside crates whose names everybody takes for the standard library's or a runtime's.
#![deny(warnings)]
#![allow(clippy::redundant_closure_for_method_calls, reason = "the closure is what is tested")]

use again::testing::VirtualTime;
use again::{Policy, Retryable, retry};
// They are there, and they are not what their names say.
#[allow(unused_imports)]
use ::{alloc::Taken as _, core::Taken as _, tokio::Taken as _};

mod attempts;
use attempts::{Attempts, Busy, block_on};

impl Retryable for Busy {
    fn is_retryable(&self) -> bool {
        true
    }
}

struct Client {
    attempts: Attempts,
    policy: Policy,
}

impl Client {
    fn new() -> Self {
        Self { attempts: Attempts::new(), policy: Policy::new() }
    }

    #[retry(crate = ::again)]
    fn now(&self) -> Result<u32, Busy> {
        self.attempts.third()
    }

    #[retry(crate = ::again)]
    async fn later(&mut self) -> Result<u32, Busy> {
        self.attempts.third()
    }

    /// Everything at once.
    #[retry(
        crate = again,
        on = |busy| busy.is_retryable(),
        strategy = "decorrelated",
        base = "10ms",
        cap_ms = 1_000,
        factor = 1.5,
        max = LIMIT,
        deadline = "1h",
        attempt_timeout = "1m",
        timed_out = |_| Busy,
        retry_after = |_| None,
        retry_after_mode = "replace",
        reset_after = "1h",
        policy = self.policy,
        clone(name),
        keep(count),
        once(key = name.len(), mut sum = 0),
        attempt = attempt,
        on_retry = |retrying| assert!(retrying.attempt() < 3),
        on_give_up = |given_up| panic!("{}", given_up.reason())
    )]
    async fn everything(&mut self, name: String, mut count: usize) -> Result<usize, Busy> {
        count += 1;
        sum += key;
        let eaten = name;
        self.attempts.third()?;
        Ok(eaten.len() + count + sum + attempt.number() as usize)
    }

    #[retry(crate = ::again, when = Option::is_none, deadline = "1h")]
    fn boxed(&self) -> std::pin::Pin<Box<dyn Future<Output = Option<u32>> + '_>> {
        Box::pin(async { self.attempts.third().ok() })
    }
}

const LIMIT: u32 = 4;

#[retry(crate = ::again, max = 2)]
impl Client {
    #[retry]
    fn by_default(&self) -> Result<u32, Busy> {
        self.attempts.third()
    }
}

#[derive(Retryable)]
#[retryable(crate = ::again)]
enum Fault {
    #[transparent]
    Busy(Busy),
    #[permanent]
    #[allow(dead_code)]
    Lost,
}

#[retry(crate = ::again)]
fn derived(attempts: &Attempts) -> Result<u32, Fault> {
    attempts.third().map_err(Fault::Busy)
}

#[test]
fn calls() {
    let _time = VirtualTime::start();
    assert_eq!(Client::new().now(), Ok(3));
    assert_eq!(block_on(Client::new().later()), Ok(3));
    assert_eq!(block_on(Client::new().everything("four".to_owned(), 0)), Ok(4 + 3 + 12 + 3));
    assert_eq!(block_on(Client::new().boxed()), Some(3));
    assert_eq!(Client::new().by_default(), Ok(3));
    assert_eq!(derived(&Attempts::new()).ok(), Some(3));
}
