//! Runs one case n times, to be looked at from outside: `case ROW SUBJECT N`.

use retry_benches::cases::CASES;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [row, subject, n] = words.as_slice() else { panic!("usage: case ROW SUBJECT N") };
    let case = CASES.iter().find(|case| case.row.name() == row && case.subject == subject);
    (case.expect("there is such a case").run)(n.parse().expect("a number of runs"));
}
