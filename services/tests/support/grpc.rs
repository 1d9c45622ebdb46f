//! A tonic server that answers by a script, and its client. The service is written by hand: what a generator would
//! make of `service Echo { rpc Call(StringValue) returns (StringValue); }`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::uri::PathAndQuery;
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service};
use tonic::metadata::MetadataMap;
use tonic::server::{NamedService, UnaryService};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

/// What the server does with one call.
#[derive(Debug)]
pub enum Reply {
    Refuse(Box<Status>),
    /// No answer ever comes.
    Silence,
}

impl From<Status> for Reply {
    fn from(status: Status) -> Self {
        Self::Refuse(Box::new(status))
    }
}

#[derive(Default)]
struct Script {
    replies: Mutex<VecDeque<Reply>>,
    seen: Mutex<Vec<MetadataMap>>,
}

#[derive(Clone)]
pub struct Echo(Arc<Script>);

impl Echo {
    /// The server, and the address to call it at.
    pub async fn start() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let echo = Self(Arc::default());
        let service = echo.clone();
        tokio::spawn(async move {
            Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(listener)).await
        });
        (echo, url)
    }

    /// What follows; afterwards the server echoes.
    pub fn plan<R: Into<Reply>>(&self, replies: impl IntoIterator<Item = R>) {
        *self.0.replies.lock().unwrap() = replies.into_iter().map(Into::into).collect();
        self.0.seen.lock().unwrap().clear();
    }

    /// The metadata of all calls since then.
    pub fn seen(&self) -> Vec<MetadataMap> {
        self.0.seen.lock().unwrap().clone()
    }
}

impl NamedService for Echo {
    const NAME: &'static str = "test.Echo";
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.clone();
        Box::pin(
            async move { Ok(tonic::server::Grpc::new(ProstCodec::default()).unary(method, request).await) },
        )
    }
}

impl UnaryService<String> for Echo {
    type Response = String;
    type Future = BoxFuture<Response<String>, Status>;

    fn call(&mut self, request: Request<String>) -> Self::Future {
        self.0.seen.lock().unwrap().push(request.metadata().clone());
        let reply = self.0.replies.lock().unwrap().pop_front();
        Box::pin(async move {
            match reply {
                None => Ok(Response::new(request.into_inner())),
                Some(Reply::Refuse(status)) => Err(*status),
                Some(Reply::Silence) => std::future::pending().await,
            }
        })
    }
}

/// A channel that connects when it is first used.
pub fn channel(url: &str) -> Channel {
    Endpoint::from_shared(url.to_owned()).unwrap().connect_lazy()
}

/// One call.
pub async fn call(channel: &Channel, request: Request<String>) -> Result<String, Status> {
    let mut client = tonic::client::Grpc::new(channel.clone());
    client.ready().await.map_err(|error| Status::from_error(error.into()))?;
    let path = PathAndQuery::from_static("/test.Echo/Call");
    client.unary(request, path, ProstCodec::default()).await.map(Response::into_inner)
}
