//! Two hundred functions that the table writes and compiles; nothing without it.

#![allow(clippy::pedantic, clippy::all, unused, unexpected_cfgs, reason = "written by a program")]

#[cfg(retry_many)]
include!(env!("RETRY_MANY"));

#[cfg(not(retry_many))]
fn main() {}
