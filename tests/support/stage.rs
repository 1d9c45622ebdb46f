//! Where calls are played in virtual time: attempts go by a script, and what happens is written down.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Failure, GivenUp, Policy, Retrying, Run, Step, set_enabled};

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
    time: VirtualTime,
    script: &'a [Attempt],
    began: Cell<Duration>,
    count: Cell<u32>,
    events: RefCell<Vec<Event>>,
    own_waits: RefCell<Vec<Duration>>,
}

/// What a call did.
pub(crate) struct Seen {
    pub(crate) events: Vec<Event>,
    pub(crate) steps: Vec<Step>,
    pub(crate) waits: Vec<Duration>,
}

impl<'a> Stage<'a> {
    pub(crate) fn play(
        seed: u64,
        script: &'a [Attempt],
        call: impl FnOnce(&Stage<'a>) -> Result<u32, Fault>,
    ) -> Seen {
        let stage = Stage {
            time: VirtualTime::seeded(seed),
            script,
            began: Cell::default(),
            count: Cell::default(),
            events: RefCell::default(),
            own_waits: RefCell::default(),
        };
        let outcome = call(&stage).map_err(|fault| fault.attempt);
        stage.tell(Event::Returned { outcome, at: stage.elapsed() });
        let (steps, mut waits) = (stage.time.steps(), stage.time.waits());
        waits.append(&mut stage.own_waits.take());
        Seen { events: stage.events.take(), steps, waits }
    }

    /// The call was made but does not begin yet: a future that nobody has polled.
    pub(crate) fn later(&self) {
        self.time.advance(Duration::from_millis(7));
        self.began.set(self.time.elapsed());
    }

    pub(crate) fn begin(&self, now: Option<retry_runtime::Attempt>) -> Result<u32, Fault> {
        let view = now.map(|now| View {
            is_retry: now.is_retry(),
            retries_left: now.retries_left(),
            last_delay: now.last_delay(),
            time_left: now.time_left(),
        });
        self.count.set(self.count.get() + 1);
        let number = now.map_or(self.count.get(), |now| now.number());
        self.tell(Event::Began { number, at: self.elapsed(), view });
        let attempt = self.attempt();
        self.time.advance(attempt.takes);
        set_enabled(attempt.enabled);
        match attempt.ends {
            Ends::Ok => Ok(self.count.get()),
            Ends::Hard => Err(Fault { attempt: self.count.get(), soft: false, hint: None }),
            Ends::Soft { hint } => Err(Fault { attempt: self.count.get(), soft: true, hint }),
        }
    }

    pub(crate) async fn begin_later(&self, now: Option<retry_runtime::Attempt>) -> Result<u32, Fault> {
        let mut yielded = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        self.begin(now)
    }

    pub(crate) fn asked(&self, fault: &Fault, now: retry_runtime::Attempt) -> bool {
        self.tell(Event::Asked { number: now.number(), time_left: now.time_left() });
        fault.soft
    }

    pub(crate) fn retrying(&self, event: &Retrying<'_, Fault>) {
        self.tell(Event::Retrying {
            error: event.error().attempt,
            attempt: event.attempt(),
            delay: event.delay(),
            source: event.source(),
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
                    let source = run.source().expect("a source after a delay");
                    self.tell(Event::Retrying { error, attempt, delay, source, elapsed });
                    self.own_waits.borrow_mut().push(delay);
                    self.time.advance(delay);
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
        self.time.elapsed() - self.began.get()
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
