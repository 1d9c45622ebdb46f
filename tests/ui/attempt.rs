//! `attempt`: what is no name, or is taken.

use retry_runtime::retry;

#[retry(attempt = 3)]
fn a_number() -> std::io::Result<()> {
    Ok(())
}

#[retry(attempt = "now")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(attempt = self)]
fn a_keyword() -> std::io::Result<()> {
    Ok(())
}

#[retry(attempt = now.number())]
fn an_expression() -> std::io::Result<()> {
    Ok(())
}

#[retry(attempt)]
fn without_a_name() -> std::io::Result<()> {
    Ok(())
}

#[retry(attempt = count)]
fn the_name_of_a_parameter(count: u32) -> std::io::Result<()> {
    assert!(count > 0);
    Ok(())
}

#[retry(once(key = 7), attempt = key)]
fn the_name_of_a_binding() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(attempt = now, attempt = then)]
fn twice() -> std::io::Result<()> {
    assert!(now.number() > 0);
    Ok(())
}

#[retry(attempt = now, max = 0)]
fn still_bound_after_another_fault() -> std::io::Result<()> {
    assert!(now.number() > 0);
    Ok(())
}

fn main() {}
