//! The guide's page of likely mistakes is made from the pinned answers of the compiler, so it cannot go stale.

use std::fmt::Write;
use std::path::Path;

/// Which answers: the file, and how the one that is meant begins.
const LIKELY: &[(&str, &str)] = &[
    ("unknown_keys", "there is no setting `bsae_ms`"),
    ("unknown_keys", "there is no setting `max_attempts`"),
    ("unknown_keys", "there is no setting `retry_if`"),
    ("unknown_keys", "there is no setting `timeout`"),
    ("unknown_keys", "there is no setting `jitter`"),
    ("max", "`max` must be at least 1"),
    ("max", "`max = unlimited` needs"),
    ("max", "`max` must be a constant"),
    ("base", "a number alone says no unit"),
    ("cap", "`base` is above `cap`"),
    ("strategy", "there is no strategy `fulll`"),
    ("strategy", "there is no strategy `exponential`"),
    ("deadline", "the first delay is"),
    ("attempt_timeout", "`attempt_timeout` works on"),
    ("on", "`on` takes the function itself, not"),
    ("on", "`on` and `when`"),
    ("classification", "nothing says which errors"),
    ("classification", "`Vec<u32>` is no `Result`"),
    ("targets", "`mut size` does not say"),
    ("syntax", "expected `,`"),
];

/// The answer, and the line that it is about.
fn answer(stderr: &str, begins: &str) -> Option<(String, String)> {
    let block =
        stderr.split("\n\n").find(|block| title(block).is_some_and(|title| title.starts_with(begins)))?;
    let code = block.lines().find_map(|line| {
        let (number, code) = line.split_once(" | ")?;
        number.trim().parse::<u32>().ok().map(|_| code.trim().to_owned())
    })?;
    Some((title(block)?.to_owned(), code))
}

fn title(block: &str) -> Option<&str> {
    let first = block.lines().find(|line| line.starts_with("error"))?;
    first.split_once(": ").map(|(_, title)| title)
}

#[test]
fn the_page_tells_what_the_compiler_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut page = String::from("What the compiler answers to the most likely mistakes.\n");
    for (file, begins) in LIKELY {
        let stderr =
            std::fs::read_to_string(root.join(format!("tests/ui/{file}.stderr"))).expect("pinned answers");
        let (title, code) =
            answer(&stderr, begins).unwrap_or_else(|| panic!("{file}: no answer begins with {begins}"));
        write!(page, "\n```text\n{code}\n```\n\n> {title}\n").expect("a string takes all");
    }
    let path = root.join("retry-runtime/src/docs/mistakes.md");
    if std::env::var_os("MISTAKES").is_some_and(|wish| wish == "overwrite") {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "read the change, then write the page with MISTAKES=overwrite:\n{page}");
}
