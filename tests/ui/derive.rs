//! Mistakes in the marks of `#[derive(Retryable)]`: each is told at its place, and nobody else misses the impl.
use retry_runtime::Retryable;
use std::time::Duration;

#[derive(Retryable)]
enum Unmarked {
    Busy,
    Io(std::io::Error),
    #[doc(alias = "no mark")]
    Limited { wait: Duration },
    #[permanent]
    Denied,
}

#[derive(Retryable)]
enum Marks {
    #[retryable]
    #[permanent]
    Both,
    #[retryable]
    #[retryable(after = 0)]
    Twice(Duration),
    #[permanent(always)]
    Told,
    #[transparent(0)]
    Field(std::io::Error),
    #[retryable = "yes"]
    Equals,
}

#[derive(Retryable)]
enum Words {
    #[retryable(after)]
    NoValue(Duration),
    #[retryable(after = "wait")]
    Quoted { wait: Duration },
    #[retryable(after = wiat)]
    Slip { wait: Duration },
    #[retryable(after = delay)]
    Other { wait: Duration, limit: u32 },
    #[retryable(after = 1)]
    Index(Duration),
    #[retryable(after = wait)]
    Unit,
    #[retryable(unprocesed)]
    Word,
    #[retryable(in_ms = 20, backoff)]
    Unknown,
    #[retryable(unprocessed, unprocessed)]
    WordTwice,
    #[retryable(after = wait unprocessed)]
    Comma { wait: Duration },
    #[retryable(= 5)]
    Nothing,
}

#[derive(Retryable)]
enum Transparent {
    #[transparent]
    Unit,
    #[transparent]
    Two(std::io::Error, u32),
}

#[derive(Retryable)]
#[retryable]
enum Whole {
    #[permanent]
    Denied,
}

#[derive(Retryable)]
enum Inside {
    #[retryable]
    Busy {
        #[retryable]
        wait: Duration,
    },
    #[transparent]
    Io(#[transparent] std::io::Error),
}

#[derive(Retryable)]
struct Struct {
    wait: Duration,
}

#[derive(Retryable)]
#[retryable(crate = 5)]
#[permanent]
struct Elsewhere;

#[derive(Retryable)]
union Either {
    number: u32,
    bits: [u8; 4],
}

fn needs(_: &impl Retryable) {}

// The impls stand, so that these are no errors.
fn used(error: &Unmarked, other: &Transparent, third: &Struct) {
    needs(error);
    needs(other);
    needs(third);
}

fn main() {}
