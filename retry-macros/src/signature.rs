//! The signature as the loop needs it: the `mut` of what attempts are handed, and types that the body can write.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Pat, Signature, Token};

use crate::arguments::Handed;
use crate::expand::ours;
use crate::function::{Function, Shape};

/// Each `impl Trait` in a type as `_`: neither a closure nor a local can name it.
pub(crate) fn erased(ty: TokenStream) -> TokenStream {
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
                        ',' | ';' if depth == 0 => break,
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
    let is_rebound = |name: &Ident| matches!(&function.shape, Shape::Block(boxed) if boxed.is_rebound(name) || boxed.shadows(name));
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

/// Gives or takes the `mut` before names that a pattern binds. Inside of a pattern none is given: what is bound by
/// reference would be bound by value.
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
                let before = before.and_then(|before| done.get(before));
                let by_ref = is_word(before, "ref");
                let is_whole = before.is_none() || is_word(before, "let");
                if !is_field && !by_ref {
                    if had_mut {
                        done.pop();
                    }
                    if is_mut && is_whole {
                        done.push(TokenTree::Ident(Ident::new("mut", ours())));
                    }
                }
                done.push(TokenTree::Ident(word));
            }
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), rebound(group.stream(), names, false, in_pattern));
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
