//! Section 7 of the contract: what a budget holds, in exact arithmetic.

use std::time::Duration;

/// A token in the smallest parts that are needed: a thousandth of a token each second is one part each nanosecond.
pub(crate) const TOKEN: u128 = 1_000 * THOUSANDTH;
const THOUSANDTH: u128 = 1_000_000_000;
/// What a budget may miscount, where less than this has trickled in at a time.
pub(crate) const GRAIN: u128 = TOKEN / 1_000_000;

/// All amounts but the tokens held are thousandths of a token.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub(crate) ratio: u32,
    pub(crate) per_second: u32,
    pub(crate) capacity: u32,
    pub(crate) start: u32,
    held: u128,
    /// Up to when the trickle is counted; `None` before the first call.
    counted: Option<Duration>,
    rough: bool,
}

impl Bucket {
    /// It starts with so many tokens, and at most `capacity` are held.
    pub(crate) fn new(start: u32, ratio: u32, per_second: u32, capacity: u32) -> Self {
        let held = u128::from(start.min(capacity)) * THOUSANDTH;
        Self { ratio, per_second, capacity, start, held, counted: None, rough: false }
    }

    /// Every call deposits `ratio` of a token when it starts; the trickle begins with the first.
    pub(crate) fn call(&mut self, now: Duration) {
        self.held(now);
        self.counted = Some(now);
        self.add(u128::from(self.ratio) * THOUSANDTH);
    }

    /// Each retry takes a token; `false` where the budget is empty. Where the last token has hardly trickled in, it is
    /// as `seen`.
    pub(crate) fn take(&mut self, now: Duration, seen: bool) -> bool {
        let held = self.held(now);
        let open = self.rough && held.abs_diff(TOKEN) <= GRAIN;
        let granted = if open { seen } else { held >= TOKEN };
        if granted {
            self.held = held.saturating_sub(TOKEN);
        }
        granted
    }

    /// `per_second` tokens trickle in from the first call on.
    pub(crate) fn held(&mut self, now: Duration) -> u128 {
        if let Some(counted) = &mut self.counted {
            let parts = now.saturating_sub(*counted).as_nanos() * u128::from(self.per_second);
            *counted = now;
            self.rough |= parts % GRAIN != 0;
            self.add(parts);
        }
        self.held
    }

    fn add(&mut self, parts: u128) {
        self.held = (self.held + parts).min(u128::from(self.capacity) * THOUSANDTH);
    }
}
