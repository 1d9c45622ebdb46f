//! Attempts that are cut, on tokio's paused clock, in calls that share a budget, are called off, and bound from outside.

use std::pin::Pin;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use retry_runtime::{CancelToken, RetryAfterMode, Strategy as Named, retry};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

use crate::cases::{Turn, bucket, budget, policy, settings, turns};
use crate::check;
use crate::limits::{Hand, Reasons, holds, tell};
use crate::model::bucket::Bucket;
use crate::stage::{Fault, Stage, hint_of, is_soft};
use crate::story::{Ends, Settings, Timeout};
use crate::support::ms;

/// The timer counts milliseconds. On even ones everything but tokens happens, so that no two race.
fn even(length: Duration) -> Duration {
    ms(u64::try_from(length.as_millis()).expect("not that long") / 2 * 2)
}

fn even_settings() -> impl Strategy<Value = Settings> {
    let above_zero = |length| even(length).max(ms(2));
    settings().prop_map(move |settings| Settings {
        strategy: Named::None,
        base: above_zero(settings.base),
        cap: above_zero(settings.cap),
        eighths: settings.eighths / 8 * 8,
        deadline: settings.deadline.map(above_zero),
        reset_after: settings.reset_after.map(above_zero),
        mode: if settings.mode == RetryAfterMode::Floor { RetryAfterMode::Replace } else { settings.mode },
        ..settings
    })
}

fn even_turns() -> impl Strategy<Value = Vec<Turn>> {
    turns().prop_map(|mut turns| {
        for turn in &mut turns {
            turn.gap = even(turn.gap);
            turn.layers.deadline = turn.layers.deadline.map(even);
            turn.fires = turn.fires.map(|fires| if fires.is_zero() { fires } else { even(fires) + ms(1) });
            for attempt in &mut turn.script {
                attempt.takes = even(attempt.takes);
                if let Ends::Soft { hint: Some(hint) } = &mut attempt.ends {
                    *hint = even(*hint);
                }
            }
        }
        turns
    })
}

type Call = for<'a> fn(&'a Stage<'_>, &'a Hand<'_>) -> Pin<Box<dyn Future<Output = Result<u32, Fault>> + 'a>>;

/// Functions with the same keys.
struct Kind {
    keys: &'static [&'static str],
    settings: fn(Settings) -> Settings,
    watched: Call,
    alone: Call,
}

impl Kind {
    /// Calls in a row.
    async fn go(
        &self,
        settings: &Settings,
        bucket: &mut Bucket,
        turns: &[Turn],
        reasons: &Reasons,
    ) -> Result<(), TestCaseError> {
        let (time, budget) = (Instant::now(), budget(bucket));
        let policy = policy(settings);
        let settings = (self.settings)(settings.clone());
        for (turn, watched) in turns.iter().zip([true, false].into_iter().cycle()) {
            if !turn.gap.is_zero() {
                sleep(turn.gap).await;
            }
            let hand = Hand { policy, budget: &budget, token: CancelToken::new() };
            let start = time.elapsed();
            let fire = turn.fires.map(|fires| fire(&hand.token, fires));
            let call = if watched { self.watched } else { self.alone };
            let seen = Stage::play_paused(time, &turn.script, async |stage| {
                turn.layers.within_later(call(stage, &hand)).await
            });
            let seen = seen.await;
            if let Some(fire) = fire.flatten() {
                fire.abort();
            }
            let told = tell(self.keys, &settings, bucket, start, turn, &seen);
            reasons.add(&told);
            let told = if watched { told.settle(&seen.events).events } else { told.outline() };
            prop_assert_eq!(&seen.events, &told);
            prop_assert_eq!(hand.token.waiting(), 0, "no registration outlives the wait");
            holds(&budget, bucket, time.elapsed())?;
        }
        Ok(())
    }
}

fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime")
}

/// Lets the token fire: now, or by a task of its own.
fn fire(token: &CancelToken, fires: Duration) -> Option<JoinHandle<()>> {
    if fires.is_zero() {
        token.cancel();
        return None;
    }
    let (token, at) = (token.clone(), Instant::now() + fires);
    Some(tokio::spawn(async move {
        sleep_until(at).await;
        token.cancel();
    }))
}

macro_rules! cut {
    ($($name:ident: [$($limit:ident = $length:expr),*], [$($key:ident = $value:ident),*], $settings:expr;)*) => {$(
        #[test]
        fn $name() {
            #[retry(
                $($limit = $length,)*
                $($key = hand.$value,)*
                policy = hand.policy,
                on = is_soft,
                timed_out = |elapsed| stage.timed_out(elapsed),
                retry_after = hint_of,
            )]
            async fn alone(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin_later(None).await
            }

            #[retry(
                $($limit = $length,)*
                $($key = hand.$value,)*
                policy = hand.policy,
                on = |fault| stage.asked(fault, now),
                timed_out = |elapsed| stage.timed_out(elapsed),
                retry_after = hint_of,
                attempt = now,
                on_retry = |event| stage.retrying(event),
                on_give_up = |event| stage.gave_up(event),
            )]
            async fn watched(stage: &Stage<'_>, hand: &Hand<'_>) -> Result<u32, Fault> {
                stage.begin_later(Some(now)).await
            }

            let kind = Kind {
                keys: &[$(stringify!($key)),*],
                settings: $settings,
                watched: |stage, hand| Box::pin(watched(stage, hand)),
                alone: |stage, hand| Box::pin(alone(stage, hand)),
            };
            let reasons = Reasons::default();
            check(200, &(even_settings(), bucket(), even_turns()), |(settings, mut bucket, turns)| {
                paused().block_on(kind.go(&settings, &mut bucket, &turns, &reasons))
            });
            reasons.assert_each(15, &["cut", "Off", "MaxRetries", "Deadline"]);
        }
    )*};
}

cut! {
    at_a_limit: [attempt_timeout_ms = 300], [],
        |settings| Settings { attempt_timeout: Some(Timeout::After(ms(300))), ..settings };
    at_a_limit_with_a_budget: [attempt_timeout_ms = 100], [budget = budget],
        |settings| Settings { attempt_timeout: Some(Timeout::After(ms(100))), ..settings };
    at_a_limit_with_both: [attempt_timeout_ms = 500], [budget = budget, cancel = token],
        |settings| Settings { attempt_timeout: Some(Timeout::After(ms(500))), ..settings };
    at_the_deadline: [attempt_timeout = deadline, deadline_ms = 2_000], [],
        |settings| Settings { attempt_timeout: Some(Timeout::Deadline), deadline: Some(ms(2_000)), ..settings };
    at_the_deadline_with_both: [attempt_timeout = deadline, deadline_ms = 1_500], [budget = budget, cancel = token],
        |settings| Settings { attempt_timeout: Some(Timeout::Deadline), deadline: Some(ms(1_500)), ..settings };
}
