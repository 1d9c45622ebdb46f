//! What several tests share.
#![allow(dead_code, reason = "no test uses all of it")]

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub mod script;

/// Drives a future on no runtime at all: for futures that wait in virtual time.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Polls a future once, with a waker that does nothing.
pub fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// What happened, in order. Tasks may share it.
#[derive(Debug, Default)]
pub struct Log(Mutex<Vec<String>>);

impl Log {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub fn add(&self, entry: impl Into<String>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(entries.len() < 1_000, "no end in sight");
        entries.push(entry.into());
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// The entries so far; the log is empty afterwards.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Writes its end into a log.
#[derive(Debug)]
pub struct Noisy<'l> {
    pub name: &'static str,
    pub log: &'l Log,
}

impl Clone for Noisy<'_> {
    fn clone(&self) -> Self {
        Self { name: "clone", log: self.log }
    }
}

impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.log.add(format!("drop {}", self.name));
    }
}
