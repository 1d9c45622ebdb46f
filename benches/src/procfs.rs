//! What the kernel tells about this process.

/// Bytes of `VmRSS` (now) or `VmHWM` (at most).
///
/// # Panics
/// Where there is no such kernel.
#[must_use]
pub fn memory(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the measurements need Linux");
    let line = status.lines().find(|line| line.starts_with(key)).expect("the kernel knows the key");
    let kilobytes: u64 = line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number");
    kilobytes * 1024
}

/// CPU seconds of this process, and of its children that have ended. A clock tick is ten milliseconds.
///
/// # Panics
/// Where there is no such kernel.
#[must_use]
pub fn cpu_seconds() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the measurements need Linux");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<f64> =
        after_name.split_whitespace().skip(11).take(4).filter_map(|word| word.parse().ok()).collect();
    let [user, system, child_user, child_system] = ticks.as_slice() else { panic!("four numbers") };
    ((user + system) / 100.0, (child_user + child_system) / 100.0)
}
