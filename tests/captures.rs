//! A shape that edition 2018 does not know: a returned block without `move` that borrows through what it uses.

use std::future::Future;

use futures::future::BoxFuture;
use retry_runtime::retry;

mod support;
#[allow(dead_code, clippy::trivially_copy_pass_by_ref)]
#[path = "shapes/thrice.rs"]
mod thrice;
use thrice::{Busy, is_busy, third_later, thrice_later};

#[test]
fn blocks_without_move() {
    struct Client {
        name: String,
    }

    impl Client {
        #[retry(on = is_busy)]
        fn shared(&self, text: &str) -> impl Future<Output = Result<usize, Busy>> + '_ {
            let _ = text;
            async {
                third_later().await?;
                Ok(self.name.len())
            }
        }

        #[retry(on = is_busy)]
        fn exclusive(&mut self) -> BoxFuture<'_, Result<usize, Busy>> {
            Box::pin(async {
                self.name.push('!');
                third_later().await?;
                Ok(self.name.len())
            })
        }
    }

    #[retry(on = is_busy)]
    fn argument(text: &str) -> BoxFuture<'_, Result<&str, Busy>> {
        Box::pin(async {
            third_later().await?;
            Ok(text.trim())
        })
    }

    let new = || Client { name: "client".to_owned() };
    assert_eq!(thrice_later(new().shared("")), Ok(6));
    assert_eq!(thrice_later(new().exclusive()), Ok(9));
    assert_eq!(thrice_later(argument(" x ")), Ok("x"));
}
