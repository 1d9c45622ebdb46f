//! `retry_after`, `retry_after_mode`, `retry_after_max`: the server's hint, where it comes from and what it does.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::Response;
use retry_runtime::testing::{VirtualTime, random_draws};
use retry_runtime::{DelaySource, Draw, Retryable, StopReason, always, retry};

mod support;
use support::script::{Act, err, ok, play};
use support::{Log, block_on, ms, secs};

/// The first wait under each of a hundred seeds.
macro_rules! first_waits {
    ([$($settings:tt)*], $hint:expr) => {
        (0..100).map(|seed| play!(seed, [$($settings)*], [err("busy").hint($hint), ok()]).waits[0]).collect::<BTreeSet<_>>()
    };
}

fn assert_spread(waits: &BTreeSet<Duration>, from: Duration, to: Duration) {
    assert_eq!(waits.len(), 100, "no two clients return together");
    let (first, last) = (waits.first().copied().unwrap(), waits.last().copied().unwrap());
    assert!(from <= first && last <= to, "{first:?} to {last:?}");
    let slack = to.saturating_sub(from) / 10;
    assert!(first <= from + slack && last + slack >= to, "all of the range: {first:?} to {last:?}");
}

#[test]
fn the_floor_is_the_default_and_is_spread_upwards_by_half_the_hint() {
    assert_spread(&first_waits!([strategy = "none", base_ms = 100], secs(5)), ms(5_000), ms(7_500));
    assert_spread(&first_waits!([base_ms = 100], secs(5)), ms(5_000), ms(7_500));
    assert_spread(&first_waits!([base_ms = 100, retry_after_mode = "floor"], secs(5)), ms(5_000), ms(7_500));
}

#[test]
fn the_spread_of_the_floor_is_the_window_where_that_is_larger() {
    assert_spread(&first_waits!([strategy = "none", base_ms = 4_000], secs(1)), ms(1_000), ms(5_000));
}

#[test]
fn the_spread_of_the_floor_is_cut_by_the_cap_and_the_hint_is_not() {
    assert_spread(&first_waits!([base_ms = 100, cap_ms = 200], secs(5)), ms(5_000), ms(5_200));
}

#[test]
fn where_only_the_spread_passes_the_deadline_it_is_drawn_from_what_is_left() {
    let waits = first_waits!([base_ms = 100, deadline_ms = 5_100], secs(5));
    assert_spread(&waits, ms(5_000), ms(5_100));
    assert!(waits.iter().all(|wait| *wait < ms(5_100)), "no attempt starts at the deadline");
}

#[test]
fn the_exponential_window_sets_the_spread_whatever_the_strategy() {
    fn in_a_moment(_: &Draw) -> Duration {
        Duration::from_millis(1)
    }
    for waits in [
        first_waits!([strategy = "smooth", base_ms = 4_000], secs(1)),
        first_waits!([strategy = "decorrelated", base_ms = 4_000], secs(1)),
        first_waits!([strategy = in_a_moment, base_ms = 4_000], secs(1)),
    ] {
        assert_spread(&waits, ms(1_000), ms(5_000));
    }
}

#[test]
fn the_window_of_the_spread_grows_with_the_retries() {
    let acts = [err("a"), err("b"), err("c"), err("busy").hint(secs(1)), ok()];
    let waits = (0..100).map(|seed| play!(seed, [strategy = "none", base_ms = 500], acts).waits[3]).collect();
    assert_spread(&waits, ms(1_000), ms(5_000));
}

#[test]
fn replace_waits_exactly_as_long_as_the_server_says() {
    let acts = [err("a").hint(secs(5)), err("b").hint(ms(1)), err("c").hint(secs(60)), ok()];
    let trace = play!([retry_after_mode = "replace", cap_ms = 1_000], acts);
    assert_eq!(trace.waits, [secs(5), ms(1), secs(60)]);
}

