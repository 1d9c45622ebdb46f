//! Whether a value that a setting was given fits, found by method lookup: what does not is told once and in our words,
//! and what is made of it has no further error.
//!
//! Each module has a trait for what fits and one for the rest, which is looked at later; its method asks for
//! what is missing, and returns something that could go on.

/// A function given as `when`: of the whole value, or of its error.
pub mod whole {
    /// A function of what `when` judges. None has it: it is asked of those that take the error alone.
    #[diagnostic::on_unimplemented(
        message = "`when` judges the whole returned value, and this function takes its error",
        label = "takes `&{E}`, not `&{O}`",
        note = "write `on` in place of `when`, or a function `fn(&{O}) -> bool`"
    )]
    pub trait OfTheWhole<O, E> {}

    /// It takes the whole value.
    pub trait OfOutput<'a, O: ?Sized> {
        /// The whole value.
        fn __judged(&self) -> &'a O;
    }

    impl<'a, F: Fn(&O) -> bool, O: ?Sized> OfOutput<'a, O> for &&(&'a F, &'a O) {
        #[inline]
        fn __judged(&self) -> &'a O {
            self.1
        }
    }

    /// It takes the error.
    pub trait OfError<'a, F, O, E> {
        /// The error.
        fn __judged(&self) -> &'a E
        where
            F: OfTheWhole<O, E>;
    }

    impl<'a, F: Fn(&E) -> bool, T, E> OfError<'a, F, Result<T, E>, E> for &(&'a F, &'a Result<T, E>) {
        fn __judged(&self) -> &'a E
        where
            F: OfTheWhole<Result<T, E>, E>,
        {
            unreachable!("a function of the error does not compile")
        }
    }

    /// It takes something that the whole value coerces to, or it does not fit at all: the call will show.
    pub trait Other<'a, O: ?Sized> {
        /// The whole value.
        fn __judged(&self) -> &'a O;
    }

    impl<'a, F, O: ?Sized> Other<'a, O> for (&'a F, &'a O) {
        #[inline]
        fn __judged(&self) -> &'a O {
            self.1
        }
    }
}

/// What a function given as `sleep` to an async function has returned.
pub mod slept {
    use core::future::{IntoFuture, Ready};

    /// It.
    #[derive(Debug)]
    pub struct Slept<F>(pub F);

    /// What can be awaited. Nothing has it: it is asked of what cannot.
    #[diagnostic::on_unimplemented(
        message = "`sleep` of an async function returns a future, and this one returns `{Self}`",
        label = "returns `{Self}`",
        note = "write a function `async fn(Duration)`; one that blocks would stop every task of its thread"
    )]
    pub trait Sleep {}

    /// It is a future.
    pub trait Awaited<F> {
        /// The future.
        fn __wait(self) -> F;
    }

    impl<F: IntoFuture> Awaited<F::IntoFuture> for Slept<F> {
        #[inline]
        fn __wait(self) -> F::IntoFuture {
            self.0.into_future()
        }
    }

    /// It is none.
    pub trait Other<F> {
        /// Some future.
        fn __wait(self) -> Ready<()>
        where
            F: Sleep;
    }

    impl<F> Other<F> for &Slept<F> {
        fn __wait(self) -> Ready<()>
        where
            F: Sleep,
        {
            unreachable!("what cannot be awaited does not compile")
        }
    }
}

/// What `cancel` was given.
pub mod token {
    use crate::cancel::Cancel;

    /// It.
    #[derive(Debug)]
    pub struct Token<'a, C: ?Sized>(pub &'a C);

    /// It can fire.
    pub trait Fires<'a, C: ?Sized> {
        /// The token.
        fn __token(&self) -> &'a C;
    }

    impl<'a, C: Cancel + ?Sized> Fires<'a, C> for &Token<'a, C> {
        #[inline]
        fn __token(&self) -> &'a C {
            self.0
        }
    }

    /// It cannot.
    pub trait Other<'a, C: ?Sized> {
        /// Some token.
        fn __token(&self) -> &'a crate::cancel::CancelToken
        where
            C: Cancel;
    }

    impl<'a, C: ?Sized> Other<'a, C> for Token<'a, C> {
        fn __token(&self) -> &'a crate::cancel::CancelToken
        where
            C: Cancel,
        {
            unreachable!("what cannot fire does not compile")
        }
    }
}
