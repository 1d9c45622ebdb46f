//! `when`: the same question as `on`, asked of the whole returned value.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{self, ErrorKind};

use retry_runtime::testing::VirtualTime;
use retry_runtime::{StopReason, retry};

mod support;
use support::{Log, block_on, ms};

/// What the attempts return, first to last.
type Outputs<T> = RefCell<Vec<T>>;

fn outputs<T, const N: usize>(mut list: [T; N]) -> Outputs<T> {
    list.reverse();
    RefCell::new(list.into())
}

fn next<T>(outputs: &Outputs<T>) -> T {
    outputs.borrow_mut().pop().expect("an attempt too many")
}

#[test]
fn an_option_is_judged_by_a_method_of_its_own() {
    #[retry(strategy = "none", when = Option::is_none)]
    fn newest(pages: &Outputs<Option<u32>>) -> Option<u32> {
        next(pages)
    }

    let time = VirtualTime::start();
    assert_eq!(newest(&outputs([None, None, Some(7)])), Some(7));
    assert_eq!(time.waits(), [ms(200), ms(400)]);
}

#[test]
fn a_bool_is_judged_by_a_closure_whose_parameter_needs_no_type() {
    #[retry(strategy = "none", when = |ready| !*ready)]
    async fn ready(answers: &Outputs<bool>) -> bool {
        next(answers)
    }

    let time = VirtualTime::start();
    assert!(block_on(ready(&outputs([false, true]))));
    assert_eq!(time.waits(), [ms(200)]);
}

#[test]
fn an_ok_value_may_deserve_a_retry_and_an_error_may_not() {
    fn is_busy(answer: &Result<u16, String>) -> bool {
        *answer == Ok(503)
    }
    #[retry(strategy = "none", when = is_busy)]
    fn get(answers: &Outputs<Result<u16, String>>) -> Result<u16, String> {
        next(answers)
    }
    #[retry(strategy = "none", when = is_busy)]
    async fn get_later(answers: &Outputs<Result<u16, String>>) -> Result<u16, String> {
        next(answers)
    }

    let time = VirtualTime::start();
    assert_eq!(get(&outputs([Ok(503), Ok(200)])), Ok(200));
    assert_eq!(block_on(get_later(&outputs([Ok(503), Ok(200)]))), Ok(200));
    assert_eq!(time.waits(), [ms(200), ms(200)]);
    assert_eq!(get(&outputs([Err("no".to_owned())])), Err("no".to_owned()));
    assert_eq!(block_on(get_later(&outputs([Err("no".to_owned())]))), Err("no".to_owned()));
    assert_eq!(time.waits().len(), 2, "errors are returned at once here");
}

#[test]
fn any_type_can_be_judged_also_one_that_can_do_nothing() {
    struct Answer {
        open: bool,
    }

    #[retry(when = |answer| answer.open)]
    fn ask(answers: &Outputs<Answer>) -> Answer {
        next(answers)
    }
    #[retry(max = 2, when = |()| true)]
    fn knock(knocks: &Cell<u32>) {
        knocks.set(knocks.get() + 1);
    }
    #[retry(max = 2, when = Vec::is_empty)]
    fn listed<T>(lists: &Outputs<Vec<T>>) -> Vec<T> {
        next(lists)
    }

    let _time = VirtualTime::start();
    assert!(!ask(&outputs([Answer { open: true }, Answer { open: false }])).open);
    let knocks = Cell::new(0);
    knock(&knocks);
    assert_eq!(knocks.get(), 3);
    assert_eq!(listed(&outputs([vec![], vec!['x']])), ['x']);
}

#[test]
fn an_opaque_output_is_judged_as_what_it_is_known_to_be() {
    #[retry(max = 3, when = |shown: &_| shown_as(shown) == "busy")]
    fn show(answers: &Outputs<&'static str>) -> impl fmt::Display + use<> {
        next(answers)
    }
    fn shown_as(shown: &impl fmt::Display) -> String {
        shown.to_string()
    }

    let _time = VirtualTime::start();
    assert_eq!(show(&outputs(["busy", "busy", "done"])).to_string(), "done");
}

