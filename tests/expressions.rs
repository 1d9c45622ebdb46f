//! What the expressions and closures of the attribute see: what the body sees at its start, in every kind of function.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Policy, Strategy, retry};

mod support;
use support::{Log, block_on, ms};

/// `self` of the functions here.
struct Client {
    log: Log,
    policy: Policy,
}

impl Client {
    fn new() -> Self {
        Self { log: Log::new(), policy: Policy::new().strategy(Strategy::None).max(1) }
    }

    fn note(&self, key: &str, n: u32) -> bool {
        self.log.add(format!("{key} {n}"));
        true
    }

    /// Needs all of `self`.
    fn note_mut(&mut self, key: &str, n: u32) -> bool {
        self.note(key, n)
    }

    fn policy_mut(&mut self, n: u32) -> Policy {
        self.note("policy", n);
        self.policy
    }
}

/// What each of these functions logs when it is called with 7.
const EXPECTED: [&str; 11] = [
    "once 7", "policy 7", "body 7", "on 71", "hint 71", "retry 71", "sleep 7", "body 7", "on 72", "hint 72",
    "end 72",
];

#[track_caller]
fn check(log: &Log, outcome: Result<(), u32>) {
    assert_eq!(outcome, Err(7));
    assert_eq!(log.take(), EXPECTED);
}

#[retry(
    once(key = { client.note("once", n); n * 10 }),
    policy = { client.note("policy", n); &client.policy },
    attempt = now,
    on = |_| client.note("on", key + now.number()),
    retry_after = |_| client.note("hint", key + now.number()).then_some(ms(30)),
    on_retry = |_| _ = client.note("retry", key + now.number()),
    on_give_up = |_| _ = client.note("end", key + now.number()),
    sleep = |_| _ = client.note("sleep", n)
)]
fn free(client: &Client, n: u32) -> Result<(), u32> {
    client.note("body", n);
    Err(n)
}

#[retry(
    once(key = { client.note_mut("once", n); n * 10 }),
    policy = client.policy_mut(n),
    attempt = now,
    on = |_| client.note_mut("on", key + now.number()),
    retry_after = |_| client.note_mut("hint", key + now.number()).then_some(ms(30)),
    on_retry = |_| _ = client.note_mut("retry", key + now.number()),
    on_give_up = |_| _ = client.note_mut("end", key + now.number()),
    sleep = async |_| _ = client.note("sleep", n)
)]
async fn free_later(client: &mut Client, n: u32) -> Result<(), u32> {
    client.note_mut("body", n);
    Err(n)
}

#[test]
fn in_free_functions() {
    let mut client = Client::new();
    check(&client.log, free(&client, 7));
    let outcome = block_on(free_later(&mut client, 7));
    check(&client.log, outcome);
}

impl Client {
    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = |_| _ = self.note("sleep", n)
    )]
    fn blocking(&self, n: u32) -> Result<(), u32> {
        self.note("body", n);
        Err(n)
    }

    #[retry(
        once(key = { self.note_mut("once", n); n * 10 }),
        policy = self.policy_mut(n),
        attempt = now,
        on = |_| self.note_mut("on", key + now.number()),
        retry_after = |_| self.note_mut("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note_mut("retry", key + now.number()),
        on_give_up = |_| _ = self.note_mut("end", key + now.number()),
        sleep = |_| _ = self.note("sleep", n)
    )]
    fn blocking_mut(&mut self, n: u32) -> Result<(), u32> {
        self.note_mut("body", n);
        Err(n)
    }

    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    async fn later(&self, n: u32) -> Result<(), u32> {
        self.note("body", n);
        Err(n)
    }

    #[retry(
        once(key = { self.note_mut("once", n); n * 10 }),
        policy = self.policy_mut(n),
        attempt = now,
        on = |_| self.note_mut("on", key + now.number()),
        retry_after = |_| self.note_mut("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note_mut("retry", key + now.number()),
        on_give_up = |_| _ = self.note_mut("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    async fn later_mut(&mut self, n: u32) -> Result<(), u32> {
        self.note_mut("body", n);
        Err(n)
    }
}

#[test]
fn in_methods() {
    let mut client = Client::new();
    check(&client.log, client.blocking(7));
    check(&client.log, block_on(client.later(7)));
    let outcome = client.blocking_mut(7);
    check(&client.log, outcome);
    let outcome = block_on(client.later_mut(7));
    check(&client.log, outcome);
}

impl Client {
    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    fn boxed(&self, n: u32) -> Pin<Box<dyn Future<Output = Result<(), u32>> + '_>> {
        Box::pin(async move {
            self.note("body", n);
            Err(n)
        })
    }

    #[retry(
        once(key = { self.note_mut("once", n); n * 10 }),
        policy = self.policy_mut(n),
        attempt = now,
        on = |_| self.note_mut("on", key + now.number()),
        retry_after = |_| self.note_mut("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note_mut("retry", key + now.number()),
        on_give_up = |_| _ = self.note_mut("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    fn boxed_mut(&mut self, n: u32) -> Pin<Box<dyn Future<Output = Result<(), u32>> + '_>> {
        Box::pin(async move {
            self.note_mut("body", n);
            Err(n)
        })
    }

    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    #[allow(clippy::manual_async_fn, reason = "it is what is tested")]
    fn opaque(&self, n: u32) -> impl Future<Output = Result<(), u32>> {
        async move {
            self.note("body", n);
            Err(n)
        }
    }
}

