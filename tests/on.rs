//! `on`: which errors deserve a retry, and what is asked about them.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Retryable, StopReason, retry};

mod support;
use support::script::{Fault, err, ok, play};
use support::{block_on, ms};

#[test]
fn what_it_accepts_is_tried_again() {
    let trace = play!([strategy = "none"], [err("a"), err("b"), ok()]);
    assert_eq!(trace.result, Ok(()));
    assert_eq!(trace.waits, [ms(200), ms(400)]);
    assert_eq!(trace.reason, None);
}

#[test]
fn what_it_rejects_is_returned_at_once() {
    let trace = play!([strategy = "none"], [err("hard")]);
    assert_eq!(trace.result, Err("hard"));
    assert_eq!((trace.calls(), trace.elapsed), (1, ms(0)));
    assert_eq!(trace.reason, None, "an error not worth a retry is no giving up");
}

#[test]
fn what_it_rejects_later_is_returned_at_once_too() {
    let trace = play!([strategy = "none"], [err("a"), err("b"), err("hard")]);
    assert_eq!(trace.result, Err("hard"));
    assert_eq!((trace.calls(), trace.elapsed), (3, ms(600)));
    assert_eq!(trace.reason, None);
}

#[test]
fn it_is_asked_once_after_every_failed_attempt_the_last_included() {
    assert_eq!(play!([max = 2], [err("a"), err("b"), err("c")]).asked, ["a", "b", "c"]);
    assert_eq!(play!([max = 2], [err("a"), err("b"), err("hard")]).asked, ["a", "b", "hard"]);
}

#[test]
fn it_is_never_asked_about_a_success() {
    assert!(play!([max = 2], [ok()]).asked.is_empty());
    assert_eq!(play!([max = 2], [err("a"), ok()]).asked, ["a"]);
}

#[test]
fn what_it_rejects_on_the_last_attempt_is_no_giving_up() {
    let trace = play!([max = 1], [err("a"), err("hard")]);
    assert_eq!((trace.result, trace.reason), (Err("hard"), None));
}

#[test]
fn it_is_never_offered_the_deadline() {
    let trace = play!([strategy = "none", deadline_ms = 300], [err("a"), err("b")]);
    assert_eq!(trace.asked, ["a", "b"]);
    assert_eq!((trace.result, trace.reason), (Err("b"), Some(StopReason::Deadline)));
}

fn is_soft(fault: &Fault) -> bool {
    fault.is_soft()
}

/// Fails twice with this name, then succeeds.
#[derive(Default)]
struct Twice {
    attempts: Cell<u32>,
}

impl Twice {
    fn fail<E>(&self, error: E) -> Result<u32, E> {
        self.attempts.set(self.attempts.get() + 1);
        if self.attempts.get() < 3 { Err(error) } else { Ok(self.attempts.get()) }
    }
}

#[test]
fn it_may_be_a_function_a_method_of_the_error_or_a_closure() {
    #[retry(on = is_soft)]
    fn function(twice: &Twice) -> Result<u32, Fault> {
        twice.fail(Fault::named("a"))
    }
    #[retry(on = Fault::is_soft)]
    async fn method(twice: &Twice) -> Result<u32, Fault> {
        twice.fail(Fault::named("a"))
    }
    #[retry(on = <Fault as Retryable>::is_retryable)]
    fn method_of_a_trait(twice: &Twice) -> Result<u32, Fault> {
        twice.fail(Fault::named("a"))
    }
    #[retry(on = |fault| fault.is_soft() && fault.name != "b")]
    async fn closure(twice: &Twice) -> Result<u32, Fault> {
        twice.fail(Fault::named("a"))
    }
    #[retry(on = |Fault { name, .. }: &Fault| *name == "a")]
    fn closure_with_a_type(twice: &Twice) -> Result<u32, Fault> {
        twice.fail(Fault::named("a"))
    }

    let _time = VirtualTime::start();
    assert_eq!(function(&Twice::default()), Ok(3));
    assert_eq!(block_on(method(&Twice::default())), Ok(3));
    assert_eq!(method_of_a_trait(&Twice::default()), Ok(3));
    assert_eq!(block_on(closure(&Twice::default())), Ok(3));
    assert_eq!(closure_with_a_type(&Twice::default()), Ok(3));
}