#[test]
fn when_it_gives_up_the_last_value_is_returned_untouched() {
    #[retry(max = 2, when = |page| {
        judged.set(page.as_ptr());
        true
    })]
    fn page(judged: &Cell<*const u8>, attempts: &Cell<u8>) -> Box<[u8]> {
        attempts.set(attempts.get() + 1);
        Box::new([attempts.get()])
    }

    let _time = VirtualTime::start();
    let judged = Cell::new(std::ptr::null());
    let last = page(&judged, &Cell::new(0));
    assert_eq!(*last, [3]);
    assert_eq!(last.as_ptr(), judged.get(), "neither cloned nor made anew");
}

#[test]
fn it_is_asked_once_after_every_attempt_the_last_included() {
    fn odd(n: u32, log: &Log) -> bool {
        log.add(n.to_string());
        n % 2 == 1
    }
    #[retry(max = 2, when = |n| odd(*n, log))]
    fn count(numbers: &Outputs<u32>, log: &Log) -> u32 {
        next(numbers)
    }
    #[retry(max = 2, when = |n| odd(*n, log))]
    async fn count_later(numbers: &Outputs<u32>, log: &Log) -> u32 {
        next(numbers)
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(count(&outputs([1, 3, 5]), &log), 5);
    assert_eq!(block_on(count_later(&outputs([1, 3, 5]), &log)), 5);
    assert_eq!(log.take(), ["1", "3", "5", "1", "3", "5"]);
    assert_eq!(count(&outputs([1, 2]), &log), 2);
    assert_eq!(log.take(), ["1", "2"], "a success is asked about as well: it is the question");
}

#[test]
fn hooks_are_told_the_whole_value() {
    #[retry(
        strategy = "none",
        max = 1,
        when = |page| page.as_ref().is_ok_and(Option::is_none),
        on_retry = |event| log.add(format!("{:?} at {}", event.error(), event.attempt())),
        on_give_up = |event| log.add(format!("{:?} for {:?}", event.error(), event.reason()))
    )]
    fn poll(pages: &Outputs<Result<Option<u8>, ()>>, log: &Log) -> Result<Option<u8>, ()> {
        next(pages)
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(poll(&outputs([Ok(None), Ok(None)]), &log), Ok(None));
    assert_eq!(
        log.take(),
        ["Ok(None) at 1".to_owned(), format!("Ok(None) for {:?}", StopReason::MaxRetries)]
    );
    assert_eq!(poll(&outputs([Ok(None), Err(())]), &log), Err(()));
    assert_eq!(log.take(), ["Ok(None) at 1"], "what it does not call worth a retry is no giving up");
}

#[test]
fn pending_waits_for_a_value_and_retries_what_is_retryable() {
    #[retry(strategy = "none", when = retry_runtime::pending)]
    async fn poll(answers: &Outputs<io::Result<Option<u8>>>) -> io::Result<Option<u8>> {
        next(answers)
    }

    let time = VirtualTime::start();
    let reset = || Err(ErrorKind::ConnectionReset.into());
    assert_eq!(block_on(poll(&outputs([Ok(None), reset(), Ok(None), Ok(Some(9))]))).unwrap(), Some(9));
    assert_eq!(time.waits(), [ms(200), ms(400), ms(800)]);
    let missing = outputs([Ok(None), Err(ErrorKind::NotFound.into())]);
    assert_eq!(block_on(poll(&missing)).unwrap_err().kind(), ErrorKind::NotFound);
    let never = outputs([(); 6].map(|()| Ok(None)));
    assert_eq!(block_on(poll(&never)).unwrap(), None, "the last answer, as it is");
}

struct Door {
    wanted: u32,
}

impl Door {
    #[retry(max = 9, when = |got| *got + bonus < self.wanted)]
    fn turns(&self, bonus: u32, got: &Cell<u32>) -> u32 {
        got.set(got.get() + 1);
        got.get()
    }
}

#[test]
fn a_closure_sees_self_and_the_parameters() {
    let _time = VirtualTime::start();
    assert_eq!(Door { wanted: 5 }.turns(0, &Cell::new(0)), 5);
    assert_eq!(Door { wanted: 5 }.turns(3, &Cell::new(0)), 2);
}
