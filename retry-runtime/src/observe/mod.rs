//! What observers are told of a call: a `tracing` event, a metric. Generated code calls this only where one of the
//! features is enabled.

use core::fmt::Display;

use crate::outcome::{GivenUp, Retrying};

#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "tracing")]
mod tracing;

/// The annotated function.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Its module and its name.
    pub function: &'static str,
}

/// A call is about to wait.
pub fn retrying<E: ?Sized>(site: &Site, event: &Retrying<'_, E>, error: Option<&dyn Display>) {
    let event = event.without_error();
    #[cfg(feature = "tracing")]
    tracing::retrying(site, &event, error);
    #[cfg(feature = "metrics")]
    metrics::retrying(site, &event);
    let _ = (site, event, error);
}

/// A call gives up.
pub fn given_up<E: ?Sized>(site: &Site, event: &GivenUp<'_, E>, error: Option<&dyn Display>) {
    let event = event.without_error();
    #[cfg(feature = "tracing")]
    tracing::given_up(site, &event, error);
    #[cfg(feature = "metrics")]
    metrics::given_up(site, &event);
    let _ = (site, event, error);
}

/// A call ends with an outcome that is not worth a retry.
#[inline]
pub fn done(site: &Site, attempts: u32, succeeded: bool) {
    #[cfg(feature = "metrics")]
    metrics::done(site, attempts, succeeded);
    let _ = (site, attempts, succeeded);
}

/// Finds the text of an error by method lookup, without asking its type for `Display`.
pub mod shown {
    use core::fmt::Display;

    /// What is to be shown.
    #[derive(Debug)]
    pub struct Shown<'a, T: ?Sized>(pub &'a T);

    /// It can show itself.
    pub trait Own<'a> {
        /// It.
        fn __shown(&self) -> Option<&'a dyn Display>;
    }

    impl<'a, T: Display> Own<'a> for &&Shown<'a, T> {
        fn __shown(&self) -> Option<&'a dyn Display> {
            Some(self.0)
        }
    }

    /// It is a `Result` whose error can.
    pub trait OfError<'a> {
        /// The error.
        fn __shown(&self) -> Option<&'a dyn Display>;
    }

    impl<'a, T, E: Display> OfError<'a> for &Shown<'a, Result<T, E>> {
        fn __shown(&self) -> Option<&'a dyn Display> {
            self.0.as_ref().err().map(|error| error as &dyn Display)
        }
    }

    /// It cannot.
    pub trait Nothing<'a> {
        /// Nothing.
        fn __shown(&self) -> Option<&'a dyn Display>;
    }

    impl<'a, T: ?Sized> Nothing<'a> for Shown<'a, T> {
        fn __shown(&self) -> Option<&'a dyn Display> {
            None
        }
    }
}
