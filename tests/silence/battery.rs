//! Annotated functions of every kind, in the crate of somebody who has turned on every lint that people turn on.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    future_incompatible,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    unused,
    explicit_outlives_requirements,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_code,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::else_if_without_else,
    clippy::empty_enum_variants_with_brackets,
    clippy::exit,
    clippy::expect_used,
    clippy::if_then_some_else_none,
    clippy::impl_trait_in_params,
    clippy::indexing_slicing,
    clippy::infinite_loop,
    clippy::integer_division,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::mem_forget,
    clippy::missing_assert_message,
    clippy::missing_docs_in_private_items,
    clippy::module_name_repetitions,
    clippy::multiple_inherent_impl,
    clippy::mutex_atomic,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::pattern_type_mismatch,
    clippy::redundant_type_annotations,
    clippy::ref_patterns,
    clippy::rest_pat_in_fully_bound_structs,
    clippy::same_name_method,
    clippy::semicolon_inside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::str_to_string,
    clippy::string_slice,
    clippy::todo,
    clippy::try_err,
    clippy::undocumented_unsafe_blocks,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unseparated_literal_suffix,
    clippy::unused_result_ok,
    clippy::unused_trait_names,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::used_underscore_items,
    clippy::verbose_file_reads,
    clippy::wildcard_enum_match_arm
)]

use std::convert::Infallible;
use std::fmt::Display;
use std::future::ready;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use retry_runtime::{Attempt, Budget, CancelToken, Elapsed, GivenUp, Policy, Retryable, Retrying, always, retry};

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Busy {
    /// Why.
    reason: &'static str,
}

/// What fails.
const BUSY: Busy = Busy { reason: "busy" };

impl Retryable for Busy {
    fn is_retryable(&self) -> bool {
        !self.reason.is_empty()
    }
}

impl From<Elapsed> for Busy {
    fn from(_: Elapsed) -> Self {
        Self { reason: "too late" }
    }
}

/// A predicate.
const fn is_busy(_: &Busy) -> bool {
    true
}

/// A hint.
const fn hint(_: &Busy) -> Option<Duration> {
    None
}

/// A hook.
const fn waits(_: &Retrying<'_, Busy>) {}

/// Another hook.
const fn gives_up(_: &GivenUp<'_, Busy>) {}

/// A timer.
async fn nap(_: Duration) {
    ready(()).await;
}

/// One run.
const fn ask(n: u32) -> Result<u32, Busy> {
    if n == 0 { Err(BUSY) } else { Ok(n) }
}

/// One run of an async body.
async fn ask_later(n: u32) -> Result<u32, Busy> {
    ready(()).await;
    ask(n)
}

/// What takes its argument.
const fn length(text: &str) -> usize {
    text.len()
}

/// How many retries.
const LIMIT: u32 = 3;

/// What many calls share.
static BUDGET: Budget = Budget::new();

/// The error judges itself.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub fn plain(n: u32) -> Result<u32, Busy> {
    ask(n)
}

/// The same, later.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub async fn plain_later(n: u32) -> Result<u32, Busy> {
    ask_later(n).await
}

/// On one line.
///
/// # Errors
/// When `n` is zero.
#[rustfmt::skip]
#[retry]
pub async fn on_one_line(n: u32) -> Result<u32, Busy> { ask_later(n).await }

/// Every key that a blocking function can have.
///
/// # Errors
/// When `n` is zero.
#[retry(
    on = is_busy,
    strategy = "decorrelated",
    base = "10ms",
    cap_ms = 1_000,
    factor = 1.5,
    max = LIMIT,
    deadline = "1h",
    retry_after = hint,
    retry_after_mode = "replace",
    retry_after_max = "1m",
    reset_after = "1m",
    policy = policy,
    budget = BUDGET,
    cancel = token,
    clone(text),
    keep(count),
    once(key = length(&text), mut sum = 0_usize),
    attempt = attempt,
    on_retry = waits,
    on_give_up = gives_up
)]
pub fn everything(
    n: u32,
    text: String,
    mut count: usize,
    policy: &Policy,
    token: &CancelToken,
) -> Result<(u32, usize, String), Busy> {
    count = count.saturating_add(1);
    sum = sum.saturating_add(key);
    let number = ask(n)?.saturating_add(attempt.number());
    Ok((number, count.saturating_add(sum), text))
}

