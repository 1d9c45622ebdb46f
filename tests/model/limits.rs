//! Calls in a row that share a budget, are called off, and bound from outside.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use retry_runtime::testing::VirtualTime;
use retry_runtime::{Budget, CancelToken, Policy, retry};

use crate::cases::{Turn, bucket, budget, policy, settings, turns};
use crate::model::bucket::{Bucket, GRAIN, TOKEN};
use crate::stage::{Fault, Seen, Stage, hint_of, is_soft};
use crate::story::{Around, Event, Settings, Story};
use crate::support::block_on;
use crate::{check, model};

/// What the keys of a call are given.
pub(crate) struct Hand<'a> {
    pub(crate) policy: Policy,
    pub(crate) budget: &'a Budget,
    pub(crate) token: CancelToken,
}

/// What the model says of this turn, in functions with these keys.
pub(crate) fn tell(
    keys: &[&str],
    settings: &Settings,
    bucket: &mut Bucket,
    start: Duration,
    turn: &Turn,
    seen: &Seen,
) -> Story {
    let around = Around {
        budget: keys.contains(&"budget").then_some((bucket, start)),
        fires: turn.fires.filter(|_| keys.contains(&"cancel")),
        ..turn.layers.around()
    };
    model::call_in(around, settings, &turn.script, &seen.steps)
}

pub(crate) fn holds(budget: &Budget, bucket: &mut Bucket, now: Duration) -> Result<(), TestCaseError> {
    let (held, must) = (budget.available(), in_tokens(bucket.held(now)));
    prop_assert!((held - must).abs() < in_tokens(2 * GRAIN), "{held} tokens, not {must}");
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "compared with a number of the same kind")]
fn in_tokens(parts: u128) -> f64 {
    parts as f64 / TOKEN as f64
}

/// How often the calls of a test gave up, and why: what never happens is not tested.
#[derive(Default)]
pub(crate) struct Reasons(RefCell<BTreeMap<String, u32>>);

impl Reasons {
    pub(crate) fn add(&self, told: &Story) {
        let count = |reason| *self.0.borrow_mut().entry(reason).or_default() += 1;
        if let [.., before, Event::GaveUp { reason, .. }, _] = &told.events[..] {
            count(format!("{reason:?}"));
            if matches!(before, Event::Retrying { .. }) {
                count("Cancelled, waiting".into());
            }
        }
        told.events
            .iter()
            .filter(|event| matches!(event, Event::Cut { .. }))
            .for_each(|_| count("cut".into()));
    }

    pub(crate) fn assert_each(&self, least: u32, names: &[&str]) {
        let counts = self.0.borrow();
        let rare = names.iter().filter(|name| counts.get(**name).is_none_or(|count| *count < least));
        assert_eq!(rare.collect::<Vec<_>>(), Vec::<&&str>::new(), "{counts:?}");
    }
}

/// One of the four functions with the same keys.
struct Kind {
    watched: bool,
    call: fn(&Stage<'_>, &Hand<'_>, &Turn) -> Result<u32, Fault>,
}

/// Calls in a row, by all kinds of functions in turn.
struct Sequence<'a> {
    keys: &'a [&'a str],
    kinds: &'a [Kind; 4],
    settings: &'a Settings,
    reasons: &'a Reasons,
}

impl Sequence<'_> {
    fn go(
        &self,
        first: usize,
        time: &VirtualTime,
        bucket: &mut Bucket,
        turns: &[Turn],
    ) -> Result<(), TestCaseError> {
        let budget = budget(bucket);
        for (turn, kind) in turns.iter().zip(self.kinds.iter().cycle().skip(first)) {
            time.advance(turn.gap);
            let hand = Hand { policy: policy(self.settings), budget: &budget, token: CancelToken::new() };
            let mut start = Duration::ZERO;
            let seen = Stage::play_next(time, &turn.script, |stage| {
                start = stage.began();
                let token = hand.token.clone();
                match turn.fires {
                    Some(Duration::ZERO) => token.cancel(),
                    Some(fires) => time.at(start + fires, move || token.cancel()),
                    None => {}
                }
                (kind.call)(stage, &hand, turn)
            });
            let told = tell(self.keys, self.settings, bucket, start, turn, &seen);
            self.reasons.add(&told);
            prop_assert_eq!(&seen.steps, &told.steps());
            prop_assert_eq!(&seen.waits, &told.waits);
            let told = if kind.watched { told.settle(&seen.events).events } else { told.outline() };
            prop_assert_eq!(&seen.events, &told);
            prop_assert_eq!(hand.token.waiting(), 0, "no registration outlives the wait");
            holds(&budget, bucket, time.elapsed())?;
        }
        Ok(())
    }
}

/// Functions with these keys, blocking and async, watched and alone.
macro_rules! limited {
    ($($name:ident: [$($key:ident = $value:ident),*], $reasons:expr;)*) => {$(
        #[test]
        fn $name() {
            #[retry($($key = hand.$value,)* policy = hand.policy, on = is_soft, retry_after = hint_of)]
            fn alone(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin(None)
            }

            #[retry($($key = hand.$value,)* policy = hand.policy, on = is_soft, retry_after = hint_of)]
            async fn alone_later(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin_later(None).await
            }

            #[retry(
                $($key = hand.$value,)*
                policy = hand.policy,
                on = |fault| stage.asked(fault, now),
                retry_after = hint_of,
                attempt = now,
                on_retry = |event| stage.retrying(event),
                on_give_up = |event| stage.gave_up(event),
            )]
            fn watched(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin(Some(now))
            }

            #[retry(
                $($key = hand.$value,)*
                policy = hand.policy,
                on = |fault| stage.asked(fault, now),
                retry_after = hint_of,
                attempt = now,
                on_retry = |event| stage.retrying(event),
                on_give_up = |event| stage.gave_up(event),
            )]
            async fn watched_later(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin_later(Some(now)).await
            }

            let kinds = [
                Kind { watched: true, call: |stage, hand, turn| turn.layers.within(|| watched(stage, hand)) },
                Kind {
                    watched: true,
                    call: |stage, hand, turn| block_on(turn.layers.within_later(watched_later(stage, hand))),
                },
                Kind { watched: false, call: |stage, hand, turn| turn.layers.within(|| alone(stage, hand)) },
                Kind {
                    watched: false,
                    call: |stage, hand, turn| block_on(turn.layers.within_later(alone_later(stage, hand))),
                },
            ];
            let (keys, reasons) = (&[$(stringify!($key)),*][..], Reasons::default());
            check(250, &(settings(), bucket(), turns(), any::<u64>()), |(settings, bucket, turns, seed)| {
                let sequence = Sequence { keys, kinds: &kinds, settings: &settings, reasons: &reasons };
                for first in 0..4 {
                    sequence.go(first, &VirtualTime::seeded(seed), &mut bucket.clone(), &turns)?;
                }
                Ok(())
            });
            reasons.assert_each(40, $reasons);
        }
    )*};
}

limited! {
    with_layers_around: [], &["Off", "MaxRetries", "RetryAfterTooLong", "Deadline"];
    with_a_budget: [budget = budget], &["Off", "MaxRetries", "RetryAfterTooLong", "Deadline", "Budget"];
    with_a_token: [cancel = token], &["Off", "Cancelled", "Cancelled, waiting", "MaxRetries", "Deadline"];
    with_both: [budget = budget, cancel = token], &["Off", "Cancelled", "Cancelled, waiting", "MaxRetries", "Deadline", "Budget"];
}