#[test]
fn ceiling_waits_no_longer_than_the_server_says() {
    let acts = [err("a").hint(ms(150)), err("b").hint(secs(5)), err("c").hint(ms(700)), ok()];
    let trace = play!([strategy = "none", retry_after_mode = "ceiling"], acts);
    assert_eq!(trace.waits, [ms(150), ms(400), ms(700)]);
}

#[test]
fn a_number_is_drawn_only_where_the_mode_uses_it() {
    #[retry(max = 1, on = always)]
    fn floor() -> Result<(), Busy> {
        Err(Busy)
    }
    #[retry(max = 1, on = always, retry_after_mode = "replace")]
    fn replace() -> Result<(), Busy> {
        Err(Busy)
    }
    #[retry(max = 1, on = always, retry_after_mode = "ceiling")]
    fn ceiling() -> Result<(), Busy> {
        Err(Busy)
    }

    let _time = VirtualTime::start();
    let draws = |call: fn() -> Result<(), Busy>| {
        let before = random_draws();
        assert!(call().is_err());
        random_draws() - before
    };
    assert_eq!([draws(floor), draws(replace), draws(ceiling)], [1, 0, 1]);
}

#[test]
fn a_hint_above_the_longest_ends_the_call_at_once() {
    let above = secs(60) + Duration::from_nanos(1);
    let trace = play!([base_ms = 100, cap_ms = 2_000], [err("busy").hint(above)]);
    assert_eq!((trace.calls(), trace.elapsed, trace.result), (1, ms(0), Err("busy")));
    assert_eq!(trace.reason, Some(StopReason::RetryAfterTooLong));
    let trace = play!([retry_after_mode = "replace"], [err("a"), err("busy").hint(Duration::MAX)]);
    assert_eq!((trace.calls(), trace.reason), (2, Some(StopReason::RetryAfterTooLong)));
}

#[test]
fn a_hint_as_long_as_the_longest_is_waited_for() {
    let trace = play!([retry_after_mode = "replace"], [err("busy").hint(secs(60)), ok()]);
    assert_eq!(trace.waits, [secs(60)]);
    let trace = play!([cap_ms = 300], [err("busy").hint(secs(60)), ok()]);
    assert!(trace.waits[0] >= secs(60) && trace.waits[0] <= secs(60) + ms(300), "the spread does not count");
}

#[test]
fn the_longest_may_be_set() {
    const LONGEST: Duration = secs(3);

    macro_rules! check {
        ($(($($longest:tt)*))*) => {$(
            let trace = play!([$($longest)*], [err("busy").hint(secs(3)), err("busy").hint(ms(3_001))]);
            let end = (trace.calls(), trace.reason);
            assert_eq!(end, (2, Some(StopReason::RetryAfterTooLong)), stringify!($($longest)*));
        )*};
    }
    check! {
        (retry_after_max_ms = 3_000)
        (retry_after_max = "3s")
        (retry_after_max = LONGEST)
    }
    let trace = play!([strategy = "none", retry_after_max_ms = 90_000], [err("busy").hint(secs(90)), ok()]);
    assert_eq!(trace.result, Ok(()));
}

#[test]
fn in_ceiling_no_hint_is_too_long_and_none_reaches_the_deadline() {
    let acts = [err("busy").hint(Duration::MAX), ok()];
    let trace = play!([strategy = "none", retry_after_mode = "ceiling", deadline_ms = 3_000], acts);
    assert_eq!((trace.waits, trace.result), (vec![ms(200)], Ok(())));
}

#[test]
fn a_hint_that_reaches_the_deadline_ends_the_call_at_once() {
    for (hint, calls) in [(ms(2_999), 2), (ms(3_000), 1), (ms(3_001), 1)] {
        let acts = [err("busy").hint(hint), ok()];
        let floor = play!([deadline_ms = 3_000], acts);
        let replace = play!([retry_after_mode = "replace", deadline_ms = 3_000], acts);
        assert_eq!([floor.calls(), replace.calls()], [calls; 2], "{hint:?}");
        let reason = (calls == 1).then_some(StopReason::Deadline);
        assert_eq!([floor.reason, replace.reason], [reason; 2], "{hint:?}");
    }
}

