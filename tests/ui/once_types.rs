//! `once`: values with errors of their own, and what a body may not do with them.

use retry_runtime::{always, retry};

struct Busy;

#[retry(on = always, once(key = new_key()))]
fn an_unknown_function() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(on = always, once(key = String::new().length()))]
fn an_unknown_method() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(on = always, once(key = String::new()))]
fn changed_without_mut() -> std::io::Result<()> {
    key.push('!');
    Ok(())
}

#[retry(on = always, once(key = String::new()))]
fn moved_without_clone() -> std::io::Result<()> {
    drop(key);
    Ok(())
}

#[retry(on = always, once(key = "7".parse::<u32>()?))]
fn a_question_of_another_error() -> Result<(), Busy> {
    assert!(key > 0);
    Ok(())
}

fn main() {}
