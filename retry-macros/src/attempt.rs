//! One attempt: the user's body in a closure or an async block, with the clones it is handed and the limits it runs
//! under.
//!
//! ```text
//! async {                                             // so that `return` and `?` end one attempt
//!     if let Some(never) = None::<Result<Row, Error>> { return never; }       // the type, for inference
//!     let _ = &mut *self;                             // a unique capture: `&mut` data need not be `Sync`
//!     let log = &mut *log;                            // borrowed anew: the body may use it up
//!     { BODY }
//! }.await
//! ```

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Pat, ReturnType, Signature, Token, Type};

use crate::arguments::{Handed, OfSelf};
use crate::expand::{Writer, ours, shadowing};
use crate::function::{Binding, Borrowed, Function, Shape, braced};
use crate::hygiene::{self, Place, name, name_at, ours_at};
use crate::policy::{AttemptTimeout, Memory};

impl Writer<'_> {
    /// A blocking attempt: a closure, so that `return` and `?` end it alone.
    pub(crate) fn in_closure(&self, body: &TokenStream) -> TokenStream {
        let closure = self.closure(body);
        let (rt, place) = (self.rt, ours_at(self.body_span()));
        if self.has_deadline() {
            let run = name("run");
            quote_spanned!(place=> #rt::__private::attempt_within(#rt::__private::Call::deadline(&#run), #closure))
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
                let output = self.written(output);
                quote_spanned!(ours()=> #arrow #output)
            }
            ReturnType::Default => TokenStream::new(),
        };
        let block = self.attempt_block(&TokenStream::new(), body, false);
        quote_spanned!(self.capture_span()=> || #output #block)
    }

    /// An async attempt: a block, so that `return` and `?` end it alone.
    pub(crate) fn in_async(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let mut first = TokenStream::new();
        if let Some(output) = self.function.output() {
            // Without it a wrong type would be an error at the attribute, and coercions would fail.
            let (never, written) = (name_at("never", output.span()), self.written(output));
            first.extend(quote_spanned! {ours_at(output.span())=>
                if let #rt::__private::Some(#never) = #rt::__private::None::<#written> {
                    #[allow(unreachable_code)]
                    return #never;
                }
            });
        }
        let block = self.attempt_block(&first, body, true);
        self.driven(&quote_spanned!(self.capture_span()=> async #block))
    }

    /// A type of the signature as it can be written in the body; what never is has a name there.
    fn written(&self, output: &Type) -> TokenStream {
        let rt = self.rt;
        match output {
            Type::Never(_) => quote_spanned!(ours_at(output.span())=> #rt::__private::Infallible),
            output => erased(output.to_token_stream()),
        }
    }

    /// Drives the future of an attempt to its end, or as far as its limits let it.
    pub(crate) fn driven(&self, future: &TokenStream) -> TokenStream {
        let (rt, run, attempt) = (self.rt, name("run"), name("attempt"));
        let place = ours_at(self.body_span());
        let deadline = if self.has_deadline() {
            quote_spanned!(ours()=> #rt::__private::Call::deadline(&#run))
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
        let (timer, elapsed, outcome) = (name("timer"), name("elapsed"), name("outcome"));
        let limit = match &timeout.limit {
            Some(limit) => quote_spanned!(ours()=> #rt::__private::Some(#limit)),
            None => quote_spanned!(ours()=> #rt::__private::None),
        };
        let made = match &self.policy.sleep {
            None => quote_spanned!(ours()=> #rt::__private::limit(#elapsed.limit())),
            Some(sleep) => self.sleep(sleep, &quote_spanned!(ours()=> #elapsed.limit())),
        };
        let settled = self.settled(timeout, &outcome.to_token_stream());
        quote_spanned! {ours_at(self.body_span())=> {
            let #elapsed = #rt::__private::Call::attempt_limit(&#run, #limit);
            let mut #attempt = #rt::__private::pin!(#future);
            let mut #timer = #rt::__private::pin!(#made);
            let mut #outcome = #rt::__private::timed(#deadline, #attempt.as_mut(), #timer.as_mut()).await;
            #settled
        }}
    }

    fn has_deadline(&self) -> bool {
        matches!(&self.policy.memory, Memory::Call(observers) if observers.deadline)
    }

    /// The braces of an attempt: what it is handed, then the body in the user's own braces.
    fn attempt_block(&self, first: &TokenStream, body: &TokenStream, is_captured: bool) -> TokenTree {
        let span = self.body_span();
        let (reborrowed, body) = self.reborrowed(body.clone(), is_captured);
        let (cloned, body) = self.cloned(body, is_captured);
        let is_untouched = reborrowed.is_empty() && cloned.is_empty();
        let whole = self.function.body.as_ref().and_then(|body| body.whole.as_ref());
        let whole =
            whole.filter(|_| is_untouched && matches!(self.function.shape, Shape::Blocking | Shape::Async));
        let first = quote_spanned!(ours()=> #first #reborrowed #cloned);
        if first.is_empty() {
            return whole.map_or_else(|| braced(body, span), |whole| TokenTree::Group(whole.clone()));
        }
        // Braces of the user's round a single expression would be called unnecessary.
        let is_expression = !body.is_empty() && !hygiene::has_statements(&body);
        let body = match whole {
            Some(whole) if !is_expression => TokenTree::Group(whole.clone()),
            _ => braced(body, if is_expression { ours_at(span) } else { span }),
        };
        let inside = if cloned.is_empty() {
            quote_spanned!(ours()=> #first #body)
        } else {
            // Before edition 2024, temporaries of the last expression would outlive the clones.
            let (ret, output) = (name("ret"), self.block_output());
            quote_spanned! {ours()=>
                #first
                let #ret: #output = #body;
                #[allow(unreachable_code)]
                #ret
            }
        };
        braced(inside, span)
    }

    /// What the block of an attempt evaluates to.
    fn block_output(&self) -> TokenStream {
        match (&self.function.shape, &self.function.sig.output) {
            (Shape::Block(_), _) => self
                .function
                .output()
                .map_or_else(|| quote_spanned!(ours()=> _), |output| self.written(output)),
            (_, ReturnType::Type(_, output)) => self.written(output),
            (_, ReturnType::Default) => quote_spanned!(ours()=> ()),
        }
    }

    /// How the body gets at references. What stands behind `&mut` is borrowed anew, so that the body may use up the
    /// reference; an async block captures it uniquely by that, and what is only read through it need not be `Sync` for
    /// the future to be `Send`. What is lent out for longer than an attempt is left alone. Other references are captured
    /// as a whole: then an error about what is behind one has the words that it has without a closure.
    fn reborrowed(&self, mut body: TokenStream, is_captured: bool) -> (TokenStream, TokenStream) {
        let handed = &self.policy.handed;
        // In a block that does not own the reference, that would be a reference to a variable which ends before it.
        let is_borrowed_twice = matches!(&self.function.shape, Shape::Block(boxed) if !boxed.moves);
        let mut reborrowed = TokenStream::new();
        for Borrowed { name, condition, is_exclusive, is_lent } in self.function.borrowed() {
            let is_left_alone = is_exclusive && is_lent || handed.clones(&name) || handed.keeps(&name);
            if is_left_alone || !hygiene::uses(&body, &name.to_string()) {
                continue;
            }
            if is_exclusive && name != "self" {
                let quiet = shadowing();
                reborrowed.extend(quote_spanned!(ours()=> #condition #quiet let #name = &mut *#name;));
            } else if is_exclusive && hygiene::takes_self(&body) {
                // `self` cannot be bound anew.
                let this = hygiene::name("this");
                reborrowed.extend(quote_spanned!(ours()=> let #this = &mut *#name;));
                body = hygiene::replace_self(body, &this);
            } else if name == "self" {
                if is_exclusive && is_captured {
                    reborrowed.extend(quote_spanned!(ours()=> let _ = &mut *#name;));
                }
                if !is_borrowed_twice {
                    reborrowed.extend(quote_spanned!(ours()=> let _ = &#name;));
                }
            } else if !is_borrowed_twice {
                let quiet = shadowing();
                reborrowed.extend(quote_spanned!(ours()=> #condition #quiet let #name = #name;));
            }
        }
        for Binding { name, condition, .. } in &handed.keeps {
            if is_captured && hygiene::uses(&body, &name.to_string()) {
                reborrowed.extend(quote_spanned!(ours()=> #condition let _ = &mut #name;));
            }
        }
        (reborrowed, body)
    }

    /// The clones that an attempt gets. An async block captures the originals uniquely: they need not be `Sync`.
    fn cloned(&self, mut body: TokenStream, is_captured: bool) -> (TokenStream, TokenStream) {
        let mut cloned = TokenStream::new();
        for Binding { name, named, mutability, by_ref, condition } in &self.policy.handed.clones {
            let mutability = mutability.map(|span| Ident::new("mut", span));
            if is_captured && !by_ref {
                cloned.extend(quote_spanned!(ours()=> #condition let _ = &mut #name;));
            }
            let (clone, quiet) = (self.clone_of(name, Place::at(*named)), shadowing());
            cloned.extend(quote_spanned!(ours()=> #condition #quiet let #mutability #name = #clone;));
        }
        if let (Some(OfSelf { mutability }), Some(receiver)) =
            (&self.policy.handed.clone_self, self.function.receiver())
        {
            let this = name("this");
            let mutability = mutability.map(|span| Ident::new("mut", span));
            if is_captured && self.function.has_owned_receiver() {
                cloned.extend(quote_spanned!(ours()=> let _ = &mut #receiver;));
            }
            let clone = self.clone_of(&receiver, Place::of(&receiver));
            cloned.extend(quote_spanned!(ours()=> let #mutability #this = #clone;));
            body = hygiene::replace_self(body, &this);
        }
        (cloned, body)
    }

    /// The span of a closure or an async block. With the user's own, errors name what is captured as the user does; but
    /// before edition 2021 the captures would be whole variables, from which nothing can be lent out.
    fn capture_span(&self) -> Span {
        let span = self.body_span();
        let is_lent =
            self.function.borrowed().iter().any(|borrowed| borrowed.is_exclusive && borrowed.is_lent);
        if is_lent { ours_at(span) } else { span }
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

/// The signature as it must stand before the loop. Originals of clones are not changed by the body; a blocking function
/// only reads them, an async one captures them uniquely and so has them as `mut`.
pub(crate) fn signature(function: &Function, handed: &Handed) -> Signature {
    let mut sig = function.sig.clone();
    let is_mut = function.captures();
    let owned = function.has_owned_receiver();
    let is_rebound = |name: &Ident| matches!(&function.shape, Shape::Block(boxed) if boxed.is_rebound(name));
    let names: Vec<&Ident> = handed.clones.iter().map(|binding| &binding.name).collect();
    let names: Vec<&Ident> = names.into_iter().filter(|name| !is_rebound(name)).collect();
    for input in &mut sig.inputs {
        match input {
            FnArg::Receiver(receiver) if handed.clone_self.is_some() && owned => {
                receiver.mutability = is_mut.then(|| Token![mut](ours()));
            }
            FnArg::Receiver(_) => {}
            FnArg::Typed(typed) => {
                *typed.pat = Pat::Verbatim(rebound(typed.pat.to_token_stream(), &names, is_mut, true));
            }
        }
    }
    sig
}

/// The same for what `#[async_trait]` binds anew.
pub(crate) fn setup(setup: &TokenStream, handed: &Handed) -> TokenStream {
    let names: Vec<&Ident> = handed.clones.iter().map(|binding| &binding.name).collect();
    rebound(setup.clone(), &names, true, false)
}

/// Gives or takes the `mut` before names that a pattern binds.
fn rebound(tokens: TokenStream, names: &[&Ident], is_mut: bool, mut in_pattern: bool) -> TokenStream {
    let is_word = |token: Option<&TokenTree>, word: &str| matches!(token, Some(TokenTree::Ident(ident)) if ident == word);
    let mut done: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if in_pattern && names.iter().any(|name| **name == word) => {
                let is_field =
                    matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
                let had_mut = is_word(done.last(), "mut");
                let before = done.len().checked_sub(if had_mut { 2 } else { 1 });
                let by_ref = is_word(before.and_then(|before| done.get(before)), "ref");
                if !is_field && !by_ref {
                    if had_mut {
                        done.pop();
                    }
                    if is_mut {
                        done.push(TokenTree::Ident(Ident::new("mut", ours())));
                    }
                }
                done.push(TokenTree::Ident(word));
            }
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), rebound(group.stream(), names, is_mut, in_pattern));
                inner.set_span(group.span());
                done.push(TokenTree::Group(inner));
            }
            token => {
                in_pattern = match &token {
                    TokenTree::Ident(word) => in_pattern || word == "let",
                    TokenTree::Punct(punct) => in_pattern && punct.as_char() != '=',
                    _ => in_pattern,
                };
                done.push(token);
            }
        }
    }
    done.into_iter().collect()
}
