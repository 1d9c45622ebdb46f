//! Values of a wrong kind.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::Faults;
use crate::nearest;

impl Faults {
    pub(crate) fn wrong_kind(&mut self, value: &impl ToTokens, key: &Ident, shape: &str) {
        self.on(value, format_args!("wrong kind of value for `{key}`: write {shape}"));
    }

    pub(crate) fn negative(&mut self, value: &impl ToTokens, key: &Ident, shape: &str) {
        self.on(value, format_args!("`{key}` cannot be negative: write {shape}"));
    }

    pub(crate) fn typed_number(&mut self, value: &impl ToTokens, key: &Ident, number: &str) {
        self.on(value, format_args!("`{key}` takes a number without a suffix: write `{key} = {number}`"));
    }

    pub(crate) fn number_with_unit(&mut self, value: &impl ToTokens, bare: &str, text: &str) {
        self.on(value, format_args!("a number with a unit is written as a text: `{bare} = \"{text}\"`"));
    }

    pub(crate) fn count_for_binding(&mut self, value: &impl ToTokens, retries: Option<u64>) {
        let retries = retries.map_or_else(|| "5".to_owned(), |retries| retries.to_string());
        self.on(
            value,
            format_args!("`attempt` takes a name for the body to use, `attempt = attempt`; the number of retries after the first attempt is `max = {retries}`"),
        );
    }

    pub(crate) fn keyword_for_binding(&mut self, name: &Ident) {
        self.at(
            name.span(),
            format_args!("`{name}` cannot be the name of a binding: write `attempt = attempt`"),
        );
    }

    pub(crate) fn endless(&mut self, value: &impl ToTokens) {
        self.on(value, "retries without end are `max = unlimited`, with a `deadline`, a `budget` or a `cancel` beside it");
    }

    pub(crate) fn cannot_be_off(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(value, format_args!("`{key}` cannot be switched off: leave it out"));
    }

    pub(crate) fn no_retries(&mut self, value: &impl ToTokens) {
        self.on(value, "`max = none` would mean no retry at all: a function without retries needs no attribute; without a limit it is `max = unlimited`");
    }

    pub(crate) fn empty_list(&mut self, place: Span, key: &Ident, shape: &str) {
        self.at(place, format_args!("`{key}()` names nothing: write {shape}, or leave it out"));
    }

    pub(crate) fn known_at_run_time(&mut self, value: &impl ToTokens, key: &Ident, name: &str) {
        self.on(
            value,
            format_args!("`{key}` must be a constant, and `{name}` is only known when the function is called: what comes at run time goes through `policy`, as in `policy = self.policy`"),
        );
    }

    pub(crate) fn method_as_path(&mut self, value: &impl ToTokens, key: &Ident, method: &str) {
        let parameter = parameter(key);
        self.on(
            value,
            format_args!(
                "`{method}` is no path: write a closure, `{key} = |{parameter}| {method}({parameter})`"
            ),
        );
    }

    pub(crate) fn method_called(&mut self, value: &impl ToTokens, key: &Ident, method: &str) {
        let parameter = parameter(key);
        self.on(
            value,
            format_args!("`{key}` takes a function, not the value of a call: write a closure, `{key} = |{parameter}| {method}({parameter})`"),
        );
    }

    pub(crate) fn function_as_text(&mut self, value: &impl ToTokens, key: &Ident, path: &impl ToTokens) {
        let path = path.to_token_stream().to_string().replace(' ', "");
        self.on(
            value,
            format_args!("`{key}` takes the function itself: write `{key} = {path}`, without quotes"),
        );
    }

    pub(crate) fn async_closure(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(
            value,
            format_args!(
                "`{key}` is called between two attempts and awaits nothing: write a closure without `async`"
            ),
        );
    }

    pub(crate) fn called(&mut self, value: &impl ToTokens, key: &Ident) {
        let parameter = parameter(key);
        self.on(
            value,
            format_args!("`{key}` takes the function itself, not the value of a call: leave out the parentheses, or write a closure, `{key} = |{parameter}| …`"),
        );
    }

    pub(crate) fn word_as_text(&mut self, value: &impl ToTokens, key: &Ident, word: &str) {
        self.on(
            value,
            format_args!(
                "this is a word of the attribute, and no text: write `{key} = {word}`, without quotes"
            ),
        );
    }

    pub(crate) fn too_long(&mut self, value: &impl ToTokens, key: &Ident) {
        self.on(
            value,
            format_args!(
                "`{key}` is out of range: it must be a `Duration`, at most 18_446_744_073_709_551_615 seconds"
            ),
        );
    }

    pub(crate) fn no_unit(&mut self, value: &impl ToTokens, key: &Ident, is_whole: bool) {
        let number = value.to_token_stream();
        let milliseconds =
            if is_whole { format!("`{key}_ms = {number}`") } else { format!("`{key} = \"{number}ms\"`") };
        self.on(
            value,
            format_args!("a number alone says no unit: milliseconds are {milliseconds}, seconds `{key} = \"{number}s\"`"),
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
        if written.is_empty() {
            self.on(value, format_args!("there is no {what} without a name; there are `\"{list}\"`"));
            return;
        }
        let foreign =
            if what == "mode" { nearest::foreign_mode(written) } else { nearest::foreign_name(written) };
        if let Some(answer) = foreign {
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

/// What a closure under this key is given.
fn parameter(key: &Ident) -> &'static str {
    match key.to_string().as_str() {
        "when" => "output",
        "timed_out" => "elapsed",
        "on_retry" | "on_give_up" => "event",
        "sleep" => "wait",
        _ => "e",
    }
}
