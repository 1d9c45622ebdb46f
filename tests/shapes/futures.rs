//! Functions that are not `async` themselves and return a future.

use std::cell::Cell;
use std::future::{Future, ready};
use std::pin::Pin;

use futures::FutureExt;
use futures::future::{BoxFuture, LocalBoxFuture, TryFutureExt};
use retry_runtime::retry;
use tracing::Instrument;

use super::thrice::{Busy, is_busy, runs, send, third, third_later, thrice_later};
use crate::support::block_on;

/// Counts what runs once per call.
fn note(count: &Cell<u32>) -> u32 {
    count.set(count.get() + 1);
    count.get()
}

#[test]
fn impl_future_that_ends_in_a_block() {
    #[retry(on = is_busy)]
    fn later(n: u32) -> impl Future<Output = Result<u32, Busy>> {
        async move { Ok(third_later().await? + n) }
    }
    assert_eq!(thrice_later(later(4)), Ok(7));
}

#[test]
fn impl_future_that_ends_in_a_block_without_move() {
    #[retry(on = is_busy)]
    fn later() -> impl Future<Output = Result<u32, Busy>> {
        async { third_later().await }
    }
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn statements_before_the_block_run_once() {
    #[retry(on = is_busy)]
    fn later(count: &Cell<u32>) -> impl Future<Output = Result<u32, Busy>> {
        let made = note(count);
        let text = "x".repeat(4);
        async move { Ok(third_later().await? + made + text.len() as u32) }
    }
    let count = Cell::new(0);
    let future = later(&count);
    assert_eq!(count.get(), 1, "before the first poll");
    assert_eq!(thrice_later(future), Ok(8));
    assert_eq!(count.get(), 1);
}

#[test]
fn an_early_return_of_another_future() {
    #[retry(on = is_busy)]
    fn later(early: bool) -> BoxFuture<'static, Result<u32, Busy>> {
        if early {
            return Box::pin(ready(Ok(9)));
        }
        Box::pin(async move { third_later().await })
    }
    assert_eq!(thrice_later(later(false)), Ok(3));
    assert_eq!(runs(0, || block_on(later(true))), Ok(9));
}

#[test]
fn impl_future_with_bounds() {
    #[retry(on = is_busy)]
    fn later(name: &str) -> impl Future<Output = Result<usize, Busy>> + Send + '_ {
        async move {
            third_later().await?;
            Ok(name.len())
        }
    }
    assert_eq!(thrice_later(send(later("four"))), Ok(4));
}

#[test]
fn impl_future_that_the_whole_body_makes() {
    #[retry(on = is_busy)]
    fn later() -> impl Future<Output = Result<u32, Busy>> {
        third_later()
    }

    #[retry(on = is_busy)]
    fn mapped(by: u32) -> impl Future<Output = Result<u32, Busy>> {
        third_later().map_ok(move |n| n * by)
    }
    assert_eq!(thrice_later(later()), Ok(3));
    assert_eq!(thrice_later(mapped(2)), Ok(6));
}

#[test]
fn statements_of_a_body_that_makes_a_future_run_for_each_attempt() {
    #[retry(on = is_busy)]
    fn later(count: &Cell<u32>) -> impl Future<Output = Result<u32, Busy>> + '_ {
        note(count);
        third_later()
    }
    let count = Cell::new(0);
    assert_eq!(thrice_later(later(&count)), Ok(3));
    assert_eq!(count.get(), 3);
}

#[test]
fn branches_that_each_make_a_future() {
    #[retry(on = is_busy)]
    fn later(boxed: bool) -> Pin<Box<dyn Future<Output = Result<u32, Busy>>>> {
        if boxed { Box::pin(async move { third_later().await }) } else { Box::pin(ready(third())) }
    }
    assert_eq!(thrice_later(later(true)), Ok(3));
    assert_eq!(thrice_later(later(false)), Ok(3));
}

#[test]
fn pinned_box_that_ends_in_a_block() {
    #[retry(on = is_busy)]
    fn later(n: u32) -> Pin<Box<dyn Future<Output = Result<u32, Busy>>>> {
        Box::pin(async move { Ok(third_later().await? + n) })
    }

    #[retry(on = is_busy)]
    fn sent<'n>(name: &'n str) -> Pin<Box<dyn Future<Output = Result<&'n str, Busy>> + Send + 'n>> {
        let trimmed = name.trim();
        Box::pin(async move {
            third_later().await?;
            Ok(trimmed)
        })
    }
    assert_eq!(thrice_later(later(4)), Ok(7));
    assert_eq!(thrice_later(send(sent(" x "))), Ok("x"));
}

