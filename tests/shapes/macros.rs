//! Functions that `macro_rules` write, with every kind of argument.

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, third, third_later, thrice, thrice_later};

macro_rules! function {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($pattern:pat_param in $type:ty),*) -> $output:ty $body:block) => {
        $(#[$meta])*
        $vis fn $name($($pattern: $type),*) -> $output $body
    };
    ($(#[$meta:meta])* $vis:vis async fn $name:ident($($pattern:pat_param in $type:ty),*) -> $output:ty $body:block) => {
        $(#[$meta])*
        $vis async fn $name($($pattern: $type),*) -> $output $body
    };
}

#[test]
fn attributes_visibility_patterns_and_types() {
    function! {
        /// With documentation.
        #[retry(on = is_busy, clone(text), keep(count))]
        pub(super) fn now(mut text in String, mut count in u32, (a, b) in (u32, u32)) -> Result<usize, Busy> {
            text.push('!');
            count += a + b;
            third()?;
            Ok(text.len() + count as usize)
        }
    }
    function! {
        #[retry(on = is_busy, clone(text), keep(count))]
        pub(super) async fn later(mut text in String, mut count in u32, log in &mut Vec<u32>) -> Result<usize, Busy> {
            text.push('!');
            count += 1;
            for n in log {
                *n += 1;
            }
            third_later().await?;
            Ok(text.len() + count as usize)
        }
    }
    assert_eq!(thrice(|| now("four".to_owned(), 0, (1, 2))), Ok(14));
    let mut log = vec![1];
    assert_eq!(thrice_later(later("four".to_owned(), 0, &mut log)), Ok(8));
    assert_eq!(log, [4]);
}

#[test]
fn settings_from_arguments() {
    macro_rules! retried {
        ($name:ident, $text:ident, $now:ident, $key:ident = $made:expr, $on:expr, $base:expr, $strategy:literal, $body:expr) => {
            #[retry(on = $on, base = $base, strategy = $strategy, clone($text), once($key = $made), attempt = $now)]
            fn $name($text: String) -> Result<usize, Busy> {
                $body
            }
        };
    }
    retried!(now, text, attempt, key = 4, |_| true, std::time::Duration::from_millis(5), "none", {
        let eaten = text;
        third()?;
        Ok(eaten.len() + key + attempt.number() as usize)
    });
    assert_eq!(thrice(|| now("four".to_owned())), Ok(11));
}

#[test]
fn self_and_lifetimes_from_arguments() {
    macro_rules! client {
        ($life:lifetime, $generic:ident, $this:ident, $field:ident, $body:block, $more:block) => {
            struct Client<$life, $generic> {
                $field: &$life [$generic],
                count: usize,
            }

            impl<$life, $generic: Clone> Client<$life, $generic> {
                #[retry(on = is_busy)]
                fn now(&mut $this) -> Result<&$life [$generic], Busy> $body

                #[retry(on = |_| $this.count < 9, once(first = $this.count))]
                async fn later(&mut $this) -> Result<usize, Busy> {
                    $this.count += first + 1;
                    $more
                }
            }
        };
    }
    client!('c, T, self, list, {
        self.count += 1;
        third()?;
        self.list.get(self.count..).ok_or(Busy)
    }, {
        third_later().await?;
        let this = self;
        Ok(this.count)
    });
    assert_eq!(thrice(|| Client { list: &[1, 2, 3, 4], count: 0 }.now()), Ok(&[4][..]));
    assert_eq!(thrice_later(Client::<u8> { list: &[], count: 0 }.later()), Ok(3));
}

#[test]
fn futures_from_arguments() {
    macro_rules! retried {
        ($name:ident -> $output:ty, $block:block) => {
            #[retry(on = is_busy)]
            fn $name() -> $output {
                Box::pin(async move $block)
            }
        };
    }
    retried!(later -> futures::future::BoxFuture<'static, Result<u32, Busy>>, { third_later().await });
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn items_in_a_row() {
    macro_rules! all {
        ($($item:item)*) => { $($item)* };
    }
    all! {
        #[retry(on = is_busy)]
        fn now(n: u32) -> Result<u32, Busy> {
            third().map(|m| m + n)
        }

        #[retry(on = is_busy)]
        async fn later(n: u32) -> Result<u32, Busy> {
            third_later().await.map(|m| m + n)
        }
    }
    assert_eq!(thrice(|| now(4)), Ok(7));
    assert_eq!(thrice_later(later(4)), Ok(7));
}

#[test]
fn a_macro_inside_a_macro() {
    macro_rules! outer {
        ($name:ident, $($body:tt)*) => {
            macro_rules! inner {
                ($argument:ident) => {
                    #[retry(on = is_busy, keep($argument))]
                    fn $name(mut $argument: u32) -> Result<u32, Busy> {
                        $argument += 1;
                        $($body)*?;
                        Ok($argument)
                    }
                };
            }
            inner!(count);
        };
    }
    outer!(now, third());
    assert_eq!(thrice(|| now(4)), Ok(7));
}

#[test]
fn an_exclusive_reference_before_a_colon() {
    macro_rules! pair {
        ($name:ident : $value:expr) => {
            ($name, $value)
        };
    }

    #[retry(on = is_busy)]
    fn now(sum: &mut u32) -> Result<u32, Busy> {
        let (sum, one) = pair!(sum: 1);
        *sum += one;
        third()?;
        Ok(*sum)
    }

    #[retry(on = is_busy)]
    async fn later(sum: &mut u32) -> Result<u32, Busy> {
        let (sum, one) = pair!(sum: 1);
        *sum += one;
        third_later().await?;
        Ok(*sum)
    }
    assert_eq!(thrice(|| now(&mut 4)), Ok(7));
    assert_eq!(thrice_later(later(&mut 4)), Ok(7));
}
