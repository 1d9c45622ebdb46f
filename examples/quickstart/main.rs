//! A payment client against a server that misbehaves on purpose, drawn as a timeline.
//!
//! ```text
//! cargo run --example quickstart
//! ```
//!
//! Seven calls run one after another, each by a method that carries `#[retry]`: two 503s that are survived, two
//! connection resets, a `Retry-After` that is obeyed, a blocking call, a 400 that is returned at once, a server
//! that asks for more patience than we have, and an outage that ends with the deadline. In the end the client's
//! facts are compared with what the server saw; the exit code is 1 if one of them is not as promised.

mod promises;
mod server;
mod timeline;

use reqwest::StatusCode;
use retry_runtime::http::{is_transient, retry_after};
use retry_runtime::{Budget, Elapsed, Retryable, retry};
use server::Server;
use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt, io};
use timeline::{Call, Timeline};

/// No call may take longer than this; also the right edge of the timeline.
const DEADLINE: Duration = Duration::from_millis(1_600);

struct PaymentClient {
    http: reqwest::Client,
    blocking: reqwest::blocking::Client,
    api: String,
    ledger: String,
    timeline: Timeline,
}

/// What the retries of this process may add to the server's load, whatever happens to it.
static BUDGET: Budget = Budget::new();

// The settings on the block are defaults for its methods with `#[retry]`; a method's own settings win. A deadline for
// each call, a limit on each attempt and a budget for all of them are what a client of a service should have.
#[retry(
    base_ms = 200,
    cap_ms = 1_000,
    deadline = DEADLINE,
    attempt_timeout_ms = 900,
    budget = BUDGET,
    on_retry = |retrying| self.timeline.waiting(retrying),
    on_give_up = |given_up| self.timeline.alert(given_up)
)]
impl PaymentClient {
    #[retry]
    async fn quote(&self) -> Result<String, PaymentError> {
        answer(self.http.get(format!("{}/quote", self.api)).send().await?).await
    }

    #[retry]
    async fn balance(&self) -> Result<String, PaymentError> {
        answer(self.http.get(format!("{}/balance", self.ledger)).send().await?).await
    }

    /// A charge must not happen twice: all attempts of one call carry the same key.
    #[retry(once(key = idempotency_key()))]
    async fn charge(&self, cents: u32) -> Result<String, PaymentError> {
        let request = self.http.post(format!("{}/charge", self.api)).header("idempotency-key", &key);
        answer(request.body(cents.to_string()).send().await?).await
    }

    /// Blocks its thread, also while it waits; nothing can cut a blocking attempt but the client's own timeout.
    #[retry(max = 2, attempt_timeout = none)]
    fn receipt(&self) -> Result<String, PaymentError> {
        let response = self.blocking.get(format!("{}/receipt", self.api)).send()?;
        let (status, hint) = (response.status(), retry_after(response.headers()));
        judge(status, hint, response.text()?)
    }

    #[retry]
    async fn account(&self) -> Result<String, PaymentError> {
        answer(self.http.get(format!("{}/account", self.api)).send().await?).await
    }

    #[retry]
    async fn statement(&self) -> Result<String, PaymentError> {
        answer(self.http.get(format!("{}/statement", self.api)).send().await?).await
    }

    /// Nobody is in a hurry here: every wait is at least half its window.
    #[retry(strategy = "equal", base_ms = 100, max = 10)]
    async fn settlement(&self) -> Result<String, PaymentError> {
        answer(self.http.get(format!("{}/settlement", self.api)).send().await?).await
    }
}

impl PaymentClient {
    fn new(server: &Server) -> reqwest::Result<Self> {
        let patience = Duration::from_secs(1);
        Ok(Self {
            http: reqwest::Client::builder().no_proxy().timeout(patience).build()?,
            blocking: reqwest::blocking::Client::builder().no_proxy().timeout(patience).build()?,
            api: format!("http://{}", server.http),
            ledger: format!("http://{}", server.ledger),
            timeline: Timeline::new(DEADLINE),
        })
    }
}

