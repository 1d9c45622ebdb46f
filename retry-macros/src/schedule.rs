//! The section "Retries" of a function's documentation: how often, how long, on what, within which limits. What only the
//! compiler will know is named, not guessed.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::Attribute;

use crate::expand::ours;
use crate::function::Function;
use crate::relations::{BASE, CAP};
use crate::settings::{Setting, Settings, some};
use crate::value::{Cancel, Function as Callable, Length, Max, OrNone, Strategy, Timeout, Value};

/// Windows that are listed one by one.
const LISTED: u32 = 6;
/// Retries whose waits are summed up; beyond, the sum is left out.
const SUMMED: u32 = 10_000;

/// The section as attributes, for a function that has documentation of its own; nothing for others, since a
/// missing one must still be missed.
pub(crate) fn section(settings: &Settings, function: &Function) -> TokenStream {
    let wanted = settings.docs.as_ref().is_none_or(|docs| docs.value);
    if !wanted || !function.attrs.iter().any(is_documentation) {
        return TokenStream::new();
    }
    let mut lines = vec![String::new(), "# Retries".to_owned(), String::new()];
    lines.extend(sentences(settings, function.is_async()));
    let lines = lines.iter().map(|line| if line.is_empty() { line.clone() } else { format!(" {line}") });
    lines.map(|line| quote_spanned!(ours()=> #[doc = #line])).collect()
}

fn is_documentation(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") && matches!(attr.meta, syn::Meta::NameValue(_))
}

/// A line for each thing there is to say.
fn sentences(settings: &Settings, is_async: bool) -> Vec<String> {
    let waits = Waits::of(settings);
    let mut lines = Vec::new();
    if !is_async {
        lines.push(match (&waits.total, limit(settings)) {
            (_, Some(limit)) => format!("Blocks its thread while it waits, for less than {limit} in all."),
            (Some(total), None) => {
                let longer =
                    if hinted(settings).is_some() { ", longer where the server asks for it" } else { "" };
                format!("Blocks its thread while it waits, for up to {total:?} in all{longer}.")
            }
            (None, None) => "Blocks its thread while it waits.".to_owned(),
        });
    }
    lines.push(format!("{} {}.", often(settings), judged(settings)));
    lines.push(waits.sentence(settings));
    lines.extend(hinted(settings));
    if let Some(limit) = limit(settings) {
        let interrupts = match some(settings.attempt_timeout.as_ref()).map(|timeout| timeout.value) {
            Some(Timeout::Deadline(_)) => ", and an attempt is cut there",
            _ => "; this alone does not interrupt an attempt",
        };
        lines.push(format!("Gives up before a wait that would reach the deadline of {limit}{interrupts}."));
    }
    if let Some(Setting { value: Timeout::Length(length), .. }) = some(settings.attempt_timeout.as_ref()) {
        lines.push(format!("An attempt is cut after {}.", told(&length)));
    }
    let token = matches!(some(settings.cancel.as_ref()).map(|cancel| cancel.value), Some(Cancel::Token(_)));
    match (some(settings.budget.as_ref()), token) {
        (Some(_), true) => lines.push("A shared budget and a cancel token can end it earlier.".to_owned()),
        (Some(_), false) => lines.push("A shared budget can end it earlier.".to_owned()),
        (None, true) => lines.push("A cancel token can end it earlier.".to_owned()),
        (None, false) => {}
    }
    if let Some(Setting { value: length, .. }) = some(settings.reset_after.as_ref()) {
        lines.push(format!("After an attempt of {} or more the counting starts anew.", told(&length)));
    }
    lines
}

fn often(settings: &Settings) -> String {
    match settings.max.as_ref().map(|max| &max.value) {
        _ if settings.max.is_none() && settings.policy.is_some() => "Retried as its policy says".to_owned(),
        None => "Retried up to 5 times".to_owned(),
        Some(Max::Retries(Value::Known(1, _))) => "Retried once".to_owned(),
        Some(Max::Retries(Value::Known(max, _))) => format!("Retried up to {max} times"),
        Some(Max::Retries(Value::Constant(expr))) => format!("Retried up to {} times", code(expr)),
        Some(Max::Unlimited(_)) => "Retried without a limit on the number of times".to_owned(),
    }
}

fn judged(settings: &Settings) -> String {
    let named = |callable: &Callable, what: &str| match callable {
        Callable::Path(path) => format!("where {} accepts the {what}", code(path)),
        Callable::Closure(_) => format!("where its predicate accepts the {what}"),
    };
    match (&settings.on, &settings.when) {
        (Some(on), _) => named(&on.value, "error"),
        (None, Some(when)) => named(&when.value, "outcome"),
        (None, None) => "where the error calls itself retryable".to_owned(),
    }
}

fn hinted(settings: &Settings) -> Option<String> {
    let written = match &settings.retry_after {
        Some(Setting { value: OrNone::None, .. }) => return None,
        Some(_) => true,
        // A hint may be found where an error has one; of a predicate's own errors nothing is known here.
        None => settings.on.is_none() && settings.when.is_none(),
    };
    if !written {
        return None;
    }
    let longest = settings.retry_after_max.as_ref().map_or_else(|| "60s".to_owned(), |max| told(&max.value));
    Some(match settings.retry_after_mode.as_ref().map(|mode| mode.value) {
        Some("Replace") => format!(
            "A wait that the server asks for holds instead, up to {longest}; a longer one ends the call."
        ),
        Some("Ceiling") => "A wait that the server asks for is the longest.".to_owned(),
        _ => format!(
            "A wait that the server asks for is kept and spread, up to {longest}; a longer one ends the call."
        ),
    })
}

fn limit(settings: &Settings) -> Option<String> {
    some(settings.deadline.as_ref()).map(|deadline| told(&deadline.value))
}

/// The waits by backoff, as far as they are known.
struct Waits {
    base: Option<Duration>,
    cap: Option<Duration>,
    /// The longest of the first retries.
    longest: Vec<Duration>,
    /// All of them.
    total: Option<Duration>,
}

impl Waits {
    fn of(settings: &Settings) -> Self {
        let or_default = |setting: Option<&Setting<Length>>, default: Duration| match setting {
            Some(setting) => setting.value.value.known(),
            None => settings.policy.is_none().then_some(default),
        };
        let base = or_default(settings.base.as_ref(), BASE);
        let cap = or_default(settings.cap.as_ref(), CAP);
        let factor = match &settings.factor {
            Some(factor) => factor.value.known(),
            None => settings.policy.is_none().then_some(2.0),
        };
        let max = match settings.max.as_ref().map(|max| &max.value) {
            Some(Max::Retries(retries)) => retries.known(),
            Some(Max::Unlimited(_)) => None,
            None => settings.policy.is_none().then_some(5),
        };
        let (Some(base_known), Some(cap_known), Some(factor)) = (base, cap, factor) else {
            return Self { base, cap, longest: Vec::new(), total: None };
        };
        let strategy = settings.strategy.as_ref().map(|strategy| &strategy.value);
        let of =
            |retry: u32| longest(strategy, base_known.as_secs_f64(), cap_known.as_secs_f64(), factor, retry);
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let listed =
            (1..=max.unwrap_or(u32::MAX).min(LISTED)).map(|retry| rounded(seconds(of(retry)))).collect();
        let total = max.filter(|max| *max <= SUMMED).map(|max| rounded(seconds((1..=max).map(of).sum())));
        Self { base, cap, longest: listed, total }
    }

    fn sentence(&self, settings: &Settings) -> String {
        let (jitter, up_to) = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
            Some(Strategy::Named("None")) => ("without jitter".to_owned(), ""),
            Some(Strategy::Named("Equal")) => ("with equal jitter".to_owned(), "up to "),
            Some(Strategy::Named("Decorrelated")) => ("with decorrelated jitter".to_owned(), "up to "),
            Some(Strategy::Named("PlusMinus")) => ("with a fixed spread".to_owned(), "up to "),
            Some(Strategy::Named("Smooth")) => ("with smooth jitter".to_owned(), "up to "),
            Some(Strategy::Path(path)) => (format!("as {} draws them", code(path)), "up to "),
            None if settings.policy.is_some() => ("as its policy says".to_owned(), "up to "),
            Some(Strategy::Named(_)) | None => ("with full jitter".to_owned(), "up to "),
        };
        if self.longest.is_empty() {
            let named = |setting: Option<&Setting<Length>>, known: Option<Duration>| match (known, setting) {
                (Some(known), _) => Some(format!("{known:?}")),
                (None, Some(setting)) => Some(told(&setting.value)),
                (None, None) => None,
            };
            let base = named(settings.base.as_ref(), self.base);
            let cap = named(settings.cap.as_ref(), self.cap);
            return match (base, cap) {
                (Some(base), Some(cap)) => format!("Waits {jitter}: from {up_to}{base} to {up_to}{cap}."),
                (Some(base), None) => format!("Waits {jitter}: {up_to}{base} at first."),
                (None, Some(cap)) => format!("Waits {jitter}: {up_to}{cap} at most."),
                (None, None) => format!("Waits {jitter}."),
            };
        }
        let mut list: Vec<String> = self.longest.iter().map(|wait| format!("{wait:?}")).collect();
        let is_whole = match settings.max.as_ref().map(|max| &max.value) {
            Some(Max::Retries(retries)) => retries.known().is_some_and(|max| max <= LISTED),
            Some(Max::Unlimited(_)) => false,
            None => settings.policy.is_none(),
        };
        if !is_whole {
            list.push("…".to_owned());
        }
        let in_all = self
            .total
            .map(|total| format!(", {}{total:?} in all", if up_to.is_empty() { "" } else { "at most " }));
        format!("Waits {jitter}: {up_to}{}{}.", list.join(", "), in_all.unwrap_or_default())
    }
}

/// The longest wait before a retry, in seconds.
fn longest(strategy: Option<&Strategy>, base: f64, cap: f64, factor: f64, retry: u32) -> f64 {
    let grown =
        |base: f64, factor: f64, retry: u32| base * factor.powi(i32::try_from(retry - 1).unwrap_or(i32::MAX));
    match strategy {
        Some(Strategy::Named("Decorrelated")) => (3.0 * grown(base, 3.0, retry)).min(cap),
        Some(Strategy::Named("PlusMinus")) if cap >= 2.0 * base => {
            grown(base, factor, retry).min(cap - base) + base
        }
        Some(Strategy::Named("PlusMinus") | Strategy::Path(_)) => cap,
        Some(Strategy::Named("Smooth")) => {
            let term = |t: f64| t.exp2() * (4.0 * t).sqrt().tanh();
            let index = f64::from(retry) - 1.0;
            let before = if retry > 1 { term(index - 1.0) } else { 0.0 };
            let largest = base / 1.4 * (term(index + 1.0) - before);
            if largest.is_finite() { largest.min(cap) } else { cap }
        }
        _ => grown(base, factor, retry).min(cap),
    }
}

/// To the microsecond: what a sentence can bear.
fn rounded(wait: Duration) -> Duration {
    let micros = (wait.as_nanos() + 500) / 1_000;
    u64::try_from(micros).map_or(Duration::MAX, Duration::from_micros)
}

/// A length as a literal says it, or the constant that it is.
fn told(length: &Length) -> String {
    match &length.value {
        Value::Known(known, _) => format!("{known:?}"),
        Value::Constant(expr) if length.unit == crate::value::Unit::Milliseconds => {
            format!("{} ms", code(expr))
        }
        Value::Constant(expr) => code(expr),
    }
}

fn code(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    format!("`{}`", text.replace(" :: ", "::").replace(" (", "(").replace("& ", "&").replace(" ,", ","))
}
