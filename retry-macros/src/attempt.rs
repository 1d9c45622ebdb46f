//! One attempt: the user's body in the loop itself, in a closure or in an async block, with the clones it is handed and
//! the limits it runs under.
//!
//! ```text
//! async {                                             // so that `return` and `?` end one attempt
//!     if false { return never::<Result<Row, Error>>(); }                      // the type, for inference
//!     let _ = &mut *self;                             // a unique capture: `&mut` data need not be `Sync`
//!     let log = &mut *log;                            // borrowed anew: the body may use it up
//!     { BODY }
//! }.await
//! ```

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ReceiverKind, ReturnType, Type};

use crate::expand::{Writer, never_ending, ours};
use crate::function::{Shape, braced};
use crate::hygiene::{Place, local, ours_at};
use crate::policy::{AttemptTimeout, Memory};
use crate::signature::erased;
use crate::tokens;

impl Writer<'_> {
    /// The body as it is, with the type of what it returns, where nothing needs a closure or a block round it: it is one
    /// expression that owns its value, no token of it can leave the attempt or steer our loop, and it has no name that
    /// each attempt gets anew or that it could use up. Errors about borrows and moves would otherwise speak of the loop.
    pub(crate) fn in_place(&self, body: &TokenStream) -> Option<(TokenStream, TokenStream)> {
        let (Shape::Blocking | Shape::Async, ReturnType::Type(_, output)) =
            (&self.function.shape, &self.function.sig.output)
        else {
            return None;
        };
        let is_framed = match &self.policy.memory {
            Memory::Call(observers) => {
                observers.deadline || observers.timeout.is_some() || observers.attempt.is_some()
            }
            Memory::Count => false,
        };
        let handed = &self.policy.handed;
        let is_handed = !handed.clones.is_empty() || !handed.keeps.is_empty() || handed.clone_self.is_some();
        let is_plain = !is_framed && !is_handed && self.policy.once.is_empty();
        let is_expression = !body.is_empty() && !tokens::has_statements(body);
        let is_owned = !tokens::may_borrow(&output.to_token_stream()) && !matches!(**output, Type::Never(_));
        if !is_plain || !is_expression || !is_owned || tokens::may_leave(body) || self.uses_up(body) {
            return None;
        }
        // Braces of the user's round a single expression would be called unnecessary.
        Some((self.written(output), braced(body.clone(), ours_at(self.body_span())).into()))
    }

    /// Whether the body has a parameter in it that it could use up.
    fn uses_up(&self, body: &TokenStream) -> bool {
        self.function.sig.inputs.iter().any(|input| match input {
            FnArg::Receiver(receiver) => {
                let is_shared = matches!(&receiver.kind, ReceiverKind::Reference(_, _, None));
                !is_shared && tokens::uses(body, "self")
            }
            FnArg::Typed(typed) if is_copied(&typed.ty) => false,
            FnArg::Typed(typed) => typed.pat.to_token_stream().into_iter().any(|token| match token {
                TokenTree::Ident(word) => tokens::uses(body, &word.to_string()),
                TokenTree::Group(_) => true,
                _ => false,
            }),
        })
    }

    /// A blocking attempt: a closure, so that `return` and `?` end it alone.
    pub(crate) fn in_closure(&self, body: &TokenStream) -> TokenStream {
        let closure = self.closure(body);
        let (rt, place) = (self.rt, ours_at(self.body_span()));
        if self.has_deadline() {
            let run = local("run");
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
            ReturnType::Default => quote_spanned!(ours()=> -> ()),
        };
        let block = self.attempt_block(&TokenStream::new(), body, false);
        quote_spanned!(self.capture_span()=> || #output #block)
    }

    /// An async attempt: a block, so that `return` and `?` end it alone.
    pub(crate) fn in_async(&self, body: &TokenStream) -> TokenStream {
        let rt = self.rt;
        let mut first = TokenStream::new();
        if let Some(written) = self.block_output() {
            // Without it a wrong type would be an error at the attribute, and coercions would fail.
            let place = self.function.output().map_or_else(ours, Spanned::span);
            first.extend(quote_spanned! {ours_at(place)=>
                if false {
                    #[allow(unreachable_code)]
                    return #rt::__private::never::<#written>();
                }
            });
        }
        let block = self.attempt_block(&first, body, true);
        self.driven(&quote_spanned!(self.capture_span()=> async #block))
    }

    /// The type of an outcome that is lent, as in `let outcome: &'a str`: with it a wrong lifetime is an error where the
    /// body returns the value, and not where we do. A closure says it itself.
    pub(crate) fn lent_output(&self) -> TokenStream {
        let lent = self.function.output().filter(|output| tokens::may_borrow(&output.to_token_stream()));
        lent.map_or_else(TokenStream::new, |output| {
            let output = self.written(output);
            quote_spanned!(ours()=> : #output)
        })
    }

    /// A type of the signature as it can be written in the body; what never is has a name there.
    fn written(&self, output: &Type) -> TokenStream {
        let rt = self.rt;
        match output {
            Type::Never(_) => Place::of(output).over(quote_spanned!(ours()=> #rt::__private::Infallible)),
            output => erased(output.to_token_stream()),
        }
    }

    /// Drives the future of an attempt to its end, or as far as its limits let it.
    pub(crate) fn driven(&self, future: &TokenStream) -> TokenStream {
        let (rt, run, attempt) = (self.rt, local("run"), local("attempt"));
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
                #rt::__private::inside(#deadline, #rt::__private::Pin::as_mut(&mut #attempt)).await
            }},
            _ => quote_spanned!(place=> #future.await),
        }
    }

    fn timed(&self, future: &TokenStream, timeout: &AttemptTimeout, deadline: &TokenStream) -> TokenStream {
        let (rt, run, attempt) = (self.rt, local("run"), local("attempt"));
        let (timer, elapsed, outcome) = (local("timer"), local("elapsed"), local("outcome"));
        let limit = match &timeout.limit {
            Some(limit) => quote_spanned!(ours()=> #rt::__private::Some(#limit)),
            None => quote_spanned!(ours()=> #rt::__private::None),
        };
        let made = match &self.policy.sleep {
            None => quote_spanned!(ours()=> #rt::__private::limit(#rt::__private::Elapsed::limit(&#elapsed))),
            Some(sleep) => {
                self.sleep(sleep, &quote_spanned!(ours()=> #rt::__private::Elapsed::limit(&#elapsed)))
            }
        };
        let settled = self.settled(timeout, &outcome.to_token_stream());
        quote_spanned! {ours_at(self.body_span())=> {
            let #elapsed = #rt::__private::Call::attempt_limit(&#run, #limit);
            let mut #attempt = #rt::__private::pin!(#future);
            let mut #timer = #rt::__private::pin!(#made);
            let mut #outcome = #rt::__private::timed(#deadline, #rt::__private::Pin::as_mut(&mut #attempt), #rt::__private::Pin::as_mut(&mut #timer)).await;
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
        let is_expression = !body.is_empty() && !tokens::has_statements(&body);
        if is_expression && cloned.is_empty() {
            // It stands in braces of the user's as before: lints look at what is round a macro.
            return braced(quote_spanned!(ours()=> #first #body), span);
        }
        // Braces of the user's round a single expression would be called unnecessary.
        let body = match whole {
            Some(whole) if !is_expression => TokenTree::Group(whole.clone()),
            _ => braced(body, if is_expression { ours_at(span) } else { span }),
        };
        let inside = if cloned.is_empty() {
            quote_spanned!(ours()=> #first #body)
        } else {
            // Before edition 2024, temporaries of the last expression would outlive the clones.
            let (ret, output) = (local("ret"), self.block_output());
            let output = output.unwrap_or_else(|| quote_spanned!(ours()=> _));
            let quiet = if is_expression { never_ending() } else { TokenStream::new() };
            quote_spanned! {ours()=>
                #first
                #quiet
                let #ret: #output = #body;
                #[allow(unreachable_code)]
                #ret
            }
        };
        braced(inside, span)
    }

    /// What the block of an attempt evaluates to, where the signature says so.
    fn block_output(&self) -> Option<TokenStream> {
        match (&self.function.shape, &self.function.sig.output) {
            (Shape::Block(_), _) => self.function.output().map(|output| self.written(output)),
            (_, ReturnType::Type(_, output)) => Some(self.written(output)),
            (_, ReturnType::Default) => Some(quote_spanned!(ours()=> ())),
        }
    }

    pub(crate) fn body_span(&self) -> Span {
        match &self.function.shape {
            Shape::Block(boxed) => boxed.span,
            _ => self.function.body.as_ref().map_or_else(ours, |body| body.span),
        }
    }
}

/// Whether values of the type are copied for sure: shared references, numbers and the like.
fn is_copied(ty: &Type) -> bool {
    const COPIED: [&str; 16] = [
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64",
    ];
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => {
            path.path.get_ident().is_some_and(|name| COPIED.iter().any(|copied| name == copied))
        }
        _ => false,
    }
}
