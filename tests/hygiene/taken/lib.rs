//! Nothing of what its users call it.
#![no_std]

/// All there is.
pub trait Taken {}
