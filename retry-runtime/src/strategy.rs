//! Every strategy side by side: its name, its formula, and when to use it. Nothing here knows hints or deadlines.
//!
//! `w = w(r)` is the window of retry `r`: `min(cap, base · factor^(r−1))`. `U[a, b]` is uniform. Every strategy
//! draws *inside* the capped window and does not clamp afterwards, so no delay is above `cap` and no single value
//! collects probability.

mod draw;
mod window;

use std::time::Duration;

use crate::random::{self, nanos};

pub use self::draw::Draw;
pub(crate) use self::window::{short, window};

/// How the delay of a retry is drawn.
///
/// ```
/// use retry_runtime::{Draw, Strategy};
/// use std::time::Duration;
///
/// // An own strategy starts from a named one.
/// fn at_least_10_ms(draw: &Draw) -> Duration {
///     retry_runtime::strategy::full(draw).max(Duration::from_millis(10))
/// }
/// let strategy = Strategy::Custom(at_least_10_ms);
/// # let _ = strategy;
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// `w`, see [`none`].
    None,
    /// `U[0, w]`, see [`full`].
    #[default]
    Full,
    /// `U[w/2, w]`, see [`equal`].
    Equal,
    /// `U[base, min(cap, 3·previous)]`, see [`decorrelated`].
    Decorrelated,
    /// `c + U[−base, base]`, see [`plus_minus`].
    PlusMinus,
    /// Retries at times that double, see [`smooth`].
    Smooth,
    /// A function of your own; a result above `cap` is cut to it.
    Custom(fn(&Draw) -> Duration),
}

impl Strategy {
    #[allow(clippy::inline_always, reason = "of the settings that a policy leaves out nothing remains")]
    #[inline(always)]
    pub(crate) fn delay(self, draw: &Draw) -> Duration {
        match self {
            Self::None => none(draw),
            Self::Full => draw.up_to_window(),
            // A copy: what others see of it need not lie in memory for these two.
            other => other.drawn(*draw),
        }
    }

    #[inline(never)]
    fn drawn(self, draw: Draw) -> Duration {
        let draw = &draw;
        match self {
            Self::None => none(draw),
            Self::Full => full(draw),
            Self::Equal => equal(draw),
            Self::Decorrelated => decorrelated(draw),
            Self::PlusMinus => plus_minus(draw),
            Self::Smooth => smooth(draw),
            Self::Custom(function) => function(draw).min(draw.cap),
        }
    }

    /// The largest delay that the retry can get, whatever was drawn before.
    pub(crate) const fn largest(self, draw: &Draw) -> Duration {
        match self {
            Self::None | Self::Full | Self::Equal => draw.window(),
            Self::Decorrelated => window(draw.base, draw.cap, 3.0, draw.retry.saturating_add(1)),
            Self::PlusMinus => match draw.centre() {
                Some(centre) => centre.saturating_add(draw.base),
                None => draw.cap,
            },
            Self::Smooth => least(rounded(draw.smooth_scale() * smooth_peak(draw.index())), draw.cap),
            Self::Custom(_) => draw.cap,
        }
    }

    /// What the next draw goes on from: the end of this one, for the strategy whose delays add up.
    #[inline]
    pub(crate) fn carry(self, draw: &Draw, delay: Duration) -> Option<f64> {
        if matches!(self, Self::Smooth) { Some(draw.ended(delay)) } else { None }
    }

    /// The smallest delay of the retry.
    pub(crate) fn smallest(self, draw: &Draw) -> Duration {
        match self {
            Self::None => draw.window(),
            Self::Equal => draw.window() / 2,
            Self::Decorrelated => draw.base.min(draw.cap),
            Self::PlusMinus => {
                draw.centre().map_or(Duration::ZERO, |centre| centre.saturating_sub(draw.base))
            }
            // F(i) − F(i) at worst: the second random number may be all that the first is not.
            Self::Smooth | Self::Full | Self::Custom(_) => Duration::ZERO,
        }
    }
}

/// `w`: no jitter. For tests and single clients: several clients stay in lockstep.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let second = Draw::new(2, Duration::from_millis(200), Duration::from_secs(10));
/// assert_eq!(strategy::none(&second), Duration::from_millis(400));
/// ```
#[inline]
#[must_use]
pub fn none(draw: &Draw) -> Duration {
    draw.window()
}

