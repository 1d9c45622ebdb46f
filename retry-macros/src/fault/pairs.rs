//! Values that can never be right, and settings that cannot stand together.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::{Faults, relation};

impl Faults {
    pub(crate) fn never_right(&mut self, value: &impl ToTokens, sentence: &str) {
        self.on(value, sentence);
    }

    pub(crate) fn base_above_cap(&mut self, place: &impl ToTokens, base: &str, cap: &str) {
        self.on(place, relation::filled(&relation::base_above_cap(), base, cap));
    }

    pub(crate) fn impossible_deadline(
        &mut self,
        place: &impl ToTokens,
        first: &str,
        deadline: &str,
        inherited: bool,
    ) {
        let answer =
            if inherited { "; or write `deadline = none` here to leave out the default" } else { "" };
        let sentence = relation::filled(relation::DEADLINE, first, deadline);
        self.on(place, format_args!("{sentence}{answer}"));
    }

    pub(crate) fn unbounded(&mut self, place: Span, inherited: bool) {
        let answer = if inherited { "; or write a `max` here in place of the default" } else { "" };
        self.at(
            place,
            format_args!("`max = unlimited` needs something else that ends the call: write a `deadline`, a `budget` or a `cancel` as well{answer}"),
        );
    }

    pub(crate) fn timeout_without_deadline(&mut self, place: Span, inherited: bool) {
        let answer =
            if inherited { "; or write `attempt_timeout = none` here to leave out the default" } else { "" };
        self.at(
            place,
            format_args!("`attempt_timeout = deadline` needs a `deadline`: write one, or the length of an attempt, `attempt_timeout = \"1s\"`{answer}"),
        );
    }

    pub(crate) fn timeout_above_deadline(&mut self, place: &impl ToTokens, limit: &str, deadline: &str) {
        self.on(place, relation::filled(relation::TIMEOUT, limit, deadline));
    }

    pub(crate) fn timed_out_of_nothing(&mut self, key: &Ident) {
        self.at(
            key.span(),
            "`timed_out` has nothing to act on: write an `attempt_timeout` as well, or remove it",
        );
    }

    pub(crate) fn timeout_of_blocking(&mut self, place: Span, inherited: bool) {
        let answer =
            if inherited { "; write `attempt_timeout = none` here to leave out the default" } else { "" };
        self.at(
            place,
            format_args!("`attempt_timeout` works on `async` functions alone: nothing can interrupt blocking code; limit the I/O inside it instead{answer}"),
        );
    }

    pub(crate) fn dropped_while_blocking(&mut self, place: Span, inherited: bool) {
        let answer = if inherited { ", or `cancel = none` here to leave out the default" } else { "" };
        self.at(
            place,
            format_args!("`cancel = dropped` works on `async` functions alone: a blocking call has no future to drop; write a token, `cancel = self.token`{answer}"),
        );
    }

    pub(crate) fn on_with_when(&mut self, when: &Ident) {
        self.at(
            when.span(),
            "`on` and `when` ask the same question, of the error and of the whole value: remove one of them",
        );
    }

    pub(crate) fn hint_setting_without_hint(&mut self, key: &Ident) {
        self.at(
            key.span(),
            format_args!("`{key}` has nothing to act on beside `retry_after = none`: remove one of them"),
        );
    }
}
