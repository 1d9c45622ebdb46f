//! Arguments: `clone`, `keep`, and what each attempt sees of the others.

use std::cell::Cell;
use std::rc::Rc;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};

mod support;
use support::{Log, Noisy, block_on};

/// Counts how often it was cloned.
#[derive(Debug, Default)]
struct Order {
    clones: Rc<Cell<u32>>,
    changed: u32,
}

impl Clone for Order {
    fn clone(&self) -> Self {
        self.clones.set(self.clones.get() + 1);
        Self { clones: self.clones.clone(), changed: self.changed }
    }
}

fn send(order: Order) -> Result<(), u32> {
    let changed = order.changed;
    drop(order);
    Err(changed)
}

#[test]
fn arguments_are_evaluated_once_by_the_caller() {
    #[retry(max = 2, on = always)]
    fn load(n: u32) -> Result<(), u32> {
        Err(n)
    }
    #[retry(max = 2, on = always)]
    async fn load_later(n: u32) -> Result<(), u32> {
        Err(n)
    }

    let _time = VirtualTime::start();
    let mut evaluated = 0;
    let mut evaluate = || {
        evaluated += 1;
        evaluated
    };
    assert_eq!(load(evaluate()), Err(1));
    assert_eq!(block_on(load_later(evaluate())), Err(2));
}

#[test]
fn each_attempt_gets_a_fresh_clone_and_none_is_made_besides() {
    #[retry(max = 2, on = always, clone(order))]
    fn pay(order: Order) -> Result<(), u32> {
        send(order)
    }
    #[retry(max = 2, on = always, clone(order))]
    async fn pay_later(order: Order) -> Result<(), u32> {
        send(order)
    }

    let _time = VirtualTime::start();
    let order = Order::default();
    let clones = order.clones.clone();
    assert_eq!(pay(order), Err(0));
    assert_eq!(clones.get(), 3);
    let order = Order::default();
    let clones = order.clones.clone();
    assert_eq!(block_on(pay_later(order)), Err(0));
    assert_eq!(clones.get(), 3);
}

#[test]
fn a_clone_that_an_attempt_changed_is_gone_with_it() {
    #[retry(max = 2, on = always, clone(order))]
    fn pay(mut order: Order) -> Result<(), u32> {
        order.changed += 1;
        send(order)
    }
    #[retry(max = 2, on = always, clone(order))]
    async fn pay_later(mut order: Order) -> Result<(), u32> {
        order.changed += 1;
        send(order)
    }

    let _time = VirtualTime::start();
    assert_eq!(pay(Order::default()), Err(1));
    assert_eq!(block_on(pay_later(Order::default())), Err(1));
}

#[test]
fn between_attempts_the_original_is_seen() {
    #[retry(max = 2, clone(order), on = |_| log(order.changed), on_retry = |_| _ = log(order.changed))]
    fn pay(mut order: Order, log: &dyn Fn(u32) -> bool) -> Result<(), u32> {
        order.changed += 1;
        send(order)
    }

    let _time = VirtualTime::start();
    let seen = Cell::new((0, 0));
    let log = |changed| {
        seen.set((seen.get().0 + 1, seen.get().1 + changed));
        true
    };
    assert_eq!(pay(Order { changed: 10, ..Order::default() }, &log), Err(11));
    assert_eq!(seen.get(), (5, 50), "three times by the predicate, twice by the hook");
}

#[test]
fn what_an_attempt_changes_of_a_kept_one_the_next_one_sees() {
    #[retry(max = 2, on = always, keep(count))]
    fn add(mut count: u32) -> Result<(), u32> {
        count += 1;
        Err(count)
    }
    #[retry(max = 2, on = always, keep(count))]
    async fn add_later(mut count: u32) -> Result<(), u32> {
        count += 1;
        Err(count)
    }

    let _time = VirtualTime::start();
    assert_eq!(add(10), Err(13));
    assert_eq!(block_on(add_later(10)), Err(13));
}

#[test]
fn a_kept_closure_is_called_by_every_attempt() {
    #[retry(max = 3, on = always, keep(next))]
    fn call(mut next: impl FnMut() -> u32) -> Result<(), u32> {
        Err(next())
    }
    #[retry(max = 3, on = always, keep(next))]
    async fn call_later<F: AsyncFnMut() -> u32>(mut next: F) -> Result<(), u32> {
        Err(next().await)
    }

    let _time = VirtualTime::start();
    let mut calls = 0;
    let last = call(|| {
        calls += 1;
        calls
    });
    assert_eq!((last, calls), (Err(4), 4));
    let mut calls = 0;
    let last = block_on(call_later(async || {
        calls += 1;
        calls
    }));
    assert_eq!((last, calls), (Err(4), 4));
}

#[test]
fn between_attempts_a_kept_one_is_as_the_attempt_left_it() {
    #[retry(max = 2, keep(count), on = |()| { log.add(format!("on {count}")); true },
        on_retry = |_| log.add(format!("retry {count}")), on_give_up = |_| log.add(format!("end {count}")))]
    fn add(mut count: u32, log: &Log) -> Result<(), ()> {
        count += 1;
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert_eq!(add(10, &log), Err(()));
    assert_eq!(log.take(), ["on 11", "retry 11", "on 12", "retry 12", "on 13", "end 13"]);
}

