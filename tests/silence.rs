//! No lint is ever about what the attribute writes.

#[path = "support/compiler.rs"]
mod compiler;
use compiler::{Tool, User, said};

const BATTERY: &str = include_str!("silence/battery.rs");

fn check(tool: Tool, user: User) {
    let User { edition, features } = user;
    // What the prelude has, it has since edition 2024.
    let imports = if edition == "2024" { "ready" } else { "{Future, ready}" };
    let source = BATTERY.replace("use std::future::ready;", &format!("use std::future::{imports};"));
    let Some(said) = said(tool, user, &[("battery", source)]) else { return };
    assert_eq!(said["battery"], [], "edition {edition}, {features:?}");
}

#[test]
fn of_the_compiler() {
    for edition in ["2018", "2021", "2024"] {
        check(Tool::Check, User::of(edition));
    }
}

#[test]
fn of_clippy() {
    for edition in ["2018", "2021", "2024"] {
        check(Tool::Clippy, User::of(edition));
    }
}

#[test]
fn of_clippy_where_calls_are_observed() {
    check(Tool::Clippy, User { edition: "2024", features: &["tracing", "metrics"] });
}