#[test]
fn pinned_box_that_the_whole_body_makes() {
    #[retry(on = is_busy)]
    fn later() -> Pin<Box<dyn Future<Output = Result<u32, Busy>> + Send>> {
        Box::pin(third_later())
    }

    #[retry(on = is_busy)]
    fn chained(by: u32) -> BoxFuture<'static, Result<u32, Busy>> {
        Box::pin(third_later().map_ok(move |n| n + by))
    }
    assert_eq!(thrice_later(send(later())), Ok(3));
    assert_eq!(thrice_later(send(chained(2))), Ok(5));
}

#[test]
fn box_future_that_ends_in_a_block() {
    #[retry(on = is_busy)]
    fn later(n: u32) -> BoxFuture<'static, Result<u32, Busy>> {
        Box::pin(async move { Ok(third_later().await? + n) })
    }
    assert_eq!(thrice_later(send(later(4))), Ok(7));
}

#[test]
fn block_dot_boxed() {
    #[retry(on = is_busy)]
    fn later(name: &str) -> BoxFuture<'_, Result<usize, Busy>> {
        let length = name.len();
        async move {
            third_later().await?;
            Ok(length)
        }
        .boxed()
    }

    #[retry(on = is_busy)]
    fn local(name: &str) -> LocalBoxFuture<'_, Result<usize, Busy>> {
        async move {
            third_later().await?;
            Ok(name.len())
        }
        .boxed_local()
    }
    assert_eq!(thrice_later(send(later("four"))), Ok(4));
    assert_eq!(thrice_later(local("four")), Ok(4));
}

#[test]
fn block_in_a_span() {
    #[retry(on = is_busy)]
    fn later(text: String, calls: &Cell<u32>) -> impl Future<Output = Result<usize, Busy>> {
        note(calls);
        let span = tracing::Span::none();
        async move {
            third_later().await?;
            Ok(text.len())
        }
        .instrument(span)
    }

    #[retry(on = is_busy)]
    fn pinned(text: String, calls: &Cell<u32>) -> BoxFuture<'static, Result<usize, Busy>> {
        note(calls);
        Box::pin(
            async move {
                third_later().await?;
                Ok(text.len())
            }
            .in_current_span()
            .boxed(),
        )
    }
    let calls = Cell::new(0);
    assert_eq!(thrice_later(later("four".to_owned(), &calls)), Ok(4));
    assert_eq!(calls.take(), 1);
    assert_eq!(thrice_later(send(pinned("four".to_owned(), &calls))), Ok(4));
    assert_eq!(calls.take(), 1);
}

#[test]
fn a_name_bound_anew_before_the_block() {
    #[retry(on = is_busy)]
    fn shared(name: &str) -> impl Future<Output = Result<usize, Busy>> + use<> {
        let name = name.to_owned();
        async move {
            third_later().await?;
            Ok(name.len())
        }
    }

    #[retry(on = is_busy)]
    fn exclusive(list: &mut Vec<u32>) -> impl Future<Output = Result<usize, Busy>> + use<> {
        list.push(1);
        let list: usize = list.len();
        async move {
            third_later().await?;
            Ok(list)
        }
    }
    #[retry(on = is_busy, clone(name))]
    fn cloned(name: &str) -> impl Future<Output = Result<usize, Busy>> + use<> {
        let name = name.to_owned();
        async move {
            third_later().await?;
            Ok(name.into_bytes().len())
        }
    }
    assert_eq!(thrice_later(shared("four")), Ok(4));
    assert_eq!(thrice_later(cloned("seven")), Ok(5));
    assert_eq!(thrice_later(exclusive(&mut vec![7])), Ok(2));
}

#[test]
fn call_dot_boxed() {
    #[retry(on = is_busy)]
    fn later() -> BoxFuture<'static, Result<u32, Busy>> {
        third_later().boxed()
    }
    assert_eq!(thrice_later(send(later())), Ok(3));
}

#[test]
fn pin_by_another_path() {
    #[retry(on = is_busy)]
    fn later() -> std::pin::Pin<std::boxed::Box<dyn std::future::Future<Output = Result<u32, Busy>>>> {
        std::boxed::Box::pin(async { third_later().await })
    }

    #[retry(on = is_busy)]
    fn returned() -> BoxFuture<'static, Result<u32, Busy>> {
        return Box::pin(async move { third_later().await });
    }
    assert_eq!(thrice_later(later()), Ok(3));
    assert_eq!(thrice_later(returned()), Ok(3));
}

