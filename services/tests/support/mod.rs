//! What the tests share.
#![allow(dead_code, reason = "no test uses all of it")]

use std::future::Future;
use std::sync::Mutex;
use std::time::Duration;

pub mod grpc;
pub mod http;

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The waits of calls, noted and not waited for.
#[derive(Debug, Default)]
pub struct Waits(Mutex<Vec<Duration>>);

impl Waits {
    pub fn note(&self, delay: Duration) -> impl Future<Output = ()> + use<> {
        self.0.lock().unwrap().push(delay);
        std::future::ready(())
    }

    /// The waits so far; none are left.
    pub fn take(&self) -> Vec<Duration> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}
