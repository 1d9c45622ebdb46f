//! The item and its parameters.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::Faults;
use crate::nearest;

impl Faults {
    pub(crate) fn no_function(&mut self, place: Span) {
        self.at(
            place,
            "`#[retry]` stands on a function or method, or on an `impl` block or trait with annotated methods; this is neither",
        );
    }

    pub(crate) fn defaults_for_nobody(&mut self, place: Span) {
        self.at(
            place,
            "no method in this block carries `#[retry]`, so these defaults would do nothing: put `#[retry]` on the methods to be retried",
        );
    }

    pub(crate) fn no_default(&mut self, key: &Ident) {
        self.at(
            key.span(),
            format_args!("`{key}` belongs to one function and cannot be a default: write it in the attribute of the method"),
        );
    }

    pub(crate) fn const_fn(&mut self, place: Span) {
        self.at(
            place,
            "a `const fn` cannot be retried: it can neither wait nor draw; remove `const` or the attribute",
        );
    }

    pub(crate) fn no_body(&mut self, place: Span) {
        self.at(
            place,
            "a method without a body cannot be retried: put the attribute on the default body or on the methods of each `impl`",
        );
    }

    pub(crate) fn attribute_twice(&mut self, place: &impl ToTokens) {
        self.on(place, "`#[retry]` stands twice on this function: the retries would multiply; keep one");
    }

    pub(crate) fn mut_without_word(&mut self, place: Span, name: &str) {
        let name = name.strip_prefix("__").filter(|name| *name == "self").unwrap_or(name);
        self.at(
            place,
            format_args!("`mut {name}` does not say whether a change reaches the next attempt: write `clone({name})` for a fresh copy each time, or `keep({name})` for one value that all attempts share"),
        );
    }

    /// Returns the name that may have been meant.
    pub(crate) fn clone_of_nothing<'a>(
        &mut self,
        name: &Ident,
        known: impl Iterator<Item = &'a Ident>,
    ) -> Option<Ident> {
        let near = nearest_name(name, known);
        let answer = near.as_ref().map_or_else(
            || "write the name of one".to_owned(),
            |near| format!("did you mean `clone({near})`?"),
        );
        self.at(
            name.span(),
            format_args!("`clone({name})` names neither a parameter nor a `once` binding: {answer}"),
        );
        near
    }

    /// The same.
    pub(crate) fn keep_of_nothing<'a>(
        &mut self,
        name: &Ident,
        known: impl Iterator<Item = &'a Ident>,
    ) -> Option<Ident> {
        let near = nearest_name(name, known);
        let answer = near.as_ref().map_or_else(
            || "write the name of one".to_owned(),
            |near| format!("did you mean `keep({near})`?"),
        );
        self.at(name.span(), format_args!("`keep({name})` names no `mut` parameter: {answer}"));
        near
    }

    pub(crate) fn keep_without_mut(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("`keep({name})` keeps what the attempts change, and `{name}` is not `mut`: write `mut {name}` in the signature, or leave out the `keep`"),
        );
    }

    pub(crate) fn keep_of_once(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("a `once` binding that is `mut` is kept without a word: write `once(mut {name} = …)` and leave out the `keep`"),
        );
    }

    pub(crate) fn clone_and_keep(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("`{name}` is named in `clone` and in `keep`: a value is either fresh for each attempt or shared; remove one"),
        );
    }

    pub(crate) fn named_twice(&mut self, name: &Ident, key: &Ident) {
        self.at(name.span(), format_args!("`{name}` is named twice in `{key}`: remove one"));
    }

    pub(crate) fn once_shadows(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("`once({name} = …)` has the name of a parameter: choose another name"),
        );
    }

    pub(crate) fn attempt_shadows(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!(
                "`attempt = {name}` has the name of a parameter or `once` binding: choose another name"
            ),
        );
    }

    pub(crate) fn no_timer(&mut self, place: Span) {
        self.at(
            place,
            "an annotated async function needs a timer: enable the feature `tokio` of `retry-runtime`, or write `sleep = a_function`",
        );
    }

    pub(crate) fn lazy_output(&mut self, place: &impl ToTokens, what: &str) {
        self.on(
            place,
            format_args!("an `impl {what}` does its work after the function has returned, where no retry can reach: annotate what opens it or reads it to the end"),
        );
    }
}

fn nearest_name<'a>(name: &Ident, known: impl Iterator<Item = &'a Ident>) -> Option<Ident> {
    let names: Vec<(String, &Ident)> = known.map(|known| (known.to_string(), known)).collect();
    let texts: Vec<&str> = names.iter().map(|(text, _)| text.as_str()).collect();
    let near = nearest::nearest(&name.to_string(), &texts)?;
    names.iter().find(|(text, _)| text == near).map(|(_, ident)| (*ident).clone())
}
