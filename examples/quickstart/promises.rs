//! What was promised, held against what the hooks were told and what the server saw.

use crate::server::Server;
use crate::{Calls, DEADLINE, Outcome, PaymentError};
use retry_runtime::{DelaySource, StopReason};
use std::time::Duration;

struct Promise {
    text: &'static str,
    kept: bool,
    seen: String,
}

/// Prints every promise with what was seen, and says whether all were kept.
pub(crate) fn kept(calls: &Calls, server: &Server, elapsed: Duration) -> bool {
    let promises = [
        recovery(&calls.quote, server),
        reset(&calls.balance, server),
        hint(&calls.charge, server),
        one_key(server),
        blocking(&calls.receipt, server),
        at_once(&calls.account, server),
        no_patience(&calls.statement, server),
        deadline(&calls.settlement, server),
        alerts(calls),
        Promise {
            text: "all within ten seconds",
            kept: elapsed < Duration::from_secs(10),
            seen: format!("{} ms", elapsed.as_millis()),
        },
    ];
    println!();
    for Promise { text, kept, seen } in &promises {
        let (mark, note) = if *kept { ("✓", "") } else { ("✗", " - not as promised") };
        println!("{mark} {text:<35} {seen}{note}");
    }
    promises.iter().all(|promise| promise.kept)
}

fn recovery(quote: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/quote").len();
    let windows = [200, 400].map(Duration::from_millis);
    let inside = quote.delays().iter().zip(windows).all(|(delay, window)| *delay <= window);
    let backoff = quote.facts.waits.iter().all(|wait| wait.source == DelaySource::Backoff);
    Promise {
        text: "503 twice, then recovered",
        kept: quote.outcome.is_ok() && quote.attempts() == 3 && requests == 3 && inside && backoff,
        seen: format!("{requests} requests, waits of {} ms", millis(&quote.delays())),
    }
}

fn reset(balance: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/balance").len();
    let causes: Vec<_> = balance.facts.waits.iter().map(|wait| wait.after.as_str()).collect();
    Promise {
        text: "a reset connection is retried",
        kept: balance.outcome.is_ok() && requests == 3 && causes == ["connection reset"; 2],
        seen: format!("{requests} requests, {}", causes.join(", ")),
    }
}

fn hint(charge: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/charge");
    let gap = requests.last().zip(requests.first()).map_or(Duration::ZERO, |(b, a)| b.at - a.at);
    let second = Duration::from_secs(1);
    let spread = match charge.facts.waits.as_slice() {
        [wait] if wait.source == DelaySource::Hint => wait.delay.checked_sub(second),
        _ => None,
    };
    let inside = spread.is_some_and(|spread| !spread.is_zero() && spread <= second / 2);
    Promise {
        text: "Retry-After obeyed, plus a spread",
        kept: charge.outcome.is_ok() && requests.len() == 2 && gap >= second && inside,
        seen: format!("{} ms between the requests", gap.as_millis()),
    }
}

fn one_key(server: &Server) -> Promise {
    let keys: Vec<_> = server.seen("/charge").into_iter().map(|request| request.idempotency_key).collect();
    Promise {
        text: "one idempotency key per charge",
        kept: matches!(keys.as_slice(), [Some(first), Some(second)] if first == second),
        seen: keys.first().cloned().flatten().unwrap_or_default(),
    }
}

fn blocking(receipt: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/receipt").len();
    Promise {
        text: "a blocking method is retried too",
        kept: receipt.outcome.is_ok() && receipt.attempts() == 2 && requests == 2,
        seen: format!("{requests} requests"),
    }
}

fn at_once(account: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/account").len();
    Promise {
        text: "400 returned at once",
        kept: refused(account) == Some(400) && account.facts.waits.is_empty() && requests == 1,
        seen: format!("{requests} request"),
    }
}

fn no_patience(statement: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/statement").len();
    Promise {
        text: "Retry-After of an hour: no wait",
        kept: refused(statement) == Some(503)
            && statement.facts.alerts == [StopReason::RetryAfterTooLong]
            && requests == 1,
        seen: format!("{:?}, {requests} request", statement.facts.alerts),
    }
}

fn deadline(settlement: &Outcome, server: &Server) -> Promise {
    let requests = server.seen("/settlement");
    let idle = requests.last().map(|request| settlement.ended - request.at);
    // Had a wait been begun and cut short, the call would have ended long after the server's last word.
    let before = idle < settlement.delays().last().copied();
    Promise {
        text: "gave up before a wait too long",
        kept: refused(settlement) == Some(503)
            && settlement.facts.alerts == [StopReason::Deadline]
            && settlement.attempts() == requests.len()
            && settlement.took < DEADLINE
            && before,
        seen: format!(
            "after {} of {} ms, {} requests",
            settlement.took.as_millis(),
            DEADLINE.as_millis(),
            requests.len()
        ),
    }
}

fn alerts(calls: &Calls) -> Promise {
    let Calls { quote, balance, charge, receipt, account, statement, settlement } = calls;
    let quiet = [quote, balance, charge, receipt, account].iter().all(|call| call.facts.alerts.is_empty());
    let rung: Vec<_> = [statement, settlement].iter().flat_map(|call| call.facts.alerts.clone()).collect();
    Promise {
        text: "alert once per call given up",
        kept: quiet && rung.len() == 2,
        seen: format!("{rung:?}"),
    }
}

fn refused(call: &Outcome) -> Option<u16> {
    match &call.outcome {
        Err(PaymentError::Refused { status, .. }) => Some(status.as_u16()),
        _ => None,
    }
}

fn millis(delays: &[Duration]) -> String {
    let millis: Vec<_> = delays.iter().map(|delay| delay.as_millis().to_string()).collect();
    millis.join(" and ")
}