/// Every key that an async function can have.
///
/// # Errors
/// When `n` is zero.
#[retry(
    on = |busy| is_busy(busy) && n < 9,
    strategy = "plus_minus",
    max = unlimited,
    deadline = "1h",
    attempt_timeout = "1m",
    timed_out = |_| BUSY,
    retry_after = |busy| hint(busy).filter(|_| n < 9),
    budget = &BUDGET,
    cancel = token,
    clone(text),
    keep(count),
    once(key = length(&text), mut sum = 0_usize),
    attempt = attempt,
    on_retry = |retrying| if n < 9 { waits(retrying) },
    on_give_up = |given_up| if n < 9 { gives_up(given_up) },
    sleep = nap
)]
pub async fn everything_later(
    n: u32,
    text: String,
    mut count: usize,
    token: &CancelToken,
) -> Result<(u32, usize, String), Busy> {
    count = count.saturating_add(1);
    sum = sum.saturating_add(key);
    let number = ask_later(n).await?.saturating_add(attempt.number());
    Ok((number, count.saturating_add(sum), text))
}

/// Each limit alone.
///
/// # Errors
/// When `n` is zero.
#[retry(attempt_timeout = "1s")]
pub async fn with_a_timeout(n: u32) -> Result<u32, Busy> {
    ask_later(n).await
}

/// Each limit alone.
///
/// # Errors
/// When `n` is zero.
#[retry(deadline_ms = 5_000, attempt_timeout = deadline, cancel = dropped)]
pub async fn with_a_deadline(n: u32) -> Result<u32, Busy> {
    ask_later(n).await
}

/// Each limit alone.
///
/// # Errors
/// When `n` is zero.
#[retry(cancel = token)]
pub fn with_a_token(n: u32, token: &CancelToken) -> Result<u32, Busy> {
    ask(n)
}

/// Borrowed and owned arguments.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub async fn arguments<'t>(
    n: u32,
    text: &'t str,
    log: &mut Vec<u32>,
    names: &mut Vec<String>,
    (first, second): (u32, u32),
    list: [u32; 2],
) -> Result<&'t str, Busy> {
    log.push(ask_later(n).await?);
    for name in names {
        name.push('!');
    }
    log.push(first.max(second));
    log.extend(list);
    Ok(text)
}

/// The same without waiting.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub fn arguments_now<'t>(
    n: u32,
    text: &'t str,
    log: &mut Vec<u32>,
    names: &mut Vec<String>,
    (first, second): (u32, u32),
) -> Result<&'t str, Busy> {
    log.push(ask(n)?);
    for name in names {
        name.push('!');
    }
    log.push(first.max(second));
    Ok(text)
}

/// A value is judged whole.
#[must_use]
#[retry(when = Option::is_none)]
pub fn whole(n: u32) -> Option<u32> {
    ask(n).ok()
}

/// A value is judged whole.
#[retry(when = |answer: &u32| *answer == 0)]
pub async fn whole_later(n: u32) -> u32 {
    ask_later(n).await.unwrap_or_default()
}

/// Nothing is returned.
#[retry(when = |&()| done.lock().is_ok())]
pub fn nothing(done: &Mutex<bool>) {
    *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// Nothing is returned.
#[retry(when = |&()| done.lock().is_ok())]
pub async fn nothing_later(done: &Mutex<bool>) {
    ready(()).await;
    *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// It never ends well.
///
/// # Errors
/// Always.
#[retry(max = 1)]
pub fn never(n: u32) -> Result<Infallible, Busy> {
    loop {
        if ask(n).is_err() {
            return Err(BUSY);
        }
    }
}

/// It never ends well.
///
/// # Errors
/// Always.
#[retry(max = 1)]
pub async fn never_later(n: u32) -> Result<Infallible, Busy> {
    loop {
        if ask_later(n).await.is_err() {
            return Err(BUSY);
        }
    }
}

/// Something opaque.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub fn opaque(n: u32) -> Result<impl Display, Busy> {
    ask(n)
}

/// Something opaque.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub async fn opaque_later(n: u32) -> Result<impl Display, Busy> {
    ask_later(n).await
}

