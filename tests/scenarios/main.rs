//! Whole calls with everything that happens in them told in advance, and single delays: what is right for each.
//!
//! The acts of a call stand in virtual time; its attempts, waits, end and reason are compared exactly.

#[path = "../support/mod.rs"]
mod support;

mod clocks;
mod counting;
mod deadlines;
mod growth;
mod headers;
mod hints;
mod jitter;
mod state;
