//! Relations of two lengths of which at least one is a constant: the compiler compares them, at the value that is wrong.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;

use crate::draft::{Draft, literal};
use crate::fault::relation;
use crate::hygiene::{Place, name};
use crate::relations::{BASE, CAP, may_be_hinted};
use crate::settings::{Settings, some};
use crate::value::{Length, Strategy, Timeout};

/// What stands for the value of a length that was written.
pub(crate) type Written = Option<TokenStream>;

impl Draft<'_> {
    /// `base` above `cap`, and a deadline that no first retry can meet.
    pub(crate) fn compare(&mut self, settings: &Settings, base: Written, cap: Written, deadline: Written) {
        // What a policy of run time says is not known.
        if settings.policy.is_some() && (base.is_none() || cap.is_none()) {
            return;
        }
        let base_or_cap =
            [&settings.base, &settings.cap].map(|setting| setting.as_ref().map(|setting| &setting.value));
        let constant = base_or_cap.into_iter().flatten().find_map(|length| length.value.constant());
        let (base, cap) = (
            base.unwrap_or_else(|| literal(BASE, self.runtime)),
            cap.unwrap_or_else(|| literal(CAP, self.runtime)),
        );
        if let Some(place) = constant {
            self.check(
                place,
                "not_above",
                &quote_spanned!(ours()=> #base, #cap),
                &relation::base_above_cap(),
            );
        }
        let limit = some(settings.deadline.as_ref());
        let (Some(limit), Some(deadline)) = (limit, deadline) else { return };
        let halved = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
            Some(Strategy::Named("None" | "Decorrelated")) => false,
            Some(Strategy::Named("Equal")) => true,
            _ => return,
        };
        let is_known = |length: &Length| length.value.constant().is_none();
        let base_is_known = settings.base.as_ref().is_none_or(|base| is_known(&base.value));
        if may_be_hinted(settings) || (base_is_known && is_known(&limit.value)) {
            return;
        }
        let values = quote_spanned!(ours()=> #base, #cap, #halved, #deadline);
        self.check(limit.value.value.written(), "reachable", &values, relation::DEADLINE);
    }

    /// An `attempt_timeout` that is none beside the deadline.
    pub(crate) fn compare_timeout(
        &mut self,
        settings: &Settings,
        timeout: &TokenStream,
        deadline: &TokenStream,
    ) {
        let limit = some(settings.attempt_timeout.as_ref());
        let Some(Timeout::Length(length)) = limit.map(|limit| limit.value) else { return };
        let whole = some(settings.deadline.as_ref()).and_then(|whole| whole.value.value.constant().cloned());
        if length.value.constant().is_some() || whole.is_some() {
            let values = quote_spanned!(ours()=> #timeout, #deadline);
            self.check(length.value.written(), "below", &values, relation::TIMEOUT);
        }
    }

    fn check(&mut self, place: &Expr, comparison: &str, values: &TokenStream, sentence: &str) {
        let (runtime, comparison, place) = (self.runtime, name(comparison), Place::of(place));
        let compared = place.call(
            &quote_spanned!(ours()=> #runtime::__private::#comparison),
            &quote_spanned!(ours()=> #values, #sentence),
        );
        let hold = place.end().over(quote_spanned!(ours()=> .hold()));
        self.checks.push(quote_spanned!(ours()=> const { #compared #hold };));
    }
}

fn ours() -> Span {
    Span::mixed_site()
}