#[test]
fn a_hint_of_zero_means_the_backoff_alone() {
    let acts = [err("a").hint(ms(0)), err("b").hint(ms(0)), ok()];
    for trace in [
        play!([strategy = "none"], acts),
        play!([strategy = "none", retry_after_mode = "replace"], acts),
        play!([strategy = "none", retry_after_mode = "ceiling"], acts),
    ] {
        assert_eq!((trace.waits, trace.result), (vec![ms(200), ms(400)], Ok(())));
    }
}

#[test]
fn a_hint_neither_resets_nor_skips_the_growth() {
    let acts = [err("a"), err("b").hint(ms(50)), err("c").hint(ms(9_000)), err("d"), err("e"), ok()];
    let trace = play!([strategy = "none", retry_after_mode = "replace"], acts);
    assert_eq!(trace.waits, [ms(200), ms(50), ms(9_000), ms(1_600), ms(3_200)]);
}

#[test]
fn what_was_drawn_before_is_never_a_hint() {
    fn thrice_the_previous(draw: &Draw) -> Duration {
        draw.previous() * 3
    }
    let acts = [err("a"), err("b").hint(ms(9_000)), err("c"), ok()];
    let trace = play!([strategy = thrice_the_previous, base_ms = 10, retry_after_mode = "replace"], acts);
    assert_eq!(trace.waits, [ms(30), ms(9_000), ms(90)]);
    let trace = play!(
        [strategy = thrice_the_previous, base_ms = 10, retry_after_mode = "ceiling"],
        [err("a"), err("b").hint(ms(7)), err("c"), ok()]
    );
    assert_eq!(trace.waits, [ms(30), ms(7), ms(270)], "the backoff that was drawn and cut was 90 ms");
}

#[test]
fn none_looks_for_no_hint() {
    let acts: [Act; 3] = [err("a").hint(secs(5)), err("b").hint(secs(61)), ok()];
    let trace = play!([strategy = "none", retry_after = none], acts);
    assert_eq!((trace.waits, trace.result), (vec![ms(200), ms(400)], Ok(())));
}

/// An error that asks for three seconds.
#[derive(Debug, PartialEq, Eq)]
struct Busy;

impl Retryable for Busy {
    fn is_retryable(&self) -> bool {
        true
    }

    fn retry_after(&self) -> Option<Duration> {
        Some(secs(3))
    }
}

/// The single wait of a call.
fn only_wait<T>(call: impl FnOnce() -> T) -> Duration {
    let time = VirtualTime::start();
    call();
    let waits = time.waits();
    assert_eq!(waits.len(), 1);
    waits[0]
}

#[test]
fn without_the_key_the_error_is_asked_also_beside_on() {
    #[retry(max = 1, retry_after_mode = "replace")]
    fn alone() -> Result<(), Busy> {
        Err(Busy)
    }
    #[retry(max = 1, retry_after_mode = "replace", on = always)]
    async fn beside_on() -> Result<(), Busy> {
        Err(Busy)
    }

    assert_eq!(only_wait(alone), secs(3));
    assert_eq!(only_wait(|| block_on(beside_on())), secs(3));
}

#[test]
fn pointers_to_an_error_are_asked_too() {
    #[retry(max = 1, retry_after_mode = "replace", on = always)]
    fn boxed() -> Result<(), Box<Busy>> {
        Err(Box::new(Busy))
    }
    #[retry(max = 1, retry_after_mode = "replace", on = always)]
    fn shared() -> Result<(), Arc<Busy>> {
        Err(Arc::new(Busy))
    }
    #[retry(max = 1, retry_after_mode = "replace", on = always)]
    fn borrowed(busy: &Busy) -> Result<(), &Busy> {
        Err(busy)
    }
    #[retry(max = 1, retry_after_mode = "replace", on = always)]
    fn object() -> Result<(), Box<dyn Retryable>> {
        Err(Box::new(Busy))
    }

    assert_eq!(only_wait(boxed), secs(3));
    assert_eq!(only_wait(shared), secs(3));
    assert_eq!(only_wait(|| borrowed(&Busy).is_err()), secs(3));
    assert_eq!(only_wait(object), secs(3));
}

