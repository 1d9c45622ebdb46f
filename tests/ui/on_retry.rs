//! `on_retry`: what is no function.

use retry_runtime::retry;

struct Client;

fn note() {}

#[retry(on_retry = "note")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_retry = note())]
fn called() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_retry = println!("again"))]
fn a_macro() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_retry = { note() })]
fn a_block() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_retry = async |event| note())]
async fn an_async_closure() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_retry = none, on_retry = none)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

impl Client {
    #[retry(on_retry = self.note)]
    fn a_method(&self) -> std::io::Result<()> {
        Ok(())
    }
}

fn main() {}
