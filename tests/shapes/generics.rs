//! Generics, constants, associated types.

use std::fmt::{Debug, Display};
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Add;

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, third, third_later, thrice, thrice_later};

#[test]
fn type_parameters_with_inline_bounds() {
    #[retry(on = is_busy)]
    fn now<T: Copy + Add<Output = T>, U>(a: T, _unused: &U) -> Result<T, Busy> {
        third()?;
        Ok(a + a)
    }

    #[retry(on = is_busy)]
    async fn later<T: Copy + Add<Output = T>, U>(a: T, _unused: &U) -> Result<T, Busy> {
        third_later().await?;
        Ok(a + a)
    }
    assert_eq!(thrice(|| now(2, &"x")), Ok(4));
    assert_eq!(thrice_later(later(2, &"x")), Ok(4));
}

#[test]
fn where_clauses() {
    #[retry(on = is_busy)]
    fn now<T, I>(items: I) -> Result<Vec<T>, Busy>
    where
        I: IntoIterator<Item = T> + Clone,
        T: Debug,
    {
        third()?;
        Ok(items.clone().into_iter().collect())
    }

    #[retry(on = is_busy, clone(items))]
    async fn later<T, I>(items: I) -> Result<Vec<T>, Busy>
    where
        I: IntoIterator<Item = T> + Clone,
        T: Debug,
    {
        third_later().await?;
        Ok(items.into_iter().collect())
    }
    assert_eq!(thrice(|| now([1, 2])), Ok(vec![1, 2]));
    assert_eq!(thrice_later(later([1, 2])), Ok(vec![1, 2]));
}

#[test]
fn const_generics() {
    #[retry(on = is_busy)]
    fn now<const N: usize>(list: [u32; N]) -> Result<[u32; N], Busy> {
        third()?;
        Ok(list.map(|n| n * 2))
    }

    #[retry(on = is_busy)]
    async fn later<const N: usize>(list: [u32; N]) -> Result<[u32; N], Busy> {
        third_later().await?;
        Ok(list.map(|n| n * 2))
    }
    assert_eq!(thrice(|| now([1, 2])), Ok([2, 4]));
    assert_eq!(thrice_later(later([1, 2])), Ok([2, 4]));
}

#[test]
fn const_generics_in_the_settings() {
    #[retry(on = is_busy, max = MAX, base_ms = BASE, strategy = "none")]
    fn now<const MAX: u32, const BASE: u64>() -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy, max = MAX, base_ms = BASE, strategy = "none")]
    async fn later<const MAX: u32, const BASE: u64>() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(now::<2, 10>), Ok(3));
    assert_eq!(thrice_later(later::<2, 10>()), Ok(3));
}

#[test]
fn associated_constants_in_the_settings() {
    trait Patience {
        const MAX: u32;
        const BASE: std::time::Duration;

        #[retry(on = is_busy, max = Self::MAX, base = Self::BASE, strategy = "none")]
        fn now(&self) -> Result<u32, Busy> {
            third()
        }

        #[retry(on = is_busy, max = Self::MAX, base = Self::BASE, strategy = "none")]
        fn later(&self) -> impl Future<Output = Result<u32, Busy>> {
            async move { third_later().await }
        }
    }

    struct Client;

    impl Patience for Client {
        const MAX: u32 = 2;
        const BASE: std::time::Duration = std::time::Duration::from_millis(3);
    }
    assert_eq!(thrice(|| Client.now()), Ok(3));
    assert_eq!(thrice_later(Client.later()), Ok(3));
}

#[test]
fn higher_ranked_bounds() {
    #[retry(on = is_busy)]
    fn now<F>(pick: F, text: &str) -> Result<String, Busy>
    where
        F: for<'a> Fn(&'a str) -> &'a str,
    {
        third()?;
        Ok(pick(text).to_owned())
    }

    #[retry(on = is_busy)]
    async fn later<F>(pick: F, text: &str) -> Result<String, Busy>
    where
        for<'a> F: Fn(&'a str) -> &'a str,
    {
        third_later().await?;
        Ok(pick(text).to_owned())
    }
    assert_eq!(thrice(|| now(str::trim, " x ")).as_deref(), Ok("x"));
    assert_eq!(thrice_later(later(str::trim, " x ")).as_deref(), Ok("x"));
}

#[test]
fn turbofish_in_the_body_and_outside() {
    #[retry(on = is_busy)]
    fn now<T: std::str::FromStr + Default>(text: &str) -> Result<T, Busy> {
        third()?;
        Ok(text.parse::<T>().unwrap_or_default())
    }

    #[retry(on = is_busy)]
    async fn later<T: std::str::FromStr + Default>(text: &str) -> Result<T, Busy> {
        third_later().await?;
        Ok(text.parse::<T>().unwrap_or_default())
    }
    assert_eq!(thrice(|| now::<u8>("7")), Ok(7));
    assert_eq!(thrice_later(later::<u8>("7")), Ok(7));
}

#[test]
fn lifetimes_with_bounds() {
    #[retry(on = is_busy)]
    fn now<'a, 'b: 'a>(first: &'a str, second: &'b str, longer: bool) -> Result<&'a str, Busy> {
        third()?;
        Ok(if longer { second } else { first })
    }

    #[retry(on = is_busy)]
    async fn later<'a, 'b>(first: &'a str, second: &'b str, longer: bool) -> Result<&'a str, Busy>
    where
        'b: 'a,
    {
        third_later().await?;
        Ok(if longer { second } else { first })
    }
    assert_eq!(thrice(|| now("a", "b", true)), Ok("b"));
    assert_eq!(thrice_later(later("a", "b", false)), Ok("a"));
}

