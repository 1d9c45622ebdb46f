//! Calls of the user's functions, and of ours that ask about the user's types: an error in one of them is told once,
//! at what the user wrote.

use proc_macro2::{Delimiter, Group, Ident, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::expand::{Writer, ours};
use crate::hygiene::{Place, local, name, ours_at};
use crate::policy::{AttemptTimeout, Judge};
use crate::value::Function as Callable;

impl Writer<'_> {
    /// The error of the outcome. An output that is no `Result` is an error at the return type.
    pub(crate) fn failure(&self) -> TokenStream {
        let outcome = local("outcome");
        self.ask(self.function.output_place(), "Fallible::error", quote_spanned!(ours()=> &#outcome))
    }

    /// What the error's own type says.
    pub(crate) fn is_retryable(&self) -> TokenStream {
        let error = local("error");
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
        let (rt, error) = (self.rt, local("error"));
        let place = Place::of(path).end();
        // What the function itself asks of its argument is asked in each of these places: in the same words and with the
        // same span it is told once. No expression of the user's but the path can see the name.
        let (here, judged) = (place.span(), local("judged"));
        let (predicate, path) = (Ident::new("__predicate", here), place.moved(path.to_token_stream()));
        let here_in = |inside: TokenStream| {
            let mut group = Group::new(Delimiter::Parenthesis, inside);
            group.set_span(here);
            group
        };
        let reference = quote_spanned!(here=> &#path);
        let error_here = place.over(error.to_token_stream());
        let pair = here_in(quote_spanned!(here=> #predicate, #error_here));
        let whole = here_in(quote_spanned!(here=> &&&#pair));
        let found = quote_spanned!(here=> #whole.__judged());
        let argument = here_in(place.over(judged.to_token_stream()));
        let called = quote_spanned!(here=> #predicate #argument);
        let answer = self.checked(place, "answered", &called);
        quote_spanned! {ours()=> {
            let #predicate = #reference;
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
        let place = sleep.place();
        let called = match sleep {
            Callable::Path(path) => called(path, delay, place),
            Callable::Closure(closure) => {
                let delay = place.parentheses(&place.over(delay.clone()));
                quote_spanned!(ours_at(place.span())=> (#closure)#delay)
            }
        };
        if !self.function.is_async() {
            return place.call(&self.ours("Slept::slept"), &called);
        }
        let (rt, slept) = (self.rt, local("slept"));
        let spot = if matches!(sleep, Callable::Path(_)) { place.end() } else { Place::at(place.span()) };
        let wait = spot.over(quote_spanned!(ours()=> #rt::__private::slept::Slept(#slept).__wait()));
        quote_spanned! {ours()=> {
            let #slept = #called;
            { use #rt::__private::slept::*; #wait }
        }}
    }

    /// The token of `cancel`.
    pub(crate) fn token(&self, cancel: &syn::Expr) -> TokenStream {
        let (rt, token) = (self.rt, local("token"));
        let place = Place::of(cancel);
        let reference = quote_spanned!(ours_at(place.span())=> &#cancel);
        let found = place.over(quote_spanned!(ours()=> (&&#rt::__private::token::Token(#token)).__token()));
        quote_spanned! {ours()=>
            let #token = #reference;
            let #token = { use #rt::__private::token::*; #found };
        }
    }

    /// A fresh copy for an attempt.
    pub(crate) fn clone_of(&self, name: &Ident, place: Place) -> TokenStream {
        self.ask(place, "Clone::clone", quote_spanned!(ours()=> &#name))
    }

    /// The budget, and the deposit that the call makes.
    pub(crate) fn enter(&self, shared: &syn::Expr) -> TokenStream {
        let (budget, place) = (local("budget"), Place::of(shared));
        let reference = quote_spanned!(ours_at(place.span())=> &#shared);
        let entered = self.ask(place, "enter", quote_spanned!(ours()=> &*#budget));
        quote_spanned! {ours()=>
            let #budget = #reference;
            let #budget = #entered;
        }
    }

    /// The settings made elsewhere.
    pub(crate) fn over(&self, policy: &syn::Expr) -> TokenStream {
        Place::of(policy).call(&self.ours("over"), &policy.to_token_stream())
    }

    /// The outcome of an attempt that may have run out of time.
    pub(crate) fn settled(&self, timeout: &AttemptTimeout, outcome: &TokenStream) -> TokenStream {
        let elapsed = local("elapsed");
        let made = match &timeout.timed_out {
            None => {
                let of_elapsed = self.ours("OfElapsed::of_elapsed");
                Place::at(timeout.place).over(quote_spanned!(ours()=> |elapsed| #of_elapsed(elapsed)))
            }
            Some(Callable::Path(path)) => path.to_token_stream(),
            Some(Callable::Closure(closure)) => closure.to_token_stream(),
        };
        let settled = match self.policy.judge {
            Judge::When(_) => "Cut::settled",
            Judge::Own | Judge::On(_) => "Fallible::settled",
        };
        let place = self.function.output_place();
        let outcome = place.over(quote_spanned!(ours()=> &mut #outcome));
        place.call(&self.ours(settled), &quote_spanned!(ours()=> #outcome, #elapsed, #made))
    }

    /// A path is called directly, so that its argument coerces as in any call, and its answer is checked; a closure is
    /// called `through` a function that tells it the type of its parameter.
    fn apply(&self, callable: &Callable, through: &str, check: &str) -> TokenStream {
        let (place, error) = (callable.place(), local("error"));
        match callable {
            Callable::Path(path) => {
                self.checked(place, check, &called(path, &error.to_token_stream(), place))
            }
            Callable::Closure(closure) => self.checked(place, through, &closure.to_token_stream()),
        }
    }

    fn checked(&self, place: Place, check: &str, answer: &TokenStream) -> TokenStream {
        let error = place.over(local("error").to_token_stream());
        place.call(&self.ours(check), &quote_spanned!(ours()=> #error, #answer))
    }

    fn ask(&self, place: Place, function: &str, argument: TokenStream) -> TokenStream {
        place.call(&self.ours(function), &place.over(argument))
    }

    /// The path of a function of ours.
    fn ours(&self, function: &str) -> TokenStream {
        let rt = self.rt;
        let names = function.split("::").map(name);
        quote_spanned!(ours()=> #rt::__private #(::#names)*)
    }
}

/// A function, called directly.
fn called(function: &impl ToTokens, argument: &TokenStream, place: Place) -> TokenStream {
    let arguments = place.parentheses(&place.over(argument.clone()));
    quote_spanned!(ours()=> #function #arguments)
}
