//! `redis` 1. See the documentation of the impls on `redis::RedisError`.

use redis::{ErrorKind, RedisError, ServerErrorKind};

use crate::retryable::Retryable;
use crate::timeout::Elapsed;

/// Retryable are a connection that was refused or lost, a timeout, and a server or cluster that cannot answer yet:
/// `LOADING`, `TRYAGAIN`, `CLUSTERDOWN`, `MASTERDOWN`, a sentinel without a master or replica, no node to connect to.
///
/// Whether the *command* may be repeated is the caller's decision: after a lost connection nobody knows whether an
/// `INCR` has counted.
///
/// ```
/// use redis::{ErrorKind, RedisError, ServerErrorKind};
/// use retry_runtime::Retryable;
///
/// let loading = ErrorKind::Server(ServerErrorKind::BusyLoading);
/// assert!(RedisError::from((loading, "loading the dataset")).is_retryable());
/// assert!(!RedisError::from((ErrorKind::AuthenticationFailed, "no")).is_retryable());
/// ```
#[diagnostic::do_not_recommend]
impl Retryable for RedisError {
    fn is_retryable(&self) -> bool {
        not_yet(self.kind())
            || self.is_connection_dropped()
            || self.is_connection_refusal()
            || self.is_timeout()
    }

    /// True for a refused connection and where the server or cluster could not answer yet.
    fn is_unprocessed(&self) -> bool {
        not_yet(self.kind()) || self.is_connection_refusal()
    }
}

fn not_yet(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::MasterNameNotFoundBySentinel
            | ErrorKind::NoValidReplicasFoundBySentinel
            | ErrorKind::ClusterConnectionNotFound
            | ErrorKind::Server(
                ServerErrorKind::BusyLoading
                    | ServerErrorKind::TryAgain
                    | ServerErrorKind::ClusterDown
                    | ServerErrorKind::MasterDown
            )
    )
}

/// An I/O error of the kind `TimedOut`, which is retryable.
impl From<Elapsed> for RedisError {
    fn from(elapsed: Elapsed) -> Self {
        std::io::Error::from(elapsed).into()
    }
}
