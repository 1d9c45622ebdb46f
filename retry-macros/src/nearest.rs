//! What somebody may have meant: the nearest of our names, and ours for the words of other libraries.

use syn::{Expr, ExprLit, Lit};

/// The known name that differs least, where the difference is small enough to be a slip.
pub(crate) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let written = plain(written);
    let allowed = (written.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (distance(&written, name), *name))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= allowed)
        .map(|(_, name)| name)
}

/// As we write names: `Max-Retries` is `max_retries`.
fn plain(written: &str) -> String {
    written.to_lowercase().replace(['-', ' '], "_")
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let mut previous = None;
    for (row, letter) in from.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let at = |cells: &[usize], index: usize| cells.get(index).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&last, column) + usize::from(letter != *other);
            let mut best = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = column.checked_sub(1).and_then(|left| to.get(left)) == Some(&letter);
            if swapped && previous == Some(*other) {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = core::mem::replace(&mut last, current);
        previous = Some(letter);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

/// What was written behind a key that we do not have, as far as an answer can use it.
enum Given {
    Number(u64),
    /// A text, with its quotes.
    Text(String),
    Other,
}

impl Given {
    fn of(value: Option<&Expr>) -> Self {
        match value {
            Some(Expr::Lit(ExprLit { lit: Lit::Int(number), .. })) => {
                number.base10_parse().map_or(Self::Other, Self::Number)
            }
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Self::Text(format!("{:?}", text.value())),
            _ => Self::Other,
        }
    }

    /// A count of at least one.
    fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number).filter(|number| *number > 0),
            Self::Text(_) | Self::Other => None,
        }
    }

    /// How a length is written here: as it was given, where that says its unit.
    fn length(&self, key: &str, unit: &str, example: &str) -> String {
        match (self, unit) {
            (Self::Number(number), "ms") => format!("`{key}_ms = {number}`"),
            (Self::Number(number), "s") => format!("`{key} = \"{number}s\"`"),
            (Self::Text(text), "") => format!("`{key} = {text}`"),
            _ => format!("`{key} = \"{example}\"`"),
        }
    }
}

/// What a setting of another library is called here, and what differs.
pub(crate) fn foreign_key(written: &str, value: Option<&Expr>) -> Option<String> {
    let (written, given) = (plain(written), Given::of(value));
    let (stem, unit) = without_unit(&written);
    foreign_length(stem, unit, &given).or_else(|| foreign_count(&written, &given)).or_else(|| {
        let answer = foreign_function(&written).or_else(|| foreign_flag(&written));
        answer.map(str::to_owned).or_else(|| foreign_strategy_key(&written))
    })
}

/// `delay_ms` is `delay` in milliseconds.
fn without_unit(written: &str) -> (&str, &'static str) {
    let units = [
        ("_ms", "ms"),
        ("_millis", "ms"),
        ("_milliseconds", "ms"),
        ("_s", "s"),
        ("_sec", "s"),
        ("_secs", "s"),
        ("_seconds", "s"),
    ];
    units
        .iter()
        .find_map(|(ending, unit)| written.strip_suffix(ending).map(|stem| (stem, *unit)))
        .unwrap_or((written, ""))
}

