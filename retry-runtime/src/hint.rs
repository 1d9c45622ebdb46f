//! How a server's hint and the backoff combine. Where the hint comes from is not known here.

use std::time::Duration;

use crate::random::between;

/// How the server's hint `RA` and the backoff combine into one delay.
///
/// A hint of zero means the backoff alone, in every mode. In `Floor` and `Replace` a hint above `retry_after_max`,
/// or one that reaches the deadline, ends the call; the setting `cap` bounds backoff and spread, never the hint.
///
/// ```
/// use retry_runtime::{Failure, Policy, RetryAfterMode, Run, Step};
/// use std::time::Duration;
///
/// let hint = Duration::from_secs(3);
/// let mut run = Run::start(Policy::new().retry_after_mode(RetryAfterMode::Replace));
/// assert_eq!(run.failed(Failure::new().retry_after(Some(hint))), Step::Wait(hint));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfterMode {
    /// `RA + U[0, min(cap, max(w, RA/2))]`, `w` being the window of the retry: never before the server's time, and
    /// clients that got the same hint do not return together. Where only the spread would pass the deadline, it is
    /// drawn from what the deadline leaves.
    #[default]
    Floor,
    /// `RA` alone: for servers that hand out individual times.
    Replace,
    /// `min(backoff, RA)`: for hints that mean the longest useful wait.
    Ceiling,
}

/// What a hint leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combined {
    /// Wait this long.
    Wait(Duration),
    /// The hint is above `retry_after_max`.
    TooLong,
    /// No attempt could begin before the deadline.
    PastDeadline,
}

/// Combines a hint above zero with the backoff, which is drawn only where the mode uses it.
///
/// `left` is what the deadline leaves; a delay is always below it.
pub(crate) fn combine(
    mode: RetryAfterMode,
    hint: Duration,
    window: Duration,
    cap: Duration,
    longest: Duration,
    left: Option<Duration>,
    backoff: impl FnOnce() -> Duration,
) -> Combined {
    let widest = match mode {
        RetryAfterMode::Ceiling => {
            let delay = backoff().min(hint);
            let late = left.is_some_and(|left| delay >= left);
            return if late { Combined::PastDeadline } else { Combined::Wait(delay) };
        }
        RetryAfterMode::Replace => Duration::ZERO,
        RetryAfterMode::Floor => cap.min(window.max(hint / 2)),
    };
    if hint > longest {
        return Combined::TooLong;
    }
    let spread = match left.map(|left| left.saturating_sub(hint)) {
        None => widest,
        Some(Duration::ZERO) => return Combined::PastDeadline,
        // One nanosecond short of it: the deadline itself is already too late.
        Some(room) => widest.min(room.saturating_sub(Duration::from_nanos(1))),
    };
    Combined::Wait(hint.saturating_add(between(Duration::ZERO, spread)))
}

#[cfg(test)]
mod tests {
    use super::RetryAfterMode::{Ceiling, Floor, Replace};
    use super::{Combined, Duration, RetryAfterMode, combine};
    use crate::random;

    const HINT: Duration = Duration::from_secs(5);
    const WINDOW: Duration = Duration::from_millis(100);
    const CAP: Duration = Duration::from_secs(8);
    const LONGEST: Duration = Duration::from_secs(60);

    fn with(mode: RetryAfterMode, hint: Duration, left: Option<Duration>) -> Combined {
        combine(mode, hint, WINDOW, CAP, LONGEST, left, || WINDOW)
    }

    /// Least and greatest of many delays, in milliseconds.
    fn range(hint: u64, window: u64, cap: u64, left: Option<Duration>) -> (u128, u128) {
        random::seed(7);
        let ms = Duration::from_millis;
        let delays: Vec<u128> = (0..10_000)
            .map(|_| match combine(Floor, ms(hint), ms(window), ms(cap), LONGEST, left, || unreachable!()) {
                Combined::Wait(delay) => {
                    assert!(delay >= ms(hint) && left.is_none_or(|left| delay < left), "{delay:?}");
                    delay.as_millis()
                }
                other => panic!("{other:?}"),
            })
            .collect();
        (delays.iter().copied().min().unwrap(), delays.iter().copied().max().unwrap())
    }

    #[test]
    fn the_floor_is_spread_upwards() {
        let near = |(least, greatest): (u128, u128), low: u128, high: u128| {
            let slack = (high - low) / 100;
            assert!(low <= least && least <= low + slack, "{least} above {low}");
            assert!(high - slack - 1 <= greatest && greatest <= high, "{greatest} below {high}");
        };
        near(range(5_000, 100, 8_000, None), 5_000, 7_500); // half the hint
        near(range(1_000, 4_000, 8_000, None), 1_000, 5_000); // the window
        near(range(5_000, 100, 200, None), 5_000, 5_200); // the cap
        near(range(5_000, 100, 8_000, Some(Duration::from_millis(5_400))), 5_000, 5_400); // the deadline
    }

    #[test]
    fn a_spread_of_which_nothing_is_left_is_none() {
        let tight = HINT + Duration::from_nanos(1);
        assert_eq!(with(Floor, HINT, Some(tight)), Combined::Wait(HINT));
        assert_eq!(combine(Floor, HINT, WINDOW, CAP, HINT, Some(tight), || WINDOW), Combined::Wait(HINT));
    }

    #[test]
    fn replace_is_the_hint_and_draws_nothing() {
        random::seed(7);
        assert_eq!(with(Replace, HINT, None), Combined::Wait(HINT));
        assert_eq!(with(Replace, LONGEST, None), Combined::Wait(LONGEST));
        assert_eq!(random::draws(), 0);
        assert_eq!(
            combine(Replace, HINT, WINDOW, CAP, LONGEST, None, || unreachable!()),
            Combined::Wait(HINT)
        );
    }

    #[test]
    fn the_ceiling_is_the_shorter_of_the_two() {
        assert_eq!(with(Ceiling, HINT, None), Combined::Wait(WINDOW));
        assert_eq!(with(Ceiling, Duration::from_millis(40), None), Combined::Wait(Duration::from_millis(40)));
        assert_eq!(with(Ceiling, Duration::MAX, None), Combined::Wait(WINDOW));
        assert_eq!(with(Ceiling, HINT, Some(WINDOW)), Combined::PastDeadline);
        assert_eq!(with(Ceiling, HINT, Some(WINDOW * 2)), Combined::Wait(WINDOW));
    }

    #[test]
    fn too_long_comes_before_the_deadline() {
        let above = LONGEST + Duration::from_nanos(1);
        for mode in [Floor, Replace] {
            assert_eq!(with(mode, above, Some(Duration::from_secs(1))), Combined::TooLong);
            assert_eq!(with(mode, Duration::MAX, None), Combined::TooLong);
            assert_eq!(with(mode, HINT, Some(HINT)), Combined::PastDeadline);
            assert_eq!(with(mode, HINT, Some(Duration::ZERO)), Combined::PastDeadline);
        }
    }

    #[test]
    fn the_largest_hint_saturates() {
        let endless = combine(Floor, Duration::MAX, WINDOW, Duration::MAX, Duration::MAX, None, || WINDOW);
        assert_eq!(endless, Combined::Wait(Duration::MAX));
    }
}
