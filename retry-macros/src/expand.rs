//! Policy × Function -> tokens: the frame of a call. Nothing is decided here, and nothing can fail.
//!
//! ```text
//! #[retry(max = 3, on = is_busy)]
//! async fn load(&self, key: Key) -> Result<Row, Error> { BODY }
//!
//! async fn load(&self, key: Key) -> Result<Row, Error> {
//!     let policy = const { &draft().max(3).done() };
//!     let mut run = Count::start();
//!     loop {
//!         let delay = {                               // the outcome lives in here: it is gone before the wait
//!             let outcome = ATTEMPT;                  // attempt.rs
//!             DECISION                                // decision.rs: the delay, or out of the function
//!         };
//!         sleep(delay).await;
//!     }
//! }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{ReturnType, Type};

use crate::attempt::{tokens_without_mut, without_mut};
use crate::function::{Body, Function, Shape, braced};
use crate::hygiene::{name, ours_at};
use crate::policy::{Memory, OBSERVED, Policy};
use crate::value::Once;

/// The annotated function, rewritten.
pub(crate) fn expand(policy: &Policy, function: &Function) -> TokenStream {
    let Some(body) = &function.body else { return TokenStream::new() };
    let clones: Vec<_> = policy.handed.clones.iter().map(|(name, _)| name).collect();
    let mut sig = function.sig.clone();
    without_mut(&mut sig, &clones, policy.handed.clone_self.is_some());
    let Body { inner_attrs, span, .. } = body;
    let writer = Writer { policy, function, rt: &policy.runtime };
    let inside = match &function.shape {
        Shape::Blocking | Shape::Async => writer.call(&body.tokens),
        Shape::Block(boxed) => {
            let setup = tokens_without_mut(boxed.setup.clone(), &clones);
            let call = writer.call(&boxed.attempt);
            boxed.around(braced(quote_spanned!(ours()=> #setup #call), boxed.span))
        }
        Shape::Future => writer.future(&body.tokens),
    };
    let block = braced(quote_spanned!(ours()=> #inner_attrs #inside), *span);
    let (attrs, docs, vis) = (&function.attrs, &policy.docs, &function.vis);
    quote_spanned!(ours()=> #(#attrs)* #docs #vis #sig #block)
}

/// Our own names, shown at the attribute.
pub(crate) fn ours() -> Span {
    Span::mixed_site()
}

/// What the parts of an expansion are written from.
pub(crate) struct Writer<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) function: &'a Function,
    /// The path of the runtime.
    pub(crate) rt: &'a TokenStream,
}

impl Writer<'_> {
    /// A whole call: what is made once, and the loop.
    fn call(&self, body: &TokenStream) -> TokenStream {
        let attempt = if self.function.is_async() { self.in_async(body) } else { self.in_closure(body) };
        self.repeated(&attempt)
    }

    /// A call whose body makes a future for each attempt.
    fn future(&self, body: &TokenStream) -> TokenStream {
        let made = self.making(body);
        let call = self.repeated(&self.driven(&made));
        let block = quote_spanned!(ours()=> async move { #call });
        match &self.function.sig.output {
            ReturnType::Type(_, output) if matches!(**output, Type::ImplTrait(_)) => block,
            _ => {
                let rt = self.rt;
                quote_spanned!(ours()=> #rt::__private::Box::pin(#block))
            }
        }
    }

    fn repeated(&self, attempt: &TokenStream) -> TokenStream {
        let (rt, policy) = (self.rt, self.policy);
        let (run, delay, outcome) = (name("run"), name("delay"), name("outcome"));
        let checks = &policy.checks;
        let originals = self.originals();
        let once = self.once();
        let (settings, reference) = self.settings();
        let (start, begin) = self.start(&reference);
        let decision = self.decision(&reference);
        let wait = self.wait();
        let turn = if self.cancel().is_some() {
            // The outcome is what a call returns that is cancelled while it waits.
            quote_spanned! {ours()=>
                let #outcome = #attempt;
                let #delay = { #decision };
                #wait
            }
        } else {
            quote_spanned! {ours()=>
                let #delay = {
                    let #outcome = #attempt;
                    #decision
                };
                #wait
            }
        };
        quote_spanned! {ours()=>
            #(#checks)*
            #originals
            #once
            #settings
            let mut #run = #rt::__private::#start;
            loop {
                #begin
                #turn
            }
        }
    }

    /// Parameters of a blocking function of which each attempt gets a clone are taken over once: they are consumed, and
    /// no lint asks for a reference instead. An async function owns its parameters anyway.
    fn originals(&self) -> TokenStream {
        if self.function.is_async() {
            return TokenStream::new();
        }
        let rt = self.rt;
        let parameters = self.policy.handed.clones.iter().map(|(name, _)| name);
        let parameters = parameters.filter(|name| !self.policy.once.iter().any(|once| once.name == **name));
        parameters.map(|name| quote_spanned!(ours()=> let #name = #rt::__private::original(#name);)).collect()
    }

    /// The bindings of `once`. One of which each attempt gets a clone is not changed itself.
    fn once(&self) -> TokenStream {
        let bindings = self.policy.once.iter().map(|Once { mutability, name, value }| {
            let mutability = mutability.filter(|_| self.policy.handed.keeps.contains(name));
            quote_spanned!(ours()=> let #mutability #name = #value;)
        });
        bindings.collect()
    }

    /// The policy, a constant or made from one that came at run time, with the budget and the token; and how to refer to
    /// the policy.
    fn settings(&self) -> (TokenStream, TokenStream) {
        let (rt, policy, steps) = (self.rt, name("policy"), &self.policy.draft);
        let (settings, reference) = match &self.policy.over {
            None => (
                quote_spanned!(ours()=> let #policy = const { &#rt::__private::draft()#steps.done() };),
                quote_spanned!(ours()=> #policy),
            ),
            Some(over) => {
                let start = quote_spanned!(ours_at(over.span())=> #rt::__private::over(#over));
                (
                    quote_spanned!(ours()=> let #policy = #start #steps.done();),
                    quote_spanned!(ours()=> &#policy),
                )
            }
        };
        let (budget, token) = (name("budget"), name("token"));
        let entered = self.budget().map(|shared| {
            let place = ours_at(shared.span());
            quote_spanned! {place=>
                let #budget = &#shared;
                let #budget = #rt::__private::enter(#budget);
            }
        });
        let bound =
            self.cancel().map(|cancel| quote_spanned!(ours_at(cancel.span())=> let #token = &#cancel;));
        (quote_spanned!(ours()=> #settings #entered #bound), reference)
    }

    /// What a call remembers, and what it does when an attempt begins.
    fn start(&self, policy: &TokenStream) -> (TokenStream, TokenStream) {
        let Memory::Call(observers) = &self.policy.memory else {
            return (quote_spanned!(ours()=> Count::start()), TokenStream::new());
        };
        let (rt, run) = (self.rt, name("run"));
        let clock = name(if self.function.is_async() { "Async" } else { "Blocking" });
        let observed = OBSERVED || observers.on_retry.is_some() || observers.on_give_up.is_some();
        let start = quote_spanned! {ours()=>
            Call::start(#policy, #rt::__private::Clock::#clock, #observed)
        };
        let begin = match &observers.attempt {
            Some(attempt) => quote_spanned!(ours()=> let #attempt = #run.attempt(#policy);),
            None if observers.begins => quote_spanned!(ours()=> #run.begin(#policy);),
            None => TokenStream::new(),
        };
        (start, begin)
    }

    fn wait(&self) -> TokenStream {
        let (rt, delay, token) = (self.rt, name("delay"), name("token"));
        let is_async = self.function.is_async();
        let own = self.policy.sleep.as_ref().map(|sleep| self.sleep(sleep, &quote_spanned!(ours()=> #delay)));
        if self.cancel().is_none() {
            return match own {
                Some(own) if is_async => quote_spanned!(ours()=> #own.await;),
                Some(own) => quote_spanned!(ours()=> #own;),
                None if is_async => quote_spanned!(ours()=> #rt::__private::sleep(#delay).await;),
                None => quote_spanned!(ours()=> #rt::__private::block(#delay);),
            };
        }
        let ended = match own {
            Some(own) if is_async => quote_spanned!(ours()=> #rt::__private::unless(#own, #token).await),
            Some(own) => quote_spanned!(ours()=> { #own; #rt::__private::Cancel::is_cancelled(#token) }),
            None if is_async => quote_spanned!(ours()=> #rt::__private::sleep_unless(#delay, #token).await),
            None => quote_spanned!(ours()=> #rt::__private::block_unless(#delay, #token)),
        };
        let (cancelled, outcome) = (self.cancelled(), name("outcome"));
        quote_spanned!(ours()=> if #ended { #cancelled return #outcome; })
    }

    pub(crate) fn budget(&self) -> Option<&syn::Expr> {
        match &self.policy.memory {
            Memory::Call(observers) => observers.budget.as_ref(),
            Memory::Count => None,
        }
    }

    pub(crate) fn cancel(&self) -> Option<&syn::Expr> {
        match &self.policy.memory {
            Memory::Call(observers) => observers.cancel.as_ref(),
            Memory::Count => None,
        }
    }
}
