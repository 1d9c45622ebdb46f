//! Time as a ratio to the loop by hand, taken in the same round: what disturbs a round disturbs both.

use std::time::Instant;

use retry_benches::cases::{CASES, Row};

use crate::report::is_asked;

const ROUNDS: usize = 31;

/// The median over the rounds, for every subject of the row.
pub fn of(row: Row, n: u64) -> Vec<(&'static str, f64)> {
    let cases: Vec<_> = CASES.iter().filter(|case| case.row == row && is_asked(case.subject)).collect();
    let mut ratios = vec![Vec::with_capacity(ROUNDS); cases.len()];
    for _ in 0..ROUNDS {
        let times: Vec<f64> = cases
            .iter()
            .map(|case| {
                let began = Instant::now();
                (case.run)(n);
                began.elapsed().as_secs_f64()
            })
            .collect();
        let hand =
            cases.iter().zip(&times).find(|(case, _)| case.subject == "hand").map_or(1.0, |(_, time)| *time);
        for (ratios, time) in ratios.iter_mut().zip(times) {
            ratios.push(time / hand);
        }
    }
    let median = |mut ratios: Vec<f64>| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    cases.iter().zip(ratios).map(|(case, ratios)| (case.subject, median(ratios))).collect()
}
