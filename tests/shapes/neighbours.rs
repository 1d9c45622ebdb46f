//! Other attributes on the same function, in both orders where there are two.

use async_trait::async_trait;
use retry_runtime::retry;
use tracing::instrument;

use super::thrice::{Busy, is_busy, send, third, third_later, thrice, thrice_later};

#[test]
fn instrument_above() {
    #[instrument]
    #[retry(on = is_busy)]
    fn now(n: u32) -> Result<u32, Busy> {
        third().map(|m| m + n)
    }

    #[instrument]
    #[retry(on = is_busy)]
    async fn later(n: u32) -> Result<u32, Busy> {
        third_later().await.map(|m| m + n)
    }
    assert_eq!(thrice(|| now(4)), Ok(7));
    assert_eq!(thrice_later(send(later(4))), Ok(7));
}

#[test]
fn instrument_below() {
    #[retry(on = is_busy)]
    #[instrument]
    fn now(n: u32) -> Result<u32, Busy> {
        third().map(|m| m + n)
    }

    #[retry(on = is_busy)]
    #[instrument]
    async fn later(n: u32) -> Result<u32, Busy> {
        third_later().await.map(|m| m + n)
    }
    assert_eq!(thrice(|| now(4)), Ok(7));
    assert_eq!(thrice_later(send(later(4))), Ok(7));
}

#[test]
fn instrument_with_events() {
    #[instrument(err, ret)]
    #[retry(on = is_busy)]
    fn above(text: String) -> Result<usize, Busy> {
        third().map(|_| text.len())
    }

    #[retry(on = is_busy)]
    #[instrument(err(Debug), ret)]
    fn below(text: String) -> Result<usize, Busy> {
        third().map(|_| text.len())
    }

    #[instrument(err, ret)]
    #[retry(on = is_busy)]
    async fn above_later(text: String) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }

    #[retry(on = is_busy)]
    #[instrument(err, ret)]
    async fn below_later(text: String) -> Result<usize, Busy> {
        third_later().await?;
        Ok(text.len())
    }
    assert_eq!(thrice(|| above("four".to_owned())), Ok(4));
    assert_eq!(thrice(|| below("four".to_owned())), Ok(4));
    assert_eq!(thrice_later(send(above_later("four".to_owned()))), Ok(4));
    assert_eq!(thrice_later(send(below_later("four".to_owned()))), Ok(4));
}

#[test]
fn instrument_above_owned_arguments() {
    #[instrument(ret)]
    #[retry(on = is_busy)]
    fn now(text: String, log: &mut Vec<u32>) -> Result<usize, Busy> {
        log.push(1);
        third()?;
        Ok(text.len() + log.len())
    }

    #[instrument(skip(log))]
    #[retry(on = is_busy)]
    async fn later(text: String, log: &mut Vec<u32>) -> Result<usize, Busy> {
        log.push(1);
        third_later().await?;
        Ok(text.len() + log.len())
    }

    #[instrument]
    #[retry(on = is_busy, clone(text), keep(count))]
    async fn handed(text: String, mut count: u32) -> Result<usize, Busy> {
        count += 1;
        let eaten = text;
        third_later().await?;
        Ok(eaten.len() + count as usize)
    }
    assert_eq!(thrice(|| now("four".to_owned(), &mut Vec::new())), Ok(7));
    assert_eq!(thrice_later(send(later("four".to_owned(), &mut Vec::new()))), Ok(7));
    assert_eq!(thrice_later(send(handed("four".to_owned(), 0))), Ok(7));
}

#[derive(Debug)]
struct Client {
    count: u32,
}

