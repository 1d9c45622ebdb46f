//! `std::io::Error`: its kind decides, whatever it wraps.

use std::io::{Error, ErrorKind};

use crate::retryable::Retryable;

/// Retryable are a connection reset, aborted or refused, a broken pipe, a timeout, an interruption, an unexpected
/// end, a host or network that cannot be reached, and a network that is down. `WouldBlock` is not: it asks to wait
/// for readiness, not for time to pass.
///
/// ```
/// use retry_runtime::Retryable;
/// use std::io::{Error, ErrorKind};
///
/// assert!(Error::from(ErrorKind::ConnectionReset).is_retryable());
/// assert!(!Error::from(ErrorKind::NotFound).is_retryable());
/// ```
#[diagnostic::do_not_recommend]
impl Retryable for Error {
    fn is_retryable(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::ConnectionRefused
                | ErrorKind::BrokenPipe
                | ErrorKind::TimedOut
                | ErrorKind::Interrupted
                | ErrorKind::UnexpectedEof
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkUnreachable
                | ErrorKind::NetworkDown
        )
    }

    /// True where no connection came about: refused, or host or network unreachable.
    fn is_unprocessed(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable
        )
    }
}
