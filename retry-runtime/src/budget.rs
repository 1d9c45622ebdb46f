//! `Budget`: a shared limit on retries, as a bucket of tokens. Lock-free; knows no call and no policy.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::sync::{AtomicI64, Ordering};

/// Parts of a token: deposits are fractions.
const TOKEN: i64 = 1_000_000;

/// A limit on the retries that any number of functions and threads may make together.
///
/// Every call deposits [`ratio`](Budget::ratio) of a token when it starts, [`per_second`](Budget::per_second) tokens
/// trickle in from the budget's first call on, at most [`capacity`](Budget::capacity) are held, and each retry takes
/// one. Where none is left a call gives up at once with [`StopReason::Budget`](crate::StopReason::Budget) and its
/// last outcome. So while a service is down, retries add a bounded fraction to its load instead of multiplying it.
///
/// A budget counts for its process: `N` processes may retry `N · per_second` times a second, so divide the rate that
/// the service can bear by the size of your fleet.
///
/// ```
/// use retry_runtime::{Budget, retry};
///
/// static BUDGET: Budget = Budget::new();
///
/// #[retry(budget = BUDGET, base_ms = 1, on = retry_runtime::always)]
/// fn ask() -> Result<u32, &'static str> {
///     Ok(42)
/// }
/// assert_eq!(ask(), Ok(42));
/// assert!(BUDGET.available() > 10.0);
/// ```
#[derive(Debug)]
pub struct Budget {
    ratio: i64,
    per_second: i64,
    capacity: i64,
    level: Level,
    /// Nothing trickles in before the first call.
    first: OnceLock<Instant>,
}

impl Budget {
    /// The defaults: a tenth of a token for each call, 10 tokens a second, at most 100, and 10 at the start.
    #[must_use]
    #[cfg(not(all(test, retry_loom)))]
    pub const fn new() -> Self {
        Self {
            ratio: TOKEN / 10,
            per_second: 10 * TOKEN,
            capacity: 100 * TOKEN,
            level: Level::new(10 * TOKEN),
            first: OnceLock::new(),
        }
    }

    /// A fifth of a token for each call and 10 a second, as Finagle and tower have it.
    #[must_use]
    #[cfg(not(all(test, retry_loom)))]
    pub const fn finagle() -> Self {
        Self::new().ratio(0.2)
    }

    /// gRPC's throttling: a tenth of a token for each call, at most 10, and nothing that trickles in.
    ///
    /// gRPC pays back for each success and stops at half of its tokens; here every call pays, and 10 retries are held.
    #[must_use]
    #[cfg(not(all(test, retry_loom)))]
    pub const fn grpc() -> Self {
        Self::new().per_second(0.0).capacity(10.0).starting_with(10.0)
    }

    /// The AWS SDKs' quota of 500 units at 5 units a retry: 100 retries held, and a fifth of one back for each call.
    ///
    /// The SDKs pay back a retry's cost when it succeeds and one unit for each success without a retry.
    #[must_use]
    #[cfg(not(all(test, retry_loom)))]
    pub const fn aws() -> Self {
        Self::new().ratio(0.2).per_second(0.0).capacity(100.0).starting_with(100.0)
    }

    /// The part of a token that each call deposits when it starts; 0.1 lets one call in ten retry in the long run.
    ///
    /// # Panics
    /// When it is negative, above a million, or not a number.
    #[must_use]
    pub const fn ratio(mut self, ratio: f64) -> Self {
        self.ratio = parts(ratio);
        self
    }

    /// Tokens that trickle in each second, so that rare calls may retry too.
    ///
    /// # Panics
    /// When it is negative, above ten thousand, or not a number.
    #[must_use]
    pub const fn per_second(mut self, tokens: f64) -> Self {
        assert!(
            tokens >= 0.0 && tokens <= 10_000.0,
            "`per_second` lies between zero and ten thousand: no process retries more often"
        );
        self.per_second = parts(tokens);
        self
    }

    /// The most tokens that are held.
    ///
    /// # Panics
    /// When it is negative, above a million, or not a number.
    #[must_use]
    pub const fn capacity(mut self, tokens: f64) -> Self {
        self.capacity = parts(tokens);
        self
    }

    /// The tokens held at the start; no more than the capacity counts.
    ///
    /// # Panics
    /// When it is negative, above a million, or not a number.
    #[must_use]
    #[cfg(not(all(test, retry_loom)))]
    pub const fn starting_with(mut self, tokens: f64) -> Self {
        self.level = Level::new(parts(tokens));
        self
    }

    /// The tokens held now.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "a figure to look at")]
    pub fn available(&self) -> f64 {
        let held = self.level.held(self.trickled(), self.capacity);
        held as f64 / TOKEN as f64
    }

    /// A call starts.
    #[inline]
    pub(crate) fn deposit(&self) {
        // What is above the capacity is cut when a token is taken: nothing but additions lies between.
        self.first.get_or_init(|| Clock::Async.now());
        self.level.add(self.ratio);
    }

