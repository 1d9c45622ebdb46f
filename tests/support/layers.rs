//! What an outer layer may put around a call.

use std::time::Duration;

use proptest::option;
use proptest::prelude::*;
use retry_runtime::{with_deadline, with_deadline_blocking, without_retries, without_retries_blocking};

use crate::cases::length;
use crate::story::Around;

#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    /// The limit of a `with_deadline`.
    pub(crate) deadline: Option<Duration>,
    /// Whether there is a `without_retries`.
    pub(crate) single: bool,
}

pub(crate) fn layers() -> impl Strategy<Value = Layers> {
    let deadline = option::weighted(0.3, (0..=6_u32, length()).prop_map(|(times, length)| length * times));
    (deadline, prop::bool::weighted(0.05)).prop_map(|(deadline, single)| Layers { deadline, single })
}

impl Layers {
    pub(crate) const NONE: Self = Self { deadline: None, single: false };

    pub(crate) fn around(&self) -> Around<'static> {
        Around { deadline: self.deadline, single: self.single, ..Around::default() }
    }

    pub(crate) fn within<R>(&self, call: impl FnOnce() -> R) -> R {
        let bounded = || match self.deadline {
            Some(limit) => with_deadline_blocking(limit, call),
            None => call(),
        };
        if self.single { without_retries_blocking(bounded) } else { bounded() }
    }

    pub(crate) async fn within_later<F: Future>(&self, call: F) -> F::Output {
        let bounded = async {
            match self.deadline {
                Some(limit) => with_deadline(limit, call).await,
                None => call.await,
            }
        };
        if self.single { without_retries(bounded).await } else { bounded.await }
    }
}
