//! Tests and examples against real services. Nothing here is published.
