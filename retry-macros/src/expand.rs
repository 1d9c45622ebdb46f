//! Policy × Function -> tokens. Nothing is decided here, and nothing can fail.
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
//!             let outcome = async {                   // so that `return` and `?` end one attempt
//!                 if let Some(never) = None::<Result<Row, Error>> { return never; }   // the type, for inference
//!                 { BODY }
//!             }.await;
//!             let Some(error) = failure(&outcome) else { return outcome; };
//!             if !is_busy(error) { return outcome; }
//!             match run.failed(policy, HINT) { Some(delay) => delay, None => return outcome }
//!         };
//!         sleep(delay).await;
//!     }
//! }
//! ```

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Pat, Signature};

use crate::function::{Body, Function, Shape, braced};
use crate::hygiene::{self, located, mentions, name, name_at, ours_at};
use crate::policy::{Hint, Judge, Memory, Observers, Policy};
use crate::value::{Function as Callable, Once};

/// The annotated function, rewritten.
pub(crate) fn expand(policy: &Policy, function: &Function) -> TokenStream {
    let Some(body) = &function.body else { return TokenStream::new() };
    let here = ours();
    let mut sig = function.sig.clone();
    let clones: Vec<&Ident> = policy.handed.clones.iter().map(|(name, _)| name).collect();
    without_mut(&mut sig, &clones, policy.handed.clone_self.is_some());
    let Body { inner_attrs, span, .. } = body;
    let writer = Writer { policy, function, rt: &policy.runtime };
    let inside = match &function.shape {
        Shape::Blocking | Shape::Async => writer.call(&body.tokens),
        Shape::Block(boxed) => {
            let setup = tokens_without_mut(boxed.setup.clone(), &clones);
            let call = writer.call(&boxed.attempt);
            boxed.around(braced(quote_spanned!(here=> #setup #call), boxed.span))
        }
        Shape::Future => writer.future(&body.tokens),
    };
    let block = braced(quote_spanned!(here=> #inner_attrs #inside), *span);
    let (attrs, vis) = (&function.attrs, &function.vis);
    quote_spanned!(here=> #(#attrs)* #vis #sig #block)
}

fn ours() -> Span {
    Span::mixed_site()
}

/// Whether the runtime has observers to tell.
const OBSERVED: bool = cfg!(feature = "observe");

struct Writer<'a> {
    policy: &'a Policy,
    function: &'a Function,
    /// The path of the runtime.
    rt: &'a TokenStream,
}

impl Writer<'_> {
    /// A whole call: what is made once, and the loop.
    fn call(&self, body: &TokenStream) -> TokenStream {
        let attempt = if self.function.is_async() { self.in_async(body) } else { self.in_closure(body) };
        self.repeated(&attempt)
    }

    /// A call whose body makes a future for each attempt.
    fn future(&self, body: &TokenStream) -> TokenStream {
        let closure = self.in_closure(body);
        let call = self.repeated(&quote_spanned!(ours()=> #closure.await));
        let block = quote_spanned!(ours()=> async move { #call });
        match &self.function.sig.output {
            syn::ReturnType::Type(_, output) if matches!(**output, syn::Type::ImplTrait(_)) => block,
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
        let once = policy.once.iter().map(|Once { mutability, name, value }| {
            let mutability = mutability.filter(|_| policy.handed.keeps.contains(name));
            quote_spanned!(ours()=> let #mutability #name = #value;)
        });
        let (settings, reference) = self.settings();
        let (start, begin) = self.start(&reference);
        let decision = self.decision(&reference);
        let wait = self.wait();
        let originals = self.originals();
        quote_spanned! {ours()=>
            #(#checks)*
            #originals
            #(#once)*
            #settings
            let mut #run = #rt::__private::#start;
            loop {
                #begin
                let #delay = {
                    let #outcome = #attempt;
                    #decision
                };
                #wait
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
        let once = |name: &Ident| self.policy.once.iter().any(|once| once.name == *name);
        let parameters = self.policy.handed.clones.iter().map(|(name, _)| name).filter(|name| !once(name));
        let originals =
            parameters.map(|name| quote_spanned!(ours()=> let #name = #rt::__private::original(#name);));
        originals.collect()
    }

    /// The policy: a constant, or made from one that came at run time; and how to refer to it.
    fn settings(&self) -> (TokenStream, TokenStream) {
        let (rt, policy, steps) = (self.rt, name("policy"), &self.policy.draft);
        match &self.policy.over {
            None => (
                quote_spanned!(ours()=> let #policy = const { &#rt::__private::draft()#steps.done() };),
                quote_spanned!(ours()=> #policy),
            ),
            Some(over) => {
                let over = self.in_place(&over.to_token_stream());
                let start = quote_spanned!(ours_at(over.span())=> #rt::__private::over(#over));
                (
                    quote_spanned!(ours()=> let #policy = #start #steps.done();),
                    quote_spanned!(ours()=> &#policy),
                )
            }
        }
    }

    /// An expression of the attribute where `self` may have another name.
    fn in_place(&self, expr: &TokenStream) -> TokenStream {
        match &self.function.shape {
            Shape::Block(boxed) => boxed
                .this
                .as_ref()
                .map_or_else(|| expr.clone(), |this| hygiene::replace_self(expr.clone(), this)),
            _ => expr.clone(),
        }
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

    /// From the outcome to the delay, or out of the function.
    fn decision(&self, policy: &TokenStream) -> TokenStream {
        let (rt, run, delay, outcome) = (self.rt, name("run"), name("delay"), name("outcome"));
        let judged = self.judged();
        let hint = self.hint();
        let Memory::Call(observers) = &self.policy.memory else {
            return quote_spanned! {ours()=>
                #judged
                match #run.failed(#policy, #hint) {
                    #rt::__private::Some(#delay) => #delay,
                    #rt::__private::None => return #outcome,
                }
            };
        };
        let reason = name("reason");
        let (retrying, giving_up) = self.hooks(observers);
        let stopped =
            if giving_up.is_empty() { quote_spanned!(ours()=> _) } else { reason.to_token_stream() };
        quote_spanned! {ours()=>
            #judged
            match #run.failed(#policy, #hint) {
                #rt::__private::Step::Wait(#delay) => {
                    #retrying
                    #delay
                }
                #rt::__private::Step::GiveUp(#stopped) => {
                    #giving_up
                    return #outcome;
                }
            }
        }
    }

    /// Returns every outcome that deserves no retry; what deserves one is bound as `error`.
    fn judged(&self) -> TokenStream {
        let (rt, outcome, error) = (self.rt, name("outcome"), name("error"));
        // An output that is no `Result` is an error at the return type.
        let place = self.function.output_span();
        let (success, permanent) = (self.done(true), self.done(false));
        let asked = |function: &str| {
            let function = name_at(function, place);
            located(quote_spanned!(ours()=> #rt::__private::#function(&#outcome)), place)
        };
        let failed = |function: &str| {
            let asked = asked(function);
            quote_spanned!(ours()=> let #rt::__private::Some(#error) = #asked else { #success return #outcome; };)
        };
        match &self.policy.judge {
            Judge::Own => failed("retryable"),
            Judge::On(predicate) => {
                let failed = failed("failure");
                let answer = self.apply(predicate, "asks", &error.to_token_stream());
                quote_spanned!(ours()=> #failed if !#answer { #permanent return #outcome; })
            }
            Judge::When(predicate) => {
                let judged = quote_spanned!(ours()=> #error);
                let answer = self.apply(predicate, "asks", &judged);
                quote_spanned! {ours()=>
                    let #error = &#outcome;
                    if !#answer { #success return #outcome; }
                }
            }
        }
    }

    /// Tells observers that the call ends with an outcome that deserves no retry.
    fn done(&self, succeeded: bool) -> TokenStream {
        if !OBSERVED {
            return TokenStream::new();
        }
        let (rt, run, site) = (self.rt, name("run"), self.site());
        quote_spanned!(ours()=> #rt::__private::observe::done(#site, #run.attempts(), #succeeded);)
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
        let (rt, error) = (self.rt, name("error"));
        match &self.policy.hint {
            Hint::Off => quote_spanned!(ours()=> #rt::__private::None),
            Hint::Function(function) => self.apply(function, "hints", &error.to_token_stream()),
            Hint::Found => quote_spanned! {ours()=> {
                use #rt::__private::probe::*;
                (&&&Probe(#error)).hint()
            }},
        }
    }

    fn hooks(&self, observers: &Observers) -> (TokenStream, TokenStream) {
        let (run, error) = (name("run"), name("error"));
        let (delay, reason) = (name("delay"), name("reason"));
        let told = |hook: &Option<Callable>, observer: &str, event: TokenStream| {
            let mut told = TokenStream::new();
            if let Some(hook) = hook {
                let hook = self.apply(hook, "tells", &event);
                told.extend(quote_spanned!(ours()=> #hook;));
            }
            if OBSERVED {
                let (rt, site, observer) = (self.rt, self.site(), name(observer));
                told.extend(quote_spanned! {ours()=>
                    #rt::__private::observe::#observer(#site, #event, {
                        use #rt::__private::observe::shown::*;
                        (&&&Shown(#error)).shown()
                    });
                });
            }
            told
        };
        (
            told(&observers.on_retry, "retrying", quote_spanned!(ours()=> &#run.retrying(#error, #delay))),
            told(&observers.on_give_up, "given_up", quote_spanned!(ours()=> &#run.given_up(#error, #reason))),
        )
    }

    /// Calls a function of the user's: a path directly, so that its argument coerces as in any call; a closure through
    /// a function that tells it the type of its parameter.
    fn apply(&self, callable: &Callable, through: &str, argument: &TokenStream) -> TokenStream {
        let rt = self.rt;
        match callable {
            Callable::Path(path) => {
                let argument = located(argument.clone(), path.span());
                quote_spanned!(ours_at(path.span())=> #path(#argument))
            }
            Callable::Closure(closure) => {
                let through = name(through);
                quote_spanned!(ours()=> #rt::__private::#through(#argument, #closure))
            }
        }
    }

    fn wait(&self) -> TokenStream {
        let (rt, delay) = (self.rt, name("delay"));
        let is_async = self.function.is_async();
        let sleep = match &self.policy.sleep {
            None if is_async => quote_spanned!(ours()=> #rt::__private::sleep(#delay)),
            None => quote_spanned!(ours()=> #rt::__private::block(#delay)),
            Some(Callable::Path(path)) => quote_spanned!(ours_at(path.span())=> #path(#delay)),
            Some(Callable::Closure(closure)) => quote_spanned!(ours_at(closure.span())=> (#closure)(#delay)),
        };
        if is_async { quote_spanned!(ours()=> #sleep.await;) } else { quote_spanned!(ours()=> #sleep;) }
    }

    /// A blocking attempt: a closure, so that `return` and `?` end it alone.
    fn in_closure(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let span = self.body_span();
        let output = match &self.function.sig.output {
            syn::ReturnType::Type(arrow, output) => {
                let output = erased(output.to_token_stream());
                let is_never = matches!(self.function.output(), Some(syn::Type::Never(_)));
                if is_never { TokenStream::new() } else { quote_spanned!(ours()=> #arrow #output) }
            }
            syn::ReturnType::Default => TokenStream::new(),
        };
        let block = self.attempt_block(TokenStream::new(), body);
        let closure = quote_spanned!(ours_at(span)=> || #output #block);
        quote_spanned!(ours_at(span)=> #rt::__private::attempt(#closure))
    }

    /// An async attempt: a block, so that `return` and `?` end it alone.
    fn in_async(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let mut first = TokenStream::new();
        let output = self.function.output().filter(|output| !matches!(output, syn::Type::Never(_)));
        if let Some(output) = output {
            // Without it a wrong type would be an error at the attribute, and coercions would fail.
            let never = name("never");
            let erased = located(erased(output.to_token_stream()), output.span());
            first.extend(quote_spanned! {ours_at(output.span())=>
                if let #rt::__private::Some(#never) = #rt::__private::None::<#erased> {
                    #[allow(unreachable_code)]
                    return #never;
                }
            });
        }
        let exclusive = self.function.exclusive().into_iter().map(|name| (name, true));
        let kept = self.policy.handed.keeps.iter().map(|name| (name.clone(), false));
        for (name, is_reference) in exclusive.chain(kept) {
            // A unique capture: what is only read through it need not be `Sync` for the future to be `Send`.
            if mentions(body, &name.to_string()) {
                let place =
                    if is_reference { quote_spanned!(ours()=> *#name) } else { name.to_token_stream() };
                first.extend(quote_spanned!(ours()=> let _ = &mut #place;));
            }
        }
        let block = self.attempt_block(first, body);
        quote_spanned!(ours_at(self.body_span())=> async #block.await)
    }

    /// The braces of an attempt: the clones, then the body in the user's own braces.
    fn attempt_block(&self, first: TokenStream, body: &TokenStream) -> TokenTree {
        let rt = self.rt;
        let span = self.body_span();
        let mut first = first;
        for (name, mutability) in &self.policy.handed.clones {
            let mutability = mutability.map(|span| Ident::new("mut", span));
            first.extend(
                quote_spanned!(ours()=> let #mutability #name = #rt::__private::Clone::clone(&#name);),
            );
        }
        let mut body = body.clone();
        if let Some(mutability) = &self.policy.handed.clone_self {
            let this = name("this");
            let mutability = mutability.map(|span| Ident::new("mut", span));
            first.extend(
                quote_spanned!(ours()=> let #mutability #this = #rt::__private::Clone::clone(&self);),
            );
            body = hygiene::replace_self(body, &this);
        }
        let body = braced(body, span);
        if first.is_empty() {
            return body;
        }
        let mut block = Group::new(proc_macro2::Delimiter::Brace, quote_spanned!(ours()=> #first #body));
        block.set_span(ours_at(span));
        TokenTree::Group(block)
    }

    fn body_span(&self) -> Span {
        match &self.function.shape {
            Shape::Block(boxed) => boxed.span,
            _ => self.function.body.as_ref().map_or_else(ours, |body| body.span),
        }
    }
}

/// Each `impl Trait` in a type as `_`: neither a closure nor a local can name it.
fn erased(ty: TokenStream) -> TokenStream {
    let mut erased = TokenStream::new();
    let mut tokens = ty.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "impl" => {
                erased.extend([TokenTree::Ident(Ident::new("_", word.span()))]);
                let (mut depth, mut arrow) = (0_usize, false);
                while let Some(token) = tokens.peek() {
                    let punct = if let TokenTree::Punct(punct) = token { punct.as_char() } else { ' ' };
                    match punct {
                        ',' if depth == 0 => break,
                        '>' if depth == 0 && !arrow => break,
                        '>' if !arrow => depth -= 1,
                        '<' => depth += 1,
                        _ => {}
                    }
                    arrow = punct == '-';
                    tokens.next();
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self::erased(group.stream()));
                inner.set_span(group.span());
                erased.extend([TokenTree::Group(inner)]);
            }
            token => erased.extend([token]),
        }
    }
    erased
}

/// Takes the `mut` from parameters of which each attempt has its own `mut` clone.
fn without_mut(sig: &mut Signature, names: &[&Ident], of_self: bool) {
    for input in &mut sig.inputs {
        match input {
            FnArg::Receiver(receiver) if of_self => receiver.mutability = None,
            FnArg::Receiver(_) => {}
            FnArg::Typed(typed) => pattern_without_mut(&mut typed.pat, names),
        }
    }
}

fn pattern_without_mut(pat: &mut Pat, names: &[&Ident]) {
    *pat = Pat::Verbatim(tokens_without_mut(pat.to_token_stream(), names));
}

fn tokens_without_mut(tokens: TokenStream, names: &[&Ident]) -> TokenStream {
    let mut kept = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if names.iter().any(|name| **name == word) => {
                if kept.last().is_some_and(|last| matches!(last, TokenTree::Ident(last) if last == "mut")) {
                    kept.pop();
                }
                kept.push(TokenTree::Ident(word));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), tokens_without_mut(group.stream(), names));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}