#[test]
fn box_without_a_pin() {
    #[retry(on = is_busy)]
    fn later() -> Box<dyn Future<Output = Result<u32, Busy>> + Send + Unpin> {
        Box::new(Box::pin(third_later()))
    }

    #[retry(on = is_busy)]
    fn pinned_later() -> Box<dyn Future<Output = Result<u32, Busy>>> {
        Box::new(async { third_later().await })
    }
    assert_eq!(thrice_later(send(later())), Ok(3));
    assert_eq!(thrice_later(Box::into_pin(pinned_later())), Ok(3));
}

#[test]
fn future_under_an_alias_that_ends_in_a_block() {
    type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, Busy>> + Send + 'a>>;

    #[retry(on = is_busy)]
    fn later(name: &str) -> Reply<'_, usize> {
        let name = name.trim();
        Box::pin(async move {
            third_later().await?;
            Ok(name.len())
        })
    }
    assert_eq!(thrice_later(send(later(" x "))), Ok(1));
}

#[test]
fn methods_that_return_futures() {
    struct Client {
        name: String,
        count: u32,
    }

    impl Client {
        #[retry(on = is_busy)]
        fn shared(&self) -> impl Future<Output = Result<&str, Busy>> {
            async move {
                third_later().await?;
                Ok(&*self.name)
            }
        }

        #[retry(on = is_busy)]
        fn exclusive(&mut self) -> BoxFuture<'_, Result<u32, Busy>> {
            Box::pin(async move {
                self.count += 1;
                third_later().await?;
                Ok(self.count)
            })
        }

        async fn raw(&mut self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        fn delegated(&mut self) -> impl Future<Output = Result<u32, Busy>> + '_ {
            self.raw()
        }

        #[retry(on = is_busy)]
        fn taken(self) -> impl Future<Output = Result<usize, Busy>> {
            async move {
                third_later().await?;
                Ok(self.name.len())
            }
        }
    }

    let new = || Client { name: "client".to_owned(), count: 4 };
    assert_eq!(thrice_later(new().shared()), Ok("client"));
    assert_eq!(thrice_later(new().exclusive()), Ok(7));
    assert_eq!(thrice_later(new().delegated()), Ok(7));
    assert_eq!(thrice_later(new().taken()), Ok(6));
}

#[test]
fn owned_arguments_of_a_block() {
    fn eat(text: String) -> usize {
        let taken = text;
        taken.len()
    }

    #[retry(on = is_busy)]
    fn read(text: String) -> BoxFuture<'static, Result<usize, Busy>> {
        Box::pin(async move {
            third_later().await?;
            Ok(text.len())
        })
    }

    #[retry(on = is_busy, clone(text))]
    fn moved(text: String) -> BoxFuture<'static, Result<usize, Busy>> {
        Box::pin(async move {
            let length = eat(text);
            third_later().await?;
            Ok(length)
        })
    }

    #[retry(on = is_busy, clone(text))]
    fn changed(mut text: String) -> impl Future<Output = Result<usize, Busy>> {
        async move {
            text.push('!');
            third_later().await?;
            Ok(text.len())
        }
    }

    #[retry(on = is_busy, keep(text))]
    fn kept(mut text: String) -> impl Future<Output = Result<usize, Busy>> {
        async move {
            text.push('!');
            third_later().await?;
            Ok(text.len())
        }
    }
    assert_eq!(thrice_later(read("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(moved("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(changed("four".to_owned())), Ok(5));
    assert_eq!(thrice_later(kept("four".to_owned())), Ok(7));
}

#[test]
fn owned_arguments_of_a_body_that_makes_a_future() {
    async fn length(text: String) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }

    #[retry(on = is_busy, clone(text))]
    fn later(text: String) -> impl Future<Output = Result<usize, Busy>> {
        length(text)
    }

    #[retry(on = is_busy, clone(text))]
    fn changed(mut text: String) -> BoxFuture<'static, Result<usize, Busy>> {
        text.push('!');
        length(text).boxed()
    }
    assert_eq!(thrice_later(later("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(changed("four".to_owned())), Ok(5));
}

#[test]
fn clone_before_the_block() {
    struct Client {
        inner: std::sync::Arc<str>,
    }

    impl Client {
        #[retry(on = is_busy)]
        fn later(&self) -> BoxFuture<'static, Result<usize, Busy>> {
            let inner = self.inner.clone();
            Box::pin(async move {
                third_later().await?;
                Ok(inner.len())
            })
        }

        #[retry(on = is_busy)]
        fn again(&self) -> impl Future<Output = Result<usize, Busy>> + use<> {
            let this = self.inner.clone();
            async move {
                third_later().await?;
                Ok(this.len())
            }
        }
    }
    let client = Client { inner: "four".into() };
    assert_eq!(thrice_later(client.later()), Ok(4));
    assert_eq!(thrice_later(client.again()), Ok(4));
}

#[test]
fn futures_of_values_that_are_judged_whole() {
    #[retry(when = Option::is_none)]
    fn later() -> impl Future<Output = Option<u32>> {
        async { third_later().await.ok() }
    }

    #[retry(when = |n| *n < 3)]
    fn plain() -> BoxFuture<'static, u32> {
        Box::pin(async { third_later().await.unwrap_or_default() })
    }
    assert_eq!(thrice_later(later()), Some(3));
    assert_eq!(thrice_later(plain()), 3);
}

