//! A crate that hands the runtime on, and a macro that writes an annotated function.

pub use retry_runtime;
pub use retry_runtime::retry;

/// The runtime in a deeper place.
pub mod deeper {
    pub use retry_runtime as runtime;
}

/// A function that is tried again, in the crate of whoever calls the macro.
#[macro_export]
macro_rules! retried {
    ($name:ident, $type:ty, $body:block) => {
        #[$crate::retry(crate = $crate::retry_runtime, on = |_| true, max = 2)]
        fn $name() -> $type $body
    };
}
