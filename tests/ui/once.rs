//! `once`: what is no binding. What it promised stays bound.

use retry_runtime::retry;

#[retry(once(limit = 3))]
fn with_the_name_of_a_parameter(limit: u32) -> std::io::Result<()> {
    assert!(limit > 0);
    Ok(())
}

#[retry(once(key = 1, key = 2))]
fn twice() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(once(key))]
fn without_a_value() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(once(key =))]
fn with_an_empty_value() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(once(key: u32 = 1))]
fn with_a_type() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(once(let key = 1))]
fn with_let() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(once((first, second) = (1, 2)))]
fn a_pattern() -> std::io::Result<()> {
    Ok(())
}

#[retry(once(key = 1 id = 2))]
fn without_a_comma() -> std::io::Result<()> {
    assert!(key < id);
    Ok(())
}

#[retry(once())]
fn empty() -> std::io::Result<()> {
    Ok(())
}

#[retry(once = 3)]
fn with_an_equals_sign() -> std::io::Result<()> {
    Ok(())
}

#[retry(once(self = 3))]
fn a_keyword() -> std::io::Result<()> {
    Ok(())
}

#[retry(once(first, second: u8 = 2, third = 3))]
fn two_slips() -> std::io::Result<()> {
    assert!(first + second + third > 0);
    Ok(())
}

fn main() {}
