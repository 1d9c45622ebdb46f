//! `Faults`: everything wrong with one use of the attribute, and every sentence that says so.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use crate::nearest;

/// A heap of faults that only grows. Every stage adds to it; only the door looks whether it is empty.
#[derive(Default)]
pub(crate) struct Faults(Vec<syn::Error>);

impl Faults {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All the errors.
    pub(crate) fn errors(&self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }

    /// All the errors, and what must stay standing.
    pub(crate) fn beside(&self, item: &TokenStream) -> TokenStream {
        let mut tokens = self.errors();
        item.to_tokens(&mut tokens);
        tokens
    }

    fn at(&mut self, place: Span, message: impl core::fmt::Display) {
        self.0.push(syn::Error::new(place, message));
    }

    fn on(&mut self, place: &impl ToTokens, message: impl core::fmt::Display) {
        self.0.push(syn::Error::new_spanned(place, message));
    }
}

/// Syntax of the attribute.
impl Faults {
    pub(crate) fn no_key(&mut self, place: Span) {
        self.at(place, "expected the name of a setting, as in `max = 5`");
    }

    pub(crate) fn unknown_key(&mut self, key: &Ident, known: &[&str]) {
        let written = key.to_string();
        if let Some(answer) = nearest::foreign_key(&written) {
            self.at(key.span(), format_args!("there is no setting `{written}`: {answer}"));
        } else if let Some(near) = nearest::nearest(&written, known) {
            self.at(key.span(), format_args!("there is no setting `{written}`; did you mean `{near}`?"));
        } else {
            let known = known.join("`, `");
            self.at(key.span(), format_args!("there is no setting `{written}`; there are `{known}`"));
        }
    }

