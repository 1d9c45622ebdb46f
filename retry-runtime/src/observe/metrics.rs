//! Metrics, labelled by function: attempts, retries by outcome, give-ups by reason, and a histogram of delays.

use metrics::{counter, histogram};

use super::Site;
use crate::outcome::{GivenUp, Retrying};

pub(super) fn retrying(site: &Site, event: &Retrying<'_, ()>) {
    histogram!("retry_delay_seconds", "function" => site.function).record(event.delay().as_secs_f64());
    retry(site, event.attempt(), "failed");
}

pub(super) fn given_up(site: &Site, event: &GivenUp<'_, ()>) {
    counter!("retry_give_ups_total", "function" => site.function, "reason" => event.reason().name())
        .increment(1);
    attempts(site, event.attempts());
    retry(site, event.attempts(), "failed");
}

pub(super) fn done(site: &Site, made: u32, succeeded: bool) {
    attempts(site, made);
    retry(site, made, if succeeded { "succeeded" } else { "permanent" });
}

fn attempts(site: &Site, made: u32) {
    counter!("retry_attempts_total", "function" => site.function).increment(made.into());
}

/// The outcome of one attempt, if it was a retry.
fn retry(site: &Site, attempt: u32, outcome: &'static str) {
    if attempt > 1 {
        counter!("retry_retries_total", "function" => site.function, "outcome" => outcome).increment(1);
    }
}
