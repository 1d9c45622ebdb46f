//! Bytes of futures, and allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use retry_benches::cases::{CASES, Row};
use retry_benches::subjects::{
    again, backoff, backon, backon_macros, hand, mulligan, ours, retry_if, tokio_retry, tokio_retry2, tryhard,
};
use retry_benches::work::sized;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: hands every request to the system's allocator unchanged.
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

macro_rules! sizes {
    ($($subject:ident)*) => {
        /// Bytes of the future round a body of 24, of 104 and of 1064 bytes.
        pub fn futures() -> [Vec<(&'static str, f64)>; 3] {
            assert_eq!(
                [size_of_val(&sized::<20>(1)), size_of_val(&sized::<100>(1)), size_of_val(&sized::<1060>(1))],
                [24, 104, 1_064],
            );
            [
                vec![$((stringify!($subject), bytes(&$subject::small(1)))),*],
                vec![$((stringify!($subject), bytes(&$subject::middle(1)))),*],
                vec![$((stringify!($subject), bytes(&$subject::large(1)))),*],
            ]
        }
    };
}
sizes!(hand ours backon backon_macros tokio_retry tokio_retry2 backoff again tryhard mulligan retry_if);

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn bytes<T>(future: &T) -> f64 {
    size_of_val(future) as f64
}

/// Allocations per run of the row, for every subject of it.
pub fn allocations(row: Row) -> Vec<(&'static str, f64)> {
    let run = |case: &retry_benches::cases::Case, n| {
        let before = ALLOCATIONS.get();
        (case.run)(n);
        ALLOCATIONS.get() - before
    };
    CASES
        .iter()
        .filter(|case| case.row == row)
        .map(|case| {
            // A first run sets up what a thread has once.
            run(case, 1);
            let (few, many) = (run(case, 10), run(case, 110));
            #[allow(clippy::cast_precision_loss, reason = "small numbers")]
            let each = (many - few) as f64 / 100.0;
            (case.subject, each)
        })
        .collect()
}
