//! Settings × Function -> `Policy`: every field decided, every conflict told. What cannot be has no spelling here.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use crate::fault::{Faults, sentence};
use crate::function::{Function, Shape};
use crate::hygiene;
use crate::settings::{Setting, Settings};
use crate::value::{Function as Callable, Length, Max, Once, OrNone, Strategy, Unit, Value};

pub(crate) struct Policy {
    /// The path of the runtime.
    pub(crate) runtime: TokenStream,
    pub(crate) judge: Judge,
    pub(crate) hint: Hint,
    /// The settings made elsewhere that the keys override.
    pub(crate) over: Option<Expr>,
    /// The written keys, as calls on a draft.
    pub(crate) draft: TokenStream,
    /// What the compiler evaluates of the constants, one block each.
    pub(crate) checks: Vec<TokenStream>,
    pub(crate) memory: Memory,
    pub(crate) handed: Handed,
    pub(crate) once: Vec<Once>,
    pub(crate) sleep: Option<Callable>,
}

/// Which outcomes deserve a retry.
pub(crate) enum Judge {
    /// The error's own `Retryable` says.
    Own,
    On(Callable),
    When(Callable),
}

/// Where the server's hint comes from.
pub(crate) enum Hint {
    /// From `Retryable`, where there is one.
    Found,
    Function(Callable),
    Off,
}

/// What a call must remember between its attempts.
pub(crate) enum Memory {
    /// The number of retries.
    Count,
    /// More than that, or somebody asks for more.
    Call(Observers),
}

pub(crate) struct Observers {
    pub(crate) attempt: Option<Ident>,
    /// Whether each attempt must be told that it begins.
    pub(crate) begins: bool,
    pub(crate) on_retry: Option<Callable>,
    pub(crate) on_give_up: Option<Callable>,
}

/// What each attempt receives other than by borrowing.
#[derive(Default)]
pub(crate) struct Handed {
    /// A fresh clone, bound as `mut` where the user wrote so.
    pub(crate) clones: Vec<(Ident, Option<Span>)>,
    /// One value that all attempts change.
    pub(crate) keeps: Vec<Ident>,
    pub(crate) clone_self: Option<Option<Span>>,
}

impl Policy {
    /// `None` where something that everything else hangs on is missing.
    pub(crate) fn decide(settings: &Settings, function: &Function, faults: &mut Faults) -> Option<Self> {
        // A default stands only for what nobody tried to write.
        let all_read = faults.is_empty();
        check_function(function, faults);
        let runtime = settings
            .runtime
            .as_ref()
            .map_or_else(hygiene::default_runtime, |path| path.value.to_token_stream());
        let judge = judge(settings, function, faults);
        let hint = hint(settings, faults);
        let mut draft = Draft::new(&runtime, faults);
        draft.settings(settings);
        let (steps, checks) = (draft.steps, draft.checks);
        if all_read {
            relations(settings, faults);
        }
        let handed = handed(settings, function, faults);
        let once = once(settings, function, faults);
        let memory = memory(settings, function, faults);
        let sleep = settings.sleep.as_ref().map(|sleep| sleep.value.clone());
        if function.is_async() && sleep.is_none() && !cfg!(any(feature = "timer", test)) {
            faults.no_timer(function.sig.ident.span());
        }
        Some(Self {
            runtime,
            judge: judge?,
            hint,
            over: settings.policy.as_ref().map(|policy| policy.value.clone()),
            draft: steps,
            checks,
            memory,
            handed,
            once,
            sleep,
        })
    }
}

/// What is wrong with settings of a block, whatever method they will stand on.
pub(crate) fn check_defaults(settings: &Settings, faults: &mut Faults) {
    let all_read = faults.is_empty();
    let runtime = hygiene::default_runtime();
    if let (Some(_), Some(when)) = (&settings.on, &settings.when) {
        faults.on_with_when(&when.key);
    }
    let _ = hint(settings, faults);
    Draft::new(&runtime, faults).settings(settings);
    if all_read && settings.base.is_some() && settings.cap.is_some() {
        relations(settings, faults);
    }
}

