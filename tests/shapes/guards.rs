//! Temporaries of a last expression live longer before edition 2024. A guard among them is gone all the same when the
//! outcome is judged, does not live through the wait, and does not cost `Send`.

use std::cell::RefCell;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry_runtime::{Policy, retry};

use super::thrice::{Busy, send, third, third_later, thrice, thrice_later};

/// Each use of the slot is one run of a body.
fn used(value: &mut u32) -> Result<u32, Busy> {
    *value += 1;
    third().map(|_| *value)
}

fn lock(slot: &Mutex<u32>) -> MutexGuard<'_, u32> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_free(slot: &Mutex<u32>) -> bool {
    slot.try_lock().is_ok()
}

#[test]
fn in_a_call() {
    #[retry(on = |_| is_free(slot), on_retry = |_| assert!(is_free(slot)))]
    fn now(slot: &Mutex<u32>) -> Result<u32, Busy> {
        used(&mut lock(slot))
    }

    #[retry(on = |_| is_free(slot), on_retry = |_| assert!(is_free(slot)))]
    async fn later(slot: &Mutex<u32>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut lock(slot))
    }
    assert_eq!(thrice(|| now(&Mutex::new(4))), Ok(7));
    assert_eq!(thrice_later(send(later(&Mutex::new(4)))), Ok(7));
}

#[test]
fn in_a_match() {
    #[retry(on = |_| is_free(slot))]
    fn now(slot: &Mutex<u32>) -> Result<u32, Busy> {
        match used(&mut lock(slot)) {
            Ok(n) => Ok(n * 2),
            Err(busy) => Err(busy),
        }
    }

    #[retry(on = |_| is_free(slot))]
    async fn later(slot: &Mutex<u32>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        match used(&mut lock(slot)) {
            Ok(n) => Ok(n * 2),
            Err(busy) => Err(busy),
        }
    }
    assert_eq!(thrice(|| now(&Mutex::new(4))), Ok(14));
    assert_eq!(thrice_later(send(later(&Mutex::new(4)))), Ok(14));
}

#[test]
fn in_an_if_let() {
    #[retry(on = |_| is_free(slot))]
    fn now(slot: &Mutex<u32>) -> Result<u32, Busy> {
        if let Ok(n) = used(&mut lock(slot)) { Ok(n) } else { Err(Busy) }
    }

    #[retry(on = |_| is_free(slot))]
    async fn later(slot: &Mutex<u32>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        if let Ok(n) = used(&mut lock(slot)) { Ok(n) } else { Err(Busy) }
    }
    assert_eq!(thrice(|| now(&Mutex::new(4))), Ok(7));
    assert_eq!(thrice_later(send(later(&Mutex::new(4)))), Ok(7));
}

#[test]
fn in_a_chain_of_methods() {
    #[retry(when = |found| found.is_none() && stack.try_borrow_mut().is_ok())]
    fn now(stack: &RefCell<Vec<Option<u32>>>) -> Option<u32> {
        let _ = third();
        stack.borrow_mut().pop().flatten()
    }

    #[retry(when = |found| found.is_none() && stack.try_borrow_mut().is_ok())]
    async fn later(stack: &RefCell<Vec<Option<u32>>>) -> Option<u32> {
        let _ = third_later().await;
        stack.borrow_mut().pop().flatten()
    }
    let stack = || RefCell::new(vec![Some(4), None, None]);
    assert_eq!(thrice(|| now(&stack())), Some(4));
    assert_eq!(thrice_later(later(&stack())), Some(4));
}

