//! Policies from and to configuration files, with the feature `serde`.
#![cfg(feature = "serde")]
#![allow(missing_docs)]

use std::time::Duration;

use retry_runtime::{Failure, Policy, RetryAfterMode, Run, Step, Strategy};

fn read(text: &str) -> Result<Policy, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn what_is_left_out_keeps_its_default() {
    let policy = read("{}").unwrap();
    assert_eq!(format!("{policy:?}"), format!("{:?}", Policy::new()));
}

#[test]
fn every_key_is_read_and_written() {
    let text = r#"{"strategy":"plus_minus","base_ms":1.5,"cap_ms":400,"factor":1.5,"max":7,"deadline_ms":9000,"reset_after_ms":60000,"retry_after_mode":"ceiling","retry_after_max_ms":30000}"#;
    let policy = read(text).unwrap();
    let written = Policy::new()
        .strategy(Strategy::PlusMinus)
        .base(Duration::from_micros(1_500))
        .cap(Duration::from_millis(400))
        .factor(1.5)
        .max(7)
        .deadline(Duration::from_secs(9))
        .reset_after(Duration::from_secs(60))
        .retry_after_mode(RetryAfterMode::Ceiling)
        .retry_after_max(Duration::from_secs(30));
    assert_eq!(format!("{policy:?}"), format!("{written:?}"));
    assert_eq!(serde_json::to_string(&policy).unwrap(), text);
}

#[test]
fn zero_retries_and_no_limit_have_their_words() {
    assert!(matches!(Run::start(read(r#"{"max":0}"#).unwrap()).failed(Failure::new()), Step::GiveUp(_)));
    let unlimited = read(r#"{"max":"unlimited"}"#).unwrap();
    assert_eq!(unlimited.get_max(), None);
    assert!(serde_json::to_string(&unlimited).unwrap().contains(r#""max":"unlimited""#));
}

#[test]
fn what_can_never_be_right_and_what_is_unknown_is_refused() {
    let told = |text: &str, words: &str| {
        let error = read(text).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    told(r#"{"base_ms":20000}"#, "`base` is above `cap`");
    told(r#"{"factor":0.5}"#, "`factor` must be");
    told(r#"{"bsae_ms":20}"#, "unknown field `bsae_ms`");
    told(r#"{"strategy":"fulll"}"#, "unknown variant `fulll`");
    told(r#"{"base_ms":-1}"#, "negative");
}

#[test]
fn what_no_file_can_hold_is_not_written() {
    fn own(draw: &retry_runtime::Draw) -> Duration {
        draw.window()
    }
    assert!(serde_json::to_string(&Policy::new().strategy(Strategy::Custom(own))).is_err());
    assert!(serde_json::to_string(&Policy::new().until(std::time::Instant::now())).is_err());
    let bounded = Policy::new().within(Duration::from_secs(3));
    assert!(serde_json::to_string(&bounded).unwrap().contains(r#""deadline_ms":3000"#));
}
