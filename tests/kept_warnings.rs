//! A warning that the user would get without the attribute is given with it too, at its place, once.

use std::collections::BTreeSet;

#[path = "support/compiler.rs"]
mod compiler;
use compiler::{Said, Tool, User, said, without_attribute};

const WARNED: &str = include_str!("kept_warnings/warned.rs");

/// What is said with and without the attribute. Without it nobody asks the predicate.
fn both(tool: Tool) -> Option<(Vec<Said>, Vec<Said>)> {
    let sources = [("annotated", WARNED.to_owned()), ("plain", without_attribute(WARNED))];
    let mut said = said(tool, User::of("2024"), &sources)?;
    let mut plain = said.remove("plain")?;
    plain.retain(|said| !said.message.contains("`is_busy`"));
    Some((said.remove("annotated")?, plain))
}

fn codes(said: &[Said]) -> BTreeSet<&str> {
    said.iter().map(|said| said.code.as_str()).collect()
}

#[test]
fn of_the_compiler() {
    let (annotated, plain) = both(Tool::Check).expect("there is a compiler");
    assert_eq!(annotated, plain);
    let expected = [
        "dead_code",
        "deprecated",
        "let_underscore_drop",
        "missing_docs",
        "unreachable_code",
        "unused_imports",
        "unused_must_use",
        "unused_mut",
        "unused_parens",
        "unused_qualifications",
        "unused_variables",
    ];
    assert!(codes(&annotated).is_superset(&expected.into()), "{:?}", codes(&annotated));
}

#[test]
fn of_clippy() {
    let Some((annotated, plain)) = both(Tool::Clippy) else { return };
    assert_eq!(annotated, plain);
    let expected = [
        "clippy::arithmetic_side_effects",
        "clippy::bool_comparison",
        "clippy::indexing_slicing",
        "clippy::missing_errors_doc",
        "clippy::missing_panics_doc",
        "clippy::needless_return",
        "clippy::panic",
        "clippy::ptr_arg",
        "clippy::shadow_reuse",
        "clippy::todo",
        "clippy::unimplemented",
        "clippy::unwrap_used",
    ];
    assert!(codes(&annotated).is_superset(&expected.into()), "{:?}", codes(&annotated));
}