#[test]
fn a_type_that_is_not_retryable_has_no_hint_and_needs_no_bound() {
    struct Plain;

    #[retry(strategy = "none", max = 1, on = always)]
    fn plain() -> Result<(), Plain> {
        Err(Plain)
    }
    #[retry(strategy = "none", max = 1, on = always)]
    async fn object() -> Result<(), Box<dyn Error>> {
        Err("busy".into())
    }
    #[retry(strategy = "none", max = 1, on = always)]
    fn slice() -> Result<(), &'static str> {
        Err("busy")
    }

    assert_eq!(only_wait(plain), ms(200));
    assert_eq!(only_wait(|| block_on(object())), ms(200));
    assert_eq!(only_wait(slice), ms(200));
}

#[test]
fn a_generic_type_has_a_hint_with_the_bound_and_none_without() {
    #[retry(strategy = "none", max = 1, retry_after_mode = "replace")]
    fn bound<E: Retryable>(make: fn() -> E) -> Result<(), E> {
        Err(make())
    }
    #[retry(strategy = "none", max = 1, retry_after_mode = "replace", on = always)]
    async fn bound_elsewhere<E>(make: fn() -> E) -> Result<(), E>
    where
        E: Send + Retryable,
    {
        Err(make())
    }
    #[retry(strategy = "none", max = 1, retry_after_mode = "replace", on = always)]
    fn unbound<E>(make: fn() -> E) -> Result<(), E> {
        Err(make())
    }

    assert_eq!(only_wait(|| bound(|| Busy)), secs(3));
    assert_eq!(only_wait(|| block_on(bound_elsewhere(|| Busy))), secs(3));
    assert_eq!(only_wait(|| unbound(|| Busy)), ms(200), "whatever the caller puts there");
}

#[test]
fn with_when_the_output_is_asked() {
    #[retry(max = 1, retry_after_mode = "replace", when = Retryable::is_retryable)]
    fn get() -> Response<()> {
        Response::builder().status(503).header("retry-after", "7").body(()).unwrap()
    }
    #[retry(max = 1, retry_after_mode = "replace", when = |_| true)]
    async fn busy() -> Busy {
        Busy
    }
    #[retry(strategy = "none", max = 1, when = |_| true)]
    fn number() -> u32 {
        7
    }

    assert_eq!(only_wait(get), secs(7));
    assert_eq!(only_wait(|| block_on(busy())), secs(3));
    assert_eq!(only_wait(number), ms(200), "it cannot answer");
}

#[test]
fn with_when_the_error_of_a_result_is_asked() {
    fn any(_: &Result<u32, Busy>) -> bool {
        true
    }
    #[retry(strategy = "none", max = 2, retry_after_mode = "replace", when = any)]
    fn alternating(n: &Cell<u32>) -> Result<u32, Busy> {
        n.set(n.get() + 1);
        if n.get() % 2 == 0 { Err(Busy) } else { Ok(n.get()) }
    }
    #[retry(strategy = "none", max = 1, retry_after_mode = "replace", when = |_| true)]
    fn unanswered() -> Result<(), &'static str> {
        Err("busy")
    }

    let time = VirtualTime::start();
    assert_eq!(alternating(&Cell::new(0)), Ok(3));
    assert_eq!(time.waits(), [ms(200), secs(3)], "an Ok value has no hint");
    assert_eq!(only_wait(unanswered), ms(200));
}

#[derive(Debug)]
struct Refused {
    wait: Option<u64>,
}

fn wait_of(refused: &Refused) -> Option<Duration> {
    refused.wait.map(secs)
}