fn foreign_length(stem: &str, unit: &str, given: &Given) -> Option<String> {
    Some(match stem {
        "max" if unit == "ms" => {
            "the largest window is `cap_ms = 10_000`, the number of retries `max = 5`".to_owned()
        }
        "base" | "base_delay" | "initial_delay" | "min_delay" | "start_delay" | "initial_interval"
        | "initial_backoff" | "min_backoff" | "base_wait" | "min_wait" | "initial_wait" | "base_interval"
        | "backoff_base" | "min" => {
            format!("the first window is {}", given.length("base", unit, "200ms"))
        }
        "delay" | "wait" | "interval" | "sleep_for" | "pause" | "wait_time" | "retry_delay" => {
            let base = given.length("base", unit, "200ms");
            format!("the first window is {base}; `factor = 1` keeps it constant")
        }
        "cap" | "max_delay" | "max_interval" | "max_backoff" | "max_wait" | "delay_limit" | "upper_bound" => {
            format!("the largest window is {}", given.length("cap", unit, "10s"))
        }
        "timeout" => format!(
            "the limit on the whole call is {}, the limit on one attempt {}",
            given.length("deadline", unit, "5s"),
            given.length("attempt_timeout", unit, "1s")
        ),
        "deadline" | "max_duration" | "total_delay" | "max_elapsed_time" | "max_elapsed"
        | "max_total_delay" | "total_timeout" | "overall_timeout" | "stop_after_delay" | "time_limit"
        | "max_time" | "max_total_time" => {
            let deadline = given.length("deadline", unit, "5s");
            format!(
                "the limit on the whole call is {deadline}; it is checked before each wait and interrupts no attempt"
            )
        }
        "attempt_timeout" | "per_attempt_timeout" | "try_timeout" | "per_try_timeout" | "call_timeout" => {
            format!("the limit on one attempt is {}", given.length("attempt_timeout", unit, "1s"))
        }
        "reset_after" | "reset" | "reset_timeout" | "cool_down" | "cooldown" => {
            let reset = given.length("reset_after", unit, "1m");
            format!("what starts the counting anew is an attempt that ran long: {reset}")
        }
        "retry_after_max" | "max_retry_after" | "max_retry_delay" | "retry_after_cap"
        | "retry_after_limit" => {
            format!("the longest hint that is obeyed is {}", given.length("retry_after_max", unit, "60s"))
        }
        _ => return None,
    })
}

fn foreign_count(written: &str, given: &Given) -> Option<String> {
    Some(match written {
        "attempts" | "max_attempts" | "max_attempt" | "tries" | "max_tries" | "stop_after_attempt"
        | "num_attempts" | "attempt_count" | "total_attempts" => match given.count() {
            Some(1) => {
                "`max` counts the retries after the first attempt: a single attempt needs no attribute"
                    .to_owned()
            }
            count => {
                let count = count.unwrap_or(3);
                let retries = count - 1;
                format!(
                    "`max` counts the retries after the first attempt, so `{written} = {count}` is `max = {retries}`"
                )
            }
        },
        "retries" | "max_retries" | "max_retry" | "times" | "max_times" | "limit" | "count" | "n"
        | "retry_count" | "num_retries" | "retry_limit" => {
            format!("the number of retries is `max = {}`", given.count().unwrap_or(5))
        }
        _ => return None,
    })
}

fn foreign_function(written: &str) -> Option<&'static str> {
    Some(match written {
        "retry_if" | "retry_on" | "retry_for" | "retry_when" | "retry_if_err" | "condition" | "predicate"
        | "filter" | "should_retry" | "is_retryable" | "retryable" | "if_err" | "errors" | "exceptions"
        | "classify" => {
            "which errors deserve a retry is `on = a_function` of `&E`; `when = a_function` judges the whole returned value"
        }
        "retry_if_result" | "retry_on_result" | "retry_if_ok" | "on_result" | "until" | "while_"
        | "result" => {
            "`when = a_function` judges the whole returned value: it answers `true` for one that deserves a retry"
        }
        "abort_if" | "abort_on" | "stop_if" | "stop_on" | "ignore" | "unless" | "no_retry_for"
        | "permanent" | "fatal" | "non_retryable" | "not_retryable" => {
            "`on` asks the opposite, which errors deserve a retry: `on = |e| !is_permanent(e)`"
        }
        "notify" | "on_error" | "before_sleep" | "before_retry" | "callback" | "hook" | "listener"
        | "on_attempt" | "after_attempt" | "log" | "inspect" => {
            "`on_retry = a_function` is called before each wait"
        }
        "fallback" | "recover" | "recovery" | "on_failure" | "on_exhausted" | "or_else" | "default" => {
            "the last outcome is returned untouched; `on_give_up = a_function` is told, and a fallback belongs to the caller"
        }
        "timer" | "sleeper" | "delay_fn" | "sleep_fn" => {
            "another timer is `sleep = a_function` of the `Duration` to wait"
        }
        "runtime" | "executor" => {
            "the timer follows the features of `retry-runtime` and `sleep`; a renamed or re-exported runtime is `crate = its::path`"
        }
        _ => return None,
    })
}