    /// Takes the token of a retry, if there is one.
    pub(crate) fn take(&self) -> bool {
        self.level.take(self.trickled(), self.capacity)
    }

    /// What has trickled in since the first call.
    fn trickled(&self) -> i64 {
        let Some(first) = self.first.get() else { return 0 };
        let passed = Clock::Async.now().saturating_duration_since(*first);
        trickle(passed, self.per_second)
    }

    /// Since when nobody has called; for [`Budgets`](crate::Budgets).
    pub(crate) fn is_full(&self) -> bool {
        self.level.held(self.trickled(), self.capacity) >= self.capacity
    }
}

#[cfg(not(all(test, retry_loom)))]
impl Default for Budget {
    fn default() -> Self {
        Self::new()
    }
}

fn trickle(passed: Duration, per_second: i64) -> i64 {
    let parts = i128::try_from(passed.as_nanos()).unwrap_or(i128::MAX).saturating_mul(per_second.into());
    i64::try_from(parts / 1_000_000_000).unwrap_or(i64::MAX)
}

/// Tokens in parts.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "at most 10^12")]
const fn parts(tokens: f64) -> i64 {
    assert!(
        tokens >= 0.0 && tokens <= 1_000_000.0,
        "a number of tokens lies between zero and a million: a budget holds, deposits and regains no others"
    );
    (tokens * TOKEN as f64) as i64
}

/// The tokens held, less what has trickled in: one number, so that one atomic step changes it.
#[derive(Debug)]
pub(crate) struct Level(AtomicI64);

impl Level {
    #[cfg(not(all(test, retry_loom)))]
    pub(crate) const fn new(parts: i64) -> Self {
        Self(AtomicI64::new(parts))
    }

    #[cfg(all(test, retry_loom))]
    pub(crate) fn new(parts: i64) -> Self {
        Self(AtomicI64::new(parts))
    }

    fn held(&self, trickled: i64, capacity: i64) -> i64 {
        self.0.load(Ordering::Relaxed).saturating_add(trickled).min(capacity)
    }

    pub(crate) fn add(&self, parts: i64) {
        let added = |level: i64| Some(level.saturating_add(parts));
        let _: Result<i64, i64> = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
    }

    pub(crate) fn take(&self, trickled: i64, capacity: i64) -> bool {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |level| {
            let held = level.saturating_add(trickled).min(capacity);
            (held >= TOKEN).then(|| held - TOKEN - trickled)
        });
        taken.is_ok()
    }
}

/// What the key `budget` takes.
#[diagnostic::on_unimplemented(
    message = "`budget` takes a `Budget`, a `&Budget` or what derefs to one, not `{Self}`",
    label = "not a `Budget`",
    note = "declare one, `static BUDGET: Budget = Budget::new();`, and write `budget = BUDGET`"
)]
pub trait AsBudget {
    /// It.
    fn as_budget(&self) -> &Budget;
}

#[diagnostic::do_not_recommend]
impl AsBudget for Budget {
    fn as_budget(&self) -> &Budget {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> AsBudget for T
where
    T: core::ops::Deref,
    T::Target: AsBudget,
{
    fn as_budget(&self) -> &Budget {
        (**self).as_budget()
    }
}

/// A call that starts: pays its deposit.
#[inline]
pub fn enter<B: AsBudget + ?Sized>(budget: &B) -> &Budget {
    let budget = budget.as_budget();
    budget.deposit();
    budget
}

#[cfg(all(test, retry_loom))]
mod model {
    use std::sync::Arc;

    use super::*;

    /// Two takers and a depositor: whatever the order of steps, no token is lost and none is invented.
    #[test]
    fn tokens_are_neither_lost_nor_invented() {
        loom::model(|| {
            let level = Arc::new(Level::new(TOKEN));
            let capacity = 10 * TOKEN;
            let takers: Vec<_> = (0..2)
                .map(|_| {
                    let level = Arc::clone(&level);
                    loom::thread::spawn(move || i64::from(level.take(0, capacity)))
                })
                .collect();
            level.add(TOKEN / 2);
            level.add(TOKEN / 2);
            let taken: i64 = takers.into_iter().map(|taker| taker.join().expect("no panic")).sum();
            assert_eq!(level.held(0, capacity), 2 * TOKEN - taken * TOKEN);
            assert!((1..=2).contains(&taken));
        });
    }

    /// What trickles in is given once, also when two take at the same time.
    #[test]
    fn a_trickle_is_given_once() {
        loom::model(|| {
            let level = Arc::new(Level::new(0));
            let taker = {
                let level = Arc::clone(&level);
                loom::thread::spawn(move || i64::from(level.take(TOKEN, 10 * TOKEN)))
            };
            let mine = i64::from(level.take(TOKEN, 10 * TOKEN));
            assert_eq!(mine + taker.join().expect("no panic"), 1);
        });
    }
}
