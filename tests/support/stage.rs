//! Where calls are played: attempts go by a script, in virtual time or on tokio's paused clock, and what happens is
//! written down.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Elapsed, Failure, GivenUp, Policy, Retrying, Run, Step, set_enabled, time_left};
use tokio::time::Instant;

use crate::story::{Attempt, Ends, Event, View};

pub(crate) struct Fault {
    attempt: u32,
    soft: bool,
    hint: Option<Duration>,
}

pub(crate) fn is_soft(fault: &Fault) -> bool {
    fault.soft
}

pub(crate) fn hint_of(fault: &Fault) -> Option<Duration> {
    fault.hint
}

pub(crate) struct Stage<'a> {
    time: Time<'a>,
    script: &'a [Attempt],
    began: Cell<Duration>,
    count: Cell<u32>,
    /// Whether a body is alive.
    inside: Cell<bool>,
    events: RefCell<Vec<Event>>,
    own_waits: RefCell<Vec<Duration>>,
}

#[derive(Clone, Copy)]
enum Time<'a> {
    Virtual(&'a VirtualTime),
    /// On tokio's paused clock, since the start.
    Paused(Instant),
}

impl Time<'_> {
    fn elapsed(self) -> Duration {
        match self {
            Self::Virtual(time) => time.elapsed(),
            Self::Paused(start) => start.elapsed(),
        }
    }
}

/// What a call did. On tokio's clock its steps and waits are not recorded.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) events: Vec<Event>,
    pub(crate) steps: Vec<Step>,
    pub(crate) waits: Vec<Duration>,
}

impl<'a> Stage<'a> {
    fn new(time: Time<'a>, script: &'a [Attempt]) -> Self {
        Stage {
            time,
            script,
            began: Cell::new(time.elapsed()),
            count: Cell::default(),
            inside: Cell::default(),
            events: RefCell::default(),
            own_waits: RefCell::default(),
        }
    }

