//! A hundred thousand tasks that wait: the program `storm`, whose median run counts.

use std::process::Command;

use crate::report::is_asked;

type Values = Vec<(&'static str, f64)>;

const SUBJECTS: [&str; 9] = [
    "hand",
    "ours",
    "backon",
    "backon_macros",
    "tokio_retry",
    "tokio_retry2",
    "backoff",
    "tryhard",
    "retry_if",
];

/// CPU and lateness as ratios to the loop by hand, and bytes per task.
pub fn tasks() -> [Values; 3] {
    let program = std::env::current_exe().expect("the path of this program").with_file_name("storm");
    let run = |subject: &str| -> [f64; 3] {
        let output = Command::new(&program).args([subject, "100000"]).output().expect("the storm runs");
        assert!(output.status.success(), "{subject}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        numbers.try_into().expect("three numbers")
    };
    let subjects: Vec<&str> = SUBJECTS.into_iter().filter(|subject| is_asked(subject)).collect();
    let mut runs = vec![Vec::new(); subjects.len()];
    for _ in 0..5 {
        for (subject, runs) in subjects.iter().zip(&mut runs) {
            runs.push(run(subject));
        }
    }
    let median = |runs: &[[f64; 3]], at: usize| {
        let mut values: Vec<f64> = runs.iter().map(|run| run[at]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    [0, 1, 2].map(|at| {
        let hand = if at == 1 { 1.0 } else { median(&runs[0], at) };
        subjects.iter().zip(&runs).map(|(subject, runs)| (*subject, median(runs, at) / hand)).collect()
    })
}
