//! Atomics, which a model checker replaces.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicI64, Ordering};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicI64, Ordering};
