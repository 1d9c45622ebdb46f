//! What `cargo test` leaves out, and that the README says how to run it.

const COMMAND: &str = "scripts/postgres.sh cargo test -p retry-services -- --include-ignored";

#[test]
fn the_readme_names_the_command() {
    assert!(include_str!("../README.md").contains(COMMAND));
    assert!(include_str!("../.ci/run").contains(COMMAND));
}

/// Stands here to be seen among the results.
#[test]
#[ignore = "left out: HTTP, gRPC, PostgreSQL, SQLite and Redis; run `scripts/postgres.sh cargo test -p retry-services -- --include-ignored`"]
fn real_services() {}