fn foreign_flag(written: &str) -> Option<&'static str> {
    Some(match written {
        "jitter"
        | "with_jitter"
        | "backoff"
        | "rand"
        | "randomize"
        | "jitter_factor"
        | "randomization_factor"
        | "max_jitter" => {
            "jitter is part of the strategy: `strategy = \"full\"`, the default, has the widest spread, `\"none\"` has none"
        }
        "multiplier" | "exponent" | "exponential_base" | "exp_base" | "growth" | "backoff_factor"
        | "growth_factor" | "rate" => "the growth of the window is `factor = 2`",
        "unlimited" | "forever" | "infinite" | "indefinitely" => {
            "retries without end are `max = unlimited`, with a `deadline`, a `budget` or a `cancel` beside it"
        }
        "respect_retry_after" | "honor_retry_after" | "use_retry_after" | "retry_after_header" => {
            "the server's hint is obeyed where the error's `Retryable` has one; `retry_after = a_function` finds it elsewhere"
        }
        "circuit_breaker" | "breaker" | "throttle" | "rate_limit" => {
            "what protects a failing service is a shared limit on retries: `budget = A_STATIC_BUDGET`"
        }
        "enabled" | "disabled" | "disable" => {
            "retries are turned off for the whole process by `retry_runtime::set_enabled(false)`"
        }
        "idempotency_key" | "request_id" => {
            "a value that is made once per call is `once(key = …)`; each attempt sees the same"
        }
        "config" | "options" | "settings" => "settings made elsewhere are `policy = a_policy`",
        _ => return None,
    })
}

/// A strategy where a key should stand.
fn foreign_strategy_key(written: &str) -> Option<String> {
    if ["none", "full", "equal", "decorrelated", "plus_minus", "smooth"].contains(&written) {
        return Some(format!("a strategy is written `strategy = \"{written}\"`"));
    }
    foreign_name(written).map(str::to_owned)
}

/// What a strategy or a mode of another library is called here.
pub(crate) fn foreign_name(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
        "exponential" | "expo" | "exponential_backoff" | "exponential_jitter" => {
            "every strategy grows exponentially; without jitter it is `strategy = \"none\"`, with jitter `\"full\"`"
        }
        "fixed" | "constant" | "fixed_interval" | "fixed_delay" | "static" => {
            "a constant wait is `strategy = \"none\"` with `factor = 1`"
        }
        "fibonacci" | "linear" | "incremental" | "polynomial" => {
            "`factor = 1.5` grows more slowly than doubling; for another sequence write a function of `&Draw`"
        }
        "jitter" | "full_jitter" | "random" | "randomized" | "uniform" => "that is `strategy = \"full\"`",
        "equal_jitter" | "half" | "half_jitter" => "that is `strategy = \"equal\"`",
        "decorrelated_jitter" | "decorrelated_jitter_v2" => "that is `strategy = \"decorrelated\"`",
        "no_jitter" | "exact" => "that is `strategy = \"none\"`",
        "polly" | "smooth_jitter" => "that is `strategy = \"smooth\"`",
        _ => return None,
    })
}

/// What a mode might have been called.
pub(crate) fn foreign_mode(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
        "min" | "minimum" | "at_least" | "add" | "max" => {
            "a wait of at least the hint is `\"floor\"`, the default"
        }
        "exact" | "override" | "only" | "use" => "a wait of exactly the hint is `\"replace\"`",
        "cap" | "at_most" | "limit" | "maximum" => "a wait of at most the hint is `\"ceiling\"`",
        "none" | "ignore" | "off" => "a hint is ignored with `retry_after = none`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn slips_are_counted() {
        let slips = [
            ("base", "base", 0),
            ("bsae", "base", 1),
            ("bas", "base", 1),
            ("bases", "base", 1),
            ("", "cap", 3),
        ];
        for (from, to, slips) in slips {
            assert_eq!((from, to, distance(from, to)), (from, to, slips));
            assert_eq!((to, from, distance(to, from)), (to, from, slips));
        }
    }

    #[test]
    fn only_a_slip_is_answered() {
        let known = ["base_ms", "base", "max", "on"];
        let answers = [
            ("bsae_ms", Some("base_ms")),
            ("MAX", Some("max")),
            ("no", Some("on")),
            ("colour", None),
            ("", None),
        ];
        for (written, answer) in answers {
            assert_eq!((written, nearest(written, &known)), (written, answer));
        }
    }
}