/// What can go wrong: the server said no, or did not get to say anything.
enum PaymentError {
    Refused { status: StatusCode, retry_after: Option<Duration>, why: String },
    Transport(reqwest::Error),
    TimedOut(Elapsed),
}

/// The classification, in one place: which errors deserve a retry, and how long the server asked us to wait.
impl Retryable for PaymentError {
    fn is_retryable(&self) -> bool {
        match self {
            Self::Refused { status, .. } => is_transient(*status),
            Self::Transport(error) => io_cause(error).is_some_and(Retryable::is_retryable),
            Self::TimedOut(elapsed) => elapsed.is_retryable(),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            Self::Transport(_) | Self::TimedOut(_) => None,
        }
    }
}

impl From<reqwest::Error> for PaymentError {
    fn from(error: reqwest::Error) -> Self {
        Self::Transport(error)
    }
}

impl From<Elapsed> for PaymentError {
    fn from(elapsed: Elapsed) -> Self {
        Self::TimedOut(elapsed)
    }
}

/// Short as `{}`, with the server's own words as `{:#}`.
impl fmt::Display for PaymentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { status, why, .. } if f.alternate() => write!(f, "{status}: {why}"),
            Self::Refused { status, .. } => status.fmt(f),
            Self::Transport(error) => match io_cause(error) {
                Some(cause) => cause.kind().fmt(f),
                None => error.fmt(f),
            },
            Self::TimedOut(elapsed) => elapsed.fmt(f),
        }
    }
}

fn io_cause(error: &reqwest::Error) -> Option<&io::Error> {
    let mut next = error.source();
    while let Some(cause) = next {
        if let Some(io) = cause.downcast_ref() {
            return Some(io);
        }
        next = cause.source();
    }
    None
}

async fn answer(response: reqwest::Response) -> Result<String, PaymentError> {
    let (status, hint) = (response.status(), retry_after(response.headers()));
    judge(status, hint, response.text().await?)
}

fn judge(status: StatusCode, retry_after: Option<Duration>, body: String) -> Result<String, PaymentError> {
    if status.is_success() { Ok(body) } else { Err(PaymentError::Refused { status, retry_after, why: body }) }
}

fn idempotency_key() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let start = Instant::now();
    let runtime = tokio::runtime::Runtime::new()?;
    let server = runtime.block_on(Server::start())?;
    let client = Arc::new(PaymentClient::new(&server)?);
    println!("Each call has its own time axis, in seconds; its right edge is the deadline.");
    println!("× failed   █ wait   ▒ wait the server asked for   ● answered   · too little time left");
    let calls = runtime.block_on(tour(&client));
    Ok(if promises::kept(&calls, &server, start.elapsed()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

type Outcome = Call<String, PaymentError>;

struct Calls {
    quote: Outcome,
    balance: Outcome,
    charge: Outcome,
    receipt: Outcome,
    account: Outcome,
    statement: Outcome,
    settlement: Outcome,
}

/// The calls, one after another so that the timeline stays in order.
async fn tour(client: &Arc<PaymentClient>) -> Calls {
    let show = &client.timeline;
    let blocking = async {
        let client = Arc::clone(client);
        tokio::task::spawn_blocking(move || client.receipt()).await.expect("the call does not panic")
    };
    Calls {
        quote: show.follow("quote", "503 twice", client.quote()).await,
        balance: show.follow("balance", "connection reset twice", client.balance()).await,
        charge: show.follow("charge", "429, Retry-After: 1", client.charge(4_200)).await,
        receipt: show.follow("receipt", "blocking, 502 once", blocking).await,
        account: show.follow("account", "400, our own mistake", client.account()).await,
        statement: show.follow("statement", "503, Retry-After: 3600", client.statement()).await,
        settlement: show.follow("settlement", "503 again and again", client.settlement()).await,
    }
}
