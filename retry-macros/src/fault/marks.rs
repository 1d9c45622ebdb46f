//! The marks that `#[derive(Retryable)]` reads.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::Faults;
use crate::nearest;

impl Faults {
    pub(crate) fn unreadable(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    pub(crate) fn derive_of_union(&mut self, place: Span) {
        self.at(place, "a `union` does not know which of its fields holds: write `impl Retryable` by hand");
    }

    pub(crate) fn unmarked(&mut self, place: Span, said: &str, one_field: bool) {
        let ask = if one_field { ", or `#[transparent]` to ask its field" } else { "" };
        self.at(
            place,
            format_args!("nothing says whether `{said}` deserves a retry: write `#[retryable]` or `#[permanent]` above it{ask}"),
        );
    }

    pub(crate) fn marked_twice(&mut self, mark: &Ident, first: &Ident, said: &str) {
        self.at(
            mark.span(),
            format_args!("`{said}` carries `#[{first}]` already: one mark answers the question; remove one, and write all words into one, `#[retryable(unprocessed, after = wait)]`"),
        );
    }

    pub(crate) fn mark_on_enum(&mut self, mark: &Ident) {
        self.at(
            mark.span(),
            format_args!("`#[{mark}]` marks one variant of an enum, not all at once: write it above each variant that it is true for"),
        );
    }

    pub(crate) fn mark_on_field(&mut self, mark: &Ident, said: &str) {
        let answer = match mark.to_string().as_str() {
            "transparent" => "; there it asks the only field",
            "retryable" => "; a field with the server's hint is named there, `#[retryable(after = wait)]`",
            _ => "",
        };
        self.at(mark.span(), format_args!("`#[{mark}]` stands above `{said}`, not on a field{answer}"));
    }

    pub(crate) fn mark_takes_nothing(&mut self, meta: &impl ToTokens, mark: &Ident) {
        let answer = if mark == "retryable" {
            "`#[retryable]` has no value: write it alone, or with words in parentheses, `#[retryable(after = wait)]`".to_owned()
        } else {
            format!("`#[{mark}]` takes no words: write it alone")
        };
        self.on(meta, answer);
    }

    pub(crate) fn no_word(&mut self, place: Span) {
        self.at(place, "expected `after = field` or `unprocessed`");
    }

    pub(crate) fn no_comma_in_mark(&mut self, place: Span) {
        self.at(place, "expected `,` between two words");
    }

    pub(crate) fn unknown_word(&mut self, word: &Ident, known: &[&str]) {
        let written = word.to_string();
        if let Some(near) = nearest::nearest(&written, known) {
            self.at(
                word.span(),
                format_args!("`#[retryable]` has no word `{written}`; did you mean `{near}`?"),
            );
        } else {
            self.at(
                word.span(),
                format_args!("`#[retryable]` has no word `{written}`: there are `after = field` (the server's hint) and `unprocessed` (the other side certainly did nothing)"),
            );
        }
    }

    pub(crate) fn word_twice(&mut self, word: &Ident) {
        self.at(word.span(), format_args!("`{word}` is written twice: remove one"));
    }

    pub(crate) fn word_without_value(&mut self, word: &Ident) {
        let shape = if word == "crate" {
            "the path of the runtime, `crate = ::my_facade::retry_runtime`"
        } else {
            "the name or index of the field that holds the hint, `after = wait` or `after = 0`"
        };
        self.at(word.span(), format_args!("`{word}` has no value: write {shape}"));
    }

    pub(crate) fn after_no_field(&mut self, place: Span) {
        self.at(
            place,
            "`after` takes a field by name or index, without quotes: `after = wait` or `after = 0`",
        );
    }

    pub(crate) fn after_unknown(
        &mut self,
        member: &impl ToTokens,
        written: &str,
        said: &str,
        known: &[String],
    ) {
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        let numbers =
            names.first().is_some_and(|name| name.starts_with(|first: char| first.is_ascii_digit()));
        if names.is_empty() {
            self.on(member, format_args!("`{said}` has no fields: the hint of `after` must be kept in one, as a `Duration` or an `Option<Duration>`"));
        } else if let Some(near) = nearest::nearest(written, &names).filter(|_| !numbers) {
            self.on(member, format_args!("`{said}` has no field `{written}`; did you mean `{near}`?"));
        } else {
            let are = if names.len() == 1 { "is" } else { "are" };
            let list = names.join("`, `");
            self.on(member, format_args!("`{said}` has no field `{written}`; there {are} `{list}`"));
        }
    }

    pub(crate) fn transparent_fields(&mut self, mark: &Ident, said: &str, fields: usize) {
        let (has, answer) = match fields {
            0 => ("no field".to_owned(), "write `#[retryable]` or `#[permanent]`"),
            _ => (
                format!("{fields} fields"),
                "write `#[retryable]` or `#[permanent]`, or `impl Retryable` by hand",
            ),
        };
        self.at(
            mark.span(),
            format_args!("`#[transparent]` asks the only field, and `{said}` has {has}: {answer}"),
        );
    }
}
