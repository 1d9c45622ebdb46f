//! Measures everything, prints the table and writes it to `docs/performance.md`.
//!
//! With the names of parts (`exact counted sizes checks builds features times tasks`) only these, and nothing is
//! written; with names of subjects (`ours backon …`) only these beside the loop by hand. `exact` alone fails where a bar is
//! missed.

#[path = "../table/compiled.rs"]
mod compiled;
#[path = "../table/features.rs"]
mod features;
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

/// The parts of the table, in its order.
const PARTS: [&str; 8] = ["exact", "counted", "sizes", "checks", "builds", "features", "times", "tasks"];

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (parts, subjects): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| PARTS.contains(&word.as_str()));
    let is_all = parts.is_empty() && subjects.is_empty();
    report::only(subjects);
    let mut lines = Vec::new();
    let mut add = |line: Line| {
        println!("{}", line.shown());
        lines.push(line);
    };
    println!("{}", tree::HEAD);
    for part in PARTS {
        if !parts.is_empty() && !parts.iter().any(|asked| asked == part) {
            continue;
        }
        match part {
            "exact" => exact(&mut add),
            "counted" => counted(&mut add),
            "sizes" => sizes(&mut add),
            "checks" => checks(&mut add),
            "builds" => builds(&mut add),
            "features" => features(&mut add),
            "times" => times(&mut add),
            _ => tasks(&mut add),
        }
    }
    if is_all {
        tree::write(&lines);
    }
    let missed: Vec<_> = lines.iter().filter(|line| !line.is_met()).map(|line| line.what.as_str()).collect();
    if missed.is_empty() {
        return std::process::ExitCode::SUCCESS;
    }
    eprintln!("missed: {}", missed.join("; "));
    if parts == ["exact"] { std::process::ExitCode::FAILURE } else { std::process::ExitCode::SUCCESS }
}

/// The same on every run.
fn exact(add: &mut impl FnMut(Line)) {
    let [small, middle, large] = memory::futures();
    add(Line::new("bytes of the future, body of 24 bytes", Bar::Most(152.0), small));
    add(Line::new("bytes of the future, body of 104 bytes", Bar::Most(168.0), middle));
    add(Line::new("bytes of the future, body of 1064 bytes", Bar::Most(1_128.0), large));
    add(Line::new("allocations, blocking success", Bar::Most(0.0), memory::allocations(Row::Success)));
    add(Line::new("allocations, async success", Bar::Most(0.0), memory::allocations(Row::SuccessLater)));
    add(Line::new("allocations, three retries", Bar::Most(0.0), memory::allocations(Row::Three)));
    add(Line::new("crates in the tree, default features", Bar::Most(10.0), tree::crates()));
    instructions(add, "blocking success, above the bare call", Bar::Most(27.0), Row::Success);
    instructions(add, "async success, above the bare call", Bar::Most(18.0), Row::SuccessLater);
}

fn instructions(add: &mut impl FnMut(Line), what: &str, bar: Bar, row: Row) {
    if instructions::is_possible() {
        let line = Line::new(&format!("instructions: {what}"), bar, instructions::count(row));
        add(if line.of("bare").is_some() { line.above_bare() } else { line });
    } else {
        println!("valgrind is not here: the instructions of {what} are not counted");
    }
}

/// Instructions of retries: what the compiler makes of them is the same on machines of a kind.
fn counted(add: &mut impl FnMut(Line)) {
    let three = Bar::Beside { hand: 115.0, most: 190.0 };
    instructions(add, "three retries, blocking, not waited for", three, Row::Three);
    instructions(add, "a thousand such retries", Bar::Most(45_000.0), Row::Thousand);
    if instructions::is_possible() {
        add(growth());
    }
    instructions(
        add,
        "three retries, async, waits skipped where that can be",
        Bar::Most(300.0),
        Row::ThreeLater,
    );
    let yields = Bar::Beside { hand: 186.0, most: 300.0 };
    instructions(add, "three waits of zero, which yield", yields, Row::Yields);
    let waits = Bar::Beside { hand: 11_450.0, most: 11_650.0 };
    instructions(add, "three waits on a paused clock", waits, Row::Delays);
    instructions(add, "one delay with jitter, above a known one", Bar::Most(80.0), Row::Jittered);
    instructions(add, "one delay without, above a known one", Bar::Most(54.0), Row::Plain);
}

