//! Two hundred functions of a subject, to be compiled: what a function costs the compiler and the binary.

use std::fmt::Write as _;

/// So many functions.
pub const FUNCTIONS: usize = 200;

const HEAD: &str = "
use std::time::Duration;
#[derive(Debug)]
pub enum Error { Busy(u32), Gone }
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"an error\") }
}
impl std::error::Error for Error {}
pub fn is_busy(error: &Error) -> bool { matches!(error, Error::Busy(_)) }
pub fn is_busy_result(outcome: &Result<u64, Error>) -> bool { matches!(outcome, Err(Error::Busy(_))) }
pub struct Client(std::sync::atomic::AtomicU64);
impl Client {
    #[inline(never)]
    pub fn get(&self, key: u64) -> Result<u64, Error> {
        let seen = self.0.fetch_add(key, std::sync::atomic::Ordering::Relaxed);
        if seen % 2 == 0 { Ok(seen) } else { Err(Error::Busy(key as u32)) }
    }
}
fn main() {
    let client = Client(std::sync::atomic::AtomicU64::new(0));
    for call in CALLS { std::hint::black_box(call)(&client); }
}
";

/// How one subject writes one function.
pub struct Template {
    pub subject: &'static str,
    /// Once per file.
    head: &'static str,
    blocking: Option<&'static str>,
    later: Option<&'static str>,
}

/// `KEY` stands for the number of the function, `NAME` for its name.
pub const TEMPLATES: &[Template] = &[
    Template {
        subject: "bare",
        head: "",
        blocking: Some("pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }"),
        later: Some("pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }"),
    },
    Template {
        subject: "hand",
        head: "use retry_benches::subjects::hand::{block, jittered};",
        blocking: Some(
            "pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                let mut retries = 0_u32;
                loop {
                    let delay = {
                        let outcome = client.get(key + KEY);
                        match &outcome {
                            Err(error) if is_busy(error) && retries < 5 => {}
                            _ => return outcome,
                        }
                        retries += 1;
                        jittered(retries, Duration::from_millis(100), Duration::from_secs(10))
                    };
                    block(delay);
                }
            }",
        ),
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                let mut retries = 0_u32;
                loop {
                    let delay = {
                        let outcome = async { client.get(key + KEY) }.await;
                        match &outcome {
                            Err(error) if is_busy(error) && retries < 5 => {}
                            _ => return outcome,
                        }
                        retries += 1;
                        jittered(retries, Duration::from_millis(100), Duration::from_secs(10))
                    };
                    tokio::time::sleep(delay).await;
                }
            }",
        ),
    },
    Template {
        subject: "ours",
        head: "",
        blocking: Some(
            "#[retry_runtime::retry(base_ms = 100, max = 5, on = is_busy)]
            pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }",
        ),
        later: Some(
            "#[retry_runtime::retry(base_ms = 100, max = 5, on = is_busy)]
            pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }",
        ),
    },
    Template {
        subject: "backon",
        head: "use backon::{Retryable, BlockingRetryable};
            const POLICY: backon::ExponentialBuilder = backon::ExponentialBuilder::new()
                .with_min_delay(Duration::from_millis(100)).with_max_times(5).with_jitter();",
        blocking: Some(
            "pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                (|| client.get(key + KEY)).retry(POLICY).when(is_busy).call()
            }",
        ),
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                (|| async { client.get(key + KEY) }).retry(POLICY).when(is_busy).await
            }",
        ),
    },
    Template {
        subject: "backon_macros",
        head: "fn policy() -> backon::ExponentialBuilder {
                backon::ExponentialBuilder::new()
                    .with_min_delay(Duration::from_millis(100)).with_max_times(5).with_jitter()
            }",
        blocking: Some(
            "#[backon_macros::backon(backoff = policy, when = is_busy)]
            pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }",
        ),
        later: Some(
            "#[backon_macros::backon(backoff = policy, when = is_busy)]
            pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }",
        ),
    },
    Template {
        subject: "tokio_retry",
        head: "use tokio_retry::strategy::{ExponentialBackoff, jitter};",
        blocking: None,
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                let delays = ExponentialBackoff::from_millis(2).factor(50).map(jitter).take(5);
                tokio_retry::RetryIf::start(delays, || async { client.get(key + KEY) }, is_busy).await
            }",
        ),
    },
    Template {
        subject: "tokio_retry2",
        head: "use tokio_retry2::{RetryError, strategy::{ExponentialFactorBackoff, jitter}};
            fn judged(error: Error) -> RetryError<Error> {
                if is_busy(&error) { RetryError::transient(error) } else { RetryError::permanent(error) }
            }",
        blocking: None,
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                let delays = ExponentialFactorBackoff::from_millis(100, 2.0).map(jitter).take(5);
                tokio_retry2::Retry::spawn(delays, || async { client.get(key + KEY).map_err(judged) }).await
            }",
        ),
    },
    Template {
        subject: "backoff",
        head: "fn policy() -> backoff::ExponentialBackoff {
                backoff::ExponentialBackoffBuilder::new()
                    .with_initial_interval(Duration::from_millis(100)).with_multiplier(2.0).build()
            }
            fn judged(error: Error) -> backoff::Error<Error> {
                if is_busy(&error) { backoff::Error::transient(error) } else { backoff::Error::permanent(error) }
            }
            fn unwrapped(error: backoff::Error<Error>) -> Error {
                match error { backoff::Error::Permanent(error) | backoff::Error::Transient { err: error, .. } => error }
            }",
        blocking: Some(
            "pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                backoff::retry(policy(), || client.get(key + KEY).map_err(judged)).map_err(unwrapped)
            }",
        ),
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                backoff::future::retry(policy(), || async { client.get(key + KEY).map_err(judged) }).await
            }",
        ),
    },
    Template {
        subject: "again",
        head: "fn policy() -> again::RetryPolicy {
                again::RetryPolicy::exponential(Duration::from_millis(100)).with_jitter(true).with_max_retries(5)
            }",
        blocking: None,
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                policy().retry_if(|| async { client.get(key + KEY) }, is_busy).await
            }",
        ),
    },
    Template {
        subject: "retry",
        head: "use retry::{OperationResult, delay::{Exponential, jitter}};
            fn judged(outcome: Result<u64, Error>) -> OperationResult<u64, Error> {
                match outcome {
                    Ok(value) => OperationResult::Ok(value),
                    Err(error) if is_busy(&error) => OperationResult::Retry(error),
                    Err(error) => OperationResult::Err(error),
                }
            }",
        blocking: Some(
            "pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                let delays = Exponential::from_millis(100).map(jitter).take(5);
                retry::retry(delays, || judged(client.get(key + KEY))).map_err(|failed| failed.error)
            }",
        ),
        later: None,
    },
    Template {
        subject: "tryhard",
        head: "fn judged(attempt: u32, error: &Error) -> tryhard::RetryPolicy {
                if is_busy(error) {
                    tryhard::RetryPolicy::Delay(Duration::from_millis(100).saturating_mul(1 << (attempt - 1)))
                } else {
                    tryhard::RetryPolicy::Break
                }
            }",
        blocking: None,
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                tryhard::retry_fn(|| async { client.get(key + KEY) }).retries(5).custom_backoff(judged).await
            }",
        ),
    },
    Template {
        subject: "mulligan",
        head: "",
        blocking: Some(
            "pub fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                mulligan::until(|outcome| !is_busy_result(outcome)).stop_after(5)
                    .exponential(Duration::from_millis(100)).full_jitter().execute_sync(|| client.get(key + KEY))
            }",
        ),
        later: Some(
            "pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> {
                mulligan::until(|outcome| !is_busy_result(outcome)).stop_after(5)
                    .exponential(Duration::from_millis(100)).full_jitter().execute(async || client.get(key + KEY)).await
            }",
        ),
    },
    Template {
        subject: "retry_if",
        head: "const POLICY: retry_if::ExponentialBackoffConfig = retry_if::ExponentialBackoffConfig {
                max_retries: 5, t_wait: Duration::from_millis(100), backoff: 2.0, t_wait_max: None, backoff_max: None,
            };",
        blocking: None,
        later: Some(
            "#[retry_if::retry(POLICY, is_busy_result)]
            pub async fn NAME(client: &Client, key: u64) -> Result<u64, Error> { client.get(key + KEY) }",
        ),
    },
];