#[test]
fn a_function_may_find_it() {
    #[retry(strategy = "none", retry_after_mode = "replace", on = always, retry_after = wait_of)]
    fn path(waits: &RefCell<Vec<Option<u64>>>) -> Result<(), Refused> {
        waits.borrow_mut().pop().map_or(Ok(()), |wait| Err(Refused { wait }))
    }
    #[retry(strategy = "none", retry_after_mode = "replace", on = always, retry_after = |refused| refused.wait.map(secs))]
    async fn closure(waits: &RefCell<Vec<Option<u64>>>) -> Result<(), Refused> {
        waits.borrow_mut().pop().map_or(Ok(()), |wait| Err(Refused { wait }))
    }

    let time = VirtualTime::start();
    assert!(path(&RefCell::new(vec![Some(2), None, Some(3)])).is_ok());
    assert_eq!(time.waits(), [secs(3), ms(400), secs(2)]);
    let time = VirtualTime::start();
    assert!(block_on(closure(&RefCell::new(vec![Some(2), None, Some(3)]))).is_ok());
    assert_eq!(time.waits(), [secs(3), ms(400), secs(2)]);
}

#[test]
fn a_function_replaces_what_the_error_says() {
    #[retry(max = 1, retry_after_mode = "replace", retry_after = |_| Some(secs(8)))]
    fn load() -> Result<(), Busy> {
        Err(Busy)
    }
    #[retry(strategy = "none", max = 1, retry_after_mode = "replace", retry_after = |_| None)]
    fn unhinted() -> Result<(), Busy> {
        Err(Busy)
    }

    assert_eq!(only_wait(load), secs(8));
    assert_eq!(only_wait(unhinted), ms(200));
}

#[test]
fn with_when_a_function_is_given_the_whole_output() {
    #[retry(max = 1, retry_after_mode = "replace", when = |answer| answer.0 == 503, retry_after = |answer| answer.1)]
    fn get() -> (u16, Option<Duration>) {
        (503, Some(secs(4)))
    }

    assert_eq!(only_wait(get), secs(4));
}

struct Client {
    patience: u64,
    asked: u64,
}

impl Client {
    fn patience(&mut self) -> Duration {
        self.asked += 1;
        secs(self.patience)
    }

    #[retry(max = 1, retry_after_mode = "replace", on = always, retry_after = |()| Some(secs(self.patience + more)))]
    fn lent(&self, more: u64) -> Result<(), ()> {
        Err(())
    }

    #[retry(max = 1, retry_after_mode = "replace", on = always, retry_after = |()| Some(self.patience()))]
    async fn lent_mutably(&mut self) -> Result<(), ()> {
        Err(())
    }
}

#[test]
fn a_closure_sees_self_and_the_parameters() {
    let mut client = Client { patience: 5, asked: 0 };
    assert_eq!(only_wait(|| client.lent(2)), secs(7));
    assert_eq!(only_wait(|| block_on(client.lent_mutably())), secs(5));
    assert!(client.asked >= 1);
}

#[test]
fn the_hook_is_told_where_the_delay_came_from() {
    #[retry(
        strategy = "none",
        max = 9,
        retry_after_mode = "ceiling",
        on = always,
        retry_after = |hint: &u64| Some(ms(*hint)),
        on_retry = |event| log.add(format!("{:?} {:?}", event.delay(), event.source()))
    )]
    fn load(hints: &RefCell<Vec<u64>>, log: &Log) -> Result<(), u64> {
        hints.borrow_mut().pop().map_or(Ok(()), Err)
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(load(&RefCell::new(vec![5_000, 0, 100]), &log), Ok(()));
    let (hint, backoff) = (DelaySource::Hint, DelaySource::Backoff);
    assert_eq!(
        log.take(),
        [format!("100ms {hint:?}"), format!("400ms {backoff:?}"), format!("800ms {backoff:?}")],
        "the last hint was longer than the backoff"
    );
}
