//! Policy × Function -> tokens: the frame of a call. Nothing is decided here, and nothing can fail.
//!
//! ```text
//! #[retry(max = 3, on = is_busy)]
//! async fn load(&self, key: Key) -> Result<Row, Error> { BODY }
//!
//! async fn load(&self, key: Key) -> Result<Row, Error> {
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

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{ReturnType, Token, Type};

use crate::function::{Body, Function, Shape, braced};
use crate::hygiene::{Runtime, local, name};
use crate::parameters::Binding;
use crate::policy::{Memory, OBSERVED, Policy};
use crate::signature;
use crate::value::Once;

/// The annotated function, rewritten.
pub(crate) fn expand(policy: &Policy, function: &Function) -> TokenStream {
    let Some(body) = &function.body else { return TokenStream::new() };
    let sig = signature::signature(function, &policy.handed);
    let Body { inner_attrs, span, .. } = body;
    let writer = Writer { policy, function, rt: &policy.runtime };
    let inside = match &function.shape {
        Shape::Blocking | Shape::Async => body.nest.around(writer.call(&body.own)),
        Shape::Block(boxed) => {
            let setup = signature::setup(&boxed.setup, &policy.handed);
            let call = writer.call(&boxed.attempt);
            let call = boxed.nest.around(quote_spanned!(ours()=> #setup #call));
            boxed.around(braced(call, boxed.span))
        }
        Shape::Future => writer.future(&body.tokens),
    };
    let import = &policy.import;
    let block = braced(quote_spanned!(ours()=> #inner_attrs #import #inside), *span);
    let (attrs, docs, vis) = (&function.attrs, &policy.docs, &function.vis);
    quote_spanned!(ours()=> #(#attrs)* #docs #vis #sig #block)
}

/// Our own names, shown at the attribute.
pub(crate) fn ours() -> Span {
    Span::mixed_site()
}

/// What a binding of ours carries that has the name of a parameter: lints on shadowing are about what the user binds.
pub(crate) fn shadowing() -> TokenStream {
    quote_spanned!(ours()=> #[allow(clippy::shadow_reuse, clippy::shadow_same, clippy::shadow_unrelated)])
}

/// What a binding of ours carries whose value is an expression of the user's: it may never end, and that is no fault.
pub(crate) fn never_ending() -> TokenStream {
    quote_spanned!(ours()=> #[allow(clippy::diverging_sub_expression)])
}

/// What the parts of an expansion are written from.
pub(crate) struct Writer<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) function: &'a Function,
    /// The path of the runtime.
    pub(crate) rt: &'a Runtime,
}

impl Writer<'_> {
    /// A whole call: what is made once, and the loop.
    fn call(&self, body: &TokenStream) -> TokenStream {
        if let Some((output, attempt)) = self.in_place(body) {
            return self.repeated(&quote_spanned!(ours()=> : #output), &attempt);
        }
        if self.function.is_async() {
            return self.repeated(&self.lent_output(), &self.in_async(body));
        }
        self.repeated(&TokenStream::new(), &self.in_closure(body))
    }

    /// A call whose body makes a future for each attempt.
    fn future(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let made = self.making(body);
        let is_box = self.function.returns_box();
        let made = if is_box { quote_spanned!(ours()=> #rt::__private::Box::into_pin(#made)) } else { made };
        let call = self.repeated(&TokenStream::new(), &self.driven(&made));
        let block = quote_spanned!(ours()=> async move { #call });
        match &self.function.sig.output {
            ReturnType::Type(_, output) if matches!(**output, Type::ImplTrait(_)) => {
                // A function that is nothing but such a block would be advised to become `async`.
                let future = local("future");
                quote_spanned!(ours()=> let #future = #block; #future)
            }
            // Inside the box that its type names, the future must lie pinned.
            _ if is_box => {
                quote_spanned!(ours()=> #rt::__private::Box::new(#rt::__private::Box::pin(#block)))
            }
            _ => quote_spanned!(ours()=> #rt::__private::Box::pin(#block)),
        }
    }

    fn repeated(&self, ascribed: &TokenStream, attempt: &TokenStream) -> TokenStream {
        let (rt, policy) = (self.rt, self.policy);
        let (run, delay, outcome) = (local("run"), local("delay"), local("outcome"));
        let checks = &policy.checks;
        let originals = self.originals();
        let entry = self.entry();
        let once = self.once();
        let (settings, reference) = self.settings();
        let (start, begin) = self.start(&reference);
        // An expression in place may never end, which is no fault of what follows it.
        let (quiet, reached) = if ascribed.is_empty() {
            (TokenStream::new(), TokenStream::new())
        } else {
            (never_ending(), quote_spanned!(ours()=> #[allow(unreachable_code)]))
        };
        let decision = self.decision(&reference, &reached);
        let wait = self.wait();
        let turn = if self.cancel().is_some() {
            // The outcome is what a call returns that is cancelled while it waits.
            quote_spanned! {ours()=>
                #quiet
                let #outcome #ascribed = #attempt;
                #reached
                let #delay = { #decision };
                #wait
            }
        } else {
            quote_spanned! {ours()=>
                let #delay = {
                    #quiet
                    let #outcome #ascribed = #attempt;
                    #decision
                };
                #wait
            }
        };
        quote_spanned! {ours()=>
            #(#checks)*
            #originals
            #entry
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
    /// no lint asks for a reference instead. An async function owns its parameters anyway; it only has to capture
    /// uniquely what stands inside of a pattern, or is bound anew before the block.
    fn originals(&self) -> TokenStream {
        let rt = self.rt;
        let (is_async, captures) = (self.function.is_async(), self.function.captures());
        let is_bound_anew =
            |name: &Ident| matches!(&self.function.shape, Shape::Block(boxed) if boxed.shadows(name));
        let is_once = |name: &Ident| self.policy.once.iter().any(|once| once.name == *name);
        let parameters = self.policy.handed.clones.iter().filter(|binding| !is_once(&binding.name));
        let originals = parameters.map(|Binding { name, condition, is_inside, by_ref, .. }| {
            let quiet = shadowing();
            if !is_async {
                quote_spanned!(ours()=> #condition #quiet let #name = #rt::__private::original(#name);)
            } else if captures && (*is_inside || is_bound_anew(name)) && !by_ref {
                quote_spanned!(ours()=> #condition #quiet let mut #name = #name;)
            } else {
                TokenStream::new()
            }
        });
        originals.collect()
    }

    /// The bindings of `once`. One of which each attempt gets a clone is not changed itself.
    fn once(&self) -> TokenStream {
        let handed = &self.policy.handed;
        let bindings = self.policy.once.iter().map(|Once { mutability, name, value }| {
            let captured = (handed.clones(name) && self.function.captures()).then(|| Token![mut](ours()));
            let mutability = mutability.filter(|_| handed.keeps(name)).or(captured);
            quote_spanned!(ours()=> let #mutability #name = #value;)
        });
        bindings.collect()
    }

    /// The policy, a constant or made from one that came at run time, with the budget and the token; and how to refer to
    /// the policy. A constant that is needed once stands where it is needed: the future does not hold its address.
    fn settings(&self) -> (TokenStream, TokenStream) {
        let (rt, policy, steps) = (self.rt, local("policy"), &self.policy.draft);
        let (settings, reference) = match (&self.policy.over, &self.policy.memory) {
            (None, Memory::Count) => (
                TokenStream::new(),
                quote_spanned!(ours()=> const { &#rt::__private::draft()#steps.plain() }),
            ),
            (None, Memory::Call(_)) => (
                quote_spanned!(ours()=> let #policy = const { &#rt::__private::draft()#steps.done() };),
                quote_spanned!(ours()=> #policy),
            ),
            (Some(over), _) => {
                let start = self.over(over);
                (
                    quote_spanned!(ours()=> let #policy = #start #steps.done();),
                    quote_spanned!(ours()=> &#policy),
                )
            }
        };
        let entered = self.budget().map(|shared| self.enter(shared));
        let bound = self.cancel().map(|cancel| self.token(cancel));
        (quote_spanned!(ours()=> #settings #entered #bound), reference)
    }

    /// What a call remembers, and what it does when an attempt begins.
    fn start(&self, policy: &TokenStream) -> (TokenStream, TokenStream) {
        let Memory::Call(observers) = &self.policy.memory else {
            return (quote_spanned!(ours()=> Count::start()), TokenStream::new());
        };
        let (rt, run) = (self.rt, local("run"));
        let clock = name(if self.function.is_async() { "Async" } else { "Blocking" });
        let observed = OBSERVED || observers.on_retry.is_some() || observers.on_give_up.is_some();
        let start = if self.is_timed_from_entry() {
            let entry = local("entry");
            quote_spanned!(ours()=> Call::entered(#policy, #rt::__private::Clock::#clock, #entry))
        } else {
            quote_spanned!(ours()=> Call::start(#policy, #rt::__private::Clock::#clock, #observed))
        };
        let begin = match &observers.attempt {
            Some(attempt) => {
                quote_spanned!(ours()=> let #attempt = #rt::__private::Call::attempt(&mut #run, #policy);)
            }
            None if observers.begins => {
                quote_spanned!(ours()=> #rt::__private::Call::begin(&mut #run, #policy);)
            }
            None => TokenStream::new(),
        };
        (start, begin)
    }

    /// Whether what `once` takes counts: the call begins before it.
    fn is_timed_from_entry(&self) -> bool {
        let Memory::Call(observers) = &self.policy.memory else { return false };
        let observed = OBSERVED || observers.on_retry.is_some() || observers.on_give_up.is_some();
        !self.policy.once.is_empty() && (observers.deadline || observed)
    }

    /// The time of the entry, where it counts.
    fn entry(&self) -> TokenStream {
        if !self.is_timed_from_entry() {
            return TokenStream::new();
        }
        let (rt, entry) = (self.rt, local("entry"));
        let clock = name(if self.function.is_async() { "Async" } else { "Blocking" });
        quote_spanned!(ours()=> let #entry = #rt::__private::Clock::now(#rt::__private::Clock::#clock);)
    }

    fn wait(&self) -> TokenStream {
        let (rt, delay, token) = (self.rt, local("delay"), local("token"));
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
        let (cancelled, leave) = (self.cancelled(), self.leave());
        quote_spanned!(ours()=> if #ended { #cancelled #leave; })
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
