//! Settings × Function -> `Policy`: every field decided, every conflict told. What cannot be has no spelling here.

use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;
use syn::{Expr, Type, TypeParamBound};

use crate::arguments::{self, Handed, handed, once};
use crate::draft::Draft;
use crate::fault::Faults;
use crate::function::{Function, Shape};
use crate::hygiene::{self, Runtime};
use crate::relations;
use crate::schedule;
use crate::settings::{Setting, Settings, some};
use crate::tokens;
use crate::value::{Cancel, Function as Callable, Once, OrNone, Strategy, Timeout};

pub(crate) struct Policy {
    /// The path of the runtime.
    pub(crate) runtime: Runtime,
    /// What makes that path known, where the user says where the runtime lives.
    pub(crate) import: TokenStream,
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
    /// The section "Retries" of the function's documentation.
    pub(crate) docs: TokenStream,
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
    Call(Box<Observers>),
}

#[derive(Default)]
pub(crate) struct Observers {
    pub(crate) attempt: Option<Ident>,
    /// Whether each attempt must be told that it begins.
    pub(crate) begins: bool,
    /// Whether the call may have a deadline of its own, under which its attempts run.
    pub(crate) deadline: bool,
    pub(crate) timeout: Option<AttemptTimeout>,
    pub(crate) budget: Option<Expr>,
    pub(crate) cancel: Option<Expr>,
    pub(crate) on_retry: Option<Callable>,
    pub(crate) on_give_up: Option<Callable>,
}

/// The limit on one attempt, and what its end becomes.
pub(crate) struct AttemptTimeout {
    /// `None` is all that the deadline leaves.
    pub(crate) limit: Option<TokenStream>,
    pub(crate) timed_out: Option<Callable>,
    pub(crate) place: Span,
}

/// Whether the runtime has observers to tell.
pub(crate) const OBSERVED: bool = cfg!(all(feature = "observe", not(test)));

impl Policy {
    /// `None` where something that everything else hangs on is missing.
    pub(crate) fn decide(settings: &Settings, function: &Function, faults: &mut Faults) -> Option<Self> {
        // A default stands only for what nobody tried to write.
        let all_read = faults.is_empty();
        check_function(function, faults);
        let (runtime, import) = hygiene::runtime(settings.runtime.as_ref().map(|path| &path.value));
        let judge = judge(settings, faults);
        let hint = hint(settings, faults);
        let mut draft = Draft::new(&runtime, faults);
        draft.settings(settings);
        let limit = draft.attempt_timeout(settings);
        let (steps, checks) = (draft.steps, draft.checks);
        if all_read {
            relations::check(settings, &function.sig.ident, faults);
        }
        arguments::no_constants(settings, function, faults);
        let handed = handed(settings, function, faults);
        let once = once(settings, function, faults);
        check_waiting(settings, function, faults);
        let observers = observers(settings, limit);
        check_attempt(settings, function, faults);
        let memory =
            if remembers(settings, &observers) { Memory::Call(Box::new(observers)) } else { Memory::Count };
        Some(Self {
            runtime,
            import,
            judge: judge?,
            hint,
            over: settings.policy.as_ref().map(|policy| policy.value.clone()),
            draft: steps,
            checks,
            memory,
            handed,
            once,
            sleep: settings.sleep.as_ref().map(|sleep| sleep.value.clone()),
            docs: schedule::section(settings, function),
        })
    }
}

/// What is wrong with settings of a block, whatever method they will stand on.
pub(crate) fn check_defaults(settings: &Settings, faults: &mut Faults) {
    let all_read = faults.is_empty();
    let runtime = Runtime::default();
    let _ = judge(settings, faults);
    let _ = hint(settings, faults);
    let mut draft = Draft::new(&runtime, faults);
    draft.settings(settings);
    let _ = draft.attempt_timeout(settings);
    if all_read {
        relations::check_defaults(settings, faults);
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
    let Some(Type::ImplTrait(output)) = function.output() else { return };
    for lazy in ["Stream", "Iterator"] {
        let is_lazy = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == lazy),
            _ => false,
        };
        if output.bounds.iter().any(is_lazy) {
            faults.lazy_output(output, lazy);
        }
    }
}