/// `U[0, w]`: the default, the widest spread.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let second = Draw::new(2, Duration::from_millis(200), Duration::from_secs(10));
/// assert!(strategy::full(&second) <= Duration::from_millis(400));
/// ```
#[inline]
#[must_use]
pub fn full(draw: &Draw) -> Duration {
    draw.up_to_window()
}

/// `U[w/2, w]`: for few attempts and a minimum wait.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let second = Draw::new(2, Duration::from_millis(200), Duration::from_secs(10));
/// assert!(strategy::equal(&second) >= Duration::from_millis(200));
/// ```
#[must_use]
pub fn equal(draw: &Draw) -> Duration {
    let window = draw.window();
    random::between(window / 2, window)
}

/// `U[base, min(cap, 3·previous)]`, `previous` being the last delay drawn, `base` before the first: for long chains
/// of retries. `factor` has no part in it.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let (base, cap) = (Duration::from_millis(200), Duration::from_secs(10));
/// let second = Draw::new(2, base, cap).after(Duration::from_millis(500));
/// assert!((base..=Duration::from_millis(1_500)).contains(&strategy::decorrelated(&second)));
/// ```
#[must_use]
pub fn decorrelated(draw: &Draw) -> Duration {
    random::between(draw.base.min(draw.cap), draw.previous.saturating_mul(3).min(draw.cap))
}

/// `c + U[−base, base]` with `c = min(base · factor^(r−1), cap − base)`; where `cap < 2·base`, `U[0, cap]`. A small
/// spread of fixed width, for rate limits; not for many clients that fail together.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let third = Draw::new(3, Duration::from_millis(200), Duration::from_secs(10));
/// let delay = strategy::plus_minus(&third);
/// assert!((Duration::from_millis(600)..=Duration::from_millis(1_000)).contains(&delay));
/// ```
#[must_use]
pub fn plus_minus(draw: &Draw) -> Duration {
    match draw.centre() {
        Some(centre) => random::between(centre.saturating_sub(draw.base), centre.saturating_add(draw.base)),
        None => random::between(Duration::ZERO, draw.cap),
    }
}

/// `base/1.4 · (F(i+U_i) − F(i−1+U_{i−1}))` with `F(t) = 2^t · tanh √(4t)`, `i = r−1`, each `U_i` uniform over
/// `[0, 1)`, the second term 0 at `i` = 0: the exponential backoff with jitter of Polly, where the times of the retries
/// double, not only the gaps.
///
/// Within one call each delay goes on from the number that the one before drew, so that the delays add up to
/// `base/1.4 · F(i+U_i)`. A draw on its own, or after a wait that the server asked for, draws that number too.
///
/// Once the largest possible value, `base/1.4 · (F(i+1) − F(i−1))`, exceeds `cap`, delays are scaled by
/// `cap ÷ largest`. `factor` has no part in it.
///
/// ```
/// use retry_runtime::{Draw, strategy};
/// use std::time::Duration;
///
/// let tenth = Draw::new(10, Duration::from_millis(200), Duration::from_secs(10));
/// assert!(strategy::smooth(&tenth) <= Duration::from_secs(10));
/// ```
#[must_use]
pub fn smooth(draw: &Draw) -> Duration {
    let draw = match draw.carry {
        None if draw.index() > 0 => draw.carrying(Some(smooth_term(draw.index() - 1, random::unit()))),
        _ => *draw,
    };
    smooth_of(&draw, random::unit())
}

/// `smooth` for a given random number.
pub(crate) fn smooth_of(draw: &Draw, chance: f64) -> Duration {
    let drawn = smooth_term(draw.index(), chance) - draw.subtracted();
    rounded(draw.smooth_unit() * drawn).min(Strategy::Smooth.largest(draw))
}

/// `F(i+U) / 2^i`: F itself would overflow.
pub(crate) fn smooth_term(index: u32, chance: f64) -> f64 {
    chance.exp2() * (4.0 * (f64::from(index) + chance)).sqrt().tanh()
}

/// `(F(i+1) − F(i−1)) / 2^i`, the second term 0 at `i` = 0.
const fn smooth_peak(index: u32) -> f64 {
    let subtracted = if index == 0 { 0.0 } else { 0.5 * tanh_of_twice_the_root(index - 1) };
    2.0 * tanh_of_twice_the_root(index.saturating_add(1)) - subtracted
}

