//! Reading Retry-After and its relatives: what is a hint, how long it is, and which of several holds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, HeaderName, HeaderValue, Response};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use retry_runtime::http::{parse_retry_after, retry_after, retry_after_at};
use retry_runtime::{Failure, Policy, Retryable, Run, Step, StopReason, Strategy as Named};

/// 30 November 2026, 23:59:00 GMT: a minute before December.
const NOW: u64 = 1_796_083_140;

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW)
}

fn read(value: &str) -> Option<Duration> {
    parse_retry_after(value, now())
}

#[allow(clippy::unnecessary_wraps, reason = "a hint as it is returned")]
fn ms(millis: u64) -> Option<Duration> {
    Some(Duration::from_millis(millis))
}

fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
    let line = |&(name, value): &(&'static str, &str)| {
        (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap())
    };
    let mut map = HeaderMap::new();
    for (name, value) in lines.iter().map(line) {
        map.append(name, value);
    }
    map
}

fn at(lines: &[(&'static str, &str)]) -> Option<Duration> {
    retry_after_at(&headers(lines), now())
}

#[test]
fn values() {
    let table = [
        // whole seconds
        ("0", ms(0)),
        ("1", ms(1_000)),
        ("120", ms(120_000)),
        ("0120", ms(120_000)),
        ("00000000000000000000000120", ms(120_000)),
        ("9999999999", ms(9_999_999_999_000)),
        // fractions, rounded up to the millisecond
        ("1.5", ms(1_500)),
        ("0.1", ms(100)),
        ("2.0", ms(2_000)),
        ("59.999999999", ms(60_000)),
        ("0.0001", ms(1)),
        ("0.0000000001", ms(1)),
        ("1.0001", ms(1_001)),
        ("1.0010", ms(1_001)),
        ("1.00100000000000000000000000000000000000000000000001", ms(1_002)),
        ("0.000", ms(0)),
        // spaces and tabs around the value
        (" 120", ms(120_000)),
        ("120 ", ms(120_000)),
        ("  120  ", ms(120_000)),
        ("\t120\t", ms(120_000)),
        (" \t 1.5 \t ", ms(1_500)),
        // dates in the three forms
        ("Tue, 01 Dec 2026 00:00:00 GMT", ms(60_000)),
        (" Tue, 01 Dec 2026 00:00:00 GMT ", ms(60_000)),
        ("Tue, 01 Dec 2026 23:59:00 GMT", ms(86_400_000)),
        ("Tuesday, 01-Dec-26 00:00:00 GMT", ms(60_000)),
        ("Tue Dec  1 00:00:00 2026", ms(60_000)),
        // dates that have gone by
        ("Mon, 30 Nov 2026 23:59:00 GMT", ms(0)),
        ("Mon, 30 Nov 2026 23:58:59 GMT", ms(0)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", ms(0)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", ms(0)),
    ];
    for (value, hint) in table {
        assert_eq!(read(value), hint, "{value:?}");
    }
}

#[test]
fn what_is_no_hint() {
    let signs_and_words =
        ["-1", "-0", "+1", "-3600", "soon", "NaN", "inf", "-inf", "null", "1e3", "0x10", "1_000"];
    let units_and_lists =
        ["12 seconds", "PT5S", "5s", "1;2", "5, 60", "5,60", "60, 5", "1 20", "\"5\"", "5%"];
    let points = [".", "1.", ".5", "1.5.2", "1..5", "1,5", "1.-5", "1. 5", "1 .5", "1.5e3"];
    let blanks =
        ["", " ", "\t", " \t ", "12\u{0}0", "\u{a0}5", "\u{2003}5", "\n5", "5\r", "\u{b}5", "5\u{c}"];
    let digits_of_others = ["\u{661}\u{662}", "\u{ff11}", "\u{b2}"];
    let dates = [
        "Tue, 01 Dec 2026 00:00:00 UTC",
        "Tue, 01 Dec 2026 00:00:00 +0000",
        "Tue, 01 Dec 2026 00:00:00 CET",
        "Tue, 01 Dec 2026 00:00:00",
        "Tue, 31 Feb 2026 00:00:00 GMT",
        "Wed, 01 Dec 2026 00:00:00 GMT", // it is a Tuesday
        "Tue, 01 Dec 2026 24:00:00 GMT",
        "Tue, 01 Dec 2026 00:60:00 GMT",
        "Tue, 1 Dec 2026 00:00:00 GMT",
        "2026-12-01T00:00:00Z",
        "\nTue, 01 Dec 2026 00:00:00 GMT",
        "Tue, 01 Dec 2026 00:00:00 GMT\u{b}",
        "Tue, 01 Dec 2026 00:00:00 GMT, Tue, 01 Dec 2026 00:00:00 GMT",
        "Fri, 31 Dec 0000 23:59:59 GMT",
        "Thu, 01 Jan 1970 00:00:60 GMT",
    ];
    let all = [&signs_and_words[..], &units_and_lists, &points, &blanks, &digits_of_others, &dates].concat();
    for value in all {
        assert_eq!(read(value), None, "{value:?}");
    }
}

#[test]
fn numbers_too_large_for_the_type_are_the_largest_duration() {
    assert_eq!(read(&u64::MAX.to_string()), Some(Duration::from_secs(u64::MAX)));
    assert_eq!(read("18446744073709551615.5"), Some(Duration::new(u64::MAX, 500_000_000)));
    assert_eq!(read("18446744073709551615.9999"), Some(Duration::MAX));
    for digits in [38, 39, 40, 99] {
        let value = "9".repeat(digits);
        assert_eq!(read(&value), Some(Duration::MAX), "{digits} digits");
        assert_eq!(at(&[("retry-after-ms", &value)]), Some(Duration::MAX), "{digits} digits");
    }
    assert_eq!(read("18446744073709551616"), Some(Duration::MAX));
    assert_eq!(
        read("340282366920938463463374607431768212"),
        Some(Duration::MAX),
        "in milliseconds above 2^128"
    );
    assert_eq!(at(&[("retry-after-ms", "18446744073709551616000")]), Some(Duration::MAX));
    assert_eq!(at(&[("retry-after-ms", "18446744073709551615")]), Some(Duration::from_millis(u64::MAX)));
}

#[test]
fn a_megabyte_is_read_once() {
    let megabyte = |text: &str| text.repeat((1 << 20) / text.len());
    assert_eq!(read(&megabyte("9")), Some(Duration::MAX));
    assert_eq!(read(&(megabyte("0") + "5")), ms(5_000));
    assert_eq!(read(&format!("1.{}", megabyte("0"))), ms(1_000));
    assert_eq!(read(&format!("1.{}1", megabyte("0"))), ms(1_001));
    assert_eq!(read(&format!("{0}5{0}", megabyte(" "))), ms(5_000));
    for nothing in [" ", ".", "5 ", "x", "\u{e9}", "Tue, 01 Dec 2026 00:00:00 GMT"] {
        assert_eq!(read(&megabyte(nothing)), None, "{nothing:?}");
    }
}

#[test]
fn of_several_lines_the_latest_time_holds() {
    let date = "Tue, 01 Dec 2026 00:00:00 GMT";
    for (first, second, hint) in [
        ("5", "60", ms(60_000)),
        ("60", "5", ms(60_000)),
        ("5", date, ms(60_000)),
        (date, "61", ms(61_000)),
        ("soon", "60", ms(60_000)),
        ("60", "-1", ms(60_000)),
        ("soon", "later", None),
    ] {
        assert_eq!(at(&[("retry-after", first), ("retry-after", second)]), hint, "{first}, {second}");
    }
    assert_eq!(at(&[]), None);
    assert_eq!(at(&[("x-retry-after", "5")]), None);
}

#[test]
fn the_forms_in_milliseconds_win() {
    for name in ["retry-after-ms", "x-ms-retry-after-ms"] {
        assert_eq!(at(&[("retry-after", "60"), (name, "250")]), ms(250));
        assert_eq!(at(&[(name, "0"), ("retry-after", "60")]), ms(0));
        assert_eq!(at(&[(name, " 250\t")]), ms(250));
        assert_eq!(at(&[(name, "250.1")]), ms(251), "rounded up");
        // What cannot be read does not win.
        for other in ["-1", "soon", "", "250ms", "Tue, 01 Dec 2026 00:00:00 GMT"] {
            assert_eq!(at(&[(name, other), ("retry-after", "60")]), ms(60_000), "{other}");
            assert_eq!(at(&[(name, other)]), None, "{other}");
        }
        assert_eq!(at(&[(name, "100"), (name, "300"), (name, "200")]), ms(300));
    }
    assert_eq!(at(&[("retry-after-ms", "100"), ("x-ms-retry-after-ms", "300")]), ms(300));
    assert_eq!(at(&[("retry-after-ms", "400"), ("x-ms-retry-after-ms", "300")]), ms(400));
}

#[test]
fn a_date_counts_from_the_date_of_the_response() {
    let date = ("retry-after", "Tue, 01 Dec 2026 00:00:00 GMT");
    for (response, hint) in [
        ("Mon, 30 Nov 2026 23:58:00 GMT", ms(120_000)),
        ("Monday, 30-Nov-26 23:58:00 GMT", ms(120_000)),
        ("Tue, 01 Dec 2026 00:00:01 GMT", ms(0)),
        // Not readable: the wall clock.
        ("yesterday", ms(60_000)),
        ("60", ms(60_000)),
    ] {
        assert_eq!(at(&[date, ("date", response)]), hint, "{response}");
    }
    // Whatever time it is here.
    let skewed = [date, ("date", "Mon, 30 Nov 2026 23:58:00 GMT")];
    assert_eq!(retry_after(&headers(&skewed)), ms(120_000));
    // Seconds have nothing to do with it.
    assert_eq!(at(&[("retry-after", "5"), ("date", "Mon, 30 Nov 2026 23:58:00 GMT")]), ms(5_000));
    // Of two dates the one that makes the longer hint.
    let two = [date, ("date", "Mon, 30 Nov 2026 23:58:00 GMT"), ("date", "Mon, 30 Nov 2026 23:59:30 GMT")];
    assert_eq!(at(&two), ms(120_000));
}

#[test]
fn the_wall_clock_counts_below_the_second() {
    let just_before = now() + Duration::from_millis(59_001);
    assert_eq!(parse_retry_after("Tue, 01 Dec 2026 00:00:00 GMT", just_before), ms(999));
    assert_eq!(parse_retry_after("Tue, 01 Dec 2026 00:00:00 GMT", now() + Duration::from_secs(60)), ms(0));
}

#[test]
fn a_response_gives_its_hint() {
    let response = Response::builder().status(503).header("retry-after", "7").body("busy").unwrap();
    assert_eq!(response.retry_after(), ms(7_000));
    assert_eq!(Response::new(()).retry_after(), None);
}

/// What follows a failure with this value in its header.
fn step(policy: Policy, value: &str) -> Step {
    Run::start(policy).failed(Failure::new().retry_after(read(value)))
}

#[test]
fn what_a_call_makes_of_it() {
    let policy = Policy::new().strategy(Named::None).base(Duration::from_millis(300));
    let backoff = Step::Wait(Duration::from_millis(300));
    for value in ["0", "0.0", "soon", "-1", "Mon, 30 Nov 2026 23:58:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"]
    {
        assert_eq!(step(policy, value), backoff, "{value}");
    }
    for value in ["9999999999", "61", "60.0001", "99999999999999999999"] {
        assert_eq!(step(policy, value), Step::GiveUp(StopReason::RetryAfterTooLong), "{value}");
    }
    for value in ["60", "5", "0.001", "Tue, 01 Dec 2026 00:00:00 GMT"] {
        let Step::Wait(delay) = step(policy, value) else { panic!("gave up at {value}") };
        assert!(Some(delay) >= read(value), "{value}: called back after {delay:?}");
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 1_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_a_hint_or_none(value in proptest::collection::vec(any::<u8>(), 0..40), name in 0..4_usize) {
        let _ = parse_retry_after(&value, now());
        let name = ["retry-after", "retry-after-ms", "x-ms-retry-after-ms", "date"][name];
        if let Ok(value) = HeaderValue::from_bytes(&value) {
            let mut map = HeaderMap::new();
            map.append(HeaderName::from_static(name), value);
            map.append("retry-after", HeaderValue::from_static("Tue, 01 Dec 2026 00:00:00 GMT"));
            prop_assert!(retry_after(&map).is_some());
        }
    }

    #[test]
    fn nearly_a_value_is_a_hint_or_none(value in "[-+ \t0-9.,:;eEGMTUCSundayoNovDc]{0,32}") {
        let hint = parse_retry_after(&value, UNIX_EPOCH);
        let text = value.trim_matches([' ', '\t']);
        let date = httpdate::parse_http_date(text).ok();
        let number = text.parse::<f64>().ok().filter(|_| text.bytes().all(|byte| b"0123456789.".contains(&byte)));
        prop_assert!(hint.is_none() || date.is_some() || number.is_some());
        if let (Some(hint), Some(number)) = (hint, number) {
            prop_assert!(hint.as_secs_f64() >= number * (1.0 - 1e-15) && hint.as_secs_f64() <= number * (1.0 + 1e-15) + 0.001);
        }
    }

    #[test]
    fn numbers_are_never_cut_short(seconds in any::<u32>(), fraction in "[0-9]{0,12}") {
        let value = if fraction.is_empty() { seconds.to_string() } else { format!("{seconds}.{fraction}") };
        let picos = format!("{fraction:0<12}").parse::<u64>().unwrap();
        let millis = u64::from(seconds) * 1_000 + picos.div_ceil(1_000_000_000);
        prop_assert_eq!(parse_retry_after(&value, now()), ms(millis));
    }

    #[test]
    fn dates_are_those_of_httpdate(seconds in 0..253_402_300_800_u64, from in 0..4_000_000_000_000_u64) {
        let (date, from) = (UNIX_EPOCH + Duration::from_secs(seconds), UNIX_EPOCH + Duration::from_millis(from));
        let hint = parse_retry_after(httpdate::fmt_http_date(date), from);
        prop_assert_eq!(hint, Some(date.duration_since(from).unwrap_or_default()));
    }

    #[test]
    fn a_broken_date_is_what_httpdate_makes_of_it(seconds in any::<u32>(), place in 0..29_usize, byte in any::<u8>()) {
        let mut value = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds.into())).into_bytes();
        value[place] = byte;
        let date = std::str::from_utf8(&value).ok().and_then(|text| httpdate::parse_http_date(text).ok());
        let hint = date.map(|date| date.duration_since(UNIX_EPOCH).unwrap_or_default());
        prop_assert_eq!(parse_retry_after(&value, UNIX_EPOCH), hint);
    }
}
