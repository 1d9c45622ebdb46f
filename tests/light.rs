//! What the macro and its expansion weigh: crates in the tree, lines of an expansion. Bytes of futures and allocations
//! are in `success_path.rs`, instructions in `benches/run.sh exact`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_default_features_bring_eight_crates_of_others() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "retry-runtime", "-e", "normal", "--prefix", "none"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let crates: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let known = [
        "pin-project-lite",
        "proc-macro2",
        "quote",
        "rand",
        "rand_core",
        "retry-macros",
        "retry-runtime",
        "syn",
        "tokio",
        "unicode-ident",
    ];
    assert_eq!(crates, BTreeSet::from(known));
}

#[test]
fn an_expansion_stays_short() {
    let lines = |name: &str| {
        let path = workspace().join("retry-macros/snapshots").join(name);
        std::fs::read_to_string(path).expect("a snapshot").lines().count()
    };
    for (name, most) in [("in_place.rs", 32), ("async.rs", 38), ("blocking.rs", 38)] {
        assert!(lines(name) <= most, "{name} has {} lines", lines(name));
    }
}
