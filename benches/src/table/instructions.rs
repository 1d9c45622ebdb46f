//! Instructions, counted by valgrind: (2n runs − n runs) / n, so that the start of the program drops out.

use std::path::{Path, PathBuf};
use std::process::Command;

use retry_benches::cases::{CASES, Row};

use crate::report::is_asked;

/// The program `case` beside this one.
fn case() -> PathBuf {
    std::env::current_exe().expect("the path of this program").with_file_name("case")
}

pub fn is_possible() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
        && case().exists()
}

fn collected(program: &Path, row: Row, subject: &str, n: u64) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([row.name(), subject, &n.to_string()])
        .output()
        .expect("valgrind runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {subject}: {text}", row.name());
    let line = text.lines().find_map(|line| line.split("Collected :").nth(1));
    line.and_then(|line| line.trim().parse().ok()).expect("a count")
}

/// Instructions per run, for every subject of the row.
pub fn count(row: Row) -> Vec<(&'static str, f64)> {
    let (n, per) = match row {
        Row::Success | Row::SuccessLater => (1_000, 1.0),
        Row::Three => (500, 1.0),
        Row::Thousand => (4, 1.0),
        Row::Million => (1, 1.0),
        Row::ThreeLater | Row::Yields => (300, 1.0),
        Row::Delays => (200, 1.0),
        Row::Jittered | Row::Plain => (400, 5.0),
    };
    let program = case();
    CASES
        .iter()
        .filter(|case| case.row == row && is_asked(case.subject))
        .map(|case| {
            let counted = |n| collected(&program, row, case.subject, n);
            #[allow(clippy::cast_precision_loss, reason = "small numbers")]
            let each = (counted(2 * n) - counted(n)) / n as f64 / per;
            (case.subject, each)
        })
        .collect()
}
