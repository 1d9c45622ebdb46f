//! `?`, `return`, labels, loops and recursion mean what they mean without the attribute, but end one attempt.

use std::future::Future;
use std::pin::Pin;

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, runs, third, third_later, thrice, thrice_later};

#[test]
fn question_mark_in_the_middle() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let n = third()?;
        let m = if n > 2 { Ok(n) } else { Err(Busy) }?;
        Ok(n + m)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let n = third_later().await?;
        let m = if n > 2 { Ok(n) } else { Err(Busy) }?;
        Ok(n + m)
    }
    assert_eq!(thrice(now), Ok(6));
    assert_eq!(thrice_later(later()), Ok(6));
}

#[test]
fn question_mark_at_the_end() {
    #[retry(on = is_busy)]
    #[allow(clippy::needless_question_mark)]
    fn now() -> Result<u32, Busy> {
        Ok(third()?)
    }

    #[retry(on = is_busy)]
    #[allow(clippy::needless_question_mark)]
    async fn later() -> Result<u32, Busy> {
        Ok(third_later().await?)
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn question_marks_inside_macros() {
    #[retry(on = is_busy)]
    fn now() -> Result<String, Busy> {
        let list = vec![third()?, 4];
        Ok(format!("{:?} {}", list, Ok::<_, Busy>(1)?))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<String, Busy> {
        let list = vec![third_later().await?, 4];
        Ok(format!("{:?} {}", list, Ok::<_, Busy>(1)?))
    }
    assert_eq!(thrice(now).as_deref(), Ok("[3, 4] 1"));
    assert_eq!(thrice_later(later()).as_deref(), Ok("[3, 4] 1"));
}

#[test]
fn macros_that_return() {
    macro_rules! bail {
        ($error:expr) => {
            return Err($error)
        };
    }

    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let Ok(n) = third() else { bail!(Busy) };
        Ok(n)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let Ok(n) = third_later().await else { bail!(Busy) };
        Ok(n)
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn early_returns() {
    #[retry(on = is_busy)]
    fn now(stop: bool) -> Result<u32, Busy> {
        match third() {
            Err(busy) => return Err(busy),
            Ok(_) if stop => return Ok(0),
            Ok(_) => {}
        }
        Ok(1)
    }

    #[retry(on = is_busy)]
    async fn later(stop: bool) -> Result<u32, Busy> {
        match third_later().await {
            Err(busy) => return Err(busy),
            Ok(_) if stop => return Ok(0),
            Ok(_) => {}
        }
        Ok(1)
    }
    assert_eq!((thrice(|| now(true)), thrice(|| now(false))), (Ok(0), Ok(1)));
    assert_eq!((thrice_later(later(true)), thrice_later(later(false))), (Ok(0), Ok(1)));
}

#[test]
fn nothing_but_a_return() {
    #[retry(on = is_busy)]
    #[allow(clippy::needless_return)]
    fn now() -> Result<u32, Busy> {
        return third();
    }

    #[retry(on = is_busy)]
    #[allow(clippy::needless_return)]
    async fn later() -> Result<u32, Busy> {
        return third_later().await;
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn returns_inside_closures() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let halved = |n: u32| {
            if n % 2 == 1 {
                return n;
            }
            n / 2
        };
        Ok(halved(third()?) + halved(4))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let halved = |n: u32| -> Result<u32, Busy> {
            if n == 0 {
                return Err(Busy);
            }
            Ok(n / 2)
        };
        Ok(halved(third_later().await?)? + halved(4)?)
    }
    assert_eq!(thrice(now), Ok(5));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn question_marks_inside_closures() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let twice = || -> Option<u32> { Some("4".parse::<u32>().ok()? * 2) };
        Ok(third()? + twice().unwrap_or(0))
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let twice = || -> Option<u32> { Some("4".parse::<u32>().ok()? * 2) };
        Ok(third_later().await? + twice().unwrap_or(0))
    }
    assert_eq!(thrice(now), Ok(11));
    assert_eq!(thrice_later(later()), Ok(11));
}

#[test]
fn returns_inside_async_blocks() {
    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let inner = async {
            let n = third_later().await?;
            if n == 3 {
                return Ok(9);
            }
            Ok::<_, Busy>(n)
        };
        let outer = async { Ok::<_, Busy>(inner.await? + 1) };
        outer.await
    }
    assert_eq!(thrice_later(later()), Ok(10));
}

#[test]
fn nested_functions() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        fn checked(n: u32) -> Result<u32, Busy> {
            if n == 0 {
                return Err(Busy);
            }
            Ok(n * 2)
        }
        checked(third()?)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        async fn checked(n: u32) -> Result<u32, Busy> {
            if n == 0 {
                return Err(Busy);
            }
            Ok(n * 2)
        }
        checked(third_later().await?).await
    }
    assert_eq!(thrice(now), Ok(6));
    assert_eq!(thrice_later(later()), Ok(6));
}

