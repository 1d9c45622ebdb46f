//! `Draft`: how generated code writes a policy. Setters without checks, since the attribute has made its own.

use std::time::Duration;

use crate::hint::RetryAfterMode;
use crate::policy::Policy;
use crate::strategy::Strategy;

/// A policy being written by generated code.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Draft(Policy);

/// What the key `policy` takes: a policy or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`policy` takes a `Policy` or a `&Policy`, not `{Self}`",
    label = "not a `Policy`",
    note = "`Policy::builder()…build()` checks settings that come from outside: call it where they are read, and keep the `Policy`"
)]
pub trait IntoPolicy {
    /// A copy of it.
    fn into_policy(self) -> Policy;
}

#[diagnostic::do_not_recommend]
impl IntoPolicy for Policy {
    fn into_policy(self) -> Policy {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IntoPolicy for &Policy {
    fn into_policy(self) -> Policy {
        *self
    }
}

/// The start of a draft: settings made elsewhere.
pub fn over(policy: impl IntoPolicy) -> Draft {
    Draft(policy.into_policy())
}

/// The start of a draft: the defaults.
pub const fn draft() -> Draft {
    Draft(Policy::new())
}

impl Draft {
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.0.strategy = strategy;
        self
    }

    pub const fn base(mut self, base: Duration) -> Self {
        self.0.base = base;
        self
    }

    pub const fn cap(mut self, cap: Duration) -> Self {
        self.0.cap = cap;
        self
    }

    pub const fn factor(mut self, factor: f64) -> Self {
        self.0.factor = factor;
        self
    }

    pub const fn max(mut self, max: u32) -> Self {
        self.0.max = Some(max);
        self
    }

    pub const fn unlimited(mut self) -> Self {
        self.0.max = None;
        self
    }

    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.0.deadline = Some(deadline);
        self
    }

    pub const fn reset_after(mut self, reset_after: Duration) -> Self {
        self.0.reset_after = Some(reset_after);
        self
    }

    pub const fn retry_after_mode(mut self, mode: RetryAfterMode) -> Self {
        self.0.retry_after_mode = mode;
        self
    }

    pub const fn retry_after_max(mut self, longest: Duration) -> Self {
        self.0.retry_after_max = longest;
        self
    }

    /// The policy. A contradiction between a key and a policy made elsewhere is settled by the smaller limit.
    #[must_use]
    pub const fn done(mut self) -> Policy {
        if self.0.base.as_nanos() > self.0.cap.as_nanos() {
            self.0.base = self.0.cap;
        }
        self.0
    }
}

/// A constant of the user's, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub struct Checked<T> {
    pub value: T,
    fault: Option<&'static str>,
}

impl<T> Checked<T> {
    /// Fails where the value is wrong. Evaluated while compiling, so it is an error at the caller's place.
    #[track_caller]
    pub const fn hold(&self) {
        if let Some(fault) = self.fault {
            panic!("{}", fault);
        }
    }
}

/// A duration that must not be zero.
pub const fn above_zero(value: Duration, sentence: &'static str) -> Checked<Duration> {
    Checked { value, fault: if value.is_zero() { Some(sentence) } else { None } }
}

/// The same in milliseconds.
pub const fn above_zero_ms(value: u64, sentence: &'static str) -> Checked<Duration> {
    above_zero(Duration::from_millis(value), sentence)
}

/// The value of `max`.
pub const fn at_least_one(value: u32, sentence: &'static str) -> Checked<u32> {
    Checked { value, fault: if value == 0 { Some(sentence) } else { None } }
}

/// The value of `factor`.
pub const fn growth(value: f64, sentence: &'static str) -> Checked<f64> {
    Checked { value, fault: if value >= 1.0 && value < f64::INFINITY { None } else { Some(sentence) } }
}

/// Two durations of which the first must not be above the second; a zero is a fault of its own.
pub const fn not_above(low: Duration, high: Duration, sentence: &'static str) -> Checked<()> {
    let wrong = !low.is_zero() && !high.is_zero() && low.as_nanos() > high.as_nanos();
    Checked { value: (), fault: if wrong { Some(sentence) } else { None } }
}
