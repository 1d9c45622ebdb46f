//! `sqlx` and `tokio-postgres` against a PostgreSQL server: two writers that conflict under SERIALIZABLE, a deadlock, a
//! server that is restarted in the middle, connections that are ended.
//!
//! Left out by `cargo test -p retry-services` alone; with a server of their own:
//!
//! ```text
//! scripts/postgres.sh cargo test -p retry-services --test postgres -- --include-ignored
//! ```

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use retry_runtime::{Retryable, Retrying, in_chain, retry, unprocessed};
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Connection, PgConnection};
use tokio::sync::{Barrier, RwLock};

/// The restart is alone: it ends the connections of everybody.
static ALONE: RwLock<()> = RwLock::const_new(());

fn url() -> String {
    std::env::var("DATABASE_URL").expect("DATABASE_URL names a server: run scripts/postgres.sh cargo test …")
}

async fn pool(connections: u32) -> PgPool {
    let options = PgPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(2));
    // A connection that was lost must be noticed by its user, not replaced in silence.
    options.test_before_acquire(false).connect(&url()).await.unwrap()
}

async fn run(pool: &PgPool, statements: &'static [&'static str]) {
    for statement in statements {
        sqlx::query(*statement).execute(pool).await.unwrap();
    }
}

async fn sum(pool: &PgPool, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(pool).await.unwrap()
}

/// The codes of the errors that were retried.
#[derive(Default)]
struct Codes(Mutex<Vec<String>>);

