//! What a call did, drawn while it happens: one line per attempt on a time axis that all calls share.

use retry_runtime::{DelaySource, GivenUp, Retryable, Retrying, StopReason};
use std::fmt::Display;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Columns of the axis; a tick stands at every quarter.
const AXIS: usize = 48;

/// Prints as it goes, and keeps the facts of the running call.
pub(crate) struct Timeline {
    /// What the right edge of the axis stands for.
    span: Duration,
    running: Mutex<Facts>,
}

/// What the hooks of one call were told.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) waits: Vec<Wait>,
    pub(crate) alerts: Vec<StopReason>,
}

pub(crate) struct Wait {
    /// What the failed attempt said.
    pub(crate) after: String,
    pub(crate) delay: Duration,
    pub(crate) source: DelaySource,
}

/// One call that has ended.
pub(crate) struct Call<T, E> {
    pub(crate) outcome: Result<T, E>,
    pub(crate) took: Duration,
    pub(crate) ended: Instant,
    pub(crate) facts: Facts,
}

impl<T, E> Call<T, E> {
    pub(crate) fn attempts(&self) -> usize {
        self.facts.waits.len() + 1
    }

    pub(crate) fn delays(&self) -> Vec<Duration> {
        self.facts.waits.iter().map(|wait| wait.delay).collect()
    }
}

impl Timeline {
    pub(crate) fn new(span: Duration) -> Self {
        Self { span, running: Mutex::default() }
    }

    /// Runs one call under a heading.
    pub(crate) async fn follow<T: Display, E: Display>(
        &self,
        name: &str,
        story: &str,
        call: impl Future<Output = Result<T, E>>,
    ) -> Call<T, E> {
        self.heading(name, story);
        let start = Instant::now();
        let outcome = call.await;
        let (took, ended) = (start.elapsed(), Instant::now());
        let facts = std::mem::take(&mut *self.running());
        let call = Call { outcome, took, ended, facts };
        self.end(&call);
        call
    }

    /// The hook `on_retry`: an attempt failed, and the next one comes after a wait.
    pub(crate) fn waiting<E: Display + Retryable>(&self, retrying: &Retrying<'_, E>) {
        let (failed, delay, error) = (retrying.elapsed(), retrying.delay(), retrying.error());
        let asked = error.retry_after().unwrap_or_default();
        let mut axis = self.axis(failed, '×');
        self.fill(&mut axis, failed..failed + delay, '█');
        self.fill(&mut axis, failed..failed + asked.min(delay), '▒');
        row(retrying.attempt(), failed, error, &axis, &format!("{:>5} ms", delay.as_millis()));
        self.running().waits.push(Wait { after: error.to_string(), delay, source: retrying.source() });
    }

    /// The hook `on_give_up`: the place where somebody would be paged.
    pub(crate) fn alert<E: Display>(&self, given_up: &GivenUp<'_, E>) {
        let (attempts, elapsed, reason) = (given_up.attempts(), given_up.elapsed(), given_up.reason());
        let mut axis = self.axis(elapsed, '×');
        if reason == StopReason::Deadline {
            self.fill(&mut axis, elapsed..self.span, '·');
        }
        row(attempts, elapsed, given_up.error(), &axis, "");
        println!("  ▲ alert: {reason:?} at attempt {attempts}, after {} ms", elapsed.as_millis());
        self.running().alerts.push(reason);
    }

    fn running(&self) -> MutexGuard<'_, Facts> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The story, and the ticks of the axis above its rows.
    fn heading(&self, name: &str, story: &str) {
        let [a, b, c, d] = [1, 2, 3, 4].map(|n| format!("{:.1}", (self.span * n / 4).as_secs_f64()));
        println!("\n{:<41}0{a:>13}{b:>12}{c:>12}{d:>12} s", format!("{name}: {story}"));
    }

    /// The last attempt, where no hook has reported it, and how the call ended.
    fn end<T: Display, E: Display>(&self, call: &Call<T, E>) {
        let number = u32::try_from(call.attempts()).unwrap_or(u32::MAX);
        match (&call.outcome, call.facts.alerts.last()) {
            (Ok(answer), _) => {
                row(number, call.took, &"200 OK", &self.axis(call.took, '●'), "");
                println!("  = recovered: {answer}");
            }
            (Err(error), None) => {
                row(number, call.took, error, &self.axis(call.took, '×'), "");
                println!("  = returned at once, a retry would not help: {error:#}");
            }
            (Err(error), Some(reason)) => {
                println!("  = gave up: {reason}");
                println!("    the caller gets the server's own error: {error:#}");
            }
        }
    }

    fn axis(&self, at: Duration, mark: char) -> [char; AXIS] {
        let mut axis = [' '; AXIS];
        axis[self.column(at).min(AXIS - 1)] = mark;
        axis
    }

    /// Fills what lies between two marks.
    fn fill(&self, axis: &mut [char; AXIS], time: Range<Duration>, cell: char) {
        let (first, end) = (self.column(time.start) + 1, self.column(time.end));
        let cells = axis.get_mut(first..end).unwrap_or_default();
        cells.fill(cell);
    }

    /// The column of a moment, at most the right edge.
    fn column(&self, at: Duration) -> usize {
        let column = at.as_micros() * AXIS as u128 / self.span.as_micros();
        usize::try_from(column).map_or(AXIS, |column| column.min(AXIS))
    }
}

fn row(number: u32, at: Duration, said: &impl Display, axis: &[char; AXIS], wait: &str) {
    let (said, axis) = (said.to_string(), axis.iter().collect::<String>());
    println!("  #{number} {:>5} ms  {said:<25}│{axis}│{wait}", at.as_millis());
}