#[test]
#[allow(non_local_definitions, reason = "the methods are beside their shape")]
fn instrumented_methods() {
    impl Client {
        #[instrument(skip(self))]
        #[retry(on = is_busy)]
        fn kept_above(&mut self, text: &str) -> Result<usize, Busy> {
            self.count += 1;
            third()?;
            Ok(text.len() + self.count as usize)
        }

        #[instrument(fields(count = self.count))]
        #[retry(on = |_| self.count < 9)]
        async fn above_later(&mut self, text: &str) -> Result<usize, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(text.len() + self.count as usize)
        }

        #[retry(on = |_| self.count < 9)]
        #[instrument(skip_all)]
        async fn below_later(&mut self, text: &str) -> Result<usize, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(text.len() + self.count as usize)
        }
    }
    assert_eq!(thrice(|| Client { count: 0 }.kept_above("four")), Ok(7));
    assert_eq!(thrice_later(send(Client { count: 0 }.above_later("four"))), Ok(7));
    assert_eq!(thrice_later(send(Client { count: 0 }.below_later("four"))), Ok(7));
}

#[async_trait]
trait Service {
    async fn above(&mut self, text: String) -> Result<usize, Busy>;
    async fn below(&mut self, text: String) -> Result<usize, Busy>;
    async fn cloned(&self, text: String) -> Result<usize, Busy>;
}

#[async_trait]
impl Service for Client {
    #[instrument(skip(self), err)]
    #[retry(on = is_busy)]
    async fn above(&mut self, text: String) -> Result<usize, Busy> {
        self.count += 1;
        third_later().await?;
        Ok(text.len() + self.count as usize)
    }

    #[retry(on = is_busy)]
    #[instrument(skip(self), err)]
    async fn below(&mut self, text: String) -> Result<usize, Busy> {
        self.count += 1;
        third_later().await?;
        Ok(text.len() + self.count as usize)
    }

    #[instrument]
    #[retry(on = |_| self.count < 9, clone(text))]
    async fn cloned(&self, mut text: String) -> Result<usize, Busy> {
        text.push('!');
        third_later().await?;
        Ok(text.len() + self.count as usize)
    }
}

#[test]
fn instrument_under_async_trait() {
    assert_eq!(thrice_later(send(Client { count: 0 }.above("four".to_owned()))), Ok(7));
    assert_eq!(thrice_later(send(Client { count: 0 }.below("four".to_owned()))), Ok(7));
    assert_eq!(thrice_later(send(Client { count: 0 }.cloned("four".to_owned()))), Ok(5));
}

#[tokio::test(start_paused = true)]
#[retry(on = is_busy, strategy = "none", base_ms = 1)]
async fn tokio_test_above() -> Result<(), Busy> {
    third_later().await.map(drop)
}

#[retry(on = is_busy)]
#[tokio::test(start_paused = true)]
async fn tokio_test_below() -> Result<(), Busy> {
    let before = tokio::time::Instant::now();
    third_later().await?;
    assert_eq!(before.elapsed(), std::time::Duration::ZERO);
    Ok(())
}

#[test]
#[retry(on = is_busy, strategy = "none", base_ms = 1)]
fn test_above() -> Result<(), Busy> {
    third().map(drop)
}

#[retry(on = is_busy, strategy = "none", base_ms = 1)]
#[test]
fn test_below() -> Result<(), Busy> {
    third().map(drop)
}

#[test]
fn in_cfg_attr() {
    #[cfg_attr(all(), retry(on = is_busy))]
    fn now() -> Result<u32, Busy> {
        third()
    }

    #[cfg_attr(all(), doc = "with documentation", retry(on = is_busy), inline)]
    async fn later() -> Result<u32, Busy> {
        third_later().await
    }

    #[cfg_attr(any(), retry(on = is_busy))]
    fn never() -> Result<u32, Busy> {
        third()
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
    assert_eq!(super::thrice::runs(1, never), Err(Busy));
}

#[test]
fn must_use() {
    #[must_use = "the answer matters"]
    #[retry(when = |n| *n < 3)]
    fn above() -> u32 {
        third().unwrap_or_default()
    }

    #[retry(when = |n| *n < 3)]
    #[must_use = "the answer matters"]
    async fn below() -> u32 {
        third_later().await.unwrap_or_default()
    }
    assert_eq!(thrice(above), 3);
    assert_eq!(thrice_later(below()), 3);
}

#[test]
#[allow(deprecated, reason = "the shape is about it")]
fn deprecated() {
    #[deprecated = "there is a better one"]
    #[retry(on = is_busy)]
    fn above() -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    #[deprecated(since = "1.0.0", note = "there is a better one")]
    async fn below() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(above), Ok(3));
    assert_eq!(thrice_later(below()), Ok(3));
}

