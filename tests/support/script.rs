//! A call whose attempts follow a script, in virtual time, and the trace that it leaves.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{GivenUp, Retryable, Retrying, Step, StopReason};

/// A failure with a name. Those whose name begins with `hard` deserve no retry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub name: &'static str,
    pub hint: Option<Duration>,
}

impl Fault {
    pub const fn named(name: &'static str) -> Self {
        Self { name, hint: None }
    }

    pub fn is_soft(&self) -> bool {
        !self.name.starts_with("hard")
    }
}

impl Retryable for Fault {
    fn is_retryable(&self) -> bool {
        self.is_soft()
    }

    fn retry_after(&self) -> Option<Duration> {
        self.hint
    }
}

/// What one attempt does.
#[derive(Clone, Debug)]
pub struct Act {
    takes: Duration,
    outcome: Result<(), Fault>,
}

impl Act {
    pub fn takes(mut self, takes: Duration) -> Self {
        self.takes = takes;
        self
    }

    /// What the server asks for.
    pub fn hint(mut self, hint: Duration) -> Self {
        if let Err(fault) = &mut self.outcome {
            fault.hint = Some(hint);
        }
        self
    }
}

pub fn ok() -> Act {
    Act { takes: Duration::ZERO, outcome: Ok(()) }
}

pub fn err(name: &'static str) -> Act {
    Act { takes: Duration::ZERO, outcome: Err(Fault::named(name)) }
}

/// The acts of one call, and what happens in it.
#[derive(Debug)]
pub struct Script {
    time: VirtualTime,
    acts: RefCell<VecDeque<Act>>,
    attempts_at: RefCell<Vec<Duration>>,
    asked: RefCell<Vec<&'static str>>,
    announced: RefCell<Vec<Duration>>,
    given_up: RefCell<Vec<StopReason>>,
}

impl Script {
    pub fn new(seed: u64, acts: &[Act]) -> Self {
        Self {
            time: VirtualTime::seeded(seed),
            acts: RefCell::new(acts.iter().cloned().collect()),
            attempts_at: RefCell::default(),
            asked: RefCell::default(),
            announced: RefCell::default(),
            given_up: RefCell::default(),
        }
    }

    /// The body of a blocking function. It fails the test where the script has no further act.
    pub fn play(&self) -> Result<(), Fault> {
        self.attempts_at.borrow_mut().push(self.time.elapsed());
        let act = self.acts.borrow_mut().pop_front().expect("an attempt that the script does not have");
        self.time.advance(act.takes);
        act.outcome
    }

    /// The body of an async function.
    pub async fn play_later(&self) -> Result<(), Fault> {
        let outcome = self.play();
        std::future::ready(()).await;
        outcome
    }

    /// The predicate.
    pub fn asks(&self, fault: &Fault) -> bool {
        self.asked.borrow_mut().push(fault.name);
        fault.is_soft()
    }

    pub fn retrying(&self, event: &Retrying<'_, Fault>) {
        self.announced.borrow_mut().push(event.delay());
    }

    pub fn gives_up(&self, event: &GivenUp<'_, Fault>) {
        self.given_up.borrow_mut().push(event.reason());
    }

    /// What the call did that ended with `result`. Where it was `observed`, its hooks must have told the same.
    pub fn trace(&self, result: Result<(), Fault>, observed: bool) -> Trace {
        let waits = self.time.waits();
        let reason = self.time.steps().into_iter().find_map(|step| match step {
            Step::Wait(_) => None,
            Step::GiveUp(reason) => Some(reason),
        });
        if observed {
            assert_eq!(*self.announced.borrow(), waits, "`on_retry` once before each wait");
            assert_eq!(
                *self.given_up.borrow(),
                reason.into_iter().collect::<Vec<_>>(),
                "`on_give_up` once, with the reason"
            );
        }
        Trace {
            result: result.map_err(|fault| fault.name),
            attempts_at: self.attempts_at.take(),
            waits,
            elapsed: self.time.elapsed(),
            asked: self.asked.take(),
            reason,
        }
    }
}

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
pub struct Trace {
    pub result: Result<(), &'static str>,
    /// When each attempt began, from the start of the call.
    pub attempts_at: Vec<Duration>,
    pub waits: Vec<Duration>,
    pub elapsed: Duration,
    /// The failures that the predicate was asked about.
    pub asked: Vec<&'static str>,
    /// Why it gave up, where it did.
    pub reason: Option<StopReason>,
}

impl Trace {
    pub fn calls(&self) -> usize {
        self.attempts_at.len()
    }
}

/// Plays the acts in functions with these settings: a blocking one and an async one, each with and without hooks. The
/// four must do the same; what they do is the value.
#[allow(unused_macros, reason = "no test uses all of it")]
macro_rules! play {
    ($seed:expr, [$($settings:tt)*], $acts:expr) => {{
        #[retry_runtime::retry(on = |fault| script.asks(fault), $($settings)*)]
        fn blocking(script: &Script) -> Result<(), Fault> {
            script.play()
        }

        #[retry_runtime::retry(on = |fault| script.asks(fault), $($settings)*)]
        async fn later(script: &Script) -> Result<(), Fault> {
            script.play_later().await
        }

        #[retry_runtime::retry(
            on = |fault| script.asks(fault),
            on_retry = |event| script.retrying(event),
            on_give_up = |event| script.gives_up(event),
            $($settings)*
        )]
        fn observed(script: &Script) -> Result<(), Fault> {
            script.play()
        }

        #[retry_runtime::retry(
            on = |fault| script.asks(fault),
            on_retry = |event| script.retrying(event),
            on_give_up = |event| script.gives_up(event),
            $($settings)*
        )]
        async fn observed_later(script: &Script) -> Result<(), Fault> {
            script.play_later().await
        }

        use $crate::support::script::{Fault, Script};
        let acts = &$acts[..];
        let play = |observed: bool, call: fn(&Script) -> Result<(), Fault>| {
            let script = Script::new($seed, acts);
            let result = call(&script);
            script.trace(result, observed)
        };
        let trace = play(false, blocking);
        assert_eq!(play(false, |script| $crate::support::block_on(later(script))), trace, "async");
        assert_eq!(play(true, observed), trace, "observed");
        assert_eq!(play(true, |script| $crate::support::block_on(observed_later(script))), trace, "async, observed");
        trace
    }};
    ([$($settings:tt)*], $acts:expr) => {
        play!(1, [$($settings)*], $acts)
    };
}
#[allow(unused_imports, reason = "no test uses all of it")]
pub(crate) use play;
