//! Spans, generated names and the path to the runtime: what keeps our names from theirs and errors at their place.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// A span whose names are ours alone, shown at `place`.
pub(crate) fn ours_at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// A name that the body cannot see.
pub(crate) fn name(text: &str) -> Ident {
    Ident::new(text, Span::mixed_site())
}

/// A variable of ours. Where a constant or a unit struct has its name, a binding would be a pattern; none has this one.
pub(crate) fn local(text: &str) -> Ident {
    name(&format!("__{text}"))
}

/// The same variable, shown at `place` in errors.
pub(crate) fn local_at(text: &str, place: Span) -> Ident {
    name_at(&format!("__{text}"), place)
}

/// The same name, shown at `place` in errors.
pub(crate) fn name_at(text: &str, place: Span) -> Ident {
    Ident::new(text, ours_at(place))
}

/// The path of the runtime, and what makes it known. A path of the user's is imported once: where it is wrong, that is
/// one error, and not one for each use.
pub(crate) fn runtime(written: Option<&syn::Path>) -> (Runtime, TokenStream) {
    let here = Span::mixed_site();
    match written {
        None => (Runtime::default(), TokenStream::new()),
        Some(path) => (Runtime::at(quote_spanned!(here=> __retry_runtime)), Place::of(path).import(path)),
    }
}

/// The path of the runtime. As single tokens: streams put into streams make the compiler join them, again and again.
pub(crate) struct Runtime(Vec<TokenTree>);

impl Runtime {
    pub(crate) fn at(path: impl ToTokens) -> Self {
        Self(path.to_token_stream().into_iter().collect())
    }
}

impl Default for Runtime {
    /// Where it lives, unless the key `crate` says otherwise.
    fn default() -> Self {
        Self::at(quote_spanned!(Span::mixed_site()=> ::retry_runtime))
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

/// Where something stands in the user's source, from its first token to its last: a caret covers all of it only when
/// the first and the last token of an expression say so.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self { first, last: spans.last().unwrap_or(first) }
    }

    pub(crate) fn at(span: Span) -> Self {
        Self { first: span, last: span }
    }

    /// A span there, for what needs only one.
    pub(crate) fn span(self) -> Span {
        self.first
    }

    /// Its last token.
    pub(crate) fn end(self) -> Self {
        Self::at(self.last)
    }

    /// Tokens of the user's, shown there.
    pub(crate) fn moved(self, tokens: TokenStream) -> TokenStream {
        let moved = tokens.into_iter().map(|mut token| {
            token.set_span(self.last.resolved_at(token.span()));
            token
        });
        moved.collect()
    }

    /// Tokens of ours, shown there.
    pub(crate) fn over(self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let end = tokens.len().saturating_sub(1);
        let shown = tokens.into_iter().enumerate().map(|(at, token)| {
            let place = if at == end { self.last } else { self.first };
            match token {
                TokenTree::Group(group) => {
                    let mut moved = Group::new(group.delimiter(), self.over(group.stream()));
                    moved.set_span(group.span().located_at(place));
                    TokenTree::Group(moved)
                }
                mut token => {
                    token.set_span(token.span().located_at(place));
                    token
                }
            }
        });
        shown.collect()
    }

    /// `use path::__private as __retry_runtime;`, shown there.
    fn import(self, path: &syn::Path) -> TokenStream {
        quote_spanned!(self.last=> use #path::__private as __retry_runtime;)
    }

    /// Parentheses that close there.
    pub(crate) fn parentheses(self, inside: &TokenStream) -> TokenTree {
        let mut group = Group::new(Delimiter::Parenthesis, inside.clone());
        group.set_span(ours_at(self.last));
        TokenTree::Group(group)
    }

    /// A call of a function of ours, shown there; the arguments are where they are.
    pub(crate) fn call(self, callee: &TokenStream, arguments: &TokenStream) -> TokenStream {
        let callee = self.over(callee.clone());
        let arguments = self.parentheses(arguments);
        quote_spanned!(Span::mixed_site()=> #callee #arguments)
    }
}
