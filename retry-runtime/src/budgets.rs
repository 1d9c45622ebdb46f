//! `Budgets`: a budget for each tenant or upstream, in a bounded table.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use crate::budget::Budget;

/// One [`Budget`] per key: per tenant, so that one cannot use up the retries of all, or per upstream.
///
/// At most `limit` budgets are held. When another is needed, those that are idle go first: full again, and in no
/// call. Where none is idle, the key gets a budget of its own that is not kept.
///
/// ```
/// use retry_runtime::{Budget, Budgets, retry};
///
/// struct Gateway {
///     budgets: Budgets<String>,
/// }
///
/// impl Gateway {
///     #[retry(budget = self.budgets.get(tenant), on = retry_runtime::always)]
///     fn forward(&self, tenant: &str) -> Result<(), &'static str> {
///         Ok(())
///     }
/// }
/// let gateway = Gateway { budgets: Budgets::new(1_000, Budget::new) };
/// assert!(gateway.forward("blue").is_ok());
/// ```
pub struct Budgets<K> {
    limit: usize,
    make: fn() -> Budget,
    held: Mutex<HashMap<K, Arc<Budget>>>,
}

impl<K: Eq + Hash> Budgets<K> {
    /// At most `limit` budgets, each made by `make` when its key is first seen.
    #[must_use]
    pub fn new(limit: usize, make: fn() -> Budget) -> Self {
        Self { limit, make, held: Mutex::new(HashMap::new()) }
    }

    /// The budget of a key.
    #[must_use]
    pub fn get<Q>(&self, key: &Q) -> Arc<Budget>
    where
        K: core::borrow::Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = held.get(key) {
            return Arc::clone(budget);
        }
        let budget = Arc::new((self.make)());
        if held.len() >= self.limit {
            held.retain(|_, budget| Arc::strong_count(budget) > 1 || !budget.is_full());
        }
        if held.len() < self.limit {
            held.insert(key.to_owned(), Arc::clone(&budget));
        }
        budget
    }

    /// How many budgets are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K> fmt::Debug for Budgets<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budgets").field("limit", &self.limit).finish_non_exhaustive()
    }
}
