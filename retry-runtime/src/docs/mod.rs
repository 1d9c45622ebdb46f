//! The guide: what to know beyond the reference.

#[doc = include_str!("mistakes.md")]
pub mod mistakes {}

#[doc = include_str!("idempotency.md")]
pub mod idempotency {}

#[doc = include_str!("shapes.md")]
pub mod shapes {}
