//! `clone`: values that cannot be cloned, and moves without a `clone`.

use retry_runtime::{always, retry};

struct Token;

#[retry(on = always, clone(token))]
fn not_clone(token: Token) -> std::io::Result<()> {
    drop(token);
    Ok(())
}

#[retry(on = always, clone(token))]
async fn not_clone_later(token: Token) -> std::io::Result<()> {
    drop(token);
    Ok(())
}

#[retry(on = always, once(token = Token), clone(token))]
fn a_binding_that_is_not_clone() -> std::io::Result<()> {
    drop(token);
    Ok(())
}

impl Token {
    #[retry(on = always, clone(self))]
    fn spend(self) -> std::io::Result<()> {
        drop(self);
        Ok(())
    }
}

fn main() {}