fn check_function(function: &Function, faults: &mut Faults) {
    if let Some(constness) = &function.sig.constness {
        faults.const_fn(constness.span());
    }
    if function.body.is_none() {
        faults.no_body(function.sig.ident.span());
    }
    for attr in &function.attrs {
        if attr.path().segments.last().is_some_and(|last| last.ident == "retry") {
            faults.attribute_twice(attr);
        }
    }
    for lazy in ["Stream", "Iterator"] {
        if let Some(Type::ImplTrait(output)) = function.output() {
            let is_lazy = output.bounds.iter().any(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => {
                    bound.path.segments.last().is_some_and(|last| last.ident == lazy)
                }
                _ => false,
            });
            if is_lazy {
                faults.lazy_output(output, lazy);
            }
        }
    }
}

fn judge(settings: &Settings, function: &Function, faults: &mut Faults) -> Option<Judge> {
    let callable = |callable: &Callable| within(callable, function);
    match (&settings.on, &settings.when) {
        (Some(_), Some(when)) => {
            faults.on_with_when(&when.key);
            None
        }
        (Some(on), None) => Some(Judge::On(callable(&on.value))),
        (None, Some(when)) => Some(Judge::When(callable(&when.value))),
        (None, None) => Some(Judge::Own),
    }
}

fn hint(settings: &Settings, faults: &mut Faults) -> Hint {
    match &settings.retry_after {
        None => Hint::Found,
        Some(Setting { value: OrNone::Some(function), .. }) => Hint::Function(function.clone()),
        Some(Setting { value: OrNone::None, .. }) => {
            let mode = settings.retry_after_mode.as_ref().map(|mode| &mode.key);
            let max = settings.retry_after_max.as_ref().map(|max| &max.key);
            for key in mode.into_iter().chain(max) {
                faults.hint_setting_without_hint(key);
            }
            Hint::Off
        }
    }
}

/// An expression of the attribute as it must stand in the body: under `#[async_trait]` `self` has another name.
fn within(callable: &Callable, function: &Function) -> Callable {
    match (callable, &function.shape) {
        (Callable::Closure(closure), Shape::Block(boxed)) => Callable::Closure(
            boxed.this.as_ref().map_or_else(|| closure.clone(), |this| with_self(closure, this)),
        ),
        _ => callable.clone(),
    }
}

fn with_self(expr: &Expr, this: &Ident) -> Expr {
    Expr::Verbatim(hygiene::replace_self(expr.to_token_stream(), this))
}

fn expr_within(expr: &Expr, function: &Function) -> Expr {
    match &function.shape {
        Shape::Block(boxed) => boxed.this.as_ref().map_or_else(|| expr.clone(), |this| with_self(expr, this)),
        _ => expr.clone(),
    }
}

/// Writes the keys as calls on a draft, and what must be evaluated of constants.
struct Draft<'a> {
    runtime: &'a TokenStream,
    faults: &'a mut Faults,
    steps: TokenStream,
    checks: Vec<TokenStream>,
}

impl<'a> Draft<'a> {
    fn new(runtime: &'a TokenStream, faults: &'a mut Faults) -> Self {
        Self { runtime, faults, steps: TokenStream::new(), checks: Vec::new() }
    }