#[test]
fn of_a_clone() {
    #[retry(on = |_| is_free(&slot), clone(slot))]
    fn now(slot: Arc<Mutex<u32>>) -> Result<u32, Busy> {
        used(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[retry(on = |_| is_free(&slot), clone(slot))]
    async fn later(slot: Arc<Mutex<u32>>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
    assert_eq!(thrice(|| now(Arc::new(Mutex::new(4)))), Ok(7));
    assert_eq!(thrice_later(send(later(Arc::new(Mutex::new(4))))), Ok(7));
}

#[test]
fn of_a_kept_or_owned_value() {
    #[retry(on = |_| is_free(&slot), keep(slot))]
    fn now(mut slot: Mutex<u32>) -> Result<u32, Busy> {
        *slot.get_mut().unwrap_or_else(PoisonError::into_inner) += 10;
        used(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[retry(on = |_| is_free(&slot))]
    async fn later(slot: Mutex<u32>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
    assert_eq!(thrice(|| now(Mutex::new(4))), Ok(37));
    assert_eq!(thrice_later(send(later(Mutex::new(4)))), Ok(7));
}

struct Client {
    slot: Mutex<u32>,
    policy: Mutex<Policy>,
}

impl Client {
    const fn new() -> Self {
        Self { slot: Mutex::new(4), policy: Mutex::new(Policy::new()) }
    }

    #[retry(on = |_| is_free(&self.slot))]
    fn now(&mut self) -> Result<u32, Busy> {
        used(&mut lock(&self.slot))
    }

    #[retry(on = |_| is_free(&self.slot))]
    async fn later(&mut self) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut lock(&self.slot))
    }

    #[retry(on = |_| is_free(&self.slot))]
    fn boxed(&self) -> BoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move {
            std::future::ready(()).await;
            used(&mut lock(&self.slot))
        })
    }

    #[retry(on = |_| is_free(&self.slot))]
    fn made<'a>(&'a self) -> impl Future<Output = Result<u32, Busy>> + Send + 'a {
        std::future::ready(used(&mut lock(&self.slot)))
    }
}

#[test]
fn of_a_field() {
    assert_eq!(thrice(|| Client::new().now()), Ok(7));
    assert_eq!(thrice_later(send(Client::new().later())), Ok(7));
}

#[test]
fn in_a_returned_future() {
    assert_eq!(thrice_later(send(Client::new().boxed())), Ok(7));
    assert_eq!(thrice_later(send(Client::new().made())), Ok(7));
}

#[async_trait]
trait Service {
    async fn exclusive(&mut self) -> Result<u32, Busy>;
    async fn cloned(&self, slot: Arc<Mutex<u32>>) -> Result<u32, Busy>;
}

#[async_trait]
impl Service for Client {
    #[retry(on = |_| is_free(&self.slot))]
    async fn exclusive(&mut self) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut lock(&self.slot))
    }

    #[retry(on = |_| is_free(&slot), clone(slot))]
    async fn cloned(&self, slot: Arc<Mutex<u32>>) -> Result<u32, Busy> {
        std::future::ready(()).await;
        used(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[test]
fn under_async_trait() {
    assert_eq!(thrice_later(send(Client::new().exclusive())), Ok(7));
    assert_eq!(thrice_later(send(Client::new().cloned(Arc::new(Mutex::new(4))))), Ok(7));
}

#[test]
#[allow(non_local_definitions, reason = "the methods are beside their shape")]
fn in_an_expression_of_the_attribute() {
    impl Client {
        #[retry(
            on = |_| is_free(&self.slot) && self.policy.try_lock().is_ok(),
            policy = *self.policy.lock().unwrap_or_else(PoisonError::into_inner),
            once(first = *lock(&self.slot))
        )]
        fn configured(&self) -> Result<u32, Busy> {
            used(&mut lock(&self.slot)).map(|n| n + first)
        }

        #[retry(
            on = |_| is_free(&self.slot) && self.policy.try_lock().is_ok(),
            policy = *self.policy.lock().unwrap_or_else(PoisonError::into_inner),
            once(first = *lock(&self.slot))
        )]
        async fn configured_later(&self) -> Result<u32, Busy> {
            std::future::ready(()).await;
            used(&mut lock(&self.slot)).map(|n| n + first)
        }
    }
    assert_eq!(thrice(|| Client::new().configured()), Ok(11));
    assert_eq!(thrice_later(send(Client::new().configured_later())), Ok(11));
}
