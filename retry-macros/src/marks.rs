//! `#[retryable]`, `#[permanent]` and `#[transparent]`: what the marks of one variant or struct say.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Field, Fields, Member, Meta, Token, Type};

use crate::fault::Faults;
use crate::hygiene::Runtime;

/// The names of the marks.
pub(crate) const MARKS: &[&str] = &["retryable", "permanent", "transparent"];

/// What stands in the parentheses of `#[retryable(…)]`.
const WORDS: &[&str] = &["after", "unprocessed", "crate"];

/// What may be marked, and what is marked.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// An enum as a whole: its variants are marked, not it.
    Enum,
    /// A variant or a struct.
    Case {
        /// Its name, for messages.
        said: &'a str,
        at: Span,
        fields: &'a Fields,
    },
}

/// What a variant is.
pub(crate) enum Mark {
    Retryable { after: Option<(Member, Type)>, unprocessed: bool },
    Permanent,
    Transparent { member: Member, field: Type },
}

/// All that the marks at one place say.
#[derive(Default)]
pub(crate) struct Words {
    /// Missing also after a fault.
    pub(crate) mark: Option<Mark>,
    /// Where the runtime lives.
    pub(crate) runtime: Option<Runtime>,
    after: Option<Member>,
    unprocessed: bool,
}

impl Words {
    pub(crate) fn read(attributes: &[Attribute], place: Place<'_>, faults: &mut Faults) -> Self {
        let mut words = Self::default();
        let mut marked: Option<&Ident> = None;
        for attribute in attributes {
            let Some(name) = mark_of(attribute) else { continue };
            let says_only_crate = words.inside(attribute, name, faults);
            match place {
                _ if says_only_crate => {}
                Place::Enum => faults.mark_on_enum(name),
                Place::Case { said, .. } => match marked {
                    Some(first) => faults.marked_twice(name, first, said),
                    None => marked = Some(name),
                },
            }
        }
        if let Place::Case { said, at, fields } = place {
            fields.iter().flat_map(|field| &field.attrs).filter_map(mark_of).for_each(|name| {
                faults.mark_on_field(name, said);
            });
            match marked {
                Some(name) => words.decide(name, said, fields, faults),
                None => faults.unmarked(at, said, fields.len() == 1),
            }
        }
        words
    }

    /// What a mark's parentheses say; whether that is nothing but where the runtime lives.
    fn inside(&mut self, attribute: &Attribute, name: &Ident, faults: &mut Faults) -> bool {
        match &attribute.meta {
            Meta::Path(_) => false,
            Meta::List(list) if name == "retryable" => {
                let (mut others, mut crates) = (list.tokens.is_empty(), false);
                let read = |input: ParseStream<'_>| {
                    while !input.is_empty() {
                        let is_crate = self.word(input, faults);
                        others |= !is_crate;
                        crates |= is_crate;
                    }
                    Ok(())
                };
                // Reading never fails: what cannot be read is a fault.
                let _: syn::Result<()> = read.parse2(list.tokens.clone());
                crates && !others
            }
            meta => {
                faults.mark_takes_nothing(meta, name);
                false
            }
        }
    }

    /// One word and the comma behind it; whether it is `crate`.
    fn word(&mut self, input: ParseStream<'_>, faults: &mut Faults) -> bool {
        let read = self.known_word(input, faults);
        if read.is_none() {
            skip(input);
        } else if !input.is_empty() && !input.peek(Token![,]) {
            faults.no_comma_in_mark(input.span());
            let _: syn::Result<TokenStream> = input.parse();
        }
        let _: syn::Result<Token![,]> = input.parse();
        read.unwrap_or(false)
    }

    fn known_word(&mut self, input: ParseStream<'_>, faults: &mut Faults) -> Option<bool> {
        let Ok(word) = input.call(Ident::parse_any) else {
            faults.no_word(input.span());
            return None;
        };
        if word == "unprocessed" {
            if self.unprocessed {
                faults.word_twice(&word);
            }
            self.unprocessed = true;
            return Some(false);
        }
        if word != "after" && word != "crate" {
            faults.unknown_word(&word, WORDS);
            return None;
        }
        if input.parse::<Token![=]>().is_err() {
            faults.word_without_value(&word);
            return None;
        }
        if word == "crate" {
            if let Ok(path) = input.call(syn::Path::parse_mod_style) {
                self.runtime = Some(Runtime::at(path));
            } else {
                faults.word_without_value(&word);
                skip(input);
            }
            return Some(true);
        }
        let place = input.span();
        let Ok(member) = input.parse::<Member>() else {
            faults.after_no_field(place);
            return None;
        };
        if self.after.is_some() {
            faults.word_twice(&word);
        }
        self.after = Some(member);
        Some(false)
    }

    /// The mark, held against the fields.
    fn decide(&mut self, name: &Ident, said: &str, fields: &Fields, faults: &mut Faults) {
        let mark = if name == "retryable" {
            let after = self.after.take().and_then(|member| {
                let found = members(fields).find(|(known, _)| *known == member);
                if found.is_none() {
                    let known: Vec<String> = members(fields).map(|(known, _)| said_of(&known)).collect();
                    faults.after_unknown(&member, &said_of(&member), said, &known);
                }
                found.map(|(_, field)| (member, field.ty.clone()))
            });
            Mark::Retryable { after, unprocessed: self.unprocessed }
        } else if name == "permanent" {
            Mark::Permanent
        } else {
            let mut all = members(fields);
            let (Some((member, field)), None) = (all.next(), all.next()) else {
                faults.transparent_fields(name, said, fields.len());
                return;
            };
            Mark::Transparent { member, field: field.ty.clone() }
        };
        self.mark = Some(mark);
    }
}

/// Goes on to the next comma, or to the end.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _: syn::Result<proc_macro2::TokenTree> = input.parse();
    }
}

/// The name of a mark of ours.
fn mark_of(attribute: &Attribute) -> Option<&Ident> {
    attribute.path().get_ident().filter(|name| MARKS.iter().any(|mark| name == mark))
}

fn members(fields: &Fields) -> impl Iterator<Item = (Member, &Field)> {
    fields.members().zip(fields)
}

fn said_of(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
