//! Associated constants and const generics: wrong where they are instantiated.

use retry_runtime::{always, retry};
use std::io::Result;

struct Client<const DEADLINE: u64>;

trait Limits {
    const RETRIES: u32;
}

struct Hasty;

impl Limits for Hasty {
    const RETRIES: u32 = 0;
}

impl<const DEADLINE: u64> Client<DEADLINE> {
    const RETRIES: u32 = 0;

    #[retry(on = always, max = Self::RETRIES)]
    fn associated(&self) -> Result<()> {
        Ok(())
    }

    #[retry(on = always, deadline_ms = DEADLINE)]
    fn of_the_impl(&self) -> Result<()> {
        Ok(())
    }
}

#[retry(on = always, max = N)]
fn of_the_function<const N: u32>() -> Result<()> {
    Ok(())
}

#[retry(on = always, max = L::RETRIES)]
fn of_a_trait<L: Limits>() -> Result<()> {
    Ok(())
}

fn main() {
    let _ = (Client::<5>.associated(), Client::<0>.of_the_impl());
    let _ = (of_the_function::<3>(), of_the_function::<0>(), of_a_trait::<Hasty>());
}
