//! After a fault nothing else fails: callers, bodies that use what was promised, imports that only the attribute names.
#![deny(warnings)]

use retry_runtime::retry;

mod parts {
    use retry_runtime::{Draw, GivenUp, Policy};
    use std::time::Duration;

    pub struct Busy;

    pub trait Temporary {
        fn is_temporary(&self) -> bool;
    }

    impl Temporary for Busy {
        fn is_temporary(&self) -> bool {
            true
        }
    }

    pub mod judges {
        pub struct Judge;

        impl Judge {
            pub fn is_busy(_: &super::Busy) -> bool {
                true
            }
        }
    }

    pub fn is_busy(_: &Busy) -> bool {
        true
    }

    pub fn is_late(_: &Busy) -> bool {
        true
    }

    pub fn alert(_: &GivenUp<'_, Busy>) {}

    pub fn spread(draw: &Draw) -> Duration {
        draw.window()
    }

    pub const RETRIES: u32 = 3;
    pub const PATIENT: Policy = Policy::new();
}

use parts::{Busy, PATIENT, RETRIES, Temporary, alert, is_busy, is_late, judges, spread};

pub struct Client {
    sent: Vec<String>,
}

impl Client {
    #[retry(base_ms = 0, on = |error| is_late(error) || error.is_temporary(), on_give_up = |call| alert(call))]
    pub fn closures(&mut self, text: String) -> Result<(), Busy> {
        self.sent.push(text);
        Ok(())
    }

    #[retry(base_ms = 0, on = is_busy, max = RETRIES, policy = PATIENT, strategy = spread)]
    pub async fn paths(&mut self, text: String) -> Result<(), Busy> {
        self.sent.push(text);
        Ok(())
    }

    #[retry(base_ms = 0, on = judges::Judge::is_busy, attempt = now, once(key = 4, mut log = String::new()))]
    pub async fn bindings(&mut self) -> Result<u32, Busy> {
        log.push('!');
        self.sent.push(log);
        Ok(now.number() + key)
    }

    #[retry(base_ms = 0, on = |error| self.judge(error), clone(text))]
    pub fn a_future(&self, mut text: String) -> impl Future<Output = Result<String, Busy>> + Send {
        text.push('!');
        async move { Ok(text) }
    }

    fn judge(&self, error: &Busy) -> bool {
        self.sent.is_empty() && error.is_temporary()
    }
}

#[async_trait::async_trait]
pub trait Sender {
    async fn send(&self, text: String) -> Result<u32, Busy>;
}

#[async_trait::async_trait]
impl Sender for Client {
    #[retry(base_ms = 0, on = |error| self.judge(error), attempt = now, clone(text))]
    async fn send(&self, text: String) -> Result<u32, Busy> {
        drop(text);
        Ok(now.number())
    }
}

pub fn is_send<T: Send>(value: T) -> T {
    value
}

pub async fn calls() -> u32 {
    let mut client = Client { sent: Vec::new() };
    let _ = client.closures(String::new());
    let _ = client.paths(String::new()).await;
    let _ = is_send(client.a_future(String::new())).await;
    let _ = client.send(String::new()).await;
    client.bindings().await.unwrap_or_default()
}

fn main() {}
