//! A client of an HTTP service that is busy, breaks off its answers, and must not be charged twice.
//!
//! ```text
//! cargo run -p retry-services --example http_client
//! ```

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use retry_runtime::reqwest::{CheckStatus, Error, transient};
use retry_runtime::{Retrying, retry};

struct Shop {
    http: reqwest::Client,
    url: String,
}

#[retry(base_ms = 20, deadline = "5s", attempt_timeout = "1s", on_retry = say)]
impl Shop {
    /// What reads the body is inside, so that an answer that breaks off is repeated too.
    #[retry]
    async fn price(&self) -> Result<String, Error> {
        let response = self.http.get(format!("{}/price", self.url)).send().await?;
        Ok(response.check_status()?.text().await?)
    }

    /// A POST may be repeated because the server knows its key: one for each call, the same for all its attempts.
    #[retry(once(key = idempotency_key()))]
    async fn charge(&self, cents: u32) -> Result<String, Error> {
        let request = self.http.post(format!("{}/charge", self.url)).header("idempotency-key", &key);
        Ok(request.body(cents.to_string()).send().await?.check_status()?.text().await?)
    }
}

/// Without an error type of its own: the response is judged, and whoever calls looks at its status.
#[retry(when = transient, base_ms = 20, max = 2)]
async fn is_up(http: &reqwest::Client, url: &str) -> reqwest::Result<reqwest::Response> {
    http.head(url).send().await
}

fn say(retrying: &Retrying<'_, Error>) {
    println!("  attempt {}: {}; again in {:?}", retrying.attempt(), retrying.error(), retrying.delay());
}

fn idempotency_key() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The other side: the first price breaks off, the second is refused for 300 ms, and the answer to the first charge is
/// lost although the charge was made.
#[derive(Default)]
struct Server {
    prices: AtomicU32,
    charges: Mutex<HashSet<String>>,
}

async fn price(State(server): State<Arc<Server>>) -> Response<Body> {
    let part: [Result<&str, std::io::Error>; 2] = [Ok("12"), Err(std::io::Error::other("the disk is gone"))];
    let answer = match server.prices.fetch_add(1, Ordering::Relaxed) {
        0 => Response::builder().body(Body::from_stream(futures::stream::iter(part))),
        1 => Response::builder().status(429).header("retry-after", "0.3").body(Body::empty()),
        _ => Response::builder().body(Body::from("12.50")),
    };
    answer.expect("a response")
}

async fn charge(State(server): State<Arc<Server>>, headers: HeaderMap) -> Response<Body> {
    let key = headers["idempotency-key"].to_str().expect("a key").to_owned();
    let is_new = server.charges.lock().expect("no panic").insert(key);
    let answer = if is_new { Response::builder().status(502) } else { Response::builder() };
    answer.body(Body::from("charged")).expect("a response")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let server = Arc::new(Server::default());
    let routes = axum::Router::new()
        .route("/price", axum::routing::get(price))
        .route("/charge", axum::routing::post(charge))
        .with_state(Arc::clone(&server));
    tokio::spawn(axum::serve(listener, routes).into_future());

    let shop = Shop { http: reqwest::Client::builder().no_proxy().build()?, url };
    println!("price: {}", shop.price().await?);
    println!("charge: {}", shop.charge(1250).await?);
    println!("charges made: {}", server.charges.lock().expect("no panic").len());
    println!("is up: {}", is_up(&shop.http, &format!("{}/price", shop.url)).await?.status());
    Ok(())
}
