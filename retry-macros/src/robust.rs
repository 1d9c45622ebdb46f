//! Whatever is written, the attribute answers: it never panics, and the item is never lost.

#![allow(clippy::needless_pass_by_value, reason = "tests write `quote!` at the call")]

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::annotate;

/// The name of every item below.
const NAME: &str = "the_item";

const WORDS: &[&str] = &[
    "on",
    "when",
    "strategy",
    "base",
    "base_ms",
    "cap",
    "cap_ms",
    "factor",
    "max",
    "deadline",
    "deadline_ms",
    "attempt_timeout",
    "attempt_timeout_ms",
    "timed_out",
    "retry_after",
    "retry_after_mode",
    "retry_after_max",
    "policy",
    "budget",
    "cancel",
    "reset_after",
    "clone",
    "keep",
    "once",
    "attempt",
    "on_retry",
    "on_give_up",
    "sleep",
    "docs",
    "crate",
    "none",
    "unlimited",
    "dropped",
    "max_retries",
    "timeout_secs",
    "exponential",
    "self",
    "Self",
    "super",
    "mut",
    "let",
    "fn",
    "async",
    "move",
    "impl",
    "true",
    "order",
    "_",
    "r#fn",
    "retry",
    "__defaults",
    "__standing",
    "cfg_attr",
];

const LITERALS: &[&str] = &[
    "0",
    "1",
    "5",
    "5u64",
    "200ms",
    "1_000",
    "99999999999999999999999",
    "0x10",
    "1.5",
    "1e999",
    "0.0",
    "\"full\"",
    "\"1.5s\"",
    "\"\"",
    "\"µ\"",
    "\"18446744073709551615h\"",
    "\"0.000000000000000000001s\"",
    "'x'",
    "b\"x\"",
    "1.5f32",
    "\"floor\"",
    "\"a::b\"",
    "c\"x\"",
    "r#\"raw\"#",
];

const PUNCTS: &[char] =
    &['=', ',', '.', ':', ';', '|', '-', '>', '<', '&', '!', '?', '#', '+', '*', '\'', '$'];

/// Attributes without a fault.
const ATTRIBUTES: &[&str] = &[
    "",
    "max = 3, on = is_busy, base_ms = 50, cap = \"2s\", factor = 1.5",
    "strategy = \"equal\", deadline = \"5s\", retry_after = none, docs = false",
    "when = Option::is_none, max = unlimited, deadline_ms = 5_000, reset_after = \"1m\"",
    "on = |e| self.judge(e), clone(order), once(key = new_key(), mut tries = 0), attempt = now,",
    "policy = self.policy, on_retry = |event| note(event), on_give_up = alert, sleep = my::sleep",
    "attempt_timeout = deadline, deadline = LIMIT, timed_out = late, budget = BUDGET, cancel = dropped",
    "keep(order), retry_after = hint_of, retry_after_mode = \"replace\", retry_after_max = \"30s\", crate = ::a::b",
    "strategy = mine, base = Duration::from_secs(1), max = Self::MAX, attempt_timeout_ms = 250, cancel = &token",
];

const ITEMS: &[&str] = &[
    "fn the_item() -> Result<(), Busy> { Ok(()) }",
    "pub async fn the_item(&self, mut order: Order) -> Result<Row, Busy> { self.send(order).await }",
    "async fn the_item<'a, T: Clone>(&'a mut self, (mut a, Some(b)): (u8, Option<T>)) -> Result<T, E> where T: X { Err(b) }",
    "fn the_item(self: Box<Self>, _: u8) -> Pin<Box<dyn Future<Output = Result<(), Busy>> + Send + '_>> \
     { let order = self; Box::pin(async move { order.send().await }) }",
    "fn the_item(order: Order) -> impl Future<Output = Result<(), Busy>> { async move { Ok(()) } }",
    "fn the_item() -> BoxFuture<'static, io::Result<()>> { async {}.boxed() }",
    "fn the_item() -> impl Iterator<Item = impl Fn() -> u8> { x }",
    "const fn the_item() -> u8 { 1 }",
    "/// Its documentation.\n#[inline] pub(crate) unsafe extern \"C\" fn the_item() -> ! { #![allow(unused)] loop {} }",
    "fn the_item(&self) -> Result<(), Busy>;",
    "#[retry(max = 2)] fn the_item() {}",
    "struct the_item { a: u8 }",
    "impl the_item { #[retry] fn a(&self) {} #[retry(max = 2)] async fn b() {} #[cfg_attr(x, retry(max = 3), inline)] fn c() {} }",
    "unsafe trait the_item: Send { const N: u8 = 1; #[retry] fn a(&self) -> Result<(), ()> { Ok(()) } fn b(); }",
    "impl<T> Trait<T> for the_item where T: Fn(u8) -> u8 {}",
    "macro_rules! the_item { ($a:ident) => { $a } }",
    "mod the_item;",
    "fn the_item(",
];

