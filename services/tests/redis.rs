//! `redis` against a peer that speaks its protocol by a script: each answer that a server or cluster gives while it
//! cannot answer, and connections that break.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use redis::{Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError};
use retry_runtime::{Retryable, retry, unprocessed};

/// Answers `reply` to the first two commands, and then `PONG`; an empty reply closes the connection instead.
fn server(reply: &'static str) -> (Client, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let commands = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&commands);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = serve(stream.unwrap(), reply, &counter);
        }
    });
    (client(port), commands)
}

fn serve(mut stream: TcpStream, reply: &str, commands: &AtomicUsize) -> std::io::Result<()> {
    let mut command = [0; 512];
    loop {
        let length = stream.read(&mut command)?;
        if length == 0 {
            return Ok(());
        }
        // What the client tells of itself when it connects.
        let told = String::from_utf8_lossy(&command[..length]).matches("SETINFO").count();
        stream.write_all("+OK\r\n".repeat(told).as_bytes())?;
        if told > 0 {
            continue;
        }
        match (commands.fetch_add(1, Ordering::Relaxed), reply) {
            (0 | 1, "") => return Ok(()),
            (0 | 1, "silence") => {}
            (0 | 1, reply) => stream.write_all(format!("{reply}\r\n").as_bytes())?,
            _ => stream.write_all(b"+PONG\r\n")?,
        }
    }
}

fn client(port: u16) -> Client {
    let address = ConnectionAddr::Tcp("127.0.0.1".to_owned(), port);
    let info: ConnectionInfo = address.into_connection_info().unwrap();
    Client::open(info).unwrap()
}

fn ping_once(client: &Client) -> Result<String, RedisError> {
    let mut connection = client.get_connection_with_timeout(Duration::from_secs(2))?;
    connection.set_read_timeout(Some(Duration::from_millis(60)))?;
    redis::cmd("PING").query(&mut connection)
}

#[retry(base_ms = 1, max = 3)]
fn ping(client: &Client) -> Result<String, RedisError> {
    ping_once(client)
}

#[retry(base_ms = 1, max = 3, on = unprocessed)]
fn ping_unprocessed(client: &Client) -> Result<String, RedisError> {
    ping_once(client)
}

#[test]
fn each_answer() {
    // Commands seen with the errors' own judgement, and with `unprocessed`.
    for (reply, retried, by_unprocessed) in [
        ("-LOADING Redis is loading the dataset in memory", 3, 3),
        ("-TRYAGAIN Multiple keys request during rehashing of slot", 3, 3),
        ("-CLUSTERDOWN The cluster is down", 3, 3),
        ("-MASTERDOWN Link with MASTER is down", 3, 3),
        ("", 3, 1),
        ("silence", 3, 1),
        ("-ERR unknown command", 1, 1),
        ("-WRONGTYPE Operation against a key", 1, 1),
        ("-NOPERM this user has no permissions", 1, 1),
        ("-OOM command not allowed", 1, 1),
    ] {
        let (client, commands) = server(reply);
        assert_eq!(ping(&client).is_ok(), retried == 3, "{reply}");
        assert_eq!(commands.swap(0, Ordering::Relaxed), retried, "{reply}");
        assert_eq!(ping_unprocessed(&client).is_ok(), by_unprocessed == 3, "{reply}");
        assert_eq!(commands.load(Ordering::Relaxed), by_unprocessed, "{reply}");
    }
}

#[test]
fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = client(listener.local_addr().unwrap().port());
    drop(listener);
    let error = ping_once(&client).unwrap_err();
    assert!(error.is_retryable() && error.is_unprocessed(), "{error:?}");
}
