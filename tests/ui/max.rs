//! `max`: numbers out of range, and what is no number.

use retry_runtime::retry;

struct Client {
    retries: u32,
}

#[retry(max = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = -1)]
fn negative() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 2.5)]
fn a_fraction() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = "5")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5u8)]
fn of_another_type() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 5_000_000_000)]
fn too_large() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = "unlimited", deadline = "5s")]
fn unlimited_as_a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = infinite, deadline = "5s")]
fn another_word() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = unlimited)]
fn without_end() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = unlimited, deadline = none)]
fn without_end_after_all() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = 3, max = 4)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

#[retry(max = retries)]
fn from_a_parameter(retries: u32) -> std::io::Result<()> {
    assert!(retries > 0);
    Ok(())
}

impl Client {
    #[retry(max = self.retries)]
    fn from_a_field(&self) -> std::io::Result<()> {
        assert!(self.retries > 0);
        Ok(())
    }
}

fn main() {
    let _ = Client { retries: 3 }.from_a_field();
}
