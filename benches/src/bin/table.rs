//! Measures everything, prints the table and writes it to `docs/performance.md`. With `--exact` only what is the same
//! on every run, and an error where a bar is missed.

#[path = "../table/compiled.rs"]
mod compiled;
#[path = "../table/generated.rs"]
mod generated;
#[path = "../table/instructions.rs"]
mod instructions;
#[path = "../table/memory.rs"]
mod memory;
#[path = "../table/ratios.rs"]
mod ratios;
#[path = "../table/report.rs"]
mod report;
#[path = "../table/tree.rs"]
mod tree;
#[path = "../table/waiting.rs"]
mod waiting;

use report::{Bar, Line};
use retry_benches::cases::Row;

fn main() -> std::process::ExitCode {
    let is_exact = std::env::args().any(|word| word == "--exact");
    let mut lines = Vec::new();
    let mut add = |line: Line| {
        println!("{}", line.shown());
        lines.push(line);
    };
    println!("{}", tree::HEAD);
    exact(&mut add, is_exact);
    if !is_exact {
        costs(&mut add);
        times(&mut add);
        tree::write(&lines);
    }
    let missed: Vec<_> = lines.iter().filter(|line| !line.is_met()).map(|line| line.what.as_str()).collect();
    if missed.is_empty() {
        return std::process::ExitCode::SUCCESS;
    }
    eprintln!("missed: {}", missed.join("; "));
    if is_exact { std::process::ExitCode::FAILURE } else { std::process::ExitCode::SUCCESS }
}

/// The same on every run.
fn exact(add: &mut impl FnMut(Line), is_guard: bool) {
    let [small, middle, large] = memory::futures();
    add(Line::new("bytes of the future, body of 24 bytes", Bar::Most(152.0), small));
    add(Line::new("bytes of the future, body of 104 bytes", Bar::Most(168.0), middle));
    add(Line::new("bytes of the future, body of 1064 bytes", Bar::Most(1_128.0), large));
    add(Line::new("allocations, blocking success", Bar::Most(0.0), memory::allocations(Row::Success)));
    add(Line::new("allocations, async success", Bar::Most(0.0), memory::allocations(Row::SuccessLater)));
    add(Line::new("allocations, three retries", Bar::Most(0.0), memory::allocations(Row::Three)));
    add(Line::new("crates in the tree, default features", Bar::Most(10.0), tree::crates()));
    if !instructions::is_possible() {
        println!("valgrind is not here: instructions are not counted");
        return;
    }
    let few: Option<&[&str]> = if is_guard { Some(&["bare", "hand", "ours"]) } else { None };
    let counted =
        |what: &str, times: f64, row| Line::new(what, Bar::OfHand(times), instructions::count(row, few));
    let success = counted("instructions above the bare call: blocking success", 27.0 / 21.0, Row::Success);
    add(success.above_bare());
    add(counted("instructions above the bare call: async success", 18.0 / 8.0, Row::SuccessLater)
        .above_bare());
    if is_guard {
        return;
    }
    add(counted(
        "instructions: three retries, blocking, drawn and not waited for",
        190.0 / 115.0,
        Row::Three,
    ));
    add(counted("instructions: a thousand such retries", 45.0 / 33.0, Row::Thousand));
    let grown = growth();
    add(grown);
    add(counted(
        "instructions: three retries, async, waits skipped where that can be",
        300.0 / 186.0,
        Row::ThreeLater,
    ));
    add(counted("instructions: three waits of zero, which yield", 300.0 / 186.0, Row::Yields));
    add(counted("instructions: three waits on a paused clock", 11_650.0 / 11_450.0, Row::Delays));
    add(counted("instructions: one delay with jitter", 2.0, Row::Jittered));
    add(counted("instructions: one delay without", 54.0 / 20.0, Row::Plain));
}

/// A retry of a million, as a ratio to one of a thousand.
fn growth() -> Line {
    let subjects: Option<&[&str]> = Some(&["hand", "ours"]);
    let (few, many) =
        (instructions::count(Row::Thousand, subjects), instructions::count(Row::Million, subjects));
    let ratios = few.into_iter().zip(many).map(|((subject, few), (_, many))| (subject, many / few / 1_000.0));
    Line::new("growth: a retry of a million ÷ one of a thousand", Bar::Most(1.0), ratios.collect())
}

/// What functions cost the compiler.
fn costs(add: &mut impl FnMut(Line)) {
    for (what, is_left) in [("", false), (" whose body has a `?`", true)] {
        let [lines, text] = compiled::sizes(true, is_left);
        add(Line::new(&format!("LLVM lines per async function{what}, above bare"), Bar::Most(570.0), lines));
        add(Line::new(&format!("text bytes per async function{what}, above bare"), Bar::Most(850.0), text));
        let [lines, text] = compiled::sizes(false, is_left);
        add(Line::new(
            &format!("LLVM lines per blocking function{what}, above bare"),
            Bar::Most(80.0),
            lines,
        ));
        add(Line::new(
            &format!("text bytes per blocking function{what}, above bare"),
            Bar::Most(180.0),
            text,
        ));
    }
    for (what, is_left) in [("", false), (" whose body has a `?`", true)] {
        let what = format!("CPU of checking 200 async functions{what} after a change in each, hand = 1");
        add(Line::new(&what, Bar::Most(1.3), compiled::checks(is_left)));
    }
    add(Line::new(
        "CPU of a clean build above tokio's, backon-macros = 1",
        Bar::Most(6.5 / 6.2),
        tree::builds(),
    ));
}

/// What another run measures a little differently.
fn times(add: &mut impl FnMut(Line)) {
    add(Line::new("time: blocking success, hand = 1", Bar::None, ratios::of(Row::Success, 200_000)));
    add(Line::new("time: async success, hand = 1", Bar::None, ratios::of(Row::SuccessLater, 200_000)));
    add(Line::new("time: three retries, blocking, hand = 1", Bar::None, ratios::of(Row::Three, 50_000)));
    add(Line::new(
        "time: three waits on a paused clock, hand = 1",
        Bar::None,
        ratios::of(Row::Delays, 2_000),
    ));
    let [cpu, memory, late] = waiting::tasks();
    add(Line::new("100,000 waiting tasks: CPU, hand = 1", Bar::Most(1.05), cpu));
    add(Line::new("100,000 waiting tasks: bytes per task", Bar::OfHand(1.0), memory));
    add(Line::new("100,000 waiting tasks: lateness, hand = 1", Bar::None, late));
}
