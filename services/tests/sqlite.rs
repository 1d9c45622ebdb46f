//! `sqlx` against SQLite: two connections that really lock each other out.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use retry_runtime::{Retryable, retry};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection};

/// A database in a file, gone at the end.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let name = format!("retry-{name}-{}.sqlite", std::process::id());
        let file = Self(std::env::temp_dir().join(name));
        file.remove();
        file
    }

    /// A connection that waits for no lock.
    async fn connect(&self, mode: SqliteJournalMode) -> SqliteConnection {
        let options =
            SqliteConnectOptions::new().filename(&self.0).create_if_missing(true).journal_mode(mode);
        options.busy_timeout(Duration::ZERO).connect().await.unwrap()
    }

    fn remove(&self) {
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut path = self.0.clone().into_os_string();
            path.push(end);
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.remove();
    }
}

async fn run(
    connection: &mut SqliteConnection,
    statements: &'static [&'static str],
) -> Result<(), sqlx::Error> {
    for statement in statements {
        sqlx::query(*statement).execute(&mut *connection).await?;
    }
    Ok(())
}

fn code(error: &sqlx::Error) -> String {
    error.as_database_error().unwrap().code().unwrap().into_owned()
}

/// The other connection lets go after the second attempt.
#[retry(
    base_ms = 1,
    max = 5,
    on_retry = |event| {
        assert_eq!(code(event.error()), "5");
        attempts.fetch_add(1, Ordering::Relaxed);
    },
    attempt = attempt
)]
async fn add(
    connection: &mut SqliteConnection,
    other: &mut SqliteConnection,
    attempts: &AtomicU32,
) -> Result<(), sqlx::Error> {
    if attempt.number() == 3 {
        run(other, &["COMMIT"]).await?;
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query("UPDATE total SET number = number + 1").execute(&mut *transaction).await?;
    transaction.commit().await
}

#[tokio::test]
async fn two_writers() {
    let file = File::new("writers");
    let mut one = file.connect(SqliteJournalMode::Delete).await;
    let mut two = file.connect(SqliteJournalMode::Delete).await;
    run(&mut one, &["CREATE TABLE total (number)", "INSERT INTO total VALUES (0)"]).await.unwrap();
    run(&mut one, &["BEGIN IMMEDIATE", "UPDATE total SET number = number + 1"]).await.unwrap();
    let attempts = AtomicU32::new(0);
    add(&mut two, &mut one, &attempts).await.unwrap();
    let number: i64 = sqlx::query_scalar("SELECT number FROM total").fetch_one(&mut two).await.unwrap();
    assert_eq!((number, attempts.into_inner()), (2, 2));
}

#[tokio::test]
async fn a_snapshot_that_is_too_old() {
    let file = File::new("snapshot");
    let mut one = file.connect(SqliteJournalMode::Wal).await;
    let mut two = file.connect(SqliteJournalMode::Wal).await;
    run(&mut one, &["CREATE TABLE total (number)", "INSERT INTO total VALUES (0)"]).await.unwrap();
    run(&mut two, &["BEGIN", "SELECT number FROM total"]).await.unwrap();
    run(&mut one, &["UPDATE total SET number = 1"]).await.unwrap();
    let error = run(&mut two, &["UPDATE total SET number = 2"]).await.unwrap_err();
    assert_eq!(code(&error), "517", "{error:?}");
    assert!(error.is_retryable() && !error.is_unprocessed());
}

#[tokio::test]
async fn a_locked_table() {
    let options = || {
        let url = format!("file:locked-{}?mode=memory&cache=shared", std::process::id());
        SqliteConnectOptions::new().filename(url).shared_cache(true).busy_timeout(Duration::ZERO)
    };
    let mut one = options().connect().await.unwrap();
    let mut two = options().connect().await.unwrap();
    run(&mut one, &["CREATE TABLE total (number)", "BEGIN", "INSERT INTO total VALUES (0)"]).await.unwrap();
    let error = run(&mut two, &["SELECT number FROM total"]).await.unwrap_err();
    assert_eq!(code(&error), "262", "{error:?}");
    assert!(error.is_retryable() && !error.is_unprocessed());
}

#[tokio::test]
async fn errors_that_stay() {
    let mut one = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    run(&mut one, &["CREATE TABLE once (number UNIQUE)", "INSERT INTO once VALUES (1)"]).await.unwrap();
    for statement in [&["INSERT INTO once VALUES (1)"][..], &["SELEKT 1"], &["SELECT * FROM nowhere"]] {
        let statement: &'static [&'static str] = statement;
        let error = run(&mut one, statement).await.unwrap_err();
        assert!(!error.is_retryable() && !error.is_unprocessed(), "{error:?}");
    }
}

#[tokio::test]
async fn an_attempt_that_was_cut() {
    #[retry(base_ms = 1, max = 1, attempt_timeout_ms = 20)]
    async fn never() -> Result<(), sqlx::Error> {
        std::future::pending().await
    }

    let error = never().await.unwrap_err();
    assert!(matches!(&error, sqlx::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut));
    assert!(error.is_retryable() && !error.is_unprocessed());
}
