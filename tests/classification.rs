//! What errors say about themselves: I/O errors, HTTP status codes, chains of sources, and the ready-made answers.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use http::{Response, StatusCode};
use retry_runtime::http::{is_transient, is_transient_or_internal_error};
use retry_runtime::{Retryable, always, in_chain, pending, unprocessed};

/// Kind, retryable, unprocessed.
const KINDS: [(ErrorKind, bool, bool); 38] = [
    (ErrorKind::ConnectionRefused, true, true),
    (ErrorKind::HostUnreachable, true, true),
    (ErrorKind::NetworkUnreachable, true, true),
    (ErrorKind::ConnectionReset, true, false),
    (ErrorKind::ConnectionAborted, true, false),
    (ErrorKind::BrokenPipe, true, false),
    (ErrorKind::TimedOut, true, false),
    (ErrorKind::Interrupted, true, false),
    (ErrorKind::UnexpectedEof, true, false),
    (ErrorKind::NetworkDown, true, false),
    (ErrorKind::WouldBlock, false, false),
    (ErrorKind::NotConnected, false, false),
    (ErrorKind::NotFound, false, false),
    (ErrorKind::PermissionDenied, false, false),
    (ErrorKind::AddrInUse, false, false),
    (ErrorKind::AddrNotAvailable, false, false),
    (ErrorKind::AlreadyExists, false, false),
    (ErrorKind::NotADirectory, false, false),
    (ErrorKind::IsADirectory, false, false),
    (ErrorKind::DirectoryNotEmpty, false, false),
    (ErrorKind::ReadOnlyFilesystem, false, false),
    (ErrorKind::StaleNetworkFileHandle, false, false),
    (ErrorKind::InvalidInput, false, false),
    (ErrorKind::InvalidData, false, false),
    (ErrorKind::WriteZero, false, false),
    (ErrorKind::StorageFull, false, false),
    (ErrorKind::NotSeekable, false, false),
    (ErrorKind::QuotaExceeded, false, false),
    (ErrorKind::FileTooLarge, false, false),
    (ErrorKind::ResourceBusy, false, false),
    (ErrorKind::ExecutableFileBusy, false, false),
    (ErrorKind::Deadlock, false, false),
    (ErrorKind::CrossesDevices, false, false),
    (ErrorKind::TooManyLinks, false, false),
    (ErrorKind::ArgumentListTooLong, false, false),
    (ErrorKind::Unsupported, false, false),
    (ErrorKind::OutOfMemory, false, false),
    (ErrorKind::Other, false, false),
];

#[test]
fn io_errors_by_kind() {
    for (kind, retryable, certainly_nothing_done) in KINDS {
        // Bare, with a message, and around an error that would say something else.
        let inner =
            io::Error::from(if retryable { ErrorKind::NotFound } else { ErrorKind::ConnectionRefused });
        for error in [io::Error::from(kind), io::Error::new(kind, "a word"), io::Error::new(kind, inner)] {
            assert_eq!(error.is_retryable(), retryable, "{kind:?}");
            assert_eq!(error.is_unprocessed(), certainly_nothing_done, "{kind:?}");
            assert_eq!(unprocessed(&error), certainly_nothing_done, "{kind:?}");
            assert_eq!(error.retry_after(), None);
        }
    }
}

#[test]
#[cfg(unix)]
fn io_errors_of_the_system() {
    let no_such_file = std::fs::File::open("/nowhere/at/all").unwrap_err();
    assert!(!no_such_file.is_retryable());
    let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
    drop(other);
    let broken_pipe = io::Write::write(&mut &one, b"hello").unwrap_err();
    assert!(broken_pipe.is_retryable() && !broken_pipe.is_unprocessed());
}

#[test]
fn every_status_code() {
    for code in 100..1_000 {
        let status = StatusCode::from_u16(code).unwrap();
        let transient = [408, 425, 429, 502, 503, 504].contains(&code);
        assert_eq!(is_transient(status), transient, "{code}");
        assert_eq!(is_transient_or_internal_error(status), transient || code == 500, "{code}");
        let response = Response::builder().status(code).body(()).unwrap();
        assert_eq!((status.is_retryable(), response.is_retryable()), (transient, transient), "{code}");
        assert!(!status.is_unprocessed() && !response.is_unprocessed(), "{code}");
    }
}

