//! A body that fails twice and then succeeds. It derives nothing: what a derive writes finds no `core` here.

use std::cell::Cell;
use std::fmt;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub struct Busy;

impl PartialEq for Busy {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Busy")
    }
}

pub struct Attempts(Cell<u32>);

impl Attempts {
    pub const fn new() -> Self {
        Self(Cell::new(0))
    }

    pub fn third(&self) -> Result<u32, Busy> {
        self.0.set(self.0.get() + 1);
        if self.0.get() < 3 { Err(Busy) } else { Ok(self.0.get()) }
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