#[test]
fn async_closures() {
    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let ask = async |by: u32| Ok::<_, Busy>(third_later().await? * by);
        ask(2).await
    }
    assert_eq!(thrice_later(later()), Ok(6));
}

#[test]
fn labels_on_loops() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let mut sum = 0;
        'rows: for row in 0..4 {
            for column in 0..4 {
                if column > row {
                    continue 'rows;
                }
                if row == 3 {
                    break 'rows;
                }
                sum += 1;
            }
        }
        third()?;
        Ok(sum)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let mut sum = 0;
        'rows: loop {
            while sum < 9 {
                sum += third_later().await?;
                if sum > 6 {
                    break 'rows;
                }
                break;
            }
            break 'rows;
        }
        Ok(sum)
    }
    assert_eq!(thrice(now), Ok(6));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn labels_on_blocks() {
    #[retry(on = is_busy)]
    fn now(stop: bool) -> Result<u32, Busy> {
        let n = 'found: {
            let n = third()?;
            if stop {
                break 'found 0;
            }
            n
        };
        Ok(n + 1)
    }

    #[retry(on = is_busy)]
    async fn later(stop: bool) -> Result<u32, Busy> {
        let n = 'found: {
            let n = third_later().await?;
            if stop {
                break 'found 0;
            }
            n
        };
        Ok(n + 1)
    }
    assert_eq!((thrice(|| now(true)), thrice(|| now(false))), (Ok(1), Ok(4)));
    assert_eq!((thrice_later(later(true)), thrice_later(later(false))), (Ok(1), Ok(4)));
}

#[test]
fn loops_with_a_value() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let mut n = third()?;
        let power = loop {
            n *= 2;
            if n > 20 {
                break n;
            }
        };
        Ok(power)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        loop {
            let n = third_later().await?;
            if n > 2 {
                break Ok(n);
            }
        }
    }
    assert_eq!(thrice(now), Ok(24));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn loops_that_never_fall_through() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let mut left = 3;
        loop {
            left -= 1;
            if left == 0 {
                return third();
            }
        }
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        loop {
            match third_later().await {
                Ok(n) => return Ok(n),
                Err(busy) => return Err(busy),
            }
        }
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn bodies_that_end_in_a_panic() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        if let Ok(n) = third() {
            return Ok(n);
        }
        if true {
            return Err(Busy);
        }
        unreachable!("every run has returned")
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        if let Ok(n) = third_later().await {
            return Ok(n);
        }
        if true {
            return Err(Busy);
        }
        panic!("every run has returned")
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn bodies_that_never_end_well() {
    #[retry(on = is_busy, max = 2)]
    fn now() -> Result<u32, Busy> {
        let _ = third();
        Err(Busy)
    }

    #[retry(on = is_busy, max = 2)]
    async fn later() -> Result<u32, Busy> {
        let _ = third_later().await;
        Err(Busy)
    }
    assert_eq!(thrice(now), Err(Busy));
    assert_eq!(thrice_later(later()), Err(Busy));
}

#[test]
fn recursion() {
    #[retry(on = is_busy)]
    fn now(depth: u32) -> Result<u32, Busy> {
        if depth == 0 {
            return third();
        }
        Ok(now(depth - 1)? + 1)
    }

    #[retry(on = is_busy)]
    async fn later(depth: u32) -> Result<u32, Busy> {
        if depth == 0 {
            return third_later().await;
        }
        Ok(Box::pin(later(depth - 1)).await? + 1)
    }
    assert_eq!(thrice(|| now(4)), Ok(7));
    assert_eq!(thrice_later(later(4)), Ok(7));
}

#[test]
fn recursion_through_a_boxed_future() {
    #[retry(on = is_busy)]
    fn later(depth: u32) -> Pin<Box<dyn Future<Output = Result<u32, Busy>> + Send>> {
        Box::pin(async move {
            if depth == 0 {
                return third_later().await;
            }
            Ok(later(depth - 1).await? + 1)
        })
    }
    assert_eq!(thrice_later(later(4)), Ok(7));
}

