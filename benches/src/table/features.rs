//! What features of the runtime cost a function that uses none of them: this table again, built with them.

use std::path::Path;
use std::process::Command;

use crate::tree::{cargo, said};

/// The exact rows of ours, as this program prints them when it is built with `features`.
pub fn exact(features: &str) -> Vec<(String, String)> {
    let program = std::env::current_exe().expect("the path of this program");
    let profile = program.parent().expect("the profile's folder");
    let target = profile.parent().unwrap_or(Path::new("target")).join("features");
    let mut build = cargo();
    build.args(["build", "-q", "-p", "retry-benches", "--profile", "measured", "--features", features]);
    said(build.arg("--target-dir").arg(&target));
    let mut table = Command::new(target.join("measured/table"));
    // It says so where a bar is missed, and that is no fault here.
    let output = table.args(["exact", "bare", "ours"]).output().expect("the table runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    text.lines()
        .map(cells)
        .filter(|cells| cells.len() > 7 && cells[1] != "what" && cells[1] != "---")
        .map(|cells| (cells[1].clone(), cells[3].clone()))
        .collect()
}

/// How many rows differ.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
pub fn differing(without: &[(String, String)], with: &[(String, String)]) -> f64 {
    assert_eq!(without.len(), with.len(), "the same rows");
    without.iter().zip(with).filter(|(one, other)| one != other).count() as f64
}
