//! The section "Retries" against the runtime's own schedule: the macro computes what it writes without the runtime.

#![allow(clippy::needless_pass_by_value, reason = "tests write `quote!` at the call")]

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::quote;
use retry_runtime::{Policy, Strategy};

use crate::annotate;

/// The lines of the section, without its heading.
fn section(attribute: TokenStream, item: TokenStream) -> Vec<String> {
    let expansion: syn::ItemFn = syn::parse2(annotate(attribute, &item)).expect("an expansion is a function");
    let lines = expansion.attrs.iter().filter_map(|attr| match &attr.meta {
        syn::Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                Some(text.value().trim().to_owned())
            }
            _ => None,
        },
        _ => None,
    });
    lines.skip_while(|line| line != "# Retries").skip(2).collect()
}

fn asynchronous() -> TokenStream {
    quote! {
        /// Loads.
        async fn load() -> Result<Row, Error> { read().await }
    }
}

#[test]
fn the_waits_of_every_strategy_are_those_of_the_schedule() {
    let strategies = [
        ("none", Strategy::None),
        ("full", Strategy::Full),
        ("equal", Strategy::Equal),
        ("decorrelated", Strategy::Decorrelated),
        ("plus_minus", Strategy::PlusMinus),
        ("smooth", Strategy::Smooth),
    ];
    for (name, strategy) in strategies {
        for (base, cap, max) in [(200_u64, 10_000_u64, 5_u32), (50, 1_000, 6), (300, 400, 3)] {
            let lines = section(
                quote!(strategy = #name, base_ms = #base, cap_ms = #cap, max = #max, on = is_busy),
                asynchronous(),
            );
            let policy = Policy::new().strategy(strategy);
            let policy = if base > 200 {
                policy
                    .cap(Duration::from_secs(20))
                    .base(Duration::from_millis(base))
                    .cap(Duration::from_millis(cap))
            } else {
                policy.base(Duration::from_millis(base)).cap(Duration::from_millis(cap))
            };
            let policy = policy.max(max);
            let micro = |wait: Duration| {
                Duration::from_micros(u64::try_from((wait.as_nanos() + 500) / 1_000).unwrap())
            };
            let waits: Vec<String> =
                policy.schedule().rows().map(|row| format!("{:?}", micro(row.most))).collect();
            let total = micro(policy.worst_case().backoff());
            let waits = waits.join(", ");
            assert!(
                lines[1].contains(&waits) && lines[1].contains(&format!("{total:?} in all")),
                "{name}: {}\n{waits} {total:?}",
                lines[1]
            );
        }
    }
}

#[test]
fn a_whole_section_reads_well_and_has_at_most_eight_lines() {
    let lines = section(
        quote!(
            on = is_busy,
            retry_after = hint_of,
            deadline = "5s",
            attempt_timeout_ms = 800,
            budget = BUDGET,
            cancel = self.token,
            reset_after = "1m"
        ),
        asynchronous(),
    );
    assert_eq!(
        lines,
        [
            "Retried up to 5 times where `is_busy` accepts the error.",
            "Waits with full jitter: up to 200ms, 400ms, 800ms, 1.6s, 3.2s, at most 6.2s in all.",
            "A wait that the server asks for is kept and spread, up to 60s; a longer one ends the call.",
            "Gives up before a wait that would reach the deadline of 5s; this alone does not interrupt an attempt.",
            "An attempt is cut after 800ms.",
            "A shared budget and a cancel token can end it earlier.",
            "After an attempt of 60s or more the counting starts anew.",
        ]
    );
}

#[test]
fn constants_are_named_and_not_guessed() {
    let lines = section(
        quote!(base_ms = BASE, cap = Self::CAP, max = limits::RETRIES, when = |_| true, deadline = LIMIT),
        asynchronous(),
    );
    assert_eq!(
        lines,
        [
            "Retried up to `limits::RETRIES` times where its predicate accepts the outcome.",
            "Waits with full jitter: from up to `BASE` ms to up to `Self::CAP`.",
            "Gives up before a wait that would reach the deadline of `LIMIT`; this alone does not interrupt an attempt.",
        ]
    );
}

#[test]
fn a_blocking_function_begins_with_how_long_it_may_block() {
    let blocking = || {
        quote! {
            /// Loads.
            fn load() -> Result<Row, Error> { read() }
        }
    };
    assert_eq!(
        section(quote!(max = 1, on = is_busy), blocking())[0],
        "Blocks its thread while it waits, for up to 200ms in all."
    );
    assert_eq!(
        section(quote!(max = 1), blocking())[0],
        "Blocks its thread while it waits, for up to 200ms in all, longer where the server asks for it."
    );
    assert_eq!(
        section(quote!(deadline = "3s"), blocking())[0],
        "Blocks its thread while it waits, for less than 3s in all."
    );
    assert_eq!(section(quote!(max = N), blocking())[0], "Blocks its thread while it waits.");
}

#[test]
fn only_documented_functions_get_it_and_only_those_that_want_it() {
    let bare = annotate(
        quote!(on = is_busy),
        &quote!(
            fn load() -> Result<Row, Error> {
                read()
            }
        ),
    )
    .to_string();
    assert!(!bare.contains("Retries"), "{bare}");
    assert!(section(quote!(docs = false), asynchronous()).is_empty());
}