/// Says of itself all that a `Retryable` can say.
#[derive(Debug)]
struct Throttled {
    retryable: bool,
}

impl Retryable for Throttled {
    fn is_retryable(&self) -> bool {
        self.retryable
    }

    fn retry_after(&self) -> Option<Duration> {
        Some(Duration::from_secs(3))
    }

    fn is_unprocessed(&self) -> bool {
        true
    }
}

#[test]
fn pointers_ask_what_they_point_to() {
    fn asked(error: &impl Retryable) -> (bool, Option<Duration>, bool) {
        (error.is_retryable(), error.retry_after(), error.is_unprocessed())
    }
    for retryable in [true, false] {
        let make = || Throttled { retryable };
        let all = (retryable, Some(Duration::from_secs(3)), true);
        assert_eq!(asked(&&make()), all);
        assert_eq!(asked(&Box::new(make())), all);
        assert_eq!(asked(&Arc::new(make())), all);
        assert_eq!(asked(&(Box::new(make()) as Box<dyn Retryable + Send>)), all);
        assert_eq!(asked(&(Arc::new(Box::new(make())) as Arc<dyn Retryable>)), all);
    }
}

#[test]
fn an_error_that_cannot_be_is_retryable_by_type() {
    assert!(!pending(&Ok::<_, Infallible>(Some(1))));
    assert!(pending(&Ok::<_, Infallible>(None::<u8>)));
}

#[test]
fn ready_made_answers() {
    let (soft, hard) = (Throttled { retryable: true }, Throttled { retryable: false });
    assert!(always(&soft) && always(&hard) && always("unsized") && always(&[1][..]));
    assert!(unprocessed(&soft));
    assert!(!unprocessed(&hard), "what forbids a retry is not retried");
    assert!(unprocessed(&soft as &dyn Retryable));
    assert!(pending(&Err::<Option<()>, _>(soft)));
    assert!(!pending(&Err::<Option<()>, _>(hard)));
    assert!(pending(&Ok::<Option<&str>, io::Error>(None)));
    assert!(!pending(&Ok::<_, io::Error>(Some("done"))));
}

/// An error with a source.
#[derive(Debug)]
struct Layer<E>(E);

impl<E> fmt::Display for Layer<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a layer")
    }
}

impl<E: Error + 'static> Error for Layer<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn reset() -> io::Error {
    ErrorKind::ConnectionReset.into()
}

fn missing() -> io::Error {
    ErrorKind::NotFound.into()
}

