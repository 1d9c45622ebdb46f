//! Where a function may stand.

use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use retry_runtime::retry;

use super::thrice::{Busy, is_busy, send, third, third_later, thrice, thrice_later};

#[test]
fn trait_impl() {
    trait Store {
        fn now(&self, n: u32) -> Result<u32, Busy>;
        fn taken(self, n: u32) -> Result<u32, Busy>;
        fn made() -> Result<u32, Busy>;
    }

    struct Memory(u32);

    impl Store for Memory {
        #[retry(on = is_busy)]
        fn now(&self, n: u32) -> Result<u32, Busy> {
            third().map(|m| m + n + self.0)
        }

        #[retry(on = is_busy)]
        fn taken(self, n: u32) -> Result<u32, Busy> {
            third().map(|m| m + n + self.0)
        }

        #[retry(on = is_busy)]
        fn made() -> Result<u32, Busy> {
            third()
        }
    }
    assert_eq!(thrice(|| Memory(1).now(4)), Ok(8));
    assert_eq!(thrice(|| Memory(1).taken(4)), Ok(8));
    assert_eq!(thrice(Memory::made), Ok(3));
}

#[test]
fn default_method() {
    trait Store {
        fn raw(&self) -> Result<u32, Busy>;

        #[retry(on = is_busy)]
        fn now(&self) -> Result<u32, Busy> {
            self.raw()
        }

        #[retry(on = is_busy)]
        fn add(&mut self) -> Result<u32, Busy>
        where
            Self: Sized,
        {
            let this = self;
            this.raw()
        }
    }

    struct Memory;

    impl Store for Memory {
        fn raw(&self) -> Result<u32, Busy> {
            third()
        }
    }
    let store: &dyn Store = &Memory;
    assert_eq!(thrice(|| store.now()), Ok(3));
    assert_eq!(thrice(|| Memory.add()), Ok(3));
}

#[test]
#[allow(async_fn_in_trait, reason = "the shape is about it")]
fn async_methods_of_a_trait() {
    trait Store {
        async fn raw(&mut self) -> Result<u32, Busy>;

        #[retry(on = is_busy)]
        async fn later(&mut self) -> Result<u32, Busy> {
            self.raw().await
        }
    }

    struct Memory(u32);

    impl Store for Memory {
        async fn raw(&mut self) -> Result<u32, Busy> {
            self.0 += 1;
            third_later().await.map(|n| n + self.0)
        }
    }

    struct Careful(Memory);

    impl Store for Careful {
        #[retry(on = is_busy)]
        async fn raw(&mut self) -> Result<u32, Busy> {
            self.0.raw().await
        }
    }
    assert_eq!(thrice_later(Memory(0).later()), Ok(6));
    assert_eq!(thrice_later(Careful(Memory(0)).raw()), Ok(6));
}

#[test]
fn methods_that_implement_a_future_with_bounds() {
    trait Store {
        fn shared(&self, name: &str) -> impl Future<Output = Result<usize, Busy>> + Send;
        fn exclusive(&mut self) -> impl Future<Output = Result<u32, Busy>> + Send;
        fn taken(self, text: String) -> impl Future<Output = Result<usize, Busy>> + Send;
    }

    struct Memory(u32);

    impl Store for Memory {
        #[retry(on = is_busy)]
        async fn shared(&self, name: &str) -> Result<usize, Busy> {
            third_later().await?;
            Ok(name.len() + self.0 as usize)
        }

        #[retry(on = is_busy)]
        async fn exclusive(&mut self) -> Result<u32, Busy> {
            self.0 += 1;
            third_later().await?;
            Ok(self.0)
        }

        #[retry(on = is_busy)]
        async fn taken(self, text: String) -> Result<usize, Busy> {
            third_later().await?;
            Ok(text.len() + self.0 as usize)
        }
    }
    assert_eq!(thrice_later(send(Memory(1).shared("four"))), Ok(5));
    assert_eq!(thrice_later(send(Memory(1).exclusive())), Ok(4));
    assert_eq!(thrice_later(send(Memory(1).taken("four".to_owned()))), Ok(5));
}

