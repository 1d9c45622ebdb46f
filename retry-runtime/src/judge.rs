//! How generated code asks an outcome whether it failed, whether that is worth a retry, and for the server's hint.

use std::time::Duration;

use crate::retryable::Retryable;

/// An outcome with an error that `on` can judge: a `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Result`, so there is no error that could be worth a retry",
    label = "not a `Result`",
    note = "return a `Result`, or write `when = a_function` in the attribute: it judges the whole returned value"
)]
pub trait Fallible {
    /// What `on` judges.
    type Error;
    /// The error, where the attempt failed.
    fn error(&self) -> Option<&Self::Error>;
}

impl<T, E> Fallible for Result<T, E> {
    type Error = E;

    #[inline]
    fn error(&self) -> Option<&E> {
        self.as_ref().err()
    }
}

/// An outcome that judges itself: a `Result` whose error is [`Retryable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Result`, so there is no error that could be worth a retry",
    label = "not a `Result`",
    note = "return a `Result`, or write `when = a_function` in the attribute: it judges the whole returned value"
)]
pub trait Classified {
    /// What says of itself whether a retry is worth it.
    type Error;
    /// The error, where the attempt failed and is worth a retry.
    fn retryable(&self) -> Option<&Self::Error>;
}

impl<T, E: Retryable> Classified for Result<T, E> {
    type Error = E;

    #[inline]
    fn retryable(&self) -> Option<&E> {
        self.as_ref().err().filter(|error| error.is_retryable())
    }
}

/// The error of an outcome.
#[inline]
pub fn failure<O: Fallible>(outcome: &O) -> Option<&O::Error> {
    outcome.error()
}

/// The error of an outcome, where its own type calls it worth a retry.
#[inline]
pub fn retryable<O: Classified>(outcome: &O) -> Option<&O::Error> {
    outcome.retryable()
}

/// Gives a closure written for `on` or `when` the type of its parameter.
#[inline]
pub fn asks<T: ?Sized>(judged: &T, predicate: impl FnOnce(&T) -> bool) -> bool {
    predicate(judged)
}

/// The same for `retry_after`.
#[inline]
pub fn hints<T: ?Sized>(judged: &T, hint: impl FnOnce(&T) -> Option<Duration>) -> Option<Duration> {
    hint(judged)
}

/// The same for a hook.
#[inline]
pub fn tells<T: ?Sized>(event: &T, hook: impl FnOnce(&T)) {
    hook(event);
}

/// Runs the body of a blocking attempt, so that `return` and `?` end it alone.
#[inline]
pub fn attempt<O>(body: impl FnOnce() -> O) -> O {
    body()
}

/// A parameter, taken over from the caller.
#[inline]
pub fn original<T>(parameter: T) -> T {
    parameter
}

/// Stands for a value that a faulty attribute promised, so that the body has no further errors. Never runs.
#[must_use]
pub fn promised() -> crate::call::Attempt {
    unreachable!("a function with a faulty attribute does not compile")
}

/// Finds a hint by method lookup, without asking the type for a bound: the trait for more references is tried first.
pub mod probe {
    use super::{Duration, Retryable};

    /// What is asked for its hint.
    #[derive(Debug)]
    pub struct Probe<'a, T: ?Sized>(pub &'a T);

    /// It has one of its own.
    pub trait Own {
        /// The hint.
        fn hint(&self) -> Option<Duration>;
    }

    impl<T: Retryable + ?Sized> Own for &&Probe<'_, T> {
        #[inline]
        fn hint(&self) -> Option<Duration> {
            self.0.retry_after()
        }
    }

    /// It is a `Result` whose error may have one.
    pub trait OfError {
        /// The hint.
        fn hint(&self) -> Option<Duration>;
    }

    impl<T, E: Retryable> OfError for &Probe<'_, Result<T, E>> {
        #[inline]
        fn hint(&self) -> Option<Duration> {
            self.0.as_ref().err().and_then(Retryable::retry_after)
        }
    }

    /// It has none.
    pub trait Nothing {
        /// No hint.
        fn hint(&self) -> Option<Duration>;
    }

    impl<T: ?Sized> Nothing for Probe<'_, T> {
        #[inline]
        fn hint(&self) -> Option<Duration> {
            None
        }
    }
}