    pub(crate) fn key_twice(&mut self, key: &Ident, first: &Ident) {
        if key == first {
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

    pub(crate) fn no_comma(&mut self, place: Span) {
        self.at(place, "expected `,` between two settings");
    }
}

/// Values of a wrong kind.
impl Faults {
    pub(crate) fn wrong_kind(&mut self, value: &impl ToTokens, key: &Ident, shape: &str) {
        self.on(value, format_args!("wrong kind of value for `{key}`: write {shape}"));
    }

    pub(crate) fn method_as_path(&mut self, value: &impl ToTokens, key: &Ident, method: &str) {
        self.on(value, format_args!("`{method}` is no path: write a closure, `{key} = |e| {method}(e)`"));
    }

    pub(crate) fn called(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(
            value,
            format_args!("`{key}` takes the function itself, not the value of a call: leave out the parentheses, or write a closure, `{key} = |e| …`"),
        );
    }

    pub(crate) fn no_unit(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(
            value,
            format_args!("a number says no unit for `{key}`: milliseconds go under `{key}_ms = {}`, or write a text, `{key} = \"250ms\"`", value.to_token_stream()),
        );
    }

    pub(crate) fn text_for_ms(&mut self, value: &impl ToTokens, key: &Ident, bare: &str) {
        self.on(
            value,
            format_args!(
                "`{key}` takes a whole number of milliseconds: a text goes under `{bare} = {}`",
                value.to_token_stream()
            ),
        );
    }

    pub(crate) fn fraction_for_ms(&mut self, value: &impl ToTokens, key: &Ident, bare: &str) {
        self.on(
            value,
            format_args!("`{key}` takes a whole number of milliseconds: for a fraction write a text, `{bare} = \"{}ms\"`", value.to_token_stream()),
        );
    }

    pub(crate) fn no_duration(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(
            value,
            format_args!("{} is no duration for `{key}`: write a number and a unit, `\"250ms\"`, `\"1.5s\"` or `\"2m\"` (units: ns, us, ms, s, m, h)", value.to_token_stream()),
        );
    }

    pub(crate) fn out_of_range(&mut self, value: &impl ToTokens, key: &Ident, range: &str) {
        self.on(value, format_args!("`{key}` is out of range: it must be {range}"));
    }

    pub(crate) fn unknown_name(&mut self, value: &impl ToTokens, what: &str, written: &str, known: &[&str]) {
        let list = known.join("\"`, `\"");
        if let Some(answer) = nearest::foreign_name(written) {
            self.on(value, format_args!("there is no {what} `{written}`: {answer}"));
        } else if let Some(near) = nearest::nearest(written, known) {
            self.on(value, format_args!("there is no {what} `{written}`; did you mean `\"{near}\"`?"));
        } else {
            self.on(value, format_args!("there is no {what} `{written}`; there are `\"{list}\"`"));
        }
    }

    pub(crate) fn name_without_quotes(&mut self, value: &impl ToTokens, key: &Ident, name: &str) {
        self.on(value, format_args!("`{key}` takes this name as a text: write `{key} = \"{name}\"`"));
    }
}

/// The sentences about one value that can never be right. Constants are told the same while they are evaluated.
pub(crate) mod sentence {
    pub(crate) const BASE_ZERO: &str =
        "`base` must be above zero: every retry would follow at once; write `base_ms = 1` or more";
    pub(crate) const CAP_ZERO: &str =
        "`cap` must be above zero: no retry could ever wait; write `cap_ms = 1` or more";
    pub(crate) const BASE_ABOVE_CAP: &str =
        "`base` is above `cap`: the first window would already be cut; raise `cap` or lower `base`";
    pub(crate) const FACTOR: &str =
        "`factor` must be a finite number of at least 1: windows never shrink; 1 keeps them constant";
    pub(crate) const MAX_ZERO: &str = "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute";
    pub(crate) const DEADLINE_ZERO: &str =
        "`deadline` must be above zero: no retry could ever begin; leave it out for no deadline";
    pub(crate) const ATTEMPT_TIMEOUT_ZERO: &str =
        "`attempt_timeout` must be above zero: no attempt could ever end in time; leave it out for no limit";
    pub(crate) const RESET_AFTER_ZERO: &str = "`reset_after` must be above zero: every attempt would start the counting anew; leave it out for never";
}

/// Values that can never be right, and settings that cannot stand together.
impl Faults {
    pub(crate) fn never_right(&mut self, value: &impl ToTokens, sentence: &str) {
        self.on(value, sentence);
    }

    pub(crate) fn base_above_cap(&mut self, place: &impl ToTokens, base: &str, cap: &str) {
        self.on(
            place,
            format_args!("`base` is above `cap` ({base} against {cap}): the first window would already be cut; raise `cap` or lower `base`"),
        );
    }

    pub(crate) fn impossible_deadline(&mut self, place: &impl ToTokens, first: &str, deadline: &str) {
        self.on(
            place,
            format_args!("the first delay is at least {first}, the `deadline` {deadline}: no retry could ever happen; raise `deadline` or lower `base`"),
        );
    }

    pub(crate) fn unbounded(&mut self, place: &impl ToTokens) {
        self.on(
            place,
            "`max = unlimited` needs something else that ends the call: write a `deadline`, a `budget` or a `cancel` as well",
        );
    }

    pub(crate) fn timeout_without_deadline(&mut self, place: &impl ToTokens) {
        self.on(
            place,
            "`attempt_timeout = deadline` needs a `deadline`: write one, or the length of an attempt, `attempt_timeout = \"1s\"`",
        );
    }

    pub(crate) fn timeout_above_deadline(&mut self, place: &impl ToTokens, limit: &str, deadline: &str) {
        self.on(
            place,
            format_args!("`attempt_timeout` ({limit}) is not below `deadline` ({deadline}): no retry could follow a timeout; lower it, or write `attempt_timeout = deadline`"),
        );
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

/// The item and its parameters.
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

    pub(crate) fn clone_of_nothing(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!(
                "`clone({name})` names neither a parameter nor a `once` binding: write the name of one"
            ),
        );
    }

    pub(crate) fn keep_of_nothing(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("`keep({name})` names no `mut` parameter: write the name of one; others are not changed and need no `keep`"),
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
