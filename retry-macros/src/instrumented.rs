//! Recognises a body that `#[tracing::instrument]` has already rewritten, and finds the user's in it. Only that is
//! repeated: the span is one of the whole call, and what the span's block takes over is taken over once.
//!
//! ```text
//! let __tracing_attr_span = span!(…);
//! let __tracing_instrument_future = async move { match async move { BODY }.await { … } };
//! ```

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A block somewhere in tokens that stay as they are.
#[derive(Default)]
pub(crate) struct Nest(Vec<Layer>);

struct Layer {
    before: Vec<TokenTree>,
    group: Group,
    after: Vec<TokenTree>,
}

impl Nest {
    /// Whether nobody has rewritten the body.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tokens of the user's body, and what is round them: nothing where nobody has rewritten it.
    pub(crate) fn open(body: &TokenStream) -> (TokenStream, Self) {
        let mut nest = Self::default();
        let mut inner = body.clone();
        let mut is_found = false;
        while let Some((place, is_last)) = find(&inner, is_found) {
            let mut tokens: Vec<TokenTree> = inner.clone().into_iter().collect();
            let after = tokens.split_off(place + 1);
            let Some(TokenTree::Group(group)) = tokens.pop() else { break };
            inner = group.stream();
            nest.0.push(Layer { before: tokens, group, after });
            is_found = true;
            if is_last {
                break;
            }
        }
        (inner, nest)
    }

    /// Other tokens in the place of the user's body.
    pub(crate) fn around(&self, inner: TokenStream) -> TokenStream {
        self.0.iter().rev().fold(inner, |inner, Layer { before, group, after }| {
            let mut rewritten = Group::new(group.delimiter(), inner);
            rewritten.set_span(group.span());
            let before = before.iter().cloned();
            before.chain([TokenTree::Group(rewritten)]).chain(after.iter().cloned()).collect()
        })
    }
}

/// The position of the group in which the body is, and whether it is the innermost. Inside the span's block there may be
/// another one, whose outcome is told as an event.
fn find(tokens: &TokenStream, is_inside: bool) -> Option<(usize, bool)> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_entered = |tokens: &[TokenTree]| tokens.iter().any(|token| is_word(token, "__tracing_attr_guard"));
    if is_inside && !is_entered(&tokens) {
        return match tokens.as_slice() {
            [first, .., TokenTree::Group(block)] if is_word(first, "move") && is_braces(block) => {
                Some((tokens.len() - 1, true))
            }
            _ => after_words(&tokens, &["async", "move"]).map(|place| (place, true)),
        };
    }
    if let Some(at) = tokens.iter().position(|token| is_word(token, "__tracing_instrument_future")) {
        let place = after_words(tokens.get(at..)?, &["async", "move"])?;
        return Some((at + place, false));
    }
    let last = tokens.len().checked_sub(1)?;
    if !is_entered(&tokens) {
        // All of it may stand in one more block.
        let TokenTree::Group(block) = tokens.last()? else { return None };
        let inside: Vec<TokenTree> = block.stream().into_iter().collect();
        return is_entered(&inside).then_some((last, false)).filter(|_| is_braces(block));
    }
    let closure = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => {
            group.stream().into_iter().next().is_some_and(|first| is_word(&first, "move"))
        }
        _ => false,
    });
    closure.map(|place| (place, false)).or_else(|| {
        matches!(tokens.last(), Some(TokenTree::Group(block)) if is_braces(block)).then_some((last, true))
    })
}

/// The position of the first braces behind these words.
fn after_words(tokens: &[TokenTree], words: &[&str]) -> Option<usize> {
    let window = tokens.windows(words.len() + 1).position(|window| {
        let are_words = window.iter().zip(words).all(|(token, word)| is_word(token, word));
        are_words && matches!(window.last(), Some(TokenTree::Group(block)) if is_braces(block))
    });
    window.map(|at| at + words.len())
}

fn is_braces(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}
