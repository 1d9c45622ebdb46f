//! Measures everything, prints the table and writes it to `docs/performance.md`.

#[path = "../table/generated.rs"]
mod generated;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, subject, kind] = words.as_slice() {
        if word == "program" {
            let template = generated::TEMPLATES.iter().find(|template| template.subject == subject);
            let program = template.and_then(|template| template.program(kind == "later"));
            print!("{}", program.expect("the subject has such functions"));
        }
    }
}
