//! Keys that do not exist: slips, and the words of other libraries.

use retry_runtime::retry;

#[retry(bsae_ms = 1)]
fn a_slip() {}

#[retry(dead_line = "5s")]
fn another_slip() {}

#[retry(Max = 5)]
fn in_capitals() {}

#[retry(onretry = note)]
fn run_together() {}

#[retry(colour = |a, b| a < b, max = 0)]
fn unknown_with_a_comma_in_its_value() {}

#[retry(retries = 4)]
fn retries() {}

#[retry(max_retries = 4)]
fn max_retries() {}

#[retry(attempts = 3)]
fn attempts() {}

#[retry(max_attempts = 5)]
fn max_attempts() {}

#[retry(max_attempts = 1)]
fn a_single_attempt() {}

#[retry(max_attempts = ATTEMPTS)]
fn attempts_in_a_constant() {}

#[retry(times = 3)]
fn times() {}

#[retry(tries = 3)]
fn tries() {}

#[retry(base_delay_ms = 100)]
fn base_delay_ms() {}

#[retry(base_delay = "100ms")]
fn base_delay() {}

#[retry(initial_interval_secs = 2)]
fn initial_interval_secs() {}

#[retry(max_delay_ms = 5_000)]
fn max_delay_ms() {}

#[retry(max_delay = Duration::from_secs(5))]
fn max_delay() {}

#[retry(delay = "1s")]
fn delay() {}

#[retry(delay_ms = 1_000)]
fn delay_ms() {}

#[retry(timeout = "5s")]
fn timeout() {}

#[retry(timeout_secs = 5)]
fn timeout_secs() {}

#[retry(max_duration = "1m")]
fn max_duration() {}

#[retry(total_delay = 30)]
fn total_delay() {}

#[retry(max_elapsed_time_ms = 900_000)]
fn max_elapsed_time_ms() {}

#[retry(deadline_secs = 5)]
fn another_unit() {}

#[retry(retry_if = is_busy)]
fn retry_if() {}

#[retry(retry_on = is_busy)]
fn retry_on() {}

#[retry(condition = is_busy)]
fn condition() {}

#[retry(retry_if_result = is_empty)]
fn retry_if_result() {}

#[retry(abort_on = is_permanent)]
fn abort_on() {}

#[retry(jitter)]
fn jitter() {}

#[retry(backoff = "full")]
fn backoff() {}

#[retry(multiplier = 2.0)]
fn multiplier() {}

#[retry(exponent = 2)]
fn exponent() {}

#[retry(notify = |error, wait| log(error, wait))]
fn notify() {}

#[retry(before_sleep = note)]
fn before_sleep() {}

#[retry(fallback = default)]
fn fallback() {}

#[retry(timer = Timer::after)]
fn timer() {}

#[retry(unlimited)]
fn unlimited() {}

#[retry(exponential)]
fn exponential() {}

#[retry(fixed(100))]
fn fixed() {}

#[retry(constant)]
fn constant() {}

#[retry(fibonacci(100))]
fn fibonacci() {}

#[retry(full)]
fn full() {}

#[retry(respect_retry_after = true)]
fn respect_retry_after() {}

#[retry(circuit_breaker = BREAKER)]
fn circuit_breaker() {}

#[retry(idempotency_key = new_key())]
fn idempotency_key() {}

#[retry(config = CONFIG)]
fn config() {}

#[retry(max_ms = 5)]
fn max_ms() {}

fn main() {
    a_slip();
    fixed();
}
