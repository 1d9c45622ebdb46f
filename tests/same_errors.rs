//! The body keeps its own errors: for each of these mistakes the compiler says the same of an annotated function and of
//! the same function without the attribute, at the same place and as often.
//!
//! Not the same: the name of what a body stands in (a closure or an async block, in the place of a function), and labels
//! at second places.

use std::path::Path;

#[path = "support/compiler.rs"]
mod compiler;
use compiler::{Said, Tool, User, said, without_attribute};

/// The sources beside this file: each has one kind of mistake, in blocking and in async functions.
fn mistakes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/same_errors");
    let files = std::fs::read_dir(folder).expect("the sources are there");
    let mut mistakes: Vec<(String, String)> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a source"))
        })
        .collect();
    mistakes.sort();
    mistakes
}

/// The message, with the name that a function goes by without the attribute.
fn in_a_function(said: &Said) -> Said {
    let message = said.message.replace("in a closure that", "in a function that");
    let message = message.replace("in an async block that", "in an async function that");
    Said { message: message.replace("inside `async` block", "inside `async` function"), ..said.clone() }
}

fn check(edition: &'static str) {
    let mistakes = mistakes();
    let sources: Vec<(String, String)> = mistakes
        .iter()
        .flat_map(|(name, source)| {
            [
                (format!("{name}_annotated"), source.clone()),
                (format!("{name}_plain"), without_attribute(source)),
            ]
        })
        .collect();
    let sources: Vec<(&str, String)> =
        sources.iter().map(|(name, source)| (name.as_str(), source.clone())).collect();
    let said = said(Tool::Check, User::of(edition), &sources).expect("there is a compiler");
    for (name, _) in &mistakes {
        let annotated: Vec<Said> = said[&format!("{name}_annotated")].iter().map(in_a_function).collect();
        // Without the attribute nobody asks the predicate.
        let plain = said[&format!("{name}_plain")].iter().filter(|said| !said.message.contains("`is_busy`"));
        let plain: Vec<Said> = plain.cloned().collect();
        assert!(!plain.is_empty(), "{name} is no mistake");
        assert_eq!(annotated, plain, "{name}, edition {edition}");
    }
}

#[test]
fn with_and_without_the_attribute() {
    check("2024");
}

#[test]
fn in_edition_2021() {
    check("2021");
}
