//! `Run` without the attribute: for loops that cannot be annotated, here one that tries another host each time.
//!
//! `cargo run --example by_hand`

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use retry_runtime::{Failure, Policy, Retryable, Run, Step, Strategy};

/// Asks the hosts in turn until one answers.
fn ask(hosts: &[SocketAddr], policy: Policy) -> io::Result<String> {
    let mut run = Run::start(policy);
    let started = Instant::now();
    for host in hosts.iter().cycle() {
        let attempt_started = Instant::now();
        let error = match greet(*host) {
            Ok(answer) => return Ok(answer),
            Err(error) if !error.is_retryable() => return Err(error),
            Err(error) => error,
        };
        let failure = Failure::new()
            .elapsed(started.elapsed())
            .took(attempt_started.elapsed())
            .retry_after(error.retry_after());
        match run.failed(failure) {
            Step::Wait(delay) => {
                println!("attempt {} at {host}: {error}; next in {delay:?}", run.attempt() - 1);
                thread::sleep(delay);
            }
            Step::GiveUp(reason) => {
                println!("attempt {} at {host}: {error}; {reason}", run.attempt());
                return Err(error);
            }
        }
    }
    Err(io::ErrorKind::InvalidInput.into())
}

fn greet(host: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    stream.write_all(b"hello\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(answer) }
}

fn main() -> io::Result<()> {
    // One host where nobody listens, one that hangs up once and then answers.
    let closed = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let open = listener.local_addr()?;
    let server = thread::spawn(move || -> io::Result<()> {
        drop(listener.accept()?);
        let (mut stream, _) = listener.accept()?;
        let mut line = [0; 6];
        stream.read_exact(&mut line)?;
        stream.write_all(b"good day")
    });

    let policy = Policy::new()
        .strategy(Strategy::None)
        .base(Duration::from_millis(20))
        .deadline(Duration::from_secs(2));
    let answer = ask(&[closed, open], policy)?;
    println!("answer: {answer}");
    assert_eq!(answer, "good day");
    server.join().expect("the server does not panic")
}
