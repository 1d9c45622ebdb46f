//! Questions to tokens that stay unread, and other words in their place.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::hygiene::ours_at;

/// Whether `name` occurs anywhere in the tokens, also inside groups.
pub(crate) fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Whether a body uses the variable `name`, also in a format string as `{name}`. What stands behind a point, before `:`
/// or in a path is a member, a label, a new binding or an item; a macro may mean the variable by `name:`.
pub(crate) fn uses(tokens: &TokenStream, name: &str) -> bool {
    uses_in(tokens, name, false)
}

fn uses_in(tokens: &TokenStream, name: &str, in_macro: bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is = |at: Option<usize>, wanted: char| matches!(at.and_then(|at| tokens.get(at)), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted);
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) if ident == name => {
            let (before, far) = (at.checked_sub(1), at.checked_sub(2));
            let is_member = is(before, '.') && !is(far, '.');
            let is_label = is(before, '\'');
            let is_in_path = is(before, ':') && is(far, ':');
            let is_named = is(Some(at + 1), ':') && (!in_macro || is(Some(at + 2), ':'));
            !is_member && !is_label && !is_in_path && !is_named
        }
        TokenTree::Group(group) => uses_in(&group.stream(), name, in_macro || is_given_to_macro(&tokens, at)),
        TokenTree::Literal(literal) => in_macro && is_in_text(&literal.to_string(), name),
        _ => false,
    })
}

/// Whether a group is what a macro is given: `name!(…)`. Only there can a literal be a format string.
fn is_given_to_macro(tokens: &[TokenTree], at: usize) -> bool {
    let is_name = |at: usize| matches!(tokens.get(at), Some(TokenTree::Ident(_)));
    let is_bang =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
    at.checked_sub(1).is_some_and(is_bang) && at.checked_sub(2).is_some_and(is_name)
}

/// Whether a format string takes the value of `name`.
fn is_in_text(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let place = format!("{{{name}");
    text.split(&place).skip(1).any(|behind| !behind.starts_with(is_part))
}

/// Whether a lifetime occurs in the tokens of a type: the named one, or an elided one.
pub(crate) fn mentions_lifetime(tokens: &TokenStream, name: Option<&Ident>) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_tick =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'');
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => mentions_lifetime(&group.stream(), name),
        TokenTree::Ident(ident) if at > 0 && is_tick(at - 1) => match name {
            Some(name) => ident == name,
            None => ident == "_",
        },
        TokenTree::Punct(punct) => name.is_none() && punct.as_char() == '&' && !is_tick(at + 1),
        _ => false,
    })
}

/// Whether a body may be left before its end, or steer a loop round it: tokens tell, except inside a macro.
pub(crate) fn may_leave(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => ["return", "break", "continue"].iter().any(|leaving| word == leaving),
        // `!` for a macro, in which anything may be hidden.
        TokenTree::Punct(punct) => matches!(punct.as_char(), '?' | '!'),
        TokenTree::Group(group) => may_leave(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}

/// Whether a type says that it may borrow.
pub(crate) fn may_borrow(ty: &TokenStream) -> bool {
    ty.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl" || word == "dyn",
        TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
        TokenTree::Group(group) => may_borrow(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}

/// Whether the tokens of a body are more than one expression.
pub(crate) fn has_statements(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'))
}

/// The last token of a body's last expression, if there is one.
pub(crate) fn end(tokens: &TokenStream) -> Option<Span> {
    let last = tokens.clone().into_iter().last()?;
    let is_end = matches!(&last, TokenTree::Punct(punct) if punct.as_char() == ';');
    (!is_end).then(|| last.span())
}

/// Whether the tokens may move `self` itself, which is a reference, instead of using what is behind it.
pub(crate) fn takes_self(tokens: &TokenStream) -> bool {
    mentions(tokens, "move") || names_self_alone(tokens)
}

/// Whether a format string names `self`, in a way that cannot be replaced.
pub(crate) fn is_self_in_text(tokens: &TokenStream) -> bool {
    fn within(tokens: &TokenStream, in_macro: bool) -> bool {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        tokens.iter().enumerate().any(|(at, token)| match token {
            TokenTree::Group(group) => within(&group.stream(), in_macro || is_given_to_macro(&tokens, at)),
            TokenTree::Literal(literal) => in_macro && is_in_text(&literal.to_string(), "self"),
            _ => false,
        })
    }
    within(tokens, false)
}

fn names_self_alone(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => names_self_alone(&group.stream()),
        TokenTree::Ident(ident) => ident == "self" && is_alone(&tokens, at),
        _ => false,
    })
}

/// Whether the name there is a value of its own, not the place of something behind it.
fn is_alone(tokens: &[TokenTree], at: usize) -> bool {
    let is_punct = |at: usize, one_of: &str| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if one_of.contains(punct.as_char()));
    let is_word =
        |at: usize, word: &str| matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word);
    let is_indexed = matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
    let is_behind = at > 0 && (is_punct(at - 1, "*&") || is_word(at - 1, "match"));
    let is_place = is_behind || is_indexed || is_punct(at + 1, ".:");
    let is_reborrowed = at > 1 && is_word(at - 1, "mut") && is_punct(at - 2, "&");
    !is_place && !is_reborrowed
}

/// Replaces every `self` that means the receiver.
pub(crate) fn replace_self(tokens: TokenStream, with: &Ident) -> TokenStream {
    let named = |_: &[TokenTree], _: usize, word: &Ident| {
        let mut name = with.clone();
        name.set_span(with.span().located_at(word.span()));
        TokenTree::Ident(name)
    };
    each_self(tokens, true, &named)
}

/// Each lone `self` as `&mut *self`, but for what a macro is given: that may be no expression.
pub(crate) fn reborrow_self(tokens: TokenStream) -> TokenStream {
    let reborrowed = |tokens: &[TokenTree], at: usize, word: &Ident| {
        if !is_alone(tokens, at) {
            return TokenTree::Ident(word.clone());
        }
        let here = ours_at(word.span());
        let mut group = Group::new(Delimiter::None, quote_spanned!(here=> &mut *#word));
        group.set_span(here);
        TokenTree::Group(group)
    };
    each_self(tokens, false, &reborrowed)
}

/// Puts another token in the place of each `self` that means the receiver; nested functions and impl blocks have a
/// `self` of their own.
fn each_self(
    tokens: TokenStream,
    in_macros: bool,
    replaced: &impl Fn(&[TokenTree], usize, &Ident) -> TokenTree,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut inside_item = false;
    let mut done = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        match token {
            TokenTree::Ident(word) if word == "impl" || word == "trait" => inside_item = true,
            // Without a name it is the type of a pointer.
            TokenTree::Ident(word) if word == "fn" => {
                inside_item |= matches!(next, Some(TokenTree::Ident(_)));
            }
            _ => {}
        }
        let is_left_alone = inside_item || !in_macros && is_given_to_macro(&tokens, at);
        done.push(match token {
            TokenTree::Ident(word) if word == "self" && !inside_item && !is_colon(next) => {
                replaced(&tokens, at, word)
            }
            TokenTree::Group(group) if !is_left_alone => {
                let inside = each_self(group.stream(), in_macros, replaced);
                let mut inner = Group::new(group.delimiter(), inside);
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token.clone(),
        });
        // The braces end an item, or the `;` of one without.
        inside_item &= match token {
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() != ';',
            _ => true,
        };
    }
    done.into_iter().collect()
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}
