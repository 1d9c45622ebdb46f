//! One attempt: the user's body in a closure or an async block, with the clones it is handed and the limits it runs
//! under.
//!
//! ```text
//! async {                                             // so that `return` and `?` end one attempt
//!     if let Some(never) = None::<Result<Row, Error>> { return never; }       // the type, for inference
//!     let _ = &mut *self;                             // a unique capture: `&mut` data need not be `Sync`
//!     let order = Clone::clone(&order);
//!     { BODY }
//! }.await
//! ```

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Pat, ReturnType, Signature, Type};

use crate::expand::{Writer, ours};
use crate::function::{Shape, braced};
use crate::hygiene::{self, located, mentions, name, ours_at};
use crate::policy::{AttemptTimeout, Memory};
use crate::value::Function as Callable;

impl Writer<'_> {
    /// A blocking attempt: a closure, so that `return` and `?` end it alone.
    pub(crate) fn in_closure(&self, body: &TokenStream) -> TokenStream {
        let closure = self.closure(body);
        let (rt, place) = (self.rt, ours_at(self.body_span()));
        if self.has_deadline() {
            let run = name("run");
            quote_spanned!(place=> #rt::__private::attempt_within(#run.deadline(), #closure))
        } else {
            quote_spanned!(place=> #rt::__private::attempt(#closure))
        }
    }

    /// What makes the future of an attempt, where the whole body does.
    pub(crate) fn making(&self, body: &TokenStream) -> TokenStream {
        let closure = self.closure(body);
        let rt = self.rt;
        quote_spanned!(ours_at(self.body_span())=> #rt::__private::attempt(#closure))
    }

    fn closure(&self, body: &TokenStream) -> TokenStream {
        let output = match &self.function.sig.output {
            ReturnType::Type(arrow, output) => {
                let output = erased(output.to_token_stream());
                let is_never = matches!(self.function.output(), Some(Type::Never(_)));
                if is_never { TokenStream::new() } else { quote_spanned!(ours()=> #arrow #output) }
            }
            ReturnType::Default => TokenStream::new(),
        };
        let block = self.attempt_block(TokenStream::new(), body);
        quote_spanned!(ours_at(self.body_span())=> || #output #block)
    }

    /// An async attempt: a block, so that `return` and `?` end it alone.
    pub(crate) fn in_async(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let mut first = TokenStream::new();
        let output = self.function.output().filter(|output| !matches!(output, Type::Never(_)));
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
        self.driven(&quote_spanned!(ours_at(self.body_span())=> async #block))
    }

    /// Drives the future of an attempt to its end, or as far as its limits let it.
    pub(crate) fn driven(&self, future: &TokenStream) -> TokenStream {
        let (rt, run, attempt) = (self.rt, name("run"), name("attempt"));
        let place = ours_at(self.body_span());
        let deadline = if self.has_deadline() {
            quote_spanned!(ours()=> #run.deadline())
        } else {
            quote_spanned!(ours()=> #rt::__private::None)
        };
        match &self.policy.memory {
            Memory::Call(observers) if observers.timeout.is_some() => observers
                .timeout
                .as_ref()
                .map_or_else(TokenStream::new, |timeout| self.timed(future, timeout, &deadline)),
            Memory::Call(observers) if observers.deadline => quote_spanned! {place=> {
                // By reference: by value the body would be held twice.
                let mut #attempt = #rt::__private::pin!(#future);
                #rt::__private::inside(#deadline, #attempt.as_mut()).await
            }},
            _ => quote_spanned!(place=> #future.await),
        }
    }

    fn timed(&self, future: &TokenStream, timeout: &AttemptTimeout, deadline: &TokenStream) -> TokenStream {
        let (rt, run, attempt) = (self.rt, name("run"), name("attempt"));
        let (timer, elapsed) = (name("timer"), name("elapsed"));
        let limit = match &timeout.limit {
            Some(limit) => quote_spanned!(ours()=> #rt::__private::Some(#limit)),
            None => quote_spanned!(ours()=> #rt::__private::None),
        };
        let made = match &self.policy.sleep {
            None => quote_spanned!(ours()=> #rt::__private::limit(#elapsed.limit())),
            Some(sleep) => self.sleep(sleep, &quote_spanned!(ours()=> #elapsed.limit())),
        };
        let cut = match &timeout.timed_out {
            None => quote_spanned!(ours_at(timeout.place)=> #rt::__private::From::from),
            Some(Callable::Path(path)) => path.to_token_stream(),
            Some(Callable::Closure(closure)) => closure.to_token_stream(),
        };
        // An output that is no `Result` is an error at the return type.
        let settle = self.function.output_place().over(quote_spanned!(ours()=> #rt::__private::settle));
        quote_spanned! {ours_at(self.body_span())=> {
            let #elapsed = #run.attempt_limit(#limit);
            let mut #attempt = #rt::__private::pin!(#future);
            let mut #timer = #rt::__private::pin!(#made);
            #settle(
                #rt::__private::timed(#deadline, #attempt.as_mut(), #timer.as_mut()).await,
                #elapsed,
                #cut,
            )
        }}
    }

    fn has_deadline(&self) -> bool {
        matches!(&self.policy.memory, Memory::Call(observers) if observers.deadline)
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
        let mut block = Group::new(Delimiter::Brace, quote_spanned!(ours()=> #first #body));
        block.set_span(ours_at(span));
        TokenTree::Group(block)
    }

    pub(crate) fn body_span(&self) -> Span {
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
pub(crate) fn without_mut(sig: &mut Signature, names: &[&Ident], of_self: bool) {
    for input in &mut sig.inputs {
        match input {
            FnArg::Receiver(receiver) if of_self => receiver.mutability = None,
            FnArg::Receiver(_) => {}
            FnArg::Typed(typed) => {
                *typed.pat = Pat::Verbatim(tokens_without_mut(typed.pat.to_token_stream(), names));
            }
        }
    }
}

pub(crate) fn tokens_without_mut(tokens: TokenStream, names: &[&Ident]) -> TokenStream {
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
