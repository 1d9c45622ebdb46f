//! Functions that cannot be repeated as they are written.

use std::future::{Future, Ready, ready};
use std::pin::Pin;

use retry_runtime::{always, retry};

type Reply<T> = Pin<Box<dyn Future<Output = T>>>;

async fn ask() -> Result<u32, ()> {
    Err(())
}

#[retry(on = always)]
fn a_future_under_an_alias() -> Reply<Result<u32, ()>> {
    Box::pin(ask())
}

#[retry(on = always)]
fn a_future_of_a_named_type() -> Ready<Result<u32, ()>> {
    ready(Err(()))
}

struct Client {
    texts: Vec<String>,
}

impl Client {
    #[retry(on = always)]
    fn lends_what_it_may_change(&mut self) -> Result<&mut String, ()> {
        self.texts.first_mut().ok_or(())
    }

    #[retry(on = always)]
    async fn lends_what_it_may_change_later(&mut self) -> Result<&mut String, ()> {
        ask().await?;
        self.texts.first_mut().ok_or(())
    }
}

#[retry(on = always)]
fn uses_up_what_it_has_once(text: Option<&mut String>) -> Result<(), ()> {
    if let Some(text) = text {
        text.push('!');
    }
    Ok(())
}

fn main() {
    let mut client = Client { texts: Vec::new() };
    let _ = client.lends_what_it_may_change();
    drop((a_future_under_an_alias(), a_future_of_a_named_type(), uses_up_what_it_has_once(None)));
}
