//! From the outcome of an attempt to the delay before the next one, or out of the function.
//!
//! ```text
//! let mut delay = None;
//! if let Some(error) = Fallible::error(&outcome) {
//!     if is_busy(error) { delay = Probe(error).__failed(&mut run, const { &draft().max(3).plain() }); }
//! }
//! match delay { Some(delay) => delay, None => return outcome }
//! ```
//!
//! A call that remembers more leaves by `let … else`, and matches the step of `Call::failed`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Type;

use crate::expand::{Writer, ours};
use crate::hygiene::{local, local_at, name};
use crate::policy::{Hint, Judge, Memory, OBSERVED};
use crate::tokens;
use crate::value::Function as Callable;

impl Writer<'_> {
    /// Its first statement carries what `reached` says of one that may never be reached.
    pub(crate) fn decision(&self, policy: &TokenStream, reached: &TokenStream) -> TokenStream {
        let (rt, run, delay, leave) = (self.rt, local("run"), local("delay"), self.leave());
        let Memory::Call(observers) = &self.policy.memory else {
            let failed = self.counted(policy);
            let retried = self.worthwhile(&quote_spanned!(ours()=> #delay = #failed));
            return quote_spanned! {ours()=>
                #reached
                let mut #delay = #rt::__private::None;
                #retried
                match #delay {
                    #rt::__private::Some(#delay) => #delay,
                    #rt::__private::None => #leave,
                }
            };
        };
        let (judged, hint) = (self.judged(), self.hint());
        let (error, reason) = (local("error"), local("reason"));
        let failed = self.failed(policy, &hint);
        let retrying = quote_spanned!(ours()=> &#rt::__private::Call::retrying(&#run, #error, #delay));
        let retrying = self.told(observers.on_retry.as_ref(), "retrying", &retrying);
        let giving_up = quote_spanned!(ours()=> &#rt::__private::Call::given_up(&#run, #error, #reason));
        let giving_up = self.told(observers.on_give_up.as_ref(), "given_up", &giving_up);
        let stopped =
            if giving_up.is_empty() { quote_spanned!(ours()=> _) } else { reason.to_token_stream() };
        quote_spanned! {ours()=>
            #reached
            #judged
            match #failed {
                #rt::__private::Step::Wait(#delay) => {
                    #retrying
                    #delay
                }
                #rt::__private::Step::GiveUp(#stopped) => {
                    #giving_up
                    #leave;
                }
            }
        }
    }

    /// What follows a failure in a call that only counts: an error that can have no hint takes the short way.
    fn counted(&self, policy: &TokenStream) -> TokenStream {
        let (rt, run, error) = (self.rt, local("run"), local("error"));
        match &self.policy.hint {
            Hint::Off => quote_spanned!(ours()=> #rt::__private::Count::failed_unhinted(&mut #run, #policy)),
            Hint::Function(function) => {
                let hint = self.retry_after(function);
                quote_spanned!(ours()=> #rt::__private::Count::failed(&mut #run, #policy, #hint))
            }
            Hint::Found => quote_spanned! {ours()=> {
                use #rt::__private::probe::*;
                (&#rt::__private::probe::Probe(#error)).__failed(&mut #run, #policy)
            }},
        }
    }

    fn failed(&self, policy: &TokenStream, hint: &TokenStream) -> TokenStream {
        let (rt, run, budget, token) = (self.rt, local("run"), local("budget"), local("token"));
        if self.budget().is_none() && self.cancel().is_none() {
            return quote_spanned!(ours()=> #rt::__private::Call::failed(&mut #run, #policy, #hint));
        }
        let cancelled = match self.cancel() {
            Some(_) => quote_spanned!(ours()=> #rt::__private::Cancel::is_cancelled(#token)),
            None => quote_spanned!(ours()=> false),
        };
        let budget = match self.budget() {
            Some(_) => quote_spanned!(ours()=> #rt::__private::Some(#budget)),
            None => quote_spanned!(ours()=> #rt::__private::None),
        };
        quote_spanned!(ours()=> #rt::__private::Call::failed_within(&mut #run, #policy, #hint, #cancelled, #budget))
    }

    /// Whether what is bound as `error` deserves a retry: with `when` that is the whole outcome.
    fn answer(&self) -> TokenStream {
        match &self.policy.judge {
            Judge::Own => self.is_retryable(),
            Judge::On(predicate) => self.on(predicate),
            Judge::When(predicate) => self.when(predicate),
        }
    }

    /// Does `then` where the outcome deserves a retry. One way out of the function is less code than three.
    fn worthwhile(&self, then: &TokenStream) -> TokenStream {
        let (rt, outcome, error) = (self.rt, local("outcome"), local("error"));
        let answer = self.answer();
        if let Judge::When(_) = &self.policy.judge {
            return quote_spanned! {ours()=>
                let #error = &#outcome;
                if #answer { #then; }
            };
        }
        let failure = self.failure();
        quote_spanned! {ours()=>
            if let #rt::__private::Some(#error) = #failure {
                if #answer { #then; }
            }
        }
    }

    /// Returns every outcome that deserves no retry; what deserves one is bound as `error`.
    fn judged(&self) -> TokenStream {
        let (rt, outcome, error, leave) = (self.rt, local("outcome"), local("error"), self.leave());
        let (success, permanent) = (self.done(true), self.done(false));
        let answer = self.answer();
        if let Judge::When(_) = &self.policy.judge {
            return quote_spanned! {ours()=>
                let #error = &#outcome;
                if !#answer { #success #leave; }
            };
        }
        let failure = self.failure();
        quote_spanned! {ours()=>
            let #rt::__private::Some(#error) = #failure else { #success #leave; };
            if !#answer { #permanent #leave; }
        }
    }

    /// Out of the function with the outcome; one that cannot be needs no way out.
    pub(crate) fn leave(&self) -> TokenStream {
        let outcome = self.returned();
        match self.function.output() {
            Some(Type::Never(_)) => quote_spanned!(ours()=> match #outcome {}),
            _ => quote_spanned!(ours()=> return #outcome),
        }
    }

    /// The outcome; one that is lent is shown at the end of the body, where errors about its lifetime belong.
    fn returned(&self) -> Ident {
        let is_lent = !self.lent_output().is_empty();
        let end = self.function.body.as_ref().and_then(|body| tokens::end(&body.own)).filter(|_| is_lent);
        end.map_or_else(|| local("outcome"), |end| local_at("outcome", end))
    }

    /// What happens when the token has fired during a wait.
    pub(crate) fn cancelled(&self) -> TokenStream {
        let Memory::Call(observers) = &self.policy.memory else { return TokenStream::new() };
        let (rt, run, error, outcome) = (self.rt, local("run"), local("error"), local("outcome"));
        let event = quote_spanned!(ours()=> &#rt::__private::Call::cancelled(&#run, #error));
        let told = self.told(observers.on_give_up.as_ref(), "given_up", &event);
        if told.is_empty() {
            return told;
        }
        match &self.policy.judge {
            Judge::When(_) => quote_spanned!(ours()=> let #error = &#outcome; #told),
            Judge::Own | Judge::On(_) => {
                let failure = self.failure();
                quote_spanned!(ours()=> if let #rt::__private::Some(#error) = #failure { #told })
            }
        }
    }

    /// Tells observers that the call ends with an outcome that deserves no retry.
    fn done(&self, succeeded: bool) -> TokenStream {
        if !OBSERVED {
            return TokenStream::new();
        }
        let (rt, run, site) = (self.rt, local("run"), self.site());
        quote_spanned!(ours()=> #rt::__private::observe::done(#site, #rt::__private::Call::attempts(&#run), #succeeded);)
    }

    /// The function's name for observers.
    fn site(&self) -> TokenStream {
        let (rt, function) = (self.rt, format!("::{}", self.function.sig.ident));
        quote_spanned! {ours()=>
            const { &#rt::__private::observe::Site {
                function: #rt::__private::concat!(#rt::__private::module_path!(), #function),
            } }
        }
    }

    fn hint(&self) -> TokenStream {
        let (rt, error) = (self.rt, local("error"));
        match &self.policy.hint {
            Hint::Off => quote_spanned!(ours()=> #rt::__private::None),
            Hint::Function(function) => self.retry_after(function),
            Hint::Found => quote_spanned! {ours()=> {
                use #rt::__private::probe::*;
                (&#rt::__private::probe::Probe(#error)).__hint()
            }},
        }
    }

    /// The hook and the observers, told of an event.
    fn told(&self, hook: Option<&Callable>, observer: &str, event: &TokenStream) -> TokenStream {
        let (rt, error, site) = (self.rt, local("error"), self.site());
        let mut told = TokenStream::new();
        if let Some(hook) = hook {
            let hook = self.tell(hook, event);
            told.extend(quote_spanned!(ours()=> #hook;));
        }
        if OBSERVED {
            let observer = name(observer);
            told.extend(quote_spanned! {ours()=>
                #rt::__private::observe::#observer(#site, #event, {
                    use #rt::__private::observe::shown::*;
                    (&&&#rt::__private::observe::shown::Shown(#error)).__shown()
                });
            });
        }
        told
    }
}
