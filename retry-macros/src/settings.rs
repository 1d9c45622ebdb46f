//! Attribute arguments -> `Settings`: what the user wishes, with nothing decided. One row per key.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Lit, Token, token};

use crate::fault::Faults;
use crate::standing::{Mention, Written};
use crate::value::{self, Asked, Cancel, Function, Length, Max, Once, OrNone, Strategy, Timeout, Value};

/// A value as written, with the key that stands before it.
#[derive(Clone)]
pub(crate) struct Setting<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
    inherited: bool,
}

impl<T> Setting<T> {
    /// Whether it was handed down by a block.
    pub(crate) fn inherited(&self) -> bool {
        self.inherited
    }
}

/// How the value of a key is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `key = value`
    Equals,
    /// `key(value, …)`
    List,
}

// The rows: a field, its type, the spellings of its key, how its value is written, what reads it, and what a fault
// tells to write. The fields of `Settings`, the known keys and the check for duplicates all follow from them.
macro_rules! rows {
    ($($field:ident: $kind:ty, [$($spelling:literal),+], $form:ident, $reader:expr, $shape:literal;)*) => {
        #[derive(Clone, Default)]
        pub(crate) struct Settings {
            $(pub(crate) $field: Option<Setting<$kind>>,)*
            /// The fields that were written, whatever their values, and their first keys.
            seen: Vec<(&'static str, Ident)>,
            /// What an `impl` block or trait hands down.
            defaults: Option<Box<Settings>>,
            /// A default is wrong, which the block tells: the function only has to stand.
            pub(crate) standing: bool,
        }

        const KEYS: &[&str] = &[$($($spelling,)+)*];

        impl Settings {
            /// These settings, and those of the defaults that nothing replaces.
            fn over(mut self, defaults: Self) -> Self {
                $(self.$field = self.$field.or(defaults.$field.map(|setting| Setting { inherited: true, ..setting }));)*
                self
            }

            /// Whether the setting was written, but could not be read: what it would have meant is not known.
            pub(crate) fn is_unread(&self, field: &str) -> bool {
                let is_missing = match field {
                    $(stringify!($field) => self.$field.is_none(),)*
                    _ => false,
                };
                is_missing && self.seen.iter().any(|(seen, _)| *seen == field)
            }

            /// What the user wrote as values.
            pub(crate) fn mentions(&self) -> Vec<Written> {
                let values = [$(self.$field.as_ref().and_then(|setting| setting.value.mention()),)*];
                values.into_iter().flatten().collect()
            }

            /// Reads what follows a known key. `None` where the key is not known.
            fn setting(&mut self, key: &Ident, input: ParseStream<'_>, faults: &mut Faults) -> Option<()> {
                let written = key.to_string();
                $(if [$($spelling),+].contains(&written.as_str()) {
                    let asked = Asked { key, shape: $shape };
                    // A key counts as written before its value is judged.
                    match self.seen.iter().find(|(field, _)| *field == stringify!($field)) {
                        Some((_, first)) => faults.key_twice(key, first),
                        None => self.seen.push((stringify!($field), key.clone())),
                    }
                    let value = assigned(&asked, Form::$form, input, faults, $reader);
                    if self.$field.is_none() {
                        self.$field = value.map(|value| Setting { key: key.clone(), value, inherited: false });
                    }
                    return Some(());
                })*
                None
            }
        }
    };
}

rows! {
    on: Function, ["on"], Equals, value::function, "the path of a function, `on = is_retryable`, or a closure, `on = |e| …`";
    when: Function, ["when"], Equals, value::function, "the path of a function, `when = Option::is_none`, or a closure, `when = |output| …`";
    strategy: Strategy, ["strategy"], Equals, value::strategy, "`strategy = \"full\"` or the path of a function";
    base: Length, ["base", "base_ms"], Equals, value::length, "`base_ms = 200` or `base = \"200ms\"`";
    cap: Length, ["cap", "cap_ms"], Equals, value::length, "`cap_ms = 10_000` or `cap = \"10s\"`";
    factor: Value<f64>, ["factor"], Equals, value::factor, "a number, `factor = 2`";
    max: Max, ["max"], Equals, value::max, "a number, `max = 5`, or `max = unlimited`";
    deadline: OrNone<Length>, ["deadline", "deadline_ms"], Equals, value::or_none(value::length),
        "`deadline_ms = 5_000` or `deadline = \"5s\"`";
    attempt_timeout: OrNone<Timeout>, ["attempt_timeout", "attempt_timeout_ms"], Equals, value::or_none(value::timeout),
        "`attempt_timeout_ms = 1_000`, `attempt_timeout = \"1s\"` or `attempt_timeout = deadline`";
    timed_out: Function, ["timed_out"], Equals, value::function, "the path of a function or a closure, `timed_out = |elapsed| …`";
    retry_after: OrNone<Function>, ["retry_after"], Equals, value::or_none(value::function),
        "the path of a function or a closure, `retry_after = |e| …`, or `retry_after = none`";
    retry_after_mode: &'static str, ["retry_after_mode"], Equals, value::mode,
        "`retry_after_mode = \"floor\"`, `\"replace\"` or `\"ceiling\"`";
    retry_after_max: Length, ["retry_after_max", "retry_after_max_ms"], Equals, value::length,
        "`retry_after_max_ms = 60_000` or `retry_after_max = \"60s\"`";
    policy: Expr, ["policy"], Equals, value::any, "a `Policy` or a `&Policy`, `policy = self.policy`";
    budget: OrNone<Expr>, ["budget"], Equals, value::or_none(value::any), "a `Budget`, `budget = BUDGET`";
    cancel: OrNone<Cancel>, ["cancel"], Equals, value::or_none(value::cancel),
        "a token, `cancel = self.token`, or `cancel = dropped`";
    reset_after: OrNone<Length>, ["reset_after", "reset_after_ms"], Equals, value::or_none(value::length),
        "`reset_after_ms = 60_000` or `reset_after = \"1m\"`";
    clone: Vec<Ident>, ["clone"], List, value::names, "the names of parameters, `clone(order)`";
    keep: Vec<Ident>, ["keep"], List, value::names, "the names of `mut` parameters, `keep(count)`";
    once: Vec<Once>, ["once"], List, value::once, "bindings, `once(key = new_key())`";
    attempt: Ident, ["attempt"], Equals, value::binding, "a name for the body to use, `attempt = attempt`";
    on_retry: OrNone<Function>, ["on_retry"], Equals, value::or_none(value::function),
        "the path of a function or a closure, `on_retry = |event| …`";
    on_give_up: OrNone<Function>, ["on_give_up"], Equals, value::or_none(value::function),
        "the path of a function or a closure, `on_give_up = |event| …`";
    sleep: Function, ["sleep"], Equals, value::function, "the path of a function or a closure, `sleep = |wait| …`";
    docs: bool, ["docs"], Equals, value::flag, "`docs = false`";
    runtime: syn::Path, ["crate"], Equals, value::path, "the path of the runtime, `crate = ::my_facade::retry_runtime`";
}

/// The words by which a block hands its settings down to its methods.
pub(crate) const DEFAULTS: &str = "__defaults";
pub(crate) const STANDING: &str = "__standing";

impl Settings {
    /// Joins the method's own settings with what its block hands down.
    pub(crate) fn inherit(mut self) -> Self {
        let Some(defaults) = self.defaults.take() else { return self };
        let mut defaults = *defaults;
        // What judges, and what it judges, go together.
        let other_question = self.when.is_some() || (self.on.is_some() && defaults.when.is_some());
        if other_question {
            defaults.on = None;
            defaults.when = None;
            defaults.retry_after = None;
        }
        if self.on.is_some() {
            defaults.on = None;
        }
        if matches!(&self.retry_after, Some(Setting { value: OrNone::None, .. })) {
            defaults.retry_after_mode = None;
            defaults.retry_after_max = None;
        }
        if matches!(&self.attempt_timeout, Some(Setting { value: OrNone::None, .. })) {
            defaults.timed_out = None;
        }
        self.over(defaults)
    }

    /// The values that the compiler has to evaluate, with their keys.
    pub(crate) fn constants(&self) -> Vec<(&Ident, &Expr)> {
        fn length(setting: Option<&Setting<Length>>) -> Option<(&Ident, &Expr)> {
            setting.and_then(|setting| Some((&setting.key, setting.value.value.constant()?)))
        }
        fn optional(setting: Option<&Setting<OrNone<Length>>>) -> Option<(&Ident, &Expr)> {
            setting.and_then(|setting| Some((&setting.key, setting.value.some()?.value.constant()?)))
        }
        let max = self.max.as_ref().and_then(|max| match &max.value {
            Max::Retries(retries) => Some((&max.key, retries.constant()?)),
            Max::Unlimited(_) => None,
        });
        let timeout = self.attempt_timeout.as_ref().and_then(|timeout| match timeout.value.some()? {
            Timeout::Length(length) => Some((&timeout.key, length.value.constant()?)),
            Timeout::Deadline(_) => None,
        });
        let lengths = [&self.base, &self.cap, &self.retry_after_max].map(|setting| length(setting.as_ref()));
        let limits = [&self.deadline, &self.reset_after].map(|setting| optional(setting.as_ref()));
        let factor = self.factor.as_ref().and_then(|factor| Some((&factor.key, factor.value.constant()?)));
        lengths.into_iter().chain(limits).chain([max, timeout, factor]).flatten().collect()
    }

    /// What belongs to one function cannot be a default.
    pub(crate) fn refuse_as_defaults(&self, faults: &mut Faults) {
        let lists = [&self.clone, &self.keep].map(|setting| setting.as_ref().map(|setting| &setting.key));
        let once = self.once.as_ref().map(|setting| &setting.key);
        let attempt = self.attempt.as_ref().map(|setting| &setting.key);
        for key in lists.into_iter().flatten().chain(once).chain(attempt) {
            faults.no_default(key);
        }
    }

    pub(crate) fn read(attribute: TokenStream, faults: &mut Faults) -> Self {
        let mut settings = Self::default();
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                settings.next(input, faults);
            }
            Ok(())
        };
        // Reading never fails: what cannot be read is a fault, and the next setting follows.
        let _: syn::Result<()> = read.parse2(attribute);
        settings
    }

    /// One setting and the comma behind it.
    fn next(&mut self, input: ParseStream<'_>, faults: &mut Faults) {
        match input.call(Ident::parse_any) {
            Err(_) => {
                if input.peek(Lit) {
                    faults.no_key_before(input.span());
                } else {
                    faults.no_key(input.span());
                }
                skip(input);
            }
            Ok(key) if key == DEFAULTS || key == STANDING => {
                self.standing = key == STANDING;
                // Their faults are told where they were written.
                self.defaults =
                    list(input).ok().map(|handed| Box::new(Self::read(handed, &mut Faults::default())));
            }
            Ok(key) => {
                if self.setting(&key, input, faults).is_none() {
                    let value = stray(input);
                    faults.unknown_key(&key, value.as_ref(), KEYS);
                    if value.is_none() {
                        skip(input);
                    }
                }
            }
        }
        if input.is_empty() {
            return;
        }
        if input.parse::<Token![,]>().is_err() {
            faults.no_comma(input.span());
            let another = |input: ParseStream<'_>| {
                input.peek(Ident::peek_any) && (input.peek2(Token![=]) || input.peek2(token::Paren))
            };
            // A setting follows at once, or behind another separator.
            let behind = input.fork();
            let _: syn::Result<TokenTree> = behind.parse();
            if !another(input) && another(&behind) {
                input.advance_to(&behind);
            } else if !another(input) {
                skip(input);
                let _: syn::Result<Token![,]> = input.parse();
            }
        }
    }
}

