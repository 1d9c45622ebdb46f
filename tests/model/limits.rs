//! Calls in a row that share a budget, are called off, cut, and bound from outside, against the model.

use std::time::Duration;

use crate::cases::{Turn, budget, bucket, policy, settings, turns};
use crate::model::bucket::{Bucket, GRAIN, TOKEN};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use retry_runtime::testing::VirtualTime;
use retry_runtime::{
    Budget, CancelToken, Policy, retry, with_deadline, with_deadline_blocking, without_retries,
    without_retries_blocking,
};
use crate::stage::{Fault, Seen, Stage, hint_of, is_soft};
use crate::story::{Around, Settings, Story};
use crate::support::block_on;
use crate::{check, model};

/// What the keys of a call are given.
struct Hand<'a> {
    policy: Policy,
    budget: &'a Budget,
    token: CancelToken,
}

/// The layers around a blocking call.
fn within<R>(turn: &Turn, call: impl FnOnce() -> R) -> R {
    let bounded = || match turn.deadline {
        Some(limit) => with_deadline_blocking(limit, call),
        None => call(),
    };
    if turn.single { without_retries_blocking(bounded) } else { bounded() }
}

/// The layers around an async call.
async fn within_later<F: Future>(turn: &Turn, call: F) -> F::Output {
    let bounded = async {
        match turn.deadline {
            Some(limit) => with_deadline(limit, call).await,
            None => call.await,
        }
    };
    if turn.single { without_retries(bounded).await } else { bounded.await }
}

/// One of the four functions with the same keys.
struct Kind {
    watched: bool,
    call: fn(&Stage<'_>, &Hand<'_>, &Turn) -> Result<u32, Fault>,
}

/// Calls in a row, by one kind of function.
fn go(
    keys: &[&str],
    kind: &Kind,
    seed: u64,
    settings: &Settings,
    mut bucket: Bucket,
    turns: &[Turn],
) -> Result<(), TestCaseError> {
    let time = VirtualTime::seeded(seed);
    let budget = budget(&bucket);
    for turn in turns {
        time.advance(turn.gap);
        let hand = Hand { policy: policy(settings), budget: &budget, token: CancelToken::new() };
        let mut start = Duration::ZERO;
        let seen = Stage::play_next(&time, &turn.script, |stage| {
            stage.later();
            start = stage.began();
            let token = hand.token.clone();
            match turn.fires {
                Some(Duration::ZERO) => token.cancel(),
                Some(fires) => time.at(start + fires, move || token.cancel()),
                None => {}
            }
            (kind.call)(stage, &hand, turn)
        });
        let around = Around {
            budget: keys.contains(&"budget").then_some((&mut bucket, start)),
            fires: turn.fires.filter(|_| keys.contains(&"cancel")),
            deadline: turn.deadline,
            single: turn.single,
        };
        let told = model::call_in(around, settings, &turn.script, &seen.steps);
        as_told(kind, &seen, told)?;
        prop_assert_eq!(hand.token.waiting(), 0, "no registration outlives the wait");
        let (held, must) = (budget.available(), in_tokens(bucket.held(time.elapsed())));
        prop_assert!((held - must).abs() < in_tokens(2 * GRAIN), "{held} tokens, not {must}");
    }
    Ok(())
}

fn as_told(kind: &Kind, seen: &Seen, told: Story) -> Result<(), TestCaseError> {
    let mut steps = told.steps();
    if steps.len() > 1 && steps.ends_with(&[retry_runtime::Step::GiveUp(retry_runtime::StopReason::Cancelled)]) && seen.steps.len() + 1 == steps.len() { steps.pop(); }
    prop_assert_eq!(&seen.steps, &steps);
    prop_assert_eq!(&seen.waits, &told.waits);
    let told = if kind.watched { told.settle(&seen.events).events } else { told.outline() };
    prop_assert_eq!(&seen.events, &told);
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "compared with a number of the same kind")]
fn in_tokens(parts: u128) -> f64 {
    parts as f64 / TOKEN as f64
}

/// Functions with these keys, blocking and async, watched and alone.
macro_rules! limited {
    ($($name:ident: [$($key:ident = $value:ident),*];)*) => {$(
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
                Kind { watched: true, call: |stage, hand, turn| within(turn, || watched(stage, hand)) },
                Kind {
                    watched: true,
                    call: |stage, hand, turn| block_on(within_later(turn, watched_later(stage, hand))),
                },
                Kind { watched: false, call: |stage, hand, turn| within(turn, || alone(stage, hand)) },
                Kind {
                    watched: false,
                    call: |stage, hand, turn| block_on(within_later(turn, alone_later(stage, hand))),
                },
            ];
            check(300, &(settings(), bucket(), turns(), any::<u64>()), |(settings, bucket, turns, seed)| {
                for kind in &kinds {
                    go(&[$(stringify!($key)),*], kind, seed, &settings, bucket.clone(), &turns)?;
                }
                Ok(())
            });
        }
    )*};
}

limited! {
    with_layers_around: [];
    with_a_budget: [budget = budget];
    with_a_token: [cancel = token];
    with_both: [budget = budget, cancel = token];
}