#[test]
fn default_methods_that_return_a_future() {
    trait Store: Sync {
        fn raw(&self) -> impl Future<Output = Result<u32, Busy>> + Send;

        #[retry(on = is_busy)]
        fn delegated(&self) -> impl Future<Output = Result<u32, Busy>> + Send {
            self.raw()
        }

        #[retry(on = is_busy)]
        fn in_a_block(&self) -> impl Future<Output = Result<u32, Busy>> + Send {
            async move { self.raw().await }
        }
    }

    struct Memory;

    impl Store for Memory {
        async fn raw(&self) -> Result<u32, Busy> {
            third_later().await
        }
    }
    assert_eq!(thrice_later(send(Memory.delegated())), Ok(3));
    assert_eq!(thrice_later(send(Memory.in_a_block())), Ok(3));
}

#[async_trait]
trait Receivers {
    async fn shared(&self, name: &str) -> Result<usize, Busy>;
    async fn exclusive(&mut self, log: &mut Vec<u32>) -> Result<u32, Busy>;
    async fn taken(self) -> Result<u32, Busy>;
    async fn changed(self) -> Result<u32, Busy>;
    async fn kept(self) -> Result<u32, Busy>;
    async fn moved(self) -> Result<u32, Busy>;
    async fn boxed(self: Box<Self>) -> Result<u32, Busy>;
    async fn boxed_and_kept(self: Box<Self>) -> Result<u32, Busy>;
    async fn counted(self: Arc<Self>) -> Result<usize, Busy>;
    async fn counted_and_moved(self: Arc<Self>) -> Result<usize, Busy>;
    async fn moved_on(&mut self) -> Result<u32, Busy>;
    async fn none(n: u32) -> Result<u32, Busy>;
}

#[derive(Clone)]
struct Client {
    count: u32,
}

impl Client {
    const fn new() -> Self {
        Self { count: 4 }
    }
}

#[async_trait]
impl Receivers for Client {
    #[retry(on = is_busy)]
    async fn shared(&self, name: &str) -> Result<usize, Busy> {
        third_later().await?;
        Ok(name.len() + self.count as usize)
    }

    #[retry(on = is_busy)]
    async fn exclusive(&mut self, log: &mut Vec<u32>) -> Result<u32, Busy> {
        self.count += 1;
        log.push(self.count);
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy)]
    async fn taken(self) -> Result<u32, Busy> {
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy, clone(self))]
    async fn changed(mut self) -> Result<u32, Busy> {
        self.count += 1;
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy, keep(self))]
    async fn kept(mut self) -> Result<u32, Busy> {
        self.count += 1;
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy, clone(self))]
    async fn moved(self) -> Result<u32, Busy> {
        let Self { count } = self;
        let eaten = [self];
        third_later().await?;
        Ok(count + eaten.map(|client| client.count)[0])
    }

    #[retry(on = is_busy)]
    async fn boxed(self: Box<Self>) -> Result<u32, Busy> {
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy, keep(self))]
    async fn boxed_and_kept(mut self: Box<Self>) -> Result<u32, Busy> {
        self.count += 1;
        third_later().await?;
        Ok(self.count)
    }

    #[retry(on = is_busy)]
    async fn counted(self: Arc<Self>) -> Result<usize, Busy> {
        third_later().await?;
        Ok(Arc::strong_count(&self))
    }

    #[retry(on = is_busy, clone(self))]
    async fn counted_and_moved(self: Arc<Self>) -> Result<usize, Busy> {
        let count = async move { Arc::strong_count(&self) };
        third_later().await?;
        Ok(count.await)
    }

    #[retry(on = is_busy)]
    async fn moved_on(&mut self) -> Result<u32, Busy> {
        let this = self;
        this.count += 1;
        third_later().await?;
        Ok(this.count)
    }

    #[retry(on = is_busy)]
    async fn none(n: u32) -> Result<u32, Busy> {
        third_later().await.map(|m| m + n)
    }
}

#[test]
fn async_trait_shared_receiver() {
    assert_eq!(thrice_later(send(Client::new().shared("four"))), Ok(8));
}

