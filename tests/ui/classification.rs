//! Nothing says which errors deserve a retry, and outputs that have none.

use retry_runtime::{Retryable, retry};

struct Busy;

type Outcome<T> = Result<T, Busy>;

#[retry]
fn not_retryable() -> Result<(), Busy> {
    Ok(())
}

#[retry(max = 3)]
async fn not_retryable_later() -> Result<(), Busy> {
    Ok(())
}

#[retry]
fn behind_an_alias() -> Outcome<()> {
    Ok(())
}

#[retry]
fn boxed() -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}

#[retry]
fn anyhow() -> anyhow::Result<()> {
    Ok(())
}

#[retry]
fn a_text() -> Result<(), String> {
    Ok(())
}

#[retry]
fn generic<E>(run: fn() -> E) -> Result<(), E> {
    Err(run())
}

#[retry]
fn returns_a_future() -> impl Future<Output = Result<(), Busy>> {
    async { Ok(()) }
}

#[retry]
fn no_result() -> Option<u32> {
    None
}

#[retry]
async fn no_result_later() -> Vec<u32> {
    Vec::new()
}

#[retry]
fn no_output() {}

#[retry]
fn an_answer() -> bool {
    true
}

struct Client;

#[async_trait::async_trait]
trait Send {
    async fn send(&self) -> Result<(), Busy>;
}

#[async_trait::async_trait]
impl Send for Client {
    #[retry]
    async fn send(&self) -> Result<(), Busy> {
        Ok(())
    }
}

fn main() {
    let _ = <std::io::Error as Retryable>::is_retryable;
}
