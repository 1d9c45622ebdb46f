//! Defaults on an `impl` block or trait: a wrong one is told once, where it was written, and the methods stand.

use retry_runtime::{always, retry};
use std::io::Result;

struct Client;

#[retry(max = 0, base = 5, retires = 3)]
impl Client {
    #[retry]
    fn first(&self) -> Result<()> {
        Ok(())
    }

    #[retry(on = always, attempt = now)]
    async fn second(&self) -> Result<u32> {
        Ok(now.number())
    }
}

struct Timed;

#[retry(attempt_timeout = "1s", cancel = dropped)]
impl Timed {
    #[retry]
    async fn an_async_method(&self) -> Result<()> {
        Ok(())
    }

    #[retry]
    fn a_blocking_method(&self) -> Result<()> {
        Ok(())
    }

    #[retry(attempt_timeout = none, cancel = none)]
    fn a_blocking_method_without(&self) -> Result<()> {
        Ok(())
    }
}

struct Bound;

#[retry(once(key = 7), attempt = now, keep(count), clone(order))]
impl Bound {
    #[retry]
    fn uses_what_was_promised(&self) -> Result<u32> {
        Ok(now.number() + key)
    }

    #[retry]
    fn has_what_was_named(&self, mut count: u32, mut order: String) -> Result<usize> {
        count += 1;
        order.push('!');
        Ok(order.len() + count as usize)
    }
}

struct Mixed;

#[retry(base_ms = 400, max = 3)]
impl Mixed {
    #[retry(cap_ms = 300)]
    fn a_cap_below_the_default(&self) -> Result<()> {
        Ok(())
    }

    #[retry(max = 0)]
    fn a_mistake_of_its_own(&self) -> Result<()> {
        Ok(())
    }
}

struct Limited;

#[retry(on = always, max = unlimited)]
impl Limited {
    #[retry(deadline = "1s")]
    async fn has_a_limit(&self) -> Result<()> {
        Ok(())
    }

    #[retry]
    async fn has_none(&self) -> Result<()> {
        Ok(())
    }
}

#[retry(on = always, attempt_timeout = deadline)]
impl Limited {
    #[retry]
    async fn has_no_deadline(&self) -> Result<()> {
        Ok(())
    }
}

#[retry(on = always, deadline_ms = 100)]
impl Limited {
    #[retry(strategy = "none")]
    async fn waits_longer_than_its_deadline(&self) -> Result<()> {
        Ok(())
    }
}

#[retry(max = 2)]
trait Store {
    fn load(&self) -> Result<()>;
}

#[retry(max = 2)]
impl Mixed {}

fn main() {
    let _ = (Client.first(), Client.second(), Timed.a_blocking_method(), Timed.an_async_method());
    let _ = (Bound.uses_what_was_promised(), Bound.has_what_was_named(1, String::new()));
    let _ = (Timed.a_blocking_method_without(), Mixed.a_cap_below_the_default(), Mixed.a_mistake_of_its_own());
}