/// The value behind a key, after `=` or in parentheses. After a fault the input stands at the next comma.
fn assigned<T>(
    asked: &Asked<'_>,
    form: Form,
    input: ParseStream<'_>,
    faults: &mut Faults,
    read: impl Fn(&Asked<'_>, ParseStream<'_>, &mut Faults) -> Option<T>,
) -> Option<T> {
    let key = asked.key;
    if form == Form::List {
        if !input.peek(token::Paren) {
            faults.no_list(key, asked.shape);
            skip(input);
            return None;
        }
        let place = input.span();
        return list(input).ok().and_then(|content| {
            if content.is_empty() {
                faults.empty_list(place, key, asked.shape);
            }
            let read = |input: ParseStream<'_>| {
                let value = read(asked, input, faults);
                skip_all(input);
                Ok(value)
            };
            read.parse2(content).ok().flatten()
        });
    }
    if input.is_empty() || input.peek(Token![,]) {
        faults.no_value(key, asked.shape);
        return None;
    }
    let is_longer = input.peek(Token![==]) || input.peek(Token![=>]);
    if is_longer || input.parse::<Token![=]>().is_err() {
        faults.no_equals(input.span(), key, asked.shape);
        skip(input);
        return None;
    }
    if input.is_empty() || input.peek(Token![,]) {
        faults.no_value(key, asked.shape);
        return None;
    }
    let value = read(asked, input, faults);
    if value.is_none() {
        skip(input);
    }
    value
}

fn list(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let content;
    syn::parenthesized!(content in input);
    content.parse()
}

/// The value behind an unknown key, where it can be read: a comma inside it does not end it.
fn stray(input: ParseStream<'_>) -> Option<Expr> {
    let ahead = input.fork();
    ahead.parse::<Token![=]>().ok()?;
    let value = ahead.parse().ok()?;
    input.advance_to(&ahead);
    Some(value)
}

/// Goes on to the next comma at this level, or to the end.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _: syn::Result<TokenTree> = input.parse();
    }
}

fn skip_all(input: ParseStream<'_>) {
    while !input.is_empty() {
        let _: syn::Result<TokenTree> = input.parse();
    }
}

/// The setting, unless `none` switches it off.
pub(crate) fn some<T: Clone>(setting: Option<&Setting<OrNone<T>>>) -> Option<Setting<T>> {
    let setting = setting?;
    setting.value.some().map(|value| Setting {
        key: setting.key.clone(),
        value: value.clone(),
        inherited: setting.inherited,
    })
}
