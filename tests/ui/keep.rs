//! `keep`: names of what no attempt changes.

use retry_runtime::retry;

#[retry(keep(total))]
fn of_nothing(count: u32) -> std::io::Result<()> {
    assert!(count > 0);
    Ok(())
}

#[retry(keep(cuont))]
fn misspelt(mut count: u32) -> std::io::Result<()> {
    count += 1;
    assert!(count > 0);
    Ok(())
}

#[retry(keep(count))]
fn not_mut(count: u32) -> std::io::Result<()> {
    assert!(count > 0);
    Ok(())
}

#[retry(keep(mut count))]
fn with_the_word(mut count: u32) -> std::io::Result<()> {
    count += 1;
    assert!(count > 0);
    Ok(())
}

#[retry(keep(count, count))]
fn twice(mut count: u32) -> std::io::Result<()> {
    count += 1;
    assert!(count > 0);
    Ok(())
}

#[retry(once(key = 7), keep(key))]
fn a_binding() -> std::io::Result<()> {
    assert!(key > 0);
    Ok(())
}

#[retry(keep)]
fn without_names(mut count: u32) -> std::io::Result<()> {
    count += 1;
    assert!(count > 0);
    Ok(())
}

fn main() {}
