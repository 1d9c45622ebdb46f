//! `#[derive(Retryable)]`: what each mark makes of a variant or struct, generic types included.

use std::fmt::Debug;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use retry_runtime::testing::VirtualTime;
use retry_runtime::{Retryable, retry, unprocessed};

/// Retryable, hint, unprocessed.
type Said = (bool, Option<Duration>, bool);

fn said(error: &impl Retryable) -> Said {
    (error.is_retryable(), error.retry_after(), error.is_unprocessed())
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const YES: Said = (true, None, false);
const NO: Said = (false, None, false);

#[derive(Debug, Retryable)]
enum Fault {
    #[retryable]
    Busy,
    #[retryable()]
    Locked(#[allow(dead_code, reason = "shown")] u8),
    #[retryable(after = wait)]
    Limited { wait: Duration, limit: u32 },
    #[retryable(after = 1)]
    Queued(#[allow(dead_code, reason = "shown")] u32, Option<Duration>),
    #[retryable(unprocessed)]
    Refused,
    #[retryable(unprocessed, after = r#in,)]
    Shed { r#in: Duration },
    #[permanent]
    Denied,
    #[permanent]
    Invalid { field: &'static str },
    #[transparent]
    Io(io::Error),
    #[transparent]
    Shared { cause: Arc<io::Error> },
}

#[test]
fn each_mark_of_a_variant() {
    let io = |kind: ErrorKind| io::Error::from(kind);
    for (fault, expected) in [
        (Fault::Busy, YES),
        (Fault::Locked(1), YES),
        (Fault::Limited { wait: ms(20), limit: 5 }, (true, Some(ms(20)), false)),
        (Fault::Queued(1, Some(ms(30))), (true, Some(ms(30)), false)),
        (Fault::Queued(1, None), YES),
        (Fault::Refused, (true, None, true)),
        (Fault::Shed { r#in: ms(5) }, (true, Some(ms(5)), true)),
        (Fault::Denied, NO),
        (Fault::Invalid { field: "name" }, NO),
        (Fault::Io(io(ErrorKind::ConnectionReset)), YES),
        (Fault::Io(io(ErrorKind::ConnectionRefused)), (true, None, true)),
        (Fault::Io(io(ErrorKind::NotFound)), NO),
        (Fault::Shared { cause: Arc::new(io(ErrorKind::TimedOut)) }, YES),
    ] {
        assert_eq!(said(&fault), expected, "{fault:?}");
    }
    let Fault::Limited { limit, .. } = (Fault::Limited { wait: ms(1), limit: 3 }) else { unreachable!() };
    let Fault::Invalid { field } = (Fault::Invalid { field: "age" }) else { unreachable!() };
    assert_eq!((limit, field), (3, "age"));
}

#[derive(Retryable)]
#[retryable(after = 0, unprocessed)]
struct Overloaded(Duration);

#[derive(Retryable)]
#[permanent]
struct Gone;

#[derive(Retryable)]
#[transparent]
struct Wrapped {
    inner: Fault,
}

#[test]
fn each_mark_of_a_struct() {
    assert_eq!(said(&Overloaded(ms(7))), (true, Some(ms(7)), true));
    assert_eq!(said(&Gone), NO);
    assert_eq!(said(&Wrapped { inner: Fault::Refused }), (true, None, true));
}

#[derive(Retryable)]
enum Layered<'a, E, const N: usize>
where
    E: Debug,
{
    #[transparent]
    Inner(E),
    #[transparent]
    Borrowed(&'a E),
    #[transparent]
    Boxed(Box<E>),
    #[transparent]
    Known(io::Error),
    #[permanent]
    Bytes([u8; N]),
}

/// Only what is asked must be `Retryable`.
#[derive(Retryable)]
enum Tagged<T> {
    #[retryable]
    Again(T),
    #[permanent]
    Never(T),
}

#[derive(Retryable)]
#[allow(dead_code, reason = "no value of it exists")]
enum Nothing {}

/// Not `Retryable`.
struct Plain;

fn is_retryable_type<T: Retryable>() {}

#[test]
fn generic_types() {
    let refused = Fault::Refused;
    assert_eq!(said(&Layered::<_, 1>::Inner(Fault::Busy)), YES);
    assert_eq!(said(&Layered::<_, 1>::Borrowed(&refused)), (true, None, true));
    assert_eq!(said(&Layered::<_, 1>::Boxed(Box::new(Fault::Denied))), NO);
    assert_eq!(said(&Layered::<Fault, 1>::Known(ErrorKind::TimedOut.into())), YES);
    assert_eq!(said(&Layered::<Fault, 2>::Bytes([0; 2])), NO);

    assert_eq!(said(&Tagged::Again(Plain)), YES);
    assert_eq!(said(&Tagged::Never(Plain)), NO);
    is_retryable_type::<Nothing>();
}

/// The names that the expansion uses are no names here, and those here are none there.
mod foreign_names {
    mod elsewhere {
        pub use retry_runtime as runtime;
    }

    #[allow(dead_code, reason = "in the way of the expansion, were it careless")]
    struct Option;
    #[allow(dead_code, reason = "likewise")]
    struct Duration;

    #[derive(elsewhere::runtime::Retryable)]
    #[retryable(crate = self::elsewhere::runtime)]
    pub(super) enum Fault {
        #[retryable(after = asked)]
        Busy { asked: std::time::Duration },
        #[transparent]
        None { after: std::io::Error },
    }
}

#[test]
fn foreign_names_and_another_path_to_the_runtime() {
    assert_eq!(said(&foreign_names::Fault::Busy { asked: ms(1) }), (true, Some(ms(1)), false));
    assert_eq!(said(&foreign_names::Fault::None { after: ErrorKind::NotFound.into() }), NO);
}

macro_rules! fault {
    ($name:ident, $mark:ident, $variant:ident($inner:ty)) => {
        #[derive(Debug, Retryable)]
        enum $name {
            #[$mark]
            $variant($inner),
        }
    };
}
fault!(FromMacro, transparent, Inner(Fault));

#[test]
fn inside_a_macro() {
    assert_eq!(said(&FromMacro::Inner(Fault::Refused)), (true, None, true));
}

#[retry(max = 2)]
fn call(attempts: &mut u32, make: fn() -> Fault) -> Result<(), Fault> {
    *attempts += 1;
    Err(make())
}

#[retry(max = 2, on = unprocessed)]
fn call_unprocessed(attempts: &mut u32, make: fn() -> Fault) -> Result<(), Fault> {
    *attempts += 1;
    Err(make())
}

#[test]
fn the_attribute_asks_the_derived_impl() {
    let time = VirtualTime::start();
    let mut attempts = [0; 4];
    assert!(call(&mut attempts[0], || Fault::Denied).is_err());
    assert!(call(&mut attempts[1], || Fault::Limited { wait: ms(5_000), limit: 1 }).is_err());
    assert!(call_unprocessed(&mut attempts[2], || Fault::Busy).is_err());
    assert!(call_unprocessed(&mut attempts[3], || Fault::Refused).is_err());
    assert_eq!(attempts, [1, 3, 1, 3]);
    drop(time);
}
