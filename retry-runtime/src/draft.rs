//! `Draft`: how generated code writes a policy. Setters without checks, since the attribute has made its own.

use std::time::Duration;

use crate::count::Plain;
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

    /// The policy of a function whose calls only count.
    #[must_use]
    pub const fn plain(self) -> Plain {
        Plain::new(self.done())
    }
}

/// A constant of the user's, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Checked<T> {
    pub value: T,
    fault: Option<&'static str>,
}

impl<T: Copy> Checked<T> {
    /// Fails where the value is wrong. Evaluated while compiling, so it is an error at the caller's place.
    #[track_caller]
    pub const fn hold(self) {
        if let Some(fault) = self.fault {
            panic!("{}", fault);
        }
    }
}

/// A duration that may be anything.
#[must_use]
pub const fn any_length(value: Duration) -> Duration {
    value
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

/// Two durations of the user's, and whether they cannot stand together; a zero is a fault of its own.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Compared {
    first: Duration,
    second: Duration,
    is_wrong: bool,
    sentence: &'static str,
}

impl Compared {
    const fn new(first: Duration, second: Duration, is_wrong: bool, sentence: &'static str) -> Self {
        let is_wrong = is_wrong && !first.is_zero() && !second.is_zero();
        Self { first, second, is_wrong, sentence }
    }

    /// Fails where they cannot stand together, with both values in the sentence.
    #[track_caller]
    pub const fn hold(self) {
        if self.is_wrong {
            let sentence = Sentence::filled(self.sentence, self.first, self.second);
            panic!("{}", sentence.text());
        }
    }
}

/// The first must not be above the second.
pub const fn not_above(low: Duration, high: Duration, sentence: &'static str) -> Compared {
    Compared::new(low, high, low.as_nanos() > high.as_nanos(), sentence)
}

/// The first must be below the second.
pub const fn below(low: Duration, high: Duration, sentence: &'static str) -> Compared {
    Compared::new(low, high, low.as_nanos() >= high.as_nanos(), sentence)
}

/// The first delay, `base` or half of it, must be below the deadline; a `base` above `cap` is a fault of its own.
pub const fn reachable(
    base: Duration,
    cap: Duration,
    halved: bool,
    deadline: Duration,
    sentence: &'static str,
) -> Compared {
    let first = match base.checked_div(2) {
        Some(half) if halved => half,
        _ => base,
    };
    let is_wrong = first.as_nanos() >= deadline.as_nanos() && base.as_nanos() <= cap.as_nanos();
    Compared::new(first, deadline, is_wrong, sentence)
}

/// A sentence with two durations in it, made while compiling.
struct Sentence {
    bytes: [u8; 320],
    length: usize,
}

impl Sentence {
    /// Writes the durations in the places of the two `{}`.
    const fn filled(sentence: &str, first: Duration, second: Duration) -> Self {
        let from = sentence.as_bytes();
        let mut filled = Self { bytes: [0; 320], length: 0 };
        let (mut at, mut next) = (0, first);
        while at < from.len() {
            if from[at] == b'{' {
                filled.duration(next);
                next = second;
                at += 1;
            } else {
                filled.byte(from[at]);
            }
            at += 1;
        }
        filled
    }

    const fn byte(&mut self, byte: u8) {
        if self.length < self.bytes.len() {
            self.bytes[self.length] = byte;
            self.length += 1;
        }
    }

    /// In the largest unit that needs no fraction.
    const fn duration(&mut self, duration: Duration) {
        let nanos = duration.as_nanos();
        let (number, unit) = match nanos {
            nanos if nanos % 1_000_000_000 == 0 => (nanos / 1_000_000_000, "s"),
            nanos if nanos % 1_000_000 == 0 => (nanos / 1_000_000, "ms"),
            nanos if nanos % 1_000 == 0 => (nanos / 1_000, "us"),
            nanos => (nanos, "ns"),
        };
        self.number(number);
        let mut at = 0;
        while at < unit.len() {
            self.byte(unit.as_bytes()[at]);
            at += 1;
        }
    }

    const fn number(&mut self, number: u128) {
        if number >= 10 {
            self.number(number / 10);
        }
        #[allow(clippy::cast_possible_truncation, reason = "a digit")]
        self.byte(b'0' + (number % 10) as u8);
    }

    const fn text(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "two settings contradict each other",
        }
    }
}