#[test]
fn in_functions_that_return_a_future() {
    let mut client = Client::new();
    check(&client.log, block_on(client.boxed(7)));
    check(&client.log, block_on(client.opaque(7)));
    let outcome = block_on(client.boxed_mut(7));
    check(&client.log, outcome);
}

#[async_trait::async_trait]
trait Service {
    async fn lent(&self, n: u32) -> Result<(), u32>;
    async fn lent_mutably(&mut self, n: u32) -> Result<(), u32>;
    async fn shared(self: Arc<Self>, n: u32) -> Result<(), u32>;
}

#[async_trait::async_trait]
impl Service for Client {
    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    async fn lent(&self, n: u32) -> Result<(), u32> {
        self.note("body", n);
        Err(n)
    }

    #[retry(
        once(key = { self.note_mut("once", n); n * 10 }),
        policy = self.policy_mut(n),
        attempt = now,
        on = |_| self.note_mut("on", key + now.number()),
        retry_after = |_| self.note_mut("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note_mut("retry", key + now.number()),
        on_give_up = |_| _ = self.note_mut("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    async fn lent_mutably(&mut self, n: u32) -> Result<(), u32> {
        self.note_mut("body", n);
        Err(n)
    }

    #[retry(
        once(key = { self.note("once", n); n * 10 }),
        policy = { self.note("policy", n); &self.policy },
        attempt = now,
        on = |_| self.note("on", key + now.number()),
        retry_after = |_| self.note("hint", key + now.number()).then_some(ms(30)),
        on_retry = |_| _ = self.note("retry", key + now.number()),
        on_give_up = |_| _ = self.note("end", key + now.number()),
        sleep = async |_| _ = self.note("sleep", n)
    )]
    async fn shared(self: Arc<Self>, n: u32) -> Result<(), u32> {
        self.note("body", n);
        Err(n)
    }
}

#[test]
fn under_async_trait() {
    let mut client = Client::new();
    check(&client.log, block_on(client.lent(7)));
    let outcome = block_on(client.lent_mutably(7));
    check(&client.log, outcome);
    let client = Arc::new(client);
    check(&client.log, block_on(client.clone().shared(7)));
}

#[derive(Debug, PartialEq, Eq)]
struct Wrong([u32; 4]);

fn wrong(n: u32) -> Wrong {
    Wrong([n; 4])
}

trait Judge {
    const LONGEST: u32;

    fn is_soft(error: &Wrong) -> bool;

    #[retry(max = 2, on = Self::is_soft, retry_after = |_| (Self::LONGEST > 3).then_some(ms(5)))]
    fn default_method(&self, n: u32) -> Result<(), Wrong> {
        Err(wrong(n))
    }
}

struct Strict;

impl Judge for Strict {
    const LONGEST: u32 = 9;

    fn is_soft(error: &Wrong) -> bool {
        error.0[0] < Self::LONGEST
    }
}

#[async_trait::async_trait]
trait AsyncJudge: Sync {
    const LONGEST: Duration = ms(7);

    fn is_soft(error: &Wrong) -> bool;

    #[retry(max = Self::RETRIES, on = Self::is_soft, retry_after_mode = "replace", retry_after = |_| Some(Self::LONGEST))]
    async fn default_method(&self, n: u32) -> Result<(), Wrong> {
        Err(wrong(n))
    }

    const RETRIES: u32 = 2;
}

impl AsyncJudge for Client {
    fn is_soft(error: &Wrong) -> bool {
        error.0[0] < 9
    }
}

#[test]
fn in_default_methods_with_what_belongs_to_the_implementing_type() {
    let time = VirtualTime::start();
    assert_eq!(Strict.default_method(8), Err(wrong(8)));
    assert_eq!(time.waits().len(), 2);
    assert_eq!(Strict.default_method(9), Err(wrong(9)));
    assert_eq!(time.waits().len(), 2);
    let client = Client::new();
    assert_eq!(block_on(AsyncJudge::default_method(&client, 8)), Err(wrong(8)));
    assert_eq!(time.waits()[2..], [ms(7), ms(7)]);
    assert_eq!(block_on(AsyncJudge::default_method(&client, 9)), Err(wrong(9)));
    assert_eq!(time.waits().len(), 4);
}

struct Locked {
    config: Mutex<Policy>,
}

#[async_trait::async_trait]
trait Guarded {
    async fn call(&self) -> Result<(), bool>;
}

#[async_trait::async_trait]
impl Guarded for Locked {
    #[retry(policy = *self.config.lock().unwrap(), on = |_| true)]
    async fn call(&self) -> Result<(), bool> {
        Err(self.config.try_lock().is_ok())
    }
}

#[test]
fn a_guard_in_the_policy_expression_ends_before_the_body_under_async_trait_too() {
    let time = VirtualTime::start();
    let locked = Locked { config: Mutex::new(Policy::new().max(3)) };
    assert_eq!(block_on(locked.call()), Err(true));
    assert_eq!(time.waits().len(), 3);
}
