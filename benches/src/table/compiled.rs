//! What functions cost the compiler and the binary: the programs of `generated.rs`, compiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retry_benches::procfs::cpu_seconds;

use crate::generated::{FUNCTIONS, TEMPLATES, Template};
use crate::report::is_asked;

type Values = Vec<(&'static str, f64)>;

/// Where the programs are written: below the target directory, which is where this program is.
pub fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    let folder = program.with_file_name("programs");
    fs::create_dir_all(&folder).expect("a folder for programs");
    folder
}

fn written(template: &Template, is_async: bool, is_left: bool, round: usize) -> Option<PathBuf> {
    let program = template.program(is_async, is_left, round)?;
    let path = folder().join(format!("{}.rs", template.subject));
    fs::write(&path, program).expect("a program can be written");
    Some(path)
}

/// Compiles the program `many` with the source that was written.
fn compile(program: &Path, profile: &str, flags: &[&str]) {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["rustc", "-q", "-p", "retry-benches", "--bin", "many", "--profile", profile]);
    command.args(["--", "--cfg", "retry_many"]).args(flags);
    let output = command.env("RETRY_MANY", program).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn emitted(program: &Path, kind: &str, flags: &[&str]) -> PathBuf {
    let path = folder().join(kind);
    let emit = format!("--emit={kind}={}", path.display());
    let mut all = vec![emit.as_str()];
    all.extend(flags);
    compile(program, "measured", &all);
    path
}

/// Lines of LLVM IR before any optimisation, inside functions.
fn llvm_lines(program: &Path) -> usize {
    let path = emitted(program, "llvm-ir", &["-Cno-prepopulate-passes", "-Cpasses=name-anon-globals"]);
    let text = fs::read_to_string(path).expect("what was emitted");
    let mut is_inside = false;
    let counted = text.lines().filter(|line| {
        is_inside |= line.starts_with("define");
        let counts = is_inside;
        is_inside &= *line != "}";
        counts
    });
    counted.count()
}

/// Bytes of the sections `.text*`, as `size -A` tells them.
fn text_bytes(program: &Path) -> usize {
    let path = emitted(program, "obj", &[]);
    let output = Command::new("size").arg("-A").arg(path).output().expect("`size` runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sections = text.lines().filter(|line| line.starts_with(".text"));
    sections.filter_map(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok()).sum()
}

/// LLVM lines and text bytes per function, above the bare function.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
pub fn sizes(is_async: bool, is_left: bool) -> [Values; 2] {
    let mut rows = [Values::new(), Values::new()];
    let mut bare = [0.0, 0.0];
    for template in TEMPLATES.iter().filter(|template| is_asked(template.subject)) {
        let Some(program) = written(template, is_async, is_left, 0) else { continue };
        let counts = [llvm_lines(&program) as f64, text_bytes(&program) as f64];
        if template.subject == "bare" {
            bare = counts;
        }
        for ((row, count), bare) in rows.iter_mut().zip(counts).zip(bare) {
            row.push((template.subject, (count - bare) / FUNCTIONS as f64));
        }
    }
    rows
}

/// CPU of checking the program after a change in every function, as a ratio to the functions by hand in the same round;
/// the median of the rounds.
pub fn checks(is_left: bool) -> Values {
    const ROUNDS: usize = 9;
    let check = |template: &Template, round| {
        let program = written(template, true, is_left, round)?;
        // What the compiler remembers of each subject.
        let known = format!("-Cincremental={}", folder().join(template.subject).display());
        let before = cpu_seconds().1;
        compile(&program, "check", &[&known]);
        Some(cpu_seconds().1 - before)
    };
    let asked = TEMPLATES.iter().filter(|template| is_asked(template.subject));
    let subjects: Vec<&Template> = asked.filter(|template| check(template, 0).is_some()).collect();
    let rounds = (1..=ROUNDS).map(|round| {
        let seconds: Vec<f64> = subjects.iter().filter_map(|template| check(template, round)).collect();
        let hand =
            subjects.iter().position(|template| template.subject == "hand").map_or(1.0, |at| seconds[at]);
        seconds.into_iter().map(|seconds| seconds / hand).collect::<Vec<f64>>()
    });
    let rounds: Vec<Vec<f64>> = rounds.collect();
    let median = |at: usize| {
        let mut ratios: Vec<f64> = rounds.iter().map(|ratios| ratios[at]).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    subjects.iter().enumerate().map(|(at, template)| (template.subject, median(at))).collect()
}
