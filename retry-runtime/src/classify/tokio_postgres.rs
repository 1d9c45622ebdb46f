//! `tokio-postgres` 0.7. See the documentation of the impl on `tokio_postgres::Error`.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use super::causes;
use super::sqlstate::passing;
use crate::retryable::Retryable;

/// Retryable are serialization failures (40001), deadlocks (40P01), a lost or closed connection (I/O errors, a server
/// that shuts down or starts) and a server without a free connection.
///
/// The whole transaction is the annotated function, never one statement, and a new attempt after a lost connection
/// needs a new connection: take it from a pool inside the function, or connect there. A connection that is lost during
/// COMMIT leaves the outcome unknown; see [`docs::idempotency`](crate::docs::idempotency).
#[diagnostic::do_not_recommend]
impl Retryable for Error {
    fn is_retryable(&self) -> bool {
        match self.code().map(SqlState::code) {
            Some(code) => passing(code).is_some(),
            None => self.is_closed() || io_cause(self).is_some_and(Retryable::is_retryable),
        }
    }

    /// True for a serialization failure and a deadlock (the database rolled the transaction back), and where there
    /// was no connection yet.
    fn is_unprocessed(&self) -> bool {
        match self.code().map(SqlState::code) {
            Some(code) => passing(code).is_some_and(|found| found.unprocessed),
            None => io_cause(self).is_some_and(Retryable::is_unprocessed),
        }
    }
}

fn io_cause(error: &Error) -> Option<&std::io::Error> {
    causes(error).find_map(<dyn std::error::Error>::downcast_ref)
}
