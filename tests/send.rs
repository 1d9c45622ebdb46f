//! The future of an annotated function is `Send` whenever the plain one is; the error is gone before the wait.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::future::Future;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Policy, always, retry};

mod support;
use support::{Log, Noisy, block_on, ms};

/// Compiles for what is `Send` alone.
fn send<T: Send>(value: T) -> T {
    value
}

async fn pause() {
    std::future::ready(()).await;
}

/// Tells whether a type is `Send`, by method lookup: what needs fewer references is taken where it applies.
struct Probe<T>(PhantomData<T>);

fn probe<T>(_: &T) -> Probe<T> {
    Probe(PhantomData)
}

trait IsSend {
    fn is_send(&self) -> bool {
        true
    }
}

impl<T: Send> IsSend for Probe<T> {}

trait IsNotSend {
    fn is_send(&self) -> bool {
        false
    }
}

impl<T> IsNotSend for &Probe<T> {}

#[retry(max = 1, on = |error| error.to_string() == "busy")]
async fn object(n: u32) -> Result<u32, Box<dyn Error>> {
    pause().await;
    if n == 0 { Err("busy".into()) } else { Ok(n) }
}

#[test]
fn with_an_error_object_that_is_not_send() {
    let _time = VirtualTime::start();
    assert_eq!(block_on(send(object(7))).unwrap(), 7);
    assert_eq!(block_on(send(object(0))).unwrap_err().to_string(), "busy");
}

#[test]
fn with_a_counted_pointer_in_the_error_or_in_the_value() {
    #[retry(max = 1, on = always)]
    async fn load(n: u32) -> Result<Rc<u32>, Rc<str>> {
        pause().await;
        if n == 0 { Err("busy".into()) } else { Ok(Rc::new(n)) }
    }

    let _time = VirtualTime::start();
    assert_eq!(*block_on(send(load(7))).unwrap(), 7);
    assert_eq!(*block_on(send(load(0))).unwrap_err(), *"busy");
}

#[test]
fn with_every_key_at_once_and_an_error_that_is_not_send() {
    #[retry(
        max = 2,
        strategy = "decorrelated",
        deadline_ms = 60_000,
        reset_after_ms = 30_000,
        policy = Policy::new(),
        attempt = now,
        once(key = n + 1, mut seen = Vec::new()),
        clone(text),
        keep(count),
        on = |error: &Rc<String>| !error.is_empty() && key > 0,
        retry_after = |error: &Rc<String>| (error.len() > 9).then_some(ms(5)),
        on_retry = |event| log.add(format!("{} {}", event.error(), now.number())),
        on_give_up = |event| log.add(event.reason().to_string())
    )]
    async fn load(n: u32, text: String, mut count: u32, log: &Log) -> Result<u32, Rc<String>> {
        pause().await;
        count += 1;
        seen.push(count);
        if now.number() > n { Ok(count + key) } else { Err(Rc::new(text + "!")) }
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(block_on(send(load(1, "busy".to_owned(), 10, &log))).unwrap(), 14);
    assert_eq!(log.take(), ["busy! 1"]);
}

#[test]
fn with_a_whole_output_that_is_not_send() {
    #[retry(max = 1, when = Option::is_none)]
    async fn page(n: u32) -> Option<Rc<u32>> {
        pause().await;
        (n > 0).then(|| Rc::new(n))
    }

    let _time = VirtualTime::start();
    assert!(block_on(send(page(0))).is_none());
}

#[test]
fn with_generic_types_that_are_send() {
    #[retry(max = 1, on = always)]
    async fn load<T: Clone + Send + Sync, E>(
        value: T,
        make: impl Fn() -> Result<T, E> + Send + Sync,
    ) -> Result<T, E> {
        pause().await;
        make().map(|_| value.clone())
    }

    let _time = VirtualTime::start();
    assert_eq!(block_on(send(load(7, || Err::<u8, Rc<u8>>(Rc::new(3))))).unwrap_err(), Rc::new(3));
}

/// Send, but not Sync.
#[derive(Default)]
struct Counter {
    n: Cell<u32>,
}

impl Counter {
    fn up(&self) -> u32 {
        self.n.set(self.n.get() + 1);
        self.n.get()
    }

    #[retry(max = 2, on = always)]
    async fn of_self(&mut self) -> Result<(), u32> {
        pause().await;
        Err(self.up())
    }

    #[retry(max = 2, on = always, on_retry = |_| _ = self.up())]
    async fn with_a_hook(&mut self) -> Result<(), u32> {
        pause().await;
        Err(self.up())
    }
}