#[test]
fn async_trait_exclusive_receiver() {
    let mut log = Vec::new();
    assert_eq!(thrice_later(send(Client::new().exclusive(&mut log))), Ok(7));
    assert_eq!(log, [5, 6, 7]);
}

#[test]
fn async_trait_receiver_by_value() {
    assert_eq!(thrice_later(send(Client::new().taken())), Ok(4));
    assert_eq!(thrice_later(send(Client::new().moved())), Ok(8));
}

#[test]
fn async_trait_mut_receiver_by_value() {
    assert_eq!(thrice_later(send(Client::new().changed())), Ok(5));
    assert_eq!(thrice_later(send(Client::new().kept())), Ok(7));
}

#[test]
fn async_trait_boxed_receiver() {
    assert_eq!(thrice_later(send(Box::new(Client::new()).boxed())), Ok(4));
    assert_eq!(thrice_later(send(Box::new(Client::new()).boxed_and_kept())), Ok(7));
}

#[test]
fn async_trait_counted_receiver() {
    assert_eq!(thrice_later(send(Arc::new(Client::new()).counted())), Ok(1));
    assert_eq!(thrice_later(send(Arc::new(Client::new()).counted_and_moved())), Ok(2));
}

#[test]
fn async_trait_exclusive_receiver_under_another_name() {
    assert_eq!(thrice_later(send(Client::new().moved_on())), Ok(7));
}

#[test]
fn async_trait_without_a_receiver() {
    assert_eq!(thrice_later(send(Client::none(4))), Ok(7));
}

#[async_trait]
trait Arguments {
    async fn owned(&self, text: String, list: Vec<u32>) -> Result<usize, Busy>;
    async fn cloned(&self, text: String) -> Result<usize, Busy>;
    async fn fresh(&self, text: String) -> Result<usize, Busy>;
    async fn kept_argument(&self, text: String) -> Result<usize, Busy>;
    async fn tuple(&self, pair: (u32, u32)) -> Result<u32, Busy>;
    async fn changed_in_a_pattern(&self, pair: (u32, u32)) -> Result<u32, Busy>;
    async fn nameless(&self, _: u32, _name: String) -> Result<u32, Busy>;
    async fn generic<T: Send + Sync + ToString>(&self, value: T) -> Result<String, Busy>;
    async fn configured(&self, there: u32) -> Result<u32, Busy>;
    async fn function(&self, ask: fn() -> u32, by: &(dyn Fn(u32) -> u32 + Sync)) -> Result<u32, Busy>;
    async fn used_up(&self, list: &mut Vec<u32>) -> Result<u32, Busy>;
}

#[async_trait]
impl Arguments for Client {
    #[retry(on = is_busy)]
    async fn owned(&self, text: String, list: Vec<u32>) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len() + list.len())
    }

    #[retry(on = is_busy, clone(text))]
    async fn cloned(&self, text: String) -> Result<usize, Busy> {
        let eaten = text;
        third_later().await?;
        Ok(eaten.len())
    }

    #[retry(on = is_busy, clone(text))]
    async fn fresh(&self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        third_later().await?;
        Ok(text.len())
    }

    #[retry(on = is_busy, keep(text))]
    async fn kept_argument(&self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        third_later().await?;
        Ok(text.len())
    }

    #[retry(on = is_busy)]
    async fn tuple(&self, (a, b): (u32, u32)) -> Result<u32, Busy> {
        third_later().await?;
        Ok(a + b)
    }

    #[retry(on = is_busy, clone(a), keep(b))]
    async fn changed_in_a_pattern(&self, (mut a, mut b): (u32, u32)) -> Result<u32, Busy> {
        a += 1;
        b += 1;
        third_later().await?;
        Ok(a * 10 + b)
    }

    #[retry(on = is_busy)]
    async fn nameless(&self, _: u32, _name: String) -> Result<u32, Busy> {
        third_later().await
    }

    #[retry(on = is_busy)]
    async fn generic<T: Send + Sync + ToString>(&self, value: T) -> Result<String, Busy> {
        third_later().await?;
        Ok(value.to_string())
    }

    #[retry(on = is_busy, clone(there))]
    async fn configured(&self, #[cfg(any())] gone: Gone, #[cfg(test)] mut there: u32) -> Result<u32, Busy> {
        there += 1;
        third_later().await?;
        Ok(there)
    }

    #[retry(on = is_busy)]
    async fn function(&self, ask: fn() -> u32, by: &(dyn Fn(u32) -> u32 + Sync)) -> Result<u32, Busy> {
        third_later().await?;
        Ok(by(ask()))
    }

    #[retry(on = is_busy)]
    async fn used_up(&self, list: &mut Vec<u32>) -> Result<u32, Busy> {
        let mut sum = 0;
        for n in list {
            *n += 1;
            sum += *n;
        }
        third_later().await?;
        Ok(sum)
    }
}

