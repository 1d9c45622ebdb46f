//! What the delays of many calls must look like together.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::story::{Chance, Law, Settings, Story};

const NANO: Duration = Duration::from_nanos(1);

/// Delays that are spread evenly over their bounds, by what drew them and what set the upper bound.
#[derive(Default)]
pub(crate) struct Chances(BTreeMap<String, Vec<Chance>>);

impl Chances {
    pub(crate) fn add(&mut self, settings: &Settings, told: &Story) {
        for chance in &told.chances {
            let bound = if chance.high == settings.cap { "cap" } else { "window" };
            let spread = width(chance);
            let name = match chance.law {
                Law::Backoff => format!("{:?}, {bound}", settings.strategy),
                Law::Spread if chance.left.is_some_and(|left| left.saturating_sub(chance.high) <= NANO) => {
                    "RA, deadline".into()
                }
                Law::Spread if spread == settings.cap => "RA, cap".into(),
                Law::Spread if spread == chance.low / 2 => "RA, half".into(),
                Law::Spread => "RA, window".into(),
                Law::Uneven => continue,
            };
            // On a few nanoseconds nothing is even.
            if spread >= Duration::from_micros(1) {
                self.0.entry(name).or_default().push(chance.clone());
            }
        }
    }

    /// Within five standard errors.
    pub(crate) fn assert_fair(&self) {
        let names: Vec<_> = self.0.keys().map(String::as_str).collect();
        assert_eq!(names.len(), 4 * 2 + 4, "{names:?}");
        self.0.iter().for_each(|(name, chances)| assert_even(name, chances));
        assert_given_up_as_often_as_it_must(self.0.values().flatten());
    }
}

/// Where the deadline is far: a tenth of the delays in each tenth of the bounds.
fn assert_even(name: &str, chances: &[Chance]) {
    let far = chances.iter().filter(|chance| chance.left.is_none_or(|left| chance.high < left));
    let places: Vec<_> = far.filter_map(|chance| Some(place(chance, chance.delay?))).collect();
    let count = size(places.iter());
    assert!(count >= 150.0, "{name}: {count} delays say nothing");
    for tenth in 0..10_u32 {
        let low = f64::from(tenth) / 10.0;
        let inside = size(places.iter().filter(|place| (low..low + 0.1).contains(*place)));
        let off = (inside - count / 10.0).abs();
        assert!(off <= 5.0 * (count * 0.09).sqrt(), "{name}: {inside} of {count} from {low}");
    }
}

/// Where the deadline lies within the bounds: the call gives up as often as the delay reaches it.
fn assert_given_up_as_often_as_it_must<'a>(chances: impl Iterator<Item = &'a Chance>) {
    let (mut expected, mut variance, mut found, mut count) = (0.0, 0.0, 0.0, 0_u32);
    for chance in chances {
        if let Some(left) = chance.left.filter(|left| chance.high >= *left) {
            let reaching = 1.0 - place(chance, left);
            expected += reaching;
            variance += reaching * (1.0 - reaching);
            found += f64::from(u8::from(chance.delay.is_none()));
            count += 1;
        }
    }
    assert!(count >= 100, "{count} deadlines say nothing");
    let off = f64::abs(found - expected);
    assert!(off <= 5.0 * f64::sqrt(variance), "gave up {found} times of {count}, not {expected}");
}

fn size<T>(items: impl Iterator<Item = T>) -> f64 {
    items.map(|_| 1.0).sum()
}

fn width(chance: &Chance) -> Duration {
    chance.high.saturating_sub(chance.low)
}

/// 0 at the lower bound, 1 at the upper.
fn place(chance: &Chance, delay: Duration) -> f64 {
    delay.saturating_sub(chance.low).as_secs_f64() / width(chance).as_secs_f64()
}