/// The same error in every form that `in_chain` takes.
fn chained<E: Error + Send + Sync + 'static>(make: fn() -> E) -> [bool; 6] {
    [
        in_chain(&(Box::new(make()) as Box<dyn Error>)),
        in_chain(&(Box::new(make()) as Box<dyn Error + Send + Sync>)),
        in_chain(&(Arc::new(make()) as Arc<dyn Error + Send + Sync>)),
        in_chain(&anyhow::Error::new(make())),
        in_chain(&anyhow::Error::new(make()).context("what was attempted").context("and why")),
        in_chain(&(&make() as &(dyn Error + 'static))),
    ]
}

#[test]
fn the_first_known_error_of_a_chain_decides() {
    for found in [
        chained(reset),
        chained(|| Layer(reset())),
        chained(|| Layer(Layer(reset()))),
        // Pointers are looked behind: their own `source` skips the error.
        chained(|| Layer(Arc::new(reset()))),
        chained(|| Layer(Box::new(reset()))),
        // An I/O error of an unknown kind is known all the same; the one inside is not asked.
        chained(|| Layer(io::Error::new(ErrorKind::TimedOut, Layer(missing())))),
    ] {
        assert_eq!(found, [true; 6]);
    }
    for found in [
        chained(missing),
        chained(|| Layer(missing())),
        chained(|| Layer(Arc::new(missing()))),
        chained(|| io::Error::other(Layer(reset()))),
        chained(|| fmt::Error),
        chained(|| Layer(fmt::Error)),
    ] {
        assert_eq!(found, [false; 6]);
    }
    assert!(!in_chain(&anyhow::anyhow!("a word")));
    assert!(!in_chain(&Box::<dyn Error>::from("a word")));
    assert!(in_chain(&(Box::new(reset()) as Box<dyn Error + Send>)));
    assert!(in_chain(&(Box::new(reset()) as Box<dyn Error + Sync>)));
}

#[test]
fn a_concrete_error_is_asked_as_an_object() {
    let on = |error: &Layer<io::Error>| in_chain(&(error as &dyn Error));
    assert!(on(&Layer(reset())));
    assert!(!on(&Layer(missing())));
}

/// The ready-made answers as the attribute takes them: bare paths.
mod annotated {
    use std::cell::Cell;

    use retry_runtime::{retry, testing::VirtualTime};

    use super::*;

    #[retry(max = 2, on = retry_runtime::in_chain)]
    fn boxed(calls: &Cell<u32>, make: fn() -> io::Error) -> Result<(), Box<dyn Error>> {
        calls.set(calls.get() + 1);
        Err(Layer(make()))?
    }

    #[retry(max = 2, on = retry_runtime::in_chain)]
    fn boxed_send(calls: &Cell<u32>, make: fn() -> io::Error) -> Result<(), Box<dyn Error + Send + Sync>> {
        calls.set(calls.get() + 1);
        Err(Layer(make()))?
    }

    #[retry(max = 2, on = retry_runtime::in_chain)]
    fn anyhow(calls: &Cell<u32>, make: fn() -> io::Error) -> anyhow::Result<()> {
        calls.set(calls.get() + 1);
        Err(make())?
    }

    #[retry(max = 2, on = |error| retry_runtime::in_chain(&(error as &dyn Error)))]
    fn concrete(calls: &Cell<u32>, make: fn() -> io::Error) -> Result<(), Layer<io::Error>> {
        calls.set(calls.get() + 1);
        Err(Layer(make()))
    }

    #[retry(max = 2)]
    fn by_itself(calls: &Cell<u32>, make: fn() -> io::Error) -> io::Result<()> {
        calls.set(calls.get() + 1);
        Err(make())
    }

    #[retry(max = 2, on = retry_runtime::unprocessed)]
    fn once_only(calls: &Cell<u32>, make: fn() -> io::Error) -> io::Result<()> {
        calls.set(calls.get() + 1);
        Err(make())
    }

    #[retry(max = 2, on = retry_runtime::always)]
    fn whatever(calls: &Cell<u32>, make: fn() -> io::Error) -> io::Result<()> {
        calls.set(calls.get() + 1);
        Err(make())
    }

    #[retry(max = 2, when = retry_runtime::pending)]
    fn not_yet(calls: &Cell<u32>, make: fn() -> io::Error) -> io::Result<Option<u32>> {
        calls.set(calls.get() + 1);
        if calls.get() == 1 { Ok(None) } else { Err(make()) }
    }

    fn refused() -> io::Error {
        ErrorKind::ConnectionRefused.into()
    }

    #[test]
    fn how_often_each_answer_tries() {
        let _time = VirtualTime::start();
        macro_rules! attempts {
            ($($function:ident: $expected:expr;)*) => {$(
                let found = [refused, reset, missing].map(|make| {
                    let calls = Cell::new(0);
                    assert!($function(&calls, make).is_err());
                    calls.get()
                });
                assert_eq!(found, $expected, stringify!($function));
            )*};
        }
        attempts! {
            boxed: [3, 3, 1];
            boxed_send: [3, 3, 1];
            anyhow: [3, 3, 1];
            concrete: [3, 3, 1];
            by_itself: [3, 3, 1];
            once_only: [3, 1, 1];
            whatever: [3, 3, 3];
            not_yet: [3, 3, 2];
        }
    }
}
