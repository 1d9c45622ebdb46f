//! The written keys as calls on the runtime's draft of a policy, and what the compiler must evaluate of constants.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Expr;

use crate::fault::{Faults, sentence};
use crate::hygiene::{self, Place, Runtime};
use crate::settings::{Setting, Settings, some};
use crate::value::{Length, Max, Strategy, Timeout, Unit, Value};

/// Writes the keys as calls on a draft, and what must be evaluated of constants.
pub(crate) struct Draft<'a> {
    pub(crate) runtime: &'a Runtime,
    faults: &'a mut Faults,
    pub(crate) steps: TokenStream,
    pub(crate) checks: Vec<TokenStream>,
    /// What stands for the deadline.
    deadline: Option<TokenStream>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(runtime: &'a Runtime, faults: &'a mut Faults) -> Self {
        Self { runtime, faults, steps: TokenStream::new(), checks: Vec::new(), deadline: None }
    }

    pub(crate) fn settings(&mut self, settings: &Settings) {
        if let Some(strategy) = &settings.strategy {
            self.strategy(&strategy.value);
        }
        let base = self.length("base", settings.base.as_ref(), Some(sentence::BASE_ZERO));
        let cap = self.length("cap", settings.cap.as_ref(), Some(sentence::CAP_ZERO));
        if let Some(factor) = &settings.factor {
            self.factor(&factor.value);
        }
        if let Some(max) = &settings.max {
            self.max(&max.value);
        }
        let deadline = some(settings.deadline.as_ref());
        let deadline = self.length("deadline", deadline.as_ref(), Some(sentence::DEADLINE_ZERO));
        self.compare(settings, base, cap, deadline.clone());
        self.deadline = deadline;
        let _ = self.length(
            "reset_after",
            some(settings.reset_after.as_ref()).as_ref(),
            Some(sentence::RESET_AFTER_ZERO),
        );
        if let Some(mode) = &settings.retry_after_mode {
            let variant = hygiene::name_at(mode.value, mode.key.span());
            let runtime = self.runtime;
            self.step(
                "retry_after_mode",
                &quote_spanned!(ours()=> #runtime::__private::RetryAfterMode::#variant),
            );
        }
        let _ = self.length("retry_after_max", settings.retry_after_max.as_ref(), None);
    }

    /// The length of `attempt_timeout`, which is no part of the runtime's policy.
    pub(crate) fn attempt_timeout(&mut self, settings: &Settings) -> Option<TokenStream> {
        let timeout = some(settings.attempt_timeout.as_ref())?;
        match &timeout.value {
            Timeout::Length(length) => {
                let limit = self.value(length, Some(sentence::ATTEMPT_TIMEOUT_ZERO));
                if let Some(deadline) = self.deadline.clone() {
                    self.compare_timeout(settings, &limit, &deadline);
                }
                Some(limit)
            }
            Timeout::Deadline(_) => None,
        }
    }

    fn step(&mut self, setter: &str, value: &TokenStream) {
        let setter = hygiene::name(setter);
        self.steps.extend(quote_spanned!(ours()=> .#setter(#value)));
    }

    fn strategy(&mut self, strategy: &Strategy) {
        let runtime = self.runtime;
        let value = match strategy {
            Strategy::Named(variant) => {
                let variant = hygiene::name(variant);
                quote_spanned!(ours()=> #runtime::__private::Strategy::#variant)
            }
            Strategy::Path(path) => Place::of(path).call(
                &quote_spanned!(ours()=> #runtime::__private::Strategy::Custom),
                &path.to_token_stream(),
            ),
        };
        self.step("strategy", &value);
    }

    /// Writes a length, and returns what stands for its value.
    fn length(
        &mut self,
        setter: &str,
        setting: Option<&Setting<Length>>,
        zero: Option<&str>,
    ) -> Option<TokenStream> {
        let value = self.value(&setting?.value, zero);
        self.step(setter, &value);
        Some(value)
    }

    fn value(&mut self, length: &Length, zero: Option<&str>) -> TokenStream {
        let runtime = self.runtime;
        match (&length.value, zero) {
            (Value::Known(duration, written), zero) => {
                if let Some(sentence) = zero.filter(|_| duration.is_zero()) {
                    self.faults.never_right(written, sentence);
                }
                literal(*duration, runtime)
            }
            (Value::Constant(expr), None) => match length.unit {
                Unit::Duration => Place::of(expr)
                    .call(&quote_spanned!(ours()=> #runtime::__private::any_length), &expr.to_token_stream()),
                Unit::Milliseconds => Place::of(expr).call(
                    &quote_spanned!(ours()=> #runtime::__private::Duration::from_millis),
                    &expr.to_token_stream(),
                ),
            },
            (Value::Constant(expr), Some(sentence)) => {
                let check = if length.unit == Unit::Duration { "above_zero" } else { "above_zero_ms" };
                self.checked(check, expr, sentence)
            }
        }
    }

    fn factor(&mut self, factor: &Value<f64>) {
        let value = match factor {
            Value::Known(number, written) => {
                if !(*number >= 1.0 && *number < f64::INFINITY) {
                    self.faults.never_right(written, sentence::FACTOR);
                }
                let number =
                    proc_macro2::Literal::f64_suffixed(if number.is_finite() { *number } else { 1.0 });
                quote_spanned!(ours()=> #number)
            }
            Value::Constant(expr) => self.checked("growth", expr, sentence::FACTOR),
        };
        self.step("factor", &value);
    }

    fn max(&mut self, max: &Max) {
        let value = match max {
            Max::Unlimited(_) => return self.step("unlimited", &TokenStream::new()),
            Max::Retries(Value::Known(retries, written)) => {
                if *retries == 0 {
                    self.faults.never_right(written, sentence::MAX_ZERO);
                }
                retries.to_token_stream()
            }
            Max::Retries(Value::Constant(expr)) => self.checked("at_least_one", expr, sentence::MAX_ZERO),
        };
        self.step("max", &value);
    }

    /// A constant: its value, and beside it a block of its own in which a wrong one fails, at its place.
    fn checked(&mut self, check: &str, expr: &Expr, sentence: &str) -> TokenStream {
        let (runtime, check, place) = (self.runtime, hygiene::name(check), Place::of(expr));
        // The same tokens twice: a wrong type is the same error twice, which the compiler tells once.
        let checked = place.call(
            &quote_spanned!(ours()=> #runtime::__private::#check),
            &quote_spanned!(ours()=> #expr, #sentence),
        );
        let hold = place.end().over(quote_spanned!(ours()=> .hold()));
        self.checks.push(quote_spanned!(ours()=> const { #checked #hold };));
        quote_spanned!(ours()=> #checked.value)
    }
}

fn ours() -> Span {
    Span::mixed_site()
}

/// A duration that was written as a literal.
pub(crate) fn literal(duration: Duration, runtime: &Runtime) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).ok();
    if let Some(millis) = millis.filter(|millis| Duration::from_millis(*millis) == duration) {
        let millis = proc_macro2::Literal::u64_unsuffixed(millis);
        return quote_spanned!(ours()=> #runtime::__private::Duration::from_millis(#millis));
    }
    let (secs, nanos) = (duration.as_secs(), duration.subsec_nanos());
    quote_spanned!(ours()=> #runtime::__private::Duration::new(#secs, #nanos))
}
