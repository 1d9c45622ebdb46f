//! `on_give_up`: what is no function.

use retry_runtime::retry;

struct Client;

fn note() {}

#[retry(on_give_up = "note")]
fn a_text() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_give_up = note())]
fn called() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_give_up = println!("again"))]
fn a_macro() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_give_up = { note() })]
fn a_block() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_give_up = async |event| note())]
async fn an_async_closure() -> std::io::Result<()> {
    Ok(())
}

#[retry(on_give_up = none, on_give_up = none)]
fn twice() -> std::io::Result<()> {
    Ok(())
}

impl Client {
    #[retry(on_give_up = self.note)]
    fn a_method(&self) -> std::io::Result<()> {
        Ok(())
    }
}

fn main() {}
