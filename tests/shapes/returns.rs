//! What a function may return.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::io;

use retry_runtime::{Retryable, retry};

use super::thrice::{Busy, is_busy, runs, third, third_later, thrice, thrice_later};
use crate::support::block_on;

#[test]
fn result_under_an_alias() {
    type Answer<T> = Result<T, Busy>;

    #[retry(on = is_busy)]
    fn now() -> Answer<u32> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later() -> Answer<u32> {
        third_later().await
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn result_under_an_alias_without_parameters() {
    type Done = Result<(), Busy>;

    #[retry]
    fn now() -> Done {
        third().map(drop)
    }

    #[retry]
    async fn later() -> Done {
        third_later().await.map(drop)
    }
    assert_eq!(thrice(now), Ok(()));
    assert_eq!(thrice_later(later()), Ok(()));
}

#[test]
fn result_by_its_full_path() {
    #[retry(on = is_busy)]
    fn now() -> ::std::result::Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later() -> core::result::Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn result_as_an_associated_type() {
    trait Service {
        type Answer;
    }

    struct Client;

    impl Service for Client {
        type Answer = Result<u32, Busy>;
    }

    impl Client {
        #[retry(on = is_busy)]
        fn now(&self) -> <Self as Service>::Answer {
            third()
        }

        #[retry(on = is_busy)]
        async fn later(&self) -> <Self as Service>::Answer {
            third_later().await
        }
    }
    assert_eq!(thrice(|| Client.now()), Ok(3));
    assert_eq!(thrice_later(Client.later()), Ok(3));
}

#[test]
fn io_result() {
    fn third_io() -> io::Result<u32> {
        third().map_err(|_| io::ErrorKind::ConnectionReset.into())
    }

    #[retry]
    fn now() -> io::Result<u32> {
        third_io()
    }

    #[retry]
    async fn later() -> io::Result<u32> {
        std::future::ready(()).await;
        third_io()
    }
    assert_eq!(thrice(now).ok(), Some(3));
    assert_eq!(thrice_later(later()).ok(), Some(3));
}

#[test]
fn format_result() {
    #[retry(on = retry_runtime::always)]
    fn now(out: &mut String) -> fmt::Result {
        fmt::Write::write_str(out, "x")?;
        third().map(drop).map_err(|_| fmt::Error)
    }

    #[retry(on = retry_runtime::always)]
    async fn later(out: &mut String) -> fmt::Result {
        fmt::Write::write_str(out, "x")?;
        third_later().await.map(drop).map_err(|_| fmt::Error)
    }
    let mut out = String::new();
    assert_eq!(thrice(|| now(&mut out)), Ok(()));
    assert_eq!(thrice_later(later(&mut out)), Ok(()));
    assert_eq!(out, "xxxxxx");
}

#[test]
fn impl_trait_in_the_value() {
    #[retry(on = is_busy)]
    fn now() -> Result<impl Iterator<Item = u32> + Clone, Busy> {
        third().map(|n| 0..n)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<impl Iterator<Item = u32> + Clone, Busy> {
        third_later().await.map(|n| 0..n)
    }
    assert_eq!(thrice(now).map(Iterator::sum), Ok(3));
    assert_eq!(thrice_later(later()).map(Iterator::sum), Ok(3));
}

#[test]
fn impl_trait_in_the_error() {
    fn retried(_: &impl Display) -> bool {
        true
    }

    #[retry(on = retried)]
    fn now() -> Result<u32, impl Display + Debug> {
        third()
    }

    #[retry(on = retried)]
    async fn later() -> Result<u32, impl Display + Debug> {
        third_later().await
    }
    assert_eq!(thrice(now).ok(), Some(3));
    assert_eq!(thrice_later(later()).ok(), Some(3));
}

#[test]
fn impl_trait_deep_inside() {
    #[retry(on = is_busy)]
    fn now() -> Result<(Vec<impl Fn(u32) -> u32>, Option<Box<impl Display>>), Busy> {
        let add = third()?;
        Ok((vec![move |n| n + add], Some(Box::new("x"))))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<(Vec<impl Fn(u32) -> u32>, Option<Box<impl Display>>), Busy> {
        let add = third_later().await?;
        Ok((vec![move |n| n + add], Some(Box::new("x"))))
    }
    let now = thrice(now).map(|(adds, shown)| (adds[0](1), shown.map(|shown| shown.to_string())));
    assert_eq!(now, Ok((4, Some("x".to_owned()))));
    let later = thrice_later(later()).map(|(adds, shown)| (adds[0](1), shown.map(|shown| shown.to_string())));
    assert_eq!(later, Ok((4, Some("x".to_owned()))));
}

#[test]
fn trait_object_by_coercion() {
    #[retry(on = is_busy)]
    fn now() -> Result<Box<dyn Display>, Busy> {
        Ok(Box::new(third()?))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<Box<dyn Display + Send>, Busy> {
        Ok(Box::new(third_later().await?))
    }
    assert_eq!(thrice(now).map(|shown| shown.to_string()).as_deref(), Ok("3"));
    assert_eq!(thrice_later(later()).map(|shown| shown.to_string()).as_deref(), Ok("3"));
}

#[test]
fn trait_object_by_coercion_of_returns() {
    #[retry(on = is_busy)]
    fn now(early: bool) -> Result<Box<dyn Display>, Busy> {
        let n = third()?;
        if early {
            return Ok(Box::new("early"));
        }
        Ok(Box::new(n))
    }

    #[retry(on = is_busy)]
    async fn later(early: bool) -> Result<Box<dyn Display>, Busy> {
        let n = third_later().await?;
        if early {
            return Ok(Box::new("early"));
        }
        Ok(Box::new(n))
    }
    assert_eq!(thrice(|| now(true)).map(|shown| shown.to_string()).as_deref(), Ok("early"));
    assert_eq!(thrice_later(later(false)).map(|shown| shown.to_string()).as_deref(), Ok("3"));
}

#[test]
fn text_by_coercion() {
    #[retry(on = is_busy)]
    fn now(name: &String) -> Result<&str, Busy> {
        third()?;
        Ok(name)
    }

    #[retry(on = is_busy)]
    async fn later(names: &Vec<u32>) -> Result<&[u32], Busy> {
        third_later().await?;
        Ok(names)
    }
    assert_eq!(thrice(|| now(&"x".to_owned()).map(str::len)), Ok(1));
    assert_eq!(thrice_later(later(&vec![1, 2])).map(<[u32]>::len), Ok(2));
}

#[test]
fn function_pointer_by_coercion() {
    fn double(n: u32) -> u32 {
        n * 2
    }

    #[retry(on = is_busy)]
    fn now() -> Result<fn(u32) -> u32, Busy> {
        third()?;
        Ok(double)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<fn(u32) -> u32, Busy> {
        third_later().await?;
        Ok(|n| n * 2)
    }
    assert_eq!(thrice(now).map(|f| f(2)), Ok(4));
    assert_eq!(thrice_later(later()).map(|f| f(2)), Ok(4));
}

#[test]
fn integers_inferred_from_the_return_type() {
    #[retry(on = is_busy)]
    fn now() -> Result<u64, Busy> {
        third()?;
        Ok(1 << 40)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u64, Busy> {
        third_later().await?;
        Ok(1 << 40)
    }
    assert_eq!(thrice(now), Ok(1 << 40));
    assert_eq!(thrice_later(later()), Ok(1 << 40));
}

#[test]
fn collections_inferred_from_the_return_type() {
    #[retry(on = is_busy)]
    fn now() -> Result<BTreeMap<u32, String>, Busy> {
        let n = third()?;
        Ok((0..n).map(|n| (n, n.to_string())).collect())
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<Vec<u32>, Busy> {
        let n = third_later().await?;
        (0..n).map(|n| if n > 9 { Err(Busy) } else { Ok(n) }).collect()
    }
    assert_eq!(thrice(now).map(|map| map.len()), Ok(3));
    assert_eq!(thrice_later(later()), Ok(vec![0, 1, 2]));
}

#[test]
fn parsed_and_default_values() {
    #[retry(on = is_busy)]
    fn now(text: &str) -> Result<u16, Busy> {
        third()?;
        text.parse().map_err(|_| Busy)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<Vec<String>, Busy> {
        third_later().await?;
        Ok(Vec::default())
    }
    assert_eq!(thrice(|| now("7")), Ok(7));
    assert_eq!(thrice_later(later()), Ok(Vec::new()));
}

#[test]
fn borrowed_from_an_argument() {
    #[retry(on = is_busy)]
    fn now<'t>(text: &'t str, _other: &str) -> Result<&'t str, Busy> {
        third()?;
        Ok(text.trim())
    }

    #[retry(on = is_busy)]
    async fn later<'t>(text: &'t str, _other: &str) -> Result<&'t str, Busy> {
        third_later().await?;
        Ok(text.trim())
    }
    assert_eq!(thrice(|| now(" x ", "")), Ok("x"));
    assert_eq!(thrice_later(later(" x ", "")), Ok("x"));
}

#[test]
fn borrowed_in_the_error() {
    #[derive(Debug, PartialEq)]
    struct Bad<'a>(&'a str);

    fn is_bad(_: &Bad<'_>) -> bool {
        true
    }

    #[retry(on = is_bad)]
    fn now(text: &str) -> Result<u32, Bad<'_>> {
        third().map_err(|_| Bad(text))
    }

    #[retry(on = is_bad)]
    async fn later(text: &str) -> Result<u32, Bad<'_>> {
        third_later().await.map_err(|_| Bad(text))
    }
    assert_eq!(thrice(|| now("x")), Ok(3));
    assert_eq!(thrice_later(later("x")), Ok(3));
}

#[test]
fn shared_data_out_of_an_exclusive_argument() {
    #[retry(on = is_busy)]
    fn now(names: &mut Vec<String>) -> Result<Option<&str>, Busy> {
        third()?;
        Ok(names.first().map(String::as_str))
    }

    #[retry(on = is_busy)]
    async fn later<'n>(names: &'n mut Vec<String>, _: &str) -> Result<Option<&'n str>, Busy> {
        third_later().await?;
        Ok(names.first().map(String::as_str))
    }
    let mut names = vec!["x".to_owned()];
    assert_eq!(thrice(|| now(&mut names).map(|name| name.map(str::len))), Ok(Some(1)));
    assert_eq!(thrice_later(later(&mut names, "")), Ok(Some("x")));
}

#[test]
fn option_with_the_question_mark() {
    #[retry(when = Option::is_none)]
    fn now(text: &str) -> Option<u32> {
        let n = third().ok()?;
        let first = text.chars().next()?;
        first.to_digit(10).map(|digit| digit + n)
    }

    #[retry(when = Option::is_none)]
    async fn later(text: &str) -> Option<u32> {
        let n = third_later().await.ok()?;
        let first = text.chars().next()?;
        first.to_digit(10).map(|digit| digit + n)
    }
    assert_eq!(thrice(|| now("4")), Some(7));
    assert_eq!(thrice_later(later("4")), Some(7));
}

#[test]
fn option_under_a_closure() {
    #[retry(when = |found| *found != Some(3))]
    fn now() -> Option<u32> {
        third().ok()
    }

    #[retry(when = |found: &Option<u32>| found.is_none())]
    async fn later() -> Option<u32> {
        third_later().await.ok()
    }
    assert_eq!(thrice(now), Some(3));
    assert_eq!(thrice_later(later()), Some(3));
}

#[test]
fn plain_values() {
    #[retry(when = |n| *n < 3)]
    fn now() -> u32 {
        third().unwrap_or_default()
    }

    #[retry(when = |n: &u32| *n < 3)]
    async fn later() -> u32 {
        third_later().await.unwrap_or_default()
    }
    assert_eq!(thrice(now), 3);
    assert_eq!(thrice_later(later()), 3);
}

#[test]
fn truth_values() {
    #[retry(when = |done| !done)]
    fn now() -> bool {
        third().is_ok()
    }

    #[retry(when = |done: &bool| !*done)]
    async fn later() -> bool {
        third_later().await.is_ok()
    }
    assert!(thrice(now));
    assert!(thrice_later(later()));
}

#[test]
fn whole_results() {
    fn unfinished(answer: &Result<u32, Busy>) -> bool {
        !matches!(answer, Ok(3))
    }

    #[retry(when = unfinished)]
    fn now() -> Result<u32, Busy> {
        Ok(third().unwrap_or_default())
    }

    #[retry(when = unfinished)]
    async fn later() -> Result<u32, Busy> {
        Ok(third_later().await.unwrap_or_default())
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn pending_results() {
    #[retry(when = retry_runtime::pending)]
    fn now() -> Result<Option<u32>, Busy> {
        Ok(third().ok())
    }

    #[retry(when = retry_runtime::pending)]
    async fn later() -> Result<Option<u32>, Busy> {
        Ok(third_later().await.ok())
    }
    assert_eq!(thrice(now), Ok(Some(3)));
    assert_eq!(thrice_later(later()), Ok(Some(3)));
}

#[test]
fn unit_that_is_written() {
    #[retry(on = is_busy)]
    fn now() -> Result<(), Busy> {
        third()?;
        Ok(())
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<(), Busy> {
        third_later().await?;
        Ok(())
    }
    assert_eq!(thrice(now), Ok(()));
    assert_eq!(thrice_later(later()), Ok(()));
}

#[test]
fn no_return_type_at_all() {
    fn asks_again(count: &std::cell::Cell<u32>) -> bool {
        count.set(count.get() + 1);
        count.get() < 3
    }

    #[retry(when = |()| asks_again(count))]
    fn now(count: &std::cell::Cell<u32>) {
        let _ = third();
    }

    #[retry(when = |()| asks_again(count))]
    async fn later(count: &std::cell::Cell<u32>) {
        let _ = third_later().await;
    }
    thrice(|| now(&std::cell::Cell::new(0)));
    thrice_later(later(&std::cell::Cell::new(0)));
}

#[test]
fn explicit_unit() {
    #[allow(clippy::unused_unit)]
    #[retry(when = |()| left.replace(left.get() - 1) > 1)]
    fn now(left: &std::cell::Cell<u32>) -> () {
        let _ = third();
    }

    #[allow(clippy::unused_unit)]
    #[retry(when = |()| left.replace(left.get() - 1) > 1)]
    async fn later(left: &std::cell::Cell<u32>) -> () {
        let _ = third_later().await;
    }
    thrice(|| now(&std::cell::Cell::new(3)));
    thrice_later(later(&std::cell::Cell::new(3)));
}

#[test]
fn never() {
    #[retry(when = |_| true)]
    fn now(text: &str) -> ! {
        let _ = third();
        std::panic::panic_any(text.len())
    }

    #[retry(when = |_| true)]
    async fn later(text: &str) -> ! {
        let _ = third_later().await;
        std::panic::panic_any(text.len())
    }
    let now = runs(1, || std::panic::catch_unwind(|| now("four")))
        .map_err(|panic| panic.downcast_ref() == Some(&4_usize));
    assert_eq!(now, Err(true));
    let later = runs(1, || std::panic::catch_unwind(|| block_on(later("four"))));
    assert!(later.is_err_and(|panic| panic.downcast_ref() == Some(&4_usize)));
}

#[test]
fn bodies_that_never_end() {
    fn unsupported(text: &str) -> ! {
        let _ = third();
        std::panic::panic_any(text.len())
    }

    async fn unsupported_later(text: &str) -> ! {
        let _ = third_later().await;
        std::panic::panic_any(text.len())
    }

    #[retry(on = is_busy)]
    fn now(text: &str) -> Result<u32, Busy> {
        unsupported(text)
    }

    #[retry(on = is_busy)]
    async fn later(text: &str) -> Result<u32, Busy> {
        unsupported_later(text).await
    }

    #[retry(on = is_busy, on_retry = |_| ())]
    fn in_every_branch(text: &str) -> Result<u32, Busy> {
        if text.is_empty() { std::process::exit(1) } else { unsupported(text) }
    }

    #[retry(when = Result::is_err)]
    async fn in_a_loop(text: &str) -> Result<Infallible, Busy> {
        loop {
            unsupported_later(text).await;
        }
    }

    #[retry(on = is_busy, clone(text))]
    fn cloned(text: &str) -> Result<u32, Busy> {
        unsupported(text)
    }

    #[retry(on = is_busy, clone(text))]
    async fn cloned_later(text: &str) -> Result<u32, Busy> {
        unsupported(text)
    }
    #[track_caller]
    fn ended<T>(call: impl FnOnce() -> T + std::panic::UnwindSafe) {
        let panic = runs(1, || std::panic::catch_unwind(call)).map(drop).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&4_usize));
    }
    ended(|| now("four"));
    ended(|| block_on(later("four")));
    ended(|| in_every_branch("four"));
    ended(|| block_on(in_a_loop("four")));
    ended(|| cloned("four"));
    ended(|| block_on(cloned_later("four")));
}

#[test]
fn values_that_cannot_be() {
    #[derive(Debug, PartialEq)]
    struct Ended;

    fn retried(_: &Ended) -> bool {
        true
    }

    #[retry(on = retried, max = 2)]
    fn now() -> Result<Infallible, Ended> {
        loop {
            if third() != Ok(9) {
                return Err(Ended);
            }
        }
    }

    #[retry(on = retried, max = 2)]
    async fn later() -> Result<Infallible, Ended> {
        loop {
            if third_later().await != Ok(9) {
                return Err(Ended);
            }
        }
    }
    assert_eq!(thrice(now).map(drop), Err(Ended));
    assert_eq!(thrice_later(later()).map(drop), Err(Ended));
}

#[test]
fn arrays_of_something() {
    #[retry(on = is_busy)]
    fn now() -> Result<[impl Display + use<>; 2], Busy> {
        let n = third()?;
        Ok([n, n + 1])
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<[impl Display + use<>; 2], Busy> {
        let n = third_later().await?;
        Ok([n, n + 1])
    }
    assert_eq!(thrice(now).map(|array| array.map(|n| n.to_string()).concat()).as_deref(), Ok("34"));
    assert_eq!(thrice_later(later()).map(|array| array.map(|n| n.to_string()).concat()).as_deref(), Ok("34"));
}

#[test]
fn boxed_errors() {
    #[retry(on = |error| error.is::<Busy>())]
    fn now() -> Result<u32, Box<dyn Error>> {
        let n = third()?;
        Ok(n + "4".parse::<u32>()?)
    }

    #[retry(on = |error| error.is::<Busy>())]
    async fn later() -> Result<u32, Box<dyn Error + Send + Sync>> {
        let n = third_later().await?;
        Ok(n + "4".parse::<u32>()?)
    }
    assert_eq!(thrice(now).ok(), Some(7));
    assert_eq!(thrice_later(later()).ok(), Some(7));
}

#[test]
fn anyhow_errors() {
    #[retry(on = |error| error.downcast_ref() == Some(&Busy))]
    fn now() -> anyhow::Result<u32> {
        let n = third()?;
        anyhow::ensure!(n == 3, "not the third");
        Ok(n)
    }

    #[retry(on = anyhow::Error::is::<Busy>)]
    async fn later() -> Result<u32, anyhow::Error> {
        let n = third_later().await?;
        if n != 3 {
            anyhow::bail!("not the third: {n}");
        }
        Ok(n)
    }
    assert_eq!(thrice(now).ok(), Some(3));
    assert_eq!(thrice_later(later()).ok(), Some(3));
}

#[derive(Debug, PartialEq)]
enum Failure {
    Busy(Busy),
    Parse(std::num::ParseIntError),
}

impl From<Busy> for Failure {
    fn from(busy: Busy) -> Self {
        Self::Busy(busy)
    }
}

impl From<std::num::ParseIntError> for Failure {
    fn from(error: std::num::ParseIntError) -> Self {
        Self::Parse(error)
    }
}

impl Retryable for Failure {
    fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy(_))
    }
}

#[test]
fn errors_converted_by_the_question_mark() {
    #[retry]
    fn now(text: &str) -> Result<u32, Failure> {
        Ok(third()? + text.parse::<u32>()?)
    }

    #[retry]
    async fn later(text: &str) -> Result<u32, Failure> {
        Ok(third_later().await? + text.parse::<u32>()?)
    }
    assert_eq!(thrice(|| now("4")), Ok(7));
    assert_eq!(thrice_later(later("4")), Ok(7));
}

#[test]
fn errors_converted_by_into() {
    #[retry]
    fn now() -> Result<u32, Failure> {
        third().map_err(Into::into)
    }

    #[retry]
    async fn later() -> Result<u32, Failure> {
        match third_later().await {
            Ok(n) => Ok(n),
            Err(busy) => Err(busy.into()),
        }
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn generic_errors() {
    #[retry(on = |_| true)]
    fn now<E: From<Busy>>() -> Result<u32, E> {
        Ok(third()?)
    }

    #[retry]
    async fn later<E: From<Busy> + Retryable>() -> Result<u32, E> {
        Ok(third_later().await?)
    }
    assert_eq!(thrice(now::<Failure>), Ok(3));
    assert_eq!(thrice_later(later::<Failure>()), Ok(3));
}

#[test]
fn errors_as_references_and_text() {
    #[retry(on = |error| error.starts_with('b'))]
    fn now() -> Result<u32, &'static str> {
        third().map_err(|_| "busy")
    }

    #[retry(on = |error| error.starts_with('b'))]
    async fn later() -> Result<u32, String> {
        third_later().await.map_err(|busy| format!("{busy}"))
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn tuples_and_arrays() {
    #[retry(on = is_busy)]
    fn now() -> Result<(u32, &'static str, [u8; 2]), Busy> {
        Ok((third()?, "x", [1, 2]))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<(u32, &'static str, [u8; 2]), Busy> {
        Ok((third_later().await?, "x", [1, 2]))
    }
    assert_eq!(thrice(now), Ok((3, "x", [1, 2])));
    assert_eq!(thrice_later(later()), Ok((3, "x", [1, 2])));
}

#[test]
fn nested_results() {
    #[retry(on = is_busy)]
    fn now() -> Result<Result<u32, String>, Busy> {
        third().map(Ok)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<Result<u32, String>, Busy> {
        third_later().await.map(Ok)
    }
    assert_eq!(thrice(now), Ok(Ok(3)));
    assert_eq!(thrice_later(later()), Ok(Ok(3)));
}

#[test]
fn closures_and_futures_as_values() {
    #[retry(on = is_busy)]
    fn now(by: u32) -> Result<impl Fn(u32) -> u32, Busy> {
        third()?;
        Ok(move |n| n * by)
    }

    #[retry(on = is_busy)]
    async fn later(by: u32) -> Result<impl std::future::Future<Output = u32>, Busy> {
        third_later().await?;
        Ok(async move { by })
    }
    assert_eq!(thrice(|| now(2)).map(|double| double(4)), Ok(8));
    assert_eq!(thrice_later(async { Ok::<_, Busy>(later(2).await?.await) }), Ok(2));
}

#[test]
fn own_types_with_a_predicate() {
    #[derive(Debug, PartialEq)]
    enum Reply {
        Later,
        Done(u32),
    }

    impl Reply {
        const fn is_later(&self) -> bool {
            matches!(self, Self::Later)
        }
    }

    #[retry(when = Reply::is_later)]
    fn now() -> Reply {
        third().map_or(Reply::Later, Reply::Done)
    }

    #[retry(when = Reply::is_later)]
    async fn later() -> Reply {
        third_later().await.map_or(Reply::Later, Reply::Done)
    }
    assert_eq!(thrice(now), Reply::Done(3));
    assert_eq!(thrice_later(later()), Reply::Done(3));
}

#[test]
fn poll_and_control_flow() {
    use std::ops::ControlFlow;
    use std::task::Poll;

    #[retry(when = Poll::is_pending)]
    fn now() -> Poll<u32> {
        third().map_or(Poll::Pending, Poll::Ready)
    }

    #[retry(when = ControlFlow::is_continue)]
    async fn later() -> ControlFlow<u32> {
        third_later().await.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
    assert_eq!(thrice(now), Poll::Ready(3));
    assert_eq!(thrice_later(later()), ControlFlow::Break(3));
}
