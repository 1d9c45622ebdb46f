//! Many tasks that wait at the same time: `storm SUBJECT TASKS` prints CPU seconds, bytes per task, and by how many
//! milliseconds the calls took longer than their waits, on average.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use retry_benches::procfs;
use retry_benches::subjects::{
    backoff, backon, backon_macros, hand, ours, retry_if, tokio_retry, tokio_retry2, tryhard,
};
use retry_benches::work::Work;

/// 100 + 200 + 400 + 800 milliseconds.
const FAILURES: u32 = 4;
const WAITS: Duration = Duration::from_millis(1_500);

static LATE_MICROSECONDS: AtomicU64 = AtomicU64::new(0);
static ATTEMPTS: AtomicU64 = AtomicU64::new(0);

macro_rules! storm {
    ($runtime:ident, $tasks:ident, $subject:ident: $($known:ident)*) => {
        match $subject {
            $(stringify!($known) => (0..$tasks).map(|_| $runtime.spawn(async {
                let work = Work::default();
                work.fail(FAILURES);
                let began = Instant::now();
                assert!(black_box($known::later_waiting(black_box(&work)).await).is_ok());
                let late = began.elapsed().saturating_sub(WAITS);
                LATE_MICROSECONDS.fetch_add(u64::try_from(late.as_micros()).unwrap_or(u64::MAX), Relaxed);
                ATTEMPTS.fetch_add(work.attempts(), Relaxed);
            })).collect::<Vec<_>>(),)*
            other => panic!("no such subject: {other}"),
        }
    };
}

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [subject, tasks] = words.as_slice() else { panic!("usage: storm SUBJECT TASKS") };
    let (subject, tasks): (&str, u64) = (subject, tasks.parse().expect("a number of tasks"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let before = procfs::memory("VmRSS");
    let handles = storm!(runtime, tasks, subject: hand ours backon backon_macros tokio_retry tokio_retry2 backoff tryhard retry_if);
    runtime.block_on(async {
        for handle in handles {
            handle.await.expect("no attempt panics");
        }
    });
    assert_eq!(ATTEMPTS.load(Relaxed), tasks * u64::from(FAILURES + 1));
    let memory = procfs::memory("VmHWM") - before;
    let late = LATE_MICROSECONDS.load(Relaxed) as f64 / tasks as f64 / 1_000.0;
    println!("{} {} {late}", procfs::cpu_seconds().0, memory / tasks);
}