#[test]
fn coercions_inside_the_block() {
    use std::fmt::Display;

    #[retry(on = is_busy)]
    fn later() -> BoxFuture<'static, Result<Box<dyn Display>, Busy>> {
        Box::pin(async move { Ok(Box::new(third_later().await?) as Box<dyn Display>) })
    }

    #[retry(on = is_busy)]
    fn text(name: &String) -> BoxFuture<'_, Result<&str, Busy>> {
        Box::pin(async move {
            third_later().await?;
            Ok(name.as_str())
        })
    }
    assert_eq!(thrice_later(later()).map(|shown| shown.to_string()).as_deref(), Ok("3"));
    assert_eq!(thrice_later(text(&"x".to_owned())).map(str::len), Ok(1));
}

#[test]
fn statements_inside_the_block_that_look_like_those_of_a_macro() {
    #[retry(on = is_busy)]
    fn typed(count: &Cell<u32>) -> LocalBoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move {
            let seen = note(count);
            let _: Result<u32, Busy> = Ok(seen);
            let _: () = ();
            let n: u32 = third_later().await?;
            Ok(n + seen)
        })
    }

    #[retry(on = is_busy)]
    fn named(count: &Cell<u32>) -> LocalBoxFuture<'_, Result<u32, Busy>> {
        Box::pin(async move {
            let seen = note(count);
            let __ret: Result<u32, Busy> = third_later().await;
            let n = __ret?;
            Ok(n + seen)
        })
    }

    #[retry(when = |()| count.get() < 3)]
    fn unit(count: &Cell<u32>) -> LocalBoxFuture<'_, ()> {
        Box::pin(async move {
            let seen = note(count);
            let _: () = assert!(seen < 4);
            let _ = third_later().await;
        })
    }
    assert_eq!(thrice_later(typed(&Cell::new(0))), Ok(6));
    assert_eq!(thrice_later(named(&Cell::new(0))), Ok(6));
    thrice_later(unit(&Cell::new(0)));
}

#[test]
fn early_exits_inside_the_block() {
    #[retry(on = is_busy)]
    fn later(stop: bool) -> BoxFuture<'static, Result<u32, Busy>> {
        async move {
            let n = third_later().await?;
            if stop {
                return Ok(0);
            }
            Ok(n)
        }
        .boxed()
    }
    assert_eq!(thrice_later(later(true)), Ok(0));
    assert_eq!(thrice_later(later(false)), Ok(3));
}

#[test]
fn a_block_that_is_bound_first() {
    #[retry(on = is_busy)]
    fn later(n: u32) -> impl Future<Output = Result<u32, Busy>> {
        let future = async move { Ok(third_later().await? + n) };
        future
    }
    assert_eq!(thrice_later(later(4)), Ok(7));
}

#[test]
fn futures_of_generic_functions() {
    #[retry(on = is_busy)]
    fn later<T: Clone + Send + Sync + 'static>(value: T) -> BoxFuture<'static, Result<T, Busy>> {
        Box::pin(async move {
            third_later().await?;
            Ok(value.clone())
        })
    }

    #[retry(on = is_busy)]
    fn asked<F, Fut>(ask: F) -> impl Future<Output = Result<u32, Busy>>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<u32, Busy>>,
    {
        async move { ask().await }
    }
    assert_eq!(thrice_later(later("x")), Ok("x"));
    assert_eq!(thrice_later(asked(third_later)), Ok(3));
}

#[test]
fn a_blocking_function_that_drives_a_future_itself() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let future = Box::pin(async move { third_later().await });
        block_on(future)
    }

    #[retry(on = is_busy)]
    fn at_once() -> Result<u32, Busy> {
        block_on(async { third_later().await })
    }
    assert_eq!(runs(3, now), Ok(3));
    assert_eq!(runs(3, at_once), Ok(3));
}

#[test]
fn nothing_runs_before_the_first_poll() {
    #[retry(on = is_busy)]
    fn later() -> impl Future<Output = Result<u32, Busy>> {
        third_later()
    }

    #[retry(on = is_busy)]
    async fn async_later() -> Result<u32, Busy> {
        third_later().await
    }
    runs(0, || drop((later(), async_later())));
}
