//! `Faults`: everything wrong with one use of the attribute, and every sentence that says so.

mod items;
mod marks;
mod pairs;
mod syntax;
mod values;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// A heap of faults that only grows. Every stage adds to it; only the door looks whether it is empty.
#[derive(Default)]
pub(crate) struct Faults(Vec<syn::Error>);

impl Faults {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All the errors.
    pub(crate) fn errors(&self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }

    /// All the errors, and what must stay standing.
    pub(crate) fn beside(&self, item: &TokenStream) -> TokenStream {
        let mut tokens = self.errors();
        item.to_tokens(&mut tokens);
        tokens
    }

    fn at(&mut self, place: Span, message: impl core::fmt::Display) {
        self.0.push(syn::Error::new(place, message));
    }

    fn on(&mut self, place: &impl ToTokens, message: impl core::fmt::Display) {
        self.0.push(syn::Error::new_spanned(place, message));
    }
}

/// The sentences about one value that can never be right. Constants are told the same while they are evaluated.
pub(crate) mod sentence {
    pub(crate) const BASE_ZERO: &str =
        "`base` must be above zero: every retry would follow at once; write `base_ms = 1` or more";
    pub(crate) const CAP_ZERO: &str =
        "`cap` must be above zero: no retry could ever wait; write `cap_ms = 1` or more";
    pub(crate) const BASE_ABOVE_CAP: &str =
        "`base` is above `cap`: the first window would already be cut; raise `cap` or lower `base`";
    pub(crate) const FACTOR: &str =
        "`factor` must be a finite number of at least 1: windows never shrink; 1 keeps them constant";
    pub(crate) const MAX_ZERO: &str = "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute";
    pub(crate) const DEADLINE_ZERO: &str =
        "`deadline` must be above zero: no retry could ever begin; leave it out for no deadline";
    pub(crate) const ATTEMPT_TIMEOUT_ZERO: &str =
        "`attempt_timeout` must be above zero: no attempt could ever end in time; leave it out for no limit";
    pub(crate) const RESET_AFTER_ZERO: &str = "`reset_after` must be above zero: every attempt would start the counting anew; leave it out for never";
}

/// The sentences about two values, with `{}` for each: of literals they are filled here, of constants by the compiler.
pub(crate) mod relation {
    use super::sentence;

    /// As the runtime says it, and with the numbers.
    pub(crate) fn base_above_cap() -> String {
        sentence::BASE_ABOVE_CAP.replacen(':', " ({} against {}):", 1)
    }

    pub(crate) const DEADLINE: &str = "the first delay is at least {}, the `deadline` {}: no retry could ever happen; raise `deadline` or lower `base`";
    pub(crate) const TIMEOUT: &str = "`attempt_timeout` ({}) is not below `deadline` ({}): no retry could follow a timeout; lower it, or write `attempt_timeout = deadline`";

    pub(crate) fn filled(sentence: &str, first: &str, second: &str) -> String {
        sentence.replacen("{}", first, 1).replacen("{}", second, 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use syn::{Expr, ExprLit, Item, Lit};

    /// The constants of the module `sentence` in a source file.
    fn sentences(source: &str) -> BTreeMap<String, String> {
        let file = syn::parse_file(source).expect("a source file");
        let module = file.items.into_iter().find_map(|item| match item {
            Item::Mod(module) if module.ident == "sentence" => module.content,
            _ => None,
        });
        let (_, items) = module.expect("a module `sentence`");
        let constants = items.into_iter().filter_map(|item| match item {
            Item::Const(constant) => match *constant.expr {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    Some((constant.ident.to_string(), text.value()))
                }
                _ => None,
            },
            _ => None,
        });
        constants.collect()
    }

    #[test]
    fn constants_and_policies_are_told_the_same_as_literals() {
        let ours = sentences(include_str!("fault.rs"));
        let theirs = sentences(include_str!("../../retry-runtime/src/policy.rs"));
        assert!(theirs.len() > 5, "only {} sentences were found", theirs.len());
        for (name, sentence) in &theirs {
            assert_eq!(ours.get(name), Some(sentence), "{name}");
        }
    }

    #[test]
    fn sentences_with_values_have_a_place_for_both() {
        for sentence in
            [&*super::relation::base_above_cap(), super::relation::DEADLINE, super::relation::TIMEOUT]
        {
            assert_eq!(sentence.matches("{}").count(), 2, "{sentence}");
            assert!(sentence.len() < 256, "the runtime keeps 320 bytes for {sentence} and its values");
        }
    }
}
