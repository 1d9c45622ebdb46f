//! Syntax of the attribute.

use proc_macro2::{Ident, Span, TokenStream};
use syn::Expr;

use super::Faults;
use crate::nearest;

impl Faults {
    pub(crate) fn no_key(&mut self, place: Span) {
        self.at(place, "expected the name of a setting, as in `max = 5`");
    }

    pub(crate) fn no_key_before(&mut self, value: Span) {
        self.at(value, "expected the name of a setting before this value, as in `max = 5`");
    }

    pub(crate) fn unknown_key(&mut self, key: &Ident, value: Option<&Expr>, known: &[&str]) {
        let written = key.to_string();
        if let Some(answer) = nearest::foreign_key(&written, value) {
            self.at(key.span(), format_args!("there is no setting `{written}`: {answer}"));
        } else if let Some(near) = nearest::nearest(&written, known) {
            self.at(key.span(), format_args!("there is no setting `{written}`; did you mean `{near}`?"));
        } else {
            let known: Vec<&str> = known.iter().filter(|name| !name.ends_with("_ms")).copied().collect();
            let known = known.join("`, `");
            self.at(key.span(), format_args!("there is no setting `{written}`; there are `{known}`"));
        }
    }

    pub(crate) fn key_twice(&mut self, key: &Ident, first: &Ident) {
        if matches!(key.to_string().as_str(), "clone" | "keep" | "once") {
            self.at(key.span(), format_args!("`{key}` is written twice: put all of it into one list"));
        } else if key == first {
            self.at(
                key.span(),
                format_args!("`{key}` is written twice: only one value can hold, remove one"),
            );
        } else {
            self.at(
                key.span(),
                format_args!("`{first}` and `{key}` are two spellings of one setting: remove one of them"),
            );
        }
    }

    pub(crate) fn no_value(&mut self, key: &Ident, shape: &str) {
        self.at(key.span(), format_args!("`{key}` has no value: write {shape}"));
    }

    pub(crate) fn no_equals(&mut self, place: Span, key: &Ident, shape: &str) {
        self.at(place, format_args!("expected `=` after `{key}`: write {shape}"));
    }

    pub(crate) fn no_list(&mut self, key: &Ident, shape: &str) {
        self.at(key.span(), format_args!("`{key}` takes a list in parentheses: write {shape}"));
    }

    pub(crate) fn no_expression(&mut self, place: Span, key: &Ident, shape: &str) {
        self.at(place, format_args!("this is no value for `{key}`: write {shape}"));
    }

    pub(crate) fn no_name(&mut self, place: Span, key: &Ident, shape: &str) {
        self.at(place, format_args!("`{key}` takes bare names: write {shape}"));
    }

    /// Returns the error as an expression.
    pub(crate) fn no_binding(&mut self, place: Span) -> TokenStream {
        self.at(
            place,
            "`once` takes bindings of a name, `=` and a value, without a pattern or a type: write `once(key = new_key())`",
        );
        self.0.last().map(syn::Error::to_compile_error).unwrap_or_default()
    }

    pub(crate) fn no_comma_in_list(&mut self, place: Span, what: &str) {
        self.at(place, format_args!("expected `,` between two {what}"));
    }

    pub(crate) fn no_comma(&mut self, place: Span) {
        self.at(place, "expected `,` between two settings");
    }
}