/// `tanh √(4t)` at whole `t`, which no constant expression can compute; beyond the table it is 1 within 10⁻¹⁰.
const fn tanh_of_twice_the_root(t: u32) -> f64 {
    #[rustfmt::skip]
    const TABLE: [f64; 36] = [
        0.0, 0.964_027_580_075_816_9, 0.993_037_345_405_869_2, 0.998_042_398_598_199_1,
        0.999_329_299_739_067, 0.999_739_069_169_593_8, 0.999_888_876_387_919_5, 0.999_949_315_144_822_9,
        0.999_975_591_363_242_3, 0.999_987_711_650_795_6, 0.999_993_579_192_507_5, 0.999_996_536_925_267_1,
        0.999_998_080_143_741_1, 0.999_998_909_700_868_1, 0.999_999_367_434_891_2, 0.999_999_625_916_346_2,
        0.999_999_774_929_675_8, 0.999_999_862_449_593, 0.999_999_914_727_652_2, 0.999_999_946_439_212_9,
        0.999_999_965_948_667, 0.999_999_978_108_241_8, 0.999_999_985_778_570_2, 0.999_999_990_671_381_7,
        0.999_999_993_825_085_3, 0.999_999_995_877_692_7, 0.999_999_997_225_876_2, 0.999_999_998_119_000_4,
        0.999_999_998_715_457_6, 0.999_999_999_116_837_7, 0.999_999_999_388_896_7, 0.999_999_999_574_565_5,
        0.999_999_999_702_102, 0.999_999_999_790_249_7, 0.999_999_999_851_533_3, 0.999_999_999_894_379_8,
    ];
    if (t as usize) < TABLE.len() { TABLE[t as usize] } else { 1.0 }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, and what is below zero is zero"
)]
const fn rounded(nanoseconds: f64) -> Duration {
    nanos((nanoseconds + 0.5) as u128)
}

const fn least(a: Duration, b: Duration) -> Duration {
    if a.as_nanos() < b.as_nanos() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{Draw, Duration, Strategy};
    use crate::random;

    const BASE: Duration = Duration::from_millis(200);
    const CAP: Duration = Duration::from_secs(10);
    const NAMED: [Strategy; 6] = [
        Strategy::None,
        Strategy::Full,
        Strategy::Equal,
        Strategy::Decorrelated,
        Strategy::PlusMinus,
        Strategy::Smooth,
    ];

    #[test]
    fn delays_come_near_the_largest_and_never_above() {
        random::seed(1);
        for strategy in NAMED {
            let mut previous = BASE;
            for retry in (1..=12).chain([64, 2_000, u32::MAX]) {
                let draw = Draw::new(retry, BASE, CAP).after(previous);
                let largest = strategy.largest(&draw);
                let greatest = (0..2_000).map(|_| strategy.delay(&draw)).max().unwrap_or_default();
                assert!(greatest <= largest, "{strategy:?}, retry {retry}: {greatest:?} of {largest:?}");
                assert!(
                    greatest >= largest.mul_f64(0.9),
                    "{strategy:?}, retry {retry}: {greatest:?} of {largest:?}"
                );
                previous = largest;
            }
        }
    }

    #[test]
    fn the_largest_delays_in_constants() {
        const fn first_three(strategy: Strategy) -> [u128; 3] {
            [
                strategy.largest(&Draw::new(1, BASE, CAP)).as_nanos(),
                strategy.largest(&Draw::new(2, BASE, CAP)).as_nanos(),
                strategy.largest(&Draw::new(3, BASE, CAP)).as_nanos(),
            ]
        }
        const SMOOTH: [u128; 3] = first_three(Strategy::Smooth);
        const DECORRELATED: [u128; 3] = first_three(Strategy::Decorrelated);
        // 200/1.4 · F(1), F(2) and F(3) − F(1), with 50 digits
        assert_eq!(SMOOTH, [275_436_451, 567_449_912, 865_183_433]);
        assert_eq!(DECORRELATED, [600_000_000, 1_800_000_000, 5_400_000_000]);
        assert_eq!(first_three(Strategy::PlusMinus), [400_000_000, 600_000_000, 1_000_000_000]);
        assert_eq!(first_three(Strategy::Custom(|_| BASE)), [10_000_000_000; 3]);
    }
}
