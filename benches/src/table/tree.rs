//! What a subject brings with it: crates, and the CPU of a clean build; and the page that the table is written to.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retry_benches::procfs::cpu_seconds;

use crate::compiled::folder;
use crate::report::{Line, is_asked};

pub const HEAD: &str = "| what | by hand | ours | best peer | worst peer | bar | verdict |\n| --- | --- | --- | --- | --- | --- | --- |";

/// How a manifest names each subject.
const MANIFESTS: [(&str, &str); 12] = [
    ("hand", ""),
    ("ours", "retry-runtime"),
    ("backon", "backon"),
    ("backon_macros", "backon-macros"),
    ("tokio_retry", "tokio-retry"),
    ("tokio_retry2", "tokio-retry2"),
    ("backoff", "backoff"),
    ("again", "again"),
    ("retry", "retry"),
    ("tryhard", "tryhard"),
    ("mulligan", "mulligan"),
    ("retry_if", "retry-if"),
];

fn workspace() -> PathBuf {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().unwrap_or(benches).to_owned()
}

pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub fn said(command: &mut Command) -> String {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Crates that a user with the default features builds, its own included.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
pub fn crates() -> Vec<(&'static str, f64)> {
    let subjects = MANIFESTS.iter().filter(|(_, package)| !package.is_empty());
    subjects
        .map(|(subject, package)| {
            let mut command = cargo();
            command.args(["tree", "-e", "normal", "--prefix", "none", "-p", package]);
            if *subject == "backon_macros" {
                // What its expansion calls.
                command.args(["-p", "backon"]);
            }
            let text = said(command.current_dir(workspace()));
            let crates: BTreeSet<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
            (*subject, crates.len() as f64)
        })
        .collect()
}

/// CPU of a clean build of a user's package above that of one that has tokio alone, as a ratio to what
/// `backon-macros` takes.
pub fn builds() -> Vec<(&'static str, f64)> {
    let lock = fs::read_to_string(workspace().join("Cargo.lock")).expect("a lock file");
    let seconds: Vec<_> = MANIFESTS
        .iter()
        .filter(|(subject, _)| is_asked(subject) || *subject == "backon_macros")
        .map(|(subject, package)| (*subject, build(package, &lock)))
        .collect();
    let of = |wanted: &str| {
        seconds.iter().find(|(subject, _)| *subject == wanted).map_or(f64::NAN, |(_, seconds)| *seconds)
    };
    let (hand, unit) = (of("hand"), of("backon_macros") - of("hand"));
    seconds.iter().map(|(subject, seconds)| (*subject, (seconds - hand) / unit)).collect()
}

fn build(package: &str, lock: &str) -> f64 {
    let user = folder().join("user");
    let _ = fs::remove_dir_all(&user);
    fs::create_dir_all(user.join("src")).expect("a folder");
    let mut manifest = "[workspace]\n[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ntokio = { version = \"1\", features = [\"time\"] }\n".to_owned();
    let _ = match package {
        "" => Ok(()),
        "retry-runtime" => {
            writeln!(manifest, "retry-runtime = {{ path = '{}' }}", workspace().join(package).display())
        }
        "backon-macros" => writeln!(manifest, "backon = \"1\"\nbackon-macros = \"1\""),
        "retry-if" => writeln!(manifest, "retry-if = \"*\"\ntracing = \"0.1\""),
        "backoff" | "mulligan" => {
            writeln!(manifest, "{package} = {{ version = \"*\", features = [\"tokio\"] }}")
        }
        package => writeln!(manifest, "{package} = \"*\""),
    };
    fs::write(user.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(user.join("Cargo.lock"), lock).expect("a lock file");
    fs::write(user.join("src/lib.rs"), "").expect("a source");
    let before = cpu_seconds().1;
    said(cargo().args(["build", "-q", "--target-dir", "target"]).current_dir(&user));
    cpu_seconds().1 - before
}

/// Writes the page.
pub fn write(lines: &[Line]) {
    let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap_or_default();
    let version = |package: &str| {
        let entry =
            lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{package}\"\n")))?;
        entry
            .lines()
            .find_map(|line| line.strip_prefix("version = "))
            .map(|word| word.trim_matches('"').to_owned())
    };
    let named = MANIFESTS.iter().filter(|(_, package)| !package.is_empty()).map(|(_, package)| *package);
    let versions: Vec<String> = named
        .chain(["tokio"])
        .filter_map(|package| Some(format!("{package} {}", version(package)?)))
        .collect();
    let compiler = said(Command::new("rustc").arg("-V"));
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor =
        processor.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1)).unwrap_or("?");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut page = include_str!("page.md").to_owned();
    let rows: Vec<String> = lines.iter().map(Line::shown).collect();
    page = page.replace("{{table}}", &format!("{HEAD}\n{}", rows.join("\n")));
    page = page.replace("{{versions}}", &versions.join(", "));
    page =
        page.replace("{{machine}}", &format!("{}, {processors} processors ({processor})", compiler.trim()));
    fs::create_dir_all(workspace().join("docs")).expect("the folder docs");
    fs::write(workspace().join("docs/performance.md"), page).expect("the page");
}
