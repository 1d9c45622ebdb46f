//! What settings say of each other: pairs that cannot both hold.

use std::time::Duration;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;

use crate::fault::Faults;
use crate::settings::{Setting, Settings, some};
use crate::value::{Length, Max, OrNone, Strategy, Timeout};

/// The runtime's defaults, with which a written value is compared.
pub(crate) const BASE: Duration = Duration::from_millis(200);
pub(crate) const CAP: Duration = Duration::from_secs(10);

/// What two values that are both known say of each other.
pub(crate) fn check(settings: &Settings, method: &Ident, faults: &mut Faults) {
    if let Some(base) = windows(settings, faults) {
        deadlines(settings, base, method, faults);
    }
    timeouts(settings, method, faults);
    bounds(settings, method, faults);
}

/// What a block's defaults say of each other, whatever a method adds: only what is written on both sides.
pub(crate) fn check_defaults(settings: &Settings, faults: &mut Faults) {
    if settings.base.is_some() && settings.cap.is_some() {
        windows(settings, faults);
    }
    if some(settings.attempt_timeout.as_ref()).is_some() && some(settings.deadline.as_ref()).is_some() {
        too_long(settings, faults);
    }
}

fn known(setting: Option<&Setting<Length>>) -> Option<Duration> {
    setting.and_then(|setting| setting.value.value.known()).filter(|known| !known.is_zero())
}

/// `base` above `cap`. The first window, where it is known and right.
fn windows(settings: &Settings, faults: &mut Faults) -> Option<Duration> {
    let or_default = |setting: Option<&Setting<Length>>, default: Duration| match setting {
        Some(_) => known(setting),
        None => settings.policy.is_none().then_some(default),
    };
    let base = or_default(settings.base.as_ref(), BASE);
    let cap = or_default(settings.cap.as_ref(), CAP);
    let (Some(first), Some(largest)) = (base, cap) else { return base };
    if first <= largest {
        return base;
    }
    let written = |setting: &Option<_>| if setting.is_some() { "" } else { " by default" };
    if let Some(place) = guilty(settings.base.as_ref(), settings.cap.as_ref()) {
        let first = format!("{first:?}{}", written(&settings.base));
        let largest = format!("{largest:?}{}", written(&settings.cap));
        faults.base_above_cap(place.value.value.written(), &first, &largest);
    }
    None
}

/// Where to point: at the first, unless a block handed it down and the method itself wrote the other.
fn guilty<'a, T>(first: Option<&'a Setting<T>>, other: Option<&'a Setting<T>>) -> Option<&'a Setting<T>> {
    match (first, other) {
        (Some(first), Some(other)) if first.inherited() && !other.inherited() => Some(other),
        (first, other) => first.or(other),
    }
}

/// Whether a hint could be shorter than any backoff.
pub(crate) fn may_be_hinted(settings: &Settings) -> bool {
    match &settings.retry_after {
        Some(Setting { value: OrNone::Some(_), .. }) => true,
        Some(Setting { value: OrNone::None, .. }) => false,
        None => settings.on.is_none() && settings.when.is_none(),
    }
}

/// A deadline that no first retry can meet.
fn deadlines(settings: &Settings, base: Duration, method: &Ident, faults: &mut Faults) {
    let first = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
        Some(Strategy::Named("None" | "Decorrelated")) => base,
        Some(Strategy::Named("Equal")) => base / 2,
        _ => return,
    };
    let deadline = some(settings.deadline.as_ref());
    let Some(limit) = known(deadline.as_ref()) else { return };
    if !may_be_hinted(settings) && first >= limit {
        if let Some(guilty) = guilty(deadline.as_ref(), settings.base.as_ref()) {
            let written = guilty.value.value.written().to_token_stream();
            let place = if guilty.inherited() { method.to_token_stream() } else { written };
            let (first, limit) = (format!("{first:?}"), format!("{limit:?}"));
            faults.impossible_deadline(&place, &first, &limit, guilty.inherited());
        }
    }
}

/// A limit on one attempt that is none beside the limit on the whole call, or that needs one.
fn timeouts(settings: &Settings, method: &Ident, faults: &mut Faults) {
    let timeout = some(settings.attempt_timeout.as_ref());
    let inherited = timeout.as_ref().is_some_and(Setting::inherited);
    if let Some(Timeout::Deadline(word)) = timeout.map(|timeout| timeout.value) {
        if some(settings.deadline.as_ref()).is_none() && settings.policy.is_none() {
            let place = if inherited { method.span() } else { word.span() };
            faults.timeout_without_deadline(place, inherited);
        }
    }
    too_long(settings, faults);
}

fn too_long(settings: &Settings, faults: &mut Faults) {
    let deadline = some(settings.deadline.as_ref());
    let Some(timeout) = some(settings.attempt_timeout.as_ref()) else { return };
    let is_inherited = timeout.inherited();
    let Timeout::Length(length) = timeout.value else { return };
    let (Some(limit), Some(whole)) = (length.value.known(), known(deadline.as_ref())) else { return };
    if limit >= whole {
        let own = deadline.as_ref().filter(|deadline| is_inherited && !deadline.inherited());
        let place = own.map_or(&length, |deadline| &deadline.value).value.written();
        faults.timeout_above_deadline(place, &format!("{limit:?}"), &format!("{whole:?}"));
    }
}

/// Retries without end.
fn bounds(settings: &Settings, method: &Ident, faults: &mut Faults) {
    let Some(max @ Setting { value: Max::Unlimited(word), .. }) = &settings.max else { return };
    let bounded = some(settings.deadline.as_ref()).is_some()
        || some(settings.budget.as_ref()).is_some()
        || some(settings.cancel.as_ref()).is_some();
    if !bounded {
        let place = if max.inherited() { method.span() } else { word.span() };
        faults.unbounded(place, max.inherited());
    }
}