#[test]
fn borrowed_parameters_are_lent_to_every_attempt() {
    #[retry(max = 2, on = always)]
    fn load(words: &[String], seen: &Cell<usize>) -> Result<(), usize> {
        seen.set(seen.get() + words.len());
        Err(seen.get())
    }
    #[retry(max = 2, on = always)]
    async fn read(words: Vec<String>, seen: &Cell<usize>) -> Result<(), usize> {
        seen.set(seen.get() + words.len());
        Err(seen.get())
    }

    let _time = VirtualTime::start();
    let words = ["a", "b"].map(str::to_owned);
    assert_eq!(load(&words, &Cell::new(0)), Err(6));
    assert_eq!(block_on(read(words.into(), &Cell::new(0))), Err(6), "a value that the body only reads");
}

#[test]
fn what_an_attempt_does_through_a_mutable_reference_stays() {
    #[retry(max = 2, on = always)]
    fn push(words: &mut Vec<u32>, n: u32) -> Result<(), usize> {
        words.push(n);
        Err(words.len())
    }
    #[retry(max = 2, on = always)]
    async fn push_later(words: &mut Vec<u32>, n: u32) -> Result<(), usize> {
        words.push(n);
        Err(words.len())
    }

    let _time = VirtualTime::start();
    let mut words = Vec::new();
    assert_eq!(push(&mut words, 7), Err(3));
    assert_eq!(block_on(push_later(&mut words, 8)), Err(6));
    assert_eq!(words, [7, 7, 7, 8, 8, 8]);
}

#[test]
fn what_an_attempt_does_to_self_stays() {
    struct Counter(u32);

    impl Counter {
        #[retry(max = 2, on = always)]
        fn up(&mut self) -> Result<(), u32> {
            self.0 += 1;
            Err(self.0)
        }

        #[retry(max = 2, on = always)]
        async fn up_later(&mut self) -> Result<(), u32> {
            self.0 += 1;
            Err(self.0)
        }
    }

    let _time = VirtualTime::start();
    let mut counter = Counter(0);
    assert_eq!(counter.up(), Err(3));
    assert_eq!(block_on(counter.up_later()), Err(6));
}

#[test]
fn names_inside_patterns_can_be_cloned_and_kept() {
    #[retry(max = 2, on = always, clone(order), keep(count))]
    fn pay((order, _): (Order, u8), [mut count, step]: [u32; 2]) -> Result<(), u32> {
        count += step;
        let _ = send(order);
        Err(count)
    }
    #[retry(max = 2, on = always, clone(order), keep(count))]
    async fn pay_later((order, _): (Order, u8), [mut count, step]: [u32; 2]) -> Result<(), u32> {
        count += step;
        let _ = send(order);
        Err(count)
    }

    let _time = VirtualTime::start();
    assert_eq!(pay((Order::default(), 0), [1, 2]), Err(7));
    assert_eq!(block_on(pay_later((Order::default(), 0), [1, 2])), Err(7));
}

#[test]
fn every_value_is_dropped_once() {
    fn take(_: Noisy<'_>) {}
    #[retry(max = 1, on = always, clone(cloned), keep(kept))]
    fn pay<'l>(cloned: Noisy<'l>, mut kept: Option<Noisy<'l>>, read: &Noisy<'l>) -> Result<(), ()> {
        read.log.add("attempt");
        take(cloned);
        if let Some(kept) = kept.take() {
            take(kept);
        }
        Err(())
    }
    #[retry(max = 1, on = always, clone(cloned), keep(kept))]
    async fn pay_later<'l>(
        cloned: Noisy<'l>,
        mut kept: Option<Noisy<'l>>,
        read: Noisy<'l>,
    ) -> Result<(), ()> {
        read.log.add("attempt");
        take(cloned);
        if let Some(kept) = kept.take() {
            take(kept);
        }
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    let noisy = |name| Noisy { name, log: &log };
    let (first, second) = (["attempt", "drop clone", "drop kept"], ["attempt", "drop clone"]);
    let read = noisy("read");
    assert!(pay(noisy("original"), Some(noisy("kept")), &read).is_err());
    assert_eq!(log.take(), [&first[..], &second, &["drop original"]].concat());
    assert!(block_on(pay_later(noisy("original"), Some(noisy("kept")), noisy("owned"))).is_err());
    let mut entries = log.take();
    entries[5..].sort();
    assert_eq!(entries, [&first[..], &second, &["drop original", "drop owned"]].concat());
}

#[test]
fn a_parameter_that_no_attempt_uses_is_dropped_at_the_end_of_the_call() {
    #[retry(max = 1, on = always)]
    fn hold(_guard: Noisy<'_>, log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }
    #[retry(max = 1, on = always)]
    async fn hold_later(_guard: Noisy<'_>, log: &Log) -> Result<(), ()> {
        log.add("attempt");
        Err(())
    }

    let _time = VirtualTime::start();
    let log = Log::new();
    assert!(hold(Noisy { name: "guard", log: &log }, &log).is_err());
    assert!(block_on(hold_later(Noisy { name: "guard", log: &log }, &log)).is_err());
    assert_eq!(log.take(), ["attempt", "attempt", "drop guard"].repeat(2));
}