impl Codes {
    fn note(&self, retrying: &Retrying<'_, sqlx::Error>) {
        let error = retrying.error();
        let code = error.as_database_error().and_then(DatabaseError::code);
        let code = code.map_or_else(|| error.to_string(), Into::into);
        self.0.lock().unwrap().push(code);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Reads the sum and adds it plus one. Two of them conflict: in their first attempts both read before one writes.
#[retry(base_ms = 2, max = 10, on = unprocessed, on_retry = |event| codes.note(event), attempt = attempt)]
async fn append(pool: &PgPool, both: &Barrier, codes: &Codes) -> Result<i64, sqlx::Error> {
    let mut transaction = pool.begin_with("BEGIN ISOLATION LEVEL SERIALIZABLE").await?;
    let entries: i64 =
        sqlx::query_scalar("SELECT count(*) FROM entries").fetch_one(&mut *transaction).await?;
    if !attempt.is_retry() {
        both.wait().await;
    }
    sqlx::query("INSERT INTO entries VALUES ($1)").bind(entries + 1).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(entries + 1)
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/postgres.sh cargo test -p retry-services -- --include-ignored"]
async fn two_writers_that_conflict_under_serializable() {
    const ROUNDS: i64 = 10;
    let _beside = ALONE.read().await;
    let pool = pool(4).await;
    run(&pool, &["DROP TABLE IF EXISTS entries", "CREATE TABLE entries (number bigint)"]).await;
    let codes = Codes::default();
    for _ in 0..ROUNDS {
        let both = Barrier::new(2);
        let (one, two) = tokio::join!(append(&pool, &both, &codes), append(&pool, &both, &codes));
        assert_ne!(one.unwrap(), two.unwrap());
    }
    // As if one had come after the other: 1, 2, 3 …, each once.
    let entries = 2 * ROUNDS;
    assert_eq!(sum(&pool, "SELECT count(DISTINCT number) FROM entries").await, entries);
    assert_eq!(sum(&pool, "SELECT sum(number)::bigint FROM entries").await, entries * (entries + 1) / 2);
    let codes = codes.take();
    assert!(codes.len() >= usize::try_from(ROUNDS).unwrap(), "{codes:?}");
    assert!(codes.iter().all(|code| code == "40001"), "{codes:?}");
}

/// Moves an amount; the rows are locked in the order of the parameters.
#[retry(base_ms = 2, max = 10, on = unprocessed, on_retry = |event| codes.note(event), attempt = attempt)]
async fn transfer(
    pool: &PgPool,
    from: i32,
    to: i32,
    both: &Barrier,
    codes: &Codes,
) -> Result<(), sqlx::Error> {
    const CHANGE: &str = "UPDATE accounts SET amount = amount + $2 WHERE id = $1";
    let mut transaction = pool.begin().await?;
    sqlx::query(CHANGE).bind(from).bind(-10_i64).execute(&mut *transaction).await?;
    if !attempt.is_retry() {
        both.wait().await;
    }
    sqlx::query(CHANGE).bind(to).bind(10_i64).execute(&mut *transaction).await?;
    transaction.commit().await
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/postgres.sh cargo test -p retry-services -- --include-ignored"]
async fn a_deadlock() {
    let _beside = ALONE.read().await;
    let pool = pool(4).await;
    run(
        &pool,
        &[
            "DROP TABLE IF EXISTS accounts",
            "CREATE TABLE accounts (id int PRIMARY KEY, amount bigint)",
            "INSERT INTO accounts VALUES (1, 100), (2, 100)",
        ],
    )
    .await;
    let (both, codes) = (Barrier::new(2), Codes::default());
    let (there, back) =
        tokio::join!(transfer(&pool, 1, 2, &both, &codes), transfer(&pool, 2, 1, &both, &codes));
    there.unwrap();
    back.unwrap();
    // The server ends one of the two, or on a slow machine each in its turn.
    let codes = codes.take();
    assert!(!codes.is_empty() && codes.iter().all(|code| code == "40P01"), "{codes:?}");
    assert_eq!(sum(&pool, "SELECT amount FROM accounts WHERE id = 1").await, 100);
    assert_eq!(sum(&pool, "SELECT sum(amount)::bigint FROM accounts").await, 200);
}

/// One step of a count. A connection that is lost during COMMIT leaves it open whether the step was made; the key,
/// the same for all attempts, makes a second one harmless.
#[retry(
    base_ms = 20,
    cap_ms = 200,
    max = unlimited,
    deadline = "30s",
    once(key = format!("{writer}-{step}")),
    on_retry = |event| codes.note(event)
)]
async fn count(pool: &PgPool, writer: usize, step: usize, codes: &Codes) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    let made = sqlx::query("INSERT INTO steps VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(&key)
        .execute(&mut *transaction);
    if made.await?.rows_affected() == 1 {
        sqlx::query("UPDATE total SET steps = steps + 1").execute(&mut *transaction).await?;
    }
    transaction.commit().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/postgres.sh cargo test -p retry-services -- --include-ignored"]
async fn the_server_is_restarted_in_the_middle() {
    const WRITERS: usize = 3;
    const STEPS: usize = 40;
    let Ok(restart) = std::env::var("DATABASE_RESTART") else {
        panic!("DATABASE_RESTART restarts the server: run scripts/postgres.sh cargo test …")
    };
    let _alone = ALONE.write().await;
    let pool = pool(3).await;
    run(
        &pool,
        &[
            "DROP TABLE IF EXISTS steps, total",
            "CREATE TABLE steps (key text PRIMARY KEY)",
            "CREATE TABLE total (steps bigint)",
            "INSERT INTO total VALUES (0)",
        ],
    )
    .await;
    let (codes, made) = (Codes::default(), AtomicUsize::new(0));
    let write = async |writer| {
        for step in 0..STEPS {
            count(&pool, writer, step, &codes).await.unwrap();
            made.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let stop = async {
        while made.load(Ordering::Relaxed) < STEPS {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let restarted =
            tokio::task::spawn_blocking(move || Command::new("sh").args(["-c", &restart]).output().unwrap());
        let output = restarted.await.unwrap();
        assert!(output.status.success(), "{output:?}");
        made.load(Ordering::Relaxed)
    };
    let (.., made_by_then) = tokio::join!(write(0), write(1), write(2), stop);
    assert!(made_by_then < WRITERS * STEPS, "the restart came too late");
    assert_eq!(made.into_inner(), WRITERS * STEPS);
    let expected = i64::try_from(WRITERS * STEPS).unwrap();
    // An old connection may have been lost since a writer last used it.
    let pool = self::pool(1).await;
    assert_eq!(sum(&pool, "SELECT steps FROM total").await, expected);
    assert_eq!(sum(&pool, "SELECT count(*) FROM steps").await, expected);
    assert!(!codes.take().is_empty(), "nothing noticed the restart");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/postgres.sh cargo test -p retry-services -- --include-ignored"]
async fn connections_that_are_ended_and_errors_that_stay() {
    let _beside = ALONE.read().await;
    let pool = pool(2).await;
    let mut connection = PgConnection::connect(&url()).await.unwrap();
    let id: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut connection).await.unwrap();
    sqlx::query("SELECT pg_terminate_backend($1)").bind(id).execute(&pool).await.unwrap();
    let ended = sqlx::query("SELECT 1").execute(&mut connection).await.unwrap_err();
    assert!(ended.is_retryable() && !ended.is_unprocessed(), "{ended:?}");
    assert!(in_chain(&(Box::new(ended) as Box<dyn std::error::Error>)));

    for statement in ["SELEKT 1", "SELECT 1 / 0", "SELECT * FROM nowhere", "SET statement_timeout = -5"] {
        let error = sqlx::query(statement).execute(&pool).await.unwrap_err();
        assert!(!error.is_retryable() && !error.is_unprocessed(), "{error:?}");
    }
    let nobody = PgConnection::connect("postgres://retry@127.0.0.1:1/postgres").await.unwrap_err();
    assert!(nobody.is_unprocessed(), "{nobody:?}");

    let small = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_millis(50));
    let small = small.connect(&url()).await.unwrap();
    let held = small.acquire().await.unwrap();
    let error = small.acquire().await.unwrap_err();
    assert!(matches!(error, sqlx::Error::PoolTimedOut) && error.is_unprocessed());
    drop(held);
}

/// The same writers through `tokio-postgres`: a connection for each attempt.
#[retry(base_ms = 2, max = 10, on = unprocessed, attempt = attempt)]
async fn append_plainly(both: &Barrier, attempts: &AtomicUsize) -> Result<(), tokio_postgres::Error> {
    attempts.fetch_add(1, Ordering::Relaxed);
    let (mut client, connection) = tokio_postgres::connect(&url(), tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    let transaction = client.build_transaction();
    let transaction =
        transaction.isolation_level(tokio_postgres::IsolationLevel::Serializable).start().await?;
    let entries: i64 = transaction.query_one("SELECT count(*) FROM plain", &[]).await?.get(0);
    if !attempt.is_retry() {
        both.wait().await;
    }
    transaction.execute("INSERT INTO plain VALUES ($1)", &[&(entries + 1)]).await?;
    transaction.commit().await
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/postgres.sh cargo test -p retry-services -- --include-ignored"]
async fn through_tokio_postgres() {
    let _beside = ALONE.read().await;
    let pool = pool(2).await;
    run(&pool, &["DROP TABLE IF EXISTS plain", "CREATE TABLE plain (number bigint)"]).await;
    let (both, attempts) = (Barrier::new(2), AtomicUsize::new(0));
    let (one, two) = tokio::join!(append_plainly(&both, &attempts), append_plainly(&both, &attempts));
    one.unwrap();
    two.unwrap();
    assert_eq!(sum(&pool, "SELECT sum(number)::bigint FROM plain").await, 3);
    assert!(attempts.into_inner() >= 3);

    let (client, connection) = tokio_postgres::connect(&url(), tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    let wrong = client.query("SELECT 1 / 0", &[]).await.unwrap_err();
    assert!(!wrong.is_retryable(), "{wrong:?}");
    let id: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
    sqlx::query("SELECT pg_terminate_backend($1)").bind(id).execute(&pool).await.unwrap();
    let ended = driver.await.unwrap().unwrap_err();
    let closed = client.query("SELECT 1", &[]).await.unwrap_err();
    assert!(ended.is_retryable() && closed.is_retryable(), "{ended:?} {closed:?}");
    assert!(!ended.is_unprocessed() && !closed.is_unprocessed());
    assert!(in_chain(&(Box::new(closed) as Box<dyn std::error::Error>)));

    let nobody = "postgres://retry@127.0.0.1:1/postgres";
    let Err(nobody) = tokio_postgres::connect(nobody, tokio_postgres::NoTls).await else { panic!() };
    assert!(nobody.is_unprocessed(), "{nobody:?}");
}
