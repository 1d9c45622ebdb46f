//! Calls of the user's functions, and of ours that ask about the user's types: an error in one of them is told once,
//! at what the user wrote.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};

use crate::expand::{Writer, ours};
use crate::hygiene::{Place, name, ours_at};
use crate::value::Function as Callable;

impl Writer<'_> {
    /// The error of the outcome. An output that is no `Result` is an error at the return type.
    pub(crate) fn failure(&self) -> TokenStream {
        let outcome = name("outcome");
        self.ask(self.function.output_place(), "Fallible::error", quote_spanned!(ours()=> &#outcome))
    }

    /// What the error's own type says.
    pub(crate) fn is_retryable(&self) -> TokenStream {
        let error = name("error");
        self.ask(self.function.error_place(), "Retryable::is_retryable", quote_spanned!(ours()=> &*#error))
    }

    /// What `on` says of the error.
    pub(crate) fn on(&self, predicate: &Callable) -> TokenStream {
        self.apply(predicate, "asks", "answered")
    }

    /// What `when` says of the whole value. A function of the error is told that it is one, which the type checker would
    /// not do; where the name is a parameter, it may be a closure that cannot be looked at first.
    pub(crate) fn when(&self, predicate: &Callable) -> TokenStream {
        let path = match predicate {
            Callable::Path(path) if !self.function.is_bound(&path.path) => path,
            _ => return self.on(predicate),
        };
        let (rt, error) = (self.rt, name("error"));
        let (predicate, judged) = (name("predicate"), name("judged"));
        let place = Place::of(path);
        let found = place.over(quote_spanned!(ours()=> (&&&Whole(#predicate, #error)).judged()));
        let called = called(&place.over(predicate.to_token_stream()), &judged.to_token_stream(), place);
        let answer = self.checked(place, "answered", &called);
        quote_spanned! {ours()=> {
            let #predicate = &#path;
            let #judged = {
                use #rt::__private::whole::*;
                #found
            };
            #answer
        }}
    }

    /// The hint that `retry_after` finds.
    pub(crate) fn retry_after(&self, hint: &Callable) -> TokenStream {
        self.apply(hint, "hints", "hinted")
    }

    /// Tells a hook of an event.
    pub(crate) fn tell(&self, hook: &Callable, event: &TokenStream) -> TokenStream {
        let place = hook.place();
        match hook {
            Callable::Path(path) => {
                let called = called(path, event, place);
                place.call(&self.ours("Told::told"), &called)
            }
            Callable::Closure(closure) => {
                let event = place.over(event.clone());
                place.call(&self.ours("tells"), &quote_spanned!(ours()=> #event, #closure))
            }
        }
    }

    /// Waits with a timer of the user's: a future in an async function.
    pub(crate) fn sleep(&self, sleep: &Callable, delay: &TokenStream) -> TokenStream {
        // One place for all of it: what is no future is told once, although it is asked for more than once.
        let place = sleep.place().end();
        let called = match sleep {
            Callable::Path(path) => called(path, delay, place),
            Callable::Closure(closure) => {
                let delay = place.parentheses(&place.over(delay.clone()));
                quote_spanned!(ours_at(place.span())=> (#closure)#delay)
            }
        };
        let check = if self.function.is_async() { "sleeping" } else { "Slept::slept" };
        place.call(&self.ours(check), &called)
    }

    /// A path is called directly, so that its argument coerces as in any call, and its answer is checked; a closure is
    /// called `through` a function that tells it the type of its parameter.
    fn apply(&self, callable: &Callable, through: &str, check: &str) -> TokenStream {
        let (place, error) = (callable.place(), name("error"));
        match callable {
            Callable::Path(path) => {
                self.checked(place, check, &called(path, &error.to_token_stream(), place))
            }
            Callable::Closure(closure) => self.checked(place, through, &closure.to_token_stream()),
        }
    }

    fn checked(&self, place: Place, check: &str, answer: &TokenStream) -> TokenStream {
        let error = place.over(name("error").to_token_stream());
        place.call(&self.ours(check), &quote_spanned!(ours()=> #error, #answer))
    }

    fn ask(&self, place: Place, function: &str, argument: TokenStream) -> TokenStream {
        place.call(&self.ours(function), &place.over(argument))
    }

    /// The path of a function of ours.
    fn ours(&self, function: &str) -> TokenStream {
        let rt = self.rt;
        match function.split_once("::") {
            Some((owner, function)) => {
                let (owner, function) = (name(owner), name(function));
                quote_spanned!(ours()=> #rt::__private::#owner::#function)
            }
            None => {
                let function = name(function);
                quote_spanned!(ours()=> #rt::__private::#function)
            }
        }
    }
}

/// A function, called directly.
fn called(function: &impl ToTokens, argument: &TokenStream, place: Place) -> TokenStream {
    let arguments = place.parentheses(&place.over(argument.clone()));
    quote_spanned!(ours()=> #function #arguments)
}
