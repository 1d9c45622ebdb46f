//! `tracing` events under the target `retry_runtime`: WARN for a retry, ERROR for giving up, INFO where giving up was
//! somebody's wish.

use core::fmt::Display;

use super::Site;
use crate::outcome::{GivenUp, Retrying, StopReason};

pub(super) fn retrying(site: &Site, event: &Retrying<'_, ()>, error: Option<&dyn Display>) {
    tracing::warn!(
        target: "retry_runtime",
        function = site.function,
        attempt = event.attempt(),
        delay = ?event.delay(),
        source = event.source().name(),
        elapsed = ?event.elapsed(),
        error = error.map(tracing::field::display),
        "retrying"
    );
}

pub(super) fn given_up(site: &Site, event: &GivenUp<'_, ()>, error: Option<&dyn Display>) {
    // The level of an event is a constant of its call site.
    macro_rules! event {
        ($level:ident) => {
            tracing::$level!(
                target: "retry_runtime",
                function = site.function,
                attempts = event.attempts(),
                reason = ?event.reason(),
                elapsed = ?event.elapsed(),
                error = error.map(tracing::field::display),
                "giving up"
            )
        };
    }
    match event.reason() {
        StopReason::Off | StopReason::Cancelled => event!(info),
        _ => event!(error),
    }
}
