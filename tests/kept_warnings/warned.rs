//! Functions about which the compiler warns, whether they are annotated or not.

#![warn(missing_docs, unused_qualifications, clippy::all, clippy::pedantic)]
#![warn(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::shadow_reuse)]
#![warn(let_underscore_drop, clippy::panic, clippy::todo, clippy::unimplemented)]

/// What fails.
#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

fn ask() -> Result<u32, Busy> {
    Ok(1)
}

async fn ask_later() -> Result<u32, Busy> {
    Ok(1)
}

#[deprecated]
fn old() -> Result<u32, Busy> {
    Ok(1)
}

#[retry_runtime::retry(on = is_busy)]
pub fn undocumented(text: &str, unused: u32) -> Result<u32, Busy> {
    ask()
}

#[retry_runtime::retry(on = is_busy)]
pub async fn undocumented_later(text: &str, unused: &mut u32, (a, b): (u32, u32)) -> Result<u32, Busy> {
    let count = a;
    ask_later().await
}

/// Nobody looks at results and futures.
#[retry_runtime::retry(on = is_busy)]
pub async fn results_are_ignored() -> Result<u32, Busy> {
    ask();
    ask_later();
    ask_later().await
}

/// Nobody looks at results.
#[retry_runtime::retry(on = is_busy)]
pub fn results_are_ignored_now() -> Result<u32, Busy> {
    ask();
    let _ = String::new();
    ask()
}

/// Not all of it is reached.
#[retry_runtime::retry(on = is_busy)]
pub fn unreached() -> Result<u32, Busy> {
    return ask();
    ask()
}

/// Not all of it is reached.
#[retry_runtime::retry(on = is_busy)]
pub async fn unreached_later() -> Result<u32, Busy> {
    return ask_later().await;
    ask_later().await
}

/// Things of the body that nobody uses.
#[retry_runtime::retry(on = is_busy)]
pub fn leftovers() -> Result<u32, Busy> {
    use std::fmt::Debug;
    fn inner() {}
    let mut n = 1;
    let text = std::string::String::new();
    ask()
}

/// Things of the body that nobody uses.
#[retry_runtime::retry(on = is_busy)]
pub async fn leftovers_later() -> Result<u32, Busy> {
    use std::fmt::Debug;
    fn inner() {}
    let mut n = 1;
    ask_later().await
}

/// It uses what is deprecated.
#[retry_runtime::retry(on = is_busy)]
pub fn deprecated() -> Result<u32, Busy> {
    old()
}

/// Arithmetic and other things that may fail.
#[retry_runtime::retry(on = is_busy)]
pub fn risky(list: &[u32], n: u32) -> Result<u32, Busy> {
    let n = list[0] + n;
    if n == 7 {
        panic!("seven");
    }
    Ok(n * ask().unwrap())
}

/// Arithmetic and other things that may fail.
#[retry_runtime::retry(on = is_busy)]
pub async fn risky_later(list: &[u32], n: u32) -> Result<u32, Busy> {
    let n = list[0] + n;
    Ok(n * ask_later().await.unwrap())
}

/// Not written yet.
#[retry_runtime::retry(on = is_busy)]
pub fn missing(text: &str) -> Result<u32, Busy> {
    panic!("{text}")
}

/// Not written yet.
#[retry_runtime::retry(on = is_busy)]
pub async fn missing_later(text: &str) -> Result<u32, Busy> {
    todo!("{text}: {:?}", ask_later().await)
}

/// Not written yet.
#[retry_runtime::retry(on = is_busy)]
pub async fn missing_too() -> Result<u32, Busy> {
    unimplemented!("{:?}", ask_later().await)
}

/// What clippy advises against.
#[retry_runtime::retry(on = is_busy)]
pub fn advised(text: &String, flag: bool) -> Result<usize, Busy> {
    let n = if flag == true { text.len() } else { text.clone().len() };
    return Ok(n);
}

/// What clippy advises against.
#[retry_runtime::retry(on = is_busy)]
pub async fn advised_later(text: &String, flag: bool) -> Result<usize, Busy> {
    ask_later().await?;
    let n = if flag == true { text.len() } else { text.clone().len() };
    return Ok(n);
}

struct Client {
    field: u32,
}

impl Client {
    #[retry_runtime::retry(on = is_busy)]
    fn never_called(&self) -> Result<u32, Busy> {
        ask()
    }

    #[retry_runtime::retry(on = is_busy)]
    async fn never_called_later(&mut self, unused: u32) -> Result<u32, Busy> {
        ask_later().await
    }
}

#[retry_runtime::retry(on = is_busy)]
fn nobody_calls_it() -> Result<u32, Busy> {
    (ask())
}

fn main() {}
