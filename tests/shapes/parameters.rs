//! Parameters of every kind.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::io::Write;

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, third, third_later, thrice, thrice_later};

fn eat(text: String) -> usize {
    let taken = text;
    taken.len()
}

#[test]
fn moved_with_clone() {
    #[retry(on = is_busy, clone(text))]
    fn now(text: String) -> Result<usize, Busy> {
        let length = eat(text);
        third()?;
        Ok(length)
    }

    #[retry(on = is_busy, clone(text))]
    async fn later(text: String) -> Result<usize, Busy> {
        let length = eat(text);
        third_later().await?;
        Ok(length)
    }
    assert_eq!(thrice(|| now("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(later("four".to_owned())), Ok(4));
}

#[test]
fn moved_into_a_block_with_clone() {
    #[retry(on = is_busy, clone(text))]
    fn now(text: String) -> Result<usize, Busy> {
        let length = move || text.len();
        third()?;
        Ok(length())
    }

    #[retry(on = is_busy, clone(text))]
    async fn later(text: String) -> Result<usize, Busy> {
        let length = async move { text.len() };
        third_later().await?;
        Ok(length.await)
    }
    assert_eq!(thrice(|| now("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(later("four".to_owned())), Ok(4));
}

#[test]
fn several_clones() {
    #[retry(on = is_busy, clone(first, second))]
    fn now(first: String, second: Vec<u8>, third_one: &str) -> Result<usize, Busy> {
        let length = eat(first) + second.into_iter().map(usize::from).sum::<usize>() + third_one.len();
        third()?;
        Ok(length)
    }

    #[retry(on = is_busy, clone(first, second))]
    async fn later(first: String, second: Vec<u8>, third_one: &str) -> Result<usize, Busy> {
        let length = eat(first) + second.into_iter().map(usize::from).sum::<usize>() + third_one.len();
        third_later().await?;
        Ok(length)
    }
    assert_eq!(thrice(|| now("four".to_owned(), vec![1, 2], "x")), Ok(8));
    assert_eq!(thrice_later(later("four".to_owned(), vec![1, 2], "x")), Ok(8));
}

#[test]
fn mut_with_clone() {
    #[retry(on = is_busy, clone(names))]
    fn now(mut names: Vec<u32>) -> Result<usize, Busy> {
        names.push(1);
        third()?;
        Ok(names.len())
    }

    #[retry(on = is_busy, clone(names))]
    async fn later(mut names: Vec<u32>) -> Result<usize, Busy> {
        names.push(1);
        third_later().await?;
        Ok(names.len())
    }
    assert_eq!(thrice(|| now(vec![1])), Ok(2));
    assert_eq!(thrice_later(later(vec![1])), Ok(2));
}

#[test]
fn mut_with_keep() {
    #[retry(on = is_busy, keep(names))]
    fn now(mut names: Vec<u32>) -> Result<usize, Busy> {
        names.push(1);
        third()?;
        Ok(names.len())
    }

    #[retry(on = is_busy, keep(names))]
    async fn later(mut names: Vec<u32>) -> Result<usize, Busy> {
        names.push(1);
        third_later().await?;
        Ok(names.len())
    }
    assert_eq!(thrice(|| now(vec![1])), Ok(4));
    assert_eq!(thrice_later(later(vec![1])), Ok(4));
}

#[test]
fn mut_with_keep_of_something_copied() {
    #[retry(on = is_busy, keep(left))]
    fn now(mut left: u32) -> Result<u32, Busy> {
        left -= 1;
        third()?;
        Ok(left)
    }

    #[retry(on = is_busy, keep(left))]
    async fn later(mut left: u32) -> Result<u32, Busy> {
        left -= 1;
        third_later().await?;
        Ok(left)
    }
    assert_eq!(thrice(|| now(9)), Ok(6));
    assert_eq!(thrice_later(later(9)), Ok(6));
}

#[test]
fn owned_and_borrowed_by_the_body() {
    #[retry(on = is_busy)]
    fn now(text: String, table: BTreeMap<u32, String>) -> Result<bool, Busy> {
        third()?;
        Ok(table.get(&1) == Some(&text))
    }

    #[retry(on = is_busy)]
    async fn later(text: String, table: BTreeMap<u32, String>) -> Result<bool, Busy> {
        third_later().await?;
        Ok(table.get(&1) == Some(&text))
    }
    let table = BTreeMap::from([(1, "x".to_owned())]);
    assert_eq!(thrice(|| now("x".to_owned(), table.clone())), Ok(true));
    assert_eq!(thrice_later(later("x".to_owned(), table)), Ok(true));
}

#[test]
fn generic_without_clone() {
    #[retry(on = is_busy)]
    fn now<T: Debug>(value: T) -> Result<String, Busy> {
        third()?;
        Ok(format!("{value:?}"))
    }

    #[retry(on = is_busy)]
    async fn later<T: Debug>(value: T) -> Result<String, Busy> {
        third_later().await?;
        Ok(format!("{value:?}"))
    }
    assert_eq!(thrice(|| now(Busy)).as_deref(), Ok("Busy"));
    assert_eq!(thrice_later(later(Busy)).as_deref(), Ok("Busy"));
}

#[test]
fn generic_with_clone() {
    #[retry(on = is_busy, clone(value))]
    fn now<T: Clone + Into<String>>(value: T) -> Result<String, Busy> {
        let text = value.into();
        third()?;
        Ok(text)
    }

    #[retry(on = is_busy, clone(value))]
    async fn later<T: Clone + Into<String>>(value: T) -> Result<String, Busy> {
        let text = value.into();
        third_later().await?;
        Ok(text)
    }
    assert_eq!(thrice(|| now("x")).as_deref(), Ok("x"));
    assert_eq!(thrice_later(later("x")).as_deref(), Ok("x"));
}

#[test]
fn tuple_patterns() {
    #[retry(on = is_busy)]
    fn now((a, b): (u32, u32), (c, (d, _)): (u32, (u32, u32))) -> Result<u32, Busy> {
        third()?;
        Ok(a + b + c + d)
    }

    #[retry(on = is_busy)]
    async fn later((a, b): (u32, u32), (c, (d, _)): (u32, (u32, u32))) -> Result<u32, Busy> {
        third_later().await?;
        Ok(a + b + c + d)
    }
    assert_eq!(thrice(|| now((1, 2), (3, (4, 5)))), Ok(10));
    assert_eq!(thrice_later(later((1, 2), (3, (4, 5)))), Ok(10));
}

struct Order {
    id: u32,
    text: String,
}

impl Order {
    fn new() -> Self {
        Self { id: 7, text: "order".to_owned() }
    }
}

#[test]
fn struct_patterns() {
    #[retry(on = is_busy, clone(text))]
    fn now(Order { id, text }: Order) -> Result<usize, Busy> {
        let length = eat(text);
        third()?;
        Ok(length + id as usize)
    }

    #[retry(on = is_busy, clone(body))]
    async fn later(Order { id: number, text: body }: Order) -> Result<usize, Busy> {
        let length = eat(body);
        third_later().await?;
        Ok(length + number as usize)
    }
    assert_eq!(thrice(|| now(Order::new())), Ok(12));
    assert_eq!(thrice_later(later(Order::new())), Ok(12));
}

#[test]
fn struct_patterns_with_a_rest() {
    #[retry(on = is_busy)]
    fn now(Order { id, .. }: Order) -> Result<u32, Busy> {
        third()?;
        Ok(id)
    }

    #[retry(on = is_busy)]
    async fn later(Order { text, .. }: &Order) -> Result<&str, Busy> {
        third_later().await?;
        Ok(text)
    }
    assert_eq!(thrice(|| now(Order::new())), Ok(7));
    assert_eq!(thrice_later(later(&Order::new())), Ok("order"));
}

#[test]
fn mut_inside_a_pattern() {
    #[retry(on = is_busy, clone(a), keep(b))]
    fn now((mut a, mut b): (u32, u32)) -> Result<(u32, u32), Busy> {
        a += 1;
        b += 1;
        third()?;
        Ok((a, b))
    }

    #[retry(on = is_busy, clone(text), keep(id))]
    async fn later(Order { mut id, mut text }: Order) -> Result<(u32, String), Busy> {
        id += 1;
        text.push('!');
        third_later().await?;
        Ok((id, text))
    }
    assert_eq!(thrice(|| now((1, 1))), Ok((2, 4)));
    assert_eq!(thrice_later(later(Order::new())), Ok((10, "order!".to_owned())));
}

#[test]
fn array_and_slice_patterns() {
    #[retry(on = is_busy)]
    fn now([a, .., b]: [u32; 4], &[c, d]: &[u32; 2]) -> Result<u32, Busy> {
        third()?;
        Ok(a + b + c + d)
    }

    #[retry(on = is_busy)]
    async fn later([first, rest @ ..]: [u32; 3]) -> Result<u32, Busy> {
        third_later().await?;
        Ok(first + rest.iter().sum::<u32>())
    }
    assert_eq!(thrice(|| now([1, 2, 3, 4], &[5, 6])), Ok(16));
    assert_eq!(thrice_later(later([1, 2, 3])), Ok(6));
}

#[test]
fn reference_patterns() {
    #[retry(on = is_busy)]
    fn now(&n: &u32, &(a, ref b): &(u32, String)) -> Result<usize, Busy> {
        third()?;
        Ok((n + a) as usize + b.len())
    }

    #[retry(on = is_busy)]
    async fn later(&n: &u32, &mut m: &mut u32) -> Result<u32, Busy> {
        third_later().await?;
        Ok(n + m)
    }
    assert_eq!(thrice(|| now(&1, &(2, "x".to_owned()))), Ok(4));
    assert_eq!(thrice_later(later(&1, &mut 2)), Ok(3));
}

#[test]
fn ref_patterns() {
    #[retry(on = is_busy)]
    fn now(ref text: String, ref mut count: u32) -> Result<usize, Busy> {
        *count += 1;
        third()?;
        Ok(text.len() + *count as usize)
    }

    #[retry(on = is_busy)]
    async fn later(ref text: String, ref mut count: u32) -> Result<usize, Busy> {
        *count += 1;
        third_later().await?;
        Ok(text.len() + *count as usize)
    }
    assert_eq!(thrice(|| now("x".to_owned(), 0)), Ok(4));
    assert_eq!(thrice_later(later("x".to_owned(), 0)), Ok(4));
}

#[test]
fn bound_patterns() {
    #[retry(on = is_busy)]
    fn now(pair @ (a, _): (u32, u32)) -> Result<u32, Busy> {
        third()?;
        Ok(a + pair.1)
    }

    #[retry(on = is_busy)]
    async fn later(pair @ (a, _): (u32, u32)) -> Result<u32, Busy> {
        third_later().await?;
        Ok(a + pair.1)
    }
    assert_eq!(thrice(|| now((1, 2))), Ok(3));
    assert_eq!(thrice_later(later((1, 2))), Ok(3));
}

#[test]
fn alternatives_that_always_match() {
    enum Either {
        Left(u32),
        Right(u32),
    }

    #[retry(on = is_busy)]
    fn now((Either::Left(n) | Either::Right(n)): Either) -> Result<u32, Busy> {
        third()?;
        Ok(n)
    }

    #[retry(on = is_busy)]
    async fn later((Either::Left(n) | Either::Right(n)): Either) -> Result<u32, Busy> {
        third_later().await?;
        Ok(n)
    }
    assert_eq!(thrice(|| now(Either::Left(4))), Ok(4));
    assert_eq!(thrice_later(later(Either::Right(4))), Ok(4));
}

#[test]
fn newtype_patterns() {
    struct Id(u32);

    #[retry(on = is_busy)]
    fn now(Id(id): Id) -> Result<u32, Busy> {
        third()?;
        Ok(id)
    }

    #[retry(on = is_busy, keep(id))]
    async fn later(Id(mut id): Id) -> Result<u32, Busy> {
        id += 1;
        third_later().await?;
        Ok(id)
    }
    assert_eq!(thrice(|| now(Id(4))), Ok(4));
    assert_eq!(thrice_later(later(Id(4))), Ok(7));
}

#[test]
fn nameless_parameters() {
    #[retry(on = is_busy)]
    fn now(_: String, _: u32) -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later(_: String, _: u32) -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(|| now(String::new(), 1)), Ok(3));
    assert_eq!(thrice_later(later(String::new(), 1)), Ok(3));
}

#[test]
fn parameters_with_an_underscore() {
    #[retry(on = is_busy)]
    fn now(_text: String, _count: &mut u32) -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later(_text: String, _count: &mut u32) -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(|| now(String::new(), &mut 1)), Ok(3));
    assert_eq!(thrice_later(later(String::new(), &mut 1)), Ok(3));
}

#[test]
fn exclusive_references() {
    #[retry(on = is_busy)]
    fn now(count: &mut u32, log: &mut Vec<u32>) -> Result<usize, Busy> {
        *count += 1;
        log.push(*count);
        third()?;
        Ok(log.len())
    }

    #[retry(on = is_busy)]
    async fn later(count: &mut u32, log: &mut Vec<u32>) -> Result<usize, Busy> {
        *count += 1;
        log.push(*count);
        third_later().await?;
        Ok(log.len())
    }
    let (mut count, mut log) = (0, Vec::new());
    assert_eq!(thrice(|| now(&mut count, &mut log)), Ok(3));
    assert_eq!(thrice_later(later(&mut count, &mut log)), Ok(6));
    assert_eq!((count, log), (6, vec![1, 2, 3, 4, 5, 6]));
}

#[test]
fn exclusive_references_used_up_by_the_body() {
    #[retry(on = is_busy)]
    fn now(numbers: &mut Vec<u32>) -> Result<u32, Busy> {
        let mut sum = 0;
        for number in numbers {
            *number += 1;
            sum += *number;
        }
        third()?;
        Ok(sum)
    }

    #[retry(on = is_busy)]
    async fn later(numbers: &mut Vec<u32>) -> Result<u32, Busy> {
        let mut sum = 0;
        for number in numbers {
            *number += 1;
            sum += *number;
        }
        third_later().await?;
        Ok(sum)
    }
    assert_eq!(thrice(|| now(&mut vec![1, 2])), Ok(9));
    assert_eq!(thrice_later(later(&mut vec![1, 2])), Ok(9));
}

#[test]
fn exclusive_references_given_to_a_generic() {
    fn written<W: Write>(mut to: W) -> bool {
        to.write_all(b"x").is_ok()
    }

    #[retry(on = is_busy)]
    fn now(out: &mut Vec<u8>) -> Result<bool, Busy> {
        let done = written(out);
        third()?;
        Ok(done)
    }

    #[retry(on = is_busy)]
    async fn later(out: &mut Vec<u8>) -> Result<bool, Busy> {
        let done = written(out);
        third_later().await?;
        Ok(done)
    }
    let mut out = Vec::new();
    assert_eq!(thrice(|| now(&mut out)), Ok(true));
    assert_eq!(thrice_later(later(&mut out)), Ok(true));
    assert_eq!(out, b"xxxxxx");
}

#[test]
fn exclusive_references_moved_into_closures_and_blocks() {
    #[retry(on = is_busy)]
    fn now(count: &mut u32) -> Result<u32, Busy> {
        let mut add = move || {
            *count += 1;
            *count
        };
        let count = add();
        third()?;
        Ok(count)
    }

    #[retry(on = is_busy)]
    async fn later(count: &mut u32) -> Result<u32, Busy> {
        let add = async move {
            *count += 1;
            *count
        };
        third_later().await?;
        Ok(add.await)
    }
    assert_eq!(thrice(|| now(&mut 0)), Ok(3));
    assert_eq!(thrice_later(later(&mut 0)), Ok(1));
}

#[test]
fn exclusive_references_that_are_re_aimed() {
    #[retry(on = is_busy, keep(rest))]
    fn now<'a>(mut rest: &'a mut [u32]) -> Result<usize, Busy> {
        let (first, left) = std::mem::take(&mut rest).split_first_mut().ok_or(Busy)?;
        *first += 1;
        rest = left;
        third()?;
        Ok(rest.len())
    }

    #[retry(on = is_busy, keep(rest))]
    async fn later<'a>(mut rest: &'a mut [u32]) -> Result<usize, Busy> {
        let (first, left) = std::mem::take(&mut rest).split_first_mut().ok_or(Busy)?;
        *first += 1;
        rest = left;
        third_later().await?;
        Ok(rest.len())
    }
    let mut numbers = [1, 1, 1, 1];
    assert_eq!(thrice(|| now(&mut numbers)), Ok(1));
    assert_eq!(thrice_later(later(&mut numbers)), Ok(1));
    assert_eq!(numbers, [3, 3, 3, 1]);
}

#[test]
fn shared_references_that_are_re_aimed() {
    #[retry(on = is_busy, keep(rest))]
    fn now(mut rest: &[u32]) -> Result<usize, Busy> {
        rest = rest.get(1..).unwrap_or_default();
        third()?;
        Ok(rest.len())
    }

    #[retry(on = is_busy, clone(rest))]
    async fn later(mut rest: &[u32]) -> Result<usize, Busy> {
        rest = rest.get(1..).unwrap_or_default();
        third_later().await?;
        Ok(rest.len())
    }
    assert_eq!(thrice(|| now(&[1, 1, 1, 1])), Ok(1));
    assert_eq!(thrice_later(later(&[1, 1, 1, 1])), Ok(3));
}

#[test]
fn optional_exclusive_references() {
    #[retry(on = is_busy, keep(log))]
    fn now(mut log: Option<&mut Vec<u32>>) -> Result<usize, Busy> {
        if let Some(log) = log.as_deref_mut() {
            log.push(1);
        }
        third()?;
        Ok(log.as_ref().map_or(0, |log| log.len()))
    }

    #[retry(on = is_busy, keep(log))]
    async fn later(mut log: Option<&mut Vec<u32>>) -> Result<usize, Busy> {
        if let Some(log) = log.as_deref_mut() {
            log.push(1);
        }
        third_later().await?;
        Ok(log.as_ref().map_or(0, |log| log.len()))
    }
    assert_eq!(thrice(|| now(Some(&mut Vec::new()))), Ok(3));
    assert_eq!(thrice_later(later(Some(&mut Vec::new()))), Ok(3));
}

#[test]
fn impl_trait_arguments() {
    #[retry(on = is_busy)]
    fn now(name: impl AsRef<str>, shown: &impl Display) -> Result<String, Busy> {
        third()?;
        Ok(format!("{}{shown}", name.as_ref()))
    }

    #[retry(on = is_busy)]
    async fn later(name: impl AsRef<str>, shown: &impl Display) -> Result<String, Busy> {
        third_later().await?;
        Ok(format!("{}{shown}", name.as_ref()))
    }
    assert_eq!(thrice(|| now("a", &1)).as_deref(), Ok("a1"));
    assert_eq!(thrice_later(later("a".to_owned(), &1)).as_deref(), Ok("a1"));
}

#[test]
fn impl_trait_arguments_with_clone() {
    #[retry(on = is_busy, clone(name))]
    fn now(name: impl Into<String> + Clone) -> Result<String, Busy> {
        let name = name.into();
        third()?;
        Ok(name)
    }

    #[retry(on = is_busy, clone(name))]
    async fn later(name: impl Into<String> + Clone) -> Result<String, Busy> {
        let name = name.into();
        third_later().await?;
        Ok(name)
    }
    assert_eq!(thrice(|| now("a")).as_deref(), Ok("a"));
    assert_eq!(thrice_later(later("a")).as_deref(), Ok("a"));
}

#[test]
fn impl_iterators() {
    #[retry(on = is_busy, clone(numbers))]
    fn fresh(numbers: impl Iterator<Item = u32> + Clone) -> Result<u32, Busy> {
        third()?;
        Ok(numbers.sum())
    }

    #[retry(on = is_busy, keep(numbers))]
    async fn shared(mut numbers: impl Iterator<Item = u32>) -> Result<Option<u32>, Busy> {
        let next = numbers.next();
        third_later().await?;
        Ok(next)
    }
    assert_eq!(thrice(|| fresh(vec![1, 2, 3].into_iter())), Ok(6));
    assert_eq!(thrice_later(shared(vec![1, 2, 3].into_iter())), Ok(Some(3)));
}

#[test]
fn closures_called_often() {
    #[retry(on = is_busy)]
    fn now<F: Fn(u32) -> u32>(double: F) -> Result<u32, Busy> {
        third().map(&double)
    }

    #[retry(on = is_busy)]
    async fn later(double: impl Fn(u32) -> u32) -> Result<u32, Busy> {
        Ok(double(third_later().await?))
    }
    assert_eq!(thrice(|| now(|n| n * 2)), Ok(6));
    assert_eq!(thrice_later(later(|n| n * 2)), Ok(6));
}

#[test]
fn closures_that_change() {
    #[retry(on = is_busy, keep(next))]
    fn now(mut next: impl FnMut() -> u32) -> Result<u32, Busy> {
        let n = next();
        third()?;
        Ok(n)
    }

    #[retry(on = is_busy)]
    async fn later(next: &mut dyn FnMut() -> u32) -> Result<u32, Busy> {
        let n = next();
        third_later().await?;
        Ok(n)
    }
    let mut n = 0;
    let mut next = || {
        n += 1;
        n
    };
    assert_eq!(thrice(|| now(&mut next)), Ok(3));
    assert_eq!(thrice_later(later(&mut next)), Ok(6));
}

#[test]
fn closures_called_once() {
    #[retry(on = is_busy, clone(make))]
    fn now(make: impl FnOnce() -> String + Clone) -> Result<String, Busy> {
        let text = make();
        third()?;
        Ok(text)
    }

    #[retry(on = is_busy, clone(make))]
    async fn later<F: Clone + FnOnce() -> String>(make: F) -> Result<String, Busy> {
        let text = make();
        third_later().await?;
        Ok(text)
    }
    let text = "made".to_owned();
    let make = move || text;
    assert_eq!(thrice(|| now(make.clone())).as_deref(), Ok("made"));
    assert_eq!(thrice_later(later(make)).as_deref(), Ok("made"));
}

#[test]
fn closures_in_boxes() {
    #[retry(on = is_busy, keep(next))]
    fn now(mut next: Box<dyn FnMut() -> u32>) -> Result<u32, Busy> {
        let n = next();
        third()?;
        Ok(n)
    }

    #[retry(on = is_busy)]
    async fn later(next: &mut (impl FnMut() -> u32 + ?Sized)) -> Result<u32, Busy> {
        let n = next();
        third_later().await?;
        Ok(n)
    }
    let mut n = 0;
    let mut next = move || {
        n += 1;
        n
    };
    assert_eq!(thrice_later(later(&mut next)), Ok(3));
    assert_eq!(thrice(|| now(Box::new(next))), Ok(6));
}

#[test]
fn async_closures_that_change() {
    #[retry(on = is_busy, keep(ask))]
    async fn later(mut ask: impl AsyncFnMut(u32) -> Result<u32, Busy>) -> Result<u32, Busy> {
        ask(4).await
    }
    let mut sum = 0;
    let ask = async |n: u32| {
        sum += n;
        third_later().await?;
        Ok(sum)
    };
    assert_eq!(thrice_later(later(ask)), Ok(12));
}

#[test]
fn closures_that_make_futures() {
    #[retry(on = is_busy)]
    async fn later<F, Fut>(ask: F) -> Result<u32, Busy>
    where
        F: Fn() -> Fut,
        Fut: std::future::Future<Output = Result<u32, Busy>>,
    {
        ask().await
    }
    assert_eq!(thrice_later(later(third_later)), Ok(3));
}

#[test]
fn trait_objects() {
    #[retry(on = is_busy)]
    fn now(shown: &dyn Display, boxed: Box<dyn Debug>) -> Result<String, Busy> {
        third()?;
        Ok(format!("{shown}{boxed:?}"))
    }

    #[retry(on = is_busy)]
    async fn later(shown: &dyn Display, boxed: Box<dyn Debug>) -> Result<String, Busy> {
        third_later().await?;
        Ok(format!("{shown}{boxed:?}"))
    }
    assert_eq!(thrice(|| now(&1, Box::new(2))).as_deref(), Ok("12"));
    assert_eq!(thrice_later(later(&1, Box::new(2))).as_deref(), Ok("12"));
}

#[test]
fn parameters_that_are_configured_away() {
    #[retry(on = is_busy)]
    fn now(#[cfg(any())] gone: Gone, #[cfg(test)] there: u32) -> Result<u32, Busy> {
        third()?;
        Ok(there)
    }

    #[retry(on = is_busy)]
    async fn later(#[cfg(any())] gone: Gone, #[cfg(test)] there: u32) -> Result<u32, Busy> {
        third_later().await?;
        Ok(there)
    }
    assert_eq!(thrice(|| now(4)), Ok(4));
    assert_eq!(thrice_later(later(4)), Ok(4));
}

#[test]
fn configured_parameters_with_clone_and_keep() {
    #[retry(on = is_busy, clone(gone, there))]
    fn now(#[cfg(any())] mut gone: Gone, #[cfg(test)] mut there: String) -> Result<usize, Busy> {
        there.push('!');
        third()?;
        Ok(eat(there))
    }

    #[retry(on = is_busy, keep(gone, there))]
    async fn later(#[cfg(any())] mut gone: Gone, #[cfg(test)] mut there: String) -> Result<usize, Busy> {
        there.push('!');
        third_later().await?;
        Ok(there.len())
    }
    assert_eq!(thrice(|| now("four".to_owned())), Ok(5));
    assert_eq!(thrice_later(later("four".to_owned())), Ok(7));
}

#[test]
fn parameters_with_attributes() {
    #[retry(on = is_busy)]
    fn now(
        #[allow(unused_variables)] unused: u32,
        #[expect(unused_variables)] also: u32,
    ) -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later(
        #[allow(unused_variables)] unused: u32,
        #[allow(clippy::needless_pass_by_value)] text: String,
    ) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }
    assert_eq!(thrice(|| now(1, 2)), Ok(3));
    assert_eq!(thrice_later(later(1, "four".to_owned())), Ok(4));
}

#[test]
fn parameters_shadowed_by_the_body() {
    #[retry(on = is_busy, clone(text))]
    fn now(text: String, count: u32) -> Result<usize, Busy> {
        let count = count as usize + 1;
        let text = eat(text);
        third()?;
        Ok(text + count)
    }

    #[retry(on = is_busy, clone(text))]
    async fn later(text: String, count: u32) -> Result<usize, Busy> {
        let count = count as usize + 1;
        let text = eat(text);
        third_later().await?;
        Ok(text + count)
    }
    assert_eq!(thrice(|| now("four".to_owned(), 1)), Ok(6));
    assert_eq!(thrice_later(later("four".to_owned(), 1)), Ok(6));
}

#[test]
fn borrowed_or_owned_text() {
    #[retry(on = is_busy, clone(text))]
    fn now(text: Cow<'_, str>) -> Result<String, Busy> {
        let owned = text.into_owned();
        third()?;
        Ok(owned)
    }

    #[retry(on = is_busy, clone(text))]
    async fn later(text: Cow<'static, str>) -> Result<String, Busy> {
        let owned = text.into_owned();
        third_later().await?;
        Ok(owned)
    }
    assert_eq!(thrice(|| now(Cow::Borrowed("x"))).as_deref(), Ok("x"));
    assert_eq!(thrice_later(later(Cow::Borrowed("x"))).as_deref(), Ok("x"));
}

#[test]
fn function_pointers_and_arrays_and_raw_names() {
    #[retry(on = is_busy)]
    fn now(double: fn(u32) -> u32, list: [u32; 2], r#type: &str) -> Result<usize, Busy> {
        let n = double(third()?);
        Ok((n + list[0]) as usize + r#type.len())
    }

    #[retry(on = is_busy, clone(r#type))]
    async fn later(double: fn(u32) -> u32, list: [u32; 2], r#type: String) -> Result<usize, Busy> {
        let n = double(third_later().await?);
        Ok((n + list[0]) as usize + eat(r#type))
    }
    assert_eq!(thrice(|| now(|n| n * 2, [1, 2], "x")), Ok(8));
    assert_eq!(thrice_later(later(|n| n * 2, [1, 2], "x".to_owned())), Ok(8));
}

#[test]
fn arguments_dropped_after_the_call() {
    struct Noisy<'a>(&'a std::cell::Cell<u32>);

    impl Drop for Noisy<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[retry(on = is_busy)]
    fn now(noisy: Noisy<'_>) -> Result<u32, Busy> {
        third()?;
        Ok(noisy.0.get())
    }

    #[retry(on = is_busy)]
    async fn later(noisy: Noisy<'_>) -> Result<u32, Busy> {
        third_later().await?;
        Ok(noisy.0.get())
    }
    let drops = std::cell::Cell::new(0);
    assert_eq!(thrice(|| now(Noisy(&drops))), Ok(0));
    assert_eq!(thrice_later(later(Noisy(&drops))), Ok(1));
    assert_eq!(drops.get(), 2);
}

#[test]
fn names_inside_format_strings() {
    #[retry(on = is_busy, keep(count))]
    fn now(mut count: u32, text: &str) -> Result<String, Busy> {
        count += 1;
        let shown = format!("{text}{count:>2}");
        third()?;
        Ok(shown)
    }

    #[retry(on = is_busy, keep(count))]
    async fn later(mut count: u32, text: &str) -> Result<String, Busy> {
        count += 1;
        let shown = format!("{text}{count:>2}");
        third_later().await?;
        Ok(shown)
    }
    assert_eq!(thrice(|| now(0, "n")).as_deref(), Ok("n 3"));
    assert_eq!(thrice_later(later(0, "n")).as_deref(), Ok("n 3"));
}

#[test]
fn clones_of_names_bound_by_reference() {
    #[async_trait::async_trait]
    trait Shop {
        async fn order(&self, order: &Order) -> Result<String, Busy>;
    }

    struct Client;

    #[async_trait::async_trait]
    impl Shop for Client {
        #[retry(on = is_busy, clone(text))]
        async fn order(&self, Order { text, .. }: &Order) -> Result<String, Busy> {
            third_later().await?;
            Ok(text.clone())
        }
    }

    #[retry(on = is_busy, clone(text))]
    fn now(Order { text, .. }: &Order) -> Result<&String, Busy> {
        third()?;
        Ok(text)
    }

    #[retry(on = is_busy, clone(text))]
    async fn later(Order { text, .. }: &Order) -> Result<&String, Busy> {
        third_later().await?;
        Ok(text)
    }

    #[retry(on = is_busy, clone(id))]
    async fn behind(&id: &u32) -> Result<u32, Busy> {
        third_later().await.map(|n| n + id)
    }
    let order = Order::new();
    assert_eq!(thrice(|| now(&order)).map(String::as_str), Ok("order"));
    assert_eq!(thrice_later(later(&order)).map(String::as_str), Ok("order"));
    assert_eq!(thrice_later(behind(&4)), Ok(7));
    assert_eq!(thrice_later(Client.order(&order)).as_deref(), Ok("order"));
}

#[test]
fn exclusive_references_inside_of_patterns() {
    #[retry(on = is_busy)]
    fn now((text, n): (&mut String, u32), Order { id, .. }: &mut Order) -> Result<u32, Busy> {
        let (taken, number) = (text, id);
        taken.push('x');
        *number += n;
        third()?;
        Ok(*number + taken.len() as u32)
    }

    #[retry(on = is_busy)]
    async fn later((text, n): (&mut String, u32), Order { id, .. }: &mut Order) -> Result<u32, Busy> {
        let (taken, number) = (text, id);
        taken.push('x');
        *number += n;
        third_later().await?;
        Ok(*number + taken.len() as u32)
    }

    #[retry(on = is_busy)]
    fn behind((text, n): &mut (String, u32)) -> Result<u32, Busy> {
        let (taken, number) = (text, n);
        taken.push('x');
        *number += 1;
        third()?;
        Ok(*number + taken.len() as u32)
    }

    #[retry(on = is_busy)]
    async fn not_shared((cell, n): (&mut std::cell::Cell<u32>, u32)) -> Result<u32, Busy> {
        cell.set(cell.get() + n);
        third_later().await?;
        Ok(cell.get())
    }
    assert_eq!(thrice(|| now((&mut String::new(), 2), &mut Order::new())), Ok(7 + 6 + 3));
    let (mut text, mut order) = (String::new(), Order::new());
    assert_eq!(thrice_later(later((&mut text, 2), &mut order)), Ok(7 + 6 + 3));
    assert_eq!(thrice(|| behind(&mut (String::new(), 1))), Ok(1 + 3 + 3));
    let mut cell = std::cell::Cell::new(1);
    assert_eq!(thrice_later(super::thrice::send(not_shared((&mut cell, 2)))), Ok(7));
}
