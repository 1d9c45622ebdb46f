//! The other side: a server on loopback that follows a script, and keeps a record of every request it saw.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Two listeners: HTTP that answers by the script, and a ledger that resets connections.
pub(crate) struct Server {
    pub(crate) http: SocketAddr,
    pub(crate) ledger: SocketAddr,
    record: Arc<Record>,
}

impl Server {
    pub(crate) async fn start() -> io::Result<Self> {
        let record = Arc::new(Record::default());

        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let http = listener.local_addr()?;
        let routes = axum::Router::new().fallback(scripted).with_state(Arc::clone(&record));
        tokio::spawn(axum::serve(listener, routes).into_future());

        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let ledger = listener.local_addr()?;
        tokio::spawn(resetting(listener, Arc::clone(&record)));

        Ok(Self { http, ledger, record })
    }

    /// What the server saw of the requests for one path, in order.
    pub(crate) fn seen(&self, path: &str) -> Vec<Seen> {
        self.record.all().iter().filter(|seen| seen.path == path).cloned().collect()
    }
}

/// What the server says to request number `n` (from 1) for a path.
fn script(path: &str, n: usize) -> Response {
    match (path, n) {
        ("/quote", 1 | 2) => refusal(StatusCode::SERVICE_UNAVAILABLE, "rates are reloading"),
        ("/quote", _) => "1 EUR = 1.0842 USD".into_response(),
        ("/charge", 1) => wait("1", StatusCode::TOO_MANY_REQUESTS, "one charge per second"),
        ("/charge", _) => "charged, once".into_response(),
        ("/receipt", 1) => refusal(StatusCode::BAD_GATEWAY, "archive restarting"),
        ("/receipt", _) => "receipt 2041, 42.00 EUR".into_response(),
        ("/account", _) => refusal(StatusCode::BAD_REQUEST, "DE00 is no account number"),
        ("/statement", _) => wait("3600", StatusCode::SERVICE_UNAVAILABLE, "closed for an hour"),
        ("/settlement", _) => refusal(StatusCode::SERVICE_UNAVAILABLE, "no settlement yet"),
        _ => refusal(StatusCode::NOT_FOUND, "not in the script"),
    }
}

fn refusal(status: StatusCode, why: &'static str) -> Response {
    (status, why).into_response()
}

fn wait(retry_after: &'static str, status: StatusCode, why: &'static str) -> Response {
    (status, [(RETRY_AFTER, retry_after)], why).into_response()
}

async fn scripted(State(record): State<Arc<Record>>, request: Request) -> Response {
    let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok());
    let path = request.uri().path();
    script(path, record.note(path, key))
}

/// The ledger resets two connections and answers on the third.
async fn resetting(listener: TcpListener, record: Arc<Record>) {
    while let Ok((connection, _)) = listener.accept().await {
        if let Err(error) = serve(connection, record.note("/balance", None)).await {
            eprintln!("ledger: {error}");
        }
    }
}

async fn serve(mut connection: TcpStream, n: usize) -> io::Result<()> {
    // First the whole request: the client is then waiting for the answer.
    let mut request = BufReader::new(&mut connection).lines();
    while request.next_line().await?.is_some_and(|line| !line.is_empty()) {}
    if n <= 2 {
        // With SO_LINGER at zero, dropping the socket sends RST instead of FIN.
        return connection.set_zero_linger();
    }
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\nconnection: close\r\n\r\n1 312.07 EUR";
    connection.write_all(answer).await
}

/// One request, as the server saw it.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) idempotency_key: Option<String>,
    path: String,
}

#[derive(Default)]
struct Record(Mutex<Vec<Seen>>);

impl Record {
    /// Notes a request and says how many there have been for its path.
    fn note(&self, path: &str, key: Option<&str>) -> usize {
        let mut all = self.all();
        all.push(Seen { at: Instant::now(), idempotency_key: key.map(str::to_owned), path: path.to_owned() });
        all.iter().filter(|seen| seen.path == path).count()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