#[test]
fn async_trait_owned_arguments() {
    assert_eq!(thrice_later(Client::new().owned("four".to_owned(), vec![1])), Ok(5));
    assert_eq!(thrice_later(Client::new().cloned("four".to_owned())), Ok(4));
}

#[test]
fn async_trait_mut_arguments() {
    assert_eq!(thrice_later(Client::new().fresh("four".to_owned())), Ok(5));
    assert_eq!(thrice_later(Client::new().kept_argument("four".to_owned())), Ok(7));
}

#[test]
fn async_trait_patterns() {
    assert_eq!(thrice_later(Client::new().tuple((1, 2))), Ok(3));
    assert_eq!(thrice_later(Client::new().changed_in_a_pattern((1, 2))), Ok(25));
    assert_eq!(thrice_later(Client::new().nameless(1, String::new())), Ok(3));
}

#[test]
fn async_trait_generic_and_configured_arguments() {
    assert_eq!(thrice_later(Client::new().generic(7)).as_deref(), Ok("7"));
    assert_eq!(thrice_later(Client::new().configured(7)), Ok(8));
    assert_eq!(thrice_later(Client::new().function(|| 4, &|n| n * 2)), Ok(8));
    assert_eq!(thrice_later(Client::new().used_up(&mut vec![1, 2])), Ok(9));
}

#[async_trait]
trait Returns {
    type Item;

    async fn boxed(&self) -> Result<Box<dyn std::fmt::Display + Send>, Busy>;
    async fn lent(&self, other: &str) -> Result<&str, Busy>;
    async fn lent_by_argument<'a>(&self, text: &'a str) -> Result<&'a str, Busy>;
    async fn associated(&self) -> Result<Self::Item, Busy>;
    async fn option(&self) -> Option<u32>;
    async fn nothing(&self, left: &std::sync::atomic::AtomicU32);

    #[retry(on = is_busy)]
    async fn by_default(&self, name: String) -> Result<usize, Busy>
    where
        Self: Sync,
    {
        third_later().await?;
        Ok(name.len())
    }

    #[retry(on = is_busy)]
    async fn exclusive_by_default(&mut self) -> Result<u32, Busy>
    where
        Self: Send,
    {
        third_later().await
    }
}

#[async_trait]
impl Returns for String {
    type Item = u32;

    #[retry(on = is_busy)]
    async fn boxed(&self) -> Result<Box<dyn std::fmt::Display + Send>, Busy> {
        Ok(Box::new(third_later().await?))
    }

    #[retry(on = is_busy)]
    async fn lent(&self, _other: &str) -> Result<&str, Busy> {
        third_later().await?;
        Ok(self)
    }

    #[retry(on = is_busy)]
    async fn lent_by_argument<'a>(&self, text: &'a str) -> Result<&'a str, Busy> {
        third_later().await?;
        Ok(text)
    }

    #[retry(on = is_busy)]
    async fn associated(&self) -> Result<Self::Item, Busy> {
        third_later().await
    }

    #[retry(when = Option::is_none)]
    async fn option(&self) -> Option<u32> {
        let n = third_later().await.ok()?;
        Some(n)
    }

    #[retry(when = |()| left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) > 1)]
    async fn nothing(&self, left: &std::sync::atomic::AtomicU32) {
        let _ = third_later().await;
    }
}