/// Settings that need a function which can wait in the way they ask for.
fn check_waiting(settings: &Settings, function: &Function, faults: &mut Faults) {
    let is_async = function.is_async();
    if is_async && settings.sleep.is_none() && !cfg!(any(feature = "timer", test)) {
        faults.no_timer(function.sig.ident.span());
    }
    let timeout = some(settings.attempt_timeout.as_ref());
    match (&timeout, &settings.timed_out) {
        (Some(timeout), _) if !is_async => {
            let inherited = timeout.inherited();
            let place = if inherited { function.sig.ident.span() } else { timeout.key.span() };
            faults.timeout_of_blocking(place, inherited);
        }
        (None, Some(timed_out))
            if settings.attempt_timeout.is_none() && !settings.is_unread("attempt_timeout") =>
        {
            faults.timed_out_of_nothing(&timed_out.key);
        }
        _ => {}
    }
    if let Some(cancel) = some(settings.cancel.as_ref()).filter(|_| !is_async) {
        if let Cancel::Dropped(word) = &cancel.value {
            let place = if cancel.inherited() { function.sig.ident.span() } else { word.span() };
            faults.dropped_while_blocking(place, cancel.inherited());
        }
    }
}

fn check_attempt(settings: &Settings, function: &Function, faults: &mut Faults) {
    let Some(attempt) = settings.attempt.as_ref().filter(|attempt| !attempt.inherited()) else { return };
    let name = &attempt.value;
    let once = settings.once.iter().flat_map(|once| &once.value).any(|once| once.name == *name);
    if once || function.bindings().iter().any(|binding| binding.name == *name) {
        faults.attempt_shadows(name);
    }
}

fn judge(settings: &Settings, faults: &mut Faults) -> Option<Judge> {
    match (&settings.on, &settings.when) {
        (Some(_), Some(when)) => {
            faults.on_with_when(&when.key);
            None
        }
        (Some(on), None) => Some(Judge::On(on.value.clone())),
        (None, Some(when)) => Some(Judge::When(when.value.clone())),
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

fn observers(settings: &Settings, limit: Option<TokenStream>) -> Observers {
    let timeout = some(settings.attempt_timeout.as_ref()).map(|timeout| AttemptTimeout {
        limit: limit.filter(|_| matches!(timeout.value, Timeout::Length(_))),
        timed_out: settings.timed_out.as_ref().map(|timed_out| timed_out.value.clone()),
        place: timeout.key.span(),
    });
    let cancel = some(settings.cancel.as_ref()).and_then(|cancel| match cancel.value {
        Cancel::Token(token) => Some(token),
        Cancel::Dropped(_) => None,
    });
    let value =
        |setting: &Option<Setting<OrNone<Callable>>>| some(setting.as_ref()).map(|setting| setting.value);
    Observers {
        attempt: settings.attempt.as_ref().map(|attempt| attempt.value.clone()),
        begins: settings.policy.is_some() || some(settings.reset_after.as_ref()).is_some(),
        deadline: settings.policy.is_some() || some(settings.deadline.as_ref()).is_some(),
        timeout,
        budget: some(settings.budget.as_ref()).map(|budget| budget.value),
        cancel,
        on_retry: value(&settings.on_retry),
        on_give_up: value(&settings.on_give_up),
    }
}

/// Whether a call must remember more than a count.
fn remembers(settings: &Settings, observers: &Observers) -> bool {
    let remembers_delay = match settings.strategy.as_ref().map(|strategy| &strategy.value) {
        Some(Strategy::Named(name)) => matches!(*name, "Decorrelated" | "Smooth"),
        Some(Strategy::Path(_)) => true,
        None => false,
    };
    let Observers { attempt, begins, deadline, timeout, budget, cancel, on_retry, on_give_up } = observers;
    let asked = attempt.is_some() || on_retry.is_some() || on_give_up.is_some();
    let limited = *deadline || timeout.is_some() || budget.is_some() || cancel.is_some();
    remembers_delay || *begins || asked || limited || OBSERVED
}

impl Function {
    /// The attribute's arguments as they must stand in the body: under `#[async_trait]` `self` has another name.
    pub(crate) fn in_place(&self, attribute: TokenStream) -> TokenStream {
        match &self.shape {
            Shape::Block(boxed) => match &boxed.this {
                Some(this) => tokens::replace_self(attribute, this),
                None => attribute,
            },
            _ => attribute,
        }
    }
}
