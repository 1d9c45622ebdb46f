//! Whatever a server sends as a hint: never a panic, and never a hint that is shorter than what was meant.
#![no_main]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;
use retry_runtime::http::{parse_retry_after, retry_after_at, should_retry};

const NAMES: [&str; 5] = ["retry-after", "retry-after-ms", "x-ms-retry-after-ms", "date", "x-should-retry"];

// A line is a byte that picks the name, the value, and a line feed.
fuzz_target!(|data: &[u8]| {
    let now = UNIX_EPOCH + Duration::from_secs(1_796_083_140);
    let mut headers = HeaderMap::new();
    for line in data.split(|byte| *byte == b'\n') {
        let Some((name, value)) = line.split_first() else { continue };
        check(value, now);
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(NAMES[usize::from(*name) % NAMES.len()], value);
        }
    }
    let hint = retry_after_at(&headers, now);
    let _ = should_retry(&headers);
    // Without the milliseconds and the response's own date, of several lines the latest time holds.
    if ["retry-after-ms", "x-ms-retry-after-ms", "date"].iter().all(|name| !headers.contains_key(*name)) {
        let each = headers.get_all("retry-after").iter().map(|value| parse_retry_after(value, now));
        assert_eq!(hint, each.max().flatten());
    }
});

/// Against `httpdate` and the numbers of the standard library.
fn check(value: &[u8], now: SystemTime) {
    let hint = parse_retry_after(value, now);
    let Some(text) = std::str::from_utf8(value).ok().map(|text| text.trim_matches([' ', '\t'])) else {
        assert_eq!(hint, None);
        return;
    };
    let number =
        text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then(|| text.parse::<f64>().ok());
    match (hint, number.flatten()) {
        (Some(hint), Some(number)) => assert!(hint.as_secs_f64() >= number.min(1.8e19) * (1.0 - 1e-15)),
        (Some(hint), None) => {
            let date = httpdate::parse_http_date(text).expect("a hint is a number or a date");
            assert_eq!(hint, date.duration_since(now).unwrap_or_default());
        }
        // What the standard library reads besides: no digits on one side of the point.
        (None, Some(_)) => assert!(text.starts_with('.') || text.ends_with('.')),
        (None, None) => {}
    }
}