    /// One call, in a time of its own.
    pub(crate) fn play(
        seed: u64,
        script: &'a [Attempt],
        call: impl FnOnce(&Stage<'_>) -> Result<u32, Fault>,
    ) -> Seen {
        Self::play_next(&VirtualTime::seeded(seed), script, call)
    }

    /// One call of several.
    pub(crate) fn play_next(
        time: &VirtualTime,
        script: &[Attempt],
        call: impl FnOnce(&Stage<'_>) -> Result<u32, Fault>,
    ) -> Seen {
        let (steps, waits) = (time.steps().len(), time.waits().len());
        let stage = Stage::new(Time::Virtual(time), script);
        let outcome = call(&stage);
        let events = stage.end(outcome);
        let (steps, mut waits) = (time.steps().split_off(steps), time.waits().split_off(waits));
        waits.append(&mut stage.own_waits.take());
        Seen { events, steps, waits }
    }

    /// One call of several, inside a runtime whose clock is paused since `start`.
    pub(crate) async fn play_paused(
        start: Instant,
        script: &[Attempt],
        call: impl AsyncFnOnce(&Stage<'_>) -> Result<u32, Fault>,
    ) -> Seen {
        let stage = Stage::new(Time::Paused(start), script);
        let outcome = call(&stage).await;
        Seen { events: stage.end(outcome), steps: Vec::new(), waits: Vec::new() }
    }

    fn end(&self, outcome: Result<u32, Fault>) -> Vec<Event> {
        self.tell(Event::Returned { outcome: outcome.map_err(|fault| fault.attempt), at: self.elapsed() });
        assert_eq!(time_left(), None, "a deadline is left behind");
        self.events.take()
    }

    /// The call was made but does not begin yet: a future that nobody has polled.
    pub(crate) fn later(&self) {
        if let Time::Virtual(time) = self.time {
            time.advance(Duration::from_millis(7));
        }
        self.began.set(self.time.elapsed());
    }

    /// When the call began, since the start of time.
    pub(crate) fn began(&self) -> Duration {
        self.began.get()
    }

    pub(crate) fn begin(&self, now: Option<retry_runtime::Attempt>) -> Result<u32, Fault> {
        let _inside = self.enter(now);
        if let Time::Virtual(time) = self.time {
            time.advance(self.attempt().takes);
        }
        self.leave()
    }

    pub(crate) async fn begin_later(&self, now: Option<retry_runtime::Attempt>) -> Result<u32, Fault> {
        if let Time::Paused(_) = self.time {
            let _inside = self.enter(now);
            // A sleep of no length may wait all the same.
            if !self.attempt().takes.is_zero() {
                tokio::time::sleep(self.attempt().takes).await;
            }
            return self.leave();
        }
        let mut yielded = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        self.begin(now)
    }

    fn enter(&self, now: Option<retry_runtime::Attempt>) -> Inside<'_> {
        let view = now.map(|now| View {
            is_retry: now.is_retry(),
            retries_left: now.retries_left(),
            last_delay: now.last_delay(),
            time_left: now.time_left(),
        });
        self.count.set(self.count.get() + 1);
        let number = now.map_or(self.count.get(), |now| now.number());
        self.tell(Event::Began { number, at: self.elapsed(), left: time_left(), view });
        assert!(!self.inside.replace(true), "one body at a time");
        Inside(&self.inside)
    }

    fn leave(&self) -> Result<u32, Fault> {
        let attempt = self.attempt();
        set_enabled(attempt.enabled);
        self.outcome(attempt.ends)
    }

    fn outcome(&self, ends: Ends) -> Result<u32, Fault> {
        match ends {
            Ends::Ok => Ok(self.count.get()),
            Ends::Hard => Err(Fault { attempt: self.count.get(), soft: false, hint: None }),
            Ends::Soft { hint } => Err(Fault { attempt: self.count.get(), soft: true, hint }),
        }
    }

    /// The attempt ran out of time.
    pub(crate) fn timed_out(&self, elapsed: Elapsed) -> Fault {
        let (number, by_deadline) = (self.count.get(), elapsed.by_deadline());
        self.tell(Event::Cut { number, limit: elapsed.limit(), by_deadline, at: self.elapsed() });
        let attempt = self.attempt();
        set_enabled(attempt.enabled);
        self.outcome(attempt.ends.cut()).expect_err("an error")
    }

    pub(crate) fn asked(&self, fault: &Fault, now: retry_runtime::Attempt) -> bool {
        assert!(!self.inside.get(), "the body is over");
        self.tell(Event::Asked { number: now.number(), time_left: now.time_left() });
        fault.soft
    }

    pub(crate) fn retrying(&self, event: &Retrying<'_, Fault>) {
        self.tell(Event::Retrying {
            error: event.error().attempt,
            attempt: event.attempt(),
            delay: event.delay(),
            source: Some(event.source()),
            elapsed: event.elapsed(),
        });
    }

    pub(crate) fn gave_up(&self, event: &GivenUp<'_, Fault>) {
        self.tell(Event::GaveUp {
            error: event.error().attempt,
            attempts: event.attempts(),
            reason: event.reason(),
            elapsed: event.elapsed(),
        });
    }

    /// The call without the attribute, as `Run` wants it.
    pub(crate) fn by_hand(&self, policy: Policy) -> Result<u32, Fault> {
        let mut run = Run::start(policy);
        loop {
            let fault = match self.begin(None) {
                Err(fault) if fault.soft => fault,
                done => return done,
            };
            let Attempt { takes, cancelled, .. } = *self.attempt();
            let (attempt, elapsed, error) = (run.attempt(), self.elapsed(), fault.attempt);
            let failure =
                Failure::new().elapsed(elapsed).took(takes).retry_after(fault.hint).cancelled(cancelled);
            match run.failed(failure) {
                Step::Wait(delay) => {
                    let source = run.source();
                    self.tell(Event::Retrying { error, attempt, delay, source, elapsed });
                    self.own_waits.borrow_mut().push(delay);
                    if let Time::Virtual(time) = self.time {
                        time.advance(delay);
                    }
                }
                Step::GiveUp(reason) => {
                    self.tell(Event::GaveUp { error, attempts: attempt, reason, elapsed });
                    return Err(fault);
                }
            }
        }
    }

    fn attempt(&self) -> &'a Attempt {
        self.script.get(self.count.get() as usize - 1).expect("no attempt after the Ok that ends the script")
    }

    fn elapsed(&self) -> Duration {
        self.time.elapsed().saturating_sub(self.began.get())
    }

    fn tell(&self, event: Event) {
        self.events.borrow_mut().push(event);
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        set_enabled(true);
    }
}

/// A running body; whatever its end, it is over when this is dropped.
struct Inside<'a>(&'a Cell<bool>);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}
