//! The body: its statements mean what they mean without the attribute, but end one attempt.

use std::cell::Cell;
use std::num::ParseIntError;
use std::panic::Location;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};

mod support;
use support::{Log, block_on};

fn up(attempts: &Cell<u32>) -> u32 {
    attempts.set(attempts.get() + 1);
    attempts.get()
}

#[test]
fn return_ends_one_attempt() {
    #[retry(max = 9, on = always)]
    fn load(attempts: &Cell<u32>) -> Result<u32, u32> {
        let n = up(attempts);
        if n < 3 {
            return Err(n);
        }
        for i in 0.. {
            if i == n {
                return Ok(i);
            }
        }
        unreachable!("the loop does not end by itself")
    }
    #[retry(max = 9, on = always)]
    async fn load_later(attempts: &Cell<u32>) -> Result<u32, u32> {
        let n = up(attempts);
        if n < 3 {
            return Err(n);
        }
        Ok(n)
    }

    let _time = VirtualTime::start();
    assert_eq!(load(&Cell::new(0)), Ok(3));
    assert_eq!(block_on(load_later(&Cell::new(0))), Ok(3));
}

#[test]
fn a_question_mark_ends_one_attempt_and_converts_as_ever() {
    #[derive(Debug, PartialEq, Eq)]
    struct Unreadable(String);

    impl From<ParseIntError> for Unreadable {
        fn from(error: ParseIntError) -> Self {
            Self(error.to_string())
        }
    }

    #[retry(max = 9, on = always)]
    fn read(texts: &mut Vec<&str>) -> Result<u32, Unreadable> {
        let n: u32 = texts.pop().unwrap_or_default().parse()?;
        Ok(n)
    }
    #[retry(max = 1, on = always)]
    async fn read_later(texts: &mut Vec<&str>) -> Result<u32, Unreadable> {
        Ok(texts.pop().unwrap_or_default().parse::<u32>()?)
    }

    let _time = VirtualTime::start();
    assert_eq!(read(&mut vec!["7", "six", "5x"]), Ok(7));
    assert_eq!(
        block_on(read_later(&mut vec!["7", "six", "5x"])),
        Err(Unreadable("invalid digit found in string".to_owned()))
    );
}

#[test]
fn labels_and_loops_stay_inside_the_attempt() {
    #[retry(max = 9, on = always)]
    fn search(attempts: &Cell<u32>) -> Result<u32, u32> {
        let n = up(attempts);
        let found = 'rows: loop {
            for row in 0..9 {
                if row % 2 == 0 {
                    continue;
                }
                if row == n {
                    break 'rows Some(row);
                }
                if row > 5 {
                    break 'rows None;
                }
            }
        };
        found.filter(|row| *row > 1).ok_or(n)
    }

    let _time = VirtualTime::start();
    assert_eq!(search(&Cell::new(0)), Ok(3));
}

#[test]
fn nested_items_and_closures_are_their_own() {
    #[retry(max = 2, on = always)]
    fn load(attempts: &Cell<u32>) -> Result<u32, u32> {
        const LIMIT: u32 = 3;
        struct Pair(u32, u32);
        fn sum(pair: &Pair) -> u32 {
            pair.0 + pair.1
        }
        let odd = |n: u32| -> Result<u32, u32> {
            let n = Some(n).ok_or(0_u32)?;
            if n % 2 == 0 {
                return Err(n);
            }
            Ok(n)
        };
        let n = up(attempts);
        if n < LIMIT {
            odd(n * 2)?;
        }
        Ok(sum(&Pair(n, odd(n)?)))
    }

    let _time = VirtualTime::start();
    assert_eq!(load(&Cell::new(0)), Ok(6));
}

#[test]
fn the_first_attempt_that_succeeds_is_returned_untouched() {
    #[retry(on = always)]
    fn load(value: &mut Option<Box<u32>>) -> Result<Box<u32>, ()> {
        value.take().ok_or(())
    }

    let value = Box::new(7);
    let place: *const u32 = &raw const *value;
    let returned = load(&mut Some(value)).unwrap();
    assert_eq!(&raw const *returned, place);
}

#[test]
fn what_an_attempt_holds_is_dropped_before_the_predicate_is_asked() {
    #[retry(max = 1, on = |()| { log.add("on"); true })]
    fn load(log: &Log) -> Result<(), ()> {
        let _held = support::Noisy { name: "held", log };
        Err(())
    }
    #[retry(max = 1, on = |()| { log.add("on"); true })]
    async fn load_later(log: &Log) -> Result<(), ()> {
        let _held = support::Noisy { name: "held", log };
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    assert!(block_on(load_later(&log)).is_err());
    assert_eq!(log.take(), ["drop held", "on"].repeat(4));
}

#[test]
fn track_caller_is_kept() {
    #[track_caller]
    #[retry(on = always, once(place = Location::caller()))]
    fn load() -> Result<u32, ()> {
        Ok(place.line())
    }

    assert_eq!(load(), Ok(line!()), "visible where the attribute's expressions are evaluated");
}
