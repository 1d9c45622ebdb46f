//! Durations: milliseconds, texts with a unit, constants.

use std::time::Duration;

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Expr, Lit, Token};

use super::{
    Asked, Length, Timeout, Unit, Value, any, expression, is_literal, is_no_constant, is_none, is_odd_number,
    literal,
};
use crate::fault::Faults;

pub(crate) fn length(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Length> {
    let expr = expression(asked, input, faults)?;
    if is_none(asked, &expr, faults) || is_odd_number(asked, &expr, faults) {
        return None;
    }
    let written = asked.key.to_string();
    match written.strip_suffix("_ms") {
        Some(bare) => milliseconds(asked, bare, expr, faults),
        None => with_unit(asked, expr, faults),
    }
}

fn milliseconds(asked: &Asked<'_>, bare: &str, expr: Expr, faults: &mut Faults) -> Option<Length> {
    let unit = Unit::Milliseconds;
    let value = match literal(&expr) {
        Some(Lit::Int(number)) => {
            let Ok(ms) = number.base10_parse() else {
                faults.out_of_range(&expr, asked.key, "a `u64`, at most 18_446_744_073_709_551_615");
                return None;
            };
            Value::Known(Duration::from_millis(ms), expr)
        }
        Some(Lit::Str(_)) => {
            faults.text_for_ms(&expr, asked.key, bare);
            return None;
        }
        Some(Lit::Float(_)) => {
            faults.fraction_for_ms(&expr, asked.key, bare);
            return None;
        }
        _ if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            return None;
        }
        _ => Value::Constant(expr),
    };
    Some(Length { value, unit })
}

fn with_unit(asked: &Asked<'_>, expr: Expr, faults: &mut Faults) -> Option<Length> {
    let unit = Unit::Duration;
    let value = match literal(&expr) {
        Some(Lit::Str(text)) => match duration(&text.value()) {
            Ok(duration) => Value::Known(duration, expr),
            Err(NoDuration::TooLong) => {
                faults.too_long(&expr, asked.key);
                return None;
            }
            Err(NoDuration::Unreadable) => {
                faults.no_duration(&expr, asked.key);
                return None;
            }
        },
        Some(Lit::Int(_)) => {
            faults.no_unit(&expr, asked.key, true);
            return None;
        }
        Some(Lit::Float(_)) => {
            faults.no_unit(&expr, asked.key, false);
            return None;
        }
        _ if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            return None;
        }
        _ => Value::Constant(expr),
    };
    Some(Length { value, unit })
}

/// Why a text is no duration.
enum NoDuration {
    Unreadable,
    TooLong,
}

/// `"1.5s"`: digits, perhaps a point and more digits, a unit. Rounded to the nearest nanosecond.
fn duration(text: &str) -> Result<Duration, NoDuration> {
    let (whole, fraction, nanos_per_unit) = parts(text).ok_or(NoDuration::Unreadable)?;
    let too_long = |_| NoDuration::TooLong;
    // Only digits are left: a number that cannot be read is too large.
    let whole: u64 = whole.parse().map_err(|_| NoDuration::TooLong)?;
    let fraction = fraction.get(..15).unwrap_or(fraction);
    let part: u128 = fraction.parse().unwrap_or(0);
    let scale: u128 = fraction.chars().fold(1, |scale, _| scale * 10);
    let nanos = u128::from(whole) * nanos_per_unit + (part * nanos_per_unit + scale / 2) / scale;
    let seconds = u64::try_from(nanos / 1_000_000_000).map_err(too_long)?;
    Ok(Duration::new(seconds, u32::try_from(nanos % 1_000_000_000).map_err(too_long)?))
}

/// The digits before and behind the point, and the nanoseconds of the unit.
fn parts(text: &str) -> Option<(&str, &str, u128)> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(split);
    let nanos_per_unit = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60 * 1_000_000_000,
        "h" => 3_600 * 1_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (number, ""),
    };
    (!whole.is_empty() && !fraction.contains('.')).then_some((whole, fraction, nanos_per_unit))
}

pub(crate) fn timeout(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Timeout> {
    let ahead = input.fork();
    let is_word = ahead.parse::<Ident>().is_ok_and(|word| word == "deadline");
    if is_word && (ahead.is_empty() || ahead.peek(Token![,])) {
        return any(asked, input, faults).map(Timeout::Deadline);
    }
    length(asked, input, faults).map(Timeout::Length)
}
