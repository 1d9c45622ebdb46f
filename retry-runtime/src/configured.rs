//! A policy in a configuration file, with the feature `serde`: the attribute's own keys, checked like a builder's.

use std::time::Duration;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hint::RetryAfterMode;
use crate::policy::Policy;
use crate::strategy::Strategy;

/// The keys of a file. What is left out keeps its default.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Max>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_after_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_mode: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_max_ms: Option<Millis>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    None,
    Full,
    Equal,
    Decorrelated,
    PlusMinus,
    Smooth,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Floor,
    Replace,
    Ceiling,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Max {
    Retries(u32),
    Word(Unlimited),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Unlimited {
    Unlimited,
}

/// Milliseconds; a whole number where it is one.
#[derive(Clone, Copy)]
struct Millis(Duration);

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        // A millisecond has a million parts, so that a whole number of nanoseconds stays one.
        let length = Duration::try_from_secs_f64((millis * 1e6).round() / 1e9).map_err(D::Error::custom)?;
        Ok(Self(length))
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0.as_millis()) {
            Ok(millis) if Duration::from_millis(millis) == self.0 => serializer.serialize_u64(millis),
            _ => serializer.serialize_f64(self.0.as_secs_f64() * 1e3),
        }
    }
}

/// A map of the attribute's keys: `strategy`, `base_ms`, `cap_ms`, `factor`, `max` (a number or `"unlimited"`; zero is
/// one attempt), `deadline_ms`, `reset_after_ms`, `retry_after_mode`, `retry_after_max_ms`. What is left out keeps its
/// default; an unknown key is an error, and so is a setting that can never be right.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use retry_runtime::Policy;
///
/// let policy: Policy = serde_json::from_str(r#"{ "strategy": "equal", "base_ms": 50, "max": 8 }"#).unwrap();
/// assert_eq!(policy.get_max(), Some(8));
/// assert!(serde_json::from_str::<Policy>(r#"{ "base_ms": 20000 }"#).is_err());
/// # }
/// ```
impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let settings = Settings::deserialize(deserializer)?;
        let mut builder = Self::builder();
        if let Some(name) = settings.strategy {
            builder = builder.strategy(match name {
                Name::None => Strategy::None,
                Name::Full => Strategy::Full,
                Name::Equal => Strategy::Equal,
                Name::Decorrelated => Strategy::Decorrelated,
                Name::PlusMinus => Strategy::PlusMinus,
                Name::Smooth => Strategy::Smooth,
            });
        }
        if let Some(mode) = settings.retry_after_mode {
            builder = builder.retry_after_mode(match mode {
                Mode::Floor => RetryAfterMode::Floor,
                Mode::Replace => RetryAfterMode::Replace,
                Mode::Ceiling => RetryAfterMode::Ceiling,
            });
        }
        builder = settings.base_ms.map_or(builder, |base| builder.base(base.0));
        builder = settings.cap_ms.map_or(builder, |cap| builder.cap(cap.0));
        builder = settings.factor.map_or(builder, |factor| builder.factor(factor));
        builder = settings.deadline_ms.map_or(builder, |limit| builder.deadline(limit.0));
        builder = settings.reset_after_ms.map_or(builder, |length| builder.reset_after(length.0));
        builder = settings.retry_after_max_ms.map_or(builder, |longest| builder.retry_after_max(longest.0));
        builder = match settings.max {
            Some(Max::Retries(max)) => builder.max(max),
            Some(Max::Word(Unlimited::Unlimited)) => builder.unlimited(),
            None => builder,
        };
        builder.build().map_err(D::Error::custom)
    }
}

/// All settings, as `Deserialize` reads them; a strategy of your own and a point in time (`until`) cannot be written,
/// and `within` is written as the deadline that it makes.
impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let strategy = match self.strategy {
            Strategy::None => Name::None,
            Strategy::Full => Name::Full,
            Strategy::Equal => Name::Equal,
            Strategy::Decorrelated => Name::Decorrelated,
            Strategy::PlusMinus => Name::PlusMinus,
            Strategy::Smooth => Name::Smooth,
            Strategy::Custom(_) => {
                return Err(S::Error::custom("a strategy of your own cannot be written to a file"));
            }
        };
        if self.until.is_some() {
            return Err(S::Error::custom("a point in time, as `until` sets it, cannot be written to a file"));
        }
        let settings = Settings {
            strategy: Some(strategy),
            base_ms: Some(Millis(self.base)),
            cap_ms: Some(Millis(self.cap)),
            factor: Some(self.factor),
            max: Some(self.max.map_or(Max::Word(Unlimited::Unlimited), Max::Retries)),
            deadline_ms: self.fixed_limit().map(Millis),
            reset_after_ms: self.reset_after.map(Millis),
            retry_after_mode: Some(match self.retry_after_mode {
                RetryAfterMode::Floor => Mode::Floor,
                RetryAfterMode::Replace => Mode::Replace,
                RetryAfterMode::Ceiling => Mode::Ceiling,
            }),
            retry_after_max_ms: Some(Millis(self.retry_after_max)),
        };
        settings.serialize(serializer)
    }
}
