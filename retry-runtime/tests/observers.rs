//! What observers are told, with the features `tracing` and `metrics`. `.ci/run` goes through the combinations.
#![cfg(all(feature = "macros", feature = "test-util", any(feature = "tracing", feature = "metrics")))]
#![allow(missing_docs, clippy::items_after_statements)]

use std::cell::Cell;
use std::fmt;
#[cfg(feature = "tracing")]
use std::time::Duration;

use retry_runtime::retry;
use retry_runtime::testing::VirtualTime;

#[derive(Debug)]
struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server is busy")
    }
}

/// Neither `Debug` nor `Display`.
struct Mute;

fn after(calls: &Cell<u32>, good: u32) -> bool {
    calls.set(calls.get() + 1);
    calls.get() >= good
}

#[retry(strategy = "none", base_ms = 100, max = 2, on = retry_runtime::always)]
fn shown(calls: &Cell<u32>, good: u32) -> Result<(), Busy> {
    if after(calls, good) { Ok(()) } else { Err(Busy) }
}

#[retry(strategy = "none", base_ms = 100, max = 1, on = retry_runtime::always)]
fn mute(calls: &Cell<u32>, good: u32) -> Result<(), Mute> {
    if after(calls, good) { Ok(()) } else { Err(Mute) }
}

#[cfg(feature = "tracing")]
#[retry(strategy = "none", max = 1, when = |_| true, retry_after = |_| Some(Duration::from_millis(7)), retry_after_mode = "replace")]
fn hinted() -> Result<u32, Busy> {
    Err(Busy)
}

#[retry(max = 2, on = |_| false)]
fn permanent() -> Result<u32, Busy> {
    Err(Busy)
}

#[cfg(feature = "tracing")]
mod events {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<String>>>);

    struct Line(String);

    impl Visit for Line {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            use fmt::Write;
            write!(self.0, " {}={value:?}", field.name()).expect("a string takes all");
        }
    }

    impl Subscriber for Log {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            let mut line = Line(format!("{} {}", event.metadata().level(), event.metadata().target()));
            event.record(&mut line);
            self.0.lock().expect("no test panics while it logs").push(line.0);
        }
    }

    fn logged(call: impl FnOnce()) -> Vec<String> {
        let log = Log::default();
        let _time = VirtualTime::start();
        tracing::subscriber::with_default(log.clone(), call);
        let lines = log.0.lock().expect("no test panics while it logs");
        lines.clone()
    }

    #[test]
    fn a_retry_is_a_warning_and_giving_up_an_error() {
        let lines = logged(|| assert!(shown(&Cell::new(0), 9).is_err()));
        assert_eq!(
            lines,
            [
                "WARN retry_runtime message=retrying function=\"observers::shown\" attempt=1 delay=100ms source=\"backoff\" elapsed=0ns error=the server is busy",
                "WARN retry_runtime message=retrying function=\"observers::shown\" attempt=2 delay=200ms source=\"backoff\" elapsed=100ms error=the server is busy",
                "ERROR retry_runtime message=giving up function=\"observers::shown\" attempts=3 reason=MaxRetries elapsed=300ms error=the server is busy",
            ]
        );
    }

    #[test]
    fn an_error_that_cannot_be_shown_is_left_out() {
        let lines = logged(|| assert!(mute(&Cell::new(0), 2).is_ok()));
        assert_eq!(
            lines,
            [
                "WARN retry_runtime message=retrying function=\"observers::mute\" attempt=1 delay=100ms source=\"backoff\" elapsed=0ns"
            ]
        );
    }

    #[test]
    fn a_hint_is_named_as_the_source_and_the_error_of_a_judged_result_is_shown() {
        let lines = logged(|| assert!(hinted().is_err()));
        assert!(
            lines[0].contains("delay=7ms source=\"hint\"") && lines[0].contains("error=the server is busy"),
            "{lines:?}"
        );
    }

    #[test]
    fn success_and_permanent_errors_are_no_events() {
        assert!(logged(|| assert!(shown(&Cell::new(0), 1).is_ok() && permanent().is_err())).is_empty());
    }

    #[test]
    fn retries_that_are_turned_off_are_no_error() {
        let policy = retry_runtime::Policy::builder().max(0).build().expect("allowed at run time");
        #[retry(policy = policy, on = retry_runtime::always)]
        fn off(policy: &retry_runtime::Policy) -> Result<(), Busy> {
            Err(Busy)
        }
        let lines = logged(|| assert!(off(&policy).is_err()));
        assert!(
            lines.len() == 1 && lines[0].starts_with("INFO") && lines[0].contains("reason=Off"),
            "{lines:?}"
        );
    }
}

#[cfg(feature = "metrics")]
mod numbers {
    use super::*;
    use metrics_util::debugging::{DebugValue, DebuggingRecorder};

    fn measured(call: impl FnOnce()) -> Vec<String> {
        let recorder = DebuggingRecorder::new();
        let snapshotter = recorder.snapshotter();
        let _time = VirtualTime::start();
        metrics::with_local_recorder(&recorder, call);
        let mut lines: Vec<String> = snapshotter
            .snapshot()
            .into_vec()
            .into_iter()
            .map(|(key, _, _, value)| {
                let key = key.key();
                let labels: Vec<_> =
                    key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
                let value = match value {
                    DebugValue::Counter(count) => count.to_string(),
                    DebugValue::Histogram(values) => format!("{values:?}"),
                    DebugValue::Gauge(value) => value.to_string(),
                };
                format!("{} {} {value}", key.name(), labels.join(","))
            })
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn attempts_retries_give_ups_and_delays_are_counted() {
        let lines = measured(|| assert!(shown(&Cell::new(0), 9).is_err()));
        assert_eq!(
            lines,
            [
                "retry_attempts_total function=observers::shown 3",
                "retry_delay_seconds function=observers::shown [0.1, 0.2]",
                "retry_give_ups_total function=observers::shown,reason=max_retries 1",
                "retry_retries_total function=observers::shown,outcome=failed 2",
            ]
        );
    }

    #[test]
    fn a_retry_that_succeeds_is_counted_as_such() {
        let lines = measured(|| assert!(shown(&Cell::new(0), 2).is_ok()));
        assert_eq!(
            lines,
            [
                "retry_attempts_total function=observers::shown 2",
                "retry_delay_seconds function=observers::shown [0.1]",
                "retry_retries_total function=observers::shown,outcome=succeeded 1",
            ]
        );
    }

    #[test]
    fn calls_without_a_retry_count_their_attempt() {
        let lines = measured(|| assert!(permanent().is_err()));
        assert_eq!(lines, ["retry_attempts_total function=observers::permanent 1"]);
        let lines = measured(|| assert!(mute(&Cell::new(0), 1).is_ok()));
        assert_eq!(lines, ["retry_attempts_total function=observers::mute 1"]);
    }
}