/// A retry of a million, as a ratio to one of a thousand.
fn growth() -> Line {
    let (few, many) = (instructions::count(Row::Thousand), instructions::count(Row::Million));
    let few = few.into_iter().filter(|(subject, _)| many.iter().any(|(other, _)| other == subject));
    let ratios = few.zip(&many).map(|((subject, few), (_, many))| (subject, many / few / 1_000.0));
    Line::new("growth: a retry of a million ÷ one of a thousand", Bar::Most(1.0), ratios.collect())
}

/// What a function is for the compiler and in the binary.
fn sizes(add: &mut impl FnMut(Line)) {
    for (what, is_left) in [("", false), (" whose body has a `?`", true)] {
        for (kind, is_async, most) in [("async", true, [570.0, 850.0]), ("blocking", false, [80.0, 180.0])] {
            let [lines, text] = compiled::sizes(is_async, is_left);
            let name = |unit| format!("{unit} per {kind} function{what}, above bare");
            add(Line::new(&name("LLVM lines"), Bar::Most(most[0]), lines));
            add(Line::new(&name("text bytes"), Bar::Most(most[1]), text));
        }
    }
}

fn checks(add: &mut impl FnMut(Line)) {
    for (what, is_left) in [("", false), (" whose body has a `?`", true)] {
        let what = format!("CPU of checking 200 async functions{what} after a change in each, hand = 1");
        add(Line::new(&what, Bar::Most(1.3), compiled::checks(is_left)));
    }
}

fn builds(add: &mut impl FnMut(Line)) {
    let what = "CPU of a clean build above tokio's, backon-macros = 1";
    add(Line::new(what, Bar::Most(6.5 / 6.2), tree::builds()));
}

/// What the other features cost a function that uses none of them. Crates in the tree are those of the default features
/// in either case.
fn features(add: &mut impl FnMut(Line)) {
    let without = features::exact("default");
    let changed = features::differing(&without, &features::exact("classifiers"));
    let what = "exact rows that change when every feature but timers, observers and test-util is enabled";
    add(Line::new(what, Bar::Most(0.0), vec![("ours", changed)]));
    let observed = features::exact("observers");
    for (what, value) in observed.iter().filter(|(what, _)| what.starts_with("instructions")) {
        let value = value.parse().unwrap_or(f64::NAN);
        add(Line::new(&format!("{what}, with `tracing` and `metrics`"), Bar::None, vec![("ours", value)]));
    }
}

/// What another run measures a little differently.
fn times(add: &mut impl FnMut(Line)) {
    add(Line::new("time: blocking success, hand = 1", Bar::None, ratios::of(Row::Success, 200_000)));
    add(Line::new("time: async success, hand = 1", Bar::None, ratios::of(Row::SuccessLater, 200_000)));
    add(Line::new("time: three retries, blocking, hand = 1", Bar::None, ratios::of(Row::Three, 50_000)));
    let waits = ratios::of(Row::Delays, 2_000);
    add(Line::new("time: three waits on a paused clock, hand = 1", Bar::None, waits));
}

fn tasks(add: &mut impl FnMut(Line)) {
    let [cpu, memory, late] = waiting::tasks();
    add(Line::new("100,000 waiting tasks: CPU, hand = 1", Bar::Most(1.05), cpu));
    add(Line::new("100,000 waiting tasks: bytes per task", Bar::Beside { hand: 576.0, most: 576.0 }, memory));
    add(Line::new("100,000 waiting tasks: lateness, hand = 1", Bar::None, late));
}
