//! Compiles sources as crates of somebody who depends on the runtime, and reads what the compiler says about them.
#![allow(dead_code, reason = "no test uses all of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What is asked about a source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Check,
    Clippy,
}

/// Whose crate it is.
#[derive(Clone, Copy)]
pub struct User {
    pub edition: &'static str,
    /// What the user has of the runtime besides its defaults.
    pub features: &'static [&'static str],
}

impl User {
    pub const fn of(edition: &'static str) -> Self {
        Self { edition, features: &[] }
    }
}

/// Something that the compiler says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// The line of its place.
    pub line: u64,
    pub level: String,
    /// The code of an error or the name of a lint.
    pub code: String,
    pub message: String,
    /// The source under the caret, and its columns.
    pub at: Vec<(String, u64, u64)>,
}

/// What the tool says about each of the sources, in the order of their lines. `None` where the tool is not installed.
pub fn said(tool: Tool, user: User, sources: &[(&str, String)]) -> Option<BTreeMap<String, Vec<Said>>> {
    let project = project(tool, user, sources);
    let output = Command::new(env!("CARGO"))
        .args(match tool {
            Tool::Check => ["check"],
            Tool::Clippy => ["clippy"],
        })
        .args(["--examples", "--keep-going", "--offline", "--quiet", "--message-format=json"])
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", workshop().join("target"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8(output.stdout).expect("messages are text");
    let errors = String::from_utf8_lossy(&output.stderr);
    if tool == Tool::Clippy && errors.contains("no such command") || errors.contains("is not installed") {
        return None;
    }
    let mut said: BTreeMap<String, Vec<Said>> =
        sources.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())).collect();
    let mut finished = false;
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        finished |= message["reason"] == "build-finished";
        let target = message["target"]["name"].as_str().unwrap_or_default();
        if let (true, Some(said)) = (message["reason"] == "compiler-message", said.get_mut(target)) {
            said.extend(read(&message["message"]));
        }
    }
    assert!(finished, "the sources were not reached:\n{errors}");
    for lines in said.values_mut() {
        lines.sort();
    }
    Some(said)
}

/// The source without the attribute `#[retry_runtime::retry(on = is_busy)]`: another that says nothing is in its place.
pub fn without_attribute(source: &str) -> String {
    source.replace(
        "#[retry_runtime::retry(on = is_busy)]",
        "#[cfg_attr(any(), retry_runtime::retry(on = is_busy))]",
    )
}

/// Where the crates are written and compiled.
fn workshop() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled")
}

#[allow(clippy::unnecessary_debug_formatting, reason = "quoted, as a manifest needs it")]
fn project(tool: Tool, user: User, sources: &[(&str, String)]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let User { edition, features } = user;
    let kind = if tool == Tool::Check { "check" } else { "clippy" };
    let name = format!("{}-{kind}-{edition}-{}", env!("CARGO_CRATE_NAME"), features.join("-"));
    let project = workshop().join(name);
    let _ = std::fs::remove_dir_all(&project);
    std::fs::create_dir_all(project.join("examples")).expect("a folder can be made");
    let manifest = format!(
        "[package]\nname = \"somebody\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\nautolib = false\n\n\
         [workspace]\n\n\
         [dev-dependencies]\nretry-runtime = {{ path = {:?}, features = {features:?} }}\nasync-trait = \"0.1\"\n",
        root.join("retry-runtime"),
    );
    std::fs::write(project.join("Cargo.toml"), manifest).expect("a manifest can be written");
    std::fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).expect("there is a lock file");
    for (name, source) in sources {
        let path = project.join("examples").join(format!("{name}.rs"));
        std::fs::write(path, source).expect("a source can be written");
    }
    project
}

/// A message, unless it only sums up.
fn read(message: &Value) -> Option<Said> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let spans = message["spans"].as_array()?;
    let primary: Vec<&Value> = spans.iter().filter(|span| span["is_primary"] == true).collect();
    let line = primary.first()?["line_start"].as_u64()?;
    let at = primary.iter().map(|span| {
        let lines = span["text"].as_array().into_iter().flatten();
        let source: Vec<String> = lines.map(|line| text(&line["text"])).collect();
        let column = |name: &str| span[name].as_u64().unwrap_or_default();
        (source.join("\n"), column("column_start"), column("column_end"))
    });
    Some(Said {
        line,
        level: text(&message["level"]),
        code: text(&message["code"]["code"]),
        message: text(&message["message"]),
        at: at.collect(),
    })
}
