//! What the compiler answers to mistakes: one file per key under `ui`, each with many faults, the answers pinned.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the answers; what it has written is to be read like code.

use std::process::Command;

/// The compiler whose words are pinned; others put some of their own differently.
const PINNED: &str = "rustc 1.95.";

fn is_pinned() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().expect("there is a compiler");
    version.stdout.starts_with(PINNED.as_bytes())
}

/// What the attribute or the type checker refuses.
#[test]
fn refused() {
    if is_pinned() {
        trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    }
}

/// What the evaluation of constants refuses: only in a program that is built, and where it calls the function.
#[test]
fn evaluated() {
    if is_pinned() {
        let cases = trybuild::TestCases::new();
        cases.pass("tests/ui/right/constants.rs");
        cases.compile_fail("tests/ui/evaluated/*.rs");
    }
}