#[test]
fn self_as_a_type() {
    #[derive(Debug, PartialEq)]
    struct Client(u32);

    impl Client {
        const FIRST: u32 = 4;

        #[retry(on = is_busy)]
        fn now() -> Result<Self, Busy> {
            third()?;
            Ok(Self(Self::FIRST))
        }

        #[retry(on = is_busy)]
        async fn later(other: &Self) -> Result<Box<Self>, Busy> {
            third_later().await?;
            let Self(n) = other;
            Ok(Box::new(Self(*n + Self::FIRST)))
        }
    }
    assert_eq!(thrice(Client::now), Ok(Client(4)));
    assert_eq!(thrice_later(Client::later(&Client(1))), Ok(Box::new(Client(5))));
}

#[test]
fn generic_types() {
    struct Client<T, const N: usize> {
        list: [T; N],
    }

    impl<T: Clone + Display, const N: usize> Client<T, N> {
        #[retry(on = is_busy)]
        fn now(&self) -> Result<String, Busy> {
            third()?;
            Ok(self.list.iter().map(ToString::to_string).collect())
        }

        #[retry(on = is_busy)]
        async fn later<U: From<T>>(&self) -> Result<Vec<U>, Busy> {
            third_later().await?;
            Ok(self.list.iter().cloned().map(U::from).collect())
        }
    }
    let client = Client { list: [1_u8, 2] };
    assert_eq!(thrice(|| client.now()).as_deref(), Ok("12"));
    assert_eq!(thrice_later(client.later::<u32>()), Ok(vec![1, 2]));
}

#[test]
fn associated_types() {
    trait Source {
        type Item: Debug + PartialEq;
        type Failure;

        fn pick(&self) -> Result<Self::Item, Self::Failure>;

        #[retry(on = |_| true)]
        fn now(&self) -> Result<Self::Item, Self::Failure> {
            self.pick()
        }
    }

    struct Client;

    impl Source for Client {
        type Item = u32;
        type Failure = Busy;

        fn pick(&self) -> Result<u32, Busy> {
            third()
        }
    }

    #[retry(on = |_| true)]
    async fn later<S: Source>(source: &S) -> Result<S::Item, <S as Source>::Failure> {
        std::future::ready(()).await;
        source.pick()
    }
    assert_eq!(thrice(|| Client.now()), Ok(3));
    assert_eq!(thrice_later(later(&Client)), Ok(3));
}

#[test]
fn generic_associated_types() {
    trait Lends {
        type Item<'a>
        where
            Self: 'a;

        fn lend(&self) -> Self::Item<'_>;
    }

    impl Lends for String {
        type Item<'a> = &'a str;

        fn lend(&self) -> &str {
            self
        }
    }

    #[retry(on = is_busy)]
    fn now<L: Lends>(from: &L) -> Result<L::Item<'_>, Busy> {
        third()?;
        Ok(from.lend())
    }

    #[retry(on = is_busy)]
    async fn later<L: Lends>(from: &L) -> Result<L::Item<'_>, Busy> {
        third_later().await?;
        Ok(from.lend())
    }
    let text = "x".to_owned();
    assert_eq!(thrice(|| now(&text)), Ok("x"));
    assert_eq!(thrice_later(later(&text)), Ok("x"));
}

#[test]
fn phantom_parameters_and_defaults() {
    struct Typed<T = u32>(PhantomData<T>);

    impl<T: Default> Typed<T> {
        #[retry(on = is_busy)]
        fn now(&self) -> Result<T, Busy> {
            third()?;
            Ok(T::default())
        }

        #[retry(on = is_busy)]
        async fn later(&self) -> Result<T, Busy> {
            third_later().await?;
            Ok(T::default())
        }
    }
    assert_eq!(thrice(|| Typed::<u32>(PhantomData).now()), Ok(0));
    assert_eq!(thrice_later(Typed::<String>(PhantomData).later()), Ok(String::new()));
}

#[test]
fn unsized_parameters() {
    #[retry(on = is_busy)]
    fn now<T: ?Sized + ToString>(value: &T) -> Result<String, Busy> {
        third()?;
        Ok(value.to_string())
    }

    #[retry(on = is_busy)]
    async fn later<T: ?Sized + ToString>(value: &T) -> Result<String, Busy> {
        third_later().await?;
        Ok(value.to_string())
    }
    assert_eq!(thrice(|| now("x")).as_deref(), Ok("x"));
    assert_eq!(thrice_later(later::<str>("x")).as_deref(), Ok("x"));
}

#[test]
fn functions_as_parameters_of_parameters() {
    #[retry(on = is_busy)]
    fn now<R, F: Fn(&dyn Fn(u32) -> R) -> R>(apply: F, with: &dyn Fn(u32) -> R) -> Result<R, Busy> {
        third()?;
        Ok(apply(with))
    }

    #[retry(on = is_busy)]
    async fn later(apply: impl AsyncFn(u32) -> u32) -> Result<u32, Busy> {
        Ok(apply(third_later().await?).await)
    }
    assert_eq!(thrice(|| now(|f| f(4), &|n| n * 2)), Ok(8));
    assert_eq!(thrice_later(later(async |n| n * 2)), Ok(6));
}

#[test]
fn a_predicate_with_type_parameters() {
    fn retried<E: Debug>(error: &E) -> bool {
        format!("{error:?}") == "Busy"
    }

    #[retry(on = retried::<Busy>)]
    fn now() -> Result<u32, Busy> {
        third()
    }

    #[retry(on = retried)]
    async fn later<E: Debug + From<Busy>>() -> Result<u32, E> {
        Ok(third_later().await?)
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later::<Busy>()), Ok(3));
}
