//! `once`: what is made once per call, before the first attempt.

use std::cell::Cell;
use std::num::ParseIntError;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Policy, always, retry};

mod support;
use support::{Log, Noisy, block_on};

fn next(counter: &Cell<u32>) -> u32 {
    counter.set(counter.get() + 1);
    counter.get()
}

#[test]
fn all_attempts_of_a_call_see_the_same_value_and_each_call_its_own() {
    #[retry(max = 2, on = always, once(key = next(counter)))]
    fn pay(counter: &Cell<u32>, log: &Log) -> Result<(), ()> {
        log.add(format!("key {key}"));
        Err(())
    }
    #[retry(max = 2, on = always, once(key = next(counter)))]
    async fn pay_later(counter: &Cell<u32>, log: &Log) -> Result<(), ()> {
        log.add(format!("key {key}"));
        Err(())
    }

    let _time = VirtualTime::start();
    let (counter, log) = (Cell::new(0), Log::new());
    assert!(pay(&counter, &log).is_err());
    assert!(pay(&counter, &log).is_err());
    assert!(block_on(pay_later(&counter, &log)).is_err());
    assert_eq!(log.take(), ["key 1", "key 1", "key 1", "key 2", "key 2", "key 2", "key 3", "key 3", "key 3"]);
}

#[test]
fn it_is_made_before_the_first_attempt_and_before_the_policy() {
    #[retry(
        on = always,
        policy = { log.add("policy"); Policy::new().max(1) },
        once(_a = log.add("a"), _b = log.add("b"))
    )]
    fn load(log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    assert_eq!(log.take(), ["a", "b", "policy", "attempt", "attempt"]);
}

#[test]
fn an_async_one_is_made_at_the_first_poll_and_may_await() {
    async fn ask(log: &Log) -> u32 {
        log.add("asked");
        std::future::ready(7).await
    }
    #[retry(max = 1, on = always, once(key = ask(log).await))]
    async fn load(log: &Log) -> Result<(), u32> {
        log.add("attempt");
        Err(key)
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    let future = load(&log);
    assert_eq!(log.count(), 0);
    assert_eq!(block_on(future), Err(7));
    assert_eq!(log.take(), ["asked", "attempt", "attempt"]);
}

#[test]
fn a_binding_sees_self_the_parameters_and_those_before_it() {
    struct Client {
        id: u32,
    }

    impl Client {
        #[retry(max = 1, on = always, once(prefix = self.id * 100, key = prefix + n))]
        fn call(&self, n: u32) -> Result<(), u32> {
            Err(key)
        }

        #[retry(max = 1, on = always, once(prefix = Self::prefix(&mut self.id), key = prefix + n))]
        async fn call_later(&mut self, n: u32) -> Result<(), u32> {
            self.id += 1;
            Err(key)
        }

        fn prefix(id: &mut u32) -> u32 {
            *id += 1;
            *id * 100
        }
    }

    let _time = VirtualTime::start();
    assert_eq!(Client { id: 3 }.call(7), Err(307));
    let mut client = Client { id: 3 };
    assert_eq!(block_on(client.call_later(7)), Err(407));
    assert_eq!(client.id, 6);
}

#[test]
fn predicates_and_hooks_see_it() {
    #[retry(
        max = 1,
        once(key = next(counter)),
        on = |()| { log.add(format!("on {key}")); true },
        on_retry = |_| log.add(format!("retry {key}")),
        on_give_up = |_| log.add(format!("end {key}"))
    )]
    fn load(counter: &Cell<u32>, log: &Log) -> Result<(), ()> {
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&Cell::new(41), &log).is_err());
    assert_eq!(log.take(), ["on 42", "retry 42", "on 42", "end 42"]);
}

#[test]
fn a_mut_one_is_kept_from_attempt_to_attempt() {
    #[retry(max = 2, on = always, once(mut seen = Vec::new()))]
    fn collect(counter: &Cell<u32>) -> Result<(), Vec<u32>> {
        seen.push(next(counter));
        Err(seen.clone())
    }
    #[retry(max = 2, on = always, once(mut seen = Vec::new()))]
    async fn collect_later(counter: &Cell<u32>) -> Result<(), Vec<u32>> {
        seen.push(next(counter));
        Err(seen.clone())
    }

    let _time = VirtualTime::start();
    let counter = Cell::new(0);
    assert_eq!(collect(&counter), Err(vec![1, 2, 3]));
    assert_eq!(block_on(collect_later(&counter)), Err(vec![4, 5, 6]));
}

#[test]
fn each_attempt_can_have_a_clone_of_it() {
    #[retry(max = 2, on = always, once(key = format!("key {}", next(counter))), clone(key))]
    fn send(counter: &Cell<u32>) -> Result<(), String> {
        Err(key)
    }
    #[retry(max = 2, on = always, once(mut key = format!("key {}", next(counter))), clone(key))]
    async fn send_later(counter: &Cell<u32>) -> Result<(), String> {
        key.push('!');
        Err(key)
    }

    let _time = VirtualTime::start();
    let counter = Cell::new(0);
    assert_eq!(send(&counter), Err("key 1".to_owned()));
    assert_eq!(block_on(send_later(&counter)), Err("key 2!".to_owned()), "a fresh one for each attempt");
}

#[test]
fn a_question_mark_in_it_ends_the_call_unjudged() {
    #[retry(
        max = 2,
        once(n = text.parse::<u32>()?),
        on = |_| { log.add("on"); true },
        on_retry = |_| log.add("retry"),
        on_give_up = |_| log.add("end")
    )]
    fn load(text: &str, log: &Log) -> Result<u32, ParseIntError> {
        log.add("attempt");
        Ok(n)
    }
    #[retry(
        max = 2,
        once(n = text.parse::<u32>()?),
        on = |_| { log.add("on"); true },
        on_retry = |_| log.add("retry"),
        on_give_up = |_| log.add("end")
    )]
    async fn load_later(text: &str, log: &Log) -> Result<u32, ParseIntError> {
        log.add("attempt");
        Ok(n)
    }

    let time = VirtualTime::start();
    let log = Log::new();
    assert!(load("seven", &log).is_err());
    assert!(block_on(load_later("seven", &log)).is_err());
    assert_eq!((log.count(), time.steps().len()), (0, 0));
    assert_eq!(load("7", &log), Ok(7));
    assert_eq!(block_on(load_later("7", &log)), Ok(7));
    assert_eq!(log.take(), ["attempt", "attempt"]);
}

#[test]
fn it_lives_until_the_end_of_the_call() {
    #[retry(max = 1, on = always, once(_guard = Noisy { name: "guard", log }))]
    fn load(log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }
    #[retry(max = 1, on = always, once(_guard = Noisy { name: "guard", log }))]
    async fn load_later(log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(load(&log).is_err());
    assert!(block_on(load_later(&log)).is_err());
    assert_eq!(log.take(), ["attempt", "attempt", "drop guard"].repeat(2));
}

#[test]
fn a_plain_one_is_lent_to_the_attempts() {
    #[retry(max = 2, on = always, once(buffer = vec![7_u8; n]))]
    fn load(n: usize, seen: &mut Vec<*const u8>) -> Result<(), ()> {
        let lent: &Vec<u8> = &buffer;
        seen.push(lent.as_ptr());
        Err(())
    }

    let _time = VirtualTime::start();
    let mut seen = Vec::new();
    assert!(load(64, &mut seen).is_err());
    assert!(seen.len() == 3 && seen.iter().all(|place| *place == seen[0]));
}
