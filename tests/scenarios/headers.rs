//! What the texts of `Retry-After` and its relatives mean, a minute before December.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, HeaderName, HeaderValue};
use retry_runtime::http::{parse_retry_after, retry_after_at};

use crate::support::{ms, secs};

/// 30 November 2026, 23:59:00 GMT.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_796_083_140)
}

#[track_caller]
fn assert_each(texts: &[&str], hint: Option<Duration>) {
    for text in texts {
        assert_eq!(parse_retry_after(text, now()), hint, "{text:?}");
    }
}

/// The hint of a response with these header lines.
fn response(lines: &[(&'static str, &str)]) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    retry_after_at(&headers, now())
}

#[test]
fn what_is_outside_the_grammar_is_absent() {
    let texts = [
        "-1",
        "-0",
        "-3600",
        "",
        "soon",
        "NaN",
        "inf",
        "-inf",
        "1e3",
        "12 seconds",
        "PT5S",
        "5s",
        "1;2",
        "null",
    ];
    assert_each(&texts, None);
}

#[test]
fn fractions_are_rounded_up_to_the_millisecond() {
    assert_each(&["1.5"], Some(ms(1_500)));
    assert_each(&["0.1"], Some(ms(100)));
    assert_each(&["2.0"], Some(ms(2_000)));
    assert_each(&["59.999999999"], Some(ms(60_000)));
    assert_each(&["1.0001"], Some(ms(1_001)));
}

#[test]
fn fractions_finer_than_a_millisecond_are_never_nothing() {
    assert_each(&["0.0001", "0.0000000001"], Some(ms(1)));
}

#[test]
fn a_point_without_digits_on_both_sides_is_absent() {
    assert_each(&[".", "1.", ".5", "1.5.2"], None);
}

#[test]
fn a_date_is_the_time_until_then() {
    assert_each(&["Tue, 01 Dec 2026 00:00:00 GMT"], Some(secs(60)));
    assert_each(&["Tue, 01 Dec 2026 23:59:00 GMT"], Some(secs(86_400)));
}

#[test]
fn a_date_counts_from_the_time_that_the_response_gives() {
    let lines = [("retry-after", "Tue, 01 Dec 2026 00:00:00 GMT"), ("date", "Mon, 30 Nov 2026 23:58:00 GMT")];
    assert_eq!(response(&lines), Some(secs(120)));
}

#[test]
fn the_obsolete_forms_of_a_date_are_read_as_well() {
    assert_each(&["Tuesday, 01-Dec-26 00:00:00 GMT", "Tue Dec  1 00:00:00 2026"], Some(secs(60)));
}

#[test]
fn blanks_around_a_value_and_zeros_before_it_are_ignored() {
    let texts = [" 120", "120 ", "  120  ", "\t120\t", "0120", "00000000000000000000000120"];
    assert_each(&texts, Some(secs(120)));
    assert_each(&[" Tue, 01 Dec 2026 00:00:00 GMT "], Some(secs(60)));
}

#[test]
fn blanks_alone_and_blanks_inside_are_absent() {
    assert_each(&[" ", "\t", "1 20", "12\u{0}0"], None);
}

#[test]
fn of_several_lines_the_latest_time_holds() {
    let both = |first, second| response(&[("retry-after", first), ("retry-after", second)]);
    assert_eq!(both("5", "60"), Some(secs(60)));
    assert_eq!(both("60", "5"), Some(secs(60)));
    assert_eq!(both("5", "Tue, 01 Dec 2026 00:00:00 GMT"), Some(secs(60)));
    assert_eq!(both("soon", "60"), Some(secs(60)));
}

#[test]
fn several_values_in_one_line_are_absent() {
    assert_each(&["5, 60", "5,60", "60, 5"], None);
}

#[test]
fn the_forms_in_milliseconds_win() {
    assert_eq!(response(&[("retry-after", "60"), ("retry-after-ms", "250")]), Some(ms(250)));
    assert_eq!(response(&[("retry-after", "60"), ("x-ms-retry-after-ms", "250")]), Some(ms(250)));
}
