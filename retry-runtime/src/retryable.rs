//! `Retryable`: what an error says about itself, and the ready-made answers for `on` and `when`.

use std::convert::Infallible;
use std::error::Error;
use std::iter::successors;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::classify::known;

/// Says of an error, or of a whole returned value, whether it deserves a retry and when.
///
/// An annotated function without `on` and `when` asks its error type. Whether the *operation* may be repeated is
/// another question, which only its caller can answer.
///
/// ```
/// use retry_runtime::Retryable;
/// use std::time::Duration;
///
/// enum Fault {
///     Busy { wait: Duration },
///     Denied,
/// }
///
/// impl Retryable for Fault {
///     fn is_retryable(&self) -> bool {
///         matches!(self, Fault::Busy { .. })
///     }
///
///     fn retry_after(&self) -> Option<Duration> {
///         match self {
///             Fault::Busy { wait } => Some(*wait),
///             Fault::Denied => None,
///         }
///     }
/// }
///
/// let busy = Fault::Busy { wait: Duration::from_secs(2) };
/// assert!(busy.is_retryable() && !Fault::Denied.is_retryable());
/// assert_eq!(busy.retry_after(), Some(Duration::from_secs(2)));
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says which errors deserve a retry: `{Self}` does not implement `Retryable`",
    label = "`{Self}` is not `Retryable`",
    note = "implement `Retryable` for `{Self}`, or name a function: `on = is_retryable`, with `fn is_retryable(error: &{Self}) -> bool`",
    note = "`on = retry_runtime::always` retries every error, `on = retry_runtime::in_chain` asks what is inside an `anyhow::Error` or a boxed error",
    note = "`when = a_function` judges the whole returned value instead of the error"
)]
pub trait Retryable {
    /// Whether a further attempt may succeed where this one failed.
    fn is_retryable(&self) -> bool;

    /// How long the other side asked to wait; `None` without such a hint.
    fn retry_after(&self) -> Option<Duration> {
        None
    }

    /// Whether the other side certainly did nothing, so that even a request that must not happen twice may be sent
    /// again. Never true for a timeout, a reset or a truncated answer: there nobody knows.
    fn is_unprocessed(&self) -> bool {
        false
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Retryable + ?Sized> Retryable for $pointer {
            fn is_retryable(&self) -> bool {
                (**self).is_retryable()
            }

            fn retry_after(&self) -> Option<Duration> {
                (**self).retry_after()
            }

            fn is_unprocessed(&self) -> bool {
                (**self).is_unprocessed()
            }
        }
    )*};
}
forward!(&T, Box<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl Retryable for Infallible {
    fn is_retryable(&self) -> bool {
        match *self {}
    }
}

/// `on = retry_runtime::always`: every error deserves a retry.
///
/// ```
/// assert!(retry_runtime::always("whatever it is"));
/// ```
#[must_use]
pub fn always<E: ?Sized>(_: &E) -> bool {
    true
}

/// `on = retry_runtime::unprocessed`: only retryable errors after which the other side certainly did nothing.
///
/// For requests that must not happen twice. What counts is [`Retryable::is_unprocessed`].
///
/// ```
/// use std::io::{Error, ErrorKind};
///
/// assert!(retry_runtime::unprocessed(&Error::from(ErrorKind::ConnectionRefused)));
/// assert!(!retry_runtime::unprocessed(&Error::from(ErrorKind::TimedOut)));
/// ```
#[must_use]
pub fn unprocessed<E: Retryable + ?Sized>(error: &E) -> bool {
    error.is_retryable() && error.is_unprocessed()
}

/// `when = retry_runtime::pending`: `Ok(None)`, which means "not yet", and errors that are retryable.
///
/// ```
/// use std::io::{Error, ErrorKind};
/// type Answer = Result<Option<u32>, Error>;
///
/// assert!(retry_runtime::pending(&Answer::Ok(None)));
/// assert!(retry_runtime::pending(&Answer::Err(ErrorKind::TimedOut.into())));
/// assert!(!retry_runtime::pending(&Answer::Ok(Some(7))));
/// ```
#[must_use]
pub fn pending<T, E: Retryable>(output: &Result<Option<T>, E>) -> bool {
    match output {
        Ok(found) => found.is_none(),
        Err(error) => error.is_retryable(),
    }
}

/// `on = retry_runtime::in_chain`: for `anyhow::Error`, `Box<dyn Error>` and `Box<dyn Error + Send + Sync>`.
///
/// The first error along [`source`](Error::source) whose type is known to this crate decides: `std::io::Error`, and
/// the types that the crate's features add. Without one the answer is no. For a concrete type with sources of its
/// own write `on = |error| retry_runtime::in_chain(&(error as &dyn Error))`.
///
/// ```
/// use std::error::Error;
/// use std::io::{self, ErrorKind};
///
/// let reset: Box<dyn Error> = Box::new(io::Error::from(ErrorKind::ConnectionReset));
/// let other: Box<dyn Error + Send + Sync> = "a word".into();
/// assert!(retry_runtime::in_chain(&reset));
/// assert!(!retry_runtime::in_chain(&other));
/// ```
#[must_use]
pub fn in_chain<E: ErrorBox>(error: &E) -> bool {
    successors(Some(error.object()), |&error| error.source())
        .find_map(known)
        .is_some_and(Retryable::is_retryable)
}

/// What `in_chain` looks into: `anyhow::Error`, `Box<dyn Error>` and its relatives.
#[diagnostic::on_unimplemented(
    message = "`in_chain` looks into an `anyhow::Error` or a `Box<dyn Error>`, and `{Self}` is neither",
    label = "`{Self}` is no boxed error",
    note = "for a type with sources of its own write `on = |error| retry_runtime::in_chain(&(error as &dyn std::error::Error))`"
)]
pub trait ErrorBox {
    #[doc(hidden)]
    fn object(&self) -> &(dyn Error + 'static);
}

#[diagnostic::do_not_recommend]
impl<E> ErrorBox for E
where
    E: Deref,
    E::Target: ErrorObject,
{
    fn object(&self) -> &(dyn Error + 'static) {
        self.deref().object()
    }
}

/// The kinds of `dyn Error` that an error type may point to. `anyhow::Error` and `Box` have no other trait in common
/// that leads there: `Box<dyn Error + Send + Sync>` is no `AsRef<dyn Error>`.
pub trait ErrorObject {
    #[doc(hidden)]
    fn object(&self) -> &(dyn Error + 'static);
}

macro_rules! objects {
    ($($object:ty),*) => {$(
        impl ErrorObject for $object {
            fn object(&self) -> &(dyn Error + 'static) {
                self
            }
        }
    )*};
}
objects!(dyn Error, dyn Error + Send, dyn Error + Sync, dyn Error + Send + Sync);