/// A future that the body makes.
///
/// # Errors
/// When `n` is zero.
#[retry]
pub fn made(n: u32) -> impl Future<Output = Result<u32, Busy>> + Send {
    ask_later(n)
}

/// A future in a box.
#[must_use]
#[retry]
pub fn boxed(text: &str) -> Pin<Box<dyn Future<Output = Result<usize, Busy>> + Send + '_>> {
    let trimmed = text.trim();
    Box::pin(async move {
        let more = ask_later(1).await.is_ok();
        Ok(trimmed.len().saturating_add(usize::from(more)))
    })
}

/// A client.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Client {
    /// How often it was asked.
    count: u32,
}

#[retry(on = is_busy, base_ms = 50, deadline_ms = 3_000)]
impl Client {
    /// By shared reference.
    ///
    /// # Errors
    /// At zero.
    #[retry]
    pub fn shared(&self) -> Result<u32, Busy> {
        ask(self.count)
    }

    /// By exclusive reference.
    ///
    /// # Errors
    /// At zero.
    #[retry(on = |busy| self.classify(busy))]
    pub async fn exclusive(&mut self) -> Result<u32, Busy> {
        self.count = self.count.saturating_add(1);
        ask_later(self.count).await
    }

    /// By exclusive reference, under another name.
    ///
    /// # Errors
    /// At zero.
    #[retry]
    pub fn renamed(&mut self) -> Result<u32, Busy> {
        let this = self;
        this.count = this.count.saturating_add(1);
        ask(this.count)
    }

    /// By value.
    ///
    /// # Errors
    /// At zero.
    #[retry(clone(self))]
    pub async fn cloned(mut self) -> Result<Self, Busy> {
        self.count = ask_later(self.count).await?;
        Ok(self)
    }

    /// By counted reference.
    ///
    /// # Errors
    /// At zero.
    #[retry(clone(self), deadline = none)]
    pub fn counted(self: Arc<Self>) -> Result<Arc<Self>, Busy> {
        if ask(self.count)? == 7 {
            return Err(BUSY);
        }
        Ok(self)
    }

    /// A predicate.
    const fn classify(&self, _: &Busy) -> bool {
        self.count < 9
    }
}

/// A service.
#[async_trait]
pub trait Service {
    /// By shared reference.
    async fn shared(&self, text: String) -> Result<usize, Busy>;

    /// By exclusive reference.
    async fn exclusive(&mut self, text: &str, log: &mut Vec<u32>) -> Result<usize, Busy>;

    /// By default.
    #[retry]
    async fn by_default(&self, n: u32) -> Result<u32, Busy>
    where
        Self: Sync,
    {
        ask_later(n).await
    }
}

/// Someone who serves.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Server {
    /// How often it was asked.
    count: u32,
}

#[async_trait]
impl Service for Server {
    #[retry(clone(text))]
    async fn shared(&self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        match ask_later(self.count).await {
            Ok(_) => Ok(text.len()),
            Err(busy) => Err(busy),
        }
    }

    #[retry(attempt = attempt)]
    async fn exclusive(&mut self, text: &str, log: &mut Vec<u32>) -> Result<usize, Busy> {
        let now: Attempt = attempt;
        self.count = self.count.saturating_add(now.number());
        log.push(ask_later(self.count).await?);
        Ok(text.len())
    }
}

/// Generic over everything.
///
/// # Errors
/// When the list is empty.
#[retry(on = always, max = MAX)]
pub fn generic<T: Clone, const MAX: u32>(list: &[T]) -> Result<T, Busy> {
    list.first().cloned().ok_or(BUSY)
}

fn main() {
    assert!(plain(1).is_ok(), "one is not zero");
}