#[test]
fn async_trait_returns() {
    let client = "client".to_owned();
    assert_eq!(thrice_later(client.boxed()).map(|shown| shown.to_string()).as_deref(), Ok("3"));
    assert_eq!(thrice_later(client.lent("")), Ok("client"));
    assert_eq!(thrice_later(client.lent_by_argument("x")), Ok("x"));
    assert_eq!(thrice_later(client.associated()), Ok(3));
}

#[test]
fn async_trait_values_that_are_judged_whole() {
    assert_eq!(thrice_later(String::new().option()), Some(3));
    thrice_later(String::new().nothing(&3.into()));
}

#[test]
fn async_trait_default_methods() {
    assert_eq!(thrice_later(String::new().by_default("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(String::new().exclusive_by_default()), Ok(3));
}

#[test]
fn async_trait_without_send() {
    #[async_trait(?Send)]
    trait Local {
        async fn local(&self, rc: std::rc::Rc<u32>) -> Result<u32, Busy>;
    }

    #[async_trait(?Send)]
    impl Local for Client {
        #[retry(on = is_busy)]
        async fn local(&self, rc: std::rc::Rc<u32>) -> Result<u32, Busy> {
            third_later().await?;
            Ok(*rc + self.count)
        }
    }
    assert_eq!(thrice_later(Client::new().local(std::rc::Rc::new(1))), Ok(5));
}

#[test]
fn async_trait_control_flow_and_nested_items() {
    #[async_trait]
    trait Flow {
        async fn flow(&self, stop: bool) -> Result<u32, Busy>;
    }

    #[async_trait]
    impl Flow for Client {
        #[retry(on = is_busy)]
        async fn flow(&self, stop: bool) -> Result<u32, Busy> {
            struct Nested(u32);

            impl Nested {
                const fn get(&self) -> u32 {
                    self.0
                }
            }

            let n = third_later().await?;
            if stop {
                return Ok(self.count);
            }
            let double = async { Ok::<_, Busy>(n * 2) };
            Ok(double.await? + Nested(self.count).get())
        }
    }
    assert_eq!(thrice_later(Client::new().flow(true)), Ok(4));
    assert_eq!(thrice_later(Client::new().flow(false)), Ok(10));
}

#[test]
fn nested_in_a_function() {
    fn outer(by: u32) -> Result<u32, Busy> {
        #[retry(on = is_busy)]
        fn inner(by: u32) -> Result<u32, Busy> {
            third().map(|n| n * by)
        }
        inner(by)
    }

    async fn outer_later(by: u32) -> Result<u32, Busy> {
        #[retry(on = is_busy)]
        async fn inner(by: u32) -> Result<u32, Busy> {
            third_later().await.map(|n| n * by)
        }
        inner(by).await
    }
    assert_eq!(thrice(|| outer(2)), Ok(6));
    assert_eq!(thrice_later(outer_later(2)), Ok(6));
}

#[test]
fn nested_in_an_annotated_function() {
    #[retry(on = is_busy, max = 1)]
    fn outer(by: u32) -> Result<u32, Busy> {
        #[retry(on = is_busy, max = 5)]
        fn inner(by: u32) -> Result<u32, Busy> {
            third().map(|n| n * by)
        }
        inner(by)
    }
    assert_eq!(thrice(|| outer(2)), Ok(6));
}

#[test]
fn in_a_constant_and_in_a_closure() {
    const NOW: fn() -> Result<u32, Busy> = {
        #[retry(on = is_busy)]
        fn now() -> Result<u32, Busy> {
            third()
        }
        now
    };
    let later = || {
        #[retry(on = is_busy)]
        async fn later() -> Result<u32, Busy> {
            third_later().await
        }
        later()
    };
    assert_eq!(thrice(NOW), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn written_by_a_macro() {
    macro_rules! retried {
        ($now:ident, $later:ident, $on:path, $max:expr, $base:literal) => {
            #[retry(on = $on, max = $max, base_ms = $base)]
            fn $now() -> Result<u32, Busy> {
                third()
            }

            #[retry(on = $on, max = $max, base_ms = $base)]
            async fn $later() -> Result<u32, Busy> {
                third_later().await
            }
        };
    }
    retried!(now, later, is_busy, 2 + 1, 10);
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn written_by_a_macro_with_names_and_types_from_outside() {
    macro_rules! retried {
        ($name:ident($($argument:ident: $type:ty),*) -> $output:ty, $on:expr, $body:block) => {
            #[retry(on = $on)]
            fn $name($($argument: $type),*) -> $output $body
        };
        (async $name:ident($($argument:ident: $type:ty),*) -> $output:ty, $on:expr, $body:block) => {
            #[retry(on = $on)]
            async fn $name($($argument: $type),*) -> $output $body
        };
    }
    retried!(now(a: u32, b: &mut u32) -> Result<u32, Busy>, |_| true, {
        *b += 1;
        Ok(third()? + a + *b)
    });
    retried!(async later(a: u32, b: &mut u32) -> Result<u32, Busy>, is_busy, {
        *b += 1;
        Ok(third_later().await? + a + *b)
    });
    assert_eq!(thrice(|| now(1, &mut 0)), Ok(7));
    assert_eq!(thrice_later(later(1, &mut 0)), Ok(7));
}

#[test]
fn methods_written_by_a_macro() {
    macro_rules! client {
        ($name:ident, $field:ident, $($clone:tt)*) => {
            #[derive(Clone)]
            struct $name {
                $field: u32,
            }

            impl $name {
                #[retry(on = |_| self.$field > 0)]
                fn now(&self) -> Result<u32, Busy> {
                    Ok(third()? + self.$field)
                }

                #[retry(on = |_| self.$field > 0)]
                async fn later(&mut self) -> Result<u32, Busy> {
                    self.$field += 1;
                    Ok(third_later().await? + self.$field)
                }

                #[retry(on = is_busy, $($clone)*)]
                fn fresh(mut self, text: String) -> Result<usize, Busy> {
                    self.$field += 1;
                    let eaten = text;
                    third()?;
                    Ok(eaten.len() + self.$field as usize)
                }
            }
        };
    }
    client!(Client, count, clone(self, text));
    assert_eq!(thrice(|| Client { count: 1 }.now()), Ok(4));
    assert_eq!(thrice_later(Client { count: 1 }.later()), Ok(7));
    assert_eq!(thrice(|| Client { count: 1 }.fresh("four".to_owned())), Ok(6));
}

#[test]
fn names_of_the_macro_and_names_of_its_user() {
    macro_rules! with_parameter {
        ($body:expr) => {
            #[retry(on = |_| true, clone(text))]
            fn now(text: String) -> Result<usize, Busy> {
                let eaten = text;
                third()?;
                Ok(eaten.len() + $body)
            }
        };
    }
    const TEXT: usize = 4;
    with_parameter!(TEXT);
    assert_eq!(thrice(|| now("x".to_owned())), Ok(5));
}

/// A module in which the names of the prelude mean something else.
#[allow(dead_code, unused_macros, non_camel_case_types, reason = "nothing of it may be used by us")]
mod shadowed {
    use ::retry_runtime::retry;

    use super::super::thrice::{Busy, is_busy, third, third_later};

    struct Option;
    struct Result;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Box;
    struct Vec;
    struct String;
    struct Duration;
    struct Future;
    struct u32;
    struct u64;
    struct bool;
    trait Clone {}
    trait Copy {}
    trait Drop {}
    trait Fn {}
    trait FnOnce {}
    trait Into {}
    trait From {}
    trait Retryable {}
    trait Send {}
    trait Sync {}
    trait Sized {}
    const fn drop() {}
    const fn attempt() {}
    const fn sleep() {}
    const fn policy() {}
    const fn run() {}
    const fn delay() {}
    const fn outcome() {}
    const fn error() {}
    macro_rules! concat {
        () => {};
    }
    macro_rules! panic {
        () => {};
    }
    macro_rules! matches {
        () => {};
    }
    macro_rules! assert {
        () => {};
    }
    mod core {}
    mod std {}
    mod alloc {}
    mod tokio {}
    mod retry_runtime {}
    mod __private {}

    type Answer = ::core::result::Result<::core::primitive::u32, Busy>;

    #[retry(on = is_busy, max = 2, deadline = "1h", on_retry = |_| (), on_give_up = |_| (), attempt = now, crate = ::retry_runtime)]
    pub(super) fn now(text: &str) -> Answer {
        third().map(|n| n + now.number() + text.len() as ::core::primitive::u32)
    }

    #[retry(on = is_busy, max = 2, clone(text), attempt = now)]
    pub(super) async fn later(text: ::std::string::String) -> Answer {
        let eaten = text;
        third_later().await.map(|n| n + now.number() + eaten.len() as ::core::primitive::u32)
    }

    #[retry]
    pub(super) fn boxed() -> ::futures::future::BoxFuture<'static, Answer> {
        ::std::boxed::Box::pin(third_later())
    }
}

#[test]
fn modules_that_shadow_the_prelude() {
    assert_eq!(thrice(|| shadowed::now("four")), Ok(10));
    assert_eq!(thrice_later(shadowed::later("four".to_owned())), Ok(10));
    assert_eq!(thrice_later(shadowed::boxed()), Ok(3));
}

mod without_prelude {
    #![no_implicit_prelude]

    use ::core::result::Result::{self, Err};
    use ::retry_runtime::retry;

    use super::super::thrice::{Busy, is_busy, third, third_later};

    #[retry(on = is_busy, max = 2, deadline = "1h", on_retry = |_| (), on_give_up = |_| (), attempt = now)]
    pub(super) fn now(text: &str) -> Result<u32, Busy> {
        match third() {
            Result::Ok(n) => Result::Ok(n + now.number() + text.len() as u32),
            Err(busy) => Err(busy),
        }
    }

    #[retry(clone(text), once(key = 4_u32))]
    pub(super) async fn later(text: ::std::string::String) -> Result<u32, Busy> {
        let eaten = text;
        Result::Ok(third_later().await? + eaten.len() as u32 + key)
    }

    #[retry]
    pub(super) fn boxed() -> ::futures::future::BoxFuture<'static, Result<u32, Busy>> {
        ::std::boxed::Box::pin(async move { third_later().await })
    }
}

#[test]
fn modules_without_the_prelude() {
    assert_eq!(thrice(|| without_prelude::now("four")), Ok(10));
    assert_eq!(thrice_later(without_prelude::later("four".to_owned())), Ok(11));
    assert_eq!(thrice_later(without_prelude::boxed()), Ok(3));
}

/// A module whose values have the names that locals have.
#[allow(dead_code, non_upper_case_globals, non_camel_case_types, reason = "they are to be taken for locals")]
mod lower_case {
    use ::retry_runtime::retry;

    use super::super::thrice::{Busy, is_busy, third, third_later};

    struct run;
    struct policy;
    struct outcome;
    struct error;
    struct never;
    struct this;
    struct ret;
    struct future;
    struct timer;
    const delay: u32 = 1;
    const reason: u32 = 2;
    const attempt: u32 = 3;
    const elapsed: u32 = 4;
    static budget: u32 = 5;
    static token: u32 = 6;
    static predicate: u32 = 7;
    static judged: u32 = 8;

    #[retry(
        on = is_busy,
        deadline = "1h",
        budget = &BUDGET,
        cancel = cancel,
        on_retry = |_| (),
        on_give_up = |_| (),
        attempt = now
    )]
    pub(super) fn now_and_then(cancel: &::retry_runtime::CancelToken) -> Result<u32, Busy> {
        third().map(|n| n + now.number() + delay + reason + attempt)
    }

    #[retry(attempt_timeout = "1h", timed_out = |_| Busy, clone(text), budget = &BUDGET, cancel = cancel)]
    pub(super) async fn later(text: String, cancel: &::retry_runtime::CancelToken) -> Result<usize, Busy> {
        let eaten = text;
        third_later().await.map(|n| n as usize + eaten.len())
    }

    #[retry(when = is_none)]
    pub(super) fn whole(text: &mut String) -> ::std::option::Option<u32> {
        let again = text;
        again.push('!');
        third().ok()
    }

    #[retry]
    pub(super) fn made() -> impl ::std::future::Future<Output = Result<u32, Busy>> {
        third_later()
    }

    #[allow(clippy::ref_option, reason = "`when` is asked so")]
    const fn is_none(found: &Option<u32>) -> bool {
        found.is_none()
    }

    static BUDGET: ::retry_runtime::Budget = ::retry_runtime::Budget::new();
}

#[test]
fn values_with_the_names_of_our_locals() {
    let token = retry_runtime::CancelToken::new();
    assert_eq!(thrice(|| lower_case::now_and_then(&token)), Ok(12));
    assert_eq!(thrice_later(lower_case::later("four".to_owned(), &token)), Ok(7));
    assert_eq!(thrice(|| lower_case::whole(&mut String::new())), Some(3));
    assert_eq!(thrice_later(lower_case::made()), Ok(3));
}

#[test]
fn bodies_that_define_the_names_of_the_return_type() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        #[allow(dead_code)]
        enum Result {
            Ok,
            Err,
        }
        #[allow(dead_code)]
        struct Some;
        third()
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        #[allow(dead_code)]
        enum Result {
            Ok,
            Err,
        }
        #[allow(dead_code)]
        struct Some;
        third_later().await
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn bodies_and_parameters_with_our_names() {
    #[retry(on = is_busy)]
    fn now(run: u32, policy: u32, delay: u32, outcome: u32, error: u32) -> Result<u32, Busy> {
        let (never, this, reason) = (1, 2, 3);
        Ok(third()? + run + policy + delay + outcome + error + never + this + reason)
    }

    #[retry(on = is_busy)]
    async fn later(run: u32, policy: u32, delay: u32, outcome: u32, error: u32) -> Result<u32, Busy> {
        let (never, this, reason) = (1, 2, 3);
        Ok(third_later().await? + run + policy + delay + outcome + error + never + this + reason)
    }
    assert_eq!(thrice(|| now(1, 1, 1, 1, 1)), Ok(14));
    assert_eq!(thrice_later(later(1, 1, 1, 1, 1)), Ok(14));
}

#[test]
fn foreign_traits_with_our_method_names_in_scope() {
    #[allow(dead_code, reason = "they must not be called")]
    trait Nosy {
        fn failed(&self) -> u32 {
            1
        }
        fn hint(&self) -> u32 {
            2
        }
        fn done(&self) -> u32 {
            3
        }
        fn max(&self) -> u32 {
            4
        }
        fn error(&self) -> u32 {
            5
        }
        fn is_retryable(&self) -> u32 {
            6
        }
    }

    impl<T: ?Sized> Nosy for T {}

    #[retry(max = 3)]
    fn now() -> Result<u32, Busy> {
        third().map(|n| n + Nosy::done(&n) + "x".hint())
    }

    #[retry(max = 3)]
    async fn later() -> Result<u32, Busy> {
        third_later().await.map(|n| n + Nosy::done(&n) + "x".hint())
    }
    assert_eq!(thrice(now), Ok(8));
    assert_eq!(thrice_later(later()), Ok(8));
}

#[test]
fn foreign_traits_that_take_everything() {
    #[allow(dead_code, clippy::wrong_self_convention, reason = "they must not be called")]
    trait Greedy: Sized {
        fn as_mut(self) -> u32 {
            1
        }
        fn hold(self) -> u32 {
            2
        }
        fn limit(self) -> u32 {
            3
        }
        fn attempt(self) -> u32 {
            4
        }
        fn deadline(self) -> u32 {
            5
        }
        fn into_future(self) -> u32 {
            6
        }
    }

    impl<T> Greedy for T {}

    const MAX: u32 = 4;

    #[retry(max = MAX, deadline = "1h", cancel = token, attempt = attempt)]
    fn now(token: &retry_runtime::CancelToken) -> Result<u32, Busy> {
        third().map(|n| n + attempt.number() + attempt.hold())
    }

    #[retry(max = MAX, deadline = "1h", attempt_timeout = "1m", timed_out = |_| Busy, cancel = token)]
    async fn later(token: &retry_runtime::CancelToken) -> Result<u32, Busy> {
        third_later().await.map(|n| n + n.limit())
    }
    let token = retry_runtime::CancelToken::new();
    assert_eq!(thrice(|| now(&token)), Ok(8));
    assert_eq!(thrice_later(later(&token)), Ok(6));
}
