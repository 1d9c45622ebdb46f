//! Kinds of functions that one rarely sees.

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, third, third_later, thrice, thrice_later};

#[test]
#[allow(unsafe_code, reason = "the shape is about it")]
fn unsafe_functions() {
    /// # Safety
    /// `pointer` points to a number.
    #[retry(on = is_busy)]
    unsafe fn now(pointer: *const u32) -> Result<u32, Busy> {
        // SAFETY: the caller vouches for the pointer.
        Ok(third()? + unsafe { *pointer })
    }

    /// # Safety
    /// `pointer` points to a number.
    #[retry(on = is_busy)]
    async unsafe fn later(pointer: *const u32) -> Result<u32, Busy> {
        // SAFETY: the caller vouches for the pointer.
        Ok(third_later().await? + unsafe { *pointer })
    }
    let number = 4;
    // SAFETY: a reference points to its number.
    assert_eq!(thrice(|| unsafe { now(&raw const number) }), Ok(7));
    // SAFETY: the same.
    assert_eq!(thrice_later(unsafe { later(&raw const number) }), Ok(7));
}

#[test]
#[allow(unsafe_code, reason = "the shape is about it")]
fn unsafe_methods_of_an_unsafe_trait() {
    /// # Safety
    /// None needed.
    unsafe trait Raw {
        /// # Safety
        /// None needed.
        unsafe fn now(&self) -> Result<u32, Busy>;
    }

    struct Client;

    // SAFETY: there is nothing to keep.
    unsafe impl Raw for Client {
        #[retry(on = is_busy)]
        unsafe fn now(&self) -> Result<u32, Busy> {
            third()
        }
    }
    // SAFETY: there is nothing to keep.
    assert_eq!(thrice(|| unsafe { Client.now() }), Ok(3));
}

#[test]
fn functions_with_another_calling_convention() {
    #[retry(when = |answer| *answer < 0)]
    extern "C" fn now(n: i32) -> i32 {
        third().map_or(-1, |_| n)
    }

    #[retry(when = |answer| *answer < 0)]
    extern "system" fn with_a_name(n: i32) -> i32 {
        third().map_or(-1, |_| n)
    }
    assert_eq!(thrice(|| now(4)), 4);
    assert_eq!(thrice(|| with_a_name(4)), 4);
}

#[allow(unreachable_pub, reason = "the shapes are about visibility")]
mod seen {
    pub(in crate::shapes) mod deeper {
        use super::super::{Busy, is_busy, retry, third, third_later};

        #[retry(on = is_busy)]
        pub(in crate::shapes::unusual) fn now() -> Result<u32, Busy> {
            third()
        }

        #[retry(on = is_busy)]
        pub(crate) async fn later() -> Result<u32, Busy> {
            third_later().await
        }

        #[retry(on = is_busy)]
        pub(super) fn near() -> Result<u32, Busy> {
            third()
        }

        #[retry(on = is_busy)]
        pub fn open() -> Result<u32, Busy> {
            third()
        }
    }

    pub(super) fn near() -> Result<u32, super::Busy> {
        deeper::near()
    }
}

#[test]
fn visibility() {
    assert_eq!(thrice(seen::deeper::now), Ok(3));
    assert_eq!(thrice_later(seen::deeper::later()), Ok(3));
    assert_eq!(thrice(seen::near), Ok(3));
    assert_eq!(thrice(seen::deeper::open), Ok(3));
}

#[test]
#[allow(unsafe_code, reason = "a name that is not mangled is unsafe")]
fn a_name_that_is_not_mangled() {
    #[unsafe(no_mangle)]
    #[retry(when = |n| *n < 3)]
    extern "C" fn retry_workspace_shape() -> u32 {
        third().unwrap_or_default()
    }
    assert_eq!(thrice(|| retry_workspace_shape()), 3);
}

#[test]
fn functions_used_as_values() {
    #[retry(on = is_busy)]
    fn now(n: u32) -> Result<u32, Busy> {
        third().map(|m| m + n)
    }

    #[retry(on = is_busy)]
    async fn later(n: u32) -> Result<u32, Busy> {
        third_later().await.map(|m| m + n)
    }
    let pointer: fn(u32) -> Result<u32, Busy> = now;
    assert_eq!(thrice(|| pointer(4)), Ok(7));
    let made = [4].map(later);
    assert_eq!(made.map(thrice_later), [Ok(7)]);
}

#[test]
fn names_that_are_keywords_elsewhere() {
    #[retry(on = is_busy)]
    fn r#match(r#in: u32) -> Result<u32, Busy> {
        third().map(|n| n + r#in)
    }

    #[retry(on = is_busy)]
    async fn r#async(union: u32, auto: u32) -> Result<u32, Busy> {
        third_later().await.map(|n| n + union + auto)
    }
    assert_eq!(thrice(|| r#match(4)), Ok(7));
    assert_eq!(thrice_later(r#async(4, 1)), Ok(8));
}

#[test]
fn names_outside_of_ascii() {
    #[retry(on = is_busy, clone(größe))]
    fn länge(größe: String) -> Result<usize, Busy> {
        let eaten = größe;
        third().map(|_| eaten.len())
    }
    assert_eq!(thrice(|| länge("x".to_owned())), Ok(1));
}