impl Template {
    /// A program with all the functions; `None` where the subject has none of the kind. Every function of a round differs
    /// from those of the others. `is_left`: the body has a `?`.
    pub fn program(&self, is_async: bool, is_left: bool, round: usize) -> Option<String> {
        let template = if is_async { self.later } else { self.blocking }?;
        let call = "client.get(key + KEY)";
        if is_left && (template.contains("judged(client") || template.contains("map_err(judged)")) {
            // Its attempts return a type of its own.
            return None;
        }
        let body = if is_left { format!("Ok::<u64, Error>({call}?)") } else { call.to_owned() };
        // In a loop the `?` would end the whole call.
        let is_loop = is_left && !is_async && self.subject == "hand";
        let body = if is_loop { format!("(|| {body})()") } else { body };
        let template = template.replace(call, &body);
        let mut program = format!("{HEAD}{}\n", self.head);
        for key in 0..FUNCTIONS {
            let name = format!("call_{key}");
            program +=
                &template.replace("KEY", &(round * FUNCTIONS + key).to_string()).replace("NAME", &name);
            program.push('\n');
            // Through a pointer, so that each is compiled and none is seen through.
            let used = if is_async {
                format!(
                    "drop(std::hint::black_box(Box::pin({name}(client, 1)) as std::pin::Pin<Box<dyn Future<Output = Result<u64, Error>> + '_>>))"
                )
            } else {
                format!("drop(std::hint::black_box({name}(client, 1)))")
            };
            let _ = writeln!(program, "fn use_{key}(client: &Client) {{ {used} }}");
        }
        let calls: Vec<String> = (0..FUNCTIONS).map(|key| format!("use_{key}")).collect();
        let _ = writeln!(program, "const CALLS: [fn(&Client); {FUNCTIONS}] = [{}];", calls.join(", "));
        Some(program)
    }
}