#[derive(Debug)]
struct Broken(#[allow(dead_code, reason = "gives it a size")] u8);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl Error for Broken {}

#[test]
fn what_a_path_is_given_coerces_as_in_any_call() {
    fn is_broken(error: &(dyn Error + 'static)) -> bool {
        error.is::<Broken>()
    }
    fn is_busy(text: &str) -> bool {
        text == "busy"
    }

    #[retry(on = is_broken)]
    fn to_an_object(twice: &Twice) -> Result<u32, Broken> {
        twice.fail(Broken(1))
    }
    #[retry(on = is_busy)]
    async fn to_a_slice(twice: &Twice) -> Result<u32, String> {
        twice.fail("busy".to_owned())
    }
    #[retry(on = is_soft)]
    fn through_a_box(twice: &Twice) -> Result<u32, Box<Fault>> {
        twice.fail(Box::new(Fault::named("a")))
    }

    let _time = VirtualTime::start();
    assert_eq!(to_an_object(&Twice::default()).unwrap(), 3);
    assert_eq!(block_on(to_a_slice(&Twice::default())).unwrap(), 3);
    assert_eq!(through_a_box(&Twice::default()).unwrap(), 3);
}

#[test]
fn an_error_object_is_asked_through_a_closure() {
    fn is_broken(error: &(dyn Error + 'static)) -> bool {
        error.is::<Broken>()
    }

    #[retry(on = |error| is_broken(error.as_ref()))]
    fn load(twice: &Twice) -> Result<u32, Box<dyn Error>> {
        Ok(twice.fail(Broken(1))?)
    }

    let _time = VirtualTime::start();
    assert_eq!(load(&Twice::default()).unwrap(), 3);
}

#[test]
fn without_it_the_error_says_of_itself_whether_a_retry_is_worth_it() {
    #[retry]
    fn load(outcomes: &RefCell<Vec<ErrorKind>>) -> io::Result<()> {
        outcomes.borrow_mut().pop().map_or(Ok(()), |kind| Err(kind.into()))
    }
    #[retry]
    async fn load_later(outcomes: &RefCell<Vec<ErrorKind>>) -> io::Result<()> {
        outcomes.borrow_mut().pop().map_or(Ok(()), |kind| Err(kind.into()))
    }

    let _time = VirtualTime::start();
    let passing = || RefCell::new(vec![ErrorKind::TimedOut, ErrorKind::ConnectionReset]);
    assert!(load(&passing()).is_ok());
    assert!(block_on(load_later(&passing())).is_ok());
    let lasting = || RefCell::new(vec![ErrorKind::ConnectionReset, ErrorKind::NotFound, ErrorKind::TimedOut]);
    assert_eq!(load(&lasting()).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(block_on(load_later(&lasting())).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn it_overrules_what_the_error_says_of_itself() {
    #[retry(on = |error| error.kind() == ErrorKind::NotFound)]
    fn load(twice: &Twice, kind: ErrorKind) -> io::Result<u32> {
        twice.fail(kind.into())
    }

    let time = VirtualTime::start();
    assert_eq!(load(&Twice::default(), ErrorKind::NotFound).unwrap(), 3);
    let waits = time.waits().len();
    assert_eq!(load(&Twice::default(), ErrorKind::TimedOut).unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(time.waits().len(), waits);
}

#[test]
fn always_retries_every_error_whatever_its_type() {
    struct Nothing;

    #[retry(on = retry_runtime::always)]
    fn load(twice: &Twice) -> Result<u32, Nothing> {
        twice.fail(Nothing)
    }
    #[retry(on = retry_runtime::always)]
    fn load_any<E>(twice: &Twice, make: fn() -> E) -> Result<u32, E> {
        twice.fail(make())
    }

    let _time = VirtualTime::start();
    assert!(load(&Twice::default()).is_ok());
    assert!(load_any(&Twice::default(), || "a word").is_ok());
}

#[test]
fn unprocessed_retries_only_what_certainly_did_nothing() {
    #[retry(on = retry_runtime::unprocessed)]
    fn pay(twice: &Twice, kind: ErrorKind) -> io::Result<u32> {
        twice.fail(kind.into())
    }

    let _time = VirtualTime::start();
    assert_eq!(pay(&Twice::default(), ErrorKind::ConnectionRefused).unwrap(), 3);
    for unclear in [ErrorKind::TimedOut, ErrorKind::ConnectionReset, ErrorKind::UnexpectedEof] {
        let twice = Twice::default();
        assert_eq!(pay(&twice, unclear).unwrap_err().kind(), unclear);
        assert_eq!(twice.attempts.get(), 1);
    }
}

#[test]
fn in_chain_asks_the_first_known_error_along_the_sources() {
    #[retry(on = retry_runtime::in_chain)]
    fn load(twice: &Twice, kind: ErrorKind) -> anyhow::Result<u32> {
        Ok(twice.fail(io::Error::from(kind))?)
    }
    #[retry(on = retry_runtime::in_chain)]
    async fn load_later(twice: &Twice, kind: ErrorKind) -> Result<u32, Box<dyn Error + Send + Sync>> {
        Ok(twice.fail(io::Error::from(kind))?)
    }

    let _time = VirtualTime::start();
    assert_eq!(load(&Twice::default(), ErrorKind::TimedOut).unwrap(), 3);
    assert_eq!(block_on(load_later(&Twice::default(), ErrorKind::TimedOut)).unwrap(), 3);
    let twice = Twice::default();
    assert!(load(&twice, ErrorKind::NotFound).is_err());
    assert!(block_on(load_later(&twice, ErrorKind::NotFound)).is_err());
    assert_eq!(twice.attempts.get(), 2);
}

struct Client {
    patience: u32,
    seen: Vec<String>,
}

impl Client {
    fn note(&mut self, error: &str) -> bool {
        self.seen.push(error.to_owned());
        true
    }

    #[retry(max = 9, on = |error| error.len() < limit && self.patience > 3)]
    fn patient(&self, limit: usize, attempts: &Cell<u32>) -> Result<(), String> {
        attempts.set(attempts.get() + 1);
        Err("x".repeat(attempts.get() as usize))
    }

    #[retry(max = 2, on = |error| self.note(error))]
    async fn noted(&mut self) -> Result<(), String> {
        Err(format!("{} seen", self.seen.len()))
    }
}

#[test]
fn a_closure_sees_self_and_the_parameters() {
    let _time = VirtualTime::start();
    let (client, attempts) = (Client { patience: 4, seen: Vec::new() }, Cell::new(0));
    assert_eq!(client.patient(4, &attempts), Err("xxxx".to_owned()));
    let (client, attempts) = (Client { patience: 3, seen: Vec::new() }, Cell::new(0));
    assert_eq!(client.patient(4, &attempts), Err("x".to_owned()));
}

#[test]
fn a_closure_may_change_what_self_lends() {
    let _time = VirtualTime::start();
    let mut client = Client { patience: 0, seen: Vec::new() };
    assert_eq!(block_on(client.noted()), Err("2 seen".to_owned()));
    assert_eq!(client.seen, ["0 seen", "1 seen", "2 seen"]);
}

#[test]
fn the_error_it_judged_is_the_one_the_caller_gets() {
    #[retry(max = 2, on = |error| {
        last.set(&raw const **error);
        true
    })]
    fn load(last: &Cell<*const [u8; 64]>) -> Result<(), Box<[u8; 64]>> {
        Err(Box::new([7; 64]))
    }

    let _time = VirtualTime::start();
    let judged = Cell::new(std::ptr::null());
    let returned = load(&judged).unwrap_err();
    assert_eq!(&raw const *returned, judged.get(), "neither cloned nor made anew");
}