fn word(text: &str) -> TokenTree {
    match text.strip_prefix("r#") {
        Some(raw) => TokenTree::Ident(Ident::new_raw(raw, Span::call_site())),
        None => TokenTree::Ident(Ident::new(text, Span::call_site())),
    }
}

fn leaf() -> impl Strategy<Value = TokenTree> {
    let punct = (prop::sample::select(PUNCTS), any::<bool>()).prop_map(|(char, joint)| {
        TokenTree::Punct(Punct::new(char, if joint { Spacing::Joint } else { Spacing::Alone }))
    });
    prop_oneof![
        4 => prop::sample::select(WORDS).prop_map(word),
        2 => prop::sample::select(LITERALS)
            .prop_map(|text| TokenTree::Literal(text.parse::<Literal>().expect("a literal"))),
        4 => punct,
    ]
}

/// Any tokens at all.
fn tokens() -> impl Strategy<Value = Vec<TokenTree>> {
    let token = leaf().prop_recursive(3, 32, 6, |inner| {
        let delimiter = prop::sample::select(vec![
            Delimiter::Parenthesis,
            Delimiter::Bracket,
            Delimiter::Brace,
            Delimiter::None,
        ]);
        (delimiter, prop::collection::vec(inner, 0..6)).prop_map(|(delimiter, inside)| {
            TokenTree::Group(Group::new(delimiter, inside.into_iter().collect()))
        })
    });
    prop::collection::vec(token, 0..24)
}

/// One change of a sequence of tokens, somewhere in it.
#[derive(Clone, Debug)]
enum Change {
    Remove,
    Double,
    Swap,
    Replace(TokenTree),
    Insert(TokenTree),
    Cut,
}

/// Places and what happens to them.
type Changes = Vec<(usize, Change)>;

fn changes(most: usize) -> impl Strategy<Value = Changes> {
    let change = prop_oneof![
        Just(Change::Remove),
        Just(Change::Double),
        Just(Change::Swap),
        leaf().prop_map(Change::Replace),
        leaf().prop_map(Change::Insert),
        Just(Change::Cut),
    ];
    prop::collection::vec((any::<usize>(), change), 0..most)
}

/// Changes one place of the tokens, inside their groups too.
fn change(tokens: TokenStream, place: usize, how: &Change) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if tokens.is_empty() {
        return TokenStream::new();
    }
    let (at, rest) = (place % tokens.len(), place / tokens.len());
    match (&tokens[at], how) {
        (TokenTree::Group(group), how) if rest % 3 != 0 && !group.stream().is_empty() => {
            let inside = change(group.stream(), rest / 3, how);
            tokens[at] = TokenTree::Group(Group::new(group.delimiter(), inside));
        }
        (_, Change::Remove) => drop(tokens.remove(at)),
        (token, Change::Double) => tokens.insert(at, token.clone()),
        (_, Change::Swap) => {
            let other = rest % tokens.len();
            tokens.swap(at, other);
        }
        (_, Change::Replace(new)) => tokens[at] = new.clone(),
        (_, Change::Insert(new)) => tokens.insert(at, new.clone()),
        (_, Change::Cut) => tokens.truncate(at),
    }
    tokens.into_iter().collect()
}

fn changed(text: &str, changes: &[(usize, Change)]) -> TokenStream {
    // What is not even balanced never reaches a macro.
    let tokens = text.parse().unwrap_or_default();
    changes.iter().fold(tokens, |tokens, (place, how)| change(tokens, *place, how))
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn check(attribute: TokenStream, item: TokenStream) -> Result<(), TestCaseError> {
    let had_name = mentions(item.clone(), NAME);
    let shown = format!("#[retry({attribute})] {item}");
    let answer = annotate(attribute, &item);
    prop_assert!(!had_name || mentions(answer, NAME), "the item is lost: {}", shown);
    Ok(())
}

/// The same cases in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn any_tokens_on_any_item() {
    let cases = (tokens(), prop::sample::select(ITEMS));
    let run = |(attribute, item): (Vec<TokenTree>, &str)| {
        check(attribute.into_iter().collect(), changed(item, &[]))
    };
    runner(1_000).run(&cases, run).unwrap();
}

#[test]
fn any_tokens_for_an_item() {
    let cases = (prop::sample::select(ATTRIBUTES), tokens());
    let run = |(attribute, item): (&str, Vec<TokenTree>)| {
        let item = [word(NAME)].into_iter().chain(item).collect();
        check(changed(attribute, &[]), item)
    };
    runner(1_000).run(&cases, run).unwrap();
}

#[test]
fn attributes_and_items_with_slips() {
    let cases = (prop::sample::select(ATTRIBUTES), changes(4), prop::sample::select(ITEMS), changes(3));
    let run = |(attribute, slips, item, edits): (&str, Changes, &str, Changes)| {
        check(changed(attribute, &slips), changed(item, &edits))
    };
    runner(2_000).run(&cases, run).unwrap();
}

#[test]
fn every_good_attribute_on_every_item() {
    for attribute in ATTRIBUTES {
        for item in ITEMS {
            check(changed(attribute, &[]), changed(item, &[])).unwrap();
        }
    }
}
