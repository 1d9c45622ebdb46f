//! Items that cannot be retried.

use retry_runtime::{always, retry};

trait Stream {}

#[retry(max = 5)]
struct Settings {
    size: u32,
}

#[retry(max = 5)]
enum Choice {
    One,
}

#[retry(max = 5)]
mod inside {
    pub(super) const SIZE: u32 = 3;
}

#[retry(max = 5)]
const LIMIT: u32 = 3;

#[retry(max = 5)]
use std::io;

#[retry(on = always)]
const fn constant(size: u32) -> Result<u32, ()> {
    Ok(size)
}

trait Store {
    #[retry(on = always)]
    fn load(&self) -> Result<u32, ()>;
}

#[retry(on = always)]
#[retry(on = always, max = 2)]
fn twice() -> Result<u32, ()> {
    Ok(3)
}

#[retry(on = always)]
fn numbers() -> impl Iterator<Item = u32> {
    std::iter::once(3)
}

#[retry(on = always)]
async fn pages(size: u32) -> impl Stream + use<> {
    struct Pages;
    impl Stream for Pages {}
    assert!(size > 0);
    Pages
}

#[retry(on = always, max = 0)]
const fn two_mistakes(mut size: u32) -> Result<u32, ()> {
    size += 1;
    Ok(size)
}

#[retry]
impl Settings {
    fn size(&self) -> u32 {
        self.size
    }
}

#[retry(max = 3, clone(order))]
impl Choice {
    #[retry(on = always)]
    fn choose(self) -> Result<u32, ()> {
        Ok(self as u32)
    }
}

fn main() {
    let _ = (Settings { size: inside::SIZE }.size(), Choice::One.choose(), LIMIT, io::empty(), constant(3));
    let _ = (twice(), numbers().next(), pages(3), two_mistakes(1));
}
