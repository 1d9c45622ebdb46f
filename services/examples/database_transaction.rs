//! Transfers between accounts under SERIALIZABLE: each transaction commits in the end, and none counts twice.
//!
//! ```text
//! scripts/postgres.sh cargo run -p retry-services --example database_transaction
//! ```
//!
//! The annotated function is the whole transaction, from BEGIN to COMMIT. A single statement must not be repeated:
//! after a conflict its transaction is gone.
//!
//! A connection that is lost during COMMIT leaves the outcome unknown: it may have committed. A repetition would then
//! transfer twice, so each call writes a key of its own (`once`: the same for all its attempts) and does nothing where
//! the key is there already. Without such a key write `on = retry_runtime::unprocessed`: it repeats conflicts and
//! deadlocks, which the database has certainly rolled back, and hands a lost connection to the caller.

use retry_runtime::{Retrying, retry};
use sqlx::postgres::{PgPool, PgPoolOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU32, Ordering};

static CONFLICTS: AtomicU32 = AtomicU32::new(0);

#[retry(base_ms = 5, max = 20, deadline = "10s", once(key = new_key()), on_retry = count)]
async fn transfer(pool: &PgPool, from: i32, to: i32, amount: i64) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin_with("BEGIN ISOLATION LEVEL SERIALIZABLE").await?;
    let new = sqlx::query("INSERT INTO transfers VALUES ($1) ON CONFLICT DO NOTHING").bind(&key);
    if new.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(()); // an earlier attempt has committed, and only its answer was lost
    }
    let held: i64 = sqlx::query_scalar("SELECT amount FROM accounts WHERE id = $1")
        .bind(from)
        .fetch_one(&mut *transaction)
        .await?;
    let amount = amount.min(held);
    for (account, change) in [(from, -amount), (to, amount)] {
        sqlx::query("UPDATE accounts SET amount = amount + $2 WHERE id = $1")
            .bind(account)
            .bind(change)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await
}

fn count(_: &Retrying<'_, sqlx::Error>) {
    CONFLICTS.fetch_add(1, Ordering::Relaxed);
}

fn new_key() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Ok(url) = std::env::var("DATABASE_URL") else {
        println!("This needs a PostgreSQL server. One of its own, for as long as it runs:");
        println!("    scripts/postgres.sh cargo run -p retry-services --example database_transaction");
        println!("An existing one (the tables `accounts` and `transfers` are replaced):");
        println!("    DATABASE_URL=postgres://… cargo run -p retry-services --example database_transaction");
        return Ok(());
    };
    let pool = PgPoolOptions::new().max_connections(4).connect(&url).await?;
    for statement in [
        "DROP TABLE IF EXISTS accounts, transfers",
        "CREATE TABLE accounts (id int PRIMARY KEY, amount bigint NOT NULL CHECK (amount >= 0))",
        "CREATE TABLE transfers (key text PRIMARY KEY)",
        "INSERT INTO accounts VALUES (1, 1000), (2, 1000), (3, 1000)",
    ] {
        sqlx::query(statement).execute(&pool).await?;
    }
    let tasks: Vec<_> = (0..4)
        .map(|task| {
            let pool = pool.clone();
            tokio::spawn(async move {
                for round in 0..10 {
                    let from = (task + round) % 3;
                    transfer(&pool, 1 + from, 1 + (from + 1) % 3, 70).await?;
                }
                Ok::<(), sqlx::Error>(())
            })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    let sum: i64 = sqlx::query_scalar("SELECT sum(amount)::bigint FROM accounts").fetch_one(&pool).await?;
    let made: i64 = sqlx::query_scalar("SELECT count(*) FROM transfers").fetch_one(&pool).await?;
    println!("{made} of 40 transfers, {} conflicts, sum {sum}", CONFLICTS.load(Ordering::Relaxed));
    assert_eq!((made, sum), (40, 3_000));
    Ok(())
}
