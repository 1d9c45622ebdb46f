//! Servers on loopback that do what a script says: axum for HTTP/1.1 and HTTP/2, and bare ones for what no
//! framework does on purpose.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use futures::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Reply {
    Answer(u16, Vec<(&'static str, String)>, &'static str),
    /// The headers and a part of the body, then the stream breaks off.
    CutShort,
    /// No headers ever come.
    Silence,
}

pub fn answer(status: u16, headers: &[(&'static str, &str)]) -> Reply {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Reply::Answer(status, headers, "body")
}

struct Script {
    replies: Mutex<VecDeque<Reply>>,
    requests: AtomicUsize,
}

/// A server that gives its replies one after another, and then 200.
pub struct Server {
    pub url: String,
    script: Arc<Script>,
}

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::new(Script { replies: Mutex::default(), requests: AtomicUsize::new(0) });
        let routes = axum::Router::new().fallback(reply).with_state(Arc::clone(&script));
        tokio::spawn(axum::serve(listener, routes).into_future());
        Self { url, script }
    }

    /// What follows; nothing is left of what was planned before.
    pub fn plan(&self, replies: impl IntoIterator<Item = Reply>) {
        *self.script.replies.lock().unwrap() = replies.into_iter().collect();
        self.script.requests.store(0, Ordering::Relaxed);
    }

    /// How many requests came since then.
    pub fn requests(&self) -> usize {
        self.script.requests.load(Ordering::Relaxed)
    }
}

async fn reply(State(script): State<Arc<Script>>) -> Response {
    script.requests.fetch_add(1, Ordering::Relaxed);
    let reply = script.replies.lock().unwrap().pop_front();
    match reply.unwrap_or_else(|| answer(200, &[])) {
        Reply::Answer(status, headers, body) => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Body::from(body)).unwrap()
        }
        Reply::CutShort => {
            let first = futures::stream::iter([Ok("bo")]);
            // So that the headers and the first part are on their way before it happens.
            let end = futures::stream::once(async {
                tokio::time::sleep(super::ms(20)).await;
                Err(io::Error::other("the disk is gone"))
            });
            let body = Body::from_stream(first.chain(end));
            Response::builder().header("content-length", "4").body(body).unwrap()
        }
        Reply::Silence => std::future::pending().await,
    }
}

/// A server that treats its connections by hand: `serve` gets each with its number, from 1.
pub async fn bare<F>(serve: impl Fn(TcpStream, usize) -> F + Send + 'static) -> (SocketAddr, Arc<AtomicUsize>)
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
            tokio::spawn(serve(stream, number));
        }
    });
    (address, connections)
}

/// Reads the request, says `first`, and resets the connection (RST, not FIN).
pub async fn reset_after(mut stream: TcpStream, first: &'static str) -> io::Result<()> {
    let mut request = [0; 1024];
    let _ = stream.read(&mut request).await?;
    stream.write_all(first.as_bytes()).await?;
    stream.flush().await?;
    // So that what was said is read before the reset discards it.
    tokio::time::sleep(super::ms(20)).await;
    stream.set_zero_linger()
}

/// Reads the request, says everything, and closes.
pub async fn close_after(mut stream: TcpStream, all: &'static str) -> io::Result<()> {
    let mut request = [0; 1024];
    let _ = stream.read(&mut request).await?;
    stream.write_all(all.as_bytes()).await?;
    stream.shutdown().await
}

/// An HTTP/2 server that resets each stream with `reason`.
pub async fn reset_streams(stream: TcpStream, reason: h2::Reason) -> io::Result<()> {
    let mut connection = h2::server::handshake(stream).await.map_err(io::Error::other)?;
    while let Some(Ok((_, mut respond))) = connection.accept().await {
        respond.send_reset(reason);
    }
    Ok(())
}

/// An HTTP/2 server that says goodbye (GOAWAY, no error) before it looks at any stream.
pub async fn go_away(stream: TcpStream) -> io::Result<()> {
    let mut connection = h2::server::handshake(stream).await.map_err(io::Error::other)?;
    connection.abrupt_shutdown(h2::Reason::NO_ERROR);
    while let Some(Ok(_)) = connection.accept().await {}
    Ok(())
}