    fn settings(&mut self, settings: &Settings) {
        if let Some(strategy) = &settings.strategy {
            self.strategy(&strategy.value);
        }
        let base = self.length("base", settings.base.as_ref(), Some(sentence::BASE_ZERO));
        let cap = self.length("cap", settings.cap.as_ref(), Some(sentence::CAP_ZERO));
        self.windows(settings, base, cap);
        if let Some(factor) = &settings.factor {
            self.factor(&factor.value);
        }
        if let Some(max) = &settings.max {
            self.max(&max.value);
        }
        let _ =
            self.length("deadline", some(settings.deadline.as_ref()).as_ref(), Some(sentence::DEADLINE_ZERO));
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
            Strategy::Path(path) => {
                let custom = quote_spanned!(hygiene::ours_at(path.span())=> #runtime::__private::Strategy::Custom(#path));
                custom
            }
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
        let Setting { value: length, .. } = setting?;
        let runtime = self.runtime;
        let value = match (&length.value, zero) {
            (Value::Known(duration, written), zero) => {
                if let Some(sentence) = zero.filter(|_| duration.is_zero()) {
                    self.faults.never_right(written, sentence);
                }
                literal(*duration, runtime)
            }
            (Value::Constant(expr), None) => match length.unit {
                Unit::Duration => expr.to_token_stream(),
                Unit::Milliseconds => {
                    quote_spanned!(ours()=> #runtime::__private::Duration::from_millis(#expr))
                }
            },
            (Value::Constant(expr), Some(sentence)) => {
                let check = if length.unit == Unit::Duration { "above_zero" } else { "above_zero_ms" };
                self.checked(check, expr, sentence)
            }
        };
        self.step(setter, &value);
        Some(value)
    }

    /// `base` against `cap` where one of them is a constant: what the compiler must compare.
    fn windows(&mut self, settings: &Settings, base: Option<TokenStream>, cap: Option<TokenStream>) {
        let written = [&settings.base, &settings.cap]
            .map(|setting| setting.as_ref().map(|setting| &setting.value.value));
        let Some(Value::Constant(place)) =
            written.into_iter().flatten().find(|value| value.known().is_none())
        else {
            return;
        };
        if settings.policy.is_some() && (base.is_none() || cap.is_none()) {
            return;
        }
        let runtime = self.runtime;
        let base = base.unwrap_or_else(|| literal(BASE, runtime));
        let cap = cap.unwrap_or_else(|| literal(CAP, runtime));
        let (span, sentence) = (hygiene::ours_at(place.span()), sentence::BASE_ABOVE_CAP);
        let check = hygiene::located(
            quote_spanned!(span=> const { #runtime::__private::not_above(#base, #cap, #sentence).hold() };),
            place.span(),
        );
        self.checks.push(check);
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
        let runtime = self.runtime;
        let place = hygiene::ours_at(expr.span());
        let check = hygiene::name_at(check, expr.span());
        let path = hygiene::located(quote_spanned!(place=> #runtime::__private::#check), expr.span());
        // The same tokens twice: a wrong type is the same error twice, which the compiler tells once.
        let checked = quote_spanned!(place=> #path(#expr, #sentence));
        self.checks.push(quote_spanned!(place=> const { #checked.hold() };));
        quote_spanned!(place=> #checked.value)
    }
}

fn ours() -> Span {
    Span::mixed_site()
}

fn some<T: Clone>(setting: Option<&Setting<OrNone<T>>>) -> Option<Setting<T>> {
    let setting = setting?;
    setting.value.some().map(|value| Setting { key: setting.key.clone(), value: value.clone() })
}

/// A duration that was written as a literal.
fn literal(duration: Duration, runtime: &TokenStream) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).ok();
    match millis.filter(|millis| Duration::from_millis(*millis) == duration) {
        Some(millis) => {
            let millis = proc_macro2::Literal::u64_unsuffixed(millis);
            quote_spanned!(ours()=> #runtime::__private::Duration::from_millis(#millis))
        }
        None => {
            let (secs, nanos) = (duration.as_secs(), duration.subsec_nanos());
            quote_spanned!(ours()=> #runtime::__private::Duration::new(#secs, #nanos))
        }
    }
}

const BASE: Duration = Duration::from_millis(200);
const CAP: Duration = Duration::from_secs(10);

/// What two values that are both known say of each other.
fn relations(settings: &Settings, faults: &mut Faults) {
    let known = |setting: Option<&Setting<Length>>| setting.and_then(|setting| setting.value.value.known());
    let elsewhere = settings.policy.is_some();
    let or_default = |setting: Option<&Setting<Length>>, default: Duration| match setting {
        Some(_) => known(setting),
        None => (!elsewhere).then_some(default),
    };
    let base = or_default(settings.base.as_ref(), BASE).filter(|base| !base.is_zero());
    let cap = or_default(settings.cap.as_ref(), CAP).filter(|cap| !cap.is_zero());
    if let (Some(base), Some(cap)) = (base, cap) {
        if base > cap {
            let place = settings.base.as_ref().or(settings.cap.as_ref());
            if let Some(place) = place {
                let default = |written: bool| if written { "" } else { " by default" };
                let base = format!("{base:?}{}", default(settings.base.is_some()));
                let cap = format!("{cap:?}{}", default(settings.cap.is_some()));
                faults.base_above_cap(place.value.value.written(), &base, &cap);
            }
            return;
        }
    }
    let deadline = some(settings.deadline.as_ref());
    if let (Some(base), Some(limit)) = (base, known(deadline.as_ref())) {
        let may_be_hinted = match &settings.retry_after {
            Some(Setting { value: OrNone::Some(_), .. }) => true,
            Some(Setting { value: OrNone::None, .. }) => false,
            None => settings.on.is_none() && settings.when.is_none(),
        };
        let first = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
            Some(Strategy::Named("None" | "Decorrelated")) => base,
            Some(Strategy::Named("Equal")) => base / 2,
            _ => Duration::ZERO,
        };
        if !may_be_hinted && !limit.is_zero() && !first.is_zero() && first >= limit {
            if let Some(deadline) = &deadline {
                faults.impossible_deadline(
                    deadline.value.value.written(),
                    &format!("{first:?}"),
                    &format!("{limit:?}"),
                );
            }
        }
    }
    if let Some(Setting { value: Max::Unlimited(word), .. }) = &settings.max {
        if deadline.is_none() {
            faults.unbounded(word);
        }
    }
}

fn handed(settings: &Settings, function: &Function, faults: &mut Faults) -> Handed {
    let bindings = function.bindings();
    let once: Vec<&Once> = settings.once.iter().flat_map(|once| &once.value).collect();
    let clones: &[Ident] = settings.clone.as_ref().map_or(&[], |clone| &clone.value);
    let keeps: &[Ident] = settings.keep.as_ref().map_or(&[], |keep| &keep.value);
    let by_value_self = function.sig.receiver().is_some();
    let mut handed = Handed::default();
    for name in clones {
        if let Some(binding) = bindings.iter().find(|binding| binding.name == *name) {
            handed.clones.push((binding.name.clone(), binding.mutability));
        } else if let Some(once) = once.iter().find(|once| once.name == *name) {
            handed.clones.push((once.name.clone(), once.mutability.as_ref().map(Spanned::span)));
        } else if name == "self" && by_value_self {
            handed.clone_self = Some(function.mut_self());
        } else {
            faults.clone_of_nothing(name);
        }
    }
    for name in keeps {
        let is_mut =
            bindings.iter().find(|binding| binding.name == *name).is_some_and(|b| b.mutability.is_some());
        let is_self = name == "self" && function.mut_self().is_some();
        if clones.contains(name) {
            faults.clone_and_keep(name);
        } else if is_self {
            handed.keeps.push(name.clone());
        } else if is_mut {
            let binding = bindings.iter().find(|binding| binding.name == *name);
            handed.keeps.extend(binding.map(|binding| binding.name.clone()));
        } else {
            faults.keep_of_nothing(name);
        }
    }
    for binding in &bindings {
        let said = clones.contains(&binding.name) || keeps.contains(&binding.name);
        if let Some(place) = binding.mutability.filter(|_| !said) {
            faults.mut_without_word(place, &binding.name.to_string());
        }
    }
    let self_said = clones.iter().chain(keeps).any(|name| name == "self");
    if let Some(place) = function.mut_self().filter(|_| !self_said) {
        faults.mut_without_word(place, "self");
    }
    for once in once {
        let cloned = clones.contains(&once.name);
        if once.mutability.is_some() && !cloned {
            handed.keeps.push(once.name.clone());
        }
    }
    handed
}

fn once(settings: &Settings, function: &Function, faults: &mut Faults) -> Vec<Once> {
    let bindings = function.bindings();
    let mut bound = Vec::new();
    for once in settings.once.iter().flat_map(|once| &once.value) {
        if bindings.iter().any(|binding| binding.name == once.name) {
            faults.once_shadows(&once.name);
        }
        bound.push(Once { value: expr_within(&once.value, function), ..once.clone() });
    }
    bound
}

fn memory(settings: &Settings, function: &Function, faults: &mut Faults) -> Memory {
    if let Some(Setting { value: name, .. }) = &settings.attempt {
        let once = settings.once.iter().flat_map(|once| &once.value).any(|once| once.name == *name);
        if once || function.bindings().iter().any(|binding| binding.name == *name) {
            faults.attempt_shadows(name);
        }
    }
    let hook = |setting: &Option<Setting<OrNone<Callable>>>| {
        let hook = setting.as_ref().and_then(|setting| setting.value.some());
        hook.map(|hook| within(hook, function))
    };
    let observers = Observers {
        attempt: settings.attempt.as_ref().map(|attempt| attempt.value.clone()),
        begins: settings.policy.is_some() || some(settings.reset_after.as_ref()).is_some(),
        on_retry: hook(&settings.on_retry),
        on_give_up: hook(&settings.on_give_up),
    };
    let remembers_delay = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
        Some(Strategy::Named(name)) => *name == "Decorrelated",
        Some(Strategy::Path(_)) => true,
        None => false,
    };
    let more = remembers_delay
        || observers.begins
        || observers.attempt.is_some()
        || observers.on_retry.is_some()
        || observers.on_give_up.is_some()
        || some(settings.deadline.as_ref()).is_some()
        || cfg!(feature = "observe");
    if more { Memory::Call(observers) } else { Memory::Count }
}
