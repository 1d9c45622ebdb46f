//! The future is `Send` whenever the plain one is.
#![allow(non_local_definitions, reason = "each shape has its methods beside it")]

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry_runtime::retry;

use super::thrice::{Busy, is_busy, send, third, third_later, thrice_later};

/// May move between threads, but not be shared by them.
struct Counter {
    count: Cell<u32>,
}

impl Counter {
    const fn new() -> Self {
        Self { count: Cell::new(4) }
    }

    fn add(&self) -> u32 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }
}

#[test]
fn data_behind_an_exclusive_receiver() {
    impl Counter {
        #[retry(on = is_busy)]
        async fn later(&mut self) -> Result<u32, Busy> {
            let count = self.add();
            third_later().await?;
            Ok(count)
        }
    }
    assert_eq!(thrice_later(send(Counter::new().later())), Ok(7));
}

#[test]
fn data_behind_an_exclusive_receiver_that_is_moved_on() {
    impl Counter {
        #[retry(on = is_busy)]
        async fn moved_on(&mut self) -> Result<u32, Busy> {
            let this = self;
            let count = this.add();
            third_later().await?;
            Ok(count)
        }
    }
    assert_eq!(thrice_later(send(Counter::new().moved_on())), Ok(7));
}

#[test]
fn data_behind_an_exclusive_argument() {
    #[retry(on = is_busy)]
    async fn later(counter: &mut Counter) -> Result<u32, Busy> {
        let count = counter.add();
        third_later().await?;
        Ok(count)
    }
    assert_eq!(thrice_later(send(later(&mut Counter::new()))), Ok(7));
}

#[test]
fn data_behind_an_exclusive_reference_in_a_boxed_future() {
    impl Counter {
        #[retry(on = is_busy)]
        fn boxed(&mut self) -> BoxFuture<'_, Result<u32, Busy>> {
            Box::pin(async move {
                let count = self.add();
                third_later().await?;
                Ok(count)
            })
        }

        #[retry(on = is_busy)]
        fn made(&mut self) -> impl Future<Output = Result<u32, Busy>> + Send + '_ {
            let count = self.add();
            async move {
                third_later().await?;
                Ok(count)
            }
        }
    }
    assert_eq!(thrice_later(send(Counter::new().boxed())), Ok(7));
    assert_eq!(thrice_later(send(Counter::new().made())), Ok(5));
}

#[test]
fn data_that_is_kept() {
    #[retry(on = is_busy, keep(counter))]
    async fn later(mut counter: Counter) -> Result<u32, Busy> {
        *counter.count.get_mut() += 1;
        let count = counter.add();
        third_later().await?;
        Ok(count)
    }
    assert_eq!(thrice_later(send(later(Counter::new()))), Ok(10));
}

#[test]
fn data_that_is_cloned() {
    #[retry(on = is_busy, clone(cell))]
    async fn later(cell: Cell<u32>) -> Result<u32, Busy> {
        cell.set(cell.get() + 1);
        third_later().await?;
        Ok(cell.into_inner())
    }

    #[retry(on = is_busy, clone(value))]
    async fn generic<T: Clone + Send>(value: T) -> Result<T, Busy> {
        third_later().await?;
        Ok(value)
    }

    fn sent<T: Clone + Send>(value: T) -> impl Future<Output = Result<T, Busy>> + Send {
        generic(value)
    }
    assert_eq!(thrice_later(send(later(Cell::new(4)))), Ok(5));
    assert_eq!(thrice_later(sent(Cell::new(4))).map(Cell::into_inner), Ok(4));
}

#[async_trait]
trait Exclusive {
    async fn exclusive(&mut self) -> Result<u32, Busy>;
}

#[async_trait]
impl Exclusive for Counter {
    #[retry(on = is_busy)]
    async fn exclusive(&mut self) -> Result<u32, Busy> {
        let count = self.add();
        third_later().await?;
        Ok(count)
    }
}

#[async_trait]
trait Service {
    async fn argument(&self, counter: &mut Counter) -> Result<u32, Busy>;
    async fn cloned(&self, cell: Cell<u32>) -> Result<u32, Busy>;
}

struct Client;

#[async_trait]
impl Service for Client {
    #[retry(on = is_busy)]
    async fn argument(&self, counter: &mut Counter) -> Result<u32, Busy> {
        let count = counter.add();
        third_later().await?;
        Ok(count)
    }

    #[retry(on = is_busy, clone(cell))]
    async fn cloned(&self, cell: Cell<u32>) -> Result<u32, Busy> {
        cell.set(cell.get() + 1);
        third_later().await?;
        Ok(cell.into_inner())
    }
}

#[test]
fn data_behind_an_exclusive_receiver_under_async_trait() {
    assert_eq!(thrice_later(Counter::new().exclusive()), Ok(7));
}

#[test]
fn data_behind_an_exclusive_argument_under_async_trait() {
    assert_eq!(thrice_later(Client.argument(&mut Counter::new())), Ok(7));
}

#[test]
fn cloned_data_under_async_trait() {
    assert_eq!(thrice_later(Client.cloned(Cell::new(4))), Ok(5));
}

#[test]
fn an_error_that_may_not_move_between_threads() {
    #[derive(Debug)]
    struct Local(#[allow(dead_code)] Rc<u32>);

    fn is_local(_: &Local) -> bool {
        true
    }

    #[retry(on = is_local)]
    async fn later() -> Result<u32, Local> {
        std::future::ready(()).await;
        third().map_err(|_| Local(Rc::new(1)))
    }
    assert_eq!(thrice_later(send(later())).ok(), Some(3));
}

#[test]
fn a_value_that_may_not_move_between_threads() {
    #[retry(when = |value| **value < 3)]
    async fn later() -> Rc<u32> {
        std::future::ready(()).await;
        Rc::new(third().unwrap_or_default())
    }
    assert_eq!(*thrice_later(send(later())), 3);
}

#[test]
fn a_guard_in_the_tail_expression() {
    #[retry(on = is_busy)]
    async fn later(slot: &Mutex<u32>) -> Result<u32, Busy> {
        third_later().await?;
        match *slot.lock().unwrap_or_else(PoisonError::into_inner) {
            0 => Err(Busy),
            n => Ok(n),
        }
    }
    assert_eq!(thrice_later(send(later(&Mutex::new(4)))), Ok(4));
}

#[test]
fn owned_arguments_that_may_be_shared() {
    #[retry(on = is_busy)]
    async fn later(name: String, handle: Arc<Mutex<u32>>) -> Result<usize, Busy> {
        third_later().await?;
        Ok(name.len() + Arc::strong_count(&handle))
    }
    assert_eq!(thrice_later(send(later("four".to_owned(), Arc::default()))), Ok(5));
}

#[test]
fn spawned_on_several_threads() {
    #[retry(on = is_busy, strategy = "none", base_ms = 1)]
    async fn later(left: Arc<Mutex<u32>>) -> Result<u32, Busy> {
        tokio::task::yield_now().await;
        let left = {
            let mut left = left.lock().map_err(|_| Busy)?;
            *left -= 1;
            *left
        };
        if left > 0 { Err(Busy) } else { Ok(left) }
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build();
    let task =
        runtime.map(|runtime| runtime.block_on(async { tokio::spawn(later(Arc::new(Mutex::new(3)))).await }));
    assert!(matches!(task, Ok(Ok(Ok(0)))));
}
