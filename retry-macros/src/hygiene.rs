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

/// The same name, shown at `place` in errors.
pub(crate) fn name_at(text: &str, place: Span) -> Ident {
    Ident::new(text, ours_at(place))
}

/// Where the runtime lives, unless the key `crate` says otherwise.
pub(crate) fn default_runtime() -> TokenStream {
    quote_spanned!(Span::mixed_site()=> ::retry_runtime)
}

/// The same tokens with other spans: the location is `place`, names resolve as before.
pub(crate) fn located(tokens: TokenStream, place: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut moved = Group::new(group.delimiter(), located(group.stream(), place));
                moved.set_span(group.span().located_at(place));
                TokenTree::Group(moved)
            }
            mut token => {
                token.set_span(token.span().located_at(place));
                token
            }
        })
        .collect()
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

/// Whether `name` occurs anywhere in the tokens, also inside groups; in format strings as `{name`.
pub(crate) fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Literal(literal) => literal.to_string().contains(&format!("{{{name}")),
        TokenTree::Punct(_) => false,
    })
}

/// Replaces every `self` that means the receiver; nested functions and impl blocks have a `self` of their own.
pub(crate) fn replace_self(tokens: TokenStream, with: &Ident) -> TokenStream {
    if mentions(&tokens, "fn") && mentions(&tokens, "impl") {
        // A nested impl brings its own `self`; nothing outside it can be told apart by tokens alone.
        return tokens;
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_path =
        |next: Option<&TokenTree>| matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    tokens
        .iter()
        .enumerate()
        .map(|(at, token)| match token {
            TokenTree::Ident(ident) if ident == "self" && !is_path(tokens.get(at + 1)) => {
                let mut name = with.clone();
                name.set_span(with.span().located_at(ident.span()));
                TokenTree::Ident(name)
            }
            TokenTree::Group(group) => {
                let mut replaced = Group::new(group.delimiter(), replace_self(group.stream(), with));
                replaced.set_span(group.span());
                TokenTree::Group(replaced)
            }
            token => token.clone(),
        })
        .collect()
}
