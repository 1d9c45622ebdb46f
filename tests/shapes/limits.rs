//! Every place where the loop can stand, with every setting that changes what is round the body.

use std::cell::Cell;

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry_runtime::{Budget, CancelToken, Policy, retry};

use super::thrice::{Busy, send, third, third_later, thrice, thrice_later};

const POLICY: Policy = Policy::new().max(4);

macro_rules! with {
    ($name:ident, $this:ident, $settings:tt) => {
        mod $name {
            use super::*;

            with!(@client);
            with!(@async $this $settings);
            with!(@blocking $this $settings);

            #[test]
            fn blocking() {
                assert_eq!(thrice(|| Client::default().now("four", "x".to_owned())), Ok(8));
                assert_eq!(thrice(|| Client::default().renamed()), Ok(3));
                assert_eq!(thrice(|| Client::default().consumed()), Ok(1));
            }
        }
    };
    (async $name:ident, $this:ident, $settings:tt) => {
        mod $name {
            use super::*;

            with!(@client);
            with!(@async $this $settings);
        }
    };
    (@client) => {
        /// May move between threads, but not be shared by them.
        #[derive(Clone, Default)]
        struct Client {
            count: Cell<u32>,
            #[allow(dead_code, reason = "not every module cancels")]
            token: CancelToken,
        }

        impl Client {
            fn add(&mut self) -> u32 {
                self.count.set(self.count.get() + 1);
                self.count.get()
            }
        }
    };
    (@blocking $this:ident [$($setting:tt)*]) => {
        impl Client {
            #[retry(on = |_| $this.count.get() < 9, clone(eaten), $($setting)*)]
            fn now(&mut $this, text: &str, eaten: String) -> Result<usize, Busy> {
                let count = $this.add() as usize;
                let eaten = [eaten];
                third()?;
                Ok(text.len() + eaten[0].len() + count)
            }

            #[retry($($setting)*)]
            fn renamed(&mut $this) -> Result<u32, Busy> {
                let this = $this;
                let count = this.add();
                third().map(|_| count)
            }

            #[retry(clone($this), $($setting)*)]
            fn consumed(mut $this) -> Result<u32, Busy> {
                let count = $this.add();
                third().map(|_| count)
            }
        }
    };
    (@async $this:ident [$($setting:tt)*]) => {
        impl Client {
            #[retry(on = |_| $this.count.get() < 9, clone(eaten), $($setting)*)]
            async fn later(&mut $this, text: &str, eaten: String) -> Result<usize, Busy> {
                let count = $this.add() as usize;
                let eaten = [eaten];
                third_later().await?;
                Ok(text.len() + eaten[0].len() + count)
            }

            #[retry($($setting)*)]
            async fn renamed_later(&mut $this) -> Result<u32, Busy> {
                let this = $this;
                let count = this.add();
                third_later().await.map(|_| count)
            }

            #[retry(clone($this), $($setting)*)]
            async fn consumed_later(mut $this) -> Result<u32, Busy> {
                let count = $this.add();
                third_later().await.map(|_| count)
            }

            #[retry($($setting)*)]
            fn boxed(&mut $this) -> BoxFuture<'_, Result<u32, Busy>> {
                Box::pin(async move {
                    let count = $this.add();
                    third_later().await.map(|_| count)
                })
            }

            #[retry($($setting)*)]
            fn made(&mut $this) -> BoxFuture<'_, Result<u32, Busy>> {
                let count = $this.add();
                Box::pin(futures::FutureExt::map(third_later(), move |answer| answer.map(|_| count)))
            }
        }

        #[async_trait]
        trait Service {
            async fn served(&mut $this, text: String) -> Result<usize, Busy>;
        }

        #[async_trait]
        impl Service for Client {
            #[retry(on = |_| $this.count.get() < 9, clone(text), $($setting)*)]
            async fn served(&mut $this, mut text: String) -> Result<usize, Busy> {
                let count = $this.add() as usize;
                text.push('!');
                third_later().await?;
                Ok(text.len() + count)
            }
        }

        #[test]
        fn later() {
            let new = Client::default;
            assert_eq!(thrice_later(send(new().later("four", "x".to_owned()))), Ok(8));
            assert_eq!(thrice_later(send(new().renamed_later())), Ok(3));
            assert_eq!(thrice_later(send(new().consumed_later())), Ok(1));
            assert_eq!(thrice_later(send(new().boxed())), Ok(3));
            assert_eq!(thrice_later(send(new().made())), Ok(3));
            assert_eq!(thrice_later(send(new().served("four".to_owned()))), Ok(8));
        }
    };
}

with!(nothing, self, []);
with!(deadline, self, [deadline = "1h"]);
with!(policy, self, [policy = POLICY]);
with!(budget, self, [budget = Budget::new()]);
with!(cancel, self, [cancel = self.token.clone()]);
with!(hooks, self, [on_retry = |_| (), on_give_up = |_| ()]);
with!(attempt, self, [attempt = _attempt, reset_after = "1h"]);
with!(once, self, [once(_key = String::from("key"), mut _tries = String::new()), strategy = "decorrelated"]);
with!(async timeout, self, [attempt_timeout = "1h", timed_out = |_| Busy]);
with!(async timeout_and_deadline, self, [attempt_timeout = deadline, deadline = "1h", timed_out = |_| Busy]);
with!(async dropped, self, [cancel = dropped]);
with!(async everything, self, [
    deadline = "1h",
    attempt_timeout = "1m",
    timed_out = |_| Busy,
    policy = POLICY,
    budget = Budget::new(),
    cancel = self.token.clone(),
    once(_key = self.count.get()),
    attempt = _attempt,
    on_retry = |_| (),
    on_give_up = |_| ()
]);

#[test]
fn limits_that_are_fields_behind_an_exclusive_reference() {
    struct Client {
        token: CancelToken,
        budget: Budget,
        runs: u32,
    }

    impl Client {
        fn new() -> Self {
            Self { token: CancelToken::new(), budget: Budget::new(), runs: 0 }
        }

        #[retry(cancel = self.token, budget = self.budget)]
        fn now(&mut self) -> Result<u32, Busy> {
            self.runs += 1;
            third()?;
            Ok(self.runs)
        }

        #[retry(cancel = self.token, budget = self.budget)]
        async fn later(&mut self) -> Result<u32, Busy> {
            self.runs += 1;
            third_later().await?;
            Ok(self.runs)
        }
    }

    #[retry(budget = client.budget)]
    async fn of_a_parameter(client: &mut Client) -> Result<u32, Busy> {
        client.runs += 1;
        third_later().await?;
        Ok(client.runs)
    }
    assert_eq!(thrice(|| Client::new().now()), Ok(3));
    assert_eq!(thrice_later(async { Client::new().later().await }), Ok(3));
    assert_eq!(thrice_later(async { of_a_parameter(&mut Client::new()).await }), Ok(3));
}
