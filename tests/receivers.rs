//! Every kind of `self`: borrowed, kept, cloned, pinned, behind a pointer.

use std::cell::Cell;
use std::pin::{Pin, pin};
use std::rc::Rc;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{always, retry};

mod support;
use support::block_on;

#[derive(Clone, Default)]
struct Parts {
    list: Vec<u32>,
    lent: Cell<usize>,
}

impl Parts {
    fn lend(&self) -> usize {
        self.lent.set(self.lent.get() + self.list.len());
        self.lent.get()
    }

    #[retry(max = 2, on = always)]
    fn borrowed(&self) -> Result<(), usize> {
        Err(self.lend())
    }

    #[retry(max = 2, on = always)]
    async fn borrowed_later(&self) -> Result<(), usize> {
        Err(self.lend())
    }

    #[retry(max = 2, on = always)]
    fn changed(&mut self, part: u32) -> Result<(), usize> {
        self.list.push(part);
        Err(self.list.len())
    }

    #[retry(max = 2, on = always)]
    async fn changed_later(&mut self, part: u32) -> Result<(), usize> {
        self.list.push(part);
        Err(self.list.len())
    }

    #[retry(max = 2, on = always)]
    fn read(self) -> Result<(), usize> {
        Err(self.lend())
    }

    #[retry(max = 2, on = always)]
    async fn read_later(self) -> Result<(), usize> {
        Err(self.lend())
    }

    #[retry(max = 2, on = always, keep(self))]
    fn kept(mut self, part: u32) -> Result<(), Vec<u32>> {
        self.list.push(part);
        Err(self.list.clone())
    }

    #[retry(max = 2, on = always, keep(self))]
    async fn kept_later(mut self, part: u32) -> Result<(), Vec<u32>> {
        self.list.push(part);
        Err(self.list.clone())
    }

    #[retry(max = 2, on = always, clone(self))]
    fn cloned(self) -> Result<(), Vec<u32>> {
        Err(self.list)
    }

    #[retry(max = 2, on = always, clone(self))]
    async fn cloned_later(self) -> Result<(), Vec<u32>> {
        Err(self.list)
    }

    #[retry(max = 2, on = always, clone(self))]
    fn cloned_and_changed(mut self, part: u32) -> Result<(), Vec<u32>> {
        self.list.push(part);
        Err(self.list)
    }

    #[retry(max = 2, on = always, clone(self))]
    async fn cloned_and_changed_later(mut self, part: u32) -> Result<(), Vec<u32>> {
        self.list.push(part);
        Err(self.list)
    }

    #[retry(max = 2, on = always)]
    async fn shared(self: Rc<Self>) -> Result<(), usize> {
        Err(self.lend())
    }

    #[retry(max = 2, on = always, clone(self))]
    fn handed_on(self: Rc<Self>) -> Result<(), usize> {
        let mut owned = self;
        Rc::make_mut(&mut owned).list.push(2);
        Err(owned.lend())
    }

    #[retry(max = 2, on = always, keep(self))]
    async fn pinned(mut self: Pin<&mut Self>, part: u32) -> Result<(), usize> {
        self.as_mut().get_mut().list.push(part);
        Err(self.list.len())
    }
}

#[async_trait::async_trait(?Send)]
trait Taken: Sized {
    async fn taken(self) -> Result<(), usize>;
    async fn taken_behind_a_pointer(self: Rc<Self>) -> Result<(), usize>;
    async fn changed_for_all(self) -> Result<(), usize>;
}

#[async_trait::async_trait(?Send)]
impl Taken for Parts {
    #[retry(max = 2, on = always, clone(self))]
    async fn taken(self) -> Result<(), usize> {
        let mut owned = self;
        owned.list.push(2);
        Err(owned.list.len())
    }

    #[retry(max = 2, on = always, clone(self))]
    async fn taken_behind_a_pointer(self: Rc<Self>) -> Result<(), usize> {
        let mut owned = self;
        Rc::make_mut(&mut owned).list.push(2);
        Err(owned.list.len())
    }

    #[retry(max = 2, on = always, keep(self))]
    async fn changed_for_all(mut self) -> Result<(), usize> {
        self.list.push(2);
        Err(self.list.len())
    }
}

fn parts() -> Parts {
    Parts { list: vec![1], lent: Cell::new(0) }
}

#[test]
fn a_reference_is_lent_to_every_attempt() {
    let _time = VirtualTime::start();
    assert_eq!(parts().borrowed(), Err(3));
    assert_eq!(block_on(parts().borrowed_later()), Err(3));
}

#[test]
fn what_an_attempt_changes_through_a_reference_stays() {
    let _time = VirtualTime::start();
    let mut parts = parts();
    assert_eq!(parts.changed(2), Err(4));
    assert_eq!(block_on(parts.changed_later(3)), Err(7));
    assert_eq!(parts.list, [1, 2, 2, 2, 3, 3, 3]);
}

#[test]
fn a_value_that_is_only_read_is_lent_to_every_attempt() {
    let _time = VirtualTime::start();
    assert_eq!(parts().read(), Err(3));
    assert_eq!(block_on(parts().read_later()), Err(3));
}

#[test]
fn a_kept_value_is_changed_by_all_attempts() {
    let _time = VirtualTime::start();
    assert_eq!(parts().kept(2), Err(vec![1, 2, 2, 2]));
    assert_eq!(block_on(parts().kept_later(2)), Err(vec![1, 2, 2, 2]));
}

#[test]
fn of_a_cloned_value_each_attempt_has_its_own() {
    let _time = VirtualTime::start();
    assert_eq!(parts().cloned(), Err(vec![1]));
    assert_eq!(block_on(parts().cloned_later()), Err(vec![1]));
    assert_eq!(parts().cloned_and_changed(2), Err(vec![1, 2]));
    assert_eq!(block_on(parts().cloned_and_changed_later(2)), Err(vec![1, 2]));
}

#[test]
fn a_pointer_is_lent_or_cloned_like_a_value() {
    let _time = VirtualTime::start();
    assert_eq!(block_on(Rc::new(parts()).shared()), Err(3));
    assert_eq!(Rc::new(parts()).handed_on(), Err(2), "what an attempt did to its own is gone with it");
}

#[test]
fn a_pinned_reference_can_be_kept() {
    let _time = VirtualTime::start();
    assert_eq!(block_on(pin!(parts()).pinned(2)), Err(4));
}

#[test]
fn under_async_trait_self_is_cloned_and_kept_alike() {
    let _time = VirtualTime::start();
    assert_eq!(block_on(parts().taken()), Err(2));
    assert_eq!(block_on(Rc::new(parts()).taken_behind_a_pointer()), Err(2));
    assert_eq!(block_on(parts().changed_for_all()), Err(4));
}