#[test]
fn with_data_behind_mutable_references_that_is_not_sync() {
    #[retry(max = 2, on = always)]
    async fn of_argument(counter: &mut Counter) -> Result<(), u32> {
        pause().await;
        Err(counter.up())
    }
    #[retry(max = 2, on = always, keep(counter))]
    async fn kept(mut counter: Counter) -> Result<(), u32> {
        pause().await;
        Err(counter.up())
    }

    let _time = VirtualTime::start();
    let mut counter = Counter::default();
    assert_eq!(block_on(send(counter.of_self())), Err(3));
    assert_eq!(block_on(send(of_argument(&mut counter))), Err(6));
    assert_eq!(block_on(send(counter.with_a_hook())), Err(11));
    assert_eq!(block_on(send(kept(counter))), Err(14));
}

#[async_trait::async_trait]
trait Service {
    async fn call(&mut self, more: &mut Counter) -> Result<u32, Rc<u32>>;

    #[retry(max = 2, on = |n| **n < 100)]
    async fn call_by_default(&mut self, more: &mut Counter) -> Result<u32, Rc<u32>>
    where
        Self: Send,
    {
        self.call(more).await
    }
}

#[async_trait::async_trait]
impl Service for Counter {
    #[retry(max = 2, on = always)]
    async fn call(&mut self, more: &mut Counter) -> Result<u32, Rc<u32>> {
        pause().await;
        Err(Rc::new(self.up() + more.up()))
    }
}

#[test]
fn with_the_same_under_async_trait() {
    let _time = VirtualTime::start();
    let (mut counter, mut more) = (Counter::default(), Counter::default());
    assert_eq!(block_on(send(counter.call(&mut more))), Err(Rc::new(6)));
    assert_eq!(
        block_on(send(counter.call_by_default(&mut more))),
        Err(Rc::new(24)),
        "three times three attempts"
    );
}

#[test]
fn a_body_that_is_not_send_stays_so_and_works() {
    #[retry(max = 2, on = always)]
    async fn load(shared: Rc<RefCell<u32>>) -> Result<(), u32> {
        pause().await;
        *shared.borrow_mut() += 1;
        Err(*shared.borrow())
    }

    let _time = VirtualTime::start();
    let future = load(Rc::default());
    let probed = probe(&future);
    assert!(!(&probed).is_send());
    assert_eq!(block_on(future), Err(3));
    let future = object(1);
    let probed = &probe(&future);
    assert!(probed.is_send());
}

#[tokio::test(start_paused = true)]
async fn a_call_can_be_spawned() {
    #[retry(max = 2, on = always, strategy = "none")]
    async fn load(text: Arc<str>) -> Result<(), usize> {
        let inner: Result<u32, Box<dyn Error>> = object(0).await;
        Err(inner.map_or_else(|error| error.to_string().len(), |_| 0) + text.len())
    }

    assert_eq!(tokio::spawn(load("text".into())).await.unwrap(), Err(8));
}

#[retry(
    strategy = "none",
    base_ms = 10,
    cap_ms = 10,
    max = 2,
    on = always,
    attempt = now,
    sleep = |delay: Duration| log.add(format!("wait {}", delay.as_millis()))
)]
fn call(log: &Log) -> Result<(), Noisy<'_>> {
    log.add(format!("call {}", now.number()));
    Err(Noisy { name: ["a", "b", "c"][now.number() as usize - 1], log })
}

#[retry(
    strategy = "none",
    base_ms = 10,
    cap_ms = 10,
    max = 2,
    on = always,
    attempt = now,
    sleep = async |delay: Duration| log.add(format!("wait {}", delay.as_millis()))
)]
async fn call_later(log: &Log) -> Result<(), Noisy<'_>> {
    log.add(format!("call {}", now.number()));
    Err(Noisy { name: ["a", "b", "c"][now.number() as usize - 1], log })
}

#[test]
fn an_error_is_dropped_before_the_wait_that_follows_it() {
    let expected =
        ["call 1", "drop a", "wait 10", "call 2", "drop b", "wait 10", "call 3", "return c", "drop c"];
    let log = Log::new();
    let last = call(&log);
    log.add(format!("return {}", last.as_ref().unwrap_err().name));
    drop(last);
    assert_eq!(log.take(), expected);
    let last = block_on(call_later(&log));
    log.add(format!("return {}", last.as_ref().unwrap_err().name));
    drop(last);
    assert_eq!(log.take(), expected);
}

#[test]
fn the_future_has_no_room_for_an_error() {
    #[retry(max = 2, on = always)]
    async fn load() -> Result<(), [u8; 4_096]> {
        Err([7; 4_096])
    }

    fn size<F: Future>(future: &F) -> usize {
        size_of_val(future)
    }

    assert!(size(&load()) < 512, "{}", size(&load()));
}
