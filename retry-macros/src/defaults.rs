//! The attribute on an `impl` block or trait: its settings are handed down to the methods that carry it themselves.
//! The block stays tokens: only the arguments of the inner attributes grow.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::fault::Faults;
use crate::policy;
use crate::settings::{DEFAULTS, STANDING, Settings};

/// An `impl` block or trait, cut at its braces.
pub(crate) struct Block {
    head: Vec<TokenTree>,
    body: Group,
    place: Span,
}

impl Block {
    /// `None` for anything else.
    pub(crate) fn read(item: &TokenStream) -> Option<Self> {
        let mut head: Vec<TokenTree> = item.clone().into_iter().collect();
        let TokenTree::Group(body) = head.pop()? else { return None };
        let place = head.iter().find_map(|token| match token {
            TokenTree::Ident(word) if word == "impl" || word == "trait" => Some(word.span()),
            _ => None,
        })?;
        // A function may have `impl` in its signature, but it has `fn` before it.
        let is_function = head.iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"));
        (!is_function && body.delimiter() == Delimiter::Brace).then_some(Self { head, body, place })
    }

    /// The block with the settings in the attribute of every method that has one.
    pub(crate) fn hand_down(
        &self,
        attribute: &TokenStream,
        settings: &Settings,
        faults: &mut Faults,
    ) -> TokenStream {
        settings.refuse_as_defaults(faults);
        policy::check_defaults(settings, faults);
        let here = Span::mixed_site();
        let word = Ident::new(if faults.is_empty() { DEFAULTS } else { STANDING }, here);
        let inherited = quote_spanned!(here=> #word(#attribute));
        let mut methods = Methods { names: vec!["retry".to_owned()], inherited, found: false };
        methods.names.extend(written_name());
        let stream = methods.block(self.body.stream());
        if !methods.found {
            faults.defaults_for_nobody(self.place);
        }
        let mut body = Group::new(Delimiter::Brace, stream);
        body.set_span(self.body.span());
        self.head.iter().cloned().chain([TokenTree::Group(body)]).collect()
    }
}

/// The name under which the outer attribute was written, where the compiler tells it.
fn written_name() -> Option<String> {
    let text = Span::call_site().source_text()?;
    let path = text.trim_start_matches(['#', '[', ' ']).split(['(', ']', ' ']).next()?;
    path.rsplit("::").next().map(str::to_owned)
}

/// Walks over the items of the block.
struct Methods {
    names: Vec<String>,
    inherited: TokenStream,
    found: bool,
}

impl Methods {
    fn block(&mut self, block: TokenStream) -> TokenStream {
        let mut after_hash = false;
        let mut tokens = Vec::new();
        for token in block {
            let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            match token {
                TokenTree::Group(group) if after_hash && group.delimiter() == Delimiter::Bracket => {
                    tokens.push(with(&group, self.attribute(group.stream())));
                }
                token => tokens.push(token),
            }
            after_hash = is_hash;
        }
        tokens.into_iter().collect()
    }

    /// What stands in the brackets of one attribute.
    fn attribute(&mut self, attribute: TokenStream) -> TokenStream {
        let mut tokens: Vec<TokenTree> = attribute.into_iter().collect();
        let arguments = match tokens.last() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                Some(group.clone())
            }
            _ => None,
        };
        let path =
            if arguments.is_some() { tokens.split_last().map_or(&[][..], |(_, path)| path) } else { &tokens };
        let Some(TokenTree::Ident(name)) = path.last() else { return tokens.into_iter().collect() };
        if self.names.iter().any(|known| name == known) {
            let own = arguments.as_ref().map_or_else(TokenStream::new, Group::stream);
            let grown = self.grown(own);
            match &arguments {
                Some(group) => {
                    tokens.pop();
                    tokens.push(with(group, grown));
                }
                None => tokens.push(TokenTree::Group(Group::new(Delimiter::Parenthesis, grown))),
            }
        } else if name == "cfg_attr" {
            if let Some(group) = arguments {
                let inside = self.conditional(group.stream());
                tokens.pop();
                tokens.push(with(&group, inside));
            }
        }
        tokens.into_iter().collect()
    }

    /// `condition, attribute, attribute, …`
    fn conditional(&mut self, arguments: TokenStream) -> TokenStream {
        let mut rest: Vec<TokenTree> = Vec::new();
        let mut done = TokenStream::new();
        let mut is_condition = true;
        for token in arguments {
            let is_comma = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
            if is_comma {
                let part = rest.drain(..).collect();
                done.extend(if is_condition { part } else { self.attribute(part) });
                done.extend([token]);
                is_condition = false;
            } else {
                rest.push(token);
            }
        }
        let last = rest.into_iter().collect();
        done.extend(if is_condition { last } else { self.attribute(last) });
        done
    }

    /// A method's own arguments, and what it inherits.
    fn grown(&mut self, own: TokenStream) -> TokenStream {
        self.found = true;
        let inherited = &self.inherited;
        let mut tokens: Vec<TokenTree> = own.into_iter().collect();
        if tokens
            .last()
            .is_some_and(|last| !matches!(last, TokenTree::Punct(punct) if punct.as_char() == ','))
        {
            tokens.push(TokenTree::Punct(proc_macro2::Punct::new(',', proc_macro2::Spacing::Alone)));
        }
        tokens.into_iter().chain(inherited.clone()).collect()
    }
}

fn with(group: &Group, stream: TokenStream) -> TokenTree {
    let mut changed = Group::new(group.delimiter(), stream);
    changed.set_span(group.span());
    TokenTree::Group(changed)
}
