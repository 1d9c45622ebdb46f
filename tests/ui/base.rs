//! `base` and `base_ms`: values that are no duration, or can never be right.

use retry_runtime::retry;

#[retry(base_ms = 0)]
fn zero() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "0s")]
fn zero_as_a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = 200)]
fn without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = 1.5)]
fn a_fraction_without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = 200ms)]
fn without_quotes() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 2s)]
fn with_another_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = "200ms")]
fn a_text_for_milliseconds() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 0.5)]
fn a_fraction_of_a_millisecond() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = -5)]
fn negative() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 200u32)]
fn of_another_type() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 99_999_999_999_999_999_999)]
fn too_large() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "200")]
fn a_text_without_a_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "200 ms")]
fn a_text_with_a_space() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "1m30s")]
fn a_text_with_two_units() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "2min")]
fn a_text_with_an_unknown_unit() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "-1s")]
fn a_negative_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "99999999999999999999s")]
fn a_text_too_large() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = none)]
fn switched_off() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 100..200)]
fn a_range() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = true)]
fn an_answer() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 200, base = "200ms")]
fn in_two_spellings() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = 200, base_ms = 300)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

#[retry(base_ms = wait)]
fn from_a_parameter(wait: u64) -> std::io::Result<()> {
    std::thread::sleep(std::time::Duration::from_millis(wait));
    Ok(())
}

#[retry(base_ms = 500, cap_ms = 100)]
fn above_the_cap() -> std::io::Result<()> {
    Ok(())
}

#[retry(base = "11s")]
fn above_the_default_cap() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
