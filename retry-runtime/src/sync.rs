//! What threads share, which a model checker replaces: `RUSTFLAGS="--cfg retry_loom" cargo test -p retry-runtime --lib`.

#[cfg(not(all(test, retry_loom)))]
pub(crate) use core::sync::atomic::{AtomicI64, Ordering};
#[cfg(not(all(test, retry_loom)))]
pub(crate) use std::sync::{Mutex, MutexGuard};

#[cfg(all(test, retry_loom))]
pub(crate) use loom::sync::atomic::{AtomicI64, Ordering};
#[cfg(all(test, retry_loom))]
pub(crate) use loom::sync::{Mutex, MutexGuard};
