//! What somebody may have meant: the nearest of our names, and ours for the words of other libraries.

/// The known name that differs least, where the difference is small enough to be a slip.
pub(crate) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let allowed = (written.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (distance(written, name), *name))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= allowed)
        .map(|(_, name)| name)
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

/// What a setting of another library is called here, and what differs.
pub(crate) fn foreign_key(written: &str) -> Option<&'static str> {
    Some(match written {
        "attempts" | "max_attempts" | "tries" | "stop_after_attempt" => {
            "`max` counts the retries after the first attempt, so `attempts = 3` is `max = 2`"
        }
        "retries" | "max_retries" | "times" | "limit" | "max_times" => "the number of retries is `max = 5`",
        "base_delay_ms" | "delay_ms" | "initial_delay_ms" | "min_delay_ms" | "initial_interval_ms" => {
            "the first window is `base_ms = 200`"
        }
        "base_delay" | "delay" | "initial_delay" | "min_delay" | "wait" | "initial_interval" => {
            "the first window is `base = \"200ms\"` or `base_ms = 200`; `factor = 1` keeps it constant"
        }
        "max_delay_ms" | "max_interval_ms" | "max_backoff_ms" => "the largest window is `cap_ms = 10_000`",
        "max_delay" | "max_interval" | "max_backoff" => {
            "the largest window is `cap = \"10s\"` or `cap_ms = 10_000`"
        }
        "timeout" | "max_duration" | "total_delay" | "max_elapsed_time" | "max_total_delay"
        | "total_timeout" => {
            "the limit on the whole call is `deadline = \"5s\"`; it is checked before each wait and interrupts no attempt"
        }
        "timeout_ms" | "max_duration_ms" | "total_delay_ms" | "max_elapsed_time_ms" | "total_timeout_ms" => {
            "the limit on the whole call is `deadline_ms = 5_000`; it is checked before each wait and interrupts no attempt"
        }
        "retry_if" | "retry_on" | "retry_for" | "retry_when" | "condition" | "predicate" => {
            "which errors deserve a retry is `on = a_function` of `&E`; `when` judges the whole returned value"
        }
        "jitter" | "backoff" => {
            "jitter is part of the strategy: `strategy = \"full\"`, the default, has the widest spread"
        }
        "multiplier" | "exponent" | "exponential_base" | "growth" => {
            "the growth of the window is `factor = 2`"
        }
        "notify" | "on_error" | "before_sleep" | "callback" => {
            "`on_retry = a_function` is called before each wait"
        }
        "fallback" | "recover" | "on_failure" | "on_exhausted" => {
            "the last outcome is returned untouched; `on_give_up = a_function` is told, and a fallback belongs to the caller"
        }
        "max_ms" => "the largest window is `cap_ms = 10_000`, the number of retries `max = 5`",
        _ => return None,
    })
}

/// What a strategy of another library is called here.
pub(crate) fn foreign_name(written: &str) -> Option<&'static str> {
    Some(match written {
        "exponential" | "expo" | "exponential_backoff" => {
            "every strategy grows exponentially; without jitter it is `\"none\"`, with jitter `\"full\"`"
        }
        "fixed" | "constant" | "fixed_interval" => {
            "a constant wait is `strategy = \"none\"` with `factor = 1`"
        }
        "fibonacci" | "linear" | "incremental" => {
            "`factor = 1.5` grows more slowly than doubling; for another sequence write a function of `&Draw`"
        }
        "jitter" | "full_jitter" | "random" | "randomized" => "that is `\"full\"`",
        "equal_jitter" | "half" => "that is `\"equal\"`",
        "decorrelated_jitter" => "that is `\"decorrelated\"`",
        _ => return None,
    })
}
