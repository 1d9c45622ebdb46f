//! How generated code asks an outcome whether it failed, whether that is worth a retry, and for the server's hint.

use std::time::Duration;

use crate::retryable::Retryable;
use crate::timeout::Elapsed;

/// An outcome with an error that can be judged: a `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Result`, so there is no error that could be worth a retry",
    label = "not a `Result`",
    note = "return a `Result`, or write `when = a_function` in the attribute: it judges the whole returned value",
    note = "a future is known by its written type: `impl Future<Output = …>`, `Pin<Box<dyn Future<Output = …>>>` or `BoxFuture<'_, …>`"
)]
pub trait Fallible {
    /// What `on` judges.
    type Error;
    /// The error, where the attempt failed.
    fn error(&self) -> Option<&Self::Error>;
    /// The outcome of an attempt that may have run out of time.
    fn settled(
        outcome: &mut Option<Self>,
        elapsed: Elapsed,
        timed_out: impl FnOnce(Elapsed) -> Self::Error,
    ) -> Self
    where
        Self: Sized;
}

#[diagnostic::do_not_recommend]
impl<T, E> Fallible for Result<T, E> {
    type Error = E;

    #[inline]
    fn error(&self) -> Option<&E> {
        match self {
            Ok(_) => None,
            Err(error) => {
                seldom();
                Some(error)
            }
        }
    }

    #[inline]
    fn settled(outcome: &mut Option<Self>, elapsed: Elapsed, timed_out: impl FnOnce(Elapsed) -> E) -> Self {
        outcome.take().unwrap_or_else(|| Err(timed_out(elapsed)))
    }
}

/// Says that the way on from here is seldom taken.
#[cold]
fn seldom() {}

/// What a predicate of `Judged` returns. A trait instead of the type, so that a wrong one is told in our words.
#[diagnostic::on_unimplemented(
    message = "a predicate answers with `bool`, and this one returns `{Self}`",
    label = "returns `{Self}`",
    note = "write a function `fn(&{Judged}) -> bool`"
)]
pub trait Answer<Judged: ?Sized> {
    /// Whether a retry is worth it.
    fn answer(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<Judged: ?Sized> Answer<Judged> for bool {
    #[inline]
    fn answer(self) -> bool {
        self
    }
}

/// The answer of a predicate that was given by path.
#[inline]
pub fn answered<Judged: ?Sized, A: Answer<Judged>>(_: &Judged, answer: A) -> bool {
    answer.answer()
}

/// What a function given as `retry_after` returns.
#[diagnostic::on_unimplemented(
    message = "`retry_after` answers with `Option<Duration>`, and this function returns `{Self}`",
    label = "returns `{Self}`",
    note = "write a function `fn(&{Judged}) -> Option<Duration>`; `None` where the server did not say how long to wait"
)]
pub trait Hint<Judged: ?Sized> {
    /// How long the server asked to wait.
    fn hint(self) -> Option<Duration>;
}

#[diagnostic::do_not_recommend]
impl<Judged: ?Sized> Hint<Judged> for Option<Duration> {
    #[inline]
    fn hint(self) -> Self {
        self
    }
}

/// The hint of a function that was given by path.
#[inline]
pub fn hinted<Judged: ?Sized, H: Hint<Judged>>(_: &Judged, hint: H) -> Option<Duration> {
    hint.hint()
}

/// What a hook returns.
#[diagnostic::on_unimplemented(
    message = "a hook returns nothing, and this one returns `{Self}`",
    label = "returns `{Self}`",
    note = "write a function `fn(&Retrying<E>)`, for `on_give_up` `fn(&GivenUp<E>)`; an async function would never run here: let the hook start a task"
)]
pub trait Told {
    /// Nothing.
    fn told(self);
}

#[diagnostic::do_not_recommend]
impl Told for () {
    #[inline]
    fn told(self) {}
}

/// What `sleep` of a blocking function returns.
#[diagnostic::on_unimplemented(
    message = "`sleep` of a blocking function waits and returns nothing, and this one returns `{Self}`",
    label = "returns `{Self}`",
    note = "write a function `fn(Duration)`; a future would never run here"
)]
pub trait Slept {
    /// Nothing.
    fn slept(self);
}

#[diagnostic::do_not_recommend]
impl Slept for () {
    #[inline]
    fn slept(self) {}
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

/// What an async attempt returns, said by a `return` that is never reached.
#[must_use]
pub fn never<T>() -> T {
    unreachable!("it stands behind `if false`")
}

/// Stands for a value that a faulty attribute promised, so that the body has no further errors. Never runs.
#[must_use]
pub fn promised() -> crate::call::Attempt {
    unreachable!("a function with a faulty attribute does not compile")
}

/// Finds a hint by method lookup, without asking the type for a bound: a method of the type itself comes before those of
/// traits, and of these the one for fewer references. The methods have names that no trait of the user's has.
pub mod probe {
    use super::{Duration, Retryable};
    use crate::count::{Count, Plain};

    /// What is asked for its hint.
    #[derive(Debug)]
    pub struct Probe<'a, T: ?Sized>(pub &'a T);

    impl<T: Retryable + ?Sized> Probe<'_, T> {
        /// The hint of what has one of its own.
        #[inline]
        #[must_use]
        pub fn __hint(&self) -> Option<Duration> {
            self.0.retry_after()
        }

        /// The delay that follows it.
        #[inline]
        pub fn __failed(&self, run: &mut Count, policy: &Plain) -> Option<Duration> {
            run.failed(policy, self.__hint())
        }
    }

    /// It is a `Result` whose error may have one.
    pub trait OfError {
        /// The hint.
        fn __hint(&self) -> Option<Duration>;
        /// The delay that follows it.
        fn __failed(&self, run: &mut Count, policy: &Plain) -> Option<Duration>;
    }

    impl<T, E: Retryable> OfError for Probe<'_, Result<T, E>> {
        #[inline]
        fn __hint(&self) -> Option<Duration> {
            self.0.as_ref().err().and_then(Retryable::retry_after)
        }

        #[inline]
        fn __failed(&self, run: &mut Count, policy: &Plain) -> Option<Duration> {
            run.failed(policy, self.__hint())
        }
    }

    /// It has none.
    pub trait Nothing {
        /// No hint.
        fn __hint(&self) -> Option<Duration>;
        /// The delay that follows it.
        fn __failed(&self, run: &mut Count, policy: &Plain) -> Option<Duration>;
    }

    impl<T: ?Sized> Nothing for &Probe<'_, T> {
        #[inline]
        fn __hint(&self) -> Option<Duration> {
            None
        }

        #[inline]
        fn __failed(&self, run: &mut Count, policy: &Plain) -> Option<Duration> {
            run.failed_unhinted(policy)
        }
    }
}