#[test]
fn inline_and_cold() {
    #[inline]
    #[retry(on = is_busy)]
    fn above() -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    #[inline(never)]
    #[cold]
    async fn below() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(above), Ok(3));
    assert_eq!(thrice_later(below()), Ok(3));
}

#[test]
fn expectations() {
    #[expect(clippy::needless_pass_by_value)]
    #[retry(on = is_busy)]
    fn above(text: String) -> Result<usize, Busy> {
        third().map(|_| text.len())
    }

    #[retry(on = is_busy)]
    #[expect(unused_variables, reason = "it is there for later")]
    fn below(text: &str) -> Result<u32, Busy> {
        third()
    }

    #[retry(on = is_busy)]
    #[expect(unused_variables, reason = "it is there for later")]
    async fn later(text: &str) -> Result<u32, Busy> {
        let unused = 4;
        third_later().await
    }

    assert_eq!(thrice(|| above("four".to_owned())), Ok(4));
    assert_eq!(thrice(|| below("four")), Ok(3));
    assert_eq!(thrice_later(later("four")), Ok(3));
}

#[test]
fn allowances() {
    #[allow(unused_mut, unused_assignments)]
    #[retry(on = is_busy)]
    fn above() -> Result<u32, Busy> {
        let mut n = 1;
        n = third()?;
        Ok(n)
    }

    #[retry(on = is_busy)]
    #[warn(missing_docs)]
    #[forbid(unsafe_code)]
    async fn below() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(above), Ok(3));
    assert_eq!(thrice_later(below()), Ok(3));
}

#[test]
fn documentation() {
    /// Above.
    #[retry(on = is_busy)]
    /// Below.
    ///
    /// # Errors
    /// Always at first.
    fn now() -> Result<u32, Busy> {
        third()
    }

    #[doc = "Above."]
    #[doc(hidden)]
    #[retry(on = is_busy)]
    #[doc = concat!("Be", "low.")]
    async fn later() -> Result<u32, Busy> {
        third_later().await
    }

    /** A block. */
    #[retry(on = is_busy, docs = false)]
    fn block() -> Result<u32, Busy> {
        third()
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
    assert_eq!(thrice(block), Ok(3));
}

#[test]
fn inner_attributes() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        #![allow(unused_variables)]
        #![expect(clippy::let_and_return)]
        let unused = 4;
        let answer = third();
        answer
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        //! A comment inside.
        #![allow(unused_variables)]
        let unused = 4;
        third_later().await
    }

    #[retry(on = is_busy)]
    fn boxed() -> futures::future::BoxFuture<'static, Result<u32, Busy>> {
        #![allow(unused_variables)]
        let unused = 4;
        Box::pin(async move { third_later().await })
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
    assert_eq!(thrice_later(boxed()), Ok(3));
}

#[test]
fn attributes_on_statements_and_expressions() {
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        #[allow(unused_variables)]
        let unused = 4;
        #[cfg(any())]
        compile_error!("this is not there");
        #[rustfmt::skip]
        let answer = third();
        answer
    }

    #[retry(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        #[cfg(test)]
        let n = third_later().await?;
        #[cfg(any())]
        let n = 4;
        Ok(n)
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn the_attribute_by_its_path_and_under_another_name() {
    use retry_runtime::retry as again;

    #[::retry_runtime::retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        third()
    }

    #[again(on = is_busy)]
    async fn later() -> Result<u32, Busy> {
        third_later().await
    }
    assert_eq!(thrice(now), Ok(3));
    assert_eq!(thrice_later(later()), Ok(3));
}

#[test]
fn track_caller() {
    #[track_caller]
    #[retry(on = is_busy)]
    fn now() -> Result<u32, Busy> {
        third()
    }
    assert_eq!(thrice(|| now()), Ok(3));
}
