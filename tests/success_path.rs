//! What a call costs that succeeds at once: no allocation, no random number, no clock; and the size of the future.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::convert::Infallible;

use retry_runtime::retry;
use retry_runtime::testing::{VirtualTime, random_draws};

mod support;
use support::block_on;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: hands every request to the system's allocator unchanged.
#[allow(unsafe_code, reason = "an allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Debug)]
struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry(on = is_busy)]
fn plain(n: u32) -> Result<u32, Busy> {
    if n == 0 { Err(Busy) } else { Ok(n) }
}

#[retry(on = is_busy)]
async fn plain_later(n: u32) -> Result<u32, Busy> {
    std::future::ready(()).await;
    if n == 0 { Err(Busy) } else { Ok(n) }
}

#[retry(on = is_busy, strategy = "decorrelated", attempt = now, once(key = 7_u32))]
async fn with_memory(n: u32) -> Result<u32, Busy> {
    if n == 0 { Err(Busy) } else { Ok(n * now.number() * key / 7) }
}

#[retry(on = is_busy, deadline_ms = 5_000)]
async fn with_deadline(n: u32) -> Result<u32, Busy> {
    if n == 0 { Err(Busy) } else { Ok(n) }
}

#[retry(on = is_busy, reset_after_ms = 5_000)]
fn with_reset(n: u32) -> Result<u32, Busy> {
    if n == 0 { Err(Busy) } else { Ok(n) }
}

#[retry(on = is_busy, max = 3, strategy = "none", base_ms = 1)]
fn failing(left: &Cell<u32>) -> Result<u32, Busy> {
    left.set(left.get() - 1);
    if left.get() > 0 { Err(Busy) } else { Ok(1) }
}

fn allocations(call: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    call();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counters_count() {
    assert!(allocations(|| drop(Box::new(1))) == 1);
    let time = VirtualTime::start();
    let draws = random_draws();
    #[retry(on = is_busy, deadline_ms = 50_000)]
    fn once_more(left: &Cell<u32>) -> Result<u32, Busy> {
        left.set(left.get() - 1);
        if left.get() > 0 { Err(Busy) } else { Ok(1) }
    }
    assert!(once_more(&Cell::new(2)).is_ok());
    assert!(random_draws() > draws);
    assert!(time.clock_reads() > 0);
}

#[test]
fn success_allocates_nothing() {
    assert_eq!(
        allocations(|| {
            assert_eq!(plain(1).unwrap_or(0), 1);
            assert_eq!(block_on(plain_later(1)).unwrap_or(0), 1);
            assert_eq!(block_on(with_memory(1)).unwrap_or(0), 1);
            assert_eq!(block_on(with_deadline(1)).unwrap_or(0), 1);
        }),
        0
    );
}

#[test]
fn a_million_calls_allocate_nothing() {
    assert_eq!(allocations(|| assert!((1..=1_000_000).all(|n| plain(n).is_ok()))), 0);
}

#[test]
fn retries_allocate_nothing() {
    // The first wait of a thread may set up what it waits with.
    let first = failing(&Cell::new(2));
    assert!(first.is_ok());
    assert_eq!(allocations(|| assert!(failing(&Cell::new(3)).is_ok())), 0);
}

#[test]
fn success_draws_no_random_number() {
    let before = random_draws();
    assert!(plain(1).is_ok());
    assert!(block_on(plain_later(1)).is_ok());
    assert!(block_on(with_memory(1)).is_ok());
    assert_eq!(random_draws(), before);
}

#[test]
fn success_reads_no_clock_without_need() {
    let time = VirtualTime::start();
    assert!(plain(1).is_ok());
    assert!(block_on(plain_later(1)).is_ok());
    assert!(block_on(with_memory(1)).is_ok());
    assert_eq!(time.clock_reads(), 0);
    assert!(block_on(with_deadline(1)).is_ok());
    assert_eq!(time.clock_reads(), 1, "a deadline needs the start");
    assert!(with_reset(1).is_ok());
    assert_eq!(time.clock_reads(), 2, "so does `reset_after`");
}

macro_rules! sized {
    ($name:ident, $bytes:literal) => {
        #[retry(on = is_busy)]
        async fn $name(n: u8) -> Result<u8, Busy> {
            let bytes = [n; $bytes];
            std::future::ready(()).await;
            if bytes[0] == 0 { Err(Busy) } else { Ok(bytes[usize::from(n) % $bytes]) }
        }
    };
}
sized!(small, 8);
sized!(middle, 88);
sized!(large, 1048);

#[test]
fn the_future_holds_the_body_and_a_timer() {
    let sizes = [size_of_val(&small(1)), size_of_val(&middle(1)), size_of_val(&large(1))];
    assert!(sizes[0] <= 152 && sizes[1] <= 168 && sizes[2] <= 1128, "{sizes:?}");
}

#[test]
fn chains_grow_linearly() {
    #[retry(on = is_busy)]
    async fn outer(n: u8) -> Result<u8, Busy> {
        middle(n).await
    }
    #[retry(on = is_busy)]
    async fn outermost(n: u8) -> Result<u8, Busy> {
        outer(n).await
    }
    let one = size_of_val(&middle(1));
    let two = size_of_val(&outer(1));
    let three = size_of_val(&outermost(1));
    assert!(two - one <= 64 && three - two <= 64, "{one} {two} {three}");
}

#[test]
fn an_infallible_success_is_one_too() {
    #[retry(on = |_: &Infallible| true)]
    fn sure(n: u32) -> Result<u32, Infallible> {
        Ok(n)
    }
    assert_eq!(allocations(|| assert_eq!(sure(3), Ok(3))), 0);
}
