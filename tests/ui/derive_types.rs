//! Fields that cannot answer what a mark of `#[derive(Retryable)]` asks them.
use retry_runtime::Retryable;
use std::time::{Duration, Instant};

struct Unknown;

#[derive(Retryable)]
enum Fault {
    #[transparent]
    Other(Unknown),
    #[retryable(after = until)]
    Until { until: Instant },
    #[retryable(after = 0)]
    Seconds(u64),
    #[retryable(after = 0)]
    Right(Duration),
}

#[derive(Retryable)]
enum Layer<E> {
    #[transparent]
    Inner(E),
}

fn needs(_: &impl Retryable) {}

fn main() {
    needs(&Layer::Inner(Unknown));
}
