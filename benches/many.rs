//! Two hundred functions that the table writes and compiles.

#![allow(clippy::pedantic, clippy::all, unused, unexpected_cfgs, reason = "written by a program")]

include!(env!("RETRY_MANY"));
