//! The loop that one writes by hand, once one knows how: a constant policy, one counter, a generator per thread.

use std::cell::RefCell;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::task::Poll;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::work::{BASE, CAP, Error, MANY, MAX, Work, is_busy};

thread_local! {
    static GENERATOR: RefCell<Option<SmallRng>> = const { RefCell::new(None) };
}

fn bits() -> u64 {
    GENERATOR.with_borrow_mut(|slot| {
        slot.get_or_insert_with(|| SmallRng::seed_from_u64(RandomState::new().hash_one(0_u64))).next_u64()
    })
}

#[allow(clippy::cast_possible_truncation, reason = "durations of centuries at most")]
fn window(retry: u32, base: Duration, cap: Duration) -> u64 {
    let (base, cap) = (base.as_nanos() as u64, cap.as_nanos() as u64);
    let steps = retry - 1;
    if steps < 64 && base <= cap >> steps { base << steps } else { cap }
}

#[allow(clippy::cast_possible_truncation, reason = "the upper half of 128 bits")]
pub fn jittered(retry: u32, base: Duration, cap: Duration) -> Duration {
    let outcomes = window(retry, base, cap) + 1;
    Duration::from_nanos(((u128::from(bits()) * u128::from(outcomes)) >> 64) as u64)
}

pub fn plain(retry: u32, base: Duration, cap: Duration) -> Duration {
    Duration::from_nanos(window(retry, base, cap))
}

/// The delay of a policy without delays.
fn zero(_: u32) -> Duration {
    black_box(Duration::ZERO)
}

pub fn block(delay: Duration) {
    if delay.is_zero() { std::thread::yield_now() } else { std::thread::sleep(delay) }
}

async fn yielded() {
    let mut yielded = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

pub fn blocking(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let outcome = work.attempt();
        match &outcome {
            Err(error) if is_busy(error) && retries < MAX => retries += 1,
            _ => return outcome,
        }
        block(jittered(retries, BASE, CAP));
    }
}

pub fn blocking_unwaited(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let outcome = work.attempt();
        match &outcome {
            Err(error) if is_busy(error) && retries < MANY => retries += 1,
            _ => return outcome,
        }
        black_box(plain(retries, BASE, CAP));
    }
}

pub async fn later(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let delay = {
            let outcome = work.attempt_later().await;
            match &outcome {
                Err(error) if is_busy(error) && retries < MAX => retries += 1,
                _ => return outcome,
            }
            jittered(retries, BASE, CAP)
        };
        tokio::time::sleep(delay).await;
    }
}

pub async fn later_waiting(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let delay = {
            let outcome = work.attempt_later().await;
            match &outcome {
                Err(error) if is_busy(error) && retries < MAX => retries += 1,
                _ => return outcome,
            }
            plain(retries, BASE, CAP)
        };
        tokio::time::sleep(delay).await;
    }
}

pub async fn later_unwaited(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let delay = {
            let outcome = work.attempt_later().await;
            match &outcome {
                Err(error) if is_busy(error) && retries < MANY => retries += 1,
                _ => return outcome,
            }
            plain(retries, BASE, CAP)
        };
        black_box(delay);
    }
}

pub async fn later_yielding(work: &Work) -> Result<u64, Error> {
    let mut retries = 0;
    loop {
        let delay = {
            let outcome = work.attempt_later().await;
            match &outcome {
                Err(error) if is_busy(error) && retries < MANY => retries += 1,
                _ => return outcome,
            }
            zero(retries)
        };
        if delay.is_zero() { yielded().await } else { tokio::time::sleep(delay).await }
    }
}

macro_rules! sized {
    ($name:ident, $bytes:literal) => {
        pub async fn $name(n: u8) -> Result<u64, Error> {
            let mut retries = 0;
            loop {
                let delay = {
                    let outcome = async {
                        let bytes = [n; $bytes];
                        std::future::ready(()).await;
                        if bytes[0] == 0 {
                            Err(Error::Busy(0))
                        } else {
                            Ok(bytes[usize::from(n) % $bytes].into())
                        }
                    }
                    .await;
                    match &outcome {
                        Err(error) if is_busy(error) && retries < MAX => retries += 1,
                        _ => return outcome,
                    }
                    jittered(retries, BASE, CAP)
                };
                tokio::time::sleep(delay).await;
            }
        }
    };
}
sized!(small, 20);
sized!(middle, 100);
sized!(large, 1060);
