//! `sqlx` 0.9, for every database that it speaks to. See the documentation of the impls on `sqlx::Error`.

use sqlx::Error;

use super::sqlstate::passing;
use crate::retryable::Retryable;
use crate::timeout::Elapsed;

/// Retryable are serialization failures (40001), deadlocks (40P01; 40001 in MySQL), lost connections (I/O errors, a
/// server that shuts down or starts), a server without a free connection, a pool that timed out, and `SQLITE_BUSY` and
/// `SQLITE_LOCKED` with their extended codes.
///
/// The feature needs Rust 1.94, as `sqlx` 0.9 does.
///
/// The whole transaction is the annotated function, never one statement: after such an error the transaction is gone.
/// A connection that is lost during COMMIT leaves the outcome unknown; see
/// [`docs::idempotency`](crate::docs::idempotency).
///
/// ```
/// use retry_runtime::Retryable;
///
/// assert!(sqlx::Error::PoolTimedOut.is_retryable());
/// assert!(!sqlx::Error::RowNotFound.is_retryable());
/// ```
#[diagnostic::do_not_recommend]
impl Retryable for Error {
    fn is_retryable(&self) -> bool {
        match self {
            Self::Io(error) => error.is_retryable(),
            Self::PoolTimedOut => true,
            Self::Database(error) => {
                error.code().is_some_and(|code| passing(&code).is_some() || is_locked(&code))
            }
            _ => false,
        }
    }

    /// True for a serialization failure and a deadlock (the database rolled the transaction back), and where there
    /// was no connection yet.
    fn is_unprocessed(&self) -> bool {
        match self {
            Self::Io(error) => error.is_unprocessed(),
            Self::PoolTimedOut => true,
            Self::Database(error) => {
                error.code().and_then(|code| passing(&code)).is_some_and(|found| found.unprocessed)
            }
            _ => false,
        }
    }
}

/// `SQLITE_BUSY` (5) or `SQLITE_LOCKED` (6) in the lowest byte of an extended result code. A SQLSTATE has five digits,
/// which no code of SQLite reaches.
fn is_locked(code: &str) -> bool {
    code.len() < 5 && code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6))
}

/// An I/O error of the kind `TimedOut`, which is retryable.
impl From<Elapsed> for Error {
    fn from(elapsed: Elapsed) -> Self {
        Self::Io(elapsed.into())
    }
}
