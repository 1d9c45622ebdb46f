//! Slips of the hand: each is one error, and hides no other (`base_ms = 0` stands for those).

use retry_runtime::{always, retry};

#[retry(on = always max = 5, base_ms = 0)]
fn a_missing_comma() -> std::io::Result<()> {
    Ok(())
}

#[retry(clone(a) on = always, base_ms = 0)]
fn a_missing_comma_after_a_list(a: u8) -> std::io::Result<()> {
    assert!(a > 0);
    Ok(())
}

#[retry(max 5, base_ms = 0)]
fn a_missing_equals_sign() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = = 5, base_ms = 0)]
fn one_equals_sign_too_many() -> std::io::Result<()> {
    Ok(())
}

#[retry(max == 5, base_ms = 0)]
fn a_comparison() -> std::io::Result<()> {
    Ok(())
}

#[retry(max => 5, base_ms = 0)]
fn an_arrow() -> std::io::Result<()> {
    Ok(())
}

#[retry(max: 5, base_ms = 0)]
fn a_colon() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5; base_ms = 0)]
fn a_semicolon() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always., base_ms = 0)]
fn a_trailing_dot() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = always::, base_ms = 0)]
fn a_trailing_path() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = |error| error., base_ms = 0)]
fn a_trailing_dot_in_a_closure() -> std::io::Result<()> {
    Ok(())
}

#[retry(on = |error| , base_ms = 0)]
fn a_closure_without_a_body() -> std::io::Result<()> {
    Ok(())
}

#[retry(max =, base_ms = 0)]
fn an_empty_value() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 0, max =)]
fn an_empty_value_at_the_end() -> std::io::Result<()> {
    Ok(())
}

#[retry(max, base_ms = 0)]
fn a_key_alone() -> std::io::Result<()> {
    Ok(())
}

#[retry(3, base_ms = 0)]
fn a_number_alone() -> std::io::Result<()> {
    Ok(())
}

#[retry("full", base_ms = 0)]
fn a_text_alone() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5 7, base_ms = 0)]
fn a_stray_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5,, base_ms = 0)]
fn two_commas() -> std::io::Result<()> {
    Ok(())
}

#[retry(, base_ms = 0)]
fn a_comma_before_all() -> std::io::Result<()> {
    Ok(())
}

#[retry(::max = 5, base_ms = 0)]
fn a_path_for_a_key() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5 = 6, base_ms = 0)]
fn two_values() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = (5, base_ms = 0))]
fn a_parenthesis_that_closes_late() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5, max = "five", max = 0, base_ms = 0)]
fn the_same_key_thrice() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 0, base_ms = 0, cap = 3, factor = 0, strategy = "ful", on = always(), deadline = "soon", docs = 1, retires = 3)]
fn many_at_once() -> std::io::Result<()> {
    Ok(())
}

fn main() {
    let _ = (a_missing_comma(), a_trailing_dot(), many_at_once());
}
