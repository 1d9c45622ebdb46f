//! `Faults`: everything wrong with one use of the attribute, and every sentence that says so.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::Expr;

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

fn nearest_name<'a>(name: &Ident, known: impl Iterator<Item = &'a Ident>) -> Option<Ident> {
    let names: Vec<(String, &Ident)> = known.map(|known| (known.to_string(), known)).collect();
    let texts: Vec<&str> = names.iter().map(|(text, _)| text.as_str()).collect();
    let near = nearest::nearest(&name.to_string(), &texts)?;
    names.iter().find(|(text, _)| text == near).map(|(_, ident)| (*ident).clone())
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

/// Syntax of the attribute.
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

/// Values of a wrong kind.
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

/// The sentences about two values, with `{}` for each: of literals they are filled here, of constants by the compiler.
pub(crate) mod relation {
    use super::sentence;

    /// As the runtime says it, and with the numbers.
    pub(crate) fn base_above_cap() -> String {
        sentence::BASE_ABOVE_CAP.replacen(':', " ({} against {}):", 1)
    }

    pub(crate) const DEADLINE: &str = "the first delay is at least {}, the `deadline` {}: no retry could ever happen; raise `deadline` or lower `base`";
    pub(crate) const TIMEOUT: &str = "`attempt_timeout` ({}) is not below `deadline` ({}): no retry could follow a timeout; lower it, or write `attempt_timeout = deadline`";

    pub(crate) fn filled(sentence: &str, first: &str, second: &str) -> String {
        sentence.replacen("{}", first, 1).replacen("{}", second, 1)
    }
}

/// Values that can never be right, and settings that cannot stand together.
impl Faults {
    pub(crate) fn never_right(&mut self, value: &impl ToTokens, sentence: &str) {
        self.on(value, sentence);
    }

    pub(crate) fn base_above_cap(&mut self, place: &impl ToTokens, base: &str, cap: &str) {
        self.on(place, relation::filled(&relation::base_above_cap(), base, cap));
    }

    pub(crate) fn impossible_deadline(&mut self, place: &impl ToTokens, first: &str, deadline: &str) {
        self.on(place, relation::filled(relation::DEADLINE, first, deadline));
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

/// The marks that `#[derive(Retryable)]` reads.
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
