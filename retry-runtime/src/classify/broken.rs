//! What broke under an HTTP client: the I/O, HTTP/1 and HTTP/2 errors at the bottom of its chain.

use h2::Reason;

use super::{AnyError, causes};
use crate::retryable::Retryable;

/// The connection or the stream ended in a way that another attempt may not meet.
pub(super) struct Broken {
    /// Nothing of the request was looked at.
    pub(super) unprocessed: bool,
}

/// The first cause that says so.
pub(super) fn broken(error: &AnyError) -> Option<Broken> {
    causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<std::io::Error>() {
            return error.is_retryable().then(|| Broken { unprocessed: error.is_unprocessed() });
        }
        if let Some(error) = cause.downcast_ref::<h2::Error>() {
            return of_http2(error);
        }
        let error = cause.downcast_ref::<hyper::Error>()?;
        let ended = error.is_incomplete_message() || error.is_canceled() || error.is_closed();
        // With a cause of its own, the cause is more exact.
        (ended || error.is_timeout()).then_some(Broken { unprocessed: false })
    })
}

fn of_http2(error: &h2::Error) -> Option<Broken> {
    let reason = error.reason()?;
    // RFC 9113, section 8.7: neither a refused stream nor one that was behind the last of a GOAWAY was processed.
    let unprocessed = reason == Reason::REFUSED_STREAM
        || (error.is_go_away() && error.is_remote() && reason == Reason::NO_ERROR);
    let passing = [Reason::NO_ERROR, Reason::INTERNAL_ERROR, Reason::CANCEL, Reason::ENHANCE_YOUR_CALM];
    let by_peer = error.is_remote() && passing.contains(&reason);
    (unprocessed || by_peer).then_some(Broken { unprocessed })
}
