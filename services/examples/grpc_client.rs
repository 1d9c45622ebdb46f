//! A gRPC client: codes, `RetryInfo`, a time limit on each attempt, and the number of the attempt for the server.
//!
//! ```text
//! cargo run -p retry-services --example grpc_client
//! ```
#![allow(clippy::result_large_err, reason = "it is tonic's error")]

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use retry_runtime::tonic::number_attempt;
use retry_runtime::{Retrying, retry};
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service};
use tonic::server::{NamedService, UnaryService};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tonic_types::{ErrorDetails, StatusExt};

struct Greeter {
    channel: Channel,
}

impl Greeter {
    /// An attempt that takes longer than 200 ms becomes `DEADLINE_EXCEEDED`, which is retried.
    #[retry(base_ms = 20, deadline = "5s", attempt_timeout_ms = 200, attempt = attempt, on_retry = say)]
    async fn greet(&self, name: &str) -> Result<String, Status> {
        let mut request = Request::new(name.to_owned());
        number_attempt(&mut request, attempt);
        let mut client = tonic::client::Grpc::new(self.channel.clone());
        client.ready().await.map_err(|error| Status::from_error(error.into()))?;
        let path = http::uri::PathAndQuery::from_static("/example.Greeter/Greet");
        Ok(client.unary(request, path, ProstCodec::<String, String>::default()).await?.into_inner())
    }
}

fn say(retrying: &Retrying<'_, Status>) {
    let status = retrying.error();
    println!("  {:?}: {}; again in {:?}", status.code(), status.message(), retrying.delay());
}

/// The other side, by hand instead of generated: it answers the fourth attempt.
#[derive(Clone, Default)]
struct Scripted(Arc<AtomicU32>);

impl UnaryService<String> for Scripted {
    type Response = String;
    type Future = BoxFuture<Response<String>, Status>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let before = request.metadata().get("grpc-previous-rpc-attempts").cloned();
        let wait = ErrorDetails::with_retry_info(Some(Duration::from_millis(300)));
        Box::pin(async move {
            match number {
                0 => Err(Status::unavailable("restarting")),
                1 => Err(Status::with_error_details(tonic::Code::ResourceExhausted, "quota", wait)),
                2 => std::future::pending().await,
                _ => Ok(Response::new(format!("hello {}, after {before:?} attempts", request.into_inner()))),
            }
        })
    }
}

impl NamedService for Scripted {
    const NAME: &'static str = "example.Greeter";
}

impl Service<http::Request<Body>> for Scripted {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.clone();
        Box::pin(async { Ok(tonic::server::Grpc::new(ProstCodec::default()).unary(method, request).await) })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = Endpoint::from_shared(format!("http://{}", listener.local_addr()?))?;
    let incoming = TcpIncoming::from(listener);
    tokio::spawn(Server::builder().add_service(Scripted::default()).serve_with_incoming(incoming));
    println!("{}", Greeter { channel: endpoint.connect_lazy() }.greet("you").await?);
    Ok(())
}