#[test]
fn mutual_recursion() {
    #[retry(on = is_busy)]
    fn even(n: u32) -> Result<bool, Busy> {
        if n == 0 { third().map(|_| true) } else { odd(n - 1) }
    }

    #[retry(on = is_busy)]
    fn odd(n: u32) -> Result<bool, Busy> {
        if n == 0 { third().map(|_| false) } else { even(n - 1) }
    }
    assert_eq!(thrice(|| even(4)), Ok(true));
}

#[test]
fn let_else_and_matches() {
    #[retry(on = is_busy)]
    fn now(text: Option<&str>) -> Result<usize, Busy> {
        let Some(text) = text else { return Ok(0) };
        third()?;
        Ok(if matches!(text, "four" | "five") { text.len() } else { 1 })
    }

    #[retry(on = is_busy)]
    async fn later(text: Option<&str>) -> Result<usize, Busy> {
        let Some(text) = text else { return Ok(0) };
        third_later().await?;
        Ok(if matches!(text, "four" | "five") { text.len() } else { 1 })
    }
    assert_eq!(thrice(|| now(Some("four"))), Ok(4));
    assert_eq!(thrice_later(later(Some("four"))), Ok(4));
}

#[test]
fn a_single_expression_without_exits() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn blocks_as_tails() {
    #[retry(on = is_busy)]
    fn now(twice: bool) -> Result<u32, Busy> {
        if twice {
            let n = third()?;
            Ok(n * 2)
        } else {
            third()
        }
    }

    #[retry(on = is_busy)]
    async fn later(by: Option<u32>) -> Result<u32, Busy> {
        match by {
            Some(by) => {
                let n = third_later().await?;
                Ok(n * by)
            }
            None => third_later().await,
        }
    }
    assert_eq!(thrice(|| now(true)), Ok(6));
    assert_eq!(thrice_later(later(Some(2))), Ok(6));
}

#[test]
fn semicolons_and_items_after_statements() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let n = third()?;
        const MORE: u32 = 4;
        Ok(n + MORE)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        struct Pair(u32, u32);

        impl Pair {
            const fn sum(&self) -> u32 {
                self.0 + self.1
            }
        }
        Ok(Pair(third_later().await?, 4).sum())
    }
    assert_eq!(thrice(now), Ok(7));
    assert_eq!(thrice_later(later()), Ok(7));
}

#[test]
fn errors_that_deserve_no_retry() {
    #[derive(Debug, PartialEq)]
    enum Fault {
        Soft,
        Hard,
    }

    fn is_soft(fault: &Fault) -> bool {
        *fault == Fault::Soft
    }

    #[retry(on = is_soft)]
    fn now() -> Result<u32, Fault> {
        let _ = third().map_err(|_| Fault::Soft)?;
        Err(Fault::Hard)
    }

    #[retry(on = is_soft)]
    async fn later() -> Result<u32, Fault> {
        let _ = third_later().await.map_err(|_| Fault::Soft)?;
        Err(Fault::Hard)
    }
    assert_eq!(thrice(now), Err(Fault::Hard));
    assert_eq!(thrice_later(later()), Err(Fault::Hard));
}

#[test]
fn guards_that_end_with_the_attempt() {
    use std::sync::Mutex;

    #[retry(on = is_busy)]
    fn now(count: &Mutex<u32>) -> Result<u32, Busy> {
        let mut count = count.try_lock().map_err(|_| Busy)?;
        *count += 1;
        third()?;
        Ok(*count)
    }

    #[retry(on = is_busy)]
    async fn later(count: &Mutex<u32>) -> Result<u32, Busy> {
        third_later().await?;
        let mut count = count.try_lock().map_err(|_| Busy)?;
        *count += 1;
        Ok(*count)
    }
    assert_eq!(thrice(|| now(&Mutex::new(0))), Ok(3));
    assert_eq!(thrice_later(later(&Mutex::new(0))), Ok(1));
}

#[test]
fn an_attempt_that_succeeds_at_once_is_the_only_one() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        let _ = third();
        Ok(1)
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        let _ = third_later().await;
        Ok(1)
    }
    assert_eq!(runs(1, now), Ok(1));
    assert_eq!(runs(1, || crate::support::block_on(later())), Ok(1));
}
