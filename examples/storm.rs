//! A retry storm on real sockets, with and without a budget.
//!
//! Two copies of one service on loopback, each able to serve 200 requests a second, each under a load of 160 a second,
//! each down for two seconds. A refusal is not free: it costs a quarter of a served request. The clients of the first
//! copy retry with full jitter alone; those of the second share a `Budget`. Prints, second by second, what was asked and
//! what was served. Ends after about fifteen seconds with exit code 0 when the budget made the difference.
//!
//! `cargo run --release --example storm`

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use retry_runtime::{Budget, Retryable, retry};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{MissedTickBehavior, interval};

const CAPACITY: f64 = 200.0;
const REFUSAL: f64 = 0.25;
const LOAD: u64 = 160;
const SECONDS: usize = 14;
const DOWN: std::ops::Range<u64> = 2..4;

/// Sized for one process of this load: a tenth of the calls may retry, and two a second whatever comes.
static BUDGET: Budget = Budget::new().per_second(2.0).capacity(20.0).starting_with(2.0);

enum Fault {
    Refused,
    Network(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Network(error)
    }
}

impl Retryable for Fault {
    fn is_retryable(&self) -> bool {
        match self {
            Self::Refused => true,
            Self::Network(error) => error.is_retryable(),
        }
    }
}

struct Client {
    service: SocketAddr,
}

impl Client {
    #[retry]
    async fn ask(&self) -> Result<(), Fault> {
        self.once().await
    }

    #[retry(budget = BUDGET)]
    async fn ask_within_budget(&self) -> Result<(), Fault> {
        self.once().await
    }

    async fn once(&self) -> Result<(), Fault> {
        let mut stream = TcpStream::connect(self.service).await?;
        stream.write_all(b"?").await?;
        if stream.read_u8().await? == b'+' { Ok(()) } else { Err(Fault::Refused) }
    }
}

/// What happened in each second.
#[derive(Default)]
struct Tally {
    asked: [AtomicU64; SECONDS + 12],
    served: [AtomicU64; SECONDS + 12],
    lost: AtomicU64,
}

impl Tally {
    fn rate(counts: &[AtomicU64], second: usize) -> u64 {
        counts.get(second).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Of the requests in the last four seconds under load, the part that was served.
    #[allow(clippy::cast_precision_loss, reason = "a few thousand")]
    fn late(&self) -> f64 {
        let sum = |counts: &[AtomicU64]| {
            (SECONDS - 4..SECONDS).map(|at| Self::rate(counts, at)).sum::<u64>() as f64
        };
        sum(&self.served) / sum(&self.asked)
    }
}

/// Answers `+` while it has capacity, `-` otherwise.
async fn serve(listener: TcpListener, start: Instant, tally: Arc<Tally>) -> io::Result<()> {
    let bucket = Arc::new(Mutex::new((start, CAPACITY / 20.0)));
    loop {
        let (mut stream, _) = listener.accept().await?;
        let (bucket, tally) = (Arc::clone(&bucket), Arc::clone(&tally));
        tokio::spawn(async move {
            stream.read_u8().await?;
            let second = usize::try_from(start.elapsed().as_secs()).unwrap_or(usize::MAX);
            let served = is_served(&bucket, start);
            for counts in [Some(&tally.asked), served.then_some(&tally.served)].into_iter().flatten() {
                if let Some(count) = counts.get(second) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            stream.write_all(if served { b"+" } else { b"-" }).await
        });
    }
}

fn is_served(bucket: &Mutex<(Instant, f64)>, start: Instant) -> bool {
    let mut bucket = bucket.lock().expect("no task panics with it");
    let now = Instant::now();
    let held = (bucket.1 + (now - bucket.0).as_secs_f64() * CAPACITY).min(CAPACITY / 20.0);
    let served = held >= 1.0 && !DOWN.contains(&(now - start).as_secs());
    let cost = if served { 1.0 } else { REFUSAL };
    *bucket = (now, (held - cost).max(-CAPACITY / 20.0));
    served
}

/// The whole story of one copy.
async fn scenario(with_budget: bool) -> io::Result<Arc<Tally>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let client = Arc::new(Client { service: listener.local_addr()? });
    let (start, tally) = (Instant::now(), Arc::new(Tally::default()));
    let server = tokio::spawn(serve(listener, start, Arc::clone(&tally)));
    let mut ticks = interval(Duration::from_secs(1) / u32::try_from(LOAD).unwrap_or(1));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut calls = tokio::task::JoinSet::new();
    while start.elapsed() < Duration::from_secs(SECONDS as u64) {
        ticks.tick().await;
        let (client, tally) = (Arc::clone(&client), Arc::clone(&tally));
        calls.spawn(async move {
            let done = if with_budget { client.ask_within_budget().await } else { client.ask().await };
            if let Err(Fault::Network(error)) = &done {
                eprintln!("the network failed: {error}");
            }
            tally.lost.fetch_add(u64::from(done.is_err()), Ordering::Relaxed);
        });
        while calls.try_join_next().is_some() {}
    }
    while calls.join_next().await.is_some() {}
    server.abort();
    Ok(tally)
}

fn bar(served: u64, asked: u64) -> String {
    let width = |count: u64| usize::try_from(count / 20).unwrap_or(0);
    format!("{}{}", "█".repeat(width(served)), "·".repeat(width(asked) - width(served)))
}

#[tokio::main]
async fn main() -> io::Result<ExitCode> {
    println!(
        "capacity {CAPACITY}/s, load {LOAD}/s, down from {} s to {} s; █ served, · refused\n",
        DOWN.start, DOWN.end
    );
    let (without, with) = tokio::join!(scenario(false), scenario(true));
    let stories = [("jitter alone", without?), ("jitter and a budget", with?)];
    for (name, tally) in &stories {
        println!("{name}");
        for second in 0..SECONDS {
            let (served, asked) = (Tally::rate(&tally.served, second), Tally::rate(&tally.asked, second));
            println!("  {second:>2} s  {served:>4} of {asked:>4}  {}", bar(served, asked));
        }
        let peak = (0..SECONDS).map(|second| Tally::rate(&tally.asked, second)).max().unwrap_or(0);
        let lost = tally.lost.load(Ordering::Relaxed);
        println!(
            "  peak {peak}/s, {lost} of {} operations lost, at last {:.0} % served\n",
            LOAD * SECONDS as u64,
            tally.late() * 100.0
        );
    }
    let [(_, without), (_, with)] = &stories;
    let made_the_difference = without.late() < 0.8 && with.late() > 0.95;
    println!(
        "the budget {}",
        if made_the_difference { "ended the storm" } else { "made no difference: not as promised" }
    );
    Ok(if made_the_difference { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
