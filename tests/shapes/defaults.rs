//! The attribute on an `impl` block or trait: defaults for the methods that carry it themselves.

use std::cell::Cell;
use std::time::Duration;

use async_trait::async_trait;
use retry_runtime::testing::VirtualTime;
use retry_runtime::{Retryable, retry, retry as again};

use super::thrice::{Busy, is_busy, runs, third, third_later, thrice, thrice_later};
use crate::support::block_on;

struct Client {
    count: Cell<u32>,
}

impl Client {
    const fn new() -> Self {
        Self { count: Cell::new(0) }
    }

    /// One run of a body that never succeeds.
    fn fail(&self) -> Result<u32, Busy> {
        self.count.set(self.count.get() + 1);
        let _ = third();
        Err(Busy)
    }
}

/// The waits of a call that gives up.
fn waits(call: impl FnOnce(&Client) -> Result<u32, Busy>) -> Vec<u64> {
    let time = VirtualTime::start();
    assert_eq!(call(&Client::new()), Err(Busy));
    time.waits().iter().map(|wait| wait.as_millis() as u64).collect()
}

#[retry(on = is_busy, strategy = "none", base_ms = 10, cap_ms = 1_000, max = 2)]
impl Client {
    #[retry]
    fn inherits(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[retry()]
    async fn inherits_later(&self) -> Result<u32, Busy> {
        std::future::ready(()).await;
        self.fail()
    }

    #[retry(max = 3, factor = 1)]
    fn replaces(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[retry(base = "20ms")]
    async fn replaces_in_another_spelling(&self) -> Result<u32, Busy> {
        std::future::ready(()).await;
        self.fail()
    }

    #[::retry_runtime::retry(max = 1)]
    fn by_its_path(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[cfg_attr(all(), retry(max = 1))]
    fn in_cfg_attr(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[cfg_attr(all(), doc = "and without arguments", retry)]
    fn in_cfg_attr_among_others(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[cfg_attr(any(), retry(max = 1))]
    fn in_cfg_attr_that_does_not_hold(&self) -> Result<u32, Busy> {
        self.fail()
    }

    #[retry]
    fn owned(self, text: &str) -> Result<usize, Busy> {
        third()?;
        Ok(text.len())
    }

    fn not_annotated(&self) -> Result<u32, Busy> {
        self.fail()
    }
}

#[test]
fn merged() {
    assert_eq!(waits(Client::inherits), [10, 20]);
    assert_eq!(waits(|client| block_on(client.inherits_later())), [10, 20]);
}

#[test]
fn replaced() {
    assert_eq!(waits(Client::replaces), [10, 10, 10]);
    assert_eq!(waits(|client| block_on(client.replaces_in_another_spelling())), [20, 40]);
    assert_eq!(waits(Client::by_its_path), [10]);
}

#[test]
fn inside_cfg_attr() {
    assert_eq!(waits(Client::in_cfg_attr), [10]);
    assert_eq!(waits(Client::in_cfg_attr_among_others), [10, 20]);
    assert_eq!(waits(Client::in_cfg_attr_that_does_not_hold), [0; 0]);
}

#[test]
fn other_methods_are_not_touched() {
    assert_eq!(waits(Client::not_annotated), [0; 0]);
    assert_eq!(thrice(|| Client::new().owned("four")), Ok(4));
}

struct Renamed;

#[again(on = is_busy, max = 2)]
impl Renamed {
    #[again]
    fn now(&self) -> Result<u32, Busy> {
        third()
    }

    #[again(max = 4)]
    async fn later(&self) -> Result<u32, Busy> {
        third_later().await
    }

    #[retry(max = 3)]
    fn mixed(&self) -> Result<u32, Busy> {
        third()
    }
}

#[test]
fn recognised_under_another_name() {
    assert_eq!(thrice(|| Renamed.now()), Ok(3));
    assert_eq!(thrice_later(Renamed.later()), Ok(3));
    assert_eq!(thrice(|| Renamed.mixed()), Ok(3));
}

/// An error with a hint.
#[derive(Debug, PartialEq)]
struct Later;

impl Retryable for Later {
    fn is_retryable(&self) -> bool {
        true
    }

    fn retry_after(&self) -> Option<Duration> {
        Some(Duration::from_secs(7))
    }
}

const fn hint(_: &Later) -> Option<Duration> {
    Some(Duration::from_secs(3))
}

const fn never(_: &Later) -> bool {
    false
}

struct Questions;

#[retry(on = never, retry_after = hint, retry_after_mode = "replace", deadline = "10s", reset_after = "1h", max = 2)]
impl Questions {
    #[retry]
    fn asks_the_error(&self) -> Result<u32, Later> {
        third().map_err(|_| Later)
    }

    #[retry(on = |_: &Later| true)]
    fn asks_it_otherwise(&self) -> Result<u32, Later> {
        third().map_err(|_| Later)
    }

    #[retry(when = Result::is_err)]
    fn asks_the_whole(&self) -> Result<u32, Later> {
        third().map_err(|_| Later)
    }

    #[retry(when = Option::is_none)]
    fn asks_another_type(&self) -> Option<u32> {
        third().ok()
    }

    #[retry(on = |_| true, deadline = none)]
    async fn has_no_deadline(&self) -> Result<u32, Later> {
        third_later().await.map_err(|_| Later)
    }

    #[retry(on = |_| true, retry_after = none, base_ms = 5, strategy = "none", reset_after = none)]
    fn has_no_hint(&self) -> Result<u32, Later> {
        third().map_err(|_| Later)
    }
}

/// What a call returns, and its waits in seconds.
fn waited<T>(call: impl FnOnce() -> T) -> (T, Vec<u64>) {
    runs(0, || ());
    let time = VirtualTime::start();
    let value = call();
    (value, time.waits().iter().map(Duration::as_secs).collect())
}

#[test]
fn a_default_question() {
    assert_eq!(waited(|| Questions.asks_the_error()), (Err(Later), vec![]));
}

#[test]
fn another_on_keeps_the_hint() {
    assert_eq!(waited(|| Questions.asks_it_otherwise()), (Ok(3), vec![3, 3]));
}

#[test]
fn when_replaces_on_and_its_hint() {
    assert_eq!(
        waited(|| Questions.asks_the_whole()),
        (Err(Later), vec![7]),
        "the next would reach the deadline"
    );
    assert_eq!(waited(|| Questions.asks_another_type()).0, Some(3));
}

#[test]
fn none_removes_a_default() {
    assert_eq!(waited(|| block_on(Questions.has_no_deadline())), (Ok(3), vec![3, 3]));
    assert_eq!(waited(|| Questions.has_no_hint()), (Ok(3), vec![0, 0]));
}

struct Hooks;

thread_local! {
    static TOLD: Cell<u32> = const { Cell::new(0) };
}

fn tell<T>(_: T) {
    TOLD.set(TOLD.get() + 1);
}

#[retry(on = is_busy, max = 2, on_retry = tell, on_give_up = tell)]
impl Hooks {
    #[retry]
    fn told(&self) -> Result<u32, Busy> {
        third()
    }

    #[retry(on_retry = none)]
    fn untold(&self) -> Result<u32, Busy> {
        third()
    }

    #[retry(on_retry = |_| TOLD.set(TOLD.get() + 10), on_give_up = none, max = 1)]
    async fn told_otherwise(&self) -> Result<u32, Busy> {
        third_later().await
    }
}

#[test]
fn hooks_are_replaced_and_removed() {
    assert_eq!((thrice(|| Hooks.told()), TOLD.take()), (Ok(3), 2));
    assert_eq!((thrice(|| Hooks.untold()), TOLD.take()), (Ok(3), 0));
    assert_eq!((runs(2, || block_on(Hooks.told_otherwise())), TOLD.take()), (Err(Busy), 10));
}

trait Store {
    fn raw(&self) -> Result<u32, Busy>;
    fn now(&self) -> Result<u32, Busy>;
}

#[retry(on = is_busy)]
impl Store for Client {
    fn raw(&self) -> Result<u32, Busy> {
        third()
    }

    #[retry]
    fn now(&self) -> Result<u32, Busy> {
        self.raw()
    }
}

#[test]
fn on_a_trait_impl() {
    assert_eq!(thrice(|| Client::new().now()), Ok(3));
}

#[retry(on = is_busy, max = 2)]
trait ByDefault {
    const LIMIT: u32 = 3;

    fn raw(&self) -> Result<u32, Busy>;

    #[retry]
    fn now(&self) -> Result<u32, Busy> {
        self.raw()
    }

    #[retry(max = Self::LIMIT)]
    fn longer(&self) -> Result<u32, Busy> {
        self.raw()
    }
}

impl ByDefault for Renamed {
    fn raw(&self) -> Result<u32, Busy> {
        third()
    }
}

#[test]
fn on_a_trait() {
    assert_eq!(thrice(|| ByDefault::now(&Renamed)), Ok(3));
    assert_eq!(thrice(|| Renamed.longer()), Ok(3));
}

struct Service;

#[async_trait]
trait Above {
    async fn above(&self, text: String) -> Result<usize, Busy>;
    async fn above_and_cloned(&mut self, text: String) -> Result<usize, Busy>;
}

#[retry(on = is_busy, max = 2)]
#[async_trait]
impl Above for Service {
    #[retry]
    async fn above(&self, text: String) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }

    #[retry(clone(text), max = 3)]
    async fn above_and_cloned(&mut self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        third_later().await?;
        Ok(text.len())
    }
}

#[async_trait]
trait Below {
    async fn below(&self, text: String) -> Result<usize, Busy>;
    async fn below_and_cloned(&mut self, text: String) -> Result<usize, Busy>;
}

#[async_trait]
#[retry(on = is_busy, max = 2)]
impl Below for Service {
    #[retry]
    async fn below(&self, text: String) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }

    #[retry(clone(text), max = 3)]
    async fn below_and_cloned(&mut self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        third_later().await?;
        Ok(text.len())
    }
}

#[test]
fn above_async_trait() {
    assert_eq!(thrice_later(Service.above("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(Service.above_and_cloned("four".to_owned())), Ok(5));
}

#[test]
fn below_async_trait() {
    assert_eq!(thrice_later(Service.below("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(Service.below_and_cloned("four".to_owned())), Ok(5));
}

#[async_trait]
#[retry(on = is_busy)]
trait AsyncDefaults: Sync {
    async fn raw(&self) -> Result<u32, Busy>;

    #[retry(max = 2)]
    async fn later(&self) -> Result<u32, Busy> {
        self.raw().await
    }
}

#[async_trait]
impl AsyncDefaults for Service {
    async fn raw(&self) -> Result<u32, Busy> {
        third_later().await
    }
}

#[test]
fn on_a_trait_below_async_trait() {
    assert_eq!(thrice_later(Service.later()), Ok(3));
}

struct Generic<T, const MAX: u32>(T);

#[retry(on = |_| self.0 == self.0.clone(), max = MAX, strategy = "none", base = Self::BASE)]
impl<T: Clone + PartialEq, const MAX: u32> Generic<T, MAX> {
    const BASE: Duration = Duration::from_secs(2);

    #[retry]
    fn now(&self) -> Result<u32, Busy> {
        third()
    }

    #[retry(base = "1s")]
    async fn later(&mut self) -> Result<u32, Busy> {
        third_later().await
    }
}

#[test]
fn with_constants_and_closures_over_self() {
    assert_eq!(waited(|| Generic::<_, 2>(1).now()), (Ok(3), vec![2, 4]));
    assert_eq!(waited(|| block_on(Generic::<_, 2>(1).later())), (Ok(3), vec![1, 2]));
    assert_eq!(waited(|| Generic::<_, 1>(1).now()), (Err(Busy), vec![2]));
}

macro_rules! client {
    ($name:ident, $max:literal, $on:path) => {
        struct $name;

        #[retry(on = $on, max = $max)]
        impl $name {
            #[retry]
            fn now(&self) -> Result<u32, Busy> {
                third()
            }
        }
    };
}
client!(Written, 2, is_busy);

#[test]
fn written_by_a_macro() {
    assert_eq!(thrice(|| Written.now()), Ok(3));
}
